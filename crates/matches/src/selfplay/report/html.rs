use super::{MatchReport, MoveAverages};
use crate::selfplay::history::Point;
use crate::selfplay::plan::Plan;
use crate::selfplay::run_folder::{GAMES_PAGE, State};
use crate::selfplay::scoreboard::{SCORE_BAR, SCORE_BARS};
use anyhow::Result;
use std::fmt::Write as _;
use tabiya_lab_common::html::{self, escape};
use tabiya_lab_common::plots::{Labels, Line, bars, lines, with_interval};

/// Returns the HTML report.
pub(super) fn page(state: &State, report: &MatchReport<'_>) -> Result<String> {
    let summary = report.summary;
    let mut html = String::new();
    // Writing to a string cannot fail.
    let _ = writeln!(html, "<pre>{}</pre>", escape(&summary.to_string()));
    let _ = writeln!(html, "<p><a href=\"{GAMES_PAGE}\">The games, on a board</a></p>");
    if let Some(ratings) = report.ratings {
        let _ = write!(html, "<h2>Ratings</h2>\n<pre>{}</pre>\n", escape(&ratings.to_string()));
    }
    html.push_str(&html::plots(plots(state, report)?.into_iter().flatten()));
    players(&mut html, report);
    settings(&mut html, &state.plan);
    incidents(&mut html, report);
    Ok(html::page(&summary.title(), &html))
}

fn names(state: &State) -> Vec<String> {
    state.plan.players.iter().map(|player| player.name().to_owned()).collect()
}

fn plots(state: &State, report: &MatchReport<'_>) -> Result<Vec<Option<String>>> {
    let names = names(state);
    let mut plots = Vec::new();
    if let [pairing] = report.summary.pairings.as_slice() {
        let curve = &report.history.curves[0];
        if let Some(sprt) = &pairing.sprt {
            plots.push(curve.llr_plot(sprt)?);
        }
        let point = |point: &Point| Some((point.games as f64, point.elo?, point.margin?));
        let elo: Vec<_> = curve.points.iter().filter_map(point).collect();
        let labels = Labels { title: "Elo with 95 % interval", x: "games", y: "Elo" };
        plots.push(lines(labels, &with_interval("Elo", &elo), &[0.0])?);
        let labels = Labels { title: "Game pairs by points", x: "", y: "pairs" };
        let groups: Vec<Vec<f64>> = pairing.ptnml.iter().map(|&count| vec![count as f64]).collect();
        let points = ["0", "½", "1", "1½", "2"].map(str::to_owned);
        plots.push(bars(labels, &points, std::slice::from_ref(&pairing.first), &groups)?);
    } else {
        if let Some(scaling) = &report.summary.scaling {
            plots.push(scaling.plot()?);
        }
        let curves: Vec<Line> = report
            .history
            .curves
            .iter()
            .zip(&report.summary.pairings)
            .enumerate()
            .map(|(color, (curve, pairing))| Line {
                name: format!("{} - {}", pairing.first, pairing.second),
                points: curve
                    .points
                    .iter()
                    .filter_map(|point| Some((point.games as f64, point.elo?)))
                    .collect(),
                color,
            })
            .collect();
        let labels = Labels { title: "Elo of the first player", x: "games", y: "Elo" };
        plots.push(lines(labels, &curves, &[0.0])?);
    }

    let counts = &report.score_histogram.counts;
    let bars_count = 2 * SCORE_BARS + 1;
    let groups: Vec<Vec<f64>> = (0..bars_count)
        .map(|bar| {
            counts
                .iter()
                .map(|counts| {
                    let total = counts.iter().sum::<u64>().max(1);
                    100.0 * counts[bar] as f64 / total as f64
                })
                .collect()
        })
        .collect();
    let bar_labels: Vec<String> = (0..bars_count)
        .map(|bar| format!("{:+.1}", (bar as f64 - SCORE_BARS as f64) * f64::from(SCORE_BAR) / 100.0))
        .collect();
    let labels = Labels {
        title: "Reported scores, from the point of view of the side to move",
        x: "",
        y: "% of moves",
    };
    plots.push(bars(labels, &bar_labels, &names, &groups)?);

    for (title, y, value) in [
        ("Nodes by move", "nodes", (|average| average.nodes) as fn(&MoveAverages) -> f64),
        ("Depth by move", "plies", |average| average.depth),
        ("Time by move", "seconds", |average| average.seconds),
    ] {
        let by_player: Vec<Line> = names
            .iter()
            .zip(&report.by_move)
            .enumerate()
            .map(|(color, (name, averages))| Line {
                name: name.clone(),
                points: frequent(averages).map(|average| (average.number as f64, value(average))).collect(),
                color,
            })
            .collect();
        plots.push(lines(Labels { title, x: "move", y }, &by_player, &[0.0])?);
    }
    Ok(plots)
}

