//! The model of games: the probability of each bit of a game, learnt from the games before. The better it is, the fewer bits a
//! game takes.
//!
//! A game is its start position, its length, and for each ply the score and the move. A move is coded as a bit for each legal move,
//! the likeliest first, up to the one that was played. Scores are coded as the difference from the one before.
//!
//! Everything here, and what it uses of the rules of chess and of [`see_ge`], is part of the format: a change of any of it needs
//! a new version. The test `format_is_stable` notices.

use super::mixing::Mixed;
use super::range_coder::Coder;
use crate::games::record::{EndReason, MOVE_SIZE};
use crate::games::{moves, start};
use anyhow::Result;
use tabiya_core::{Color, Move, MoveList, Piece, PieceType, Square};
use tabiya_movegen::Position;
use tabiya_movegen::see::{PieceValues, see_ge};

/// Pawn, knight, bishop, rook, queen.
const VALUES: PieceValues = PieceValues::new([100, 300, 300, 500, 900]);

/// The nibble of an empty square in a start position.
const EMPTY: u32 = 15;

/// Contexts of a moved piece and its target, from the point of view of its side.
const PIECE_TO: usize = PieceType::COUNT * Square::COUNT;

/// Contexts of a move's tactics; see [`tactics`].
const TACTICS: usize = PieceType::COUNT * 8 * 16;

/// Contexts of a size: the number of half octaves.
const SIZES: usize = 24;

/// Bits of a number: of the length of the number in binary, as a tree, and of its digits after the first.
const LENGTH_NODES: usize = 32;
const DIGIT_NODES: usize = 16;
const NUMBER_NODES: usize = LENGTH_NODES + 18 * DIGIT_NODES + 18;

/// The probabilities that are learnt from the games of a block.
pub(super) struct Model {
    is_raw: Mixed<1>,
    raw: Mixed<1>,
    pieces: Mixed<2>,
    header: Mixed<1>,
    length: Mixed<1>,
    scores: Mixed<3>,
    score_signs: Mixed<2>,
    moves: Mixed<4>,
}

impl Model {
    pub(super) fn new() -> Model {
        Model {
            is_raw: Mixed::new([1], 1),
            raw: Mixed::new([256], 1),
            pieces: Mixed::new([Square::COUNT * 16, 16 * 16 * 16], 1),
            header: Mixed::new([(start::SIZE - HEADER) * 256], 1),
            length: Mixed::new([EndReason::ALL.len().next_power_of_two() * NUMBER_NODES], 1),
            scores: Mixed::new([SIZES * NUMBER_NODES, SIZES * NUMBER_NODES, SIZES * 8 * NUMBER_NODES], 1),
            score_signs: Mixed::new([SIZES * 3, SIZES * 3], 1),
            moves: Mixed::new(
                [TACTICS, PIECE_TO * Square::COUNT, PIECE_TO * (PIECE_TO + 1), RANKS * 8 * 2],
                RANKS,
            ),
        }
    }

    /// Codes a game with its end mark. An encoder is given it; a decoder is given nothing and returns it.
    ///
    /// # Errors
    /// In a decoder, if the bits are not those of a game.
    pub(super) fn game(&mut self, coder: &mut impl Coder, game: &[u8]) -> Result<Vec<u8>> {
        // A game that other programs wrote may have bits that a start position or move does not need.
        if self.is_raw.code(coder, [0], 0, !is_regular(game)) {
            return Ok(self.raw(coder, game));
        }
        let given = moves_of(game);
        let mut bytes = self.start(coder, game).to_vec();
        let start = bytes.first_chunk().copied().unwrap_or_default();
        let mut position =
            start::unpack(&start).map_err(|error| anyhow::anyhow!("not a start position: {error}"))?;
        let ending = usize::from(start[start::EXTRA] >> 2 & 7);
        let length = number(&mut self.length, coder, [ending * NUMBER_NODES], given.len() as u32);
        let mut line = Line::default();
        for ply in 0..length as usize {
            position.cache_legality();
            let given = given.get(ply).copied().unwrap_or_default();
            let score = self.score(coder, &line, i16::from_le_bytes([given[2], given[3]]));
            let bits = u16::from_le_bytes([given[0], given[1]]);
            let (mv, rank) = self.played(coder, &position, &line, bits)?;
            bytes.extend(moves::pack(mv).to_le_bytes());
            bytes.extend(score.to_le_bytes());
            line.add(&position, mv, rank, score);
            position.play_unchecked(mv);
        }
        bytes.extend([0; MOVE_SIZE]);
        Ok(bytes)
    }

