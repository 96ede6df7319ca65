//! Results of a match as numbers, shared by the text, JSON and HTML reports.

use super::plan::Plan;
use super::player::OptionFile;
use super::run_folder::{Finish, State};
use super::scaling::Scaling;
use super::scoreboard::{Latency, PlayerStats, Score};
use crate::sprt::summary::SprtSummary;
use crate::stats::Estimate;
use std::collections::BTreeMap;
use std::fmt;
use tabiya_lab_common::referee::Termination;

/// Summary of a match.
#[derive(Clone, Debug, serde::Serialize)]
pub(crate) struct Summary {
    /// The PGN tag `Event`.
    pub(crate) event: String,
    /// Number of finished games.
    pub(crate) games: u64,
    /// Maximum number of games.
    pub(crate) planned_games: u64,
    /// The outcome of the match; `None` while it runs.
    pub(crate) finish: Option<Finish>,
    /// Summary of each pairing.
    pub(crate) pairings: Vec<PairingSummary>,
    /// Elo by nodes per move, in a scaling match.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) scaling: Option<Scaling>,
    /// Summary of each player.
    pub(crate) players: Vec<PlayerSummary>,
    /// Games by termination reason.
    pub(crate) reasons: BTreeMap<Termination, u64>,
    /// Speed of the match.
    pub(crate) speed: Speed,
}

/// Summary of a pairing, from the first player's point of view.
#[derive(Clone, Debug, serde::Serialize)]
pub(crate) struct PairingSummary {
    /// Name of the first player.
    pub(crate) first: String,
    /// Name of the second player.
    pub(crate) second: String,
    /// Wins.
    pub(crate) wins: u64,
    /// Losses.
    pub(crate) losses: u64,
    /// Draws.
    pub(crate) draws: u64,
    /// Share of drawn games.
    pub(crate) draw_ratio: f64,
    /// Score with White, if it had White.
    pub(crate) white_score: Option<f64>,
    /// Pentanomial counts: complete pairs by points (0, ½, 1, 1½, 2).
    pub(crate) ptnml: [u64; 5],
    /// Elo estimate from pairs, or from games if no pair is complete.
    pub(crate) estimate: Option<Estimate>,
    /// Elo estimate from games, treated as independent.
    pub(crate) trinomial: Option<Estimate>,
    /// State of the SPRT.
    pub(crate) sprt: Option<SprtSummary>,
}

/// Summary of a player.
#[derive(Clone, Debug, serde::Serialize)]
pub(crate) struct PlayerSummary {
    /// Name.
    pub(crate) name: String,
    /// Command line.
    pub(crate) command: String,
    /// UCI options.
    pub(crate) options: Vec<(String, String)>,
    /// Files that options name.
    pub(crate) files: Vec<OptionFile>,
    /// Notes on the build, and the lines that the engine printed when its options had been set.
    pub(crate) notes: Vec<String>,
    /// Search limits.
    pub(crate) limits: String,
    /// Games lost by a fault, by reason.
    pub(crate) faults: BTreeMap<Termination, u64>,
    /// Number of warnings: PVs with an illegal move, missing times, exits and failures to end pondering after a game.
    pub(crate) warnings: u64,
    /// Number of moves.
    pub(crate) moves: u64,
    /// Nodes per move.
    pub(crate) nodes_per_move: f64,
    /// Mean depth, in plies.
    pub(crate) depth: f64,
    /// Seconds per move.
    pub(crate) seconds_per_move: f64,
    /// Nodes per second, by the runner's clock.
    pub(crate) nodes_per_second: f64,
    /// Response times and clocks, if there is a time limit that the engine had to keep.
    pub(crate) latency: Option<LatencySummary>,
}

/// Response times of an engine with a time limit.
#[derive(Clone, Copy, Debug, serde::Serialize)]
pub(crate) struct LatencySummary {
    /// Mean time between `isready` and `readyok` before moves, in milliseconds; `None` if engines measure their time themselves.
    pub(crate) mean_ms: Option<f64>,
    /// Longest such time, in milliseconds.
    pub(crate) longest_ms: Option<f64>,
    /// Moves that took longer than their limit and did not lose.
    pub(crate) overruns: u64,
    /// Shortest time left on a clock after a move, in seconds.
    pub(crate) lowest_clock: Option<f64>,
}

