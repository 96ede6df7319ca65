//! The report of a training: `report.md` with the plots beside it, and `train.json`.

use super::checkpoint::{State, SuperBatch};
use super::data::DataFile;
use super::evaluate;
use super::fit::Losses;
use super::quantise::QuantisationError;
use anyhow::Result;
use serde::Serialize;
use std::path::Path;
use tabiya_files::output::{self, Existing};
use tabiya_lab_common::plots::{self, Labels, Line};

/// The files of a report.
pub(super) const FILES: [&str; 4] = ["report.md", "loss.svg", "learning-rate.svg", "train.json"];

/// The results of a training.
#[derive(Serialize)]
pub(super) struct TrainingReport<'a> {
    pub(super) name: &'a str,
    /// As `(768x4hm -> 128)x2 -> 1x8`.
    pub(super) architecture: String,
    pub(super) revision: &'a str,
    pub(super) command: String,
    pub(super) data: &'a [DataFile],
    pub(super) validation: &'a DataFile,
    pub(super) state: &'a State,
    pub(super) positions_per_second: f64,
    pub(super) threads: usize,
    pub(super) instruction_set: String,
    /// Losses on the validation file.
    pub(super) losses: Vec<Losses>,
    pub(super) quantisation: QuantisationError,
    /// The scale with which scores predict results best.
    pub(super) scale_line: String,
}

impl TrainingReport<'_> {
    /// Writes the files of the report, over older ones.
    ///
    /// # Errors
    /// If a file cannot be written.
    pub(super) fn write(&self, folder: &Path) -> Result<()> {
        let history = &self.state.history;
        let curve = |name: &str, color, value: fn(&SuperBatch) -> f64| Line {
            name: name.to_owned(),
            points: history.iter().map(|finished| (finished.number as f64, value(finished))).collect(),
            color,
        };
        let losses = [
            curve("training", 0, |finished| finished.training),
            curve("validation", 1, |finished| finished.validation),
        ];
        let rates = [curve("learning rate", 2, |finished| finished.learning_rate.log10())];
        let labels = Labels { title: "Loss", x: "superbatch", y: "loss" };
        let rate_labels = Labels { title: "Learning rate", y: "log10", ..labels };
        let loss_plot = plots::lines(labels, &losses, &[])?.unwrap_or_default();
        let rate_plot = plots::lines(rate_labels, &rates, &[])?.unwrap_or_default();
        let json = serde_json::to_string_pretty(self)? + "\n";
        for (file, text) in FILES.into_iter().zip([self.markdown(), loss_plot, rate_plot, json]) {
            output::write(&folder.join(file), text.as_bytes(), Existing::Replace, &[])?;
        }
        Ok(())
    }

    fn markdown(&self) -> String {
        let settings = &self.state.settings;
        let records: u64 = self.data.iter().map(|file| file.records).sum();
        let positions = self.state.step() as f64 * settings.batch as f64;
        let title = if self.name.is_empty() { "Network" } else { self.name };
        let mut text = format!("# {title}: {}\n\n", self.architecture);
        text += &format!("Revision {}. Command:\n\n```sh\n{}\n```\n\n", self.revision, self.command);
        text += "## Data\n\n| file | records | lost, drawn, won for the side to move | SHA-256 |\n|---|---|---|---|\n";
        for (kind, file) in
            self.data.iter().map(|file| ("", file)).chain([(" (validation)", self.validation)])
        {
            let name = file.path.file_name().unwrap_or(file.path.as_os_str()).to_string_lossy();
            let DataFile { records, results: [lost, drawn, won], sha256, .. } = file;
            text += &format!("| {name}{kind} | {records} | {lost}, {drawn}, {won} | `{sha256}` |\n");
        }
        text += &format!("\n{}\n", self.scale_line);
        text += "\n## Settings\n\n| setting | value |\n|---|---|\n";
        if let Ok(serde_json::Value::Object(values)) = serde_json::to_value(settings) {
            let listed = values.iter().filter(|(name, _)| !["data", "validation"].contains(&name.as_str()));
            for (name, value) in listed {
                let value = value.to_string().replace('"', "");
                text += &format!("| {} | {value} |\n", name.replace('_', "-"));
            }
        }
        text += &format!(
            "\n{:.1} epochs ({:.1} million positions) in {:.0} s: {:.0} positions/s with {} threads, {}.\n",
            positions / records.max(1) as f64,
            positions / 1e6,
            self.state.seconds,
            self.positions_per_second,
            self.threads,
            self.instruction_set,
        );
        text += "\n## Losses on the validation file\n\n";
        text += &evaluate::table(&self.losses);
        if let Some(best) = self.state.best() {
            text += &format!(
                "\nLowest validation loss: {:.6} after superbatch {} (best.nnue).\n",
                best.validation, best.number
            );
        }
        let QuantisationError { positions, mean, max } = self.quantisation;
        text += &format!(
            "\nError of quantisation on {positions} positions: mean {mean:.2}, maximum {max:.1} centipawns.\n"
        );
        text += "\n## Curves\n\n![Loss](loss.svg)\n\n![Learning rate](learning-rate.svg)\n\n";
        text += "| superbatch | learning rate | training | validation |\n|---|---|---|---|\n";
        for SuperBatch { number, training, validation, learning_rate } in &self.state.history {
            text += &format!("| {number} | {learning_rate:.7} | {training:.6} | {validation:.6} |\n");
        }
        text
    }
}
