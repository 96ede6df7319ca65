//! `tabiya pgn annotate`: annotates games.

use super::digest::Digest;
use super::journal::{AnnotatedGame, FinishedGame, Journal, Settings, state_path};
use super::outputs::{Destinations, Outputs, Written};
use super::progress::Progress;
use super::survey::Survey;
use crate::NAME;
use crate::args::{EvaluationArgs, ForceArgs, LimitArgs, TablebaseArgs, parse_hash};
use crate::game_file::{self, result_contradiction};
use crate::interrupt::Interrupt;
use crate::message::{GameWarnings, counted};
use anyhow::{Context, Result, bail};
use clap::Args;
use indicatif::HumanCount;
use std::collections::BTreeSet;
use std::env;
use std::fs::File;
use std::io::{self, Write};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::thread;
use tabiya_core::notation::PgnWriter;
use tabiya_eval::Evaluation;
use tabiya_files::input;
use tabiya_files::output::{Existing, check, check_distinct, check_stdout, is_replaced};
use tabiya_movegen::GameTree;
use tabiya_review::report::{Heading, ReportGame};
use tabiya_review::{
    BatchError, BatchOptions, CancelToken, Canceller, GameReview, GameReviews, Players, Reviewer, annotate,
};
use tabiya_search::{Engine, Limits, MAX_THREADS, Options, TablebaseOptions};

/// Nodes per position if no limit is given.
const DEFAULT_NODES: u64 = 100_000;

/// Analyse games and annotate them.
///
/// Every move gets an evaluation ([%eval]). Inaccuracies, mistakes and blunders are marked ?!, ? and ??, with
/// the better line as a variation. The tags WhiteAccuracy and BlackAccuracy give the accuracy of each side in
/// per cent.
///
/// The order of the games is kept. What cannot be understood in a game is reported and skipped. A move that cannot be played is
/// reported and left out with those after it. Games of other variants or with an invalid start position are reported and left out, as
/// is text without a game. The exit status is 1 if a game is shortened or left out.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  tabiya pgn annotate games.pgn -o annotated.pgn
  tabiya pgn annotate games.pgn -o annotated.pgn --html annotated.html
  tabiya pgn annotate games.pgn --nodes 500000 -j 4 > annotated.pgn
  tabiya pgn annotate --movetime 1s --no-lines - < game.pgn

The limits apply to each position; the default is 100,000 nodes. With --nodes or --depth the result is
reproducible, with --movetime it is not.

From a file to a file (-o, --html), a run can be interrupted: the same command continues with the games that
are missing, and the result is the same. Until all games are done, the finished ones are kept in a file named
as the output with .progress at the end. The command refuses to continue if the games, the program or the
settings have changed; --restart discards the finished games and starts over.")]
pub(super) struct AnnotateArgs {
    /// PGN file; - for standard input.
    #[arg(value_name = "GAMES.pgn")]
    games: PathBuf,
    /// File to write [default: standard output, or none with --html].
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Also write the games as a web page, to play through in any browser.
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    #[command(flatten)]
    force: ForceArgs,
    /// Discard the finished games of an interrupted run and start over.
    #[arg(long)]
    restart: bool,
    /// Number of games to analyse in parallel [default: number of processors].
    #[arg(short, long, value_name = "NUMBER", value_parser = clap::value_parser!(u16).range(1..=MAX_THREADS as i64))]
    jobs: Option<u16>,
    #[command(flatten)]
    limits: LimitArgs,
    /// Size of each transposition table in MiB, one per parallel game.
    #[arg(long, value_name = "MiB", default_value_t = 16, value_parser = parse_hash)]
    hash: usize,
    #[command(flatten)]
    tablebases: TablebaseArgs,
    #[command(flatten)]
    evaluation: EvaluationArgs,
    /// Players for whom moves are judged: those of Lichess's curve, those of the game by its tags WhiteElo and BlackElo, or players of a rating.
    #[arg(long, value_name = "lichess|game|RATING", default_value = "lichess", value_parser = parse_players)]
    players: Players,
    /// Mark bad moves without adding variations.
    #[arg(long)]
    no_lines: bool,
}

