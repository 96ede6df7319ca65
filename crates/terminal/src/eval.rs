//! `tabiya eval`: the static evaluation in detail.

use crate::args::EvaluationArgs;
use crate::diagram::Diagram;
use crate::position;
use anyhow::Result;
use clap::Args;
use serde_json::{Value, json};
use std::io::Write;
use tabiya_core::Color;
use tabiya_eval::handcrafted::{self, Score};
use tabiya_eval::nnue::{self, Network};
use tabiya_eval::{Evaluation, classic};
use tabiya_movegen::{Game, Outcome, Position};

/// Evaluate a position without search and show every term, or the worth of every piece to a network.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  tabiya eval
  tabiya eval --evaluation classic 4k3/8/8/8/8/8/4P3/4K3 w - - 0 1
  tabiya eval --eval-file my.nnue
  tabiya eval --json | jq .value")]
pub struct EvalArgs {
    /// Position to evaluate [default: start position].
    #[arg(value_name = "FEN")]
    pub(crate) fen: Vec<String>,
    #[command(flatten)]
    evaluation: EvaluationArgs,
    /// Print JSON instead of a table.
    #[arg(long)]
    json: bool,
}

/// Runs `tabiya eval`.
///
/// # Errors
/// If the FEN or the network is invalid, or output fails.
pub(crate) fn run(args: &EvalArgs, out: &mut impl Write) -> Result<()> {
    let position = position::from_args(&args.fen)?;
    let evaluation = args.evaluation.load()?;
    if args.json {
        writeln!(out, "{:#}", as_json(&position, &evaluation))?;
        return Ok(());
    }
    // The table of a network shows the board itself.
    if !matches!(evaluation, Evaluation::Nnue(_)) {
        writeln!(out, "{}", Diagram::new(position.board()))?;
    }
    writeln!(out, "{position}\n\n{}", table(&position, &evaluation))?;
    Ok(())
}

/// The terms, or the worth of the pieces, as text. If the game is over, its result is stated first.
pub fn table(position: &Position, evaluation: &Evaluation) -> String {
    let outcome =
        outcome(position).map(|outcome| format!("The game is over: {outcome}\n\n")).unwrap_or_default();
    outcome + &terms(position, evaluation)
}

/// The result if the position ends the game, whatever its evaluation.
fn outcome(position: &Position) -> Option<Outcome> {
    Game::from_position(position.clone()).outcome()
}

fn terms(position: &Position, evaluation: &Evaluation) -> String {
    match evaluation {
        Evaluation::Nnue(network) => {
            let (architecture, description) = (network.architecture(), network.description());
            format!("Network {architecture}\n{description}\n\n{}", evaluation.explain(position))
        }
        _ => evaluation.explain(position),
    }
}

/// The terms as JSON. Values are centipawns from the point of view of the side they belong to, unless the
/// name says otherwise.
fn as_json(position: &Position, evaluation: &Evaluation) -> Value {
    let mut object = match evaluation {
        Evaluation::Nnue(network) => network_values(network, position),
        Evaluation::Handcrafted => handcrafted_terms(position),
        Evaluation::Classic => classic_terms(position),
        _ => json!({ "value": evaluation.evaluate(position) }),
    };
    object["fen"] = json!(position.to_string());
    object["evaluation"] = json!(evaluation.to_string());
    object["side_to_move"] = json!(position.side_to_move().to_string());
    object["outcome"] = json!(outcome(position).map(|outcome| outcome.to_string()));
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

fn network_values(network: &Network, position: &Position) -> Value {
    let trace = nnue::trace(network, position);
    let pieces: Vec<Value> = trace
        .pieces
        .iter()
        .map(|piece| {
            json!({
                "piece": piece.piece.to_string(),
                "square": piece.square.to_string(),
                "white_worth": piece.white_worth,
            })
        })
        .collect();
    let architecture = network.architecture();
    json!({
        "network": {
            "architecture": architecture.to_string(),
            "hidden": architecture.hidden(),
            "threat_neurons": architecture.threat_neurons(),
            "king_buckets": architecture.king_buckets().count(),
            "output_buckets": architecture.output_buckets(),
            "scale": architecture.scale(),
            "description": network.description(),
        },
        "pieces": pieces,
        "white_bucket_values": trace.buckets,
        "bucket": trace.bucket,
        "known": trace.known,
        "white_network_value": trace.white_network_value,
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
    use crate::args::random_network;

    #[test]
    fn json_agrees_with_the_evaluation() {
        let fen = "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 2 3";
        let position: Position = fen.parse().unwrap();
        let network = Evaluation::Nnue(random_network(3).0);
        for evaluation in [network.clone(), Evaluation::Handcrafted, Evaluation::Classic] {
            let value = evaluation.evaluate(&position);
            let object = as_json(&position, &evaluation);
            assert_eq!(object["value"], json!(value));
            assert_eq!(object["white_value"], json!(-value));
            assert_eq!(object["fen"], json!(fen));
            assert_eq!(object["side_to_move"], json!("black"));
            assert_eq!(object["evaluation"], json!(evaluation.to_string()));
        }
        assert_eq!(as_json(&position, &network)["outcome"], Value::Null);
        let classic = as_json(&position, &Evaluation::Classic);
        assert_eq!(classic["pieces"].as_array().map(Vec::len), Some(32));
        assert_eq!(classic["black"]["to_move"], json!(10));
        assert_eq!(classic["verdict"], Value::Null);
        let network = as_json(&position, &network);
        assert_eq!(network["white_bucket_values"].as_array().map(Vec::len), Some(2));
        assert_eq!(network["white_bucket_values"][1], network["white_value"]);
        assert_eq!(network["network"]["description"], json!("random, seed 3"));
        assert_eq!(network["network"]["threat_neurons"], json!(0));
        let king =
            network["pieces"].as_array().unwrap().iter().find(|piece| piece["square"] == "e1").unwrap();
        assert_eq!((&king["piece"], &king["white_worth"]), (&json!("K"), &Value::Null));
    }

    #[test]
    fn a_finished_game_is_said_to_be_over() {
        for (fen, outcome) in [
            ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "1/2-1/2 (stalemate)"),
            ("R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1", "1-0 (checkmate)"),
        ] {
            let position: Position = fen.parse().unwrap();
            let text = table(&position, &Evaluation::Classic);
            assert!(text.starts_with(&format!("The game is over: {outcome}\n")), "{text}");
            assert_eq!(as_json(&position, &Evaluation::Classic)["outcome"], json!(outcome));
        }
    }
}
