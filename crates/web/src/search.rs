//! A search for a page: the request as settings of the player, and the state of the search as the page shows it.

use crate::protocol::SearchRequest;
use serde::Serialize;
use std::time::Duration;
use tabiya_core::{Bound, Color, Move};
use tabiya_movegen::{Game, Position};
use tabiya_player::{PlayerSettings, Strength};
use tabiya_search::{Clock, Info, Limits, Score};

/// The largest number of lines.
const MAX_LINES: usize = 5;

/// Maximum length of a line, in plies.
const MAX_LINE: usize = 24;

impl SearchRequest {
    /// The manner of play.
    pub(crate) fn settings(&self) -> PlayerSettings {
        PlayerSettings {
            strength: self.elo.map(Strength::from_elo),
            seed: None,
            human_pace: self.human_pace,
            book_depth: if self.book { u32::MAX } else { 0 },
        }
    }

    /// The limits of the search.
    pub(crate) fn limits(&self) -> Limits {
        let limit = &self.limit;
        Limits::default()
            .with_depth(limit.depth)
            .with_nodes(limit.nodes)
            .with_movetime(limit.movetime.map(Duration::from_millis))
            .with_clock(limit.clock.map(|clock| Clock::from_millis(clock.remaining, clock.increment)))
            .with_multipv(self.lines.clamp(1, MAX_LINES))
    }
}

/// The state of a search: counters and all lines found so far.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct SearchState {
    /// The depth in plies.
    pub depth: u32,
    /// The selective depth in plies.
    pub seldepth: u32,
    /// The number of nodes.
    pub nodes: u64,
    /// Nodes per second.
    pub nps: u64,
    /// The number of tablebase hits.
    pub tb_hits: u64,
    /// The lines, the best first.
    pub lines: Vec<LineView>,
}

/// A line of a search.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct LineView {
    /// The score from White's point of view.
    pub score: ScoreView,
    /// The probabilities of a win of White, a draw, and a win of Black, in thousandths.
    pub wdl: [u16; 3],
    /// `lower` or `upper` if the score is a bound, from White's point of view.
    pub bound: Option<&'static str>,
    /// The moves in UCI notation; castling is "king takes own rook".
    pub uci: Vec<String>,
    /// The moves in SAN.
    pub san: Vec<String>,
}

/// A score. Exactly one member is set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct ScoreView {
    /// Centipawns.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cp: Option<i32>,
    /// Moves to mate, negative if Black mates.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mate: Option<i32>,
}

impl ScoreView {
    /// A score of the side to move, seen by White.
    pub(crate) fn new(score: Score, side: Color) -> ScoreView {
        let sign = if side == Color::White { 1 } else { -1 };
        match score {
            Score::Centipawns(value) => ScoreView { cp: Some(value * sign), mate: None },
            Score::Mate(moves) => ScoreView { cp: None, mate: Some(moves * sign) },
        }
    }
}

/// Collects the reports of a search.
#[derive(Debug)]
pub(crate) struct InfoCollector {
    root: Position,
    state: SearchState,
}

impl InfoCollector {
    pub(crate) fn new(game: &Game) -> InfoCollector {
        InfoCollector { root: game.position().clone(), state: SearchState::default() }
    }

    /// Adds a report.
    pub(crate) fn update(&mut self, info: &Info) {
        let state = &mut self.state;
        state.depth = info.depth;
        state.seldepth = info.seldepth;
        state.nodes = info.nodes;
        state.nps = info.nps();
        state.tb_hits = info.tb_hits;
        let index = (info.multipv as usize).saturating_sub(1);
        let line = line(&self.root, info);
        match state.lines.get_mut(index) {
            Some(previous) => *previous = line,
            None => state.lines.push(line),
        }
    }

    pub(crate) fn state(&self) -> &SearchState {
        &self.state
    }
}

fn line(root: &Position, info: &Info) -> LineView {
    let side = root.side_to_move();
    let wdl = [info.wdl.win, info.wdl.draw, info.wdl.loss];
    let bound = match (info.bound, side) {
        (Bound::Exact, _) => None,
        (Bound::Lower, Color::White) | (Bound::Upper, Color::Black) => Some("lower"),
        _ => Some("upper"),
    };
    let moves = &info.pv[..info.pv.len().min(MAX_LINE)];
    LineView {
        score: ScoreView::new(info.score, side),
        wdl: if side == Color::White { wdl } else { [wdl[2], wdl[1], wdl[0]] },
        bound,
        uci: moves.iter().map(|mv| mv.to_uci(true).to_string()).collect(),
        san: san_line(root, moves),
    }
}

fn san_line(root: &Position, moves: &[Move]) -> Vec<String> {
    let mut position = root.clone();
    let mut line = Vec::new();
    for &mv in moves {
        if !position.is_legal(mv) {
            break;
        }
        line.push(position.san(mv).to_string());
        position.play_unchecked(mv);
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_are_seen_by_white() {
        let game = Game::from_position("4k3/8/8/8/8/8/4q3/7K b - - 0 1".parse().unwrap());
        let mut collector = InfoCollector::new(&game);
        let pv = vec![game.position().parse_uci("e2e7").unwrap()];
        let wdl = tabiya_search::Wdl { win: 900, draw: 90, loss: 10 };
        let info = Info::new(3, Score::Mate(2)).with_wdl(wdl).with_pv(pv).with_bound(Bound::Lower);
        collector.update(&info);
        let [line] = &collector.state().lines[..] else { panic!("{:?}", collector.state()) };
        assert_eq!((line.score, line.wdl), (ScoreView { cp: None, mate: Some(-2) }, [10, 90, 900]));
        assert_eq!((line.san.as_slice(), line.bound), (&["Qe7".to_owned()][..], Some("upper")));
    }
}
