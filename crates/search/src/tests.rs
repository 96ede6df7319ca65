//! Tests of the search as a whole.

mod aborted;
mod analysis;
mod deep;
mod draws;
mod incremental_evaluation;
mod limits;
mod lines;
mod mates;
mod oracle;
mod overlooked_moves;
mod tablebases;
mod timing;

use crate::{BestMove, Engine, Info, Limits, Options, Score, Search, SearchEvent, TimeSource};
use std::sync::Arc;
use std::time::Duration;
use tabiya_core::{Bound, Move};
use tabiya_eval::nnue::{Architecture, KingBuckets, Network, Parameters};
use tabiya_movegen::{Game, Position};

/// A middlegame position with 48 legal moves of nearly every kind.
const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
/// A position whose quiescence search is extremely large without pruning.
const MANY_QUEENS: &str = "1qqnkqq1/1q1pppp1/8/8/8/8/1Q1PPPP1/1QQNKQQ1 w - - 0 1";

fn ms(milliseconds: u64) -> Duration {
    Duration::from_millis(milliseconds)
}

fn engine() -> Engine {
    Engine::new(Options { hash_mb: 2, ..Options::default() }).expect("enough memory")
}

/// Returns an engine whose clock stands still. A search that lasts for seconds also reports bounds, on a busy machine in any test.
fn engine_without_clock(hash_mb: usize) -> Engine {
    let mut engine = Engine::new(Options { hash_mb, ..Options::default() }).expect("enough memory");
    engine.set_time_source(TimeSource::Function(|| Duration::ZERO));
    engine
}

fn position(fen: &str) -> Position {
    Position::from_fen(fen).unwrap_or_else(|error| panic!("{fen}: {error}"))
}

fn game(fen: &str) -> Game {
    Game::from_position(position(fen))
}

/// A network with random parameters, 8 king buckets and 4 output buckets.
fn random_network() -> Arc<Network> {
    let buckets = KingBuckets::new(std::array::from_fn(|square| (square / 4) as u8)).expect("eight buckets");
    let architecture = Architecture::new(32, buckets, 4, 400).expect("valid sizes");
    let parameters = Parameters::random(&architecture, 1);
    Arc::new(Network::new(architecture, "random", &parameters).expect("valid parameters"))
}

fn uci(mv: Option<Move>) -> String {
    mv.map_or_else(|| "none".into(), |mv| mv.to_uci(false).to_string())
}

/// Returns the reports and the best move of a search, and checks what is true of every search.
fn finish(search: &Search, game: &Game) -> (Vec<Info>, BestMove) {
    let mut infos = Vec::new();
    let mut answers = Vec::new();
    for event in search.events() {
        match event {
            SearchEvent::Info(info) => {
                assert!(answers.is_empty(), "the best move is the last event");
                infos.push(info);
            }
            SearchEvent::CurrentMove { mv, number, .. } => {
                assert!(number > 0 && game.position().is_legal(mv));
            }
            SearchEvent::BestMove(best_move) => answers.push(best_move),
        }
    }
    assert_eq!(answers.len(), 1);
    let answer = answers[0];
    assert!(!infos.is_empty(), "at least one report");
    for pair in infos.windows(2) {
        assert!(pair[0].nodes <= pair[1].nodes && pair[0].time <= pair[1].time);
    }
    // The last one may be that of another thread, or of an unfinished iteration.
    let depths: Vec<u32> = infos.iter().filter(|info| info.multipv == 1).map(|info| info.depth).collect();
    assert!(depths[..depths.len() - 1].is_sorted(), "{depths:?}");
    infos.iter().for_each(|info| check_pv(game.position(), info));
    let first_line = infos.iter().rfind(|info| info.multipv == 1).expect("a report of the first line");
    assert_eq!(answer.best, first_line.pv.first().copied());
    assert_eq!(answer.best.is_some(), game.position().has_legal_move());
    if let (Some(best), Some(ponder)) = (answer.best, answer.ponder) {
        let next = game.position().play(best).expect("the best move is legal");
        assert!(next.is_legal(ponder));
    }
    (infos, answer)
}

/// Checks that a PV consists of legal moves, and that one with a mate score ends in checkmate.
fn check_pv(root: &Position, info: &Info) {
    let mut position = root.clone();
    for &mv in &info.pv {
        position =
            position.play(mv).unwrap_or_else(|error| panic!("{error} in the PV of {info:?} from {root}"));
    }
    if let (Score::Mate(moves), Bound::Exact) = (info.score, info.bound) {
        let plies = if moves > 0 { 2 * moves - 1 } else { -2 * moves };
        assert_eq!(info.pv.len(), plies as usize, "{info:?} from {root}");
        assert!(position.is_checkmate(), "{info:?} from {root}");
    }
}

/// Searches with a new engine and returns the last report and the best move.
fn search(game: &Game, limits: Limits) -> (Info, BestMove) {
    let mut engine = engine();
    let (mut infos, best_move) = finish(&engine.go(game, limits), game);
    (infos.pop().expect("at least one report"), best_move)
}
