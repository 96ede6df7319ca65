//! `data stats`: counts and plots.

use super::output_args::{Force, SkipDamaged, Threads};
use super::statistics::{LENGTH_BUCKET, Part, SCORE_BUCKET, SCORE_BUCKETS, Statistics};
use anyhow::{Context, Result, bail};
use std::fmt::{self, Write as _};
use std::path::{Path, PathBuf};
use tabiya_files::output;
use tabiya_lab_common::games::{Damage, EndReason, Origin, RawGame};
use tabiya_lab_common::html;
use tabiya_lab_common::ordered::map_in_order;
use tabiya_lab_common::plots::{self, Labels};
use tabiya_lab_common::progress::Progress;

/// Command-line arguments of `data stats`.
#[derive(clap::Args)]
pub(super) struct StatsArgs {
    /// Files of games
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// Write a page with plots
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// Write the counts as JSON
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    #[command(flatten)]
    threads: Threads,
    #[command(flatten)]
    force: Force,
    #[command(flatten)]
    damage: SkipDamaged,
}

/// Runs the command.
///
/// # Errors
/// If a file cannot be read or written, is damaged, or there is no game.
pub(super) fn run(args: &StatsArgs) -> Result<()> {
    let inputs: Vec<&Path> = args.files.iter().map(PathBuf::as_path).collect();
    let existing = args.force.existing();
    let outputs = [("--html", &args.html), ("--json", &args.json)];
    let outputs: Vec<(&str, &Path)> =
        outputs.into_iter().filter_map(|(option, path)| Some((option, path.as_deref()?))).collect();
    output::check_distinct(&outputs)?;
    for (_, path) in outputs {
        output::check(path, existing, &inputs)?;
    }
    let mut statistics = Statistics::default();
    for path in &args.files {
        add_file(path, args, &mut statistics)?;
    }
    if statistics.games == 0 {
        bail!("the files contain no game");
    }
    print!("{statistics}");
    if let Some(result) = statistics.only_result() {
        eprintln!("warning: all games have the same result, {result}; nothing can be learnt from it");
    }
    if let Some(path) = &args.html {
        output::write(path, page(&statistics)?.as_bytes(), existing, &inputs)?;
    }
    if let Some(path) = &args.json {
        let json = serde_json::to_string_pretty(&statistics)? + "\n";
        output::write(path, json.as_bytes(), existing, &inputs)?;
    }
    Ok(())
}

fn add_file(path: &Path, args: &StatsArgs, statistics: &mut Statistics) -> Result<()> {
    let mut file = args.damage.open(path, Damage::Unchecked)?;
    let mut progress = Progress::new("MiB", 0, file.size() >> 20, "");
    let next = || Ok(file.next_batch()?.map(|games| (games, file.offset())));
    let worker = || {
        Ok(|(games, end): (Vec<RawGame>, u64)| {
            let mut part = Part::default();
            games.iter().try_for_each(|game| part.add(game)).with_context(|| path.display().to_string())?;
            Ok((part, end))
        })
    };
    map_in_order(args.threads.count(), next, worker, |(part, end)| {
        statistics.add(&part);
        progress.show(end >> 20, || format!("{} games", statistics.games));
        Ok(())
    })?;
    progress.finish();
    Ok(())
}

