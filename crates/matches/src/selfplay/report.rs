//! Reports of a match: `report.json`, `report.html` and `games.html`.

mod games;
mod html;

use super::history::History;
use super::run_folder::{GameLine, REPORT_JSON, REPORT_PAGE, RunFolder, State};
use super::scoreboard::{MoveSums, SCORE_BAR};
use super::summary::Summary;
use crate::ratings::RatingTable;
use anyhow::{Context, Result};
use std::path::PathBuf;

/// Maximum number of games with a fault or a warning in a report.
const LISTED_GAMES: usize = 50;

/// Content of the reports.
#[derive(serde::Serialize)]
struct MatchReport<'a> {
    summary: &'a Summary,
    #[serde(skip_serializing_if = "Option::is_none")]
    ratings: Option<&'a RatingTable>,
    /// Estimates over the course of the match.
    history: History,
    /// Averages by player and move number.
    by_move: Vec<Vec<MoveAverages>>,
    /// Histogram of reported scores by player.
    score_histogram: ScoreHistogram<'a>,
    /// The first games with a fault or a warning.
    incidents: Vec<GameLine>,
}

/// Averages over all moves with the same number.
#[derive(Clone, Copy, serde::Serialize)]
struct MoveAverages {
    number: usize,
    moves: u64,
    nodes: f64,
    depth: f64,
    seconds: f64,
}

/// Histogram of reported scores.
#[derive(serde::Serialize)]
struct ScoreHistogram<'a> {
    /// Bar width in centipawns; the middle bar is centred on 0.
    centipawns: i32,
    counts: Vec<&'a [u64]>,
}

/// Writes the reports and returns the path of the HTML report.
///
/// # Errors
/// If the journal cannot be read or a report cannot be written.
pub(crate) fn write(run_folder: &RunFolder, state: &State, ratings: Option<&RatingTable>) -> Result<PathBuf> {
    let mut incidents = Vec::new();
    let mut history = History::new(&state.plan);
    for line in run_folder.journal()? {
        let line = line?;
        history.add(&state.plan, &line);
        if incidents.len() < LISTED_GAMES && (line.fault.is_some() || !line.warnings.is_empty()) {
            incidents.push(line);
        }
    }
    let summary = Summary::new(state);
    let players = &state.scoreboard.players;
    let report = MatchReport {
        summary: &summary,
        ratings,
        history,
        by_move: players.iter().map(|player| averages(&player.by_move)).collect(),
        score_histogram: ScoreHistogram {
            centipawns: SCORE_BAR,
            counts: players.iter().map(|player| player.scores.as_slice()).collect(),
        },
        incidents,
    };
    let json = serde_json::to_vec_pretty(&report).context("cannot serialise the results")?;
    run_folder.write(REPORT_JSON, &json)?;
    let page = html::page(state, &report)?;
    let path = run_folder.write(REPORT_PAGE, page.as_bytes())?;
    games::write(run_folder, &summary)?;
    Ok(path)
}

fn averages(by_move: &[MoveSums]) -> Vec<MoveAverages> {
    let average = |(number, sums): (usize, &MoveSums)| {
        let moves = sums.moves as f64;
        MoveAverages {
            number,
            moves: sums.moves,
            nodes: sums.nodes as f64 / moves,
            depth: sums.depth as f64 / moves,
            seconds: sums.time as f64 / 1e6 / moves,
        }
    };
    (1..).zip(by_move).filter(|(_, sums)| sums.moves > 0).map(average).collect()
}
