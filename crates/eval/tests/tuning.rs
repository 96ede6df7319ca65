//! The tuner's coefficients say what the evaluation says, and their gradient is its slope.

#![cfg(feature = "tuning")]

use tabiya_eval::handcrafted::evaluate;
use tabiya_eval::handcrafted::tuning::{Coefficients, names, weights};
use tabiya_movegen::Position;

/// Visits the positions of random games until there are enough.
fn random_positions(enough: usize, mut visit: impl FnMut(&Position)) {
    let mut state = 0x9e37_79b9_7f4a_7c15u64;
    let mut dice = |bound: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 32) as usize % bound
    };
    let mut seen = 0;
    while seen < enough {
        let mut position = Position::chess960(dice(960) as u16).expect("a number below 960");
        for _ in 0..200 {
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            position.play_unchecked(moves[dice(moves.len())]);
            visit(&position);
            seen += 1;
        }
    }
}

#[test]
fn coefficients_say_what_the_evaluation_says() {
    let weights = weights();
    random_positions(100_000, |position| {
        let exact = Coefficients::of(position).evaluate(&weights);
        let white = if position.side_to_move() == tabiya_core::Color::White { 1 } else { -1 };
        let played = f64::from(white * evaluate(position));
        // Each of the two kings' dangers, the scale and the blend round once.
        assert!((exact - played).abs() < 4.0, "{exact} and {played} for {position}");
    });
}

#[test]
fn gradients_are_slopes() {
    const STEP: f64 = 1e-4;
    // Whole numbers lie on the edges where the slope jumps: the tuner's do not.
    let weights: Vec<f64> =
        weights().iter().enumerate().map(|(index, weight)| weight + 0.3 * (index as f64).sin()).collect();
    let names = names();
    let mut number = 0;
    let mut checked = 0;
    random_positions(4000, |position| {
        number += 1;
        if number % 20 != 0 {
            return;
        }
        let coefficients = Coefficients::of(position);
        let mut gradient = vec![0.0; weights.len()];
        coefficients.add_gradient(&weights, 1.0, &mut gradient);
        for index in 0..weights.len() {
            let mut moved = weights.clone();
            moved[index] += STEP;
            let above = coefficients.evaluate(&moved);
            moved[index] -= 2.0 * STEP;
            let slope = (above - coefficients.evaluate(&moved)) / (2.0 * STEP);
            let difference = (slope - gradient[index]).abs();
            assert!(
                difference < 1e-3 * (1.0 + slope.abs()),
                "{}: {slope} and {} for {position}",
                names[index],
                gradient[index]
            );
            checked += usize::from(slope != 0.0);
        }
    });
    assert!(checked > 10_000, "only {checked} slopes");
}