    /// Codes a game byte by byte.
    fn raw(&mut self, coder: &mut impl Coder, game: &[u8]) -> Vec<u8> {
        let length = number(&mut self.length, coder, [0], game.len() as u32);
        let byte = |index: usize| game.get(index).copied().unwrap_or(0);
        (0..length as usize)
            .map(|index| tree(&mut self.raw, coder, [0], 8, byte(index).into()) as u8)
            .collect()
    }

    /// Codes a start position.
    fn start(&mut self, coder: &mut impl Coder, game: &[u8]) -> [u8; start::SIZE] {
        let given: [u8; start::SIZE] = game.first_chunk().copied().unwrap_or_default();
        let given_squares = squares(&given);
        let mut bytes = [0; start::SIZE];
        let (mut occupied, mut count) = (0_u64, 0);
        let (mut previous, mut mirrored) = (EMPTY as usize, [EMPTY as usize; Square::COUNT]);
        for square in 0..Square::COUNT {
            // Pieces depend on the one to the left, and Black's on White's of the same file.
            let below = mirrored[square ^ 56];
            let contexts = [square * 16, (previous * 16 + below) * 16];
            let nibble = tree(&mut self.pieces, coder, contexts, 4, given_squares[square]);
            previous = nibble as usize;
            mirrored[square] = previous;
            // A decoder of damaged bits may find more than 32.
            if nibble != EMPTY && count < 32 {
                occupied |= 1 << square;
                bytes[8 + count / 2] |= (nibble as u8) << (4 * (count % 2));
                count += 1;
            }
        }
        bytes[..8].copy_from_slice(&occupied.to_le_bytes());
        for index in HEADER..start::SIZE {
            let context = (index - HEADER) * 256;
            bytes[index] = tree(&mut self.header, coder, [context], 8, given[index].into()) as u8;
        }
        bytes
    }

    /// Codes a score.
    fn score(&mut self, coder: &mut impl Coder, line: &Line, score: i16) -> i16 {
        let difference = i32::from(score) - line.score;
        let sizes = [size(line.changes[0] + line.changes[1]), size(line.score.unsigned_abs() / 4)];
        let surprise = line.rank.min(7);
        let contexts = [
            sizes[0] * NUMBER_NODES,
            sizes[1] * NUMBER_NODES,
            (size(line.changes[0]) * 8 + surprise) * NUMBER_NODES,
        ];
        let amount = number(&mut self.scores, coder, contexts, difference.unsigned_abs()) as i32;
        if amount == 0 {
            return line.score as i16;
        }
        let last = (line.last_sign + 1) as usize;
        let lead = (line.score.signum() + 1) as usize;
        let contexts = [size(amount.unsigned_abs()) * 3 + last, sizes[1] * 3 + lead];
        let negative = self.score_signs.code(coder, contexts, 0, difference < 0);
        (line.score + if negative { -amount } else { amount }) as i16
    }

