//! The kinds of reasons, with the moves, pieces and squares that they name. Their words are in `words`.

use serde::{Deserialize, Serialize};
use tabiya_core::{File, PieceType, Square};

/// The fault of a bad move. Moves are in SAN.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Fault {
    /// The opponent can mate.
    AllowsMate {
        /// The first move of the mate.
        reply: String,
        /// The moves to the mate.
        moves: u32,
        /// The pattern at its end.
        pattern: MatePattern,
    },
    /// The side could have mated.
    MissesMate {
        /// The moves to the mate.
        moves: u32,
        /// The pattern at its end.
        pattern: MatePattern,
    },
    /// The opponent is stalemated.
    Stalemates,
    /// The moved piece is captured.
    LosesMovedPiece {
        /// The capture.
        reply: String,
        /// The piece.
        piece: NamedPiece,
        /// The material that the opponent wins.
        winnings: Winnings,
    },
    /// The moved piece was the defender of one that is captured.
    RemovesDefender {
        /// The capture.
        reply: String,
        /// The captured piece.
        piece: NamedPiece,
        /// The material that the opponent wins.
        winnings: Winnings,
    },
    /// A piece without a defender is captured.
    LeavesUndefended {
        /// The capture.
        reply: String,
        /// The captured piece.
        piece: NamedPiece,
        /// The material that the opponent wins.
        winnings: Winnings,
    },
    /// A piece that the opponent already threatened is captured.
    IgnoresThreat {
        /// The capture.
        reply: String,
        /// The captured piece.
        piece: NamedPiece,
        /// The material that the opponent wins.
        winnings: Winnings,
    },
    /// A passed pawn is captured.
    LosesPassedPawn {
        /// The capture.
        reply: String,
        /// The pawn's square.
        square: Square,
    },
    /// The opponent's reply wins material.
    AllowsGain {
        /// The reply.
        reply: String,
        /// The tactic that it shows, if any.
        tactic: Option<Tactic>,
        /// The material that the opponent wins.
        winnings: Winnings,
    },
    /// A pawn of the opponent promotes.
    AllowsPromotion {
        /// The reply that makes it possible.
        reply: String,
    },
    /// The opponent wins material later in the line.
    LosesMaterial {
        /// The opponent's first move.
        reply: String,
        /// The material that the opponent wins.
        winnings: Winnings,
    },
    /// The side could have won material.
    MissesGain {
        /// The material.
        winnings: Winnings,
    },
    /// The result by tablebase is worse than before.
    WorsensTbResult {
        /// The result before the move.
        before: TbResult,
        /// The result after it.
        after: TbResult,
    },
    /// The move leads into the tablebases, with a result that is worse than the evaluation before.
    EntersTbResult {
        /// The result after the move: a draw or a loss.
        after: TbResult,
    },
    /// An ending that was won is level.
    ThrowsAwayWonEnding,
    /// One of the two bishops is given up.
    GivesUpBishopPair,
    /// The king or a rook moves, so that the side cannot castle any more.
    GivesUpCastling,
    /// The side gets doubled pawns.
    DoublesPawns {
        /// Their file.
        file: File,
    },
    /// A pawn of the side has no other beside it any more.
    IsolatesPawn {
        /// Its square.
        square: Square,
    },
    /// The opponent gets a passed pawn.
    AllowsPassedPawn {
        /// Its square at the end of the line.
        square: Square,
    },
    /// The opponent's passed pawn advances.
    AllowsPawnAdvance {
        /// The advance.
        reply: String,
        /// The square that it reaches.
        square: Square,
    },
    /// A knight or bishop of the opponent reaches an outpost.
    AllowsOutpost {
        /// The reply.
        reply: String,
        /// The piece on the outpost.
        piece: NamedPiece,
    },
    /// The opponent attacks a piece.
    AllowsAttack {
        /// The reply.
        reply: String,
        /// The attacked piece.
        piece: NamedPiece,
        /// True if the piece moves away in the line.
        drives_away: bool,
    },
    /// The opponent gives check, and again later in the line.
    ExposesKing {
        /// The first check.
        reply: String,
    },
    /// The last pieces are exchanged, and the pawn ending is lost.
    LosesPawnEnding,
    /// The side plays the better move later in the line, with the same piece to the same square.
    LosesTempo {
        /// The better move, as it is written when it is played.
        later: String,
    },
    /// The evaluation is level after an advantage.
    ThrowsAwayAdvantage,
    /// A pawn leaves the shelter of the king, which is checked in the line.
    WeakensShelter {
        /// The square that the pawn leaves.
        square: Square,
    },
}

