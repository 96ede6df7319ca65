//! A UCI engine that plays random legal moves and misbehaves on demand.
//!
//! Usage: `fake-engine [MODE] [KEY=VALUE]...`, with a [`Mode`] and the keys `at=N` (number of the first `go` to
//! which the mode applies, 1 by default), `seed=N` (seed of the moves), `score=N` (score in centipawns), `delay=MS`
//! (thinking time), `time=MS` (the time that it reports), `ponder=N` (the seed with which it guesses the opponent's moves to ponder on), `starts=FILE` (a file that gets a byte at each
//! start; the third start fails) and `tag=TEXT` (ignored). The
//! moves depend only on the position and the seed. Its option `Style` has no effect. Its option `EvalFile` is the path of a file, which it looks for and says whether it is there.
//! It also speaks the xboard protocol.

mod xboard;

use std::fs::OpenOptions;
use std::io::{self, BufRead, Write};
use std::path::Path;
use std::time::Duration;
use tabiya_core::Move;
use tabiya_movegen::{Game, Position};

/// The kind of misbehaviour.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Mode {
    /// None: plays random legal moves.
    Random,
    /// Has no option for Chess960.
    StandardOnly,
    /// Exits with a nonzero code.
    Crash,
    /// Exits with code 0.
    Exit,
    /// Stops responding.
    Hang,
    /// Plays an illegal move.
    Illegal,
    /// Sends bytes that are not UTF-8 instead of a move.
    Garbage,
    /// Prints lines forever.
    Flood,
    /// Prints an endless line.
    EndlessLine,
    /// Reports illegal moves in its PVs.
    BadVariation,
    /// Never sends `uciok`.
    Mute,
    /// Never sends `readyok`.
    NoPing,
    /// Resigns, in the xboard protocol.
    Resign,
    /// Claims a draw instead of moving, in the xboard protocol.
    Claim,
    /// Exits with a nonzero code when it is told to stop pondering.
    CrashAtStop,
    /// Exits with code 0 when another game begins.
    OneGame,
    /// Prints a usage message and exits, like a program that is not a UCI engine.
    NotUci,
}

impl Mode {
    fn parse(text: &str) -> Mode {
        match text {
            "random" => Mode::Random,
            "standard-only" => Mode::StandardOnly,
            "crash" => Mode::Crash,
            "exit" => Mode::Exit,
            "hang" => Mode::Hang,
            "illegal" => Mode::Illegal,
            "garbage" => Mode::Garbage,
            "flood" => Mode::Flood,
            "endless-line" => Mode::EndlessLine,
            "bad-variation" => Mode::BadVariation,
            "mute" => Mode::Mute,
            "no-ping" => Mode::NoPing,
            "resign" => Mode::Resign,
            "claim" => Mode::Claim,
            "crash-at-stop" => Mode::CrashAtStop,
            "one-game" => Mode::OneGame,
            "not-uci" => Mode::NotUci,
            _ => panic!("unknown mode {text:?}"),
        }
    }
}

struct Engine {
    mode: Mode,
    at: u32,
    seed: u64,
    score: i32,
    delay: Duration,
    /// The time reported, in milliseconds.
    time: Option<u64>,
    ponder: Option<u64>,
    searches: u32,
    game: Game,
}

