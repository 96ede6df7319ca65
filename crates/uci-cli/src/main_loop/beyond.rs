//! Commands that are not in the protocol, for people who type.

use super::Session;
use crate::diagram::Diagram;
use crate::{eval, options, position};
use std::io::{self, Write};
use tabiya_movegen::Game;

const COMMANDS: &str = "\
Commands of the UCI protocol:
  uci                      who the engine is, and its options
  isready                  answered with readyok at once
  setoption name N value V
  ucinewgame               forget the last game
  position startpos|fen FEN [moves M...]
  go [depth N] [nodes N] [movetime MS] [mate N] [infinite] [ponder] [searchmoves M...]
     [wtime MS] [btime MS] [winc MS] [binc MS] [movestogo N]
  stop, ponderhit, debug on|off, quit
And beyond it:
  go perft N               count the leaves N plies below each move
  d                        draw the board
  fen                      the position in one line
  moves [M...]             list the legal moves, or play these
  flip                     exchange the sides
  eval                     the evaluation, term by term
  bench [DEPTH]            the speed of the search
  genfens N seed S book None|FILE
                           random openings
  version                  how the program was built
  help                     this text
Options:
";

/// What `help` prints.
pub(super) fn help() -> String {
    format!("{COMMANDS}{}`tabiya --help`, from a shell, lists what else the program can do.", options::help())
}

impl<W: Write> Session<W> {
    pub(super) fn display(&mut self) -> io::Result<()> {
        let Some(game) = &self.game else { return self.no_position() };
        let position = game.position();
        let checkers: Vec<String> =
            position.checkers().into_iter().map(|square| square.to_string()).collect();
        self.output.line(format_args!(
            "\n{}\nFen: {position}\nKey: {:016X}\nCheckers: {}",
            Diagram::new(position.board()),
            position.key(),
            checkers.join(" ")
        ))
    }

    pub(super) fn evaluation(&mut self) -> io::Result<()> {
        let Some(game) = &self.game else { return self.no_position() };
        self.output.line(eval::table(game.position(), self.player.evaluation()))
    }

    pub(super) fn flip(&mut self) -> io::Result<()> {
        let Some(game) = &self.game else { return self.no_position() };
        match position::flipped(game.position()) {
            Ok(position) => {
                self.output.line(&position)?;
                self.game = Some(Game::from_position(position));
                Ok(())
            }
            Err(error) => self.output.info(error),
        }
    }

    /// Lists the legal moves, or plays those of a list, all of them or none.
    pub(super) fn moves(&mut self, moves: &str) -> io::Result<()> {
        let Some(game) = &self.game else { return self.no_position() };
        if moves.is_empty() {
            let chess960 = self.notation(game).chess960;
            let moves = game.position().legal_moves().into_iter();
            let texts: Vec<String> = moves.map(|mv| mv.to_uci(chess960).to_string()).collect();
            return self.output.line(texts.join(" "));
        }
        let mut next = game.clone();
        match position::play(&mut next, moves) {
            Ok(()) => {
                self.game = Some(next);
                Ok(())
            }
            Err(error) => self.output.info(format_args!("{error}; none of them was played")),
        }
    }
}
