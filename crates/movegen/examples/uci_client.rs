//! A bot that lets a UCI engine play against itself and prints the game as PGN.
//!
//! `cargo run --release -p tabiya-movegen --example uci_client -- target/release/tabiya 100` gives the engine 100 milliseconds a
//! move. Any program that talks to an engine has these parts: a process, the handshake, `position` and `go`, and `bestmove`.

use std::error::Error;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use tabiya_movegen::Game;

/// The maximum length of a game, in half-moves.
const MAX_PLIES: usize = 400;

struct Engine {
    process: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Engine {
    fn start(path: &str) -> Result<Engine, Box<dyn Error>> {
        let mut process = Command::new(path).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
        let (Some(input), Some(output)) = (process.stdin.take(), process.stdout.take()) else {
            return Err("the engine has no input or output".into());
        };
        let mut engine = Engine { process, input, output: BufReader::new(output) };
        engine.ask("uci", "uciok")?;
        engine.ask("isready", "readyok")?;
        Ok(engine)
    }

    /// Sends a command and returns the first line of the answer that starts with this word.
    fn ask(&mut self, command: &str, answer: &str) -> Result<String, Box<dyn Error>> {
        writeln!(self.input, "{command}")?;
        self.input.flush()?;
        let mut line = String::new();
        while self.output.read_line(&mut line)? > 0 {
            if line.split_whitespace().next() == Some(answer) {
                return Ok(line);
            }
            line.clear();
        }
        Err(format!("the engine ended instead of answering {command}").into())
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let path = arguments.next().ok_or("the first argument must be a UCI engine")?;
    let milliseconds: u32 = arguments.next().map_or(Ok(100), |text| text.parse())?;
    let mut engine = Engine::start(&path)?;
    let mut game = Game::new();
    while game.outcome().is_none() && game.moves().len() < MAX_PLIES {
        let moves: Vec<String> = game.moves().iter().map(|mv| mv.to_uci(false).to_string()).collect();
        let position = format!("position startpos moves {}", moves.join(" "));
        let answer = engine.ask(&format!("{position}\ngo movetime {milliseconds}"), "bestmove")?;
        let text = answer.split_whitespace().nth(1).unwrap_or_default();
        let mv = game.position().parse_uci(text)?;
        game.play(mv)?;
        // A player claims the draws that need a claim.
        game.claim_draw();
    }
    writeln!(engine.input, "quit")?;
    engine.process.wait()?;
    let mut pgn = game.to_pgn();
    pgn.set_tag("White", &path)?;
    pgn.set_tag("Black", &path)?;
    print!("{pgn}");
    Ok(())
}
