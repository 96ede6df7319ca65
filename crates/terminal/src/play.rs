//! `tabiya play`: a game against the engine in the terminal.
//!
//! [`session`] holds the state of the game and knows neither terminal nor engine; this module connects them.

mod archive;
mod clock;
mod closing_report;
mod input;
mod level;
mod opponent;
mod origin;
mod record;
mod request;
mod session;
mod turn;

use crate::args::{EngineArgs, LimitArgs, open_book};
use crate::diagram::DiagramStyle;
use crate::game_file::{self, GameArgs};
use crate::interrupt::Interrupt;
use crate::{position, style, variation};
use anyhow::{Context, Result, anyhow, bail};
use archive::{Archive, Resumed};
use clap::{Args, ValueEnum};
use clock::TimeControl;
use input::Input;
use opponent::{EngineOpponent, Opponent};
use origin::Origin;
use record::Record;
use session::{Action, PlaySession};
use std::hash::{BuildHasher, RandomState};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use tabiya_book::Book;
use tabiya_core::Color;
use tabiya_files::output::{Existing, OutputFile};
use tabiya_movegen::Position;
use tabiya_player::{MAX_ELO, MIN_ELO, Player, Strength};
use tabiya_review::Canceller;
use tabiya_search::Limits;
use turn::Turn;

/// Time for a move if no limit is given.
const DEFAULT_TIME: Duration = Duration::from_secs(1);

/// Play a game against the engine.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  tabiya play
  tabiya play --side black --tc 5+3
  tabiya play --elo 800                 against a beginner; --elo 1500 is a club player
  tabiya play --resume
  tabiya play --resume game.pgn --ply 24 --side black
  tabiya play --fen 4k3/8/8/8/8/8/4P3/4K3 w - - 0 1
  tabiya play --chess960 518

Enter moves as Nf3 or g1f3; enter help for a list of commands. On a terminal the arrow keys edit the line and
recall earlier ones, and the Tab key completes commands and moves. Without a limit the engine takes a second
per move.

On a terminal the game is saved after every move, in a file of its own, so that it can be continued (--resume)
however the program ends. With redirected input a new game is saved only with --games.")]
pub struct PlayArgs {
    /// Side to play [default: white, or as before with --resume].
    #[arg(long, value_enum)]
    side: Option<Side>,
    /// Position to start from.
    #[arg(long, value_name = "FEN", num_args = 1.., conflicts_with_all = ["chess960", "resume"])]
    fen: Vec<String>,
    /// Play Chess960 from the start position of this number.
    #[arg(long, value_name = "NUMBER", value_parser = clap::value_parser!(u16).range(0..=959), conflicts_with = "resume")]
    chess960: Option<u16>,
    /// Continue the game of a PGN file, or the last unfinished game. A file given is not changed.
    #[arg(long, value_name = "FILE.pgn", num_args = 0..=1)]
    resume: Option<Option<PathBuf>>,
    #[command(flatten)]
    position: GameArgs,
    /// Clock for both sides: minutes for the game, and seconds added per move, as in 5+3 or 10.
    #[arg(long, value_name = "MINUTES[+SECONDS]", value_parser = str::parse::<TimeControl>, conflicts_with = "movetime")]
    tc: Option<TimeControl>,
    /// The level of the engine.
    #[arg(long, help = elo_help(), value_parser = clap::value_parser!(u16).range(i64::from(MIN_ELO)..=i64::from(MAX_ELO)))]
    elo: Option<u16>,
    /// Move at once at limited strength with clocks, instead of taking as long as a person would.
    #[arg(long)]
    instant: bool,
    /// Opening book of the engine: a Polyglot (.bin) or text file [default: built-in main lines].
    #[arg(long, value_name = "FILE", conflicts_with = "no_book")]
    book: Option<PathBuf>,
    /// Play without an opening book.
    #[arg(long)]
    no_book: bool,
    #[command(flatten)]
    limits: LimitArgs,
    #[command(flatten)]
    engine: EngineArgs,
    /// Folder in which games are saved [default: tabiya/games in the folder for the user's data].
    #[arg(long, value_name = "FOLDER")]
    games: Option<PathBuf>,
    /// Do not save the game.
    #[arg(long)]
    no_save: bool,
    /// Do not review the game when it is over.
    #[arg(long)]
    no_report: bool,
    /// Draw the board with chess symbols instead of letters.
    #[arg(long)]
    symbols: bool,
}

