//! Plot of the percentage of positions solved over time.

use super::results::{EpdResults, SuiteResult};
use anyhow::Result;
use plotters::prelude::*;
use tabiya_lab_common::plots::{self, Area, DrawError};

/// Size of the plot in pixels.
const SIZE: (u32, u32) = (960, 540);

/// Draws one line per suite as SVG, with the baseline in a paler shade.
///
/// # Errors
/// If the drawing library fails.
pub(super) fn svg(report: &EpdResults, baseline: Option<&EpdResults>) -> Result<String> {
    plots::draw(SIZE, |area| draw(area, report, baseline))
}

fn draw(area: &Area<'_>, report: &EpdResults, baseline: Option<&EpdResults>) -> Result<(), DrawError> {
    let suites = || report.suites.iter().chain(baseline.iter().flat_map(|report| &report.suites));
    let times = || suites().flat_map(|suite| &suite.answers).filter_map(|answer| answer.seconds_to_solution);
    let last = times().fold(0.01, f64::max);
    let first = times().fold(last / 10.0, f64::min).max(1e-4);
    let mut chart = ChartBuilder::on(area)
        .caption(format!("{} (go {})", report.engine, report.limit), ("sans-serif", 20))
        .margin(12)
        .x_label_area_size(36)
        .y_label_area_size(48)
        .build_cartesian_2d((first..last).log_scale(), 0.0..100.0)?;
    chart.configure_mesh().max_light_lines(2).x_desc("seconds").y_desc("% solved").draw()?;
    for (index, suite) in report.suites.iter().enumerate() {
        let color = Palette99::pick(index).to_rgba();
        if let Some(before) =
            baseline.and_then(|report| report.suites.iter().find(|before| before.name == suite.name))
        {
            chart
                .draw_series(LineSeries::new(steps(before, first, last), color.mix(0.35).stroke_width(2)))?;
        }
        chart
            .draw_series(LineSeries::new(steps(suite, first, last), color.stroke_width(2)))?
            .label(format!("{} {}/{}", suite.name, suite.solved(), suite.answers.len()))
            .legend(move |(x, y)| PathElement::new([(x, y), (x + 18, y)], color.stroke_width(2)));
    }
    plots::draw_legend(&mut chart, SeriesLabelPosition::UpperLeft)
}

/// Returns the corners of a step function that rises by one position at each solution time.
fn steps(suite: &SuiteResult, first: f64, last: f64) -> Vec<(f64, f64)> {
    let mut times: Vec<_> = suite.answers.iter().filter_map(|answer| answer.seconds_to_solution).collect();
    times.sort_by(f64::total_cmp);
    let percent = |solved: usize| 100.0 * solved as f64 / suite.answers.len().max(1) as f64;
    let mut corners = vec![(first, 0.0)];
    for (index, time) in times.into_iter().enumerate() {
        let time = time.clamp(first, last);
        corners.extend([(time, percent(index)), (time, percent(index + 1))]);
    }
    corners.push((last, corners.last().map_or(0.0, |&(_, percent)| percent)));
    corners
}

#[cfg(test)]
mod tests {
    use super::super::results::Answer;
    use super::*;

    fn suite(times: &[Option<f64>]) -> SuiteResult {
        let answer = |&time: &Option<f64>| Answer {
            id: "x".to_owned(),
            chosen: "Ke2".to_owned(),
            solved: time.is_some(),
            seconds_to_solution: time,
            nodes_to_solution: time.map(|_| 1),
            points: 0,
            max_points: 0,
            seconds: 1.0,
            nodes: 1,
            error: None,
        };
        SuiteResult { name: "wac".to_owned(), answers: times.iter().map(answer).collect() }
    }

    #[test]
    fn line_rises_at_each_solution() {
        let steps = steps(&suite(&[Some(0.5), None, Some(0.1), None]), 0.01, 1.0);
        let expected = [(0.01, 0.0), (0.1, 0.0), (0.1, 25.0), (0.5, 25.0), (0.5, 50.0), (1.0, 50.0)];
        assert_eq!(steps, expected);
    }

    #[test]
    fn draws_even_if_nothing_is_solved() {
        for times in [&[][..], &[None], &[Some(0.0)], &[Some(0.2), Some(3.0)]] {
            let suites = vec![suite(times)];
            let report = EpdResults { engine: "X <1>".to_owned(), limit: "depth 3".to_owned(), suites };
            let text = svg(&report, Some(&report)).unwrap();
            assert!(text.starts_with("<svg") && text.contains("</svg>"), "{text}");
            assert!(text.contains("X &lt;1&gt;"), "{text}");
        }
    }
}
