//! Interleaved measurement of several implementations, and the table of ratios.

use std::hint::black_box;
use std::time::{Duration, Instant};

/// Does the work once and returns how many units (leaves, moves, texts) it did.
type Work = Box<dyn FnMut() -> u64>;

/// The same work done by several implementations.
pub(crate) struct Comparison {
    name: String,
    /// Tabiya first.
    implementations: Vec<Work>,
}

/// The measured times of a comparison.
pub(crate) struct Measurement {
    name: String,
    units: u64,
    medians: Vec<Duration>,
}

impl Comparison {
    /// Creates a comparison of Tabiya with cozy-chess and shakmaty.
    pub(crate) fn new(
        name: impl Into<String>,
        tabiya: impl FnMut() -> u64 + 'static,
        cozy: impl FnMut() -> u64 + 'static,
        shakmaty: impl FnMut() -> u64 + 'static,
    ) -> Comparison {
        Comparison {
            name: name.into(),
            implementations: vec![Box::new(tabiya), Box::new(cozy), Box::new(shakmaty)],
        }
    }

    /// Creates a comparison of Tabiya with one other implementation.
    pub(crate) fn pair(
        name: impl Into<String>,
        tabiya: impl FnMut() -> u64 + 'static,
        other: impl FnMut() -> u64 + 'static,
    ) -> Comparison {
        Comparison { name: name.into(), implementations: vec![Box::new(tabiya), Box::new(other)] }
    }

    pub(crate) fn run(&mut self, rounds: usize) -> Measurement {
        // A first run warms up, counts the units and checks that all implementations agree.
        let counts: Vec<u64> = self.implementations.iter_mut().map(|work| work()).collect();
        let units = counts[0];
        assert!(counts.iter().all(|&count| count == units), "{}: counts differ: {counts:?}", self.name);

        let mut times = vec![Vec::new(); self.implementations.len()];
        for round in 0..rounds {
            for turn in 0..times.len() {
                // Rotate the order, so that no implementation is always first.
                let implementation = (round + turn) % times.len();
                let start = Instant::now();
                black_box(self.implementations[implementation]());
                times[implementation].push(start.elapsed());
            }
        }
        let median = |mut times: Vec<Duration>| {
            times.sort_unstable();
            times[times.len() / 2]
        };
        Measurement { name: self.name.clone(), units, medians: times.into_iter().map(median).collect() }
    }
}

impl Measurement {
    /// Returns the time of an implementation relative to Tabiya's.
    fn ratio(&self, implementation: usize) -> f64 {
        self.medians[implementation].as_secs_f64() / self.medians[0].as_secs_f64()
    }

    /// Returns the speed in million units per second.
    fn speed(&self, implementation: usize) -> f64 {
        self.units as f64 / self.medians[implementation].as_secs_f64() / 1e6
    }
}

/// A table printed line by line as the results come in.
pub(crate) struct Report {
    ratios: Vec<Vec<f64>>,
}

impl Report {
    pub(crate) fn new(title: &str, others: &[&str]) -> Report {
        println!("\n{title}");
        print!("{:<28} {:>10}", "", "tabiya");
        others.iter().for_each(|other| print!(" {other:>10}"));
        print!("  ");
        others.iter().for_each(|other| print!(" {:>11}", format!("/{other}")));
        println!();
        Report { ratios: Vec::new() }
    }

    pub(crate) fn add(&mut self, measurement: &Measurement) {
        let ratios: Vec<f64> = (1..measurement.medians.len()).map(|other| measurement.ratio(other)).collect();
        print!("{:<28}", measurement.name);
        (0..measurement.medians.len())
            .for_each(|implementation| print!(" {:>10.2}", measurement.speed(implementation)));
        print!("  ");
        ratios.iter().for_each(|ratio| print!(" {ratio:>11.2}"));
        println!();
        self.ratios.push(ratios);
    }

    /// Prints the geometric means of the ratios so far.
    pub(crate) fn print_means(&self) {
        let others = self.ratios.first().map_or(0, Vec::len);
        print!("{:<28}{:width$}  ", "geometric mean", "", width = 11 * (others + 1));
        for other in 0..others {
            let logarithms: f64 = self.ratios.iter().map(|ratios| ratios[other].ln()).sum();
            print!(" {:>11.2}", (logarithms / self.ratios.len() as f64).exp());
        }
        println!();
    }
}
