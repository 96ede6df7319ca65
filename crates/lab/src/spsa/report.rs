//! Where a walk has got to: for the terminal, as a page, and as text to paste.

use super::walk::{Outcome, Walk};
use crate::html::{self, escape};
use crate::plots::{self, Labels, Line};
use anyhow::Result;
use std::fmt::Write as _;

/// The most points of a line of a plot: more would not be seen.
const DRAWN_POINTS: usize = 400;

/// The most lines of a plot: more could not be told apart.
const DRAWN_LINES: usize = 6;

/// The part of the walk at its end that the last column averages.
const LAST_PART: usize = 4;

/// The values that the walk has come to, as whole numbers.
pub(super) fn values(walk: &Walk) -> Vec<(&str, i64)> {
    let parameters = walk.schedule().parameters.iter().zip(walk.point());
    parameters.map(|(parameter, value)| (parameter.name.as_str(), value.round() as i64)).collect()
}

/// The values as options of a player of `selfplay`.
pub(super) fn as_options(walk: &Walk) -> String {
    let words: Vec<String> =
        values(walk).iter().map(|(name, value)| format!("option.{name}={value}")).collect();
    words.join(",")
}

/// How far a parameter has gone, in its steps.
fn gone(walk: &Walk, index: usize, point: &[f64]) -> f64 {
    let parameter = &walk.schedule().parameters[index];
    (point[index] - parameter.start) / parameter.c_end
}

/// The three parameters that have gone farthest, in a line.
pub(super) fn status(walk: &Walk, games_a_minute: f64) -> String {
    let mut order: Vec<usize> = (0..walk.schedule().parameters.len()).collect();
    let distance = |index: usize| gone(walk, index, walk.point());
    order.sort_by(|&a, &b| distance(b).abs().total_cmp(&distance(a).abs()));
    let farthest: Vec<String> = order
        .iter()
        .take(3)
        .map(|&index| {
            let parameter = &walk.schedule().parameters[index];
            format!(
                "{} {} > {:.1} ({:+.1} steps)",
                parameter.name,
                parameter.start,
                walk.point()[index],
                distance(index)
            )
        })
        .collect();
    format!("{games_a_minute:.0} games a minute; {}", farthest.join(", "))
}

/// A table of all parameters.
pub(super) fn table(walk: &Walk) -> String {
    let mut text = format!(
        "{:<30} {:>7} {:>9} {:>7} {:>7} {:>9}\n",
        "number", "before", "now", "rounded", "steps", "lately"
    );
    let lately = lately(walk);
    for (index, parameter) in walk.schedule().parameters.iter().enumerate() {
        let value = walk.point()[index];
        // Writing to a string does not fail.
        let _ = writeln!(
            text,
            "{:<30} {:>7} {value:>9.2} {:>7} {:>+7.2} {:>9.2}",
            parameter.name,
            parameter.start,
            value.round(),
            gone(walk, index, walk.point()),
            lately[index],
        );
    }
    text
}

/// The averages over the last part of the walk: they vary less than its end.
fn lately(walk: &Walk) -> Vec<f64> {
    let points = walk.points();
    let last = &points[points.len() - points.len().div_ceil(LAST_PART)..];
    let mean = |index: usize| last.iter().map(|point| point[index]).sum::<f64>() / last.len() as f64;
    (0..walk.schedule().parameters.len()).map(mean).collect()
}

/// The page.
///
/// # Errors
/// When a plot cannot be drawn.
pub(super) fn page(walk: &Walk) -> Result<String> {
    let schedule = walk.schedule();
    let Outcome { wins, draws, losses } = walk.total();
    let mut body = format!(
        "<p>{} of {} iterations, {} games: the first of each two players won {wins}, drew {draws} and lost \
         {losses}. A step is c_end, the perturbation of the last iteration.</p>\n",
        walk.applied(),
        schedule.iterations,
        2 * walk.applied(),
    );
    let mut drawn = Vec::new();
    for (title, members) in groups(walk) {
        let lines: Vec<Line> = members
            .iter()
            .enumerate()
            .map(|(color, &index)| Line {
                name: schedule.parameters[index].name.clone(),
                points: line(walk, index),
                color,
            })
            .collect();
        let labels = Labels { title: &title, x: "iteration", y: "steps from the start" };
        drawn.extend(plots::lines(labels, &lines, &[0.0])?);
    }
    body += &html::plots(drawn);
    let _ = write!(body, "<h2>Values</h2>\n<pre>{}</pre>\n", escape(&table(walk)));
    let _ = write!(
        body,
        "<h2>As options</h2>\n<pre style=\"white-space: pre-wrap\">{}</pre>\n",
        escape(&as_options(walk))
    );
    Ok(html::page("The walk of the numbers of the search", &body))
}

/// Parameters that belong together by the first word of their names, a few for each plot.
fn groups(walk: &Walk) -> Vec<(String, Vec<usize>)> {
    let mut groups: Vec<(String, Vec<usize>)> = Vec::new();
    for (index, parameter) in walk.schedule().parameters.iter().enumerate() {
        let word = parameter.name.split('_').next().unwrap_or_default();
        match groups.last_mut() {
            Some((last, members)) if last == word && members.len() < DRAWN_LINES => members.push(index),
            _ => groups.push((word.to_owned(), vec![index])),
        }
    }
    groups
}

/// How far a parameter had gone after each iteration, thinned out.
fn line(walk: &Walk, index: usize) -> Vec<(f64, f64)> {
    let points = walk.points();
    let every = points.len().div_ceil(DRAWN_POINTS).max(1);
    let last = points.len() - 1;
    (0..points.len())
        .filter(|number| number % every == 0 || *number == last)
        .map(|number| (number as f64, gone(walk, index, &points[number])))
        .collect()
}
