//! The check of target `syzygy`. It is not among [`checks`](crate::checks), because it depends on `tabiya-syzygy`.

use std::fs;
use std::path::PathBuf;
use tabiya_movegen::Position;
use tabiya_syzygy::{FiftyMoves, TablebaseError, Tablebases};

/// The table of king and queen against king, without damage.
const WDL: &[u8] = include_bytes!("../../tests/data/syzygy/KQvK.rtbw");

/// The names of the tables that the first byte selects, and whether a sound WDL table is beside it, as a probe of a DTZ table needs
/// one.
const TABLES: [(&str, bool); 6] = [
    ("KQvK.rtbw", false),
    ("KQvK.rtbz", true),
    ("KPvK.rtbw", false),
    ("KRvKR.rtbw", false),
    ("KBvKB.rtbw", false),
    ("KRPvK.rtbw", false),
];

/// Positions of these materials, with either side to move.
const POSITIONS: [&str; 10] = [
    "8/8/8/3k4/8/8/1Q6/K7 w - - 0 1",
    "8/8/8/3k4/8/8/1Q6/K7 b - - 0 1",
    "7k/8/6K1/8/8/8/8/q7 w - - 0 1",
    "8/4P3/8/3k4/8/8/8/K7 w - - 0 1",
    "8/8/8/3k4/4p3/8/8/K7 b - - 0 1",
    "8/8/1r6/3k4/8/8/1R6/K7 w - - 0 1",
    "8/8/1b6/3k4/8/8/1B6/K7 b - - 0 1",
    "8/8/8/3k4/8/2P5/1R6/K7 w - - 0 1",
    "8/8/8/3k4/8/7P/1R6/K7 b - - 0 1",
    "8/8/8/3k4/8/8/8/K7 w - - 0 1",
];

/// A file is refused, or probed without a panic. A position with a DTZ result has a WDL result, and each legal root move has one rank.
pub fn syzygy(data: &[u8]) {
    let Some((&first, contents)) = data.split_first() else { return };
    let (name, needs_wdl) = TABLES[usize::from(first) % TABLES.len()];
    let directory = Directory::create();
    fs::write(directory.0.join(name), contents).expect("the temporary directory is writable");
    if needs_wdl {
        fs::write(directory.0.join("KQvK.rtbw"), WDL).expect("the temporary directory is writable");
    }
    match Tablebases::open(&[&directory.0]) {
        Ok(tables) => probe(&tables),
        Err(TablebaseError::Unusable(problems)) => {
            assert!(problems.iter().all(|problem| problem.path.ends_with(name)))
        }
        Err(error) => panic!("{error}"),
    }
}

fn probe(tables: &Tablebases) {
    for fen in POSITIONS {
        let position = Position::from_fen(fen).expect("a legal position");
        let wdl = tables.probe_wdl(&position);
        let dtz = tables.probe_dtz(&position);
        if dtz.is_some() {
            assert!(wdl.is_some(), "{fen}");
        }
        for rule in [FiftyMoves::Ignored, FiftyMoves::Counted { repeated: false }] {
            if let Some(ranks) = tables.probe_root(&position, rule) {
                assert_eq!(ranks.len(), position.count_legal_moves(), "{fen}");
                assert!(ranks.iter().all(|rank| position.is_legal(rank.mv)), "{fen}");
            }
        }
    }
    for problem in tables.problems() {
        assert!(!problem.to_string().is_empty());
    }
}

/// A temporary directory of this process, removed at the end.
struct Directory(PathBuf);

impl Directory {
    fn create() -> Directory {
        let path = std::env::temp_dir().join(format!("tabiya-fuzz-syzygy-{}", std::process::id()));
        fs::create_dir_all(&path).expect("the temporary directory is writable");
        Directory(path)
    }
}

impl Drop for Directory {
    fn drop(&mut self) {
        // What remains is removed with the system's temporary files.
        let _ = fs::remove_dir_all(&self.0);
    }
}
