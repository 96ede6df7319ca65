//! A line of the search as one side sees it: what it wins and which tactics it shows.

use super::kinds::{MatePattern, NamedPiece, Tactic, Winnings};
use super::threats::settled;
use tabiya_core::{Bitboard, Color, Move, PieceType, Square};
use tabiya_motifs::{Finding, Line, Motif, balance, is_en_prise, motifs};
use tabiya_movegen::Position;
use tabiya_search::Score;

/// The motifs that explain a gain of material, the most telling first.
const TELLING: [Motif; 12] = [
    Motif::DoubleCheck,
    Motif::Fork,
    Motif::Skewer,
    Motif::TrappedPiece,
    Motif::DiscoveredAttack,
    Motif::CapturingDefender,
    Motif::Overloading,
    Motif::Deflection,
    Motif::Attraction,
    Motif::Interference,
    Motif::Pin,
    Motif::HangingPiece,
];

/// A pawn in centipawns.
const PAWN: i32 = 100;

/// A line with the side that profits from it, and what it shows.
pub(super) struct SearchedLine {
    pub(super) line: Line,
    /// The index of the side's first move.
    first: usize,
    found: Vec<Finding>,
    /// The last position, after the captures that are left.
    quiescent_end: Position,
    /// The difference of the scores that the line is to explain, in centipawns; 0 if there is none.
    difference: i32,
    /// The position whose material the gain is relative to.
    gain_start: Position,
    /// The position whose pieces the winnings are relative to, if it is not `gain_start`.
    winnings_start: Option<Position>,
}

impl SearchedLine {
    /// The line of these moves. `None` if one is illegal.
    pub(super) fn new(position: &Position, moves: &[Move], side: Color) -> Option<SearchedLine> {
        let line = Line::new(position.clone(), moves, side).ok()?;
        let found = motifs(&line);
        let quiescent_end = settled(line.position(moves.len())?.clone(), moves.last(), side);
        let first = usize::from(position.side_to_move() != side);
        Some(SearchedLine {
            first,
            line,
            found,
            quiescent_end,
            difference: 0,
            gain_start: position.clone(),
            winnings_start: None,
        })
    }

    /// The same line, which is to explain a difference of the scores in centipawns.
    pub(super) fn explaining(self, difference: i32) -> SearchedLine {
        SearchedLine { difference, ..self }
    }

    /// The same line, with the gain relative to this position.
    pub(super) fn with_gain_start(self, position: &Position) -> SearchedLine {
        SearchedLine { gain_start: position.clone(), ..self }
    }

    /// The same line, with the winnings relative to this position, such as that of [`before_exchange`](super::before_exchange).
    pub(super) fn with_winnings_start(self, position: Option<&Position>) -> SearchedLine {
        SearchedLine { winnings_start: position.cloned(), ..self }
    }

    /// The position with this index.
    pub(super) fn position(&self, ply: usize) -> Option<&Position> {
        self.line.position(ply)
    }

    /// All positions of the line.
    pub(super) fn positions(&self) -> impl Iterator<Item = &Position> {
        (0..).map_while(|ply| self.position(ply))
    }

    /// The position with this index, or the last one if the line is shorter.
    pub(super) fn at_most(&self, ply: usize) -> Option<&Position> {
        self.position(ply.min(self.line.moves().len()))
    }

    /// The last position.
    pub(super) fn end(&self) -> Option<&Position> {
        self.at_most(usize::MAX)
    }

    /// The side's first move.
    pub(super) fn mv(&self) -> Option<Move> {
        self.line.moves().get(self.first).copied()
    }

    /// The side's first move in SAN.
    pub(super) fn san(&self) -> Option<String> {
        self.san_at(self.first)
    }

    /// The move with this index in SAN.
    pub(super) fn san_at(&self, ply: usize) -> Option<String> {
        Some(self.position(ply)?.san(*self.line.moves().get(ply)?).to_string())
    }

    /// The piece that the move with this index captures. `None` for a capture en passant.
    pub(super) fn captured(&self, ply: usize) -> Option<NamedPiece> {
        let mv = *self.line.moves().get(ply)?;
        named_piece(self.position(ply)?, mv.destination()).filter(|_| mv.is_capture())
    }

