//! SVG plots for reports.

use anyhow::{Result, anyhow};
use plotters::coord::{CoordTranslate, Shift};
use plotters::prelude::*;
use std::ops::Range;

/// Size of a plot in pixels; the page scales it.
const SIZE: (u32, u32) = (640, 300);

/// Palette for all kinds of colour vision (M. Okabe, K. Ito, "Color Universal Design").
const COLORS: [RGBColor; 6] = [
    RGBColor(0, 114, 178),
    RGBColor(213, 94, 0),
    RGBColor(0, 158, 115),
    RGBColor(204, 121, 167),
    RGBColor(230, 159, 0),
    RGBColor(86, 180, 233),
];

const GRID: RGBColor = RGBColor(225, 225, 225);

/// A series of a line plot.
pub struct Line {
    /// Name in the legend. A line without a name is thin and missing from the legend.
    pub name: String,
    /// The points, by x.
    pub points: Vec<(f64, f64)>,
    /// Index into the palette, modulo its size.
    pub color: usize,
}

/// Title and axis labels of a plot.
#[derive(Clone, Copy)]
pub struct Labels<'a> {
    /// Title.
    pub title: &'a str,
    /// Label of the x axis.
    pub x: &'a str,
    /// Label of the y axis.
    pub y: &'a str,
}

/// Returns the lines of values with intervals: the values, and thin lines at both ends of the intervals. Each point is x, the value and
/// half the width of its interval; those with an infinite one are left out.
pub fn with_interval(name: &str, points: &[(f64, f64, f64)]) -> [Line; 3] {
    [(name, 0.0), ("", 1.0), ("", -1.0)].map(|(name, sign)| {
        let finite = points.iter().filter(|(_, _, margin)| margin.is_finite());
        let points = finite.map(|&(x, value, margin)| (x, value + sign * margin)).collect();
        Line { name: name.to_owned(), points, color: 0 }
    })
}

/// Draws a line plot as SVG, with a thin horizontal line at each height in `marks`. Returns `None` if there
/// is no finite point to draw.
///
/// # Errors
/// If the drawing library fails.
pub fn lines(labels: Labels<'_>, lines: &[Line], marks: &[f64]) -> Result<Option<String>> {
    let all = || lines.iter().flat_map(|line| &line.points);
    let Some(x) = range(all().map(|point| point.0)) else { return Ok(None) };
    let Some(y) = range(all().map(|point| point.1).chain(marks.iter().copied())) else { return Ok(None) };
    draw(SIZE, |area| {
        let mut chart = chart_builder(area, labels.title).build_cartesian_2d(x.clone(), padded(y))?;
        chart
            .configure_mesh()
            .light_line_style(WHITE)
            .bold_line_style(GRID)
            .x_desc(labels.x)
            .y_desc(labels.y)
            .x_label_formatter(&|value| tick(*value))
            .y_label_formatter(&|value| tick(*value))
            .draw()?;
        for &mark in marks {
            chart.draw_series(LineSeries::new([(x.start, mark), (x.end, mark)], BLACK.mix(0.5)))?;
        }
        for line in lines {
            let color = COLORS[line.color % COLORS.len()];
            let style = color.stroke_width(if line.name.is_empty() { 1 } else { 2 });
            let drawn = chart.draw_series(LineSeries::new(line.points.iter().copied(), style))?;
            if !line.name.is_empty() {
                drawn.label(&line.name).legend(move |(x, y)| PathElement::new([(x, y), (x + 16, y)], style));
            }
        }
        if lines.iter().filter(|line| !line.name.is_empty()).count() > 1 {
            draw_legend(&mut chart, SeriesLabelPosition::UpperRight)?;
        }
        Ok(())
    })
    .map(Some)
}

/// Draws a grouped bar chart as SVG: `groups` holds, for each group label, one height per series. Returns `None` if
/// all heights are 0.
///
/// # Errors
/// If the drawing library fails.
pub fn bars(
    labels: Labels<'_>,
    group_labels: &[String],
    series_names: &[String],
    groups: &[Vec<f64>],
) -> Result<Option<String>> {
    let highest = groups.iter().flatten().copied().fold(0.0, f64::max);
    if highest == 0.0 {
        return Ok(None);
    }
    // At most 12 labels fit side by side.
    let label_step = group_labels.len().div_ceil(12).max(1);
    draw(SIZE, |area| {
        let count = groups.len() as f64;
        let mut chart =
            chart_builder(area, labels.title).build_cartesian_2d(0.0..count, 0.0..highest * 1.05)?;
        chart
            .configure_mesh()
            .disable_x_mesh()
            .disable_x_axis()
            .light_line_style(WHITE)
            .bold_line_style(GRID)
            .y_desc(labels.y)
            .y_label_formatter(&|value| tick(*value))
            .draw()?;
        let width = 0.8 / series_names.len() as f64;
        for (series, name) in series_names.iter().enumerate() {
            let color = COLORS[series % COLORS.len()];
            chart
                .draw_series(groups.iter().enumerate().map(|(index, heights)| {
                    let left = index as f64 + 0.1 + width * series as f64;
                    Rectangle::new([(left, 0.0), (left + width, heights[series])], color.filled())
                }))?
                .label(name)
                .legend(move |(x, y)| Rectangle::new([(x, y - 4), (x + 12, y + 4)], color.filled()));
        }
        let (_, bottom) = chart.plotting_area().get_pixel_range();
        for (index, label) in group_labels.iter().enumerate().step_by(label_step) {
            let (x, _) = chart.plotting_area().map_coordinate(&(index as f64 + 0.5, 0.0));
            let style = ("sans-serif", 11).into_text_style(area).pos(plotters::style::text_anchor::Pos::new(
                plotters::style::text_anchor::HPos::Center,
                plotters::style::text_anchor::VPos::Top,
            ));
            area.draw_text(label, &style, (x, bottom.end + 6))?;
        }
        if series_names.len() > 1 {
            draw_legend(&mut chart, SeriesLabelPosition::UpperRight)?;
        }
        Ok(())
    })
    .map(Some)
}

