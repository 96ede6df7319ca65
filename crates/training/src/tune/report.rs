//! Report of a tuning run: text for the terminal, JSON and an HTML page.

use super::source::FileCounts;
use super::train::{Epoch, Settings};
use anyhow::Result;
use serde::Serialize;
use std::fmt::{self, Write as _};
use std::path::Path;
use tabiya_files::output::{self, Existing};
use tabiya_lab_common::html::{self, escape};
use tabiya_lab_common::plots::{self, Labels, Line};

/// The files of a report in its folder.
pub(super) const FILES: [&str; 3] = ["weights.rs", "tune.json", "tune.html"];

/// Number of weights in the page's list of largest changes.
const LISTED_WEIGHTS: usize = 100;

/// Mean squared errors on the two sets.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub(super) struct Errors {
    pub(super) training: f64,
    pub(super) held_out: f64,
}

impl Errors {
    /// Computes the error of each set, given by its index.
    pub(super) fn of(error: impl Fn(usize) -> f64) -> Errors {
        Errors { training: error(super::data::TRAINING), held_out: error(super::data::HELD_OUT) }
    }
}

/// A weight before and after tuning.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub(super) struct Weight {
    name: String,
    start: f64,
    tuned: f64,
}

/// Combines the names with the values before and after tuning.
pub(super) fn weights(names: &[String], start: &[f64], tuned: &[f64]) -> Vec<Weight> {
    let values = start.iter().zip(tuned);
    let weight = |(name, (&start, &tuned)): (&String, _)| Weight { name: name.clone(), start, tuned };
    names.iter().zip(values).map(weight).collect()
}

/// The results of a tuning run.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub(super) struct TuningReport {
    pub(super) files: Vec<FileCounts>,
    /// Sizes of the training set and the held-out set.
    pub(super) positions: [usize; 2],
    pub(super) lambda: f64,
    pub(super) settings: Settings,
    /// Scaling constant K of the sigmoid, fitted to the start weights and constant during the training.
    pub(super) k: f64,
    /// K for the classic evaluation.
    pub(super) k_classic: f64,
    /// K for the search scores, if they are part of the target.
    pub(super) k_scores: Option<f64>,
    pub(super) before: Errors,
    pub(super) after: Errors,
    /// Errors with the weights rounded to integers.
    pub(super) rounded: Errors,
    /// Errors of the classic evaluation.
    pub(super) classic: Errors,
    pub(super) epochs: Vec<Epoch>,
    pub(super) weights: Vec<Weight>,
}

impl TuningReport {
    /// Returns the tuned weights.
    pub(super) fn tuned_weights(&self) -> Vec<f64> {
        self.weights.iter().map(|weight| weight.tuned).collect()
    }

    /// Writes [`FILES`] to a folder; `weights` is the source text.
    ///
    /// # Errors
    /// If one of them cannot be written, or exists and is not to be replaced.
    pub(super) fn write(&self, folder: &Path, weights: &str, existing: Existing) -> Result<()> {
        let json = serde_json::to_string_pretty(self)? + "\n";
        let page = self.page()?;
        for (name, text) in FILES.into_iter().zip([weights, &json, &page]) {
            output::write(&folder.join(name), text.as_bytes(), existing, &[])?;
        }
        Ok(())
    }

    fn page(&self) -> Result<String> {
        let curve = |name: &str, color, value: fn(&Epoch) -> f64| Line {
            name: name.to_owned(),
            points: self.epochs.iter().map(|epoch| (f64::from(epoch.number), value(epoch))).collect(),
            color,
        };
        let errors =
            [curve("training", 0, |epoch| epoch.training), curve("held out", 1, |epoch| epoch.held_out)];
        let learning_rate = [curve("learning rate", 2, |epoch| epoch.learning_rate.log10())];
        let labels = Labels { title: "Mean squared error", x: "epoch", y: "error" };
        let drawn = [
            plots::lines(labels, &errors, &[])?,
            plots::lines(Labels { title: "Learning rate", y: "log10", ..labels }, &learning_rate, &[])?,
        ];
        // Writing to a string cannot fail.
        let mut body = format!("<pre>{}</pre>\n", escape(&self.to_string()));
        body += &html::plots(drawn.into_iter().flatten());
        let mut changed: Vec<&Weight> = self.weights.iter().collect();
        let change = |weight: &Weight| (weight.tuned - weight.start).abs();
        changed.sort_by(|a, b| change(b).total_cmp(&change(a)));
        body += "<h2>Largest changes</h2>\n<table>\n<tr><th>name</th><th>before</th><th>after</th></tr>\n";
        for weight in changed.into_iter().take(LISTED_WEIGHTS) {
            let Weight { name, start, tuned } = weight;
            let _ =
                writeln!(body, "<tr><td>{}</td><td>{start:.0}</td><td>{tuned:.1}</td></tr>", escape(name));
        }
        body += "</table>\n<h2>Files</h2>\n<table>\n\
                 <tr><th>file</th><th>positions</th><th>used</th><th>filtered out</th><th>malformed</th></tr>\n";
        for FileCounts { file, lines, used, malformed, filtered } in &self.files {
            let file = escape(file);
            let _ = writeln!(
                body,
                "<tr><td>{file}</td><td>{lines}</td><td>{used}</td><td>{filtered}</td><td>{malformed}</td></tr>"
            );
        }
        body += "</table>\n";
        Ok(html::page("Texel tuning", &body))
    }
}

impl fmt::Display for TuningReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [training, held_out] = self.positions;
        writeln!(f, "Positions {training} training, {held_out} held out")?;
        let last = self.epochs.last().map_or(0, |epoch| epoch.number);
        writeln!(f, "Weights   {}, {last} epochs, lambda {}", self.weights.len(), self.lambda)?;
        writeln!(f, "\n{:<18} {:>7} {:>12} {:>12}", "mean squared error", "K", "training", "held out")?;
        for (name, k, errors) in [
            ("classic", self.k_classic, self.classic),
            ("before", self.k, self.before),
            ("after", self.k, self.after),
            ("after, rounded", self.k, self.rounded),
        ] {
            writeln!(f, "{name:<18} {k:>7.4} {:>12.6} {:>12.6}", errors.training, errors.held_out)?;
        }
        Ok(())
    }
}
