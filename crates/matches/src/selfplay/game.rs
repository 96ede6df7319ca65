//! Plays one game between two engines.

use super::answer::SearchOutput;
use super::limits::{Clock, Limits};
use super::match_engine::{MatchEngine, Timeouts, Turn, is_timeout};
use anyhow::Result;
use std::time::{Duration, Instant, SystemTime};
use tabiya_core::{Color, Move};
use tabiya_lab_common::openings::Opening;
use tabiya_lab_common::referee::{Adjudication, Adjudicator, Ending, Fault, Termination, rules_ending};
use tabiya_lab_common::tablebases::TablebaseAdjudicator;
use tabiya_movegen::{Game, Position};
use tabiya_uci_engine::{Bound, EngineError, EngineErrorKind, Info, InfoScore};

/// Number of warnings kept per game.
const MAX_WARNINGS: usize = 8;

/// Number of PVs per search kept for checking.
const MAX_VARIATIONS: usize = 1000;

/// Settings common to all games of a match.
pub struct Conditions<'a> {
    /// Adjudication rules.
    pub adjudication: &'a Adjudication,
    /// Timeouts.
    pub timeouts: &'a Timeouts,
    /// True if castling is written as king takes rook.
    pub chess960: bool,
    /// Check every PV, not only the last one of each search.
    pub check_every_pv: bool,
    /// Tablebases that end games.
    pub tablebases: Option<&'a TablebaseAdjudicator>,
    /// True if UCI engines think while their opponents do.
    pub ponder: bool,
    /// True if all options are set again before the game.
    pub resend_options: bool,
}

/// A finished game.
pub struct PlayedGame {
    /// Moves and positions.
    pub game: Game,
    /// Number of opening moves, in plies.
    pub opening_plies: usize,
    /// The engines' statements about the moves after the opening.
    pub move_data: Vec<MoveData>,
    /// Result and reason.
    pub ending: Ending,
    /// The loser's fault, if it lost by one.
    pub fault: Option<GameFault>,
    /// The first warnings, which have no effect on the result.
    pub warnings: Vec<String>,
    /// Number of warnings by side (White, Black).
    pub warning_counts: [u64; 2],
    /// The engines' names for themselves.
    pub ids: [Option<String>; 2],
    /// The start of the game.
    pub started: SystemTime,
    /// Time from the start to the end of the game.
    pub duration: Duration,
}

/// An engine's statement about its move, with times.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct MoveData {
    /// Score, from the point of view of the side that moved.
    pub score: Option<InfoScore>,
    /// Depth, in plies.
    pub depth: Option<u32>,
    /// Nodes searched.
    pub nodes: Option<u64>,
    /// Time from `go` to `bestmove`, measured by the runner or, if the limits say so, by the engine.
    pub time: Duration,
    /// Selective depth, in plies.
    pub seldepth: Option<u32>,
    /// Nodes per second, by the engine's clock.
    pub nps: Option<u64>,
    /// Occupancy of the transposition table, in permille.
    pub hashfull: Option<u32>,
    /// The last PV, as UCI moves.
    pub pv: Vec<String>,
    /// Time between `isready` and `readyok` before the move, for engines with a time limit.
    pub ping: Option<Duration>,
    /// Time left on the clock after the move, increment included.
    pub time_left: Option<Duration>,
    /// True if the move took longer than its limit: by at most the margin, or by any time if the engine measures it.
    pub overrun: bool,
    /// True if the engine had pondered on the opponent's move.
    pub ponder_hit: bool,
}

/// The fault that ended a game, with the end of the engine's transcript.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GameFault {
    /// The side at fault.
    pub side: Color,
    /// The fault.
    pub fault: Fault,
    /// The last lines of the session.
    pub transcript: Vec<String>,
}

/// Reason for which a game was aborted.
enum Abort {
    /// The match was interrupted.
    Interrupted,
    /// A player resigned.
    Resigned,
    /// A player lost by a fault, with its transcript.
    Fault(Fault, Vec<String>),
}