fn elo_help() -> String {
    format!("Elo rating of the engine ({}) [default: full strength]", level::names())
}

impl PlayArgs {
    /// The opening book that is given as a file.
    fn book(&self) -> Result<Option<Book>> {
        self.book.as_deref().map(open_book).transpose()
    }
}

/// The user's side.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
enum Side {
    White,
    Black,
}

impl From<Side> for Color {
    fn from(side: Side) -> Color {
        match side {
            Side::White => Color::White,
            Side::Black => Color::Black,
        }
    }
}

/// Runs `tabiya play`.
///
/// # Errors
/// If the position, the game or the book is invalid, the engine cannot be set up, or input or output fails.
pub(crate) fn run(args: &PlayArgs, out: &mut impl Write) -> Result<()> {
    let is_interactive = input::is_interactive();
    let has_default_folder = is_interactive || args.resume == Some(None);
    let folder = args.games.clone().or_else(|| Archive::default_folder().filter(|_| has_default_folder));
    let mut archive = Archive::new(folder);
    let (record, origin) = initial_record(args, &mut archive)?;
    if let Some(origin) = origin
        && !origin.announce(record.game.moves().len(), out)?
    {
        return Ok(());
    }
    if args.no_save {
        archive.stop_saving();
    }
    let default = if record.clocks.is_some() { Limits::default() } else { Limits::movetime(DEFAULT_TIME) };
    let interrupt = Interrupt::install()?;
    let mut player = Player::new(args.engine.engine()?, RandomState::new().hash_one(0));
    player.settings.strength = record.elo.map(Strength::from_elo);
    player.settings.book_depth = if args.no_book { 0 } else { u32::MAX };
    player.set_book(args.book()?);
    let mut opponent = EngineOpponent {
        player,
        limits: args.limits.limits_or(default),
        human_pace: !args.instant,
        score: None,
        interrupt: interrupt.clone(),
    };
    let style = DiagramStyle { symbols: args.symbols, colors: style::use_colors() };
    let mut stdin = io::stdin().lock();
    // The editor locks standard input itself.
    let input = if is_interactive {
        drop(stdin);
        Input::editor()?
    } else {
        Input::Stream(&mut stdin)
    };
    let session = PlaySession::new(record, style);
    let mut game_loop = GameLoop::new(session, archive, interrupt, !args.no_report);
    game_loop.play(&mut opponent, input, out)
}

/// The game to begin, or the one to continue with its file.
fn initial_record(args: &PlayArgs, archive: &mut Archive) -> Result<(Record, Option<Origin>)> {
    let (mut record, origin) = match &args.resume {
        Some(None) if args.position != GameArgs::default() => {
            bail!("--game and --ply need a file: --resume FILE.pgn")
        }
        Some(None) => {
            let Resumed { record, file, damage } = archive.resume()?;
            (record, Some(Origin { file, damage }))
        }
        Some(Some(file)) => {
            let tree = game_file::read(file, args.position.game)?;
            (Record::from_tree(&tree, args.position.ply)?, Some(Origin { file: file.clone(), damage: None }))
        }
        None if args.position != GameArgs::default() => bail!("--game and --ply need --resume FILE.pgn"),
        None => {
            let start = match args.chess960 {
                Some(number) => {
                    Position::chess960(number).context("Chess960 start positions are numbered 0 to 959")?
                }
                None => position::from_args(&args.fen)?,
            };
            (Record::new(start, Color::White, None, None), None)
        }
    };
    record.user = args.side.map_or(record.user, Color::from);
    record.elo = args.elo.or(record.elo);
    if let Some(control) = args.tc {
        record.set_control(control);
    }
    Ok((record, origin))
}

