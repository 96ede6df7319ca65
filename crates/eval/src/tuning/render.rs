//! The text of `weights.rs` with other numbers in it.

use crate::declaration::Declaration;
use crate::weights::declarations;
use std::fmt::Write;

/// How many scores stand in a line of a long list.
const IN_A_LINE: usize = 6;

/// The whole text of `weights.rs` with these numbers, rounded, in place of those that it has. Everything
/// else in it, such as the comments, stays as it is.
///
/// # Panics
/// If there are not as many numbers as [`weights`](super::weights) returns.
pub fn render(weights: &[f64]) -> String {
    let declarations = declarations();
    let all: usize = declarations.iter().map(|declaration| 2 * declaration.scores.len()).sum();
    assert_eq!(weights.len(), all, "the weights and their declarations");
    let source = include_str!("../weights.rs");
    let mut text = String::new();
    let mut skipping = false;
    for line in source.lines() {
        if skipping {
            skipping = !line.ends_with(';');
            continue;
        }
        let declared = line.strip_prefix("    ").and_then(|line| line.split_once(": "));
        let found = declared.and_then(|(name, _)| declarations.iter().find(|one| one.name == name));
        match (found, line.split_once(" = ")) {
            (Some(declaration), Some((head, _))) => {
                let start = 2 * declaration.start;
                let numbers = &weights[start..start + 2 * declaration.scores.len()];
                let _ = writeln!(text, "{head} = {};", value(declaration, numbers));
                skipping = !line.ends_with(';');
            }
            _ => {
                let _ = writeln!(text, "{line}");
            }
        }
    }
    text
}

fn value(declaration: &Declaration, numbers: &[f64]) -> String {
    let scores: Vec<String> =
        numbers.chunks(2).map(|pair| format!("s({:.0}, {:.0})", whole(pair[0]), whole(pair[1]))).collect();
    if declaration.is_board() {
        let files = declaration.scores.len() / 8;
        let drawn_by = if files == 8 { "boards" } else { "half_boards" };
        return format!("{drawn_by}(\n{}{}    )", board(numbers, files, 0), board(numbers, files, 1));
    }
    if declaration.subscripts[0].is_empty() {
        return scores.join(", ");
    }
    if declaration.row > 0 {
        let rows: Vec<String> =
            scores.chunks(declaration.row).map(|row| format!("        [{}],\n", row.join(", "))).collect();
        return format!("[\n{}    ]", rows.concat());
    }
    if scores.len() <= IN_A_LINE {
        return format!("[{}]", scores.join(", "));
    }
    let lines: Vec<String> =
        scores.chunks(IN_A_LINE).map(|line| format!("        {},\n", line.join(", "))).collect();
    format!("[\n{}    ]", lines.concat())
}

/// One of the two halves of a drawn board: middle game or end game.
fn board(numbers: &[f64], files: usize, half: usize) -> String {
    let mut text = String::from("        [\n");
    for row in numbers.chunks(2 * files) {
        text.push_str("            ");
        for (file, pair) in row.chunks(2).enumerate() {
            let _ = write!(text, "{}{:>4.0},", if file == 0 { "" } else { " " }, whole(pair[half]));
        }
        text.push('\n');
    }
    text.push_str("        ],\n");
    text
}

/// The nearest whole number, without a minus sign for zero.
fn whole(number: f64) -> f64 {
    number.round() + 0.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tuning::weights;

    #[test]
    fn its_own_weights_change_nothing() {
        assert_eq!(render(&weights()), include_str!("../weights.rs"));
    }

    #[test]
    fn other_weights_come_where_they_belong() {
        let mut weights = weights();
        weights.fill(0.4);
        weights[0] = 123.4;
        let text = render(&weights);
        assert!(text.contains("piece_value: [Score; 5] = [s(123, 0), s(0, 0),"), "{text}");
        assert!(text.contains("tempo: Score = s(0, 0);"), "{text}");
        assert_eq!(text.matches("///").count(), include_str!("../weights.rs").matches("///").count());
    }
}
