//! `cargo xtask report`: the matches of a folder in one page, over time.

mod commits;
mod live;

use crate::selfplay::run_folder::{self, GAMES_PAGE, REPORT_PAGE};
use crate::selfplay::summary::{PairingSummary, Summary};
use crate::stats::Interval;
use anyhow::{Context, Result, bail};
use commits::Bench;
use jiff::Timestamp;
use live::Live;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use tabiya_files::input;
use tabiya_files::output::{self, Existing};
use tabiya_lab_common::html::{self, escape};
use tabiya_lab_common::plots::{Labels, Line, lines, with_interval};

/// Depth of folders below the given one in which matches are looked for.
const MAX_DEPTH: usize = 3;

/// The first line of a page, by which an earlier one is recognised.
const PAGE_START: &str = "<!doctype html><!-- written by cargo xtask report -->\n";

/// The pages of a match.
const PAGES: [&str; 2] = [REPORT_PAGE, GAMES_PAGE];

/// Command-line arguments of `report`.
#[derive(clap::Args)]
#[command(after_help = "\
Every folder with the files of a match of `selfplay`, `gauntlet` or `scaling` is listed, finished or not, in the order of the last game,
with links to its report and to its games on a board. The plots show Elo and speed by match, and the node counts of `bench`
that the commits of this repository state. Matches that are being played are shown in detail: score, pairs, the test and its
log-likelihood ratio, speed and clocks.")]
pub struct OverviewArgs {
    /// Folder with the folders of matches [default: where selfplay and gauntlet put them]
    #[arg(value_name = "DIR")]
    folder: Option<PathBuf>,
    /// Output file [default: index.html in DIR]; links in it are relative to DIR
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Replace the output file; not needed for the page that an earlier call without --out wrote
    #[arg(long)]
    force: bool,
    /// Print the state of the matches that are being played every few seconds, and keep the page up to date, until none is
    #[arg(long)]
    watch: bool,
}

/// A match of the table.
struct Match {
    /// Path relative to the folder of all matches, with slashes.
    folder: String,
    /// Time of the last game.
    time: Timestamp,
    summary: Summary,
    /// The course of the match if a process is playing it.
    live: Option<Live>,
    /// The pages in the folder, which are written when a session ends.
    pages: Vec<&'static str>,
}

/// A row of the table: a pairing of a match.
struct Row<'a> {
    number: usize,
    of: &'a Match,
    pairing: &'a PairingSummary,
}

/// Runs the command.
///
/// # Errors
/// If the folder cannot be read or has no match, or the page cannot be written.
pub fn run(args: &OverviewArgs) -> Result<()> {
    let folder = match &args.folder {
        Some(folder) => folder.clone(),
        None => tabiya_workspace::repository::runs_folder("matches"),
    };
    let out = args.out.clone().unwrap_or_else(|| folder.join("index.html"));
    // Without `--out` the page of an earlier call is replaced, but no other file of that name.
    let existing = Existing::from_force(args.force || (args.out.is_none() && is_own_page(&out)));
    let benches = commits::benches().unwrap_or_else(|error| {
        eprintln!("the page has no plot of bench: {error:#}");
        Vec::new()
    });
    let matches = write_page(&folder, &out, existing, &benches)?;
    let count = if matches.len() == 1 { "1 match".to_owned() } else { format!("{} matches", matches.len()) };
    println!("{count}: {}", out.display());
    if args.watch {
        // The page is now this command's own.
        live::watch(matches, || write_page(&folder, &out, Existing::Replace, &benches))?;
    }
    Ok(())
}

/// Finds the matches and writes the page.
fn write_page(folder: &Path, out: &Path, existing: Existing, benches: &[Bench]) -> Result<Vec<Match>> {
    let matches = find(folder)?;
    if matches.is_empty() {
        bail!("{} has no folder of a match", folder.display());
    }
    let inputs: Vec<PathBuf> =
        matches.iter().flat_map(|found| run_folder::files(&folder.join(&found.folder))).collect();
    let inputs: Vec<&Path> = inputs.iter().map(PathBuf::as_path).collect();
    output::check(out, existing, &inputs)?;
    output::write(out, page(&matches, benches)?.as_bytes(), existing, &inputs)?;
    Ok(matches)
}

