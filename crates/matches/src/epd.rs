//! `cargo xtask epd`: runs an engine on EPD test suites.

mod plot;
mod results;
mod solve;
mod suite;

use anyhow::{Context, Result, bail};
use indicatif::ProgressBar;
use results::{EpdResults, SuiteResult};
use solve::{Limit, SuiteRunner};
use std::path::{Path, PathBuf};
use std::time::Duration;
use suite::Case;
use tabiya_files::output::{self, Existing};
use tabiya_lab_common::counted::counted;
use tabiya_uci_engine::EngineCommand;
use tabiya_workspace::{build, repository};

/// Command-line arguments of `epd`.
#[derive(clap::Args)]
pub struct EpdArgs {
    /// EPD files, or names of files in tests/data/epd without `.epd`
    #[arg(value_name = "FILE", required = true)]
    suites: Vec<String>,

    /// Nodes per position [default: 1000000]
    #[arg(long, value_name = "N", group = "limit", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,

    /// Milliseconds per position
    #[arg(long, value_name = "MS", group = "limit", value_parser = clap::value_parser!(u64).range(1..=86_400_000))]
    movetime: Option<u64>,

    /// Search depth
    #[arg(long, value_name = "PLIES", group = "limit", value_parser = clap::value_parser!(u32).range(1..))]
    depth: Option<u32>,

    /// Milliseconds that a search limited by nodes or depth may take
    #[arg(long, value_name = "MS", default_value_t = 600_000, value_parser = clap::value_parser!(u64).range(1..))]
    stall_timeout: u64,

    /// Search positions with a known mate (dm) by `go mate`, which ends when the mate is found
    #[arg(long)]
    mate: bool,

    /// Command that starts the engine [default: Tabiya, built from the working tree]
    #[arg(long, value_name = "COMMAND")]
    engine: Option<EngineCommand>,

    /// Set a UCI option of the engine
    #[arg(long = "option", value_name = "NAME=VALUE", value_parser = tabiya_lab_common::option_argument::name_and_value)]
    options: Vec<(String, String)>,

    /// Positions searched in parallel [default: one per processor]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1024))]
    concurrency: Option<u32>,

    /// Write the results to this file, for use as a --baseline
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,

    /// Compare with the results of an earlier run (a file written by --json)
    #[arg(long, value_name = "FILE")]
    baseline: Option<PathBuf>,

    /// Plot the percentage solved over time to this file, as SVG
    #[arg(long, value_name = "FILE")]
    plot: Option<PathBuf>,

    /// Overwrite existing output files
    #[arg(long)]
    force: bool,

    /// List the unsolved positions
    #[arg(long)]
    unsolved: bool,
}

