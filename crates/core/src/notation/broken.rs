//! [`Broken`]: a game with errors.

use core::fmt;

/// The errors of a game, with the part of the game that could be read.
#[derive(Clone, PartialEq, Eq)]
pub struct Broken<G, E> {
    /// The first error, boxed so that a `Result` is small.
    pub error: Box<E>,
    /// The other errors, in the order of the text; at most 999 are kept.
    pub further_errors: Vec<E>,
    /// The part that could be read. An invalid move drops the rest of its line: a variation, or after the main line the
    /// rest of the game. Other errors drop only the invalid element.
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
            Some(error) => {
                Err(Broken { error: Box::new(error), further_errors: errors.collect(), game: Box::new(game) })
            }
        }
    }

    /// Splits what reading a game has returned into the game, or the part of it that could be read, and the errors.
    ///
    /// ```
    /// use tabiya_core::notation::{Broken, PgnGameBuilder, PgnReader};
    ///
    /// let mut reader = PgnReader::new("1. e4 TN e5 2. Nf3 *".as_bytes());
    /// let read = reader.read_game(&mut PgnGameBuilder::new())?.unwrap();
    /// let (game, errors) = Broken::split(read);
    /// assert_eq!(game.mainline().count(), 3);
    /// assert!(errors[0].to_string().starts_with("invalid PGN, line 1, column 7, at \"TN\": unexpected text"));
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn split(read: Result<G, Broken<G, E>>) -> (G, Vec<E>) {
        match read {
            Ok(game) => (game, Vec::new()),
            Err(Broken { error, mut further_errors, game }) => {
                further_errors.insert(0, *error);
                (*game, further_errors)
            }
        }
    }

    /// Iterates over all errors in the order of the text, the first one included.
    pub fn errors(&self) -> impl Iterator<Item = &E> {
        core::iter::once(&*self.error).chain(&self.further_errors)
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
