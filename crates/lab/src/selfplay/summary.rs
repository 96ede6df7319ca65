//! The results of a match in figures: what the text, the JSON and the HTML report have in common.

use super::plan::Plan;
use super::referee::Termination;
use super::run_folder::{Finish, State};
use super::scoreboard::{PlayerStats, Score};
use super::sprt::{Sprt, Verdict};
use super::stats::{Estimate, Interval};
use std::collections::BTreeMap;
use std::fmt;

/// A match in figures.
#[derive(Clone, Debug, serde::Serialize)]
pub(crate) struct Summary {
    /// The tag `Event`.
    pub(crate) event: String,
    /// Finished games.
    pub(crate) games: u64,
    /// How many there will be at most.
    pub(crate) planned_games: u64,
    /// How it ended, where it has.
    pub(crate) finish: Option<Finish>,
    /// Each pairing.
    pub(crate) pairings: Vec<PairingSummary>,
    /// Each player.
    pub(crate) players: Vec<PlayerSummary>,
    /// How games ended.
    pub(crate) reasons: BTreeMap<Termination, u64>,
    /// How fast it went.
    pub(crate) speed: Speed,
}

/// A pairing, from its first player's point of view.
#[derive(Clone, Debug, serde::Serialize)]
pub(crate) struct PairingSummary {
    /// The first player.
    pub(crate) first: String,
    /// The second player.
    pub(crate) second: String,
    /// Games won.
    pub(crate) wins: u64,
    /// Games lost.
    pub(crate) losses: u64,
    /// Games drawn.
    pub(crate) draws: u64,
    /// Drawn games, of all.
    pub(crate) draw_ratio: f64,
    /// The score with White, where there are such games.
    pub(crate) white_score: Option<f64>,
    /// Complete pairs by points: 0, ½, 1, 1½, 2.
    pub(crate) ptnml: [u64; 5],
    /// From the pairs; from the games where no pair is complete.
    pub(crate) estimate: Option<Estimate>,
    /// The same from the games alone, as if they were independent.
    pub(crate) trinomial: Option<Estimate>,
    /// The test.
    pub(crate) sprt: Option<SprtSummary>,
}

/// A test and how far it has come.
#[derive(Clone, Copy, Debug, serde::Serialize)]
pub(crate) struct SprtSummary {
    /// Its parameters.
    #[serde(flatten)]
    pub(crate) parameters: Sprt,
    /// The log-likelihood ratio.
    pub(crate) llr: f64,
    /// Where H0 is accepted.
    pub(crate) lower: f64,
    /// Where H1 is accepted.
    pub(crate) upper: f64,
    /// What has been found.
    pub(crate) verdict: Option<Verdict>,
}

/// A player.
#[derive(Clone, Debug, serde::Serialize)]
pub(crate) struct PlayerSummary {
    /// Its name.
    pub(crate) name: String,
    /// What runs.
    pub(crate) command: String,
    /// Its UCI options.
    pub(crate) options: Vec<(String, String)>,
    /// Its limits.
    pub(crate) limits: String,
    /// How often it failed, and in which way.
    pub(crate) faults: BTreeMap<Termination, u64>,
    /// Illegal moves in its variations.
    pub(crate) warnings: u64,
    /// Its moves.
    pub(crate) moves: u64,
    /// Nodes a move.
    pub(crate) nodes_per_move: f64,
    /// Depth, on average.
    pub(crate) depth: f64,
    /// Seconds a move.
    pub(crate) seconds_per_move: f64,
    /// Nodes a second, by our clock.
    pub(crate) nodes_per_second: f64,
}

/// How fast a match went.
#[derive(Clone, Copy, Debug, serde::Serialize)]
pub(crate) struct Speed {
    /// Seconds, over all sessions.
    pub(crate) seconds: f64,
    /// Games a minute.
    pub(crate) games_per_minute: f64,
    /// The part of the slots' time in which an engine was thinking; the rest is the referee, starting
    /// engines, and waiting for the last games.
    pub(crate) engine_share: f64,
}

