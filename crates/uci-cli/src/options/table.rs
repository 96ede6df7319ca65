//! The table of options.

use super::{Effect, EngineOption, Kind, MAX_MULTIPV};
use crate::controller::{Controller, MAX_BOOK_DEPTH, Settings};
use crate::logging;
use crate::resources::change_tablebase_options;
use anyhow::Context;
use std::num::NonZero;
use std::time::Duration;
use tabiya_eval::Evaluation;
use tabiya_player::{MAX_ELO, MAX_SKILL_LEVEL, MIN_ELO};
use tabiya_search::{MAX_HASH_MB, MAX_THREADS, MIN_HASH_MB, Options, TablebaseOptions, TimeSource};

/// Upper limit of `Move Overhead` in milliseconds.
const MAX_MOVE_OVERHEAD_MS: u64 = 5000;
/// Upper limit of `nodestime`.
const MAX_NODES_PER_MS: u64 = 1_000_000;

/// Upper limit of `Strength Seed`: XBoard and Cute Chess read the limits of a number into an `int`.
const MAX_STRENGTH_SEED: u64 = i32::MAX as u64;

/// Upper limit of `SyzygyProbeDepth` in plies.
const MAX_PROBE_DEPTH: u64 = 100;

/// The value of `UCI_EngineAbout`.
const ABOUT: &str = concat!("Tabiya ", env!("CARGO_PKG_VERSION"), ", free software under MIT or Apache-2.0");

fn option(name: &'static str, help: &'static str, kind: Kind) -> EngineOption {
    EngineOption { name, help, uci_only: false, kind }
}

fn uci_option(name: &'static str, help: &'static str, kind: Kind) -> EngineOption {
    EngineOption { uci_only: true, ..option(name, help, kind) }
}

fn spin(default: u64, min: u64, max: u64, effect: Effect<u64>) -> Kind {
    Kind::Spin { default, min, max, effect }
}

fn check(default: bool, effect: Effect<bool>) -> Kind {
    Kind::Check { default, effect }
}

fn text(default: &'static str, effect: Effect<String>) -> Kind {
    Kind::Text { default, effect }
}

/// All options, in the order in which they are announced.
pub(super) fn table() -> Vec<EngineOption> {
    standard().into_iter().chain(tunables()).collect()
}

/// The options of every build.
pub(super) fn standard() -> Vec<EngineOption> {
    let (engine, settings) = (Options::default(), Settings::default());
    let groups = [
        general(&engine, &settings),
        strength(&settings),
        information(&engine, &settings),
        resources(&engine.tablebases, &settings),
    ];
    groups.into_iter().flatten().collect()
}