/// Returns true if the file was written by this command.
fn is_own_page(path: &Path) -> bool {
    let mut start = [0; PAGE_START.len()];
    let read = input::open(path).and_then(|mut file| input::read_up_to(&mut file, &mut start));
    read.is_ok() && start == *PAGE_START.as_bytes()
}

/// Finds the matches below a folder, by time. A damaged one is reported and left out.
fn find(folder: &Path) -> Result<Vec<Match>> {
    let mut matches = Vec::new();
    let mut folders = vec![(folder.to_path_buf(), 0)];
    while let Some((current, depth)) = folders.pop() {
        match run_folder::read_state(&current) {
            Ok(None) if depth < MAX_DEPTH => {
                let entries = std::fs::read_dir(&current)
                    .with_context(|| format!("cannot read the folder {}", current.display()))?;
                for entry in entries {
                    let entry = entry?;
                    if entry.file_type()?.is_dir() {
                        folders.push((entry.path(), depth + 1));
                    }
                }
            }
            Ok(None) => {}
            Ok(Some((state, time))) => {
                let relative = current.strip_prefix(folder).unwrap_or(&current);
                let live = Live::of(&current, &state);
                let names: Vec<_> = relative.iter().map(|name| name.to_string_lossy()).collect();
                matches.push(Match {
                    folder: if names.is_empty() { ".".to_owned() } else { names.join("/") },
                    time: Timestamp::try_from(time).unwrap_or_default(),
                    summary: Summary::new(&state),
                    live,
                    pages: PAGES.into_iter().filter(|page| current.join(page).is_file()).collect(),
                });
            }
            Err(error) => eprintln!("left out: {error:#}"),
        }
    }
    matches.sort_by(|a, b| (a.time, &a.folder).cmp(&(b.time, &b.folder)));
    Ok(matches)
}

fn page(matches: &[Match], benches: &[Bench]) -> Result<String> {
    let rows: Vec<Row<'_>> = matches
        .iter()
        .flat_map(|of| of.summary.pairings.iter().map(move |pairing| (of, pairing)))
        .zip(1..)
        .map(|((of, pairing), number)| Row { number, of, pairing })
        .collect();
    let mut html = String::new();
    for found in matches {
        if let Some(live) = &found.live {
            html.push_str(&live.section(&found.summary)?);
        }
    }
    html.push_str(&html::plots(plots(&rows, benches)?.into_iter().flatten()));
    html.push_str(
        "<h2>Matches</h2>\n<table>\n<tr><th>no.</th><th>last game (UTC)</th><th>match</th><th>limits</th>\
         <th>games</th><th>won, drawn, lost</th><th>pairs</th><th>Elo</th><th>test</th><th>nodes/s, first to second</th>\
         <th>faults</th><th></th></tr>\n",
    );
    for row in &rows {
        // Writing to a string cannot fail.
        let _ = writeln!(html, "{}", table_row(row));
    }
    html.push_str("</table>\n");
    let page = html::page("Matches", &html).replacen("<!doctype html>\n", PAGE_START, 1);
    let is_live = matches.iter().any(|found| found.live.is_some());
    Ok(if is_live { page.replacen("<head>\n", live::HEAD, 1) } else { page })
}

fn table_row(row: &Row<'_>) -> String {
    let Row { number, of, pairing } = row;
    let summary = &of.summary;
    let faults: u64 = summary.players.iter().flat_map(|player| player.faults.values()).sum();
    let limits = player(row, &pairing.first).map_or("", |player| &player.limits);
    let state = match (summary.finish, &of.live) {
        (Some(_), _) => "",
        (None, Some(_)) => " (running)",
        (None, None) => " (interrupted)",
    };
    let sprt = pairing.sprt.map_or(String::new(), |sprt| {
        let verdict = sprt.verdict.map_or(String::new(), |verdict| format!(": {verdict}"));
        format!("{sprt}{verdict}")
    });
    let folder = escape(&of.folder);
    let link = |page: &&str| format!("<a href=\"{folder}/{page}\">{}</a>", page.trim_end_matches(".html"));
    let links = of.pages.iter().map(link).collect::<Vec<_>>().join(" ");
    format!(
        "<tr><td>{number}</td><td>{}</td><td class=\"text\">{}: {} – {}{state}</td><td>{}</td><td>{}</td>\
         <td>{}, {}, {}</td><td>{:?}</td><td>{}</td><td class=\"text\">{}</td><td>{}</td><td>{faults}</td><td>{links}</td></tr>",
        of.time.strftime("%Y-%m-%d %H:%M"),
        escape(&summary.event),
        escape(&pairing.first),
        escape(&pairing.second),
        escape(limits),
        pairing.wins + pairing.draws + pairing.losses,
        pairing.wins,
        pairing.draws,
        pairing.losses,
        pairing.ptnml,
        elo(pairing).map_or("–".to_owned(), |elo| elo.to_string()),
        escape(&sprt),
        speed_ratio(row).map_or("–".to_owned(), |ratio| format!("{ratio:.3}")),
    )
}