/// The purpose of the better move.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Purpose {
    /// It mates.
    Mates {
        /// The moves to the mate.
        moves: u32,
    },
    /// It wins material.
    WinsMaterial {
        /// The tactic that it shows, if any.
        tactic: Option<Tactic>,
        /// The material.
        winnings: Winnings,
    },
    /// It keeps a result by tablebase: a win or a draw.
    KeepsTbResult {
        /// The result.
        result: TbResult,
    },
    /// It loses no material, unlike the move played.
    KeepsMaterial,
    /// A threatened piece moves to a square where it is not.
    MovesToSafety {
        /// The piece, on the square that it leaves.
        piece: NamedPiece,
    },
    /// The moved piece defends a threatened one.
    Defends {
        /// The defended piece.
        piece: NamedPiece,
    },
    /// A threatened piece is safe after the move in another way.
    ParriesThreat {
        /// The piece.
        piece: NamedPiece,
    },
    /// The moved piece attacks another.
    Attacks {
        /// The attacked piece.
        piece: NamedPiece,
    },
    /// The move castles.
    Castles,
    /// Two pieces of the same type are exchanged.
    Exchanges {
        /// Their type.
        piece: PieceType,
    },
    /// A passed pawn advances.
    AdvancesPassedPawn {
        /// The square that it reaches.
        square: Square,
    },
    /// A pawn becomes a passed one.
    MakesPassedPawn {
        /// Its square.
        square: Square,
    },
    /// The recapture doubles the opponent's pawns.
    DoublesPawns {
        /// Their file.
        file: File,
    },
    /// A knight or bishop reaches an outpost.
    TakesOutpost {
        /// The piece on the outpost.
        piece: NamedPiece,
    },
    /// The move captures a piece.
    Captures {
        /// The captured piece.
        piece: NamedPiece,
    },
    /// A knight or bishop leaves its home square.
    Develops {
        /// The type of the piece.
        piece: PieceType,
    },
    /// A rook moves to an open file.
    TakesOpenFile {
        /// The file.
        file: File,
    },
    /// The king moves nearer to the centre in an ending.
    CentralisesKing,
    /// The opponent's reply to the move played is impossible, or loses its piece.
    Prevents {
        /// The reply.
        reply: String,
    },
    /// Two pieces of the same type stay, which are exchanged after the move played.
    AvoidsExchange {
        /// Their type.
        piece: PieceType,
    },
    /// The piece can be exchanged for an enemy of its type.
    OffersExchange {
        /// Their type.
        piece: PieceType,
    },
    /// A piece is pinned to the king no more.
    BreaksPin {
        /// The piece.
        piece: NamedPiece,
    },
    /// A piece steps before a passed pawn.
    BlocksPassedPawn {
        /// The pawn's square.
        square: Square,
    },
    /// The side castles with its next move.
    PreparesCastling,
    /// The king can leave its home rank.
    MakesEscapeSquare,
    /// A rook moves to a file on which only the opponent has pawns.
    TakesHalfOpenFile {
        /// The file.
        file: File,
    },
    /// The piece has more squares to go to than after the move played, which is also its.
    MoreSquares {
        /// Its type.
        piece: PieceType,
    },
    /// A pawn advances to the centre.
    TakesCentre {
        /// Its square.
        square: Square,
    },
}

