//! Measuring contenders in turns, and the table of ratios.

use std::hint::black_box;
use std::time::{Duration, Instant};

/// Does the work once and returns how many units (leaves, moves, texts) it did.
type Work = Box<dyn FnMut() -> u64>;

/// The same work done by each of the contenders.
pub(crate) struct Contest {
    name: String,
    /// Tabiya first.
    contenders: Vec<Work>,
}

/// What a contest came to.
pub(crate) struct Standing {
    name: String,
    units: u64,
    medians: Vec<Duration>,
}

impl Contest {
    /// A contest of Tabiya and cozy-chess and shakmaty.
    pub(crate) fn new(
        name: impl Into<String>,
        tabiya: impl FnMut() -> u64 + 'static,
        cozy: impl FnMut() -> u64 + 'static,
        shakmaty: impl FnMut() -> u64 + 'static,
    ) -> Contest {
        Contest { name: name.into(), contenders: vec![Box::new(tabiya), Box::new(cozy), Box::new(shakmaty)] }
    }

    /// A contest of Tabiya and one other.
    pub(crate) fn duel(
        name: impl Into<String>,
        tabiya: impl FnMut() -> u64 + 'static,
        rival: impl FnMut() -> u64 + 'static,
    ) -> Contest {
        Contest { name: name.into(), contenders: vec![Box::new(tabiya), Box::new(rival)] }
    }

    pub(crate) fn run(&mut self, rounds: usize) -> Standing {
        // The first time counts the units, checks that all agree, and warms everything up.
        let counts: Vec<u64> = self.contenders.iter_mut().map(|work| work()).collect();
        let units = counts[0];
        assert!(counts.iter().all(|&count| count == units), "{}: counts differ: {counts:?}", self.name);

        let mut times = vec![Vec::new(); self.contenders.len()];
        for round in 0..rounds {
            for turn in 0..times.len() {
                // Nobody is always first.
                let contender = (round + turn) % times.len();
                let start = Instant::now();
                black_box(self.contenders[contender]());
                times[contender].push(start.elapsed());
            }
        }
        let median = |mut times: Vec<Duration>| {
            times.sort_unstable();
            times[times.len() / 2]
        };
        Standing { name: self.name.clone(), units, medians: times.into_iter().map(median).collect() }
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
    ratios: Vec<Vec<f64>>,
}

impl Report {
    pub(crate) fn new(title: &str, rivals: &[&str]) -> Report {
        println!("\n{title}");
        print!("{:<28} {:>10}", "", "tabiya");
        rivals.iter().for_each(|rival| print!(" {rival:>10}"));
        print!("  ");
        rivals.iter().for_each(|rival| print!(" {:>11}", format!("/{rival}")));
        println!();
        Report { ratios: Vec::new() }
    }

    pub(crate) fn add(&mut self, standing: &Standing) {
        let ratios: Vec<f64> = (1..standing.medians.len()).map(|rival| standing.ratio(rival)).collect();
        print!("{:<28}", standing.name);
        (0..standing.medians.len()).for_each(|contender| print!(" {:>10.2}", standing.speed(contender)));
        print!("  ");
        ratios.iter().for_each(|ratio| print!(" {ratio:>11.2}"));
        println!();
        self.ratios.push(ratios);
    }

    /// The geometric mean of the ratios so far.
    pub(crate) fn print_means(&self) {
        let rivals = self.ratios.first().map_or(0, Vec::len);
        print!("{:<28}{:width$}  ", "geometric mean", "", width = 11 * (rivals + 1));
        for rival in 0..rivals {
            let logarithms: f64 = self.ratios.iter().map(|ratios| ratios[rival].ln()).sum();
            print!(" {:>11.2}", (logarithms / self.ratios.len() as f64).exp());
        }
        println!();
    }
}
