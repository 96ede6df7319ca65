//! The visible effects of one move, from which follows what the better move does and the other does not.

use super::kinds::Purpose;
use super::positional::{ENDING, is_safe, most_valuable, pieces_value};
use super::searched_line::{SearchedLine, named_piece};
use super::structure::{doubled_files, is_on_outpost, is_passed};
use super::threats::{new_threats, threatened};
use super::{Comparison, NamedPiece};
use tabiya_core::{Color, File, Move, PieceType, Rank, Square};
use tabiya_movegen::Position;

/// The last move number at which a piece is developed.
const OPENING: u16 = 15;

/// Returns the first effect of the better move that the move played does not have.
pub(super) fn find(comparison: &Comparison) -> Option<Purpose> {
    let start = comparison.better.position(0)?;
    let better = Effects::new(start, &comparison.printed)?;
    let played = Effects::new(start, &comparison.refutation)?;
    let others = played.all();
    let is_missing = |effect: &Purpose| match effect {
        // The move played may save the piece in another way, as by a capture of the attacker.
        Purpose::MovesToSafety { piece } | Purpose::Defends { piece } | Purpose::ParriesThreat { piece } => {
            played.leaves_threatened(*piece)
        }
        _ => !others.contains(effect),
    };
    better.all().into_iter().find(is_missing)
}

/// A move with the positions around it, and the line that it begins.
struct Effects<'c> {
    before: &'c Position,
    after: &'c Position,
    searched: &'c SearchedLine,
    mv: Move,
    piece: NamedPiece,
    side: Color,
}

