//! The commands of `tabiya-lab` that `cargo xtask` forwards.

/// Name and one-line description of each command, in the order of `cargo xtask --help`.
///
/// `tabiya-lab` takes its descriptions from here, and a test there compares the names.
pub const LAB_COMMANDS: &[(&str, &str)] = &[
    ("selfplay", "Play a match between two engines, revisions or option sets"),
    ("gauntlet", "Play one engine against many and compute ratings"),
    ("sprt", "Compute Elo and an SPRT from given results, or the games that a test needs"),
    ("ratings", "Compute ratings of the players of PGN files"),
    ("report", "Show the matches of a folder in one page, over time"),
    ("book", "Make an opening book for matches"),
    ("perft", "Run perft over suites of known counts"),
    ("epd", "Run an engine over suites of positions with known best moves"),
    ("datagen", "Play self-play games as training data"),
    ("data", "Count, select, shuffle, split and rescore training data"),
    ("tune", "Fit the weights of the evaluation to game results"),
    ("train", "Train a neural network on positions from games"),
    ("spsa", "Tune search parameters by SPSA"),
    ("wdl", "Fit the win-draw-loss model to game results"),
    ("style", "Compare how people and engines play: mistakes, moves taken back, first moves"),
    ("conformance", "Test whether engines follow the UCI or the xboard protocol"),
    ("openbench", "Build the engine as an OpenBench worker does and check its output"),
];