/// Returns the move numbers reached by enough games to average over.
fn frequent(averages: &[MoveAverages]) -> impl Iterator<Item = &MoveAverages> {
    let max = averages.iter().map(|average| average.moves).max().unwrap_or(0);
    averages.iter().filter(move |average| 20 * average.moves >= max)
}

fn players(html: &mut String, report: &MatchReport<'_>) {
    html.push_str(
        "<h2>Players</h2>\n<table>\n<tr><th>name</th><th>limits</th><th>moves</th><th>nodes</th>\
         <th>depth</th><th>s/move</th><th>nodes/s</th><th>faults</th><th>warnings</th>\
         <th>command and options</th></tr>\n",
    );
    for player in &report.summary.players {
        let faults: Vec<String> =
            player.faults.iter().map(|(reason, count)| format!("{reason} {count}")).collect();
        let faults = if faults.is_empty() { "none".to_owned() } else { faults.join(", ") };
        let options: Vec<String> =
            player.options.iter().map(|(name, value)| format!("{name}={value}")).collect();
        let _ = writeln!(
            html,
            "<tr><td>{}</td><td>{}</td><td>{}</td><td>{:.0}</td><td>{:.1}</td><td>{:.4}</td><td>{:.0}</td>\
             <td>{}</td><td>{}</td><td class=\"text\">{} {}</td></tr>",
            escape(&player.name),
            escape(&player.limits),
            player.moves,
            player.nodes_per_move,
            player.depth,
            player.seconds_per_move,
            player.nodes_per_second,
            escape(&faults),
            player.warnings,
            escape(&player.command),
            escape(&options.join(" ")),
        );
    }
    html.push_str("</table>\n");
    for player in &report.summary.players {
        let files = player
            .files
            .iter()
            .map(|file| format!("{}: {} ({:016x})", file.option, file.path.display(), file.fingerprint));
        let lines: Vec<String> = files.chain(player.notes.iter().cloned()).collect();
        if !lines.is_empty() {
            let _ = write!(
                html,
                "<h3>{}: files and messages</h3>\n<pre>{}</pre>\n",
                escape(&player.name),
                escape(&lines.join("\n"))
            );
        }
    }
}

fn settings(html: &mut String, plan: &Plan) {
    let openings = &plan.openings;
    let book = openings.file.as_ref().map_or("built-in".to_owned(), |file| file.display().to_string());
    let order = openings.seed.map_or("in book order".to_owned(), |seed| format!("shuffled, seed {seed}"));
    let adjudication = &plan.adjudication;
    let draw = adjudication.draw.map_or("never".to_owned(), |rule| {
        format!("from move {}, {} moves within ±{} centipawns", rule.from_move, rule.moves, rule.score)
    });
    let resign = adjudication.resign.map_or("never".to_owned(), |rule| {
        let engines = if rule.one_sided { "the losing engine" } else { "both engines" };
        format!("{} moves beyond {} centipawns by {engines}", rule.moves, rule.score)
    });
    let longest = adjudication.max_moves.map_or("unlimited".to_owned(), |moves| format!("{moves} moves"));
    html.push_str("<h2>Settings</h2>\n<table>\n");
    for (name, value) in [
        ("Openings", format!("{book}, {order}, {} skipped", openings.skip)),
        ("Draw adjudicated", draw),
        ("Win adjudicated", resign),
        ("Longest game", longest),
        ("Time margin", format!("{} ms", plan.timeouts.margin)),
        ("Chess960", if plan.chess960 { "yes" } else { "no" }.to_owned()),
    ] {
        let _ = writeln!(html, "<tr><td>{name}</td><td class=\"text\">{}</td></tr>", escape(&value));
    }
    html.push_str("</table>\n");
}

fn incidents(html: &mut String, report: &MatchReport<'_>) {
    if report.incidents.is_empty() {
        return;
    }
    html.push_str("<h2>Incidents</h2>\n");
    for line in &report.incidents {
        let _ = writeln!(
            html,
            "<h3>Round {}.{}: {} - {} {}</h3>",
            line.id.pair + 1,
            line.id.game + 1,
            escape(&line.white),
            escape(&line.black),
            escape(&line.result),
        );
        let text: Vec<&str> =
            line.fault.iter().chain(&line.transcript).chain(&line.warnings).map(String::as_str).collect();
        let _ = writeln!(html, "<pre>{}</pre>", escape(&text.join("\n")));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::selfplay::test_data;

    #[test]
    fn settings_say_whose_scores_end_a_game() {
        let settings_of = |rule: &str| {
            let mut plan = test_data::plan();
            plan.adjudication.resign = Some(rule.parse().unwrap());
            let mut html = String::new();
            settings(&mut html, &plan);
            html
        };
        assert!(settings_of("3,600").contains("3 moves beyond 600 centipawns by both engines"));
        assert!(
            settings_of("3,600,one-sided").contains("3 moves beyond 600 centipawns by the losing engine")
        );
    }
}
