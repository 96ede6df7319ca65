//! The terms of the handcrafted evaluation.

use std::fmt;

/// A term of the handcrafted evaluation.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
#[non_exhaustive]
pub enum Term {
    /// Piece values and the imbalances between them.
    Material,
    /// Piece-square tables (PSQT).
    PieceSquares,
    /// The number of squares in the mobility area that each piece attacks.
    Mobility,
    /// Pawn structure.
    PawnStructure,
    /// Passed pawns.
    PassedPawns,
    /// Pawn shelter and pawn storm in front of the king.
    KingShelter,
    /// Danger to the king from enemy pieces.
    KingSafety,
    /// Enemy pieces that are attacked, and safe moves that would attack them.
    Threats,
    /// Outposts, bad bishops, rooks on open files and the like.
    Pieces,
    /// Safe squares behind own pawns.
    Space,
    /// The side to move.
    Tempo,
    /// The adjustment of an endgame advantage to the winning chances it offers.
    Complexity,
}

/// The unit of the weights of a [`Term`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
#[non_exhaustive]
pub enum Unit {
    /// Centipawns, from the point of view of the side that has them.
    Centipawns,
    /// Danger to the king of the side that has them, in king-danger units.
    KingDanger,
    /// Change of either side's endgame advantage, in per cent.
    Percent,
}

impl Term {
    /// All terms, in the order of the trace table.
    pub const ALL: &'static [Term] = &[
        Term::Material,
        Term::PieceSquares,
        Term::Mobility,
        Term::PawnStructure,
        Term::PassedPawns,
        Term::KingShelter,
        Term::KingSafety,
        Term::Threats,
        Term::Pieces,
        Term::Space,
        Term::Tempo,
        Term::Complexity,
    ];

    /// The name of the term in tables.
    pub const fn name(self) -> &'static str {
        match self {
            Term::Material => "Material",
            Term::PieceSquares => "Piece squares",
            Term::Mobility => "Mobility",
            Term::PawnStructure => "Pawn structure",
            Term::PassedPawns => "Passed pawns",
            Term::KingShelter => "King shelter",
            Term::KingSafety => "King safety",
            Term::Threats => "Threats",
            Term::Pieces => "Pieces",
            Term::Space => "Space",
            Term::Tempo => "Tempo",
            Term::Complexity => "Complexity",
        }
    }

    /// The unit of the term's weights. The term itself is always in centipawns.
    pub const fn unit(self) -> Unit {
        match self {
            Term::KingSafety => Unit::KingDanger,
            Term::Complexity => Unit::Percent,
            _ => Unit::Centipawns,
        }
    }
}

/// The [name](Term::name).
impl fmt::Display for Term {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}