impl AnnotateArgs {
    /// The files that the command reads.
    fn inputs(&self) -> Vec<&Path> {
        [self.games.as_path()].into_iter().chain(self.evaluation.file()).collect()
    }
}

/// Runs `tabiya pgn annotate`.
///
/// # Errors
/// If a file cannot be read or written, an engine cannot be set up, the command is interrupted, or a game cannot be replayed.
pub(super) fn run(args: &AnnotateArgs, out: &mut impl Write) -> Result<()> {
    let run = Run::new(args)?;
    let written = match run.state_path() {
        Some(state) => run.annotate_resumably(&state, out)?,
        None => run.annotate_directly(out)?,
    };
    // A closed standard error must not make the command fail.
    let _ = writeln!(io::stderr(), "{}", written.summary);
    if written.omitted > 0 {
        let omitted = counted(written.omitted, "game");
        let _ = writeln!(io::stderr(), "the page would be too large: it lacks {omitted}");
    }
    let skipped =
        (written.skipped > 0).then(|| format!("skipped {}", counted(written.skipped, "invalid game")));
    let shortened =
        (written.shortened > 0).then(|| format!("shortened {}", counted(written.shortened, "game")));
    let faults: Vec<String> = [skipped, shortened].into_iter().flatten().collect();
    if faults.is_empty() { Ok(()) } else { bail!(faults.join(" and ")) }
}

/// A run of the command.
struct Run<'a> {
    args: &'a AnnotateArgs,
    limits: Limits,
    evaluation: Evaluation,
    tablebases: TablebaseOptions,
    /// The first pass over the input, if it is a regular file.
    survey: Option<Survey>,
    cancel: CancelToken,
}