    /// The position that decides what is won. The line may end amid an exchange, which is played to its end. Beyond what the line has
    /// shown before its last move, that counts only if the scores differ by as much.
    fn settled(&self) -> Option<&Position> {
        let material = |position: &Position| balance(position, self.line.side());
        let won = material(&self.quiescent_end) - material(&self.gain_start);
        if won > 0 && self.difference >= won * PAWN {
            return Some(&self.quiescent_end);
        }
        let before = self.line.moves().len().checked_sub(1).and_then(|ply| self.position(ply));
        let ends = [Some(&self.quiescent_end), before];
        ends.into_iter().flatten().min_by_key(|position| material(position))
    }

    /// The material that the side wins in the line, in pawns.
    pub(super) fn gain(&self) -> i32 {
        let Some(end) = self.settled() else { return 0 };
        balance(end, self.line.side()) - balance(&self.gain_start, self.line.side())
    }

    /// Returns true if the side wins material that it has not lost just before.
    pub(super) fn wins_material(&self) -> bool {
        let material = |position| balance(position, self.line.side());
        let is_more = |end| match &self.winnings_start {
            Some(start) => material(end) > material(start),
            // A capture by a side that is behind may take back what the opponent has just captured.
            None => {
                let is_capture = self.mv().is_some_and(|mv| mv.is_capture());
                !is_capture || material(&self.gain_start) >= 0 || material(end) > 0
            }
        };
        self.gain() > 0 && self.settled().is_some_and(is_more)
    }

    /// Returns true if the side's score before the line counts what it wins: at least the material on the board with half the gain.
    pub(super) fn gain_shows_in(&self, score: Score) -> bool {
        let material = self.position(0).map_or(0, |position| balance(position, self.line.side()));
        match score {
            Score::Centipawns(score) => score >= material * PAWN + self.gain() * PAWN / 2,
            Score::Mate(moves) => moves > 0,
        }
    }

    /// The material that the opponent of the side has won at the end of the line, in pawns; the less of the last two positions.
    pub(super) fn loss(&self) -> i32 {
        let material = |position| balance(position, self.line.side());
        let last = self.line.moves().len();
        let ends = [Some(last), last.checked_sub(1)].into_iter().flatten();
        let end = ends.filter_map(|ply| self.position(ply)).map(material).max();
        end.map_or(0, |end| material(&self.gain_start) - end)
    }

    /// Returns true if the side has more than at the start after the captures on this square, which begin with its first move.
    pub(super) fn gains_on(&self, square: Square) -> bool {
        let material = |position| balance(position, self.line.side());
        let on_square = |mv: &&Move| mv.is_capture() && mv.destination() == square;
        let captures = self.line.moves().iter().skip(self.first).take_while(on_square).count();
        let after = self.position(self.first + captures);
        after.is_some_and(|after| material(after) > material(&self.gain_start))
    }

    /// The material that the side wins, in words.
    pub(super) fn winnings(&self) -> Option<Winnings> {
        let (start, end) = (self.winnings_start.as_ref().unwrap_or(&self.gain_start), self.settled()?);
        let side = self.line.side();
        let lost = |color, piece| {
            let count = |position: &Position| position.pieces(color, piece).count() as i32;
            count(start) - count(end)
        };
        let net = PieceType::ALL.map(|piece| lost(!side, piece) - lost(side, piece));
        let [pawns, knights, bishops, rooks, queens, _] = net;
        let minors = knights + bishops;
        let pieces = || PieceType::ALL.into_iter().filter(|&piece| piece != PieceType::Pawn);
        let promoted = Color::ALL.iter().any(|&color| pieces().any(|piece| lost(color, piece) < 0));
        Some(match (pawns, minors, rooks, queens) {
            _ if promoted => Winnings::Material,
            (1, 0, 0, 0) => Winnings::Pawn,
            (2, 0, 0, 0) => Winnings::TwoPawns,
            (0, 1, 0, 0) if knights == 1 && bishops == 0 => Winnings::Knight,
            (0, 1, 0, 0) if bishops == 1 && knights == 0 => Winnings::Bishop,
            (0, 1, 0, 0) => Winnings::Piece,
            (1, 1, 0, 0) => Winnings::PieceAndPawn,
            (-1, 1, 0, 0) => Winnings::PieceForPawn,
            (0, -1, 1, 0) => Winnings::Exchange,
            (0, 0, 1, 0) => Winnings::Rook,
            (0, 0, 0, 1) => Winnings::Queen,
            (0, 0, -1, 1) => Winnings::QueenForRook,
            (0, -1, 0, 1) => Winnings::QueenForPiece,
            _ => Winnings::Material,
        })
    }