    /// Codes the move that was played, and returns it with its rank among the legal moves.
    fn played(
        &mut self,
        coder: &mut impl Coder,
        position: &Position,
        line: &Line,
        bits: u16,
    ) -> Result<(Move, usize)> {
        let mut legal = MoveList::new();
        position.generate_all(&mut legal);
        let count_class = (legal.len().max(1).ilog2() as usize).min(7);
        let mut candidates: Vec<Candidate> =
            legal.iter().map(|&mv| self.candidate(position, line, mv)).collect();
        // The order of generation is no part of the format.
        candidates.sort_unstable_by_key(|candidate| (-candidate.odds, candidate.bits));
        let last = candidates.len().saturating_sub(1);
        for (rank, candidate) in candidates.iter().enumerate() {
            let rank_class = rank.min(RANKS - 1);
            let in_check = usize::from(position.in_check());
            let [tactics, squares, reply] = candidate.contexts;
            let contexts = [tactics, squares, reply, (rank_class * 8 + count_class) * 2 + in_check];
            // The last move needs no bit.
            if rank == last || self.moves.code(coder, contexts, rank_class, candidate.bits == bits) {
                return Ok((candidate.mv, rank));
            }
        }
        anyhow::bail!("a move after the end of the game")
    }

    fn candidate(&self, position: &Position, line: &Line, mv: Move) -> Candidate {
        let contexts = contexts(position, line, mv);
        let [tactics, squares, reply] = contexts;
        let odds = self.moves.odds([tactics, squares, reply, 0], 0);
        Candidate { mv, bits: moves::pack(mv), odds, contexts }
    }
}

/// Ranks of moves that are distinguished.
const RANKS: usize = 16;

/// Bytes of a start position that hold the pieces.
const HEADER: usize = 24;

/// A legal move that may have been played.
struct Candidate {
    mv: Move,
    bits: u16,
    odds: i32,
    contexts: [usize; 3],
}

/// The state of a game that contexts depend on.
#[derive(Default)]
struct Line {
    score: i32,
    /// The last two changes of the score, in centipawns, the later one first.
    changes: [u32; 2],
    last_sign: i32,
    /// The rank of the last move, and its piece and target.
    rank: usize,
    moved: Option<(usize, Square)>,
}

impl Line {
    fn add(&mut self, position: &Position, mv: Move, rank: usize, score: i16) {
        let change = i32::from(score) - self.score;
        self.changes = [change.unsigned_abs(), self.changes[0]];
        self.last_sign = change.signum();
        self.score = score.into();
        self.rank = rank;
        self.moved = Some((piece_to(position, mv), mv.to()));
    }
}

/// The contexts of a move: its tactics, its squares, and the move before.
fn contexts(position: &Position, line: &Line, mv: Move) -> [usize; 3] {
    let us = position.side_to_move();
    let piece_to = piece_to(position, mv);
    let from = mv.from().relative_to(us).index();
    let reply = line.moved.map_or(PIECE_TO, |(moved, _)| moved);
    let recaptures = line.moved.is_some_and(|(_, to)| to == mv.to());
    [tactics(position, mv, recaptures), from * PIECE_TO + piece_to, reply * PIECE_TO + piece_to]
}

/// The context of a move's tactics: its piece, what it wins or loses by static exchange, whether it recaptures, gives check, or
/// moves an attacked piece.
fn tactics(position: &Position, mv: Move, recaptures: bool) -> usize {
    let piece_type = position.piece_on(mv.from()).map_or(0, |piece| piece.piece_type().index());
    let is_tactical = !mv.is_quiet();
    let exchange = match is_tactical {
        _ if !see_ge(position, mv, 0, &VALUES) => usize::from(is_tactical),
        false => 2,
        true => 3 + [100, 300, 500, 900].iter().filter(|&&gain| see_ge(position, mv, gain, &VALUES)).count(),
    };
    let check = position.gives_check(mv);
    let attacked = position.is_attacked(mv.from(), !position.side_to_move());
    let by_pawn = attacked
        && !(position.attackers(mv.from(), !position.side_to_move()) & position.by_type(PieceType::Pawn))
            .is_empty();
    let flags = [check, attacked, by_pawn, recaptures];
    let flags = flags.iter().fold(0, |all, &flag| 2 * all + usize::from(flag));
    (piece_type * 8 + exchange) * 16 + flags
}

/// The index of a move's piece and target, from the point of view of its side.
fn piece_to(position: &Position, mv: Move) -> usize {
    let piece = position.piece_on(mv.from()).unwrap_or(Piece::new(Color::White, PieceType::Pawn));
    piece.piece_type().index() * Square::COUNT + mv.to().relative_to(piece.color()).index()
}

