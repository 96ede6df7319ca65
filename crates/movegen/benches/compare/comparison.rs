//! Interleaved measurement of several implementations, and the table of ratios.

use std::hint::black_box;
use std::time::{Duration, Instant};

/// Does the work once and returns how many units (leaves, moves, texts) it did.
type Work = Box<dyn FnMut() -> u64>;

/// The same work done by several implementations, on one or more positions.
pub(crate) struct Comparison {
    name: String,
    /// For each position one function per implementation, Tabiya's first.
    cases: Vec<Vec<Work>>,
}

/// The measured times of a comparison.
pub(crate) struct Measurement {
    name: String,
    /// Million units per second of each implementation.
    speeds: Vec<f64>,
    /// Time of each other implementation relative to Tabiya's, the geometric mean over the positions.
    ratios: Vec<f64>,
}

impl Comparison {
    /// Creates a comparison of Tabiya with cozy-chess and shakmaty.
    pub(crate) fn new(
        name: impl Into<String>,
        tabiya: impl FnMut() -> u64 + 'static,
        cozy: impl FnMut() -> u64 + 'static,
        shakmaty: impl FnMut() -> u64 + 'static,
    ) -> Comparison {
        Comparison::over(name).with(tabiya, cozy, shakmaty)
    }

    /// Creates a comparison of Tabiya with one other implementation.
    pub(crate) fn pair(
        name: impl Into<String>,
        tabiya: impl FnMut() -> u64 + 'static,
        other: impl FnMut() -> u64 + 'static,
    ) -> Comparison {
        Comparison::over(name).with_pair(tabiya, other)
    }

    /// Creates a comparison without positions.
    pub(crate) fn over(name: impl Into<String>) -> Comparison {
        Comparison { name: name.into(), cases: Vec::new() }
    }

    /// Adds the work on one position.
    pub(crate) fn with(
        mut self,
        tabiya: impl FnMut() -> u64 + 'static,
        cozy: impl FnMut() -> u64 + 'static,
        shakmaty: impl FnMut() -> u64 + 'static,
    ) -> Comparison {
        self.cases.push(vec![Box::new(tabiya), Box::new(cozy), Box::new(shakmaty)]);
        self
    }

    /// Adds the work on one position, for two implementations.
    pub(crate) fn with_pair(
        mut self,
        tabiya: impl FnMut() -> u64 + 'static,
        other: impl FnMut() -> u64 + 'static,
    ) -> Comparison {
        self.cases.push(vec![Box::new(tabiya), Box::new(other)]);
        self
    }

    pub(crate) fn run(&mut self, rounds: usize) -> Measurement {
        // A first run warms up, counts the units and checks that all implementations agree.
        let mut units = 0;
        for case in &mut self.cases {
            let counts: Vec<u64> = case.iter_mut().map(|work| work()).collect();
            assert!(
                counts.iter().all(|&count| count == counts[0]),
                "{}: counts differ: {counts:?}",
                self.name
            );
            units += counts[0];
        }
        let implementations = self.cases[0].len();
        let mut times = vec![vec![Vec::new(); implementations]; self.cases.len()];
        for round in 0..rounds {
            for (case, times) in self.cases.iter_mut().zip(&mut times) {
                for turn in 0..implementations {
                    // Rotate the order, so that no implementation is always first.
                    let implementation = (round + turn) % implementations;
                    let start = Instant::now();
                    black_box(case[implementation]());
                    times[implementation].push(start.elapsed());
                }
            }
        }
        let ratio = |other: usize| {
            let of_case = |times: &Vec<Vec<Duration>>| {
                let pairs = times[other].iter().zip(&times[0]);
                median(pairs.map(|(other, tabiya)| other.as_secs_f64() / tabiya.as_secs_f64()).collect())
            };
            geometric_mean(times.iter().map(of_case))
        };
        let speed = |implementation: usize| {
            let of_case = |times: &Vec<Vec<Duration>>| {
                median(times[implementation].iter().map(Duration::as_secs_f64).collect())
            };
            units as f64 / times.iter().map(of_case).sum::<f64>() / 1e6
        };
        Measurement {
            name: self.name.clone(),
            speeds: (0..implementations).map(speed).collect(),
            ratios: (1..implementations).map(ratio).collect(),
        }
    }
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_unstable_by(f64::total_cmp);
    values[values.len() / 2]
}

fn geometric_mean(values: impl ExactSizeIterator<Item = f64>) -> f64 {
    let count = values.len() as f64;
    (values.map(f64::ln).sum::<f64>() / count).exp()
}

/// A table printed line by line as the results come in.
pub(crate) struct Report {
    ratios: Vec<Vec<f64>>,
}

impl Report {
    pub(crate) fn new(title: &str, tabiya: &str, others: &[&str]) -> Report {
        println!("\n{title}");
        print!("{:<28} {tabiya:>10}", "");
        others.iter().for_each(|other| print!(" {other:>10}"));
        print!("  ");
        others.iter().for_each(|other| print!(" {:>11}", format!("/{other}")));
        println!();
        Report { ratios: Vec::new() }
    }

    pub(crate) fn add(&mut self, measurement: Measurement) {
        print!("{:<28}", measurement.name);
        measurement.speeds.iter().for_each(|speed| print!(" {speed:>10.2}"));
        print!("  ");
        measurement.ratios.iter().for_each(|ratio| print!(" {ratio:>11.2}"));
        println!();
        self.ratios.push(measurement.ratios);
    }

    /// Prints the geometric means of the ratios so far.
    pub(crate) fn print_means(&self) {
        let others = self.ratios.first().map_or(0, Vec::len);
        print!("{:<28}{:width$}  ", "geometric mean", "", width = 11 * (others + 1));
        for other in 0..others {
            print!(" {:>11.2}", geometric_mean(self.ratios.iter().map(|ratios| ratios[other])));
        }
        println!();
    }
}