/// A game with everything that belongs to it but the opponent.
struct GameLoop {
    session: PlaySession,
    archive: Archive,
    interrupt: Interrupt,
    /// True if finished games are reviewed.
    has_reports: bool,
    turn: Turn,
}

impl GameLoop {
    fn new(session: PlaySession, archive: Archive, interrupt: Interrupt, has_reports: bool) -> GameLoop {
        let turn = Turn::start(&session);
        GameLoop { session, archive, interrupt, has_reports, turn }
    }

    /// Alternates between user and opponent until the user quits.
    fn play(
        &mut self,
        opponent: &mut dyn Opponent,
        mut input: Input<'_>,
        out: &mut impl Write,
    ) -> Result<()> {
        writeln!(out, "{}", self.session.greeting())?;
        // A game that is resumed after its end is not reviewed unasked.
        let mut is_over = self.session.game().outcome().is_some();
        self.turn = Turn::start(&self.session);
        loop {
            self.save(out)?;
            if self.interrupt.is_requested() {
                return self.leave(out);
            }
            if self.session.game().outcome().is_none() {
                is_over = false;
            } else if !std::mem::replace(&mut is_over, true) && self.has_reports {
                self.report(opponent, out)?;
            }
            self.turn.update(&self.session);
            if self.session.is_opponents_turn() {
                writeln!(out, "Tabiya is thinking ...")?;
                out.flush()?;
                let mv = opponent.choose(self.session.game(), self.session.search_clock());
                if self.interrupt.is_requested() {
                    return self.leave(out);
                }
                let mv = mv.context("the search found no move")?;
                writeln!(out, "{}", self.session.opponent_plays(mv, self.turn.elapsed())?)?;
                continue;
            }
            if !self.interrupt.at_prompt(self.farewell()) {
                return self.leave(out);
            }
            let line = input.read(&self.session.prompt(), || self.session.words(), out)?;
            self.interrupt.done();
            let Some(line) = line else { return self.leave(out) };
            let reply = self.session.handle(&line, self.turn.elapsed());
            if !reply.text.is_empty() {
                writeln!(out, "{}", reply.text)?;
            }
            if reply.action == Action::Quit {
                return self.leave(out);
            }
            self.act(reply.action, opponent, out)?;
        }
    }

    /// Does what a line of the user asks for. The user's clock does not run meanwhile.
    fn act(&mut self, action: Action, opponent: &mut dyn Opponent, out: &mut impl Write) -> Result<()> {
        let start = Instant::now();
        match action {
            Action::None | Action::Quit => {}
            Action::NewGame => {
                self.archive.begin();
                opponent.new_game();
                // The clocks are new, too, although a game without moves looks like the one before.
                self.turn = Turn::start(&self.session);
                return Ok(());
            }
            Action::Level(elo) => opponent.set_level(elo),
            Action::OfferDraw if opponent.accepts_draw(self.session.game()) => {
                writeln!(out, "Tabiya accepts the draw.\n{}", self.session.agree_to_draw())?;
            }
            Action::OfferDraw => writeln!(out, "Tabiya declines the draw.")?,
            Action::Hint => match opponent.hint(self.session.game(), self.session.search_clock()) {
                Some(mv) => {
                    let text = variation::numbered(self.session.game().position(), &[mv]);
                    writeln!(out, "I would play {text}.")?;
                }
                None => writeln!(out, "There is no legal move.")?,
            },
            Action::Report => self.report(opponent, out)?,
            Action::Save(path) => match save_as(&mut self.session, &path) {
                Ok(()) => writeln!(out, "Saved to {}.", path.display())?,
                Err(error) => writeln!(out, "Not saved: {error:#}")?,
            },
        }
        self.turn.exclude(start);
        Ok(())
    }

