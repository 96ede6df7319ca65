//! Reports of an SPSA run: text for the terminal, an HTML page, and UCI options to paste.

use super::tuner::{Outcome, Tuner};
use anyhow::Result;
use std::fmt::Write as _;
use tabiya_lab_common::html::{self, escape};
use tabiya_lab_common::plots::{self, Labels, Line};

/// Maximum number of points per plotted line.
const MAX_POINTS: usize = 400;

/// Maximum number of lines per plot.
const MAX_LINES: usize = 6;

/// The mean in the table covers the last 1/`MEAN_DIVISOR` of the iterations.
const MEAN_DIVISOR: usize = 4;

/// Returns the current values, rounded.
pub(super) fn values(tuner: &Tuner) -> Vec<(&str, i64)> {
    let parameters = tuner.schedule().parameters.iter().zip(tuner.theta());
    parameters.map(|(parameter, value)| (parameter.name.as_str(), value.round() as i64)).collect()
}

/// Formats the current values as options of a `selfplay` player.
pub(super) fn as_options(tuner: &Tuner) -> String {
    let options: Vec<String> =
        values(tuner).iter().map(|(name, value)| format!("option.{name}={value}")).collect();
    options.join(",")
}

/// Distance of a parameter from its start value, in units of `c_end`.
fn displacement(tuner: &Tuner, index: usize, theta: &[f64]) -> f64 {
    let parameter = &tuner.schedule().parameters[index];
    (theta[index] - parameter.start) / parameter.c_end
}

/// One line with the speed and the three parameters that have moved farthest.
pub(super) fn status(tuner: &Tuner, games_per_minute: f64) -> String {
    let mut order: Vec<usize> = (0..tuner.schedule().parameters.len()).collect();
    let steps = |index: usize| displacement(tuner, index, tuner.theta());
    order.sort_by(|&a, &b| steps(b).abs().total_cmp(&steps(a).abs()));
    let farthest: Vec<String> = order
        .iter()
        .take(3)
        .map(|&index| {
            let parameter = &tuner.schedule().parameters[index];
            format!(
                "{} {} -> {:.1} ({:+.1} steps)",
                parameter.name,
                parameter.start,
                tuner.theta()[index],
                steps(index)
            )
        })
        .collect();
    format!("{games_per_minute:.0} games per minute; {}", farthest.join(", "))
}

/// A remark if results have moved no parameter.
pub(super) fn remark(tuner: &Tuner) -> Option<&'static str> {
    let is_unmoved =
        tuner.applied() > 0 && tuner.trajectory().iter().all(|theta| *theta == tuner.trajectory()[0]);
    is_unmoved.then_some("No parameter has moved: every pair of games was tied.")
}

/// Formats a table of all parameters.
pub(super) fn table(tuner: &Tuner) -> String {
    let mut text = format!(
        "{:<30} {:>7} {:>9} {:>7} {:>7} {:>9}\n",
        "parameter", "start", "current", "rounded", "steps", "mean"
    );
    let means = recent_means(tuner);
    for (index, parameter) in tuner.schedule().parameters.iter().enumerate() {
        let value = tuner.theta()[index];
        // Writing to a string cannot fail.
        let _ = writeln!(
            text,
            "{:<30} {:>7} {value:>9.2} {:>7} {:>+7.2} {:>9.2}",
            parameter.name,
            parameter.start,
            value.round(),
            displacement(tuner, index, tuner.theta()),
            means[index],
        );
    }
    text
}

/// Mean of each parameter over the last iterations, which has less variance than its current value.
fn recent_means(tuner: &Tuner) -> Vec<f64> {
    let trajectory = tuner.trajectory();
    let last = &trajectory[trajectory.len() - trajectory.len().div_ceil(MEAN_DIVISOR)..];
    let mean = |index: usize| last.iter().map(|theta| theta[index]).sum::<f64>() / last.len() as f64;
    (0..tuner.schedule().parameters.len()).map(mean).collect()
}

/// Renders the HTML page.
///
/// # Errors
/// If a plot cannot be drawn.
pub(super) fn page(tuner: &Tuner) -> Result<String> {
    let schedule = tuner.schedule();
    let Outcome { wins, draws, losses } = tuner.total();
    let mut body = format!(
        "<p>{} of {} iterations, {} games: the first player of each pair won {wins}, drew {draws} and lost \
         {losses}. A step is c_end, the perturbation in the last iteration.</p>\n",
        tuner.applied(),
        schedule.iterations,
        2 * tuner.applied(),
    );
    if let Some(remark) = remark(tuner) {
        let _ = writeln!(body, "<p>{remark}</p>");
    }
    let mut drawn = Vec::new();
    for (title, members) in groups(tuner) {
        let lines: Vec<Line> = members
            .iter()
            .enumerate()
            .map(|(color, &index)| Line {
                name: schedule.parameters[index].name.clone(),
                points: line(tuner, index),
                color,
            })
            .collect();
        let labels = Labels { title: &title, x: "iteration", y: "distance from the start (c_end)" };
        drawn.extend(plots::lines(labels, &lines, &[0.0])?);
    }
    body += &html::plots(drawn);
    let _ = write!(body, "<h2>Values</h2>\n<pre>{}</pre>\n", escape(&table(tuner)));
    let _ = write!(
        body,
        "<h2>As options</h2>\n<pre style=\"white-space: pre-wrap\">{}</pre>\n",
        escape(&as_options(tuner))
    );
    Ok(html::page("SPSA of the search parameters", &body))
}

/// Groups consecutive parameters whose names have the same prefix before `_`, up to `MAX_LINES` per plot.
/// Returns each group's prefix and parameter indices.
fn groups(tuner: &Tuner) -> Vec<(String, Vec<usize>)> {
    let mut groups: Vec<(String, Vec<usize>)> = Vec::new();
    for (index, parameter) in tuner.schedule().parameters.iter().enumerate() {
        let prefix = parameter.name.split('_').next().unwrap_or_default();
        match groups.last_mut() {
            Some((last, members)) if last == prefix && members.len() < MAX_LINES => members.push(index),
            _ => groups.push((prefix.to_owned(), vec![index])),
        }
    }
    groups
}

/// Displacement of a parameter after each iteration, thinned out to about `MAX_POINTS` points.
fn line(tuner: &Tuner, index: usize) -> Vec<(f64, f64)> {
    let trajectory = tuner.trajectory();
    let stride = trajectory.len().div_ceil(MAX_POINTS).max(1);
    let last = trajectory.len() - 1;
    (0..trajectory.len())
        .filter(|number| number % stride == 0 || *number == last)
        .map(|number| (number as f64, displacement(tuner, index, &trajectory[number])))
        .collect()
}