/// Hash, threads, output and time.
fn general(engine: &Options, settings: &Settings) -> Vec<EngineOption> {
    vec![
        uci_option(
            "Hash",
            "Size of the transposition table in MiB",
            spin(
                engine.hash_mb as u64,
                MIN_HASH_MB as u64,
                MAX_HASH_MB as u64,
                Effect::Engine(|controller, mb| Ok(controller.player.engine_mut().set_hash(mb as usize)?)),
            ),
        ),
        option(
            "Clear Hash",
            "Clear the transposition table",
            Kind::Button {
                effect: Effect::Engine(|controller, ()| {
                    controller.player.engine_mut().clear();
                    Ok(())
                }),
            },
        ),
        uci_option(
            "Threads",
            "Number of search threads",
            spin(
                engine.threads as u64,
                1,
                MAX_THREADS as u64,
                Effect::Engine(|controller, threads| {
                    let set = controller.player.engine_mut().set_threads(threads as usize);
                    let started = controller.player.engine().options().threads;
                    set.with_context(|| format!("Threads stays at {started} instead of {threads}"))
                }),
            ),
        ),
        option(
            "MultiPV",
            "Number of lines to show",
            spin(
                settings.multipv as u64,
                1,
                MAX_MULTIPV,
                Effect::Setting(|settings, lines| settings.multipv = lines as usize),
            ),
        ),
        uci_option("Ponder", "The GUI may let the engine ponder", check(false, Effect::None)),
        option(
            "Move Overhead",
            "Milliseconds to reserve per move for delays between engine and GUI",
            spin(
                engine.move_overhead.as_millis() as u64,
                0,
                MAX_MOVE_OVERHEAD_MS,
                Effect::Engine(|controller, ms| {
                    controller.player.engine_mut().set_move_overhead(Duration::from_millis(ms));
                    Ok(())
                }),
            ),
        ),
        uci_option(
            "nodestime",
            "Nodes that count as a millisecond, for games that do not depend on the speed of the machine; 0 for the clock",
            spin(
                0,
                0,
                MAX_NODES_PER_MS,
                Effect::Engine(|controller, nodes| {
                    let per_ms = NonZero::new(nodes as u32);
                    let source = per_ms.map_or(TimeSource::System, TimeSource::Nodes);
                    controller.player.engine_mut().set_time_source(source);
                    Ok(())
                }),
            ),
        ),
        uci_option(
            "UCI_Chess960",
            "Write castling as king takes rook",
            check(settings.chess960, Effect::Setting(|settings, on| settings.chess960 = on)),
        ),
        uci_option(
            "UCI_ShowWDL",
            "Show win, draw and loss probabilities in per mille",
            check(settings.show_wdl, Effect::Setting(|settings, on| settings.show_wdl = on)),
        ),
    ]
}

/// Strength limiting.
fn strength(settings: &Settings) -> Vec<EngineOption> {
    vec![
        uci_option(
            "UCI_AnalyseMode",
            "Play at full strength and without the book",
            check(settings.analyse_mode, Effect::Setting(|settings, on| settings.analyse_mode = on)),
        ),
        option(
            "UCI_LimitStrength",
            "Limit the strength to UCI_Elo",
            check(settings.limit_strength, Effect::Setting(|settings, on| settings.limit_strength = on)),
        ),
        option(
            "UCI_Elo",
            "Elo rating to play at if UCI_LimitStrength is on",
            spin(
                u64::from(settings.elo),
                u64::from(MIN_ELO),
                u64::from(MAX_ELO),
                Effect::Setting(|settings, elo| settings.elo = elo as u16),
            ),
        ),
        option(
            "Skill Level",
            "Level from 0 (800 Elo) in steps of 100 Elo; 20 is full strength",
            spin(
                u64::from(settings.skill_level),
                0,
                u64::from(MAX_SKILL_LEVEL),
                Effect::Setting(|settings, level| settings.skill_level = level as u8),
            ),
        ),
        option(
            "Strength Seed",
            "Seed that makes limited play repeatable; 0 for a new one in each game",
            spin(
                settings.strength_seed,
                0,
                MAX_STRENGTH_SEED,
                Effect::Setting(|settings, seed| settings.strength_seed = seed),
            ),
        ),
        option(
            "Human Pace",
            "Take as long for a move as a person would, at limited strength on a clock; not after ponderhit",
            check(settings.human_pace, Effect::Setting(|settings, on| settings.human_pace = on)),
        ),
    ]
}

