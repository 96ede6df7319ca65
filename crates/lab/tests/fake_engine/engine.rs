//! A UCI engine that plays random legal moves, and misbehaves on demand.
//!
//! `fake-engine [MODE] [KEY=VALUE]...`. The modes stand in [`Mode`]; `at=N` makes a mode begin with the
//! N-th `go` (1 by default), `seed=N` chooses the moves, `score=N` is the score it gives in centipawns,
//! and `delay=MS` is how long it thinks. The moves depend on the position and the seed alone.

use std::io::{self, BufRead, Write};
use std::time::Duration;
use tabiya_movegen::{Game, Position};

/// What the engine does wrong.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Mode {
    /// Nothing.
    Random,
    /// Ends with an exit code that is not 0.
    Crash,
    /// Ends as if it had been told to.
    Leave,
    /// Does not move, nor answer anything any more.
    Hang,
    /// Moves where no piece can.
    Illegal,
    /// Sends bytes that are no text where the move should be.
    Garbage,
    /// Prints without end.
    Flood,
    /// Prints a line without end.
    EndlessLine,
    /// Gives variations that cannot be played.
    BadVariation,
    /// Does not say `uciok`.
    Mute,
    /// Does not say `readyok`.
    NoPing,
    /// Is no engine: prints something and ends.
    NotUci,
}

impl Mode {
    fn parse(text: &str) -> Mode {
        match text {
            "random" => Mode::Random,
            "crash" => Mode::Crash,
            "leave" => Mode::Leave,
            "hang" => Mode::Hang,
            "illegal" => Mode::Illegal,
            "garbage" => Mode::Garbage,
            "flood" => Mode::Flood,
            "endless-line" => Mode::EndlessLine,
            "bad-variation" => Mode::BadVariation,
            "mute" => Mode::Mute,
            "no-ping" => Mode::NoPing,
            "not-uci" => Mode::NotUci,
            _ => panic!("there is no mode {text:?}"),
        }
    }
}

struct Engine {
    mode: Mode,
    at: u32,
    seed: u64,
    score: i32,
    delay: Duration,
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
        searches: 0,
        game: Game::new(),
    };
    for argument in std::env::args().skip(1) {
        let number = |value: &str| value.parse::<i64>().expect("a number");
        match argument.split_once('=') {
            None => engine.mode = Mode::parse(&argument),
            Some(("at", value)) => engine.at = number(value) as u32,
            Some(("seed", value)) => engine.seed = number(value) as u64,
            Some(("score", value)) => engine.score = number(value) as i32,
            Some(("delay", value)) => engine.delay = Duration::from_millis(number(value) as u64),
            // What tells one test's engines from another's in a list of processes.
            Some(("tag", _)) => {}
            Some(_) => panic!("what is {argument:?}?"),
        }
    }
    if engine.mode == Mode::NotUci {
        println!("usage: frobnicate [FILE]");
        std::process::exit(2);
    }
    for line in io::stdin().lock().lines() {
        let line = line?;
        match line.split_ascii_whitespace().next() {
            Some("uci") if engine.mode != Mode::Mute => say(
                "id name Fake\nid author nobody\noption name Hash type spin default 1 min 1 max 64\nuciok",
            )?,
            Some("isready") if engine.mode != Mode::NoPing => say("readyok")?,
            Some("position") => engine.set_position(&line),
            Some("go") => engine.go()?,
            Some("quit") => break,
            _ => {}
        }
    }
    Ok(())
}

fn say(text: &str) -> io::Result<()> {
    let mut out = io::stdout().lock();
    writeln!(out, "{text}")?;
    out.flush()
}

impl Engine {
    fn set_position(&mut self, line: &str) {
        let (start, moves) = line.split_once(" moves ").unwrap_or((line, ""));
        let position = match start.strip_prefix("position fen ") {
            Some(fen) => Position::from_fen(fen).expect("a legal position"),
            None => Position::startpos(),
        };
        self.game = Game::from_position(position);
        for text in moves.split_ascii_whitespace() {
            let mv = self.game.position().parse_uci(text).expect("a legal move");
            self.game.play(mv).expect("a legal move");
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
        // Mixes the position's key with the seed, so that each seed plays games of its own.
        let mixed = (position.key() ^ self.seed).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32;
        let mv = moves[mixed as usize % moves.len()];
        let text = mv.to_uci(!position.has_standard_castling());
        let wrong = if self.mode == Mode::BadVariation { " a1a1" } else { "" };
        let (score, nodes) = (self.score, moves.len());
        say(&format!("info depth 1 score cp {score} nodes {nodes} pv {text}{wrong}\nbestmove {text}"))
    }

    fn misbehave(&self) -> io::Result<()> {
        match self.mode {
            Mode::Crash => {
                eprintln!("assertion failed: the king is somewhere");
                std::process::exit(3);
            }
            Mode::Leave => std::process::exit(0),
            Mode::Hang => loop {
                std::thread::sleep(Duration::from_secs(60));
            },
            Mode::Illegal => say("bestmove a1a5"),
            Mode::Garbage => {
                let mut out = io::stdout().lock();
                out.write_all(b"bestmove \xff\xfe\0\x07\n")?;
                out.flush()
            }
            Mode::Flood => loop {
                say("info string nobody wants to know this")?;
            },
            Mode::EndlessLine => loop {
                io::stdout().lock().write_all(&[b'x'; 4096])?;
            },
            _ => Ok(()),
        }
    }
}