impl<'a> Run<'a> {
    /// Checks the arguments and reads the input once.
    fn new(args: &'a AnnotateArgs) -> Result<Run<'a>> {
        match (&args.output, &args.html) {
            (None, None) => check_stdout(&args.inputs())?,
            (Some(pgn), Some(html)) => check_distinct(&[
                ("--output", pgn),
                ("the state file of --output", &state_path(pgn)),
                ("--html", html),
            ])?,
            _ => {}
        }
        // Existing files are refused later, because a run that continues may find its own.
        check_outputs(args, Existing::Replace)?;
        let is_file = args.games.as_os_str() != "-" && args.games.is_file();
        let (canceller, cancel) = Canceller::new();
        Interrupt::install()?.working(move || drop(canceller));
        Ok(Run {
            args,
            limits: args.limits.limits_or(Limits::nodes(DEFAULT_NODES)),
            evaluation: args.evaluation.load()?,
            tablebases: TablebaseOptions::default().with_tables(args.tablebases.open()?),
            survey: is_file.then(|| Survey::read(&args.games)).transpose()?,
            cancel,
        })
    }

    /// The path of the state file, if the run can be continued: if it goes from a regular file to regular files.
    fn state_path(&self) -> Option<PathBuf> {
        let mut outputs = [&self.args.output, &self.args.html].into_iter().flatten();
        self.survey.as_ref()?;
        let first = outputs.next()?;
        (is_replaced(first) && outputs.all(|output| is_replaced(output))).then(|| state_path(first))
    }

    /// Keeps the finished games in a state file and writes the outputs at the end.
    fn annotate_resumably(&self, state: &Path, out: &mut dyn Write) -> Result<Written> {
        let existing = self.args.force.existing();
        if !state.exists() {
            check_outputs(self.args, existing)?;
        }
        let mut journal = Journal::open(state, &self.settings()?, self.args.restart)?;
        let finished = journal.finished();
        let total = self.survey.as_ref().map_or(0, |survey| survey.moves.len() as u64);
        let may_be_written = finished.len() as u64 == total;
        if !may_be_written {
            check_outputs(self.args, existing)?;
        }
        let progress = Progress::new(self.survey.as_ref());
        if journal.damaged() > 0 {
            progress.message(&format!("{} is damaged: some games are analysed again", state.display()));
        }
        if !finished.is_empty() {
            let (path, done) = (state.display(), HumanCount(finished.len() as u64));
            progress.message(&format!("continuing {path}: {done} of {} games are done", HumanCount(total)));
        }
        let result = self.review(&progress, finished, false, |game| journal.append(game));
        progress.finish();
        if let Err(error) = result {
            if !is_cancelled(&error) {
                if journal.finished().is_empty() {
                    journal.remove()?;
                }
                return Err(error);
            }
            let done = HumanCount(journal.finished().len() as u64);
            bail!(
                "interrupted: {done} of {} games are done and kept in {}; the same command continues",
                HumanCount(total),
                state.display()
            );
        }
        let mut outputs = Outputs::open(&self.destinations(may_be_written), &self.heading(), out)?;
        journal.replay(|game| outputs.write(&game))?;
        let written = outputs.commit()?;
        journal.remove()?;
        Ok(written)
    }

    /// Writes each game to the outputs as soon as it is done.
    fn annotate_directly(&self, out: &mut dyn Write) -> Result<Written> {
        check_outputs(self.args, self.args.force.existing())?;
        let mut outputs = Outputs::open(&self.destinations(false), &self.heading(), out)?;
        let progress = Progress::new(self.survey.as_ref());
        let mut done: u64 = 0;
        let result = self.review(&progress, BTreeSet::new(), true, |game| {
            done += 1;
            progress.suspend(|| outputs.write(game))
        });
        progress.finish();
        match result {
            Err(error) if is_cancelled(&error) => bail!(
                "interrupted after {}; only a run from a file to files (-o, --html) can be continued",
                counted(done, "game")
            ),
            result => result?,
        }
        outputs.commit()
    }

    /// Reviews the games that are not finished, in order or as they come.
    fn review(
        &self,
        progress: &Progress,
        finished: BTreeSet<u64>,
        in_order: bool,
        mut finish: impl FnMut(&FinishedGame) -> Result<()>,
    ) -> Result<()> {
        let input = input::open_stream(&self.args.games)
            .with_context(|| format!("{} cannot be read", self.args.games.display()))?;
        let planned = |number| self.survey.as_ref().map_or(0, |survey| survey.moves_of(number));
        let mut done = finished.len() as u64;
        progress.skip(finished.iter().copied().map(planned).sum());
        progress.games_done(done);
        let moves = progress.clone();
        let options = BatchOptions {
            skip: finished,
            in_order,
            observe: Box::new(move |_| moves.moves_done(1)),
            cancel: self.cancel.clone(),
        };
        for reviewed in GameReviews::start(input, self.reviewers()?, options)? {
            let reviewed = reviewed?;
            let number = reviewed.number;
            let mut reviewed_moves = 0;
            let is_shortened = reviewed.warnings.iter().any(|warning| warning.ends_game);
            for warning in reviewed.warnings.iter().collect::<GameWarnings>().lines() {
                progress.message(&format!("game {number}: {warning}"));
            }
            let game = match reviewed.game {
                Ok((tree, review)) => {
                    reviewed_moves = review.moves.len() as u64;
                    if let Some(contradiction) = result_contradiction(&tree) {
                        progress.message(&format!("game {number}: {contradiction}; both are kept"));
                    }
                    Ok(self.annotated(number, tree, &review, is_shortened)?)
                }
                Err(error) => {
                    progress.message(&format!("skipped game {number}: {error}"));
                    Err(error.to_string())
                }
            };
            // Moves after a null move, and those of invalid games, are not reviewed.
            progress.moves_done(planned(number).saturating_sub(reviewed_moves));
            finish(&FinishedGame { number, game })?;
            done += 1;
            progress.games_done(done);
        }
        Ok(())
    }

    fn reviewers(&self) -> Result<Vec<Reviewer>> {
        let processors = || thread::available_parallelism().map_or(1, NonZeroUsize::get);
        // More engines than games would only take memory.
        let games = self.survey.as_ref().map_or(usize::MAX, |survey| survey.moves.len().max(1));
        let jobs = self.args.jobs.map_or_else(processors, usize::from).min(games);
        (0..jobs)
            .map(|_| {
                let evaluation = self.evaluation.clone();
                let options = Options::default()
                    .with_hash_mb(self.args.hash)
                    .with_tablebases(self.tablebases.clone())
                    .with_evaluation(evaluation);
                Ok(Reviewer::new(Engine::new(options)?, self.limits.clone()).with_players(self.args.players))
            })
            .collect()
    }

    /// Writes a review into its game.
    fn annotated(
        &self,
        number: u64,
        mut tree: GameTree,
        review: &GameReview,
        is_shortened: bool,
    ) -> Result<AnnotatedGame> {
        annotate(&mut tree, review, NAME, !self.args.no_lines);
        let mut pgn = PgnWriter::new(Vec::new());
        tree.pgn().write_to(&mut pgn)?;
        if self.args.no_lines {
            // A run that continues from the journal may write a page, which always has the better lines.
            annotate(&mut tree, review, NAME, true);
        }
        let report = ReportGame::new(number, &tree, review);
        Ok(AnnotatedGame { pgn: String::from_utf8(pgn.into_inner())?, report, is_shortened })
    }

    fn destinations(&self, may_be_written: bool) -> Destinations<'a> {
        Destinations {
            may_be_written,
            pgn: self.args.output.as_deref(),
            html: self.args.html.as_deref(),
            existing: self.args.force.existing(),
            inputs: self.args.inputs(),
        }
    }

