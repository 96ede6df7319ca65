//! Measuring contenders in turns, and the table of ratios.

use std::hint::black_box;
use std::time::{Duration, Instant};

/// Does the work once and returns how many units (leaves, moves, texts) it did.
type Work = Box<dyn FnMut() -> u64>;

/// The same work done by each of the three crates.
pub(crate) struct Contest {
    name: String,
    /// Tabiya, cozy-chess, shakmaty.
    contenders: [Work; 3],
}

/// What a contest came to.
pub(crate) struct Standing {
    name: String,
    units: u64,
    medians: [Duration; 3],
}

impl Contest {
    pub(crate) fn new(
        name: impl Into<String>,
        tabiya: impl FnMut() -> u64 + 'static,
        cozy: impl FnMut() -> u64 + 'static,
        shakmaty: impl FnMut() -> u64 + 'static,
    ) -> Contest {
        Contest { name: name.into(), contenders: [Box::new(tabiya), Box::new(cozy), Box::new(shakmaty)] }
    }

    pub(crate) fn run(&mut self, rounds: usize) -> Standing {
        // The first time counts the units, checks that all agree, and warms everything up.
        let counts: Vec<u64> = self.contenders.iter_mut().map(|work| work()).collect();
        let units = counts[0];
        assert!(counts.iter().all(|&count| count == units), "{}: counts differ: {counts:?}", self.name);

        let mut times: [Vec<Duration>; 3] = Default::default();
        for round in 0..rounds {
            for turn in 0..3 {
                // Nobody is always first.
                let contender = (round + turn) % 3;
                let start = Instant::now();
                black_box(self.contenders[contender]());
                times[contender].push(start.elapsed());
            }
        }
        let medians = times.map(|mut times| {
            times.sort_unstable();
            times[times.len() / 2]
        });
        Standing { name: self.name.clone(), units, medians }
    }
}

impl Standing {
    /// How many times as long another contender takes.
    fn ratio(&self, contender: usize) -> f64 {
        self.medians[contender].as_secs_f64() / self.medians[0].as_secs_f64()
    }

    fn speed(&self, contender: usize) -> f64 {
        self.units as f64 / self.medians[contender].as_secs_f64() / 1e6
    }
}

/// A table that is printed line by line as the results come in.
pub(crate) struct Report {
    ratios: Vec<[f64; 2]>,
}

impl Report {
    pub(crate) fn new(title: &str) -> Report {
        println!("\n{title}");
        println!(
            "{:<28} {:>9} {:>9} {:>9}   {:>6} {:>9}",
            "", "tabiya", "cozy", "shakmaty", "/cozy", "/shakmaty"
        );
        Report { ratios: Vec::new() }
    }

    pub(crate) fn add(&mut self, standing: Standing) {
        let [ours, cozy, shakmaty] = [0, 1, 2].map(|contender| standing.speed(contender));
        let ratios = [standing.ratio(1), standing.ratio(2)];
        println!(
            "{:<28} {ours:>9.2} {cozy:>9.2} {shakmaty:>9.2}   {:>6.2} {:>9.2}",
            standing.name, ratios[0], ratios[1]
        );
        self.ratios.push(ratios);
    }

    /// The geometric mean of the ratios so far.
    pub(crate) fn print_means(&self) {
        let mean = |column: usize| {
            let logarithms: f64 = self.ratios.iter().map(|ratios| ratios[column].ln()).sum();
            (logarithms / self.ratios.len() as f64).exp()
        };
        println!("{:<28} {:>29}   {:>6.2} {:>9.2}", "geometric mean", "", mean(0), mean(1));
    }
}