fn plots(rows: &[Row<'_>], benches: &[Bench]) -> Result<Vec<Option<String>>> {
    let point = |row: &Row<'_>| elo(row.pairing).map(|elo| (row.number as f64, elo.value, elo.margin));
    let elo_points: Vec<_> = rows.iter().filter_map(point).collect();
    let elo_labels = Labels { title: "Elo of the first player, with 95 % interval", x: "match", y: "Elo" };
    let point = |row: &Row<'_>| Some((row.number as f64, speed_ratio(row)?));
    let speed = Line { name: "speed".to_owned(), points: rows.iter().filter_map(point).collect(), color: 1 };
    let speed_labels = Labels { title: "Nodes a second, first to second player", x: "match", y: "ratio" };
    let nodes = benches.iter().map(|bench| (bench.number as f64, bench.nodes as f64)).collect();
    let nodes = Line { name: "nodes".to_owned(), points: nodes, color: 2 };
    let bench_labels = Labels { title: "Nodes of bench, as commits state", x: "commit", y: "nodes" };
    Ok(vec![
        lines(elo_labels, &with_interval("Elo", &elo_points), &[0.0])?,
        lines(speed_labels, &[speed], &[1.0])?,
        lines(bench_labels, &[nodes], &[0.0])?,
    ])
}

fn elo(pairing: &PairingSummary) -> Option<Interval> {
    pairing.estimate.and_then(|estimate| estimate.elo)
}

/// The speed of the first player relative to that of the second.
fn speed_ratio(row: &Row<'_>) -> Option<f64> {
    let [first, second] = [&row.pairing.first, &row.pairing.second]
        .map(|name| player(row, name).map_or(0.0, |player| player.nodes_per_second));
    (first > 0.0 && second > 0.0).then(|| first / second)
}

fn player<'a>(row: &Row<'a>, name: &str) -> Option<&'a crate::selfplay::summary::PlayerSummary> {
    row.of.summary.players.iter().find(|player| player.name == name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::selfplay::plan::GameId;
    use crate::selfplay::run_folder::{GameLine, RunFolder};
    use crate::selfplay::test_data::plan;
    use crate::sprt::{Model, Sprt};
    use tabiya_lab_common::referee::Termination;

    #[test]
    fn matches_are_found_and_listed() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["b", "a/deep"] {
            let mut plan = plan();
            plan.event = format!("<{name}>");
            drop(RunFolder::create(&folder.path().join(name), plan).unwrap());
        }
        std::fs::create_dir(folder.path().join("damaged")).unwrap();
        std::fs::write(folder.path().join("damaged/state.json"), "{}").unwrap();
        std::fs::write(folder.path().join("b/report.html"), "").unwrap();
        let matches = find(folder.path()).unwrap();
        let mut folders: Vec<_> =
            matches.iter().map(|found| (found.folder.as_str(), found.pages.as_slice())).collect();
        folders.sort_unstable();
        assert_eq!(folders, [("a/deep", [].as_slice()), ("b", ["report.html"].as_slice())]);

        let benches = [Bench { number: 1, nodes: 5 }, Bench { number: 3, nodes: 4 }];
        let page = page(&matches, &benches).unwrap();
        assert!(page.contains("&lt;b&gt;: a – b (interrupted)") && page.contains("href=\"b/report.html\""));
        assert!(!page.contains("href=\"a/deep") && page.contains("Nodes of bench"));
    }

    #[test]
    fn matches_in_progress_are_shown_in_detail() {
        let folder = tempfile::tempdir().unwrap();
        let mut plan = plan();
        plan.sprt = Some(Sprt::new(0.0, 5.0, 0.05, 0.05, Model::Normalized).unwrap());
        let (mut run, mut state) = RunFolder::create(&folder.path().join("match"), plan).unwrap();
        for pair in 0..3 {
            for game in 0..2 {
                let line = GameLine {
                    id: GameId { pair, game },
                    white: "a".to_owned(),
                    black: "b".to_owned(),
                    result: ["1-0", "1/2-1/2"][game].to_owned(),
                    reason: Termination::Checkmate,
                    plies: 9,
                    fault: None,
                    transcript: Vec::new(),
                    warnings: Vec::new(),
                };
                run.record(&mut state, b"", &line).unwrap();
            }
        }
        let matches = find(folder.path()).unwrap();
        let text = matches[0].live.as_ref().unwrap().text(&matches[0].summary);
        assert!(text.contains("a vs b") && text.contains("LLR curve  ▅"), "{text}");
        let html = page(&matches, &[]).unwrap();
        for part in
            ["(running)", "http-equiv=\"refresh\"", "Log-likelihood ratio", "<h2>Running: test: a - b"]
        {
            assert!(html.contains(part), "{part}");
        }
        // As when its process has been killed: the folder is no longer locked.
        drop(run);
        let matches = find(folder.path()).unwrap();
        let html = page(&matches, &[]).unwrap();
        assert!(html.contains("(interrupted)") && !html.contains("refresh") && !html.contains("Running"));
        // Nothing is played, so there is nothing to wait for.
        live::watch(matches, || unreachable!()).unwrap();
    }

    #[test]
    fn only_its_own_page_is_replaced() {
        let folder = tempfile::tempdir().unwrap();
        drop(RunFolder::create(&folder.path().join("match"), plan()).unwrap());
        let args = |out: Option<PathBuf>, force| OverviewArgs {
            folder: Some(folder.path().to_owned()),
            out,
            force,
            watch: false,
        };
        let index = folder.path().join("index.html");
        let site = "<!doctype html>\n<title>Matches</title>\n";
        for other in [site, "<!doctype html>", ""] {
            std::fs::write(&index, other).unwrap();
            let error = format!("{:#}", run(&args(None, false)).unwrap_err());
            assert!(error.contains("index.html") && error.contains("--force"), "{error}");
            assert_eq!(std::fs::read_to_string(&index).unwrap(), other);
        }
        run(&args(None, true)).unwrap();
        let page = std::fs::read_to_string(&index).unwrap();
        assert!(page.starts_with("<!doctype html>") && page.matches("<!doctype html>").count() == 1);
        run(&args(None, false)).unwrap();
        assert!(run(&args(Some(index.clone()), false)).is_err());
        run(&args(Some(index), true)).unwrap();
    }

    #[test]
    fn files_of_matches_are_not_replaced() {
        let folder = tempfile::tempdir().unwrap();
        drop(RunFolder::create(&folder.path().join("match"), plan()).unwrap());
        for file in run_folder::files(&folder.path().join("match")) {
            if !file.exists() {
                std::fs::write(&file, "").unwrap();
            }
            let before = std::fs::read(&file).unwrap();
            let args = OverviewArgs {
                folder: Some(folder.path().to_owned()),
                out: Some(file.clone()),
                force: true,
                watch: false,
            };
            let error = format!("{:#}", run(&args).unwrap_err());
            assert!(error.contains("it is the same file as the input"), "{error}");
            assert_eq!(std::fs::read(&file).unwrap(), before, "{}", file.display());
        }
    }

    #[test]
    fn folder_without_matches_is_an_error() {
        let folder = tempfile::tempdir().unwrap();
        let args =
            OverviewArgs { folder: Some(folder.path().to_owned()), out: None, force: false, watch: false };
        assert!(run(&args).unwrap_err().to_string().contains("has no folder of a match"));
        let args = OverviewArgs { folder: Some(folder.path().join("none")), ..args };
        assert!(format!("{:#}", run(&args).unwrap_err()).contains("none"));
    }
}
