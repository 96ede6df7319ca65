//! The xboard side of the engine.

use super::{Engine, Mode, chosen, send};
use std::io;
use tabiya_movegen::{Game, Position};

/// The modes of the protocol that matter for pondering.
#[derive(Default)]
struct Modes {
    /// The engine does not play.
    force: bool,
    /// The engine may ponder.
    hard: bool,
    /// The engine has pondered since its move.
    pondered: bool,
}

/// Obeys xboard commands until `quit`.
pub(super) fn run(
    engine: &mut Engine,
    lines: &mut dyn Iterator<Item = io::Result<String>>,
) -> io::Result<()> {
    let mut modes = Modes::default();
    for line in lines {
        let line = line?;
        let (command, argument) = line.split_once(' ').unwrap_or((&line, ""));
        match command {
            "protover" => send(
                "Some banner\nfeature ping=1 setboard=1 usermove=1 san=1 sigint=0 myname=\"Fake X\"\n\
                 feature variants=\"normal,fischerandom\" memory=1 option=\"Style -string\" done=1",
            )?,
            "ping" => send(&format!("pong {argument}"))?,
            "new" => {
                engine.game = Game::new();
                modes = Modes::default();
            }
            "force" => modes = Modes { force: true, pondered: false, ..modes },
            "hard" => modes.hard = true,
            "easy" => modes.hard = false,
            "setboard" => {
                let position = Position::from_fen(argument).expect("the position must be legal");
                engine.game = Game::from_position(position);
            }
            "usermove" => {
                let position = engine.game.position();
                let mv = position.parse_uci(argument).or_else(|_| position.parse_san(argument).map_err(drop));
                let mv = mv.expect("the move must be legal");
                engine.game.play(mv).expect("the move must be legal");
                if !modes.force {
                    go(engine, &mut modes)?;
                }
            }
            "go" => {
                modes.force = false;
                go(engine, &mut modes)?;
            }
            "quit" => break,
            _ => {}
        }
    }
    Ok(())
}

/// Thinks to depth 3, or to depth 4 after pondering.
fn go(engine: &mut Engine, modes: &mut Modes) -> io::Result<()> {
    engine.searches += 1;
    std::thread::sleep(engine.delay);
    if engine.searches >= engine.at {
        match engine.mode {
            Mode::Resign => return send("resign"),
            Mode::Claim => return send("1/2-1/2 {Draw by agreement}"),
            _ => {}
        }
    }
    let position = engine.game.position();
    let mv = chosen(position, engine.seed).expect("the game must not be over");
    let san = position.san(mv).to_string();
    // Castling in Chess960 may look like a king's step.
    let text = if san.starts_with("O-O") { san.clone() } else { mv.to_uci(false).to_string() };
    let depth = if modes.pondered { 4 } else { 3 };
    modes.pondered = modes.hard;
    send(&format!("{depth} {} 1 77 {san}\nmove {text}", engine.score))?;
    // The engine plays its own move.
    engine.game.play(mv).map_err(|_| io::Error::other("the move must be legal"))
}
