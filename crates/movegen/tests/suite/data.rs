//! Access to the files under `tests/data`.

use std::fs;
use std::path::Path;

/// Returns the bytes of a file under `tests/data`.
pub(crate) fn bytes(path: &str) -> Vec<u8> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data").join(path);
    fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Returns the text of a file under `tests/data`.
pub(crate) fn text(path: &str) -> String {
    String::from_utf8(bytes(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// Returns the lines of a file under `tests/data`, without comments and empty lines.
pub(crate) fn lines(path: &str) -> Vec<String> {
    text(path).lines().filter(|line| !line.is_empty() && !line.starts_with('#')).map(str::to_string).collect()
}

/// Returns the lines of a tab-separated file under `tests/data`, split into columns. Panics if the number of columns
/// is wrong.
pub(crate) fn rows<const COLUMNS: usize>(path: &str) -> Vec<[String; COLUMNS]> {
    let row = |line: &String| {
        let cells: Vec<String> = line.split('\t').map(str::to_string).collect();
        cells.try_into().unwrap_or_else(|cells| panic!("{path}: {COLUMNS} columns expected in {cells:?}"))
    };
    lines(path).iter().map(row).collect()
}

/// A position with its perft counts as (depth, leaves). Depths may be missing.
pub(crate) struct PerftCase {
    pub(crate) fen: String,
    pub(crate) counts: Vec<(u32, u64)>,
}

/// Parses a perft suite with lines `FEN ;D1 20 ;D2 400 ...`.
pub(crate) fn perft_suite(name: &str) -> Vec<PerftCase> {
    let case = |line: &String| {
        let mut fields = line.split(';').map(str::trim);
        let fen = fields.next().expect("a line has a first field").to_string();
        let count = |field: &str| -> Option<(u32, u64)> {
            let (depth, count) = field.strip_prefix('D')?.split_once(' ')?;
            Some((depth.parse().ok()?, count.trim().parse().ok()?))
        };
        let counts = fields.map(|field| count(field).unwrap_or_else(|| panic!("{field:?} in {line}")));
        PerftCase { counts: counts.collect(), fen }
    };
    lines(&format!("perft/{name}")).iter().map(case).collect()
}