/// Speed of a match.
#[derive(Clone, Copy, Debug, serde::Serialize)]
pub(crate) struct Speed {
    /// Elapsed seconds over all sessions.
    pub(crate) seconds: f64,
    /// Games per minute.
    pub(crate) games_per_minute: f64,
    /// Share of the slots' time spent searching; the rest is overhead, engine start-up and waiting for
    /// the last games. `None` if engines measure their time themselves.
    pub(crate) engine_share: Option<f64>,
}

impl Summary {
    /// Title of the match: event and players.
    pub(crate) fn title(&self) -> String {
        let names: Vec<&str> = self.players.iter().map(|player| player.name.as_str()).collect();
        format!("{}: {}", self.event, names.join(" - "))
    }

    /// Computes the summary of a match.
    pub(crate) fn new(state: &State) -> Summary {
        let State { plan, scoreboard, .. } = state;
        let thinking: u64 = scoreboard.players.iter().map(|player| player.all.time).sum();
        let has_real_time = plan.players.iter().all(|player| !player.limits.engine_time);
        Summary {
            event: plan.event.clone(),
            games: scoreboard.games,
            planned_games: 2 * plan.pairs,
            finish: state.finish,
            pairings: plan
                .pairings
                .iter()
                .zip(&scoreboard.scores)
                .map(|(players, score)| PairingSummary::new(plan, *players, score))
                .collect(),
            scaling: Scaling::new(plan, &scoreboard.scores),
            players: plan
                .players
                .iter()
                .zip(&scoreboard.players)
                .map(|(player, scoreboard)| PlayerSummary::new(player, scoreboard))
                .collect(),
            reasons: scoreboard.reasons.clone(),
            speed: Speed {
                seconds: state.seconds,
                games_per_minute: ratio(scoreboard.games as f64 * 60.0, state.seconds),
                engine_share: has_real_time.then(|| ratio(thinking as f64 / 1e6, state.slot_seconds)),
            },
        }
    }
}

impl PairingSummary {
    /// Computes the summary of a pairing.
    pub(crate) fn new(plan: &Plan, [first, second]: [usize; 2], score: &Score) -> PairingSummary {
        let [losses, draws, wins] = score.games;
        let games: u64 = score.games.iter().sum();
        let white_games: u64 = score.as_white.iter().sum();
        let [_, white_draws, white_wins] = score.as_white;
        let trinomial = Estimate::new(&score.games);
        PairingSummary {
            first: plan.players[first].name().to_owned(),
            second: plan.players[second].name().to_owned(),
            wins,
            losses,
            draws,
            draw_ratio: ratio(draws as f64, games as f64),
            white_score: (white_games > 0)
                .then(|| (white_wins as f64 + white_draws as f64 / 2.0) / white_games as f64),
            ptnml: score.pairs,
            estimate: Estimate::new(&score.pairs).or(trinomial),
            trinomial,
            sprt: plan.sprt.map(|sprt| SprtSummary::new(sprt, &score.pairs)),
        }
    }
}

impl PlayerSummary {
    fn new(player: &super::player::Player, scoreboard: &PlayerStats) -> PlayerSummary {
        let all = scoreboard.all;
        let moves = all.moves as f64;
        PlayerSummary {
            name: player.name().to_owned(),
            command: player.command.to_string(),
            options: player.options.clone(),
            files: player.files.clone(),
            notes: player.notes.clone(),
            limits: player.limits.to_string(),
            faults: scoreboard.faults.clone(),
            warnings: scoreboard.warnings,
            moves: all.moves,
            nodes_per_move: ratio(all.nodes as f64, moves),
            depth: ratio(all.depth as f64, moves),
            seconds_per_move: ratio(all.time as f64 / 1e6, moves),
            nodes_per_second: ratio(all.nodes as f64 * 1e6, all.time as f64),
            latency: LatencySummary::new(&scoreboard.latency),
        }
    }
}