impl<'c> Effects<'c> {
    fn new(before: &'c Position, searched: &'c SearchedLine) -> Option<Effects<'c>> {
        let mv = *searched.line.moves().first()?;
        let piece = named_piece(before, mv.from())?;
        Some(Effects {
            before,
            after: searched.position(1)?,
            searched,
            mv,
            piece,
            side: before.side_to_move(),
        })
    }

    /// All effects, the most telling first.
    fn all(&self) -> Vec<Purpose> {
        let found = [
            self.protection(),
            self.attack(),
            self.castling(),
            self.exchange(),
            self.passed_pawn(),
            self.doubled_pawns(),
            self.outpost(),
            self.capture(),
            self.development(),
            self.open_file(),
            self.king(),
        ];
        found.into_iter().flatten().collect()
    }

    /// A piece that the opponent threatened to win is safe now.
    fn protection(&self) -> Option<Purpose> {
        // A check only delays a threat.
        if self.after.in_check() {
            return None;
        }
        let enemy = !self.side;
        let (before, after) = (threatened(self.before, enemy), threatened(self.after, enemy));
        if before.contains(self.mv.from()) {
            let is_saved = !self.mv.is_capture()
                && self.piece.piece != PieceType::Pawn
                && !after.contains(self.mv.destination());
            return is_saved.then_some(Purpose::MovesToSafety { piece: self.piece });
        }
        let saved = (before - after) & self.after.by_color(self.side);
        let piece = most_valuable(self.after, saved)?;
        // A capture removes the attacker, whatever the piece defends besides.
        let defends =
            !self.mv.is_capture() && self.after.attacks_from(self.mv.destination()).contains(piece.square);
        Some(if defends { Purpose::Defends { piece } } else { Purpose::ParriesThreat { piece } })
    }

    /// Returns true if the opponent threatens to win the piece, which stood on its square before the move.
    fn leaves_threatened(&self, piece: NamedPiece) -> bool {
        let square = if piece.square == self.mv.from() { self.mv.destination() } else { piece.square };
        // A check only delays a threat.
        self.after.in_check() || threatened(self.after, !self.side).contains(square)
    }

    /// The moved piece attacks another that was safe.
    fn attack(&self) -> Option<Purpose> {
        let victims = new_threats(self.before, self.after, self.mv.destination(), self.side);
        let piece = most_valuable(self.after, victims)?;
        is_safe(self.after, self.mv).then_some(Purpose::Attacks { piece })
    }

    fn castling(&self) -> Option<Purpose> {
        self.mv.is_castle().then_some(Purpose::Castles)
    }

    /// The move captures a piece other than a pawn, and the answer captures one of the same type.
    fn exchange(&self) -> Option<Purpose> {
        let piece = self.searched.captured(0)?.piece;
        let is_exchange = piece != PieceType::Pawn && self.searched.captured(1)?.piece == piece;
        is_exchange.then_some(Purpose::Exchanges { piece })
    }

    /// A passed pawn advances, or one is made.
    fn passed_pawn(&self) -> Option<Purpose> {
        let square = self.mv.destination();
        let is_pawn = self.piece.piece == PieceType::Pawn && self.mv.promotion().is_none();
        let is_far = square.relative_to(self.side).rank() >= Rank::Fifth;
        if !is_pawn || !is_passed(self.after, square) || !is_safe(self.after, self.mv) {
            return None;
        }
        match is_passed(self.before, self.mv.from()) {
            true => is_far.then_some(Purpose::AdvancesPassedPawn { square }),
            false => Some(Purpose::MakesPassedPawn { square }),
        }
    }

    /// The move captures, and the answer recaptures with a pawn, which is doubled to the end of the line.
    fn doubled_pawns(&self) -> Option<Purpose> {
        if !self.mv.is_capture() {
            return None;
        }
        let reply = self.searched.position(2)?;
        let enemy = !self.side;
        let is_recapture = self.searched.line.moves().get(1)?.destination() == self.mv.destination();
        let new = |file: &File| doubled_files(self.before, enemy).all(|doubled| doubled != *file);
        let file = doubled_files(reply, enemy).find(new)?;
        let lasts = doubled_files(self.searched.end()?, enemy).any(|doubled| doubled == file);
        (is_recapture && lasts).then_some(Purpose::DoublesPawns { file })
    }

    fn outpost(&self) -> Option<Purpose> {
        let square = self.mv.destination();
        (is_on_outpost(self.after, square) && is_safe(self.after, self.mv))
            .then_some(Purpose::TakesOutpost { piece: NamedPiece { square, ..self.piece } })
    }

    fn capture(&self) -> Option<Purpose> {
        Some(Purpose::Captures { piece: self.searched.captured(0)? })
    }

    /// A knight or bishop leaves its home square in the opening. In Chess960, that may be any square of the home rank.
    fn development(&self) -> Option<Purpose> {
        let file = self.mv.from().file();
        let is_home_file = match self.piece.piece {
            PieceType::Knight => matches!(file, File::B | File::G),
            PieceType::Bishop => matches!(file, File::C | File::F),
            _ => return None,
        };
        let is_home_rank = self.mv.from().relative_to(self.side).rank() == Rank::First;
        let is_home = is_home_rank && (is_home_file || !self.before.has_standard_castling());
        (is_home && self.before.fullmove_number() <= OPENING)
            .then_some(Purpose::Develops { piece: self.piece.piece })
    }

    /// A rook moves to a file without pawns.
    fn open_file(&self) -> Option<Purpose> {
        let (from, file) = (self.mv.from().file(), self.mv.destination().file());
        let pawns = self.after.pieces(Color::White, PieceType::Pawn)
            | self.after.pieces(Color::Black, PieceType::Pawn);
        let is_open = |file: File| pawns.is_disjoint(file.bitboard());
        (self.piece.piece == PieceType::Rook && from != file && is_open(file) && !is_open(from))
            .then_some(Purpose::TakesOpenFile { file })
    }

    /// In an ending the king moves nearer to the centre.
    fn king(&self) -> Option<Purpose> {
        let distance = |square: Square| {
            let centre = [Square::D4, Square::E4, Square::D5, Square::E5];
            centre.into_iter().map(|centre| square.distance(centre)).min()
        };
        let is_nearer = distance(self.mv.to()) < distance(self.mv.from());
        (self.piece.piece == PieceType::King
            && !self.mv.is_castle()
            && pieces_value(self.before) <= ENDING
            && is_nearer)
            .then_some(Purpose::CentralisesKing)
    }
}
