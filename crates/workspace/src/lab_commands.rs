//! The developer programs and their commands, which `cargo xtask` forwards.

/// A program for developers, started by `cargo xtask`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Lab {
    /// Name of the package and of its program.
    pub package: &'static str,
    /// The profile with which it is built.
    pub profile: &'static str,
    /// Name and one-line description of each command, in the order of `cargo xtask --help`.
    ///
    /// The program takes its descriptions from here, and a test there compares the names and their order.
    pub commands: &'static [(&'static str, &'static str)],
}

/// Matches, ratings and test suites.
pub const MATCHES: Lab = Lab {
    package: "tabiya-matches",
    profile: "lab",
    commands: &[
        ("selfplay", "Play a match between two engines, revisions or option sets"),
        ("gauntlet", "Play one engine against many and compute ratings"),
        ("scaling", "Play a match at several numbers of nodes per move: what more time is worth"),
        ("sprt", "Compute Elo and an SPRT from given results, or the games that a test needs"),
        ("ratings", "Compute ratings of the players of PGN files"),
        ("report", "Show the matches of a folder in one page, over time"),
        ("book", "Make an opening book for matches"),
        ("perft", "Run perft over suites of known counts"),
        ("epd", "Run an engine over suites of positions with known best moves"),
        ("spsa", "Tune search parameters by SPSA"),
        ("style", "Compare how people and engines play: mistakes, moves taken back, first moves"),
        ("conformance", "Test whether engines follow the UCI or the xboard protocol"),
        ("openbench", "Build the engine as an OpenBench worker does and check its output"),
    ],
};

/// Training data, networks and weights.
pub const TRAINING: Lab = Lab {
    package: "tabiya-training",
    profile: "training",
    commands: &[
        ("datagen", "Play self-play games as training data"),
        ("data", "Count, select, shuffle, split and rescore training data"),
        ("tune", "Fit the weights of the evaluation to game results"),
        ("train", "Train a neural network on positions from games"),
        ("wdl", "Fit the win-draw-loss model to game results"),
    ],
};

/// Both programs.
pub const LABS: [Lab; 2] = [MATCHES, TRAINING];

impl Lab {
    /// Returns the program that has a command.
    pub fn with_command(name: &str) -> Option<Lab> {
        LABS.into_iter().find(|lab| lab.commands.iter().any(|&(command, _)| command == name))
    }
}

/// Name and description of the commands of both programs.
pub fn commands() -> impl Iterator<Item = (&'static str, &'static str)> {
    LABS.into_iter().flat_map(|lab| lab.commands.iter().copied())
}