/// Information, evaluation and logging.
fn information(engine: &Options, settings: &Settings) -> Vec<EngineOption> {
    vec![
        uci_option(
            "UCI_Opponent",
            "Title, rating and name of the opponent, for the log",
            text(
                "",
                Effect::Engine(|_, name| {
                    tracing::info!("opponent: {name}");
                    Ok(())
                }),
            ),
        ),
        uci_option("UCI_EngineAbout", "Information about the engine", text(ABOUT, Effect::None)),
        option(
            "Evaluation",
            "Evaluation function",
            Kind::Combo {
                default: engine.evaluation.name(),
                values: Evaluation::available().iter().map(Evaluation::name).collect(),
                // The name of the network is accepted even if none is embedded, because `EvalFile` may have loaded one.
                parse: |text| Evaluation::NAMES.into_iter().find(|known| *known == text),
                effect: Effect::Engine(|controller, name| {
                    controller.player.set_evaluation(controller.resources.evaluation(name)?);
                    Ok(())
                }),
            },
        ),
        option(
            "EvalFile",
            "Network for Evaluation nnue; the embedded one if empty",
            text(
                "",
                Effect::Engine(|controller, file| {
                    let current = &controller.player.engine().options().evaluation;
                    let evaluation = controller.resources.open_network(&file, current)?;
                    controller.player.set_evaluation(evaluation);
                    Ok(())
                }),
            ),
        ),
        option(
            "Debug Log File",
            "File to append a log of the session to, for tabiya replay",
            text("", Effect::Engine(|_, file| logging::log_to_file(&file))),
        ),
        uci_option(
            "Minimal",
            "Show only the final line of a search",
            check(settings.minimal, Effect::Setting(|settings, on| settings.minimal = on)),
        ),
    ]
}

/// Tablebases and books.
fn resources(tablebases: &TablebaseOptions, settings: &Settings) -> Vec<EngineOption> {
    vec![
        option(
            "SyzygyPath",
            "Directories of Syzygy tablebases",
            text(
                "",
                Effect::Engine(|Controller { resources, player, .. }, path| {
                    resources.open_tablebases(&path, player.engine_mut())
                }),
            ),
        ),
        option(
            "SyzygyProbeDepth",
            "Minimum remaining depth to probe the largest tablebases",
            spin(
                u64::from(tablebases.probe_depth),
                1,
                MAX_PROBE_DEPTH,
                Effect::Engine(|Controller { player, .. }, depth| {
                    change_tablebase_options(player.engine_mut(), |options| {
                        options.probe_depth = depth as u32
                    });
                    Ok(())
                }),
            ),
        ),
        option(
            "SyzygyProbeLimit",
            "Maximum number of pieces to probe tablebases with; 0 for none",
            spin(
                tablebases.probe_limit as u64,
                0,
                tablebases.probe_limit as u64,
                Effect::Engine(|Controller { player, .. }, pieces| {
                    change_tablebase_options(player.engine_mut(), |options| {
                        options.probe_limit = pieces as usize
                    });
                    Ok(())
                }),
            ),
        ),
        option(
            "Syzygy50MoveRule",
            "Tablebase wins that exceed the fifty-move rule are draws",
            check(
                tablebases.fifty_move_rule,
                Effect::Engine(|Controller { player, .. }, on| {
                    change_tablebase_options(player.engine_mut(), |options| options.fifty_move_rule = on);
                    Ok(())
                }),
            ),
        ),
        option(
            "OwnBook",
            "Play from an opening book",
            check(settings.own_book, Effect::Setting(|settings, on| settings.own_book = on)),
        ),
        option(
            "BookFile",
            "Polyglot or text book; the built-in main lines if empty",
            text(
                "",
                Effect::Engine(|controller, file| {
                    controller.player.set_book(controller.resources.open_book(&file)?);
                    Ok(())
                }),
            ),
        ),
        option(
            "Book Depth",
            "Last move number to play from the book",
            spin(
                u64::from(settings.book_depth),
                0,
                u64::from(MAX_BOOK_DEPTH),
                Effect::Setting(|settings, moves| settings.book_depth = moves as u32),
            ),
        ),
    ]
}

/// Search parameters, with the feature `tune`.
fn tunables() -> Vec<EngineOption> {
    #[cfg(feature = "tune")]
    let options = tabiya_search::tuning::TUNABLES
        .iter()
        .map(|tunable| uci_option(tunable.name, "Search parameter, for tuning", Kind::Tunable(tunable)))
        .collect();
    #[cfg(not(feature = "tune"))]
    let options = Vec::new();
    options
}
