//! The engine as both protocols and the terminal use it: with its settings, and with a strength.

use crate::log;
use crate::options::{DEFAULT_ELO, Setting};
use crate::resources::Resources;
use anyhow::Result;
use crossbeam_channel::Receiver;
use std::hash::{BuildHasher, RandomState};
use tabiya_eval::Evaluation;
use tabiya_movegen::Game;
use tabiya_play::{LineChooser, MAX_SKILL_LEVEL, NoisyEvaluation, Strength};
use tabiya_search::{BestMove, Engine, EngineError, Info, Limits, Options, Search, SearchEvent};

/// What can be set that is not the engine's own business.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Settings {
    pub(crate) chess960: bool,
    pub(crate) multipv: usize,
    pub(crate) show_wdl: bool,
    pub(crate) minimal: bool,
    analyse_mode: bool,
    limit_strength: bool,
    elo: u16,
    skill_level: u8,
    seed: u64,
    evaluation: Evaluation,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            chess960: false,
            multipv: 1,
            show_wdl: false,
            minimal: false,
            analyse_mode: false,
            limit_strength: false,
            elo: DEFAULT_ELO as u16,
            skill_level: MAX_SKILL_LEVEL,
            seed: 0,
            evaluation: Evaluation::Handcrafted,
        }
    }
}

impl Settings {
    /// How strong to play, if not as well as possible. `UCI_Elo` comes before the skill level.
    fn strength(&self) -> Option<Strength> {
        match (self.analyse_mode, self.limit_strength) {
            (true, _) => None,
            (false, true) => Some(Strength::from_elo(self.elo)),
            (false, false) => Strength::from_skill_level(self.skill_level),
        }
    }
}

/// How the engine judges positions: by which evaluation, and how badly.
type Judgement = (Evaluation, Option<(Strength, u64)>);

/// An engine with its settings.
pub(crate) struct Player {
    pub(crate) engine: Engine,
    pub(crate) settings: Settings,
    pub(crate) resources: Resources,
    judgement: Judgement,
    /// Differs from one game to the next, so that no two games of a weak player are the same.
    game_seed: u64,
}

impl Player {
    /// Sets an engine up.
    ///
    /// # Errors
    /// If the machine cannot provide what the options ask for.
    pub(crate) fn new(options: Options) -> Result<Player, EngineError> {
        let settings = Settings { evaluation: options.evaluation, ..Settings::default() };
        let judgement = (settings.evaluation, None);
        let engine = Engine::new(options)?;
        let game_seed = RandomState::new().hash_one(0);
        Ok(Player { engine, settings, resources: Resources::default(), judgement, game_seed })
    }

    /// A new game begins.
    pub(crate) fn new_game(&mut self) {
        self.engine.clear();
        self.game_seed = RandomState::new().hash_one(self.game_seed);
    }

    /// Changes a setting. Ends a running search if it concerns the engine.
    ///
    /// # Errors
    /// If it cannot be had; the setting keeps its value.
    pub(crate) fn apply(&mut self, setting: Setting) -> Result<()> {
        let settings = &mut self.settings;
        match setting {
            Setting::HashMb(mb) => self.engine.set_hash(mb)?,
            Setting::Threads(threads) => self.engine.set_threads(threads)?,
            Setting::ClearHash => self.engine.clear(),
            Setting::MoveOverhead(overhead) => self.engine.set_move_overhead(overhead),
            Setting::MultiPv(lines) => settings.multipv = lines,
            Setting::Chess960(on) => settings.chess960 = on,
            Setting::ShowWdl(on) => settings.show_wdl = on,
            Setting::AnalyseMode(on) => settings.analyse_mode = on,
            Setting::LimitStrength(on) => settings.limit_strength = on,
            Setting::Elo(elo) => settings.elo = elo,
            Setting::SkillLevel(level) => settings.skill_level = level,
            Setting::StrengthSeed(seed) => settings.seed = seed,
            Setting::Evaluation(evaluation) => settings.evaluation = evaluation,
            Setting::Minimal(on) => settings.minimal = on,
            Setting::Resource(resource) => self.resources.apply(resource, &mut self.engine)?,
            Setting::DebugLogFile(file) => log::to_file(&file)?,
            Setting::Opponent(name) => tracing::info!("the opponent: {name}"),
            Setting::Ponder(_) | Setting::EngineAbout => {}
            #[cfg(feature = "tune")]
            Setting::Tunable(name, value) => {
                anyhow::ensure!(tabiya_search::set_tunable(name, value), "{name} cannot be {value}");
            }
        }
        Ok(())
    }

