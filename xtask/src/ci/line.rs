//! A program to run and its arguments.

/// A program that is run in the root of the repository.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Line {
    pub(super) program: Program,
    pub(super) arguments: Vec<String>,
    /// Environment variables, beside those of this program.
    pub(super) variables: Vec<(&'static str, &'static str)>,
}

/// The program of a [`Line`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Program {
    /// The cargo that runs this program.
    Cargo,
    /// This program.
    Xtask,
    /// Anything else.
    Path(String),
}

/// A call of cargo.
pub(super) fn cargo(arguments: &str) -> Line {
    Line { program: Program::Cargo, arguments: words(arguments), variables: Vec::new() }
}

/// A call of this program.
pub(super) fn xtask(arguments: &str) -> Line {
    Line { program: Program::Xtask, ..cargo(arguments) }
}

/// The words between white space.
pub(super) fn words(text: &str) -> Vec<String> {
    text.split_whitespace().map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_divided_into_words() {
        let line = cargo("test --workspace");
        assert_eq!((line.program, line.arguments.len()), (Program::Cargo, 2));
        assert_eq!(xtask("tidy").program, Program::Xtask);
    }
}
