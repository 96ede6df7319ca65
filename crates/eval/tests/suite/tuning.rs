//! The tuner's coefficients agree with the evaluation, and their gradient with finite differences.

use tabiya_core::SplitMix64;
use tabiya_eval::handcrafted::evaluate;
use tabiya_eval::handcrafted::tuning::{Coefficients, names, weights};
use tabiya_movegen::Position;

/// Visits at least `count` positions of random games.
fn random_positions(count: usize, mut visit: impl FnMut(&Position)) {
    let mut random = SplitMix64::new(1);
    let mut seen = 0;
    while seen < count {
        let mut position = Position::chess960(random.below(960) as u16).expect("a number below 960");
        for _ in 0..200 {
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            position.play_unchecked(moves[random.below(moves.len())]);
            visit(&position);
            seen += 1;
        }
    }
}

#[test]
fn coefficients_agree_with_the_evaluation() {
    let weights = weights();
    random_positions(100_000, |position| {
        let exact = Coefficients::of(position).evaluate(&weights);
        let white = if position.side_to_move() == tabiya_core::Color::White { 1 } else { -1 };
        let rounded = f64::from(white * evaluate(position));
        // The evaluation rounds both king safety penalties, the adjustment, the scaling and the blend.
        assert!((exact - rounded).abs() < 4.0, "{exact} and {rounded} for {position}");
    });
}

#[test]
fn gradient_agrees_with_finite_differences() {
    const STEP: f64 = 1e-4;
    // The slope jumps at some integer weights, so use others.
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
    assert!(checked > 10_000, "only {checked} nonzero slopes");
}
