//! `cargo xtask perft`: checks move generation against perft suites.

mod suite;

use anyhow::{Context, Result, bail};
use clap::builder::RangedU64ValueParser;
use indicatif::{HumanCount, ProgressBar, ProgressStyle};
use std::fmt;
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};
use suite::{Count, Suite};
use tabiya_core::Board;
use tabiya_files::input;
use tabiya_lab_common::counted::counted;
use tabiya_movegen::{Position, perft, perft_divide};
use tabiya_workspace::repository;

/// Maximum size of a suite in bytes, far above that of any known one.
const MAX_SUITE_SIZE: u64 = 64 << 20;

/// Command-line arguments of `perft`.
#[derive(clap::Args)]
pub struct PerftArgs {
    /// Suites: files, or names of files in tests/data/perft without `.epd` [default: all in that folder]
    #[arg(value_name = "SUITE")]
    suites: Vec<String>,

    /// Skip counts above this number of leaf nodes
    #[arg(long, value_name = "N")]
    max_nodes: Option<u64>,

    /// Maximum depth [default: the suite's own, or no limit with --max-nodes]
    #[arg(long, value_name = "PLIES", value_parser = clap::value_parser!(u32).range(1..))]
    depth: Option<u32>,

    /// Positions counted in parallel [default: one per processor]
    #[arg(long, value_name = "N", value_parser = RangedU64ValueParser::<usize>::new().range(1..=1024))]
    threads: Option<usize>,
}

/// Runs the command.
///
/// # Errors
/// If a suite cannot be read, has no count within the limits, or a count differs.
pub fn run(args: &PerftArgs) -> Result<()> {
    let paths = suite_paths(&args.suites)?;
    let threads = args.threads.unwrap_or_else(repository::processors);
    let mut failures = 0;
    for path in &paths {
        let name = path.file_stem().unwrap_or(path.as_os_str()).to_string_lossy().into_owned();
        let text = input::read_text(path, MAX_SUITE_SIZE)
            .with_context(|| format!("cannot read the suite {}", path.display()))?;
        let suite = Suite::parse(&text).with_context(|| format!("in the suite {}", path.display()))?;
        let limits = Limits::new(args.depth, args.max_nodes, suite.default_depth);
        let jobs = jobs(&suite, limits);
        if jobs.is_empty() {
            bail!("the suite {} has no count within the limits {limits}", path.display());
        }
        let report = check(&jobs, threads);
        println!("{name:<14} {report} ({limits})");
        for failure in &report.failures {
            println!("\n{}:{failure}\n", path.display());
        }
        failures += report.failures.len();
    }
    if failures > 0 {
        bail!("{} with a wrong count", counted(failures, "position"));
    }
    Ok(())
}

fn suite_paths(names: &[String]) -> Result<Vec<PathBuf>> {
    const FOLDER: &str = "tests/data/perft";
    if names.is_empty() {
        let root = repository::sources().context("without a file, the suites of the sources are run")?;
        return repository::files_with_extension(&root.join(FOLDER), "epd");
    }
    names.iter().map(|name| repository::find_data(FOLDER, name, "epd")).collect()
}

/// Limits on the counts to check.
#[derive(Clone, Copy)]
struct Limits {
    depth: u32,
    nodes: u64,
}

impl Limits {
    /// The suite's default depth applies only without limits on the command line.
    fn new(depth: Option<u32>, nodes: Option<u64>, suite_default: Option<u32>) -> Limits {
        let default = if nodes.is_some() { None } else { suite_default };
        Limits { depth: depth.or(default).unwrap_or(u32::MAX), nodes: nodes.unwrap_or(u64::MAX) }
    }

    /// Selects the counts to check. The shallowest count is selected even if it is deeper than the depth limit,
    /// but not if it is above the node limit.
    fn select(self, counts: &[Count]) -> Vec<Count> {
        let within = counts.iter().take_while(|count| count.depth <= self.depth).count().max(1);
        counts.iter().take(within).copied().filter(|count| count.nodes <= self.nodes).collect()
    }
}

