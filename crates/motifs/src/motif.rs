//! The motifs and their names.

use tabiya_core::{Bitboard, Square};

macro_rules! motifs {
    ($($(#[$doc:meta])* $name:ident = $theme:literal,)*) => {
        /// A tactical motif.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        #[non_exhaustive]
        pub enum Motif {
            $($(#[$doc])* $name,)*
        }

        impl Motif {
            /// All motifs.
            pub const ALL: &[Motif] = &[$(Motif::$name,)*];

            /// The name of the corresponding theme of Lichess's puzzles, such as `discoveredAttack`.
            pub const fn theme(self) -> &'static str {
                match self {
                    $(Motif::$name => $theme,)*
                }
            }
        }
    };
}

motifs! {
    /// A piece attacks two or more at once, and one of them is lost.
    Fork = "fork",
    /// A piece cannot move, or not freely, because a more valuable one stands behind it.
    Pin = "pin",
    /// A valuable piece is attacked, moves away, and the piece behind it is captured.
    Skewer = "skewer",
    /// A move opens the line of another piece, which captures on it.
    DiscoveredAttack = "discoveredAttack",
    /// A move opens the line of another piece to the king.
    DiscoveredCheck = "discoveredCheck",
    /// Two pieces give check at once.
    DoubleCheck = "doubleCheck",
    /// The first move captures an undefended piece.
    HangingPiece = "hangingPiece",
    /// A piece is attacked and has no safe square.
    TrappedPiece = "trappedPiece",
    /// Mate by a rook or queen on the back rank, where the king is shut in by its own pieces.
    BackRankMate = "backRankMate",
    /// Mate by a knight to a king shut in by its own pieces.
    SmotheredMate = "smotheredMate",
    /// A pawn promotes.
    Promotion = "promotion",
    /// A piece is made to leave a square or line that it guarded.
    Deflection = "deflection",
    /// A piece that alone defends two others recaptures one of them, and the other is lost. The sample of puzzles has no such theme.
    Overloading = "overloading",
    /// A piece is made to go to a square on which it is worse off.
    Attraction = "attraction",
    /// Material is given up for something else.
    Sacrifice = "sacrifice",
    /// The defender of another piece is captured, which is lost then.
    CapturingDefender = "capturingDefender",
    /// A piece moves between a defender and what it defends.
    Interference = "interference",
    /// A move that threatens more comes before the expected recapture.
    Intermezzo = "intermezzo",
    /// A piece acts through an enemy piece on its line.
    XRayAttack = "xRayAttack",
    /// A pawn promotes to a knight, bishop or rook.
    UnderPromotion = "underPromotion",
    /// A pawn is captured in passing.
    EnPassant = "enPassant",
    /// A move castles.
    Castling = "castling",
    /// Mate in one move.
    MateIn1 = "mateIn1",
    /// Mate in two moves.
    MateIn2 = "mateIn2",
    /// Mate in three moves.
    MateIn3 = "mateIn3",
    /// Mate in four moves.
    MateIn4 = "mateIn4",
    /// Mate in five moves or more.
    MateIn5 = "mateIn5",
}

/// A motif found in a line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Finding {
    /// The motif.
    pub motif: Motif,
    /// The index of the move that shows it.
    pub ply: usize,
    /// The square of the piece that acts, after its move.
    pub actor: Square,
    /// The squares of the pieces acted on, such as those forked.
    pub targets: Bitboard,
}