/// Plays a game, White's engine first; `None` if the match was interrupted.
///
/// A misbehaving engine loses the game; this is not an error.
///
/// # Errors
/// If the opening is not legal.
pub fn play(
    opening: &Opening,
    mut engines: [&mut MatchEngine<'_>; 2],
    limits: [&Limits; 2],
    conditions: &Conditions<'_>,
) -> Result<Option<PlayedGame>> {
    let mut state = GameState::new(opening.game()?, limits, conditions);
    let (started, start) = (SystemTime::now(), Instant::now());
    let opening_plies = state.game.moves().len();
    let mut move_data = Vec::new();
    let mut adjudicator = Adjudicator::new(conditions.adjudication, state.game.start().fullmove_number());

    let mut failed = None;
    for side in Color::ALL {
        let engine = &mut engines[side.index()];
        match engine.new_game(&state.game, conditions.resend_options, conditions.timeouts) {
            Ok(None) => {}
            Ok(Some(exit)) => state.warn(side, format!("{}, started again: {exit}", engine.name())),
            // It can play no game of this kind, so this is not a fault of its play.
            Err(error) if matches!(error.kind, EngineErrorKind::NoSuchFeature { .. }) => {
                return Err(error.into());
            }
            Err(error) => {
                failed = Some((side, abort_for(error)));
                break;
            }
        }
    }
    let mut ending = rules_ending(state.game.outcome(), None);
    while ending.is_none() && failed.is_none() {
        let side = state.game.position().side_to_move();
        match state.search_move(engines[side.index()]) {
            Err(abort) => failed = Some((side, abort)),
            Ok((data, expected)) => {
                let score = data.score.map(InfoScore::centipawns);
                move_data.push(data);
                let position = state.game.position();
                ending = rules_ending(state.game.outcome(), state.game.claimable_draw())
                    .or_else(|| conditions.tablebases.and_then(|tables| tables.ending(position)))
                    .or_else(|| adjudicator.update(position.board(), score));
                if let Some(expected) = expected.filter(|_| ending.is_none() && conditions.ponder) {
                    state.ponder(engines[side.index()], &expected);
                }
            }
        }
    }

    // An engine that failed has a fault already, and need not answer.
    let failed_side = failed.as_ref().map(|&(side, _)| side);
    for side in Color::ALL.into_iter().filter(|&side| Some(side) != failed_side) {
        let engine = &mut engines[side.index()];
        if let Err(error) = engine.stop_pondering(conditions.timeouts)
            && !matches!(error.kind, EngineErrorKind::Cancelled)
        {
            // The result of this game is known.
            state.warn(side, format!("{}, while pondering at the end: {}", engine.name(), error.kind));
        }
    }
    let ids = [0, 1].map(|side| engines[side].id().map(str::to_owned));
    let (ending, fault) = match (failed, ending) {
        (Some((_, Abort::Interrupted)), _) | (None, None) => return Ok(None),
        (Some((side, Abort::Resigned)), _) => (Ending::won(!side, Termination::Resignation), None),
        (Some((side, Abort::Fault(fault, transcript))), _) => {
            (Ending::won(!side, fault.reason()), Some(GameFault { side, fault, transcript }))
        }
        (None, Some(ending)) => (ending, None),
    };
    let GameState { game, warnings, warning_counts, .. } = state;
    let duration = start.elapsed();
    Ok(Some(PlayedGame {
        game,
        opening_plies,
        move_data,
        ending,
        fault,
        warnings,
        warning_counts,
        ids,
        started,
        duration,
    }))
}

/// A game in progress.
struct GameState<'a> {
    game: Game,
    /// `position ... moves ...`, extended with every move.
    position_command: String,
    clocks: [Option<Clock>; 2],
    limits: [&'a Limits; 2],
    conditions: &'a Conditions<'a>,
    warnings: Vec<String>,
    warning_counts: [u64; 2],
}

impl<'a> GameState<'a> {
    /// Returns the state after the opening moves in `game`.
    fn new(game: Game, limits: [&'a Limits; 2], conditions: &'a Conditions<'a>) -> GameState<'a> {
        let start = game.start();
        let mut position_command = if *start == Position::startpos() {
            "position startpos".to_owned()
        } else {
            format!("position fen {start}")
        };
        if !game.moves().is_empty() {
            position_command += " moves";
        }
        for mv in game.moves() {
            position_command += &format!(" {}", mv.to_uci(conditions.chess960));
        }
        GameState {
            game,
            position_command,
            clocks: limits.map(|limits| limits.clock.map(Clock::new)),
            limits,
            conditions,
            warnings: Vec::new(),
            warning_counts: [0; 2],
        }
    }

    /// Lets the engine of the side to move search, and plays its move. Returns its statement and the answer that it expects.
    fn search_move(&mut self, engine: &mut MatchEngine<'_>) -> Result<(MoveData, Option<String>), Abort> {
        let side = self.game.position().side_to_move();
        let timeouts = self.conditions.timeouts;
        let limit = self.time_limit(side);
        // Time that an engine reports cannot be enforced while it thinks, so its overruns are only counted.
        let allowed = limit.filter(|_| !self.limits[side.index()].engine_time);
        let allowed = allowed.map(|limit| limit + timeouts.margin());

        let mut log = SearchLog { every_pv: self.conditions.check_every_pv, ..SearchLog::default() };
        let turn = self.turn(side, &self.game, &self.position_command);
        let ping = engine.set_position(&turn, timeouts).map_err(abort_for)?;
        let timeout = allowed.unwrap_or(timeouts.stall());
        let answer = match engine.search(&turn, timeout, |output| log.record(output)) {
            Ok(answer) => answer,
            Err(error) => return Err(self.search_failure(engine, error, allowed)),
        };
        let Some(best) = answer.best else { return Err(Abort::Resigned) };
        let mut data = self.move_data(engine.name(), best.elapsed, &log);
        if let Some(clock) = &mut self.clocks[side.index()] {
            clock.press(data.time);
        }
        data.ping = ping;
        data.ponder_hit = answer.ponder_hit;
        data.time_left = self.clocks[side.index()].as_ref().map(Clock::remaining);
        data.overrun = limit.is_some_and(|limit| data.time > limit);
        let mv = match best.mv {
            Ok(mv) => mv,
            Err(fault) => return Err(Abort::Fault(fault, engine.transcript())),
        };
        self.play(mv);
        Ok((data, best.ponder))
    }

    fn turn<'b>(&'b self, side: Color, game: &'b Game, position_command: &'b str) -> Turn<'b> {
        let clocks = [self.clocks[0].as_ref(), self.clocks[1].as_ref()];
        Turn { game, position_command, limits: self.limits[side.index()], clocks }
    }

    /// Lets the engine that has just moved ponder on the answer that it expects. An illegal one is ignored, and so is one that
    /// ends the game.
    fn ponder(&self, engine: &mut MatchEngine<'_>, expected: &str) {
        let Ok(mv) = self.game.position().parse_uci(expected) else { return };
        let mut game = self.game.clone();
        if game.play(mv).is_err() || game.outcome().is_some() {
            return;
        }
        let command = format!("{} {}", self.position_command, mv.to_uci(self.conditions.chess960));
        engine.ponder(&self.turn(game.position().side_to_move(), &game, &command));
    }

    /// Time limit of the next move, without the margin; `None` if it has none.
    fn time_limit(&self, side: Color) -> Option<Duration> {
        let clock = self.clocks[side.index()].as_ref().map(Clock::remaining);
        let movetime = self.limits[side.index()].movetime.map(Duration::from_millis);
        clock.into_iter().chain(movetime).min()
    }

    /// Counts a warning, and keeps it if there are few.
    fn warn(&mut self, side: Color, text: String) {
        self.warning_counts[side.index()] += 1;
        if self.warnings.len() < MAX_WARNINGS {
            self.warnings.push(text);
        }
    }

    fn play(&mut self, mv: Move) {
        if self.game.moves().is_empty() {
            self.position_command += " moves";
        }
        self.position_command += &format!(" {}", mv.to_uci(self.conditions.chess960));
        // The move was parsed as a legal move of this position.
        let played = self.game.play(mv);
        debug_assert!(played.is_ok());
    }

    /// Handles a search that failed. An engine that is only late is stopped, so that it can play its
    /// next game.
    fn search_failure(
        &self,
        engine: &mut MatchEngine<'_>,
        error: EngineError,
        allowed: Option<Duration>,
    ) -> Abort {
        let Some(allowed) = allowed.filter(|_| is_timeout(&error)) else { return abort_for(error) };
        match engine.stop(self.conditions.timeouts) {
            Ok(()) => Abort::Fault(Fault::Time { allowed }, engine.transcript()),
            Err(error) => abort_for(error),
        }
    }

    /// Returns the score, depth, nodes and time of the search, and checks its PVs for legality.
    fn move_data(&mut self, name: &str, elapsed: Duration, log: &SearchLog) -> MoveData {
        let ply = self.game.moves().len() + 1;
        let side = self.game.position().side_to_move();
        for text in &log.pvs {
            let Some(info) = Info::parse(text) else { continue };
            let Err(why) = check_pv(self.game.position(), &info.pv) else { continue };
            self.warn(side, format!("{name}, ply {ply}: {why} in its PV: {text}"));
        }
        let info = log.info();
        let by_engine = self.limits[side.index()].engine_time;
        let untimed =
            format!("{name}: without a reported time, a move takes the time that the runner measures");
        if by_engine && info.time.is_none() && !self.warnings.contains(&untimed) {
            self.warn(side, untimed);
        }
        let engine_time = info.time.filter(|_| by_engine);
        MoveData {
            score: info.score,
            depth: info.depth,
            nodes: info.nodes,
            time: engine_time.unwrap_or(elapsed),
            seldepth: info.seldepth,
            nps: info.nps,
            hashfull: info.hashfull,
            pv: info.pv,
            ..MoveData::default()
        }
    }
}

/// Checks that the moves of a PV are legal.
fn check_pv(position: &Position, variation: &[String]) -> Result<(), String> {
    let mut position = position.clone();
    for text in variation {
        let mv = position.parse_uci(text).map_err(|error| format!("{text}: {error}"))?;
        position.play_unchecked(mv);
    }
    Ok(())
}

/// The output of a search that is needed after it.
#[derive(Default)]
struct SearchLog {
    every_pv: bool,
    /// Lines whose PV must be checked.
    pvs: Vec<String>,
    /// The last output with an exact score of the first PV.
    exact: Option<SearchOutput>,
    /// The last output with a bound on that score, newer than `exact`.
    bound: Option<SearchOutput>,
}

impl SearchLog {
    /// Records output. Runs while the engine's clock runs, so it does not parse more than necessary.
    fn record(&mut self, output: SearchOutput) {
        match output {
            SearchOutput::Line(text) => self.record_line(text),
            SearchOutput::Info(_) => {
                self.exact = Some(output);
                self.bound = None;
            }
        }
    }

    fn record_line(&mut self, mut text: String) {
        // The rest of the line after `string` is free text.
        if let Some(end) = text.find(" string ") {
            text.truncate(end);
        }
        if !text.starts_with("info ") || !text.contains(" score ") {
            return;
        }
        if text.contains(" pv ") {
            if !self.every_pv {
                self.pvs.clear();
            }
            if self.pvs.len() < MAX_VARIATIONS {
                self.pvs.push(text.clone());
            }
        }
        // The number may be the last word of the line.
        let multipv = text.split_once(" multipv ").map(|(_, rest)| rest.split_ascii_whitespace().next());
        if multipv.is_some_and(|number| number != Some("1")) {
            return;
        }
        if text.contains(" lowerbound") || text.contains(" upperbound") {
            self.bound = Some(SearchOutput::Line(text));
        } else {
            self.exact = Some(SearchOutput::Line(text));
            self.bound = None;
        }
    }

    fn info(&self) -> Info {
        let read = |output: &Option<SearchOutput>| match output {
            Some(SearchOutput::Line(text)) => Info::parse(text),
            Some(SearchOutput::Info(info)) => Some(info.clone()),
            None => None,
        };
        let (exact, bound) = (read(&self.exact), read(&self.bound));
        debug_assert!(bound.as_ref().is_none_or(|info| info.bound != Bound::Exact));
        match (exact, bound) {
            // Use the last exact score, with the latest node count and time.
            (Some(exact), Some(bound)) => {
                Info { nodes: bound.nodes.or(exact.nodes), time: bound.time.or(exact.time), ..exact }
            }
            (Some(info), None) | (None, Some(info)) => info,
            (None, None) => Info::default(),
        }
    }
}

fn abort_for(error: EngineError) -> Abort {
    let fault = match error.kind {
        EngineErrorKind::Cancelled => return Abort::Interrupted,
        EngineErrorKind::Exited { status, .. } if !status.success() => Fault::Crash { status },
        EngineErrorKind::Exited { .. } | EngineErrorKind::Disconnected { .. } => {
            Fault::Disconnect { what: error.kind.to_string() }
        }
        kind => Fault::Stall { what: kind.to_string() },
    };
    Abort::Fault(fault, error.transcript)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::selfplay::match_engine::EngineSetup;

    fn log(lines: &[&str], every_pv: bool) -> SearchLog {
        let mut log = SearchLog { every_pv, ..SearchLog::default() };
        for text in lines {
            log.record(SearchOutput::Line((*text).to_owned()));
        }
        log
    }

    #[test]
    fn uses_the_last_exact_score_of_the_first_pv() {
        let lines = [
            "info string score cp 1 pv e2e4",
            "info depth 1 score cp 10 nodes 20 pv e2e4",
            "info depth 2 multipv 1 score cp 20 nodes 50 pv d2d4",
            "info depth 2 multipv 2 score cp -90 nodes 60 pv a2a3",
            "info depth 2 score cp -95 nodes 60 multipv 12",
            "info depth 3 score cp 70 lowerbound nodes 99 pv d2d4",
            "info depth 3 currmove a2a3 currmovenumber 2",
            "info string the score was bad",
        ];
        let info = log(&lines, false).info();
        assert_eq!(
            (info.score, info.depth, info.nodes),
            (Some(InfoScore::Centipawns(20)), Some(2), Some(99))
        );
        let info = log(&lines[5..6], false).info();
        assert_eq!((info.score, info.bound), (Some(InfoScore::Centipawns(70)), Bound::Lower));
        let info = log(&["info depth 2 score cp 30 multipv 1"], false).info();
        assert_eq!(info.score, Some(InfoScore::Centipawns(30)));
        assert_eq!(log(&[], false).info(), Info::default());
        assert_eq!(log(&lines, false).pvs.len(), 1);
        assert_eq!(log(&lines, true).pvs.len(), 4);
    }

    #[test]
    fn keeps_the_last_typed_output() {
        let mut log = SearchLog::default();
        for depth in 1..3 {
            log.record(SearchOutput::Info(Info { depth: Some(depth), ..Info::default() }));
        }
        assert_eq!(log.info().depth, Some(2));
    }

    #[cfg(unix)]
    #[test]
    fn engine_that_is_not_ready_for_its_move_does_not_lose_on_time() {
        let mut player = super::super::test_data::script(
            "read uci; echo uciok; read isready; echo readyok; while read line; do :; done",
        );
        player.limits.clock = "60+1".parse().ok();
        let cancel = std::sync::Arc::default();
        let timeouts = Timeouts { startup: 20_000, ping: 0, stall: 0, margin: 0 };
        let setup = EngineSetup {
            chess960: false,
            ponder: false,
            timeouts: &timeouts,
            cancel: &cancel,
            processors: None,
        };
        let mut engine = MatchEngine::start(&player, &setup).unwrap();
        let conditions = Conditions {
            adjudication: &Adjudication::default(),
            timeouts: &timeouts,
            chess960: false,
            check_every_pv: false,
            tablebases: None,
            ponder: false,
            resend_options: false,
        };
        let limits = [&player.limits; 2];
        let mut state = GameState::new(Game::new(), limits, &conditions);
        let Err(Abort::Fault(Fault::Stall { what }, transcript)) = state.search_move(&mut engine) else {
            panic!("the engine must lose by a stall");
        };
        assert!(what.contains("did not send \"readyok\" after \"isready\""), "{what}");
        assert_eq!(transcript.last().map(String::as_str), Some("> isready"));
    }

    #[test]
    fn checks_pv_legality() {
        let position = Position::startpos();
        let moves = |text: &str| text.split(' ').map(str::to_owned).collect::<Vec<_>>();
        assert_eq!(check_pv(&position, &moves("e2e4 e7e5 g1f3")), Ok(()));
        let error = check_pv(&position, &moves("e2e4 e2e4")).unwrap_err();
        assert!(error.starts_with("e2e4: "), "{error}");
    }
}