    /// The most telling motif of the side's first move.
    pub(super) fn telling(&self) -> Option<&Finding> {
        let (before, after) = (self.position(self.first)?, self.position(self.first + 1)?);
        let pinned = before.blockers(!self.line.side());
        let attackers = |position: &Position, square| position.attackers(square, self.line.side()).count();
        let is_shown = |found: &Finding| match found.motif {
            Motif::Fork => self.captures_target(found),
            // A piece that was pinned before is not pinned by the move.
            Motif::Pin => pinned.is_disjoint(found.targets) && self.captures_target(found),
            // The answer may have opened the rest of the line.
            Motif::DiscoveredAttack => !after.attacks_from(found.actor).is_disjoint(found.targets),
            // A piece that could be captured before is not trapped by a move that adds no attack on it.
            Motif::TrappedPiece => found.targets.into_iter().all(|square| {
                !is_en_prise(before, square) || attackers(after, square) > attackers(before, square)
            }),
            _ => true,
        };
        let of_move = |motif: &Motif| {
            self.found
                .iter()
                .find(|found| found.motif == *motif && found.ply == self.first && is_shown(found))
        };
        TELLING.iter().find_map(of_move)
    }

    /// Returns true if the side later captures one of the motif's targets, where it stands then.
    fn captures_target(&self, found: &Finding) -> bool {
        let mut targets = found.targets;
        self.line.moves().iter().enumerate().skip(found.ply + 1).any(|(ply, mv)| {
            let is_answer = (ply - found.ply) % 2 == 1;
            if is_answer && targets.contains(mv.from()) {
                targets = (targets - mv.from().bitboard()) | mv.destination().bitboard();
            }
            !is_answer && mv.is_capture() && targets.contains(mv.destination())
        })
    }

    /// Returns true if the line shows the motif.
    pub(super) fn shows(&self, motif: Motif) -> bool {
        self.found.iter().any(|found| found.motif == motif)
    }

    /// The tactic of the side's first move.
    pub(super) fn tactic(&self) -> Option<Tactic> {
        let found = self.telling()?;
        let after = self.position(found.ply + 1)?;
        let targets = named_pieces(after, found.targets);
        let reply = self.line.moves().get(found.ply + 1);
        Some(match found.motif {
            Motif::DoubleCheck => Tactic::DoubleCheck,
            Motif::Fork => Tactic::Fork { targets },
            Motif::Skewer => Tactic::Skewer { targets },
            Motif::TrappedPiece => Tactic::Trap { targets },
            Motif::DiscoveredAttack => Tactic::DiscoveredAttack { targets },
            Motif::CapturingDefender => Tactic::CapturedDefender { targets },
            Motif::Overloading => {
                let defender = reply?.from();
                let duty = found.targets - defender.bitboard();
                Tactic::Overload {
                    piece: named_piece(after, defender)?,
                    duty: named_piece(after, duty.first()?)?,
                }
            }
            Motif::Deflection => Tactic::Deflection { piece: named_piece(after, reply?.from())? },
            Motif::Attraction => {
                Tactic::Attraction { piece: named_piece(after, reply?.from())?, square: reply?.destination() }
            }
            Motif::Interference => Tactic::Interference { targets },
            Motif::Pin => Tactic::Pin { targets },
            Motif::HangingPiece => {
                let piece = named_piece(self.position(found.ply)?, found.targets.first()?)?;
                Tactic::HangingPiece { piece }
            }
            _ => return None,
        })
    }

    /// The pattern of the mate at the end of the line.
    pub(super) fn mate(&self) -> MatePattern {
        match () {
            () if self.shows(Motif::BackRankMate) => MatePattern::BackRank,
            () if self.shows(Motif::SmotheredMate) => MatePattern::Smothered,
            () => MatePattern::Plain,
        }
    }
}

/// The piece on a square.
pub(super) fn named_piece(position: &Position, square: Square) -> Option<NamedPiece> {
    position.piece_on(square).map(|piece| NamedPiece { piece: piece.piece_type(), square })
}

/// The pieces on some squares.
fn named_pieces(position: &Position, squares: Bitboard) -> Vec<NamedPiece> {
    squares.into_iter().filter_map(|square| named_piece(position, square)).collect()
}
