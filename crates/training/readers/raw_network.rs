//! Evaluates positions by a network in raw integers (docs/network-file.md): `raw_network FILE FEN...` prints centipawns for the
//! side to move. Compile with `rustc -O --edition 2024 raw_network.rs`.

pub struct Network {
    sizes: [usize; 7], // N, K, B, mirrored, QA, QB, scale
    buckets: Vec<u8>,
    weights: Vec<i16>, // 768 K rows of N
    bias: Vec<i16>,
    output_weights: Vec<i16>, // for each of B, N of the side to move and N of the opponent
    output_bias: Vec<i32>,
}

pub fn load(bytes: &[u8]) -> Option<Network> {
    let mut rest = bytes.strip_prefix(b"RAWNNUE1")?;
    let mut take = |count: usize| rest.split_off(..count);
    let numbers = take(28)?.as_chunks().0.iter().map(|&bytes| u32::from_le_bytes(bytes) as usize);
    let sizes: [usize; 7] = numbers.collect::<Vec<_>>().try_into().ok()?;
    let [n, k, b, ..] = sizes;
    let buckets = take(64)?.to_vec();
    let mut small = |count: usize| -> Option<Vec<i16>> {
        Some(take(2 * count)?.as_chunks().0.iter().map(|&bytes| i16::from_le_bytes(bytes)).collect())
    };
    let (weights, bias, output_weights) = (small(768 * k * n)?, small(n)?, small(2 * n * b)?);
    let output_bias = take(4 * b)?.as_chunks().0.iter().map(|&bytes| i32::from_le_bytes(bytes)).collect();
    Some(Network { sizes, buckets, weights, bias, output_weights, output_bias })
}

pub fn evaluate(network: &Network, fen: &str) -> Option<i64> {
    let [n, _, b, mirrored, qa, qb, scale] = network.sizes;
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
    let us = usize::from(fields.next()? == "b");
    let bucket = (pieces.len() - 2) * b / 31;
    let mut sum = 0;
    for (half, side) in [us, 1 - us].into_iter().enumerate() {
        let king = pieces.iter().find(|piece| (piece.0, piece.1) == (side, 5))?.2 ^ (56 * side);
        let flip = (56 * side) ^ if mirrored == 1 && king % 8 >= 4 { 7 } else { 0 };
        let mut hidden: Vec<i64> = network.bias.iter().map(|&bias| bias.into()).collect();
        for &(color, kind, square) in &pieces {
            let feature =
                768 * network.buckets[king] as usize + 384 * (color ^ side) + 64 * kind + (square ^ flip);
            hidden
                .iter_mut()
                .zip(&network.weights[feature * n..])
                .for_each(|(sum, &weight)| *sum += i64::from(weight));
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
