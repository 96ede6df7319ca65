//! How fast this crate is beside cozy-chess, shakmaty and pgn-reader, as ratios measured in one run.
//!
//! `cargo bench -p tabiya-movegen` prints the whole table in one or two minutes. Arguments after
//! `--` choose sections by a part of their name (`perft`, `moves`, `text`, `pgn`); `--rounds N` sets how
//! often everything is measured (9). The contenders take turns within each round and the medians
//! are compared, so that a machine that is busy for a while does not favour one of them. Before
//! anything is timed, all contenders must come to the same counts.

mod contest;
mod moves;
mod perft;
mod pgn;
mod samples;
mod text;

use contest::{Contest, Report};

fn main() {
    let mut rounds = 9;
    let mut wanted = Vec::new();
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--rounds" => match arguments.next().and_then(|number| number.parse().ok()) {
                Some(number) if number > 0 => rounds = number,
                _ => {
                    eprintln!("--rounds needs a number above 0");
                    std::process::exit(2);
                }
            },
            // Cargo says this to every benchmark.
            "--bench" => {}
            _ => wanted.push(argument),
        }
    }

    let sliders = if cfg!(target_feature = "bmi2") { "PEXT" } else { "magic bitboards" };
    println!("tabiya with {sliders}; medians of {rounds} rounds; a ratio above 1 means tabiya is faster");
    type Section = (&'static str, &'static str, &'static [&'static str], fn() -> Vec<Contest>);
    let crates = &["cozy", "shakmaty"];
    let sections: [Section; 4] = [
        ("perft", "perft with bulk counting, million leaves a second", crates, perft::contests),
        ("moves", "moves, million a second", crates, moves::contests),
        ("text", "notation, million texts a second", crates, text::contests),
        ("pgn", "games from PGN, main lines validated, MB a second", &["pgn-reader"], pgn::contests),
    ];
    for (name, title, rivals, contests) in sections {
        if wanted.is_empty() || wanted.iter().any(|part| name.contains(part.as_str())) {
            let mut report = Report::new(title, rivals);
            for mut contest in contests() {
                report.add(&contest.run(rounds));
            }
            report.print_means();
        }
    }
}