/// The number of half octaves of a number.
fn size(number: u32) -> usize {
    let number = u64::from(number) + 1;
    let exponent = number.ilog2();
    let half = number * number >= 2 << (2 * exponent);
    (2 * exponent as usize + usize::from(half)).min(SIZES - 1)
}

/// Codes a number below `1 << bits`, the highest bit first.
fn tree<const N: usize>(
    model: &mut Mixed<N>,
    coder: &mut impl Coder,
    contexts: [usize; N],
    bits: u32,
    number: u32,
) -> u32 {
    let mut node = 1;
    for index in (0..bits).rev() {
        let contexts = contexts.map(|context| context + node as usize);
        let bit = model.code(coder, contexts, 0, number >> index & 1 == 1);
        node = 2 * node + u32::from(bit);
    }
    node - (1 << bits)
}

/// Codes a number of up to 17 bits: the length of the number and one in binary, then its digits.
fn number<const N: usize>(
    model: &mut Mixed<N>,
    coder: &mut impl Coder,
    contexts: [usize; N],
    number: u32,
) -> u32 {
    let wanted = number + 1;
    let length = tree(model, coder, contexts, 5, wanted.ilog2()).min(17);
    let mut value = 1;
    for index in (0..length).rev() {
        // The first three digits after the leading one are expected by their values, later ones by their places.
        let place = length - 1 - index;
        let node = if place < 3 {
            LENGTH_NODES + length as usize * DIGIT_NODES + value as usize
        } else {
            LENGTH_NODES + 18 * DIGIT_NODES + index as usize
        };
        let contexts = contexts.map(|context| context + node);
        let bit = model.code(coder, contexts, 0, wanted >> index & 1 == 1);
        value = 2 * value + u32::from(bit);
    }
    value - 1
}

/// The moves of a game without its end mark.
fn moves_of(game: &[u8]) -> &[[u8; MOVE_SIZE]] {
    let moves = game.get(start::SIZE..).unwrap_or_default().as_chunks().0;
    moves.split_last().map_or(&[], |(_, moves)| moves)
}

/// The nibbles of a start position by square.
fn squares(start: &[u8; start::SIZE]) -> [u32; Square::COUNT] {
    let mut occupied = start.first_chunk().map_or(0, |bytes| u64::from_le_bytes(*bytes));
    let mut squares = [EMPTY; Square::COUNT];
    for index in 0..occupied.count_ones().min(32) as usize {
        squares[occupied.trailing_zeros() as usize] =
            u32::from(start[8 + index / 2] >> (4 * (index % 2)) & 15);
        occupied &= occupied - 1;
    }
    squares
}

/// Returns true if the model can reproduce a game: it has no bits besides those that its position and moves need, and its moves
/// are legal. An empty game, which a decoder has, is regular.
fn is_regular(game: &[u8]) -> bool {
    let Some(start) = game.first_chunk::<{ start::SIZE }>() else { return game.is_empty() };
    let squares = squares(start);
    let pieces = squares.iter().filter(|&&nibble| nibble != EMPTY).count();
    let used = |index: usize| index < pieces;
    let unused_are_zero =
        (0..32).all(|index| used(index) || start[8 + index / 2] >> (4 * (index % 2)) & 15 == 0);
    let occupied = start.first_chunk().map_or(0, |bytes| u64::from_le_bytes(*bytes));
    if pieces != occupied.count_ones() as usize || !unused_are_zero {
        return false;
    }
    let Ok(mut position) = start::unpack(start) else { return false };
    moves_of(game).iter().all(|&[low, high, ..]| {
        position.cache_legality();
        let bits = u16::from_le_bytes([low, high]);
        let mv = moves::unpack(&position, bits).filter(|&mv| moves::pack(mv) == bits);
        mv.is_some_and(|mv| {
            position.play_unchecked(mv);
            true
        })
    })
}
