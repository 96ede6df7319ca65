use crate::{Color, File, Rank, Square};

/// The side of the board a king castles to.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum CastlingSide {
    /// Short castling, `O-O`: the king ends on the g-file, the rook on the f-file.
    King,
    /// Long castling, `O-O-O`: the king ends on the c-file, the rook on the d-file.
    Queen,
}

impl CastlingSide {
    /// Both sides, the king's first.
    pub const ALL: [CastlingSide; 2] = [CastlingSide::King, CastlingSide::Queen];

    /// 0 for the king's side, 1 for the queen's.
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The file the king ends on, in Chess960 as in chess.
    #[inline]
    pub const fn king_file(self) -> File {
        match self {
            CastlingSide::King => File::G,
            CastlingSide::Queen => File::C,
        }
    }

    /// The file the rook ends on, in Chess960 as in chess.
    #[inline]
    pub const fn rook_file(self) -> File {
        match self {
            CastlingSide::King => File::F,
            CastlingSide::Queen => File::D,
        }
    }
}

/// Who may still castle where, with the file of the rook that would do it.
///
/// The files make Chess960 and double Chess960 the same thing as chess: each side's rooks may
/// start anywhere on its first rank.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct CastlingRights {
    rook_files: [[Option<File>; 2]; 2],
}

impl CastlingRights {
    /// Nobody may castle.
    pub const NONE: CastlingRights = CastlingRights { rook_files: [[None; 2]; 2] };

    /// All four rights with the rooks on a1, h1, a8 and h8.
    pub const STANDARD: CastlingRights = CastlingRights { rook_files: [[Some(File::H), Some(File::A)]; 2] };

    /// The file of the rook with which `color` may castle to `side`.
    #[inline]
    pub const fn rook_file(self, color: Color, side: CastlingSide) -> Option<File> {
        self.rook_files[color.index()][side.index()]
    }

    /// The square of the rook with which `color` may castle to `side`.
    #[inline]
    pub const fn rook_square(self, color: Color, side: CastlingSide) -> Option<Square> {
        match self.rook_file(color, side) {
            Some(file) => Some(Square::new(file, Rank::First.relative_to(color))),
            None => None,
        }
    }

    /// May `color` castle to either side?
    #[inline]
    pub fn any(self, color: Color) -> bool {
        self.rook_files[color.index()] != [None; 2]
    }

    /// Grants (`Some`) or removes (`None`) a right.
    #[inline]
    pub const fn set(&mut self, color: Color, side: CastlingSide, rook_file: Option<File>) {
        self.rook_files[color.index()][side.index()] = rook_file;
    }

    /// Every right there is, as (colour, side, file of the rook).
    pub fn iter(self) -> impl Iterator<Item = (Color, CastlingSide, File)> {
        Color::ALL.into_iter().flat_map(move |color| {
            CastlingSide::ALL
                .into_iter()
                .filter_map(move |side| Some((color, side, self.rook_file(color, side)?)))
        })
    }
}
