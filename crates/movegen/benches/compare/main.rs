//! Speed of this crate relative to cozy-chess, shakmaty and pgn-reader, measured in one run.
//!
//! `cargo bench -p tabiya-movegen` prints the whole table in one or two minutes. Arguments after `--` select sections
//! by a part of their name (`perft`, `moves`, `text`, `pgn`); `--rounds N` sets the number of rounds (default 9). The
//! implementations take turns within each round and their medians are compared, so that temporary load on the machine
//! does not favour one of them. Before any measurement all implementations must agree on the counts.

mod comparison;
mod moves;
mod perft;
mod pgn;
mod samples;
mod text;

use comparison::{Comparison, Report};

fn main() {
    let mut rounds = 9;
    let mut filters = Vec::new();
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--rounds" => match arguments.next().and_then(|number| number.parse().ok()) {
                Some(number) if number > 0 => rounds = number,
                _ => {
                    eprintln!("--rounds needs a positive number");
                    std::process::exit(2);
                }
            },
            // Cargo passes this to every benchmark.
            "--bench" => {}
            _ => filters.push(argument),
        }
    }

    let sliders = if cfg!(target_feature = "bmi2") { "PEXT" } else { "magic bitboards" };
    println!("tabiya with {sliders}; medians of {rounds} rounds; a ratio above 1 means tabiya is faster");
    type Section = (&'static str, &'static str, &'static [&'static str], fn() -> Vec<Comparison>);
    let crates = &["cozy", "shakmaty"];
    let sections: [Section; 4] = [
        ("perft", "perft with bulk counting, million leaves per second", crates, perft::comparisons),
        ("moves", "million moves per second", crates, moves::comparisons),
        ("text", "notation, million texts per second", crates, text::comparisons),
        (
            "pgn",
            "games from PGN, main lines validated (MB per second) and only parsed (million moves per second)",
            &["pgn-reader"],
            pgn::comparisons,
        ),
    ];
    for (name, title, others, comparisons) in sections {
        if filters.is_empty() || filters.iter().any(|filter| name.contains(filter.as_str())) {
            let mut report = Report::new(title, others);
            for mut comparison in comparisons() {
                report.add(&comparison.run(rounds));
            }
            report.print_means();
        }
    }
}