    /// Starts to think about the position of `game`: to play a move there, as strong as is set, or to
    /// tell the truth about it where `limits` has no end.
    pub(crate) fn think(&mut self, game: &Game, limits: Limits) -> Thinking {
        let wanted = Limits { multipv: limits.multipv.max(self.settings.multipv), ..limits.clone() };
        if !self.settings.analyse_mode
            && let Some(mv) = self.resources.book_move(game, &wanted)
        {
            // The search still says what it thinks of the position, and finds an answer to expect.
            let limits = Limits { search_moves: vec![mv], ..Limits::depth(1) };
            return Thinking { search: self.engine.go(game, limits), chooser: None, lines: 1 };
        }
        let strength = self.settings.strength().filter(|_| !limits.infinite);
        let seed = if self.settings.seed == 0 { self.game_seed } else { self.settings.seed };
        self.judge_by((self.settings.evaluation, strength.map(|strength| (strength, seed))));
        let lines = limits.multipv.max(self.settings.multipv);
        let limits = Limits { multipv: lines, ..limits };
        let limits = strength.map_or(limits.clone(), |strength| strength.limit(limits));
        let chooser = strength.map(|strength| LineChooser::new(strength, seed ^ game.position().key()));
        Thinking { search: self.engine.go(game, limits), chooser, lines }
    }

    fn judge_by(&mut self, judgement: Judgement) {
        if judgement == self.judgement {
            return;
        }
        self.judgement = judgement;
        match judgement {
            (evaluation, None) => {
                self.engine.set_evaluation(evaluation);
            }
            (evaluation, Some((strength, seed))) => self.engine.set_evaluator(move || {
                Box::new(NoisyEvaluation::new(evaluation.evaluator(), strength, seed))
            }),
        }
    }

    /// The evaluation in use.
    pub(crate) fn evaluation(&self) -> Evaluation {
        self.settings.evaluation
    }
}

/// A search that is running for somebody. Dropping it ends it.
pub(crate) struct Thinking {
    search: Search,
    /// Chooses where the strength is limited.
    chooser: Option<LineChooser>,
    /// How many lines were asked for.
    lines: usize,
}

/// What a search says, as far as it is meant to be heard.
pub(crate) enum Heard {
    /// Nothing that was asked for.
    Nothing,
    Event(SearchEvent),
    /// The answer; first the line that goes with it, if that is not the one reported last.
    Answer(Option<Info>, BestMove),
}

impl Thinking {
    /// What it says. Each event is to be put through [`Thinking::hear`].
    pub(crate) fn events(&self) -> &Receiver<SearchEvent> {
        self.search.events()
    }

    /// Asks for the answer now.
    pub(crate) fn stop(&self) {
        self.search.stop();
    }

    /// The opponent has played the expected move.
    pub(crate) fn ponderhit(&self) {
        self.search.ponderhit();
    }

    /// Takes an event and leaves what concerns whoever asked.
    pub(crate) fn hear(&mut self, event: SearchEvent) -> Heard {
        match (event, &mut self.chooser) {
            (SearchEvent::BestMove(answer), None) => Heard::Answer(None, answer),
            (SearchEvent::BestMove(answer), Some(chooser)) => {
                let (answer, line) = chooser.choose(answer);
                Heard::Answer(line.map(|line| line.clone().with_multipv(1)), answer)
            }
            (SearchEvent::Info(info), Some(chooser)) => {
                chooser.update(&info);
                if info.multipv as usize > self.lines {
                    return Heard::Nothing;
                }
                Heard::Event(SearchEvent::Info(info))
            }
            (event, _) => Heard::Event(event),
        }
    }

    /// Waits for the answer.
    pub(crate) fn wait(mut self) -> BestMove {
        while let Ok(event) = self.search.events().recv() {
            if let Heard::Answer(_, answer) = self.hear(event) {
                return answer;
            }
        }
        BestMove::default()
    }
}
