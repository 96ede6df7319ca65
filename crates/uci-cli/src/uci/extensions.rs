//! Commands beyond the UCI protocol, for use at the terminal.

use super::Session;
use crate::diagram::Diagram;
use crate::{eval, options, position};
use std::io::{self, Write};
use tabiya_movegen::Game;

const COMMANDS: &str = "\
Commands of the UCI protocol:
  uci                      identify the engine and list its options
  isready                  answer readyok
  setoption name N value V
  ucinewgame               prepare for a new game
  position startpos|fen FEN [moves M...]
  go [depth N] [nodes N] [movetime MS] [mate N] [infinite] [ponder] [searchmoves M...]
     [wtime MS] [btime MS] [winc MS] [binc MS] [movestogo N]
  stop, ponderhit, debug on|off, quit
Extensions:
  go perft N               count the leaf nodes below each move
  d                        draw the board
  fen                      print the FEN
  moves [M...]             list the legal moves, or play the given ones
  flip                     mirror the position and swap the colours
  eval                     print the evaluation, term by term
  bench [DEPTH]            measure the speed of the search
  genfens N seed S book None|FILE
                           generate random openings
  version                  print build information
  help                     print this text
Options:
";

/// The text of `help`.
pub(super) fn help() -> String {
    format!("{COMMANDS}{}Run `tabiya --help` in a shell for the terminal commands.", options::help())
}

impl<W: Write> Session<W> {
    pub(super) fn display(&mut self) -> io::Result<()> {
        let Some(game) = &self.game else { return self.report_no_position() };
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
        let Some(game) = &self.game else { return self.report_no_position() };
        self.output.line(eval::table(game.position(), &self.controller.player.engine().options().evaluation))
    }

    pub(super) fn flip(&mut self) -> io::Result<()> {
        let Some(game) = &self.game else { return self.report_no_position() };
        let position = game.position().mirror();
        self.output.line(&position)?;
        self.game = Some(Game::from_position(position));
        Ok(())
    }

    /// Lists the legal moves, or plays the given ones: all of them, or none if one is illegal.
    pub(super) fn moves(&mut self, moves: &str) -> io::Result<()> {
        let Some(game) = &self.game else { return self.report_no_position() };
        if moves.is_empty() {
            let chess960 = self.uses_chess960_notation(game);
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
            Err(error) => self.output.info(format_args!("{error}; no move was played")),
        }
    }
}
