//! Replays the stored inputs of a fuzz target, for the regression tests of the crates.

use std::fs;
use std::path::Path;

/// Runs a target's check on each file of its folder. When a test fails, the last file name printed is the input that
/// failed.
pub(super) fn replay(target: &str, check: fn(&[u8])) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/fuzz").join(target);
    let entries = fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut files: Vec<_> = entries.map(|entry| entry.expect("the folder can be read").path()).collect();
    files.sort();
    assert!(!files.is_empty(), "{} is empty", folder.display());
    for file in files {
        println!("{}", file.display());
        check(&fs::read(&file).expect("the file can be read"));
    }
}
