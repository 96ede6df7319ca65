//! `cargo xtask data`: from files of games to training records.
//!
//! Commands on whole `games`: `from-pgn`, `stats`, `merge`, `split`, `rescore`, `pack`, `unpack`. `export` selects positions and
//! writes training records, which `shuffle` can mix again, to which `augment` adds positions near those of games, and whose scores
//! `label` replaces by those of evaluations. Every command reads its files from front to back, so that memory
//! does not grow with their size.

mod augment;
mod export;
mod from_pgn;
mod label;
mod later_scores;
mod merge;
mod output_args;
mod pack;
mod record_reader;
mod rescore;
mod shuffle;
mod shuffle_command;
mod split;
mod statistics;
mod stats;

use anyhow::Result;

/// Command-line arguments of `data`.
#[derive(clap::Args)]
#[command(after_help = "\
Files of games (*.vf) come from `cargo xtask datagen` or any program that writes viriformat. docs/training-data.md
shows the steps from nothing to a training set.")]
pub(crate) struct DataArgs {
    #[command(subcommand)]
    command: Command,
}

#[derive(clap::Subcommand)]
enum Command {
    /// Count games and positions: results, phases, scores, king squares, lengths, duplicates
    Stats(stats::StatsArgs),
    /// Select positions and write shuffled training records, or text
    Export(export::ExportArgs),
    /// Read games with scores from the PGN of match runners
    FromPgn(from_pgn::FromPgnArgs),
    /// Split games into a training file and a validation file
    Split(split::SplitArgs),
    /// Join files of games
    Merge(merge::MergeArgs),
    /// Pack games into a third of the bytes
    Pack(pack::PackArgs),
    /// Unpack a packed file of games
    Unpack(pack::PackArgs),
    /// Shuffle training records
    Shuffle(shuffle_command::ShuffleArgs),
    /// Make records of positions near those of records, labelled by the static evaluation
    Augment(augment::AugmentArgs),
    /// Replace the scores of training records by the mean of several evaluations
    Label(label::LabelArgs),
    /// Search all positions of the games again and replace their scores
    Rescore(rescore::RescoreArgs),
}

/// Runs the command.
///
/// # Errors
/// If a file cannot be read or written, or is damaged; the message names file and byte.
pub(crate) fn run(args: &DataArgs) -> Result<()> {
    match &args.command {
        Command::Stats(args) => stats::run(args),
        Command::Export(args) => export::run(args),
        Command::FromPgn(args) => from_pgn::run(args),
        Command::Split(args) => split::run(args),
        Command::Merge(args) => merge::run(args),
        Command::Pack(args) => pack::pack(args),
        Command::Unpack(args) => pack::unpack(args),
        Command::Shuffle(args) => shuffle_command::run(args),
        Command::Augment(args) => augment::run(args),
        Command::Label(args) => label::run(args),
        Command::Rescore(args) => rescore::run(args),
    }
}
