//! Evaluates positions by a network in raw integers (docs/network-file.md): `raw_network FILE FEN...` prints centipawns for the
//! side to move. Compile with `rustc -O --edition 2024 raw_network.rs`.

pub struct Network {
    sizes: [usize; 9], // N, T, K, copies, B, mirrored, QA, QB, scale
    buckets: Vec<u8>,
    weights: Vec<i16>, // 768 K rows of N
    threats: Vec<i16>, // 768 * 3 rows of T in each copy
    bias: Vec<i16>,
    output_weights: Vec<i16>, // for each of B, N of the side to move and N of the opponent
    output_bias: Vec<i32>,
}

pub fn load(bytes: &[u8]) -> Option<Network> {
    let mut rest = bytes.strip_prefix(b"RAWNNUE2")?;
    let mut take = |count: usize| rest.split_off(..count);
    let numbers = take(36)?.as_chunks().0.iter().map(|&bytes| u32::from_le_bytes(bytes) as usize);
    let sizes: [usize; 9] = numbers.collect::<Vec<_>>().try_into().ok()?;
    let [n, t, k, copies, b, ..] = sizes;
    let buckets = take(64)?.to_vec();
    let mut small = |count: usize| -> Option<Vec<i16>> {
        Some(take(2 * count)?.as_chunks().0.iter().map(|&bytes| i16::from_le_bytes(bytes)).collect())
    };
    let (weights, threats) = (small(768 * k * n)?, small(3 * 768 * copies * t)?);
    let (bias, output_weights) = (small(n)?, small(2 * n * b)?);
    let output_bias = take(4 * b)?.as_chunks().0.iter().map(|&bytes| i32::from_le_bytes(bytes)).collect();
    Some(Network { sizes, buckets, weights, threats, bias, output_weights, output_bias })
}

type Piece = (usize, usize, usize); // colour, type and square

/// 0 not attacked, 1 attacked and defended, 2 attacked and undefended, 3 attacked by a piece of lower value.
fn threat_state(pieces: &[Piece], piece: Piece) -> usize {
    let value = |kind: usize| [1, 3, 3, 5, 9, 10][kind];
    let (own, enemies): (Vec<Piece>, Vec<Piece>) =
        pieces.iter().filter(|&&other| attacks(pieces, other, piece.2)).partition(|other| other.0 == piece.0);
    match enemies.iter().map(|enemy| value(enemy.1)).min() {
        None => 0,
        Some(least) if least < value(piece.1) => 3,
        Some(_) => 1 + usize::from(own.is_empty()),
    }
}

fn attacks(pieces: &[Piece], (color, kind, from): Piece, to: usize) -> bool {
    let file = (to % 8) as isize - (from % 8) as isize;
    let rank = (to / 8) as isize - (from / 8) as isize;
    let steps = file.abs().max(rank.abs());
    let (is_straight, is_diagonal) = (file == 0 || rank == 0, file.abs() == rank.abs());
    let is_reached = match kind {
        0 => file.abs() == 1 && rank == 1 - 2 * color as isize,
        1 => file.abs() * rank.abs() == 2,
        2 => is_diagonal,
        3 => is_straight,
        4 => is_diagonal || is_straight,
        _ => steps == 1,
    };
    let square = |step: isize| (from as isize + step * (8 * rank.signum() + file.signum())) as usize;
    let is_empty = |square: usize| pieces.iter().all(|piece| piece.2 != square);
    from != to && is_reached && (kind == 1 || (1..steps).all(|step| is_empty(square(step))))
}

pub fn evaluate(network: &Network, fen: &str) -> Option<i64> {
    let [n, t, _, copies, b, mirrored, qa, qb, scale] = network.sizes;
    let mut fields = fen.split_whitespace();
    let (mut square, mut pieces) = (56, Vec::new()); // a8; colour 0 White, type 0 pawn to 5 king
    for letter in fields.next()?.chars() {
        if letter == '/' {
            square -= 16;
        } else if let Some(empty) = letter.to_digit(10) {
            square += empty as usize;
        } else {
            let kind = "pnbrqk".find(letter.to_ascii_lowercase())?;
            pieces.push((usize::from(letter.is_lowercase()), kind, square));
            square += 1;
        }
    }
    let state = |&piece| if t > 0 { threat_state(&pieces, piece) } else { 0 };
    let states: Vec<usize> = pieces.iter().map(state).collect();
    let us = usize::from(fields.next()? == "b");
    let bucket = (pieces.len() - 2) * b / 31;
    let mut sum = 0;
    for (half, side) in [us, 1 - us].into_iter().enumerate() {
        let king = pieces.iter().find(|piece| (piece.0, piece.1) == (side, 5))?.2 ^ (56 * side);
        let flip = (56 * side) ^ if mirrored == 1 && king % 8 >= 4 { 7 } else { 0 };
        let mut hidden: Vec<i64> = network.bias.iter().map(|&bias| bias.into()).collect();
        let copy = usize::from(copies == 2 && king % 8 >= 4);
        let mut add =
            |row: &[i16]| hidden.iter_mut().zip(row).for_each(|(sum, &weight)| *sum += i64::from(weight));
        for (&(color, kind, square), state) in pieces.iter().zip(&states) {
            let piece = 384 * (color ^ side) + 64 * kind + (square ^ flip);
            add(&network.weights[(768 * network.buckets[king] as usize + piece) * n..][..n]);
            if *state > 0 {
                add(&network.threats[(768 * (3 * copy + state - 1) + piece) * t..][..t]);
            }
        }
        let weights = &network.output_weights[(2 * bucket + half) * n..][..n];
        let products = hidden
            .iter()
            .zip(weights)
            .map(|(h, &weight)| h.clamp(&0, &(qa as i64)).pow(2) * i64::from(weight));
        sum += products.sum::<i64>();
    }
    Some((sum / qa as i64 + i64::from(network.output_bias[bucket])) * scale as i64 / (qa * qb) as i64)
}

#[allow(dead_code, reason = "the project's test includes this file as a module")]
fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let network =
        load(&std::fs::read(&arguments[0]).expect("a readable file")).expect("a network in raw integers");
    arguments[1..].iter().for_each(|fen| println!("{}", evaluate(&network, fen).expect("a FEN")));
}