impl LatencySummary {
    fn new(latency: &Latency) -> Option<LatencySummary> {
        let if_pinged = |microseconds: f64| (latency.pings > 0).then_some(microseconds / 1e3);
        (*latency != Latency::default()).then(|| LatencySummary {
            mean_ms: if_pinged(latency.total as f64 / latency.pings as f64),
            longest_ms: if_pinged(latency.longest as f64),
            overruns: latency.overruns,
            lowest_clock: latency.lowest_clock.map(|microseconds| microseconds as f64 / 1e6),
        })
    }
}

/// Formats as in `ping 0.08 ms (at most 3.1), lowest clock 0.051 s, 2 overruns`, without what is unknown.
impl fmt::Display for LatencySummary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let (Some(mean), Some(longest)) = (self.mean_ms, self.longest_ms) {
            write!(f, "ping {mean:.2} ms (at most {longest:.1}), ")?;
        }
        if let Some(lowest) = self.lowest_clock {
            write!(f, "lowest clock {lowest:.3} s, ")?;
        }
        write!(f, "{} overruns", self.overruns)
    }
}

fn ratio(numerator: f64, denominator: f64) -> f64 {
    if denominator > 0.0 { numerator / denominator } else { 0.0 }
}

/// Formats as several lines.
impl fmt::Display for PairingSummary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let games = self.wins + self.losses + self.draws;
        writeln!(f, "{} vs {}", self.first, self.second)?;
        write!(f, "  Games   {games}: +{} ={} -{}", self.wins, self.draws, self.losses)?;
        let Some(estimate) = &self.estimate else { return Ok(()) };
        write!(f, ", score {:.2} %, draws {:.1} %", 100.0 * estimate.score, 100.0 * self.draw_ratio)?;
        if let Some(white) = self.white_score {
            write!(f, ", as White {:.1} %", 100.0 * white)?;
        }
        write!(f, "\n  Ptnml   {:?}", self.ptnml)?;
        write!(f, "\n  Elo     ")?;
        match (estimate.elo, estimate.normalized_elo) {
            (Some(elo), Some(normalized)) => write!(f, "{elo} (95 %), nElo {normalized}")?,
            _ => write!(f, "unknown: all results are equal")?,
        }
        if let Some(likelihood) = estimate.likelihood_of_superiority {
            write!(f, ", LOS {:.1} %", 100.0 * likelihood)?;
        }
        if let Some(sprt) = &self.sprt {
            write!(f, "\n  SPRT    {sprt}")?;
            if let Some(verdict) = sprt.verdict {
                write!(f, ": {verdict}")?;
            }
        }
        Ok(())
    }
}

/// Formats as the text printed at the end of a match.
impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for pairing in &self.pairings {
            writeln!(f, "{pairing}")?;
        }
        let reasons: Vec<String> =
            self.reasons.iter().map(|(reason, count)| format!("{reason} {count}")).collect();
        writeln!(f, "Endings   {}", if reasons.is_empty() { "none".to_owned() } else { reasons.join(", ") })?;
        let width = self.players.iter().map(|player| player.name.chars().count()).max().unwrap_or(0);
        for player in &self.players {
            write!(
                f,
                "{:width$}  {:.0} nodes, depth {:.1}, {:.4} s per move; {:.0} nodes/s",
                player.name,
                player.nodes_per_move,
                player.depth,
                player.seconds_per_move,
                player.nodes_per_second,
            )?;
            if let Some(latency) = &player.latency {
                write!(f, "; {latency}")?;
            }
            for (reason, count) in &player.faults {
                write!(f, "; {reason} {count}")?;
            }
            if player.warnings > 0 {
                write!(f, "; warnings {}", player.warnings)?;
            }
            writeln!(f)?;
        }
        write!(f, "Time      {:.1} s, {:.1} games/min", self.speed.seconds, self.speed.games_per_minute)?;
        if let Some(share) = self.speed.engine_share {
            write!(f, ", {:.1} % of slot time spent searching", 100.0 * share)?;
        }
        if let Some(scaling) = &self.scaling {
            write!(f, "\n\n{scaling}")?;
        }
        Ok(())
    }
}
