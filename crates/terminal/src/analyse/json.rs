//! JSON output of `tabiya analyse`: an object per report, one for the best move, and one for the move of `--why-not`. Each has its moves as `pv` and `san`. Scores
//! and probabilities are from White's point of view.

use super::white_view;
use crate::variation;
use serde_json::{Value, json};
use tabiya_core::{Bound, Color, Move};
use tabiya_movegen::{Outcome, Position};
use tabiya_review::Purpose;
use tabiya_search::{BestMove, Info, Score};

/// A report of the search.
pub(super) fn info(position: &Position, info: &Info) -> Value {
    let side = position.side_to_move();
    let (score, bound) = white_view(info.score, info.bound, side);
    let bound = match bound {
        Bound::Exact => "exact",
        Bound::Lower => "lower",
        Bound::Upper => "upper",
    };
    let (win, loss) = match side {
        Color::White => (info.wdl.win, info.wdl.loss),
        Color::Black => (info.wdl.loss, info.wdl.win),
    };
    let mut report = json!({
        "fen": position.to_string(),
        "depth": info.depth,
        "seldepth": info.seldepth,
        "multipv": info.multipv,
        "score": score_object(score),
        "bound": bound,
        "wdl": { "win": win, "draw": info.wdl.draw, "loss": loss },
        "nodes": info.nodes,
        "nps": info.nps(),
        "time_ms": info.time.as_millis() as u64,
        "hashfull": info.hashfull,
        "pv": uci(position, &info.pv),
        "san": san(position, &info.pv),
    });
    if info.tb_hits > 0 {
        report["tbhits"] = info.tb_hits.into();
    }
    report
}

/// A score.
pub(super) fn score_object(score: Score) -> Value {
    match score {
        Score::Centipawns(value) => json!({ "cp": value }),
        Score::Mate(moves) => json!({ "mate": moves }),
    }
}

/// The best move, and its purpose as data and in words if its line shows one.
pub(super) fn best_move(position: &Position, answer: BestMove, purpose: Option<&Purpose>) -> Value {
    let moves: Vec<Move> = answer.best.into_iter().chain(answer.ponder).collect();
    let (uci, san) = (uci(position, &moves), san(position, &moves));
    let mut object = json!({
        "fen": position.to_string(),
        "best": { "uci": uci.first(), "san": san.first() },
        "ponder": { "uci": uci.get(1), "san": san.get(1) },
        "pv": uci,
        "san": san,
    });
    if let Some(purpose) = purpose {
        object["purpose"] = json!(purpose);
        object["text"] = purpose.to_string().into();
    }
    object
}

/// The result of a game that is over.
pub(super) fn outcome(position: &Position, outcome: Outcome) -> Value {
    let none: [&str; 0] = [];
    json!({ "fen": position.to_string(), "outcome": outcome.to_string(), "pv": none, "san": none })
}

fn uci(position: &Position, moves: &[Move]) -> Vec<String> {
    let chess960 = !position.has_standard_castling();
    moves.iter().map(|mv| mv.to_uci(chess960).to_string()).collect()
}

fn san(start: &Position, moves: &[Move]) -> Vec<String> {
    variation::played(start, moves).map(|(position, mv)| position.san(mv).to_string()).collect()
}