impl fmt::Display for Limits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.depth, self.nodes) {
            (u32::MAX, u64::MAX) => f.write_str("all depths"),
            (depth, u64::MAX) => write!(f, "depth <= {depth}"),
            (u32::MAX, nodes) => write!(f, "nodes <= {nodes}"),
            (depth, nodes) => write!(f, "depth <= {depth}, nodes <= {nodes}"),
        }
    }
}

/// A position and its counts within the limits, shallowest first. Without counts, strict parsing must reject the
/// position as illegal.
struct Job {
    line: usize,
    fen: String,
    counts: Vec<Count>,
}

/// Returns the jobs of a suite, largest first, so that the threads finish at nearly the same time.
fn jobs(suite: &Suite, limits: Limits) -> Vec<Job> {
    let mut jobs: Vec<_> = suite
        .entries
        .iter()
        .filter_map(|entry| {
            let counts = limits.select(&entry.counts);
            let is_selected = entry.counts.is_empty() || !counts.is_empty();
            is_selected.then(|| Job { line: entry.line, fen: entry.fen.clone(), counts })
        })
        .collect();
    jobs.sort_by_key(|job| std::cmp::Reverse(job.nodes()));
    jobs
}

impl Job {
    fn nodes(&self) -> u64 {
        self.counts.iter().map(|count| count.nodes).sum()
    }

    /// Checks the counts in order of depth and stops at the first difference, which is the easiest to debug.
    fn check(&self) -> Result<(), Failure> {
        let failure = |problem| Failure { line: self.line, fen: self.fen.clone(), problem };
        if self.counts.is_empty() {
            return match Board::from_fen_strict(&self.fen) {
                Ok(_) => Err(failure(Problem::Accepted)),
                Err(_) => Ok(()),
            };
        }
        let parsed: Result<Position, _> = self.fen.parse();
        let position = parsed.map_err(|error| failure(Problem::Rejected(error.to_string())))?;
        for &expected in &self.counts {
            let actual = perft(&position, expected.depth);
            if actual != expected.nodes {
                let divide = perft_divide(&position, expected.depth)
                    .into_iter()
                    // Castling is written as king takes own rook, which is unambiguous in Chess960.
                    .map(|(mv, nodes)| (mv.to_uci(true).to_string(), nodes))
                    .collect();
                return Err(failure(Problem::Count { expected, actual, divide }));
            }
        }
        Ok(())
    }
}

/// A position that disagrees with the suite.
struct Failure {
    line: usize,
    fen: String,
    problem: Problem,
}

enum Problem {
    /// A legal position was rejected with this error.
    Rejected(String),
    /// An illegal position was accepted.
    Accepted,
    /// A count differs.
    Count { expected: Count, actual: u64, divide: Vec<(String, u64)> },
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Failure { line, fen, problem } = self;
        match problem {
            Problem::Rejected(reason) => write!(f, "{line}: {fen}\n  rejected: {reason}"),
            Problem::Accepted => write!(f, "{line}: {fen}\n  illegal position was accepted"),
            Problem::Count { expected, actual, divide } => {
                write!(
                    f,
                    "{line}: {fen}\n  depth {}: expected {}, got {actual}",
                    expected.depth, expected.nodes
                )?;
                f.write_str("\n  by first move:")?;
                divide.iter().try_for_each(|(mv, nodes)| write!(f, "\n    {mv}: {nodes}"))
            }
        }
    }
}

/// The results of checking a suite.
struct PerftResults {
    positions: usize,
    nodes: u64,
    time: Duration,
    failures: Vec<Failure>,
}

impl fmt::Display for PerftResults {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let correct = self.positions - self.failures.len();
        let seconds = self.time.as_secs_f64();
        let speed = self.nodes as f64 / seconds.max(1e-9) / 1e6;
        write!(f, "{correct} of {} positions correct, ", self.positions)?;
        write!(f, "{} leaf nodes in {seconds:.1} s, {speed:.0} Mnps", HumanCount(self.nodes))
    }
}

