//! The source text of `weights.rs` with other weights.

use super::super::declaration::Declaration;
use super::super::weights::declarations;
use std::fmt::Write;

/// The number of weights per line of a long array.
const WEIGHTS_PER_LINE: usize = 6;

/// Returns the source text of `weights.rs` with its numbers replaced by these weights, rounded. Everything else, such as
/// comments, is unchanged.
///
/// # Panics
/// If the number of weights differs from that of [`weights`](super::weights).
pub fn render(weights: &[f64]) -> String {
    let declarations = declarations();
    let expected: usize = declarations.iter().map(|declaration| 2 * declaration.weights.len()).sum();
    assert_eq!(weights.len(), expected, "the number of weights");
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
                let numbers = &weights[start..start + 2 * declaration.weights.len()];
                let _ = writeln!(text, "{head} = {};", source_of(declaration, numbers));
                skipping = !line.ends_with(';');
            }
            _ => {
                let _ = writeln!(text, "{line}");
            }
        }
    }
    text
}

/// The source text of one field's value.
fn source_of(declaration: &Declaration, numbers: &[f64]) -> String {
    let pairs: Vec<String> = numbers
        .chunks(2)
        .map(|pair| format!("s({:.0}, {:.0})", rounded(pair[0]), rounded(pair[1])))
        .collect();
    if declaration.is_psqt() {
        let files = declaration.weights.len() / 8;
        let function = if files == 8 { "boards" } else { "half_boards" };
        return format!("{function}(\n{}{}    )", board(numbers, files, 0), board(numbers, files, 1));
    }
    if declaration.subscripts[0].is_empty() {
        return pairs.join(", ");
    }
    if declaration.row > 0 {
        let rows: Vec<String> =
            pairs.chunks(declaration.row).map(|row| format!("        [{}],\n", row.join(", "))).collect();
        return format!("[\n{}    ]", rows.concat());
    }
    if pairs.len() <= WEIGHTS_PER_LINE {
        return format!("[{}]", pairs.join(", "));
    }
    let lines: Vec<String> =
        pairs.chunks(WEIGHTS_PER_LINE).map(|line| format!("        {},\n", line.join(", "))).collect();
    format!("[\n{}    ]", lines.concat())
}

/// One half of a piece-square table as drawn: 0 for the middlegame, 1 for the endgame.
fn board(numbers: &[f64], files: usize, half: usize) -> String {
    let mut text = String::from("        [\n");
    for row in numbers.chunks(2 * files) {
        text.push_str("            ");
        for (file, pair) in row.chunks(2).enumerate() {
            let _ = write!(text, "{}{:>4.0},", if file == 0 { "" } else { " " }, rounded(pair[half]));
        }
        text.push('\n');
    }
    text.push_str("        ],\n");
    text
}

/// The nearest integer, without a minus sign for zero.
fn rounded(number: f64) -> f64 {
    number.round() + 0.0
}

#[cfg(test)]
mod tests {
    use super::super::weights;
    use super::*;

    #[test]
    fn current_weights_reproduce_the_source() {
        assert_eq!(render(&weights()), include_str!("../weights.rs"));
    }

    #[test]
    fn other_weights_replace_only_numbers() {
        let mut weights = weights();
        weights.fill(0.4);
        weights[0] = 123.4;
        let text = render(&weights);
        assert!(text.contains("piece_value: [Score; 5] = [s(123, 0), s(0, 0),"), "{text}");
        assert!(text.contains("tempo: Score = s(0, 0);"), "{text}");
        assert_eq!(text.matches("///").count(), include_str!("../weights.rs").matches("///").count());
    }
}