/// An area to draw on.
pub type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;
/// An error of the drawing library.
pub type DrawError = Box<dyn std::error::Error>;

/// Draws on a white area of the given size, in pixels, and returns it as SVG.
///
/// # Errors
/// If the drawing library fails.
pub fn draw(size: (u32, u32), body: impl FnOnce(&Area<'_>) -> Result<(), DrawError>) -> Result<String> {
    let mut svg = String::new();
    {
        let area = SVGBackend::with_string(&mut svg, size).into_drawing_area();
        let result = area.fill(&WHITE).map_err(DrawError::from).and_then(|()| {
            body(&area)?;
            area.present().map_err(DrawError::from)
        });
        result.map_err(|error| anyhow!("cannot draw a plot: {error}"))?;
    }
    Ok(svg)
}

/// A chart with a title, and space for the labels of both axes.
fn chart_builder<'a, 'b>(area: &'a Area<'b>, title: &str) -> ChartBuilder<'a, 'a, SVGBackend<'b>> {
    let mut builder = ChartBuilder::on(area);
    builder
        .caption(title, ("sans-serif", 16))
        .margin(8)
        .margin_right(24)
        .x_label_area_size(36)
        .y_label_area_size(64);
    builder
}

/// Draws the names of the series in a box.
///
/// # Errors
/// If the drawing library fails.
pub fn draw_legend<'a, C: CoordTranslate>(
    chart: &mut ChartContext<'a, SVGBackend<'a>, C>,
    position: SeriesLabelPosition,
) -> Result<(), DrawError> {
    chart
        .configure_series_labels()
        .position(position)
        .background_style(WHITE.mix(0.8))
        .border_style(GRID)
        .draw()
        .map_err(DrawError::from)
}

/// Range of the finite values, widened if they are all equal; `None` if there are none.
fn range(values: impl Iterator<Item = f64>) -> Option<Range<f64>> {
    let (min, max) = values
        .filter(|value| value.is_finite())
        .fold((f64::INFINITY, f64::NEG_INFINITY), |(min, max), value| (min.min(value), max.max(value)));
    if min > max {
        return None;
    }
    Some(if min == max { min - 0.5..max + 0.5 } else { min..max })
}

/// Formats a number with up to four decimals, without trailing zeros.
fn tick(value: f64) -> String {
    let text = format!("{value:.4}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0".to_owned() } else { text.to_owned() }
}

fn padded(range: Range<f64>) -> Range<f64> {
    let margin = 0.05 * (range.end - range.start);
    range.start - margin..range.end + margin
}

#[cfg(test)]
mod tests {
    use super::*;

    const LABELS: Labels<'_> = Labels { title: "<Title & Co>", x: "x", y: "y" };

    #[test]
    fn intervals_are_lines_around_the_values() {
        let [values, high, low] = with_interval("Elo", &[(1.0, 5.0, 2.0), (2.0, 7.0, f64::INFINITY)]);
        assert_eq!((values.name.as_str(), high.name.as_str()), ("Elo", ""));
        assert_eq!([values.points, high.points, low.points], [[(1.0, 5.0)], [(1.0, 7.0)], [(1.0, 3.0)]]);
    }

    #[test]
    fn draws_lines() {
        let line = |name: &str, points: &[(f64, f64)]| Line {
            name: name.to_owned(),
            points: points.to_vec(),
            color: 0,
        };
        let two = [line("a", &[(0.0, 1.0), (1.0, -2.0)]), line("b", &[(0.5, 0.5)])];
        let svg = lines(LABELS, &two, &[3.0]).unwrap().unwrap();
        assert!(svg.starts_with("<svg") && svg.trim_end().ends_with("</svg>"));
        assert!(svg.contains("&lt;Title &amp; Co&gt;"));
        assert!(lines(LABELS, &[], &[]).unwrap().is_none());
        assert!(lines(LABELS, &[line("nan", &[(f64::NAN, f64::NAN)])], &[]).unwrap().is_none());
    }

    #[test]
    fn ticks_have_no_trailing_zeros() {
        for (value, text) in [(10.0, "10"), (-0.00001, "0"), (0.30000000000000004, "0.3"), (-2.5, "-2.5")] {
            assert_eq!(tick(value), text);
        }
    }

    #[test]
    fn draws_bars() {
        let texts = |texts: &[&str]| texts.iter().map(|&text| text.to_owned()).collect::<Vec<_>>();
        let groups = [vec![1.0, 2.0], vec![3.0, 0.0]];
        let svg = bars(LABELS, &texts(&["0", "1"]), &texts(&["new", "base"]), &groups).unwrap().unwrap();
        assert!(svg.matches("<rect").count() > 4);
        assert!(bars(LABELS, &texts(&["0"]), &texts(&["new"]), &[vec![0.0]]).unwrap().is_none());
    }
}