/// Runs the command.
///
/// # Errors
/// If a suite or the baseline cannot be read, the engine cannot be started or fails in a position, or the
/// results cannot be written.
pub fn run(args: &EpdArgs) -> Result<()> {
    // Before the search, which may take hours.
    let existing = Existing::from_force(args.force);
    let find = |name: &String| repository::find_data("tests/data/epd", name, "epd");
    let paths: Vec<PathBuf> = args.suites.iter().map(find).collect::<Result<_>>()?;
    let inputs: Vec<&Path> = paths.iter().map(PathBuf::as_path).chain(args.baseline.as_deref()).collect();
    let outputs: Vec<(&str, &Path)> = [("--json", &args.json), ("--plot", &args.plot)]
        .into_iter()
        .filter_map(|(option, path)| Some((option, path.as_deref()?)))
        .collect();
    output::check_distinct(&outputs)?;
    for (_, path) in outputs {
        output::check(path, existing, &inputs)?;
    }
    let suites: Vec<_> = paths.iter().map(|path| read_suite(path)).collect::<Result<_>>()?;
    let baseline = args.baseline.as_deref().map(read_report).transpose()?;
    let command = match &args.engine {
        None => {
            repository::sources().context("without --engine PROGRAM, Tabiya is built")?;
            EngineCommand::new(build::worktree()?)
        }
        Some(command) => command.clone(),
    };
    let runner = SuiteRunner {
        command: &command,
        options: &args.options,
        limit: limit(args),
        mate: args.mate,
        stall_timeout: Duration::from_millis(args.stall_timeout),
    };
    // Start the engine once up front, so that invalid arguments are reported once and not for each position.
    let engine = runner.start()?.identity().name.clone().unwrap_or_else(|| command.name.clone());
    let concurrency = args.concurrency.map_or_else(repository::processors, |count| count as usize);

    let progress = ProgressBar::new(suites.iter().map(|(_, cases)| cases.len() as u64).sum());
    let results = suites.iter().map(|(name, cases)| {
        progress.set_message(name.clone());
        SuiteResult { name: name.clone(), answers: runner.run(cases, concurrency, &progress) }
    });
    let report = EpdResults { engine, limit: runner.limit.go_arguments(), suites: results.collect() };
    progress.finish_and_clear();

    print!("{}", report.table(baseline.as_ref()));
    if let Some(baseline) = &baseline {
        if (&baseline.engine, &baseline.limit) != (&report.engine, &report.limit) {
            println!("\nnote: the baseline is {} with go {}", baseline.engine, baseline.limit);
        }
        print!("\n{}", report.changes(baseline));
    }
    if args.unsolved {
        print!("\n{}", report.unsolved());
    }
    if let Some(path) = &args.json {
        let text = serde_json::to_string_pretty(&report)? + "\n";
        output::write(path, text.as_bytes(), existing, &inputs)?;
    }
    if let Some(path) = &args.plot {
        let text = plot::svg(&report, baseline.as_ref())?;
        output::write(path, text.as_bytes(), existing, &inputs)?;
    }
    let errors: Vec<_> = report.suites.iter().flat_map(SuiteResult::errors).collect();
    for (answer, error) in &errors {
        eprintln!("{}: {error}", answer.id);
    }
    if !errors.is_empty() {
        bail!("the engine failed in {}", counted(errors.len(), "position"));
    }
    Ok(())
}

fn limit(args: &EpdArgs) -> Limit {
    match (args.nodes, args.movetime, args.depth) {
        (_, Some(milliseconds), _) => Limit::Time(Duration::from_millis(milliseconds)),
        (_, _, Some(depth)) => Limit::Depth(depth),
        (nodes, _, _) => Limit::Nodes(nodes.unwrap_or(1_000_000)),
    }
}

/// Reads a suite and returns its name and positions.
fn read_suite(path: &Path) -> Result<(String, Vec<Case>)> {
    let text =
        std::fs::read_to_string(path).with_context(|| format!("cannot read the suite {}", path.display()))?;
    let cases = suite::parse(&text).with_context(|| format!("in the suite {}", path.display()))?;
    if cases.is_empty() {
        bail!("the suite {} contains no positions", path.display());
    }
    let name = path.file_stem().unwrap_or(path.as_os_str()).to_string_lossy().into_owned();
    Ok((name, cases))
}

fn read_report(path: &Path) -> Result<EpdResults> {
    let text = std::fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
    serde_json::from_str(&text).with_context(|| format!("{} was not written by `epd --json`", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use tabiya_lab_common::test_arguments::parse;

    #[test]
    fn parses_every_suite_in_the_repository() {
        let folder = repository::root().join("tests/data/epd");
        for path in repository::files_with_extension(&folder, "epd").unwrap() {
            read_suite(&path).unwrap();
        }
    }

    #[test]
    fn outputs_are_distinct_files_and_no_inputs() {
        let folder = tempfile::tempdir().unwrap();
        let out = folder.path().join("out").display().to_string();
        let suite = repository::root().join("tests/data/epd/wac.epd").display().to_string();
        for (outputs, message) in [
            (["--json", &out, "--plot", &out], "--json and --plot are the same file"),
            (["--json", &out, "--plot", &suite], "it is the same file as the input"),
        ] {
            let arguments = ["wac", "--force", "--engine", "no-such-engine"].into_iter().chain(outputs);
            let error = format!("{:#}", run(&parse(arguments).unwrap()).unwrap_err());
            assert!(error.contains(message), "{error}");
        }
    }

    #[test]
    fn suite_without_positions_is_an_error() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("empty.epd");
        for text in ["", "# no position\n\n"] {
            std::fs::write(&path, text).unwrap();
            let error = read_suite(&path).unwrap_err().to_string();
            assert!(error.contains("empty.epd contains no positions"), "{error}");
        }
    }
}