fn main() -> io::Result<()> {
    let mut engine = Engine {
        mode: Mode::Random,
        at: 1,
        seed: 0,
        score: 0,
        delay: Duration::ZERO,
        time: None,
        ponder: None,
        searches: 0,
        game: Game::new(),
    };
    for argument in std::env::args().skip(1) {
        let number = |value: &str| value.parse::<i64>().expect("the value must be a number");
        match argument.split_once('=') {
            None => engine.mode = Mode::parse(&argument),
            Some(("at", value)) => engine.at = number(value) as u32,
            Some(("seed", value)) => engine.seed = number(value) as u64,
            Some(("score", value)) => engine.score = number(value) as i32,
            Some(("delay", value)) => engine.delay = Duration::from_millis(number(value) as u64),
            Some(("time", value)) => engine.time = Some(number(value) as u64),
            Some(("ponder", value)) => engine.ponder = Some(number(value) as u64),
            Some(("starts", file)) => {
                let mut starts = OpenOptions::new().create(true).append(true).open(file)?;
                starts.write_all(b".")?;
                if starts.metadata()?.len() == 3 {
                    std::process::exit(4);
                }
            }
            // Identifies the engines of a test in the process list.
            Some(("tag", _)) => {}
            Some(_) => panic!("unknown argument {argument:?}"),
        }
    }
    if engine.mode == Mode::NotUci {
        println!("usage: frobnicate [FILE]");
        std::process::exit(2);
    }
    let mut lines = io::stdin().lock().lines();
    while let Some(line) = lines.next() {
        let line = line?;
        match line.split_ascii_whitespace().next() {
            Some("xboard") => return xboard::run(&mut engine, &mut lines),
            Some("uci") if engine.mode != Mode::Mute => {
                send(
                    "id name Fake\nid author nobody\noption name Hash type spin default 1 min 1 max 64\n\
                     option name Threads type spin default 1 min 1 max 64\n\
                     option name Ponder type check default false\n\
                     option name Style type spin default 10 min 0 max 20\n\
                     option name EvalFile type string default <internal>",
                )?;
                if engine.mode != Mode::StandardOnly {
                    send("option name UCI_Chess960 type check default false")?;
                }
                send("uciok")?;
            }
            Some("isready") if engine.mode != Mode::NoPing => send("readyok")?,
            Some("setoption") => {
                if let Some(file) = line.strip_prefix("setoption name EvalFile value ") {
                    let state = if Path::new(file).is_file() { "is small" } else { "cannot be read" };
                    send(&format!("info string the network {file} {state}"))?;
                }
            }
            Some("position") => engine.set_position(&line),
            Some("go") => {
                let is_pondering = line.starts_with("go ponder");
                if is_pondering
                    && !lines.next().is_some_and(|line| line.is_ok_and(|line| line == "ponderhit"))
                {
                    // `stop`, or the end.
                    if engine.mode == Mode::CrashAtStop {
                        std::process::exit(3);
                    }
                    engine.searches -= u32::from(engine.searches > 0);
                }
                engine.go()?;
            }
            Some("ucinewgame") if engine.mode == Mode::OneGame && engine.searches > 0 => break,
            Some("quit") => break,
            _ => {}
        }
    }
    Ok(())
}

fn send(text: &str) -> io::Result<()> {
    let mut out = io::stdout().lock();
    writeln!(out, "{text}")?;
    out.flush()
}

/// The move that an engine with this seed plays; `None` without legal moves.
fn chosen(position: &Position, seed: u64) -> Option<Move> {
    let moves = position.legal_moves();
    // Hash the position and the seed, so that different seeds play different games.
    let hash = (position.key() ^ seed).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32;
    moves.get(hash as usize % moves.len().max(1)).copied()
}

impl Engine {
    fn set_position(&mut self, line: &str) {
        let (start, moves) = line.split_once(" moves ").unwrap_or((line, ""));
        let position = match start.strip_prefix("position fen ") {
            Some(fen) => Position::from_fen(fen).expect("the position must be legal"),
            None => Position::startpos(),
        };
        self.game = Game::from_position(position);
        for text in moves.split_ascii_whitespace() {
            let mv = self.game.position().parse_uci(text).expect("the move must be legal");
            self.game.play(mv).expect("the move must be legal");
        }
    }

    fn go(&mut self) -> io::Result<()> {
        self.searches += 1;
        std::thread::sleep(self.delay);
        if self.searches >= self.at {
            self.misbehave()?;
        }
        let position = self.game.position();
        let moves = position.legal_moves();
        let mv = chosen(position, self.seed).expect("the game must not be over");
        let text = mv.to_uci(!position.has_standard_castling());
        let illegal_move = if self.mode == Mode::BadVariation { " a1a1" } else { "" };
        let (score, nodes) = (self.score, moves.len());
        let mut after = position.clone();
        after.play_unchecked(mv);
        let ponder = match self.ponder.and_then(|seed| chosen(&after, seed)) {
            Some(mv) => format!(" ponder {}", mv.to_uci(!after.has_standard_castling())),
            None => String::new(),
        };
        let time = self.time.map_or_else(String::new, |ms| format!(" time {ms}"));
        send(&format!(
            "info depth 1 score cp {score} nodes {nodes}{time} pv {text}{illegal_move}\nbestmove {text}{ponder}"
        ))
    }

    fn misbehave(&self) -> io::Result<()> {
        match self.mode {
            Mode::Crash => {
                eprintln!("assertion failed: the king is somewhere");
                std::process::exit(3);
            }
            Mode::Exit => std::process::exit(0),
            Mode::Hang => loop {
                std::thread::sleep(Duration::from_secs(60));
            },
            Mode::Illegal => send("bestmove a1a5"),
            Mode::Garbage => {
                let mut out = io::stdout().lock();
                out.write_all(b"bestmove \xff\xfe\0\x07\n")?;
                out.flush()
            }
            Mode::Flood => loop {
                send("info string flooding the pipe")?;
            },
            Mode::EndlessLine => loop {
                io::stdout().lock().write_all(&[b'x'; 4096])?;
            },
            _ => Ok(()),
        }
    }
}
