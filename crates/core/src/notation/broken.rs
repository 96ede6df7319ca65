//! [`Broken`]: a game with errors.

use core::fmt;

/// The errors of a game, with the part of the game that could be read.
#[derive(Clone, PartialEq, Eq)]
pub struct Broken<G, E> {
    /// The first error.
    pub error: E,
    /// The other errors, in the order of the text; at most 999 are kept.
    pub further_errors: Vec<E>,
    /// The part that could be read. An invalid move drops the rest of its line; other errors drop only the
    /// invalid element.
    pub game: Box<G>,
}

impl<G, E> Broken<G, E> {
    /// Returns the game if there are no errors.
    ///
    /// # Errors
    /// If there are any, given in the order of the text.
    pub fn check(game: G, errors: impl IntoIterator<Item = E>) -> Result<G, Broken<G, E>> {
        let mut errors = errors.into_iter();
        match errors.next() {
            None => Ok(game),
            Some(error) => Err(Broken { error, further_errors: errors.collect(), game: Box::new(game) }),
        }
    }

    /// Iterates over all errors in the order of the text, the first one included.
    pub fn errors(&self) -> impl Iterator<Item = &E> {
        core::iter::once(&self.error).chain(&self.further_errors)
    }
}

/// Writes the first error.
impl<G, E: fmt::Display> fmt::Display for Broken<G, E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.error, f)
    }
}

/// The same: a program whose `main` returns the error prints it in this form.
impl<G, E: fmt::Display> fmt::Debug for Broken<G, E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.error, f)
    }
}

impl<G, E: fmt::Display> core::error::Error for Broken<G, E> {}