/// A tactical motif with the pieces acted on.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(tag = "motif", rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Tactic {
    /// Two pieces give check.
    DoubleCheck,
    /// A piece attacks several others.
    Fork {
        /// The attacked pieces.
        targets: Vec<NamedPiece>,
    },
    /// A piece is attacked through a more valuable one.
    Skewer {
        /// The pieces in the line.
        targets: Vec<NamedPiece>,
    },
    /// A piece has no safe square.
    Trap {
        /// The trapped piece.
        targets: Vec<NamedPiece>,
    },
    /// A move opens the line of another piece.
    DiscoveredAttack {
        /// The attacked pieces.
        targets: Vec<NamedPiece>,
    },
    /// The defender of a piece is captured.
    CapturedDefender {
        /// The piece that loses its defender.
        targets: Vec<NamedPiece>,
    },
    /// A piece that alone defends two others is made to recapture one of them.
    Overload {
        /// The defender.
        piece: NamedPiece,
        /// The other piece that it defends.
        duty: NamedPiece,
    },
    /// A defender is made to leave.
    Deflection {
        /// The defender.
        piece: NamedPiece,
    },
    /// A piece is drawn to a bad square.
    Attraction {
        /// The piece.
        piece: NamedPiece,
        /// The square to which it is drawn.
        square: Square,
    },
    /// A move blocks the line of a defender.
    Interference {
        /// The piece that loses its defender.
        targets: Vec<NamedPiece>,
    },
    /// A piece is pinned.
    Pin {
        /// The pinned piece.
        targets: Vec<NamedPiece>,
    },
    /// An undefended piece is captured.
    HangingPiece {
        /// The captured piece.
        piece: NamedPiece,
    },
}

/// A result by tablebase, with the fifty-move rule, for the side that moves.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum TbResult {
    /// The opponent wins.
    Loss,
    /// Nobody wins.
    Draw,
    /// The side wins.
    Win,
}

/// A piece with its square.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct NamedPiece {
    /// The type of the piece.
    pub piece: PieceType,
    /// Its square.
    pub square: Square,
}

/// The pattern of a mate.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum MatePattern {
    /// No pattern with a name, or the line does not show the mate.
    Plain,
    /// A mate on the back rank by a rook or queen.
    BackRank,
    /// A mate by a knight to a king shut in by its own pieces.
    Smothered,
}

/// Material that a side wins, net of what it gives.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Winnings {
    /// A pawn.
    Pawn,
    /// Two pawns.
    TwoPawns,
    /// A knight.
    Knight,
    /// A bishop.
    Bishop,
    /// A knight or bishop, after the exchange of others.
    Piece,
    /// A knight or bishop, and a pawn.
    PieceAndPawn,
    /// A knight or bishop for a pawn.
    PieceForPawn,
    /// A rook for a knight or bishop.
    Exchange,
    /// A rook.
    Rook,
    /// The queen.
    Queen,
    /// The queen for a rook.
    QueenForRook,
    /// The queen for a knight or bishop.
    QueenForPiece,
    /// Anything else.
    Material,
}

impl Winnings {
    /// Returns true if a piece of this type is among the material.
    pub(super) fn includes(self, piece: PieceType) -> bool {
        use PieceType::{Bishop, Knight, Pawn, Queen, Rook};
        match self {
            Winnings::Pawn | Winnings::TwoPawns => piece == Pawn,
            Winnings::Knight => piece == Knight,
            Winnings::Bishop => piece == Bishop,
            Winnings::Piece | Winnings::PieceForPawn => matches!(piece, Knight | Bishop),
            Winnings::PieceAndPawn => matches!(piece, Pawn | Knight | Bishop),
            Winnings::Exchange | Winnings::Rook => piece == Rook,
            Winnings::Queen | Winnings::QueenForRook | Winnings::QueenForPiece => piece == Queen,
            Winnings::Material => true,
        }
    }
}