    fn report(&mut self, opponent: &mut dyn Opponent, out: &mut impl Write) -> Result<()> {
        if self.session.game().moves().is_empty() {
            return Ok(());
        }
        let (canceller, token) = Canceller::new();
        self.interrupt.reviewing(canceller);
        writeln!(out, "\nReviewing the game (Ctrl-C skips this) ...")?;
        out.flush()?;
        let report = opponent.review(self.session.game(), self.session.user(), &token)?;
        self.interrupt.done();
        match report {
            Some(report) => writeln!(out, "\n{report}\n")?,
            None => writeln!(out, "Skipped.")?,
        }
        Ok(())
    }

    /// Saves the game in the archive. A failure is reported and does not end the game.
    fn save(&mut self, out: &mut impl Write) -> Result<()> {
        if let Err(error) = self.archive.save(self.session.record()) {
            writeln!(out, "The game is not saved: {error:#}")?;
        }
        Ok(())
    }

    fn leave(&mut self, out: &mut impl Write) -> Result<()> {
        self.save(out)?;
        let farewell = self.farewell();
        if !farewell.is_empty() {
            writeln!(out, "{farewell}")?;
        }
        Ok(())
    }

    /// A line that says where the game is saved; empty if it is not.
    fn farewell(&self) -> String {
        match (self.archive.file(), self.session.game().outcome()) {
            (None, _) => String::new(),
            (Some(file), Some(_)) => format!("The game is saved in {}.", file.display()),
            (Some(file), None) => {
                let options = self.archive.resume_options();
                format!("The game is saved in {}; tabiya play {options} continues it.", file.display())
            }
        }
    }
}

