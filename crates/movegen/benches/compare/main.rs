//! How fast this crate is beside cozy-chess and shakmaty, as ratios measured in one run.
//!
//! `cargo bench -p tabiya-movegen` prints the whole table in one or two minutes. Arguments after
//! `--` choose sections by a part of their name (`perft`, `moves`, `text`); `--rounds N` sets how
//! often everything is measured (9). The contenders take turns within each round and the medians
//! are compared, so that a machine that is busy for a while does not favour one of them. Before
//! anything is timed, all contenders must come to the same counts.

mod contest;
mod moves;
mod perft;
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
    type Section = (&'static str, &'static str, fn() -> Vec<Contest>);
    let sections: [Section; 3] = [
        ("perft", "perft with bulk counting, million leaves a second", perft::contests),
        ("moves", "moves, million a second", moves::contests),
        ("text", "notation, million texts a second", text::contests),
    ];
    for (name, title, contests) in sections {
        if wanted.is_empty() || wanted.iter().any(|part| name.contains(part.as_str())) {
            let mut report = Report::new(title);
            for mut contest in contests() {
                report.add(contest.run(rounds));
            }
            report.print_means();
        }
    }
}
