//! Finds puzzles in a PGN file: positions with exactly one mate in one or exactly one fork.
//!
//! `cargo run --release -p tabiya-movegen --example puzzle_finder -- games.pgn`, or with the games on standard
//! input. Each puzzle is printed as a line of EPD, which `tabiya_core::Epd` and most chess programs read.

use std::fs::File;
use std::io::{self, Read};
use tabiya_core::notation::{Next, PgnReader, TagToken};
use tabiya_core::{Epd, EpdOperation, EpdRegister, Move, PieceType};
use tabiya_movegen::{GameVisitor, LegalMove, Position, Replay, ReplayError};

#[derive(Default)]
struct PuzzleFinder {
    white: String,
    black: String,
}

impl GameVisitor for PuzzleFinder {
    type Output = ();

    fn begin_game(&mut self) {
        *self = PuzzleFinder::default();
    }

    fn tag(&mut self, tag: TagToken<'_>) -> Next {
        match tag.name_bytes() {
            b"White" => self.white = tag.value().into_owned(),
            b"Black" => self.black = tag.value().into_owned(),
            _ => {}
        }
        Next::Read
    }

    fn play(&mut self, position: &Position, _played: Move) -> Next {
        if let Some(mate) = only(position.legal().filter(|&mv| is_mate(mv))) {
            self.print(mate, "mate in one", true);
        } else if let Some(fork) = only(position.legal().filter(|&mv| is_fork(mv))) {
            self.print(fork, "fork", false);
        }
        Next::Read
    }

    fn error(&mut self, error: ReplayError) -> Next {
        eprintln!("{error}");
        Next::Read
    }

    fn end_game(&mut self, _last: &Position) {}
}

impl PuzzleFinder {
    fn print(&self, solution: LegalMove<'_>, theme: &str, mate: bool) {
        let mut epd = Epd::new(solution.position().board().clone());
        epd.operations.push(EpdOperation::BestMoves(vec![solution.san()]));
        if mate {
            epd.operations.push(EpdOperation::DirectMate(1));
        }
        let remark = format!("{theme}, {} - {}", self.white, self.black);
        epd.operations.extend(EpdRegister::new(0).map(|zero| EpdOperation::Comment(zero, Some(remark))));
        println!("{epd}");
    }
}

/// Returns the item if there is exactly one.
fn only<T>(mut items: impl Iterator<Item = T>) -> Option<T> {
    items.next().filter(|_| items.next().is_none())
}

fn is_mate(mv: LegalMove<'_>) -> bool {
    mv.gives_check() && mv.play().is_checkmate()
}

/// Returns true if a knight or pawn that cannot be captured gives check and attacks a queen or rook.
fn is_fork(mv: LegalMove<'_>) -> bool {
    let piece = mv.piece().piece_type();
    if !matches!(piece, PieceType::Knight | PieceType::Pawn) || mv.is_capture() || !mv.gives_check() {
        return false;
    }
    let next = mv.play();
    let them = next.side_to_move();
    let targets =
        next.attacks_from(mv.to()) & (next.by_type(PieceType::Queen) | next.by_type(PieceType::Rook));
    let taken = next.legal().any(|reply| reply.to() == mv.to());
    !(targets & next.by_color(them)).is_empty() && !taken && next.checkers() == mv.to().bitboard()
}

fn main() -> io::Result<()> {
    let input: Box<dyn Read> = match std::env::args().nth(1) {
        Some(path) => Box::new(File::open(path)?),
        None => Box::new(io::stdin()),
    };
    let mut reader = PgnReader::new(input);
    let mut finder = Replay::new(PuzzleFinder::default());
    while reader.read_game(&mut finder)?.is_some() {}
    Ok(())
}