    fn heading(&self) -> Heading {
        let title = game_file::title(&self.args.games).unwrap_or_else(|| "Annotated games".into());
        let search = format!("{} per position, {} evaluation", self.limits_text(), self.evaluation.name());
        Heading::new(title, NAME, search)
    }

    /// The limits in words, such as `100,000 nodes`.
    fn limits_text(&self) -> String {
        let Limits { depth, nodes, movetime, .. } = &self.limits;
        let limits = [
            depth.map(|depth| format!("depth {depth}")),
            nodes.map(|nodes| counted(nodes, "node")),
            movetime.map(|time| format!("{} s", time.as_secs_f64())),
        ];
        limits.into_iter().flatten().collect::<Vec<_>>().join(", ")
    }

    /// Everything that the result depends on.
    fn settings(&self) -> Result<Settings> {
        let mut evaluation = self.evaluation.name().to_owned();
        if let Some(path) = self.args.evaluation.file() {
            let file = File::open(path).with_context(|| format!("{} cannot be read", path.display()))?;
            evaluation.push_str(&format!(", SHA-256 {}", Digest::of_reader(file)?));
        }
        let program = env::current_exe().and_then(File::open).context("cannot read this program")?;
        let program = format!("{}, SHA-256 {}", NAME, Digest::of_reader(program)?);
        let input = self.survey.as_ref().map_or_else(String::new, |survey| survey.fingerprint.clone());
        let tables = self.tablebases.tables.as_ref();
        let tablebases = tables.map_or("none".to_owned(), |tables| {
            let (wdl, dtz) = tables.count();
            format!("{wdl} WDL, {dtz} DTZ of up to {} pieces", tables.max_pieces())
        });
        let settings = [
            ("games", input),
            ("program", program),
            ("limits", self.limits_text()),
            ("hash", format!("{} MiB", self.args.hash)),
            ("evaluation", evaluation),
            ("tablebases", tablebases),
            ("players", format!("{:?}", self.args.players)),
            ("variations", if self.args.no_lines { "no" } else { "yes" }.to_owned()),
        ];
        Ok(settings.map(|(name, value)| (name.to_owned(), value)).into())
    }
}

fn parse_players(text: &str) -> Result<Players, String> {
    match text {
        "lichess" => Ok(Players::Lichess),
        "game" => Ok(Players::OfGame),
        rating => match rating.parse() {
            Ok(rating @ 1..=4000) => Ok(Players::Rated(rating)),
            _ => Err("expected `lichess`, `game` or a rating from 1 to 4000".to_owned()),
        },
    }
}

/// Checks that the output files can be written.
fn check_outputs(args: &AnnotateArgs, existing: Existing) -> Result<()> {
    let outputs = [&args.output, &args.html];
    outputs.into_iter().flatten().try_for_each(|output| check(output, existing, &args.inputs()))?;
    Ok(())
}

fn is_cancelled(error: &anyhow::Error) -> bool {
    matches!(error.downcast_ref(), Some(BatchError::Cancelled))
}
