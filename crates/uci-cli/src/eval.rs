//! `tabiya eval`: the static evaluation, term by term.

use crate::diagram::Diagram;
use crate::position;
use anyhow::Result;
use clap::Args;
use serde_json::{Value, json};
use std::io::Write;
use tabiya_core::Color;
use tabiya_eval::handcrafted::{self, Score};
use tabiya_eval::{Evaluation, classic};
use tabiya_movegen::Position;

/// Evaluate a position without search and show every term.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  tabiya eval
  tabiya eval --evaluation classic 4k3/8/8/8/8/8/4P3/4K3 w - - 0 1
  tabiya eval --json | jq .value")]
pub(crate) struct EvalArgs {
    /// Position to evaluate [default: start position].
    #[arg(value_name = "FEN")]
    pub(crate) fen: Vec<String>,
    /// Evaluation function: handcrafted or classic.
    #[arg(long, default_value_t)]
    evaluation: Evaluation,
    /// Print JSON instead of a table.
    #[arg(long)]
    json: bool,
}

/// Runs `tabiya eval`.
///
/// # Errors
/// If the FEN is invalid, or output fails.
pub(crate) fn run(args: &EvalArgs, out: &mut impl Write) -> Result<()> {
    let position = position::from_args(&args.fen)?;
    if args.json {
        writeln!(out, "{:#}", as_json(&position, args.evaluation))?;
        return Ok(());
    }
    writeln!(out, "{}\n{position}\n\n{}", Diagram::new(position.board()), table(&position, args.evaluation))?;
    Ok(())
}

/// The terms as a table.
pub(crate) fn table(position: &Position, evaluation: Evaluation) -> String {
    evaluation.explain(position)
}

/// The terms as JSON. Values are centipawns from the point of view of the side they belong to, unless the
/// name says otherwise.
fn as_json(position: &Position, evaluation: Evaluation) -> Value {
    let mut object = match evaluation {
        Evaluation::Handcrafted => handcrafted_terms(position),
        Evaluation::Classic => classic_terms(position),
        _ => json!({ "value": evaluation.evaluate(position) }),
    };
    object["fen"] = json!(position.to_string());
    object["evaluation"] = json!(evaluation.to_string());
    object["side_to_move"] = json!(position.side_to_move().to_string());
    object
}

fn handcrafted_terms(position: &Position) -> Value {
    let trace = handcrafted::trace(position);
    let score = |score: Score| json!({ "middle_game": score.mg(), "end_game": score.eg() });
    let terms: Vec<Value> = trace
        .terms
        .iter()
        .map(|term| {
            json!({ "term": term.term.to_string(), "white": score(term.white), "black": score(term.black) })
        })
        .collect();
    let weights: Vec<Value> = trace
        .weights
        .iter()
        .map(|weight| {
            json!({
                "weight": weight.name,
                "term": weight.term.to_string(),
                "worth": { "middle_game": weight.mg, "end_game": weight.eg },
                "white": weight.white,
                "black": weight.black,
            })
        })
        .collect();
    json!({
        "terms": terms,
        "weights": weights,
        "scale_factor": trace.scale_factor,
        "known": trace.known,
        "sum": score(trace.total),
        "phase": trace.phase.get(),
        "white_value": trace.white_value,
        "value": trace.value,
    })
}

fn classic_terms(position: &Position) -> Value {
    let trace = classic::trace(position);
    let pieces: Vec<Value> = trace
        .pieces
        .iter()
        .map(|piece| {
            let terms: serde_json::Map<String, Value> =
                piece.terms().map(|(term, value)| (term.name().to_owned(), json!(value))).collect();
            json!({
                "piece": piece.piece.to_string(),
                "square": piece.square.to_string(),
                "terms": terms,
                "total": piece.total(),
            })
        })
        .collect();
    let mut object = json!({
        "pieces": pieces,
        "end_game": trace.end_game,
        "sum": trace.sum,
        "verdict": trace.verdict.map(|verdict| verdict.name()),
        "white_value": trace.white_value,
        "value": trace.value,
    });
    for (color, side) in Color::ALL.into_iter().zip(trace.sides) {
        object[color.to_string()] = json!({
            "check": side.check,
            "castled": side.castled,
            "to_move": side.to_move,
            "isolated_pawns": side.isolated,
            "passed_files": side.passed,
            "total": side.total(),
        });
    }
    object
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_agrees_with_the_evaluation() {
        let fen = "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 2 3";
        let position: Position = fen.parse().unwrap();
        for &evaluation in Evaluation::ALL {
            let value = evaluation.evaluate(&position);
            let object = as_json(&position, evaluation);
            assert_eq!(object["value"], json!(value));
            assert_eq!(object["white_value"], json!(-value));
            assert_eq!(object["fen"], json!(fen));
            assert_eq!(object["side_to_move"], json!("black"));
            assert_eq!(object["evaluation"], json!(evaluation.to_string()));
        }
        let classic = as_json(&position, Evaluation::Classic);
        assert_eq!(classic["pieces"].as_array().map(Vec::len), Some(32));
        assert_eq!(classic["black"]["to_move"], json!(10));
        assert_eq!(classic["verdict"], Value::Null);
    }
}
