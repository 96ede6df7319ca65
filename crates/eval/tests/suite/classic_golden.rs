//! Compares every term of the classic evaluation with a golden file written by an independent implementation,
//! `oracle/classic_oracle.py`, which documents how to run it.

use std::collections::BTreeSet;
use std::fmt::Write;
use tabiya_core::{Color, File};
use tabiya_eval::classic::{self, PieceTerm, Trace};
use tabiya_movegen::Position;

const GOLDEN: &str =
    include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/data/eval/classic_golden.txt"));

/// The expected lines of one position in the golden file, from `end_game` on.
fn format_trace(trace: &Trace) -> String {
    let mut text = format!("end_game {}\n", if trace.end_game { "yes" } else { "no" });
    for piece in &trace.pieces {
        write!(text, "{} {}", piece.piece, piece.square).unwrap();
        for (term, value) in piece.terms() {
            write!(text, " {term} {value}").unwrap();
        }
        writeln!(text, " = {}", piece.total()).unwrap();
    }
    for (color, side) in Color::ALL.into_iter().zip(&trace.sides) {
        let (check, castled, to_move) = (side.check, side.castled, side.to_move);
        let sum = check + castled + to_move;
        writeln!(text, "{color} check {check} castled {castled} to_move {to_move} = {sum}").unwrap();
        for (name, values) in [("isolated", side.isolated), ("passed", side.passed)] {
            write!(text, "{color} {name}").unwrap();
            for (file, value) in File::ALL.into_iter().zip(values) {
                write!(text, " {file} {value}").unwrap();
            }
            writeln!(text, " = {}", values.iter().sum::<i32>()).unwrap();
        }
    }
    writeln!(text, "sum {}", trace.sum).unwrap();
    writeln!(text, "verdict {}", trace.verdict.map_or("none", |verdict| verdict.name())).unwrap();
    write!(text, "white_value {}", trace.white_value).unwrap();
    text
}

/// The blocks of the golden file: FEN, description and expected lines.
fn golden() -> Vec<(&'static str, &'static str, &'static str)> {
    GOLDEN
        .trim_end()
        .split("\n\n")
        .skip(1)
        .map(|block| {
            let (fen, rest) = block.strip_prefix("position ").unwrap().split_once('\n').unwrap();
            let (about, expected) = rest.strip_prefix("about ").unwrap().split_once('\n').unwrap();
            (fen, about, expected)
        })
        .collect()
}

#[test]
fn terms_agree_with_the_golden_file() {
    let golden = golden();
    assert!(golden.len() >= 50, "only {} positions", golden.len());
    for (fen, about, expected) in golden {
        let position = Position::from_fen(fen).unwrap_or_else(|error| panic!("{fen}: {error}"));
        let trace = classic::trace(&position);
        let actual = format_trace(&trace);
        for (line, (actual, expected)) in actual.lines().zip(expected.lines()).enumerate() {
            assert_eq!(actual, expected, "line {} of {about}: {fen}", line + 3);
        }
        assert_eq!(actual, expected, "{about}: {fen}");
        assert_eq!(classic::white_value(&position), trace.white_value, "{about}: {fen}");
    }
}

/// A term that is zero in all positions would not be tested.
#[test]
fn golden_file_covers_every_term() {
    let mut seen = BTreeSet::new();
    for (fen, _, _) in golden() {
        let trace = classic::trace(&Position::from_fen(fen).unwrap());
        for (term, value) in trace.pieces.iter().flat_map(|piece| piece.terms()) {
            if value != 0 {
                seen.insert(term.name().to_owned());
            }
        }
        seen.extend(trace.verdict.map(|verdict| verdict.name().to_owned()));
        for (color, side) in Color::ALL.into_iter().zip(&trace.sides) {
            let whole = [("check", side.check), ("castled", side.castled), ("to move", side.to_move)];
            let by_file =
                |name, values: [i32; 8]| File::ALL.into_iter().zip(values).map(move |(f, v)| (name, f, v));
            seen.extend(
                whole.into_iter().filter(|&(_, v)| v != 0).map(|(name, _)| format!("{color} {name}")),
            );
            seen.extend(
                by_file("isolated", side.isolated)
                    .chain(by_file("passed", side.passed))
                    .filter(|&(_, _, value)| value != 0)
                    .map(|(name, file, _)| format!("{color} {name} {file}")),
            );
        }
    }
    let verdicts = ["checkmate", "stalemate", "fifty_moves", "insufficient_material"];
    let mut expected: BTreeSet<String> = verdicts.into_iter().map(str::to_owned).collect();
    expected.extend(PieceTerm::ALL.map(|term| term.name().to_owned()));
    for color in Color::ALL {
        expected.extend(["check", "castled", "to move"].map(|name| format!("{color} {name}")));
        for file in File::ALL {
            expected.extend(["isolated", "passed"].map(|name| format!("{color} {name} {file}")));
        }
    }
    let missing: Vec<_> = expected.difference(&seen).collect();
    assert!(missing.is_empty(), "not covered by the golden file: {missing:?}");
}
