//! Speed of this crate relative to cozy-chess, shakmaty and pgn-reader, measured in one run.
//!
//! `cargo bench -p tabiya-movegen` prints all tables in about two minutes. Arguments after `--` select sections by a part of
//! their name (`perft`, `loop`, `moves`, `play`, `text`, `pgn`); `--rounds N` sets the number of rounds (default 9). The
//! implementations take turns within each round and are compared round by round, so that temporary load on the machine
//! does not favour one of them. Before any measurement all implementations must agree on the counts.

mod comparison;
mod moves;
mod perft;
mod pgn;
mod play;
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

    println!("medians of {rounds} rounds; a ratio above 1 means tabiya is faster");
    let sizes =
        [size_of::<tabiya_movegen::Position>(), size_of::<cozy_chess::Board>(), size_of::<shakmaty::Chess>()];
    println!("bytes of a position: tabiya {}, cozy {}, shakmaty {}", sizes[0], sizes[1], sizes[2]);
    for section in SECTIONS {
        if filters.is_empty() || filters.iter().any(|filter| section.name.contains(filter.as_str())) {
            let mut report = Report::new(section.title, section.first, section.others);
            for mut comparison in (section.comparisons)() {
                report.add(comparison.run(rounds));
            }
            if section.has_mean {
                report.print_means();
            }
        }
    }
}

struct Section {
    name: &'static str,
    title: &'static str,
    /// Heading of the first column.
    first: &'static str,
    others: &'static [&'static str],
    /// True if the rows are alike, so that their mean has a meaning.
    has_mean: bool,
    comparisons: fn() -> Vec<Comparison>,
}

const CRATES: &[&str] = &["cozy", "shakmaty"];

const SECTIONS: [Section; 6] = [
    Section {
        name: "perft",
        title: "perft with bulk counting, million leaves per second",
        first: "tabiya",
        others: CRATES,
        has_mean: true,
        comparisons: perft::comparisons,
    },
    Section {
        name: "loop",
        title: "perft in the caller's own loop, million leaves per second, mean ratios of ten positions",
        first: "tabiya",
        others: CRATES,
        has_mean: false,
        comparisons: perft::own_loop,
    },
    Section {
        name: "moves",
        title: "million moves per second, mean ratios of ten positions",
        first: "tabiya",
        others: CRATES,
        has_mean: false,
        comparisons: moves::comparisons,
    },
    Section {
        name: "play",
        title: "ways of playing a legal move, relative to copying and play_unchecked, million moves per second",
        first: "this way",
        others: &["unchecked"],
        has_mean: false,
        comparisons: play::comparisons,
    },
    Section {
        name: "text",
        title: "notation, million texts per second",
        first: "tabiya",
        others: CRATES,
        has_mean: true,
        comparisons: text::comparisons,
    },
    Section {
        name: "pgn",
        title: "games from PGN, main lines validated (MB per second) and only parsed (million moves per second)",
        first: "tabiya",
        others: &["pgn-reader"],
        has_mean: false,
        comparisons: pgn::comparisons,
    },
];
