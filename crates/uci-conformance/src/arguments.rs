//! The command-line arguments.

use crate::protocol::Protocol;
use crate::script::Severity;
use std::path::PathBuf;
use tabiya_uci_engine::EngineCommand;

/// Test whether chess engines follow the UCI or the xboard protocol.
#[derive(clap::Args, Debug)]
pub struct ConformanceArgs {
    /// Engines: a program, or a program with arguments in quotes
    #[arg(value_name = "ENGINE")]
    pub engines: Vec<EngineCommand>,

    /// Protocol to test
    #[arg(long, value_name = "PROTOCOL", default_value = "uci")]
    pub protocol: Protocol,

    /// Set an engine option before each check
    #[arg(long = "option", value_name = "NAME=VALUE", value_parser = name_and_value)]
    pub options: Vec<(String, String)>,

    /// Run only checks whose name contains this text
    #[arg(long, value_name = "TEXT")]
    pub only: Vec<String>,

    /// Multiply all time limits, for slow machines and debug builds
    #[arg(long, value_name = "FACTOR", default_value_t = 1.0, value_parser = patience)]
    pub patience: f64,

    /// Pause before each line, in milliseconds: some xboard engines overlook lines that arrive together
    #[arg(long, value_name = "MS", default_value_t = 0, value_parser = clap::value_parser!(u64).range(..=10_000))]
    pub line_pause: u64,

    /// Number of checks run at the same time
    #[arg(long, short = 'j', value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=1024))]
    pub concurrency: u32,

    /// Minimum severity of a failure that fails the command
    #[arg(long, value_name = "SEVERITY", default_value = "error")]
    pub fail_on: Severity,

    /// Write the results to this JSON file, with the sessions of failed checks
    #[arg(long, value_name = "FILE")]
    pub json: Option<PathBuf>,

    /// Overwrite existing output files
    #[arg(long)]
    pub force: bool,

    /// Read the checks from this folder instead of the built-in ones
    #[arg(long, value_name = "FOLDER")]
    pub checks: Option<PathBuf>,

    /// Show the sessions of failed checks
    #[arg(long)]
    pub verbose: bool,

    /// List the checks with their reasons and sources, without running them
    #[arg(long)]
    pub list: bool,
}

fn name_and_value(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((name, value)) if !name.is_empty() => Ok((name.to_owned(), value.to_owned())),
        _ => Err("expected NAME=VALUE".to_owned()),
    }
}

fn patience(text: &str) -> Result<f64, String> {
    text.parse()
        .ok()
        .filter(|factor| (0.1..=100.0).contains(factor))
        .ok_or_else(|| "expected 0.1 to 100".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parses_options() {
        assert_eq!(name_and_value("Path=a=b"), Ok(("Path".to_owned(), "a=b".to_owned())));
        assert!(name_and_value("Hash").is_err() && name_and_value("=1").is_err());
    }

    #[test]
    fn parses_patience_factor() {
        assert!(patience("2").is_ok());
        assert!(patience("0").is_err() && patience("NaN").is_err() && patience("long").is_err());
    }
}