impl Summary {
    /// The figures of a state.
    pub(crate) fn new(state: &State) -> Summary {
        let State { plan, scoreboard, .. } = state;
        let thinking: u64 = scoreboard.players.iter().map(|player| player.all.time).sum();
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
                engine_share: ratio(thinking as f64 / 1e6, state.slot_seconds),
            },
        }
    }
}

impl PairingSummary {
    /// The figures of a pairing.
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

impl SprtSummary {
    /// A test on these pairs or games.
    pub(crate) fn new<const N: usize>(sprt: Sprt, counts: &[u64; N]) -> SprtSummary {
        let llr = sprt.llr(counts);
        let (lower, upper) = sprt.bounds();
        SprtSummary { parameters: sprt, llr, lower, upper, verdict: sprt.verdict(llr) }
    }
}

impl PlayerSummary {
    fn new(player: &super::player::Player, scoreboard: &PlayerStats) -> PlayerSummary {
        let all = scoreboard.all;
        let moves = all.moves as f64;
        let mut command = player.command.program.display().to_string();
        for argument in &player.command.arguments {
            command += &format!(" {argument}");
        }
        PlayerSummary {
            name: player.name().to_owned(),
            command,
            options: player.options.clone(),
            limits: player.limits.to_string(),
            faults: scoreboard.faults.clone(),
            warnings: scoreboard.warnings,
            moves: all.moves,
            nodes_per_move: ratio(all.nodes as f64, moves),
            depth: ratio(all.depth as f64, moves),
            seconds_per_move: ratio(all.time as f64 / 1e6, moves),
            nodes_per_second: ratio(all.nodes as f64 * 1e6, all.time as f64),
        }
    }
}

fn ratio(numerator: f64, denominator: f64) -> f64 {
    if denominator > 0.0 { numerator / denominator } else { 0.0 }
}

/// `12.3 ± 4.5`.
impl fmt::Display for Interval {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let decimals = f.precision().unwrap_or(1);
        if self.margin.is_finite() {
            write!(f, "{:+.decimals$} ± {:.decimals$}", self.value, self.margin)
        } else {
            write!(f, "{:+.decimals$} ± ∞", self.value)
        }
    }
}

/// `LLR 1.23 (-2.94, 2.94) [0, 5] normalized`.
impl fmt::Display for SprtSummary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Sprt { elo0, elo1, model, .. } = self.parameters;
        let decimals = f.precision().unwrap_or(2);
        write!(
            f,
            "LLR {:.decimals$} ({:.2}, {:.2}) [{elo0}, {elo1}] {model}",
            self.llr, self.lower, self.upper
        )
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Verdict::H0 => "H0 accepted: not the gain that was asked for",
            Verdict::H1 => "H1 accepted: the gain is there",
        })
    }
}

/// Several lines.
impl fmt::Display for PairingSummary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let games = self.wins + self.losses + self.draws;
        writeln!(f, "{} against {}", self.first, self.second)?;
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
            _ => write!(f, "unknown: all results are the same")?,
        }
        write!(f, ", LOS {:.1} %", 100.0 * estimate.likelihood_of_superiority)?;
        if let Some(sprt) = &self.sprt {
            write!(f, "\n  SPRT    {sprt}")?;
            if let Some(verdict) = sprt.verdict {
                write!(f, ": {verdict}")?;
            }
        }
        Ok(())
    }
}

/// What a person wants to read at the end of a match.
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
                "{:width$}  {:.0} nodes, depth {:.1}, {:.4} s a move; {:.0} nodes/s",
                player.name,
                player.nodes_per_move,
                player.depth,
                player.seconds_per_move,
                player.nodes_per_second,
            )?;
            for (reason, count) in &player.faults {
                write!(f, "; {reason} {count}")?;
            }
            if player.warnings > 0 {
                write!(f, "; {} illegal moves in variations", player.warnings)?;
            }
            writeln!(f)?;
        }
        write!(
            f,
            "Time      {:.1} s, {:.1} games a minute, {:.1} % of the slots' time spent thinking",
            self.speed.seconds,
            self.speed.games_per_minute,
            100.0 * self.speed.engine_share,
        )
    }
}
