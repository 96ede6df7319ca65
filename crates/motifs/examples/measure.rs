//! Measures precision and recall of the motifs against the themes of Lichess's puzzles.
//!
//! `cargo run --release -p tabiya-motifs --example measure -- PUZZLES.tsv [THEME]` reads a table with the columns id, FEN, moves, rating, popularity,
//! plays and themes. The first move of a puzzle is the opponent's. The puzzles are split in two halves by a hash of their id; the
//! definitions were fitted to the first half. With a theme, the puzzles of that half are listed in which it is found wrongly (+) or missed (-).

use std::collections::BTreeSet;
use std::error::Error;
use tabiya_motifs::{Line, Motif, motifs};
use tabiya_movegen::Game;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let path = arguments.next().ok_or("usage: measure PUZZLES.tsv [THEME]")?;
    let listed = arguments.next();
    let text = std::fs::read_to_string(path)?;
    // Hits, wrong findings and misses, by half and motif.
    let mut counts = vec![[[0_u32; 3]; 2]; Motif::ALL.len()];
    for row in text.lines().skip(1) {
        let &[id, fen, moves, _, _, _, themes] = row.split('\t').collect::<Vec<_>>().as_slice() else {
            return Err(format!("not a puzzle: {row}").into());
        };
        let half = usize::from(fnv1a(id) >> 32 & 1 == 1);
        let themes: BTreeSet<&str> = themes.split(' ').collect();
        let mut game = Game::from_fen(fen)?;
        for uci in moves.split(' ') {
            game.play_uci(uci)?;
        }
        let start = game.start().clone();
        let side = !start.side_to_move();
        let found: BTreeSet<Motif> =
            motifs(&Line::new(start, game.moves(), side)?).iter().map(|finding| finding.motif).collect();
        for (motif, counts) in Motif::ALL.iter().zip(&mut counts) {
            let (outcome, sign) = match (found.contains(motif), themes.contains(motif.theme())) {
                (true, true) => (0, ' '),
                (true, false) => (1, '+'),
                (false, true) => (2, '-'),
                (false, false) => continue,
            };
            counts[half][outcome] += 1;
            if half == 0 && outcome > 0 && listed.as_deref() == Some(motif.theme()) {
                let moves: Vec<String> = game.san_moves().map(|san| san.to_string()).collect();
                println!("{sign} {id} {fen} | {}", moves.join(" "));
            }
        }
    }
    println!(
        "| Motif | Precision, fitted | Recall, fitted | Precision, held out | Recall, held out | Puzzles |"
    );
    println!("|---|---|---|---|---|---|");
    for (motif, halves) in Motif::ALL.iter().zip(counts) {
        let percent = |part: u32, rest: u32| 100.0 * f64::from(part) / f64::from((part + rest).max(1));
        let [fitted, held_out] =
            halves.map(|[hit, wrong, missed]| (percent(hit, wrong), percent(hit, missed)));
        let puzzles: u32 = halves.iter().map(|[hit, _, missed]| hit + missed).sum();
        println!(
            "| {} | {:.1} | {:.1} | {:.1} | {:.1} | {puzzles} |",
            motif.theme(),
            fitted.0,
            fitted.1,
            held_out.0,
            held_out.1
        );
    }
    Ok(())
}

/// The 64-bit FNV-1a hash.
fn fnv1a(text: &str) -> u64 {
    text.bytes()
        .fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3))
}