fn check(jobs: &[Job], threads: usize) -> PerftResults {
    let start = Instant::now();
    let nodes = jobs.iter().map(Job::nodes).sum();
    let progress = ProgressBar::new(nodes).with_style(
        ProgressStyle::with_template("{elapsed_precise} {wide_bar} {percent}% {msg}")
            .unwrap_or_else(|_| ProgressStyle::default_bar()),
    );
    let next = AtomicUsize::new(0);
    let failures = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..threads.min(jobs.len()) {
            scope.spawn(|| {
                while let Some(job) = jobs.get(next.fetch_add(1, Ordering::Relaxed)) {
                    if let Err(failure) = job.check()
                        && let Ok(mut failures) = failures.lock()
                    {
                        failures.push(failure);
                        progress.set_message(format!("{} wrong", failures.len()));
                    }
                    progress.inc(job.nodes());
                }
            });
        }
    });
    progress.finish_and_clear();
    let mut failures = failures.into_inner().unwrap_or_default();
    failures.sort_by_key(|failure| failure.line);
    PerftResults { positions: jobs.len(), nodes, time: start.elapsed(), failures }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn checked(text: &str, limits: Limits) -> PerftResults {
        check(&jobs(&Suite::parse(text).unwrap(), limits), 2)
    }

    const ALL: Limits = Limits { depth: u32::MAX, nodes: u64::MAX };

    #[test]
    fn correct_counts_pass() {
        let report = checked("4k3/8/8/8/8/8/8/4K2R w K - 0 1 ;D1 15 ;D2 66 ;D3 1197\n", ALL);
        assert_eq!((report.positions, report.nodes, report.failures.len()), (1, 15 + 66 + 1197, 0));
    }

    #[test]
    fn reports_the_shallowest_wrong_count() {
        let text = "# header\n4k3/8/8/8/8/8/8/4K2R w K - 0 1 ;D1 15 ;D2 67 ;D3 1198\n";
        let report = checked(text, ALL);
        assert_eq!(report.failures.len(), 1);
        let message = report.failures[0].to_string();
        assert!(message.starts_with("2: 4k3/8/8/8/8/8/8/4K2R w K - 0 1"), "{message}");
        assert!(message.contains("depth 2: expected 67, got 66"), "{message}");
        assert!(message.contains("e1h1: "), "{message}");
    }

    #[test]
    fn malformed_fen_is_a_failure() {
        let report = checked("4k3/8/8/8/8/8/8/4K2X w K - 0 1 ;D1 15\n", ALL);
        assert!(report.failures[0].to_string().contains("rejected"));
    }

    #[test]
    fn illegal_positions_must_be_rejected() {
        let report = checked("8/8/8/8/8/8/8/4K2R w K - 0 1 ;illegal\n", ALL);
        assert_eq!((report.positions, report.failures.len()), (1, 0));
        let report = checked("4k3/8/8/8/8/8/8/4K2R w K - 0 1 ;illegal\n", ALL);
        assert!(report.failures[0].to_string().contains("was accepted"));
    }

    #[test]
    fn limits_select_counts() {
        let suite = Suite::parse("4k3/8/8/8/8/8/8/4K2R w K - 0 1 ;D1 15 ;D2 66 ;D3 1197\n").unwrap();
        let depths = |limits| -> Vec<u32> {
            jobs(&suite, limits).iter().flat_map(|job| job.counts.iter().map(|count| count.depth)).collect()
        };
        assert_eq!(depths(Limits::new(None, None, None)), [1, 2, 3]);
        assert_eq!(depths(Limits::new(None, None, Some(2))), [1, 2]);
        assert_eq!(depths(Limits::new(Some(3), None, Some(2))), [1, 2, 3]);
        assert_eq!(depths(Limits::new(None, Some(1000), Some(1))), [1, 2]);
        assert!(depths(Limits::new(None, Some(10), None)).is_empty());

        // A position with only deeper counts is still checked.
        let deep = Suite::parse("4k3/8/8/8/8/8/8/4K2R w K - 0 1 ;D2 66 ;D3 1197\n").unwrap();
        assert_eq!(jobs(&deep, Limits::new(Some(1), None, None))[0].counts.len(), 1);
        assert!(jobs(&deep, Limits::new(Some(1), Some(65), None)).is_empty());
    }

    #[test]
    fn parses_every_suite_in_the_repository() {
        for path in suite_paths(&[]).unwrap() {
            let suite = Suite::parse(&std::fs::read_to_string(&path).unwrap()).unwrap();
            assert!(!suite.entries.is_empty() && suite.default_depth.is_some(), "{}", path.display());
        }
    }
}
