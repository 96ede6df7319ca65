//! The weights as a flat list, and positions as functions of that list, for a tuner.
//!
//! A tuner needs the weights as a vector and, for each position, the value and its gradient as functions of
//! that vector. Both are derived from the code that evaluates, through its tracer.
//!
//! ```
//! use tabiya_eval::handcrafted::tuning::{Coefficients, names, weights};
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
mod packed;
mod render;

pub use coefficients::Coefficients;
pub use render::render;

use super::term::Term;
use super::weights::declarations;

/// Returns all weights in the order of their declaration: the middlegame half of each, then its endgame half.
pub fn weights() -> Vec<f64> {
    declarations()
        .iter()
        .flat_map(|declaration| &declaration.weights)
        .flat_map(|halves| halves.map(f64::from))
        .collect()
}

/// Returns the names of all weights, such as `knight_mobility[3].mg`, in the same order.
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

/// Returns the term that each weight belongs to, in the same order.
pub fn terms() -> Vec<Term> {
    declarations()
        .iter()
        .flat_map(|declaration| std::iter::repeat_n(declaration.term, 2 * declaration.weights.len()))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique() {
        let mut names = names();
        assert_eq!(names.len(), weights().len());
        assert!(names.contains(&"pawn_psqt[a8].mg".to_owned()));
        assert!(names.contains(&"isolated[1][3].eg".to_owned()));
        assert!(names.contains(&"tempo.eg".to_owned()));
        names.sort();
        names.dedup();
        assert_eq!(names.len(), weights().len());
    }

    #[test]
    fn each_weight_has_its_term() {
        let (names, terms) = (names(), terms());
        assert_eq!(names.len(), terms.len());
        let of = |name: &str| names.iter().position(|other| other == name).map(|index| terms[index]);
        assert_eq!(of("space.mg"), Some(Term::Space));
        assert_eq!(of("isolated[1][3].eg"), Some(Term::PawnStructure));
        assert_eq!(of("tempo.eg"), Some(Term::Tempo));
    }

    #[test]
    fn declarations_are_contiguous() {
        let mut index = 0;
        for declaration in declarations() {
            assert_eq!(declaration.start, index, "{}", declaration.name);
            assert_eq!(declaration.weights.len(), declaration.subscripts.len(), "{}", declaration.name);
            index += declaration.weights.len();
        }
    }
}
