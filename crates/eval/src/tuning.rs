//! All weights as one flat list, and positions as what they count.
//!
//! A trainer wants numbers: the weights as a vector, and for each position the evaluation as a function of
//! that vector, with its gradient. Both come from the code that plays, through its tracer.
//!
//! ```
//! use tabiya_eval::tuning::{Coefficients, names, weights};
//! use tabiya_movegen::Position;
//!
//! let weights = weights();
//! let position = Coefficients::of(&Position::startpos());
//! let value = position.evaluate(&weights);
//! assert!(value > 0.0, "White is to move");
//!
//! let mut gradient = vec![0.0; weights.len()];
//! position.add_gradient(&weights, 1.0, &mut gradient);
//! let tempo = names().iter().position(|name| name == "tempo.mg");
//! assert!(tempo.is_some_and(|index| gradient[index] > 0.0));
//! ```

mod coefficients;
mod render;

pub use coefficients::Coefficients;
pub use render::render;

use crate::weights::declarations;

/// All tunable numbers, in the order of their declaration; each weight's middle game, then its end game.
pub fn weights() -> Vec<f64> {
    declarations()
        .iter()
        .flat_map(|declaration| &declaration.scores)
        .flat_map(|score| [f64::from(score.middle_game()), f64::from(score.end_game())])
        .collect()
}

/// What each of the numbers is called, like `knight_mobility[3].mg`.
pub fn names() -> Vec<String> {
    let mut names = Vec::new();
    for declaration in declarations() {
        for subscript in &declaration.subscripts {
            for half in ["mg", "eg"] {
                names.push(format!("{}{subscript}.{half}", declaration.name));
            }
        }
    }
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_has_one_name() {
        let mut names = names();
        assert_eq!(names.len(), weights().len());
        assert!(names.contains(&"pawn_squares[a8].mg".to_owned()));
        assert!(names.contains(&"isolated[1][3].eg".to_owned()));
        assert!(names.contains(&"tempo.eg".to_owned()));
        names.sort();
        names.dedup();
        assert_eq!(names.len(), weights().len());
    }

    #[test]
    fn weights_lie_where_their_declarations_say() {
        let mut place = 0;
        for declaration in declarations() {
            assert_eq!(declaration.start, place, "{}", declaration.name);
            assert_eq!(declaration.scores.len(), declaration.subscripts.len(), "{}", declaration.name);
            place += declaration.scores.len();
        }
    }
}