impl fmt::Display for Statistics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let games = self.games.max(1) as f64;
        let share = |count: u64, total: u64| 100.0 * count as f64 / total.max(1) as f64;
        let [losses, draws, wins] = self.results;
        let per_game = self.positions as f64 / games;
        writeln!(f, "Games       {}, {per_game:.0} plies on average", self.games)?;
        writeln!(
            f,
            "Results     {wins} White wins, {draws} draws ({:.1} %), {losses} Black wins",
            share(draws, self.games)
        )?;
        let list = |names: &mut dyn Iterator<Item = (String, u64)>| {
            let used = names.filter(|&(_, count)| count > 0);
            used.map(|(name, count)| format!("{name} {count}")).collect::<Vec<_>>().join(", ")
        };
        let named = |origin: &Origin| origin.to_string();
        writeln!(f, "Starts      {}", list(&mut Origin::ALL.iter().map(named).zip(self.origins)))?;
        let named = |reason: &EndReason| reason.to_string();
        writeln!(f, "Endings     {}", list(&mut EndReason::ALL.iter().map(named).zip(self.endings)))?;
        writeln!(
            f,
            "Positions   {}, {} ({:.1} %) in the default selection of `data export`",
            self.positions,
            self.selected,
            share(self.selected, self.positions)
        )?;
        writeln!(
            f,
            "            {:.1} % in check, {:.1} % with a mate score, {:.1} % repeated{}",
            share(self.in_check, self.positions),
            share(self.mates, self.positions),
            100.0 * self.duplicates.share(),
            if self.duplicates.interval > 1 { " (estimated)" } else { "" }
        )?;
        writeln!(f, "\nphase      positions")?;
        for (first, counts) in (0..).step_by(4).zip(self.phases.chunks(4)) {
            let count = counts.iter().sum();
            let range = format!("{first}-{}", first + counts.len() - 1);
            writeln!(f, "{range:<8} {count:>11} {:>5.1} %", share(count, self.positions))?;
        }
        writeln!(f, "\nWhite's score (pawns)")?;
        for (bucket, &count) in (-SCORE_BUCKETS..).zip(&self.scores) {
            let pawns = f64::from(bucket * SCORE_BUCKET) / 100.0;
            writeln!(f, "{pawns:<+8.1} {count:>11} {:>5.1} %", share(count, self.positions))?;
        }
        Ok(())
    }
}

/// Returns a page with plots.
fn page(statistics: &Statistics) -> Result<String> {
    let text = format!("<pre>{}</pre>\n", html::escape(&statistics.to_string()));
    let scores = (-SCORE_BUCKETS..=SCORE_BUCKETS).map(|bucket| format!("{}", bucket * SCORE_BUCKET / 100));
    let phases = (0..statistics.phases.len()).map(|phase| phase.to_string());
    let lengths = (0..statistics.lengths.len()).map(|bucket| (bucket * LENGTH_BUCKET).to_string());
    let results = ["Black wins", "draws", "White wins"].map(str::to_owned);
    let svgs = [
        bars("White's score, in pawns", "positions", scores, &statistics.scores)?,
        bars("Game phase (24: all pieces)", "positions", phases, &statistics.phases)?,
        bars("Length, in plies", "games", lengths, &statistics.lengths)?,
        bars("Results", "games", results, &statistics.results)?,
    ];
    let kings = heat_map("King of the side to move", &statistics.own_king)
        + &heat_map("King of the opponent", &statistics.other_king);
    let body =
        text + &html::plots(svgs.into_iter().flatten()) + "<h2>Kings, each from its own side</h2>\n" + &kings;
    Ok(html::page("Self-play games", &body))
}

fn bars(
    title: &str,
    unit: &str,
    labels: impl IntoIterator<Item = String>,
    counts: &[u64],
) -> Result<Option<String>> {
    let labels: Vec<String> = labels.into_iter().collect();
    let groups: Vec<Vec<f64>> = counts.iter().map(|&count| vec![count as f64]).collect();
    plots::bars(Labels { title, x: "", y: unit }, &labels, &[unit.to_owned()], &groups)
}

/// Returns a table of the squares, a8 first, each with its share in per cent and a colour of that depth.
fn heat_map(title: &str, counts: &[u64]) -> String {
    let total = counts.iter().sum::<u64>().max(1) as f64;
    let highest = counts.iter().copied().max().unwrap_or(0).max(1) as f64;
    let mut html = format!("<table><caption>{}</caption>\n", html::escape(title));
    for rank in counts.chunks(8).rev() {
        html += "<tr>";
        for &count in rank {
            // The eye sees the root of the share better than the share: most kings stand on few squares.
            let depth = (count as f64 / highest).sqrt();
            // Writing to a string cannot fail.
            let _ = write!(
                html,
                "<td style=\"background: rgb(0 114 178 / {depth:.2})\">{:.1}</td>",
                100.0 * count as f64 / total
            );
        }
        html += "</tr>\n";
    }
    html + "</table>\n"
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::statistics::tests::statistics_of;
    use tabiya_lab_common::games::test_games::random_games;

    #[test]
    fn text_and_page_show_all_counts() {
        let statistics = statistics_of(&random_games(30, 16));
        let text = statistics.to_string();
        for part in
            ["Games       30, ", "standard 10, Chess960 10, double Chess960 10", "20-23", "24-24", "+15.0"]
        {
            assert!(text.contains(part), "{part}: {text}");
        }
        let page = page(&statistics).unwrap();
        assert_eq!(page.matches("<svg").count(), 4);
        assert_eq!(page.matches("<td style").count(), 128);
    }
}