/// Saves the game to a file of the user's choice. Overwrites only files to which this game has been saved.
///
/// # Errors
/// If another file of this name exists, or output fails.
fn save_as(session: &mut PlaySession, path: &Path) -> Result<()> {
    let is_ours = session.saved_text(path).is_some_and(|text| archive::holds(path, text));
    let existing = Existing::from_force(is_ours);
    let mut file = OutputFile::create(path, existing, &[]).map_err(|error| match error.kind() {
        ErrorKind::AlreadyExists => anyhow!("cannot write {}: the file already exists", path.display()),
        _ => error.into(),
    })?;
    let mut text = Vec::new();
    session.record().write(&mut text)?;
    file.write_all(&text)?;
    file.commit()?;
    session.remember_saved(path, text);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use std::thread;
    use tabiya_core::Move;
    use tabiya_movegen::Game;
    use tabiya_review::CancelToken;
    use tabiya_search::Clock;

    /// Plays the given moves in order.
    struct Script(Vec<&'static str>);

    /// The time that each hint and review takes.
    const PAUSE: Duration = Duration::from_millis(5);

    impl Opponent for Script {
        fn choose(&mut self, game: &Game, _: Option<Clock>) -> Option<Move> {
            thread::sleep(PAUSE);
            Some(game.position().parse_san(self.0.remove(0)).unwrap())
        }

        fn hint(&mut self, game: &Game, clock: Option<Clock>) -> Option<Move> {
            self.choose(game, clock)
        }

        fn accepts_draw(&self, game: &Game) -> bool {
            game.moves().len() > 2
        }

        fn set_level(&mut self, _: Option<u16>) {}

        fn new_game(&mut self) {}

        fn review(&mut self, game: &Game, user: Color, _: &CancelToken) -> Result<Option<String>> {
            thread::sleep(PAUSE);
            Ok(Some(format!("{} moves reviewed for {user}", game.moves().len())))
        }
    }

    fn play_record(record: Record, archive: Archive, opponent: &[&'static str], mut input: &[u8]) -> String {
        let session = PlaySession::new(record, DiagramStyle::default());
        let mut game_loop = GameLoop::new(session, archive, Interrupt::default(), true);
        let mut out = Vec::new();
        game_loop.play(&mut Script(opponent.to_vec()), Input::Stream(&mut input), &mut out).unwrap();
        String::from_utf8(out).unwrap()
    }

    fn play(user: Color, opponent: &[&'static str], input: &[u8]) -> String {
        let record = Record::new(Position::startpos(), user, None, None);
        play_record(record, Archive::default(), opponent, input)
    }

    #[test]
    fn plays_a_game_to_mate() {
        let text = play(Color::White, &["e5", "Qh4#"], b"f3\ng2g4\nmoves\nquit\nnever read\n");
        assert!(text.contains("Tabiya plays 1... e5"), "{text}");
        assert!(text.contains("Tabiya plays 2... Qh4#"), "{text}");
        assert!(text.contains("The game is over: 0-1 (checkmate)"), "{text}");
        assert!(!text.contains("neither a move"), "{text}");
        assert_eq!(text.matches("4 moves reviewed for white").count(), 1, "{text}");
    }

    #[test]
    fn draw_offers_are_answered() {
        let text = play(Color::White, &["e5", "Nc6"], b"e4\ndraw\nNf3\ndraw\ndraw\n");
        assert!(text.contains("Tabiya declines the draw.\n"), "{text}");
        assert!(text.contains("Tabiya accepts the draw.\nThe game is over: 1/2-1/2 (agreement)\n"), "{text}");
        assert!(text.contains("The game is over already."), "{text}");
    }

    #[test]
    fn ends_at_the_end_of_input() {
        let text = play(Color::Black, &["e4"], b"");
        assert!(text.contains("Tabiya plays 1. e4"), "{text}");
        assert!(text.ends_with("1... > \n"), "{text}");
    }

    #[test]
    fn answers_invalid_input() {
        let text = play(Color::White, &["e4"], b"\xff\xfe\n\n   \nsave\nhint\n");
        assert!(text.contains("neither a move"), "{text}");
        assert!(text.contains("save FILE"), "{text}");
        assert!(text.contains("I would play"), "{text}");
    }

    #[test]
    fn every_end_of_the_game_is_reviewed_once() {
        let text = play(Color::White, &["e5", "d5"], b"e4\nresign\nboard\nundo\nd4\nresign\nreport\n");
        assert_eq!(text.matches("2 moves reviewed").count(), 1, "{text}");
        assert_eq!(text.matches("4 moves reviewed").count(), 2, "{text}");
    }

    #[test]
    fn clock_of_the_user_stands_still_while_the_engine_works() {
        let mut record = Record::new(Position::startpos(), Color::White, None, None);
        record.game.play_san("e4").unwrap();
        let session = PlaySession::new(record, DiagramStyle::default());
        let mut game_loop = GameLoop::new(session, Archive::default(), Interrupt::default(), true);
        for action in [Action::Hint, Action::Report, Action::NewGame] {
            let before = game_loop.turn.start;
            let is_new = action == Action::NewGame;
            if is_new {
                thread::sleep(PAUSE);
            }
            game_loop.act(action, &mut Script(vec!["e5"]), &mut Vec::new()).unwrap();
            assert!(game_loop.turn.start >= before + PAUSE, "{is_new}");
        }
    }

    #[test]
    fn save_overwrites_files_of_the_same_game_only() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("game.pgn");
        let save = format!("save {}\n", file.display());
        let input = format!("e4\n{save}Nf3\n{save}new\nd4\n{save}");
        let text = play(Color::White, &["e5", "Nc6", "d5"], input.as_bytes());
        assert_eq!(text.matches("Saved to ").count(), 2, "{text}");
        assert!(text.contains("game.pgn: the file already exists\n"), "{text}");
        assert!(fs::read_to_string(&file).unwrap().ends_with("\n1. e4 e5 2. Nf3 Nc6 *\n\n"));
    }

    #[test]
    fn save_keeps_a_file_that_has_changed() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("game.pgn");
        let record = Record::new(Position::startpos(), Color::White, None, None);
        let mut session = PlaySession::new(record, DiagramStyle::default());
        save_as(&mut session, &file).unwrap();
        save_as(&mut session, &file).unwrap();
        fs::write(&file, "another game").unwrap();
        assert!(save_as(&mut session, &file).is_err());
        assert_eq!(fs::read_to_string(&file).unwrap(), "another game");
        fs::remove_file(&file).unwrap();
        save_as(&mut session, &file).unwrap();
    }

    #[test]
    fn game_resumed_twice_is_saved_twice() {
        let folder = tempfile::tempdir().unwrap();
        let archive = || Archive::new(Some(folder.path().to_owned()));
        let start = Record::new(Position::startpos(), Color::White, None, None);
        play_record(start, archive(), &["e5"], b"e4\n");
        let (mut first, mut second) = (archive(), archive());
        let records = (first.resume().unwrap().record, second.resume().unwrap().record);
        play_record(records.0, first, &["Nc6"], b"Nf3\n");
        play_record(records.1, second, &["d6"], b"Bc4\n");
        let games = fs::read_dir(folder.path())
            .unwrap()
            .map(|entry| fs::read_to_string(entry.unwrap().path()).unwrap());
        let mut moves: Vec<String> =
            games.filter_map(|game| Some(game.trim_end().lines().last()?.to_owned())).collect();
        moves.sort();
        assert_eq!(moves, ["1. e4 e5 2. Bc4 d6 *", "1. e4 e5 2. Nf3 Nc6 *"]);
    }

    #[test]
    fn saved_games_are_continued() {
        let folder = tempfile::tempdir().unwrap();
        let games = folder.path().join("new/games");
        let archive = || Archive::new(Some(games.clone()));
        let names = || {
            let mut names: Vec<_> =
                fs::read_dir(&games).unwrap().map(|entry| entry.unwrap().path()).collect();
            names.sort_by(|a, b| a.file_stem().cmp(&b.file_stem()));
            names
        };
        let record = || Record::new(Position::startpos(), Color::White, Some(1200), None);
        // A game without moves leaves no file.
        play_record(record(), archive(), &[], b"quit\n");
        assert!(!games.exists());
        assert!(archive().resume().unwrap_err().to_string().starts_with("there is no unfinished game in "));
        let text = play_record(record(), archive(), &["e5", "d5"], b"e4\nnew\nd4\n");
        let command = format!("tabiya play --resume --games {} continues it", games.display());
        assert!(text.ends_with(&format!("; {command}.\n")), "{text}");
        let [first, second] = &names()[..] else { panic!("{:?}", names()) };
        assert!(fs::read_to_string(first).unwrap().ends_with("\n1. e4 e5 *\n\n"));

        let mut resumed = archive();
        let Resumed { record, file, .. } = resumed.resume().unwrap();
        assert_eq!(file, *second);
        assert_eq!(record.elo, Some(1200));
        let text = play_record(record, resumed, &["Nc6"], b"Nf3\nresign\n");
        assert!(text.contains("\n1. d4 d5\n"), "{text}");
        assert_eq!(text.lines().last(), Some(&*format!("The game is saved in {}.", second.display())));
        assert!(fs::read_to_string(second).unwrap().ends_with("\n1. d4 d5 2. Nf3 Nc6 0-1\n\n"));
        // A finished game is not continued; files of others are passed over.
        fs::write(games.join("8.pgn"), "[White \"A\"]\n\n1. c4 *\n").unwrap();
        fs::write(games.join("9.pgn"), "1. e5 *\n").unwrap();
        assert_eq!(archive().resume().unwrap().record.game.moves().len(), 2);
        assert_eq!(names().len(), 4);
        // So are those that cannot be read.
        fs::create_dir(games.join("a.pgn")).unwrap();
        #[cfg(unix)]
        std::os::unix::fs::symlink("missing", games.join("b.pgn")).unwrap();
        assert_eq!(archive().resume().unwrap().record.game.moves().len(), 2);
    }
}
