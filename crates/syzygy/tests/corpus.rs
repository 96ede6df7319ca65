//! Regression test on the fuzzing corpus in `tests/data/fuzz/syzygy`; see `fuzz/README.md`.

#[path = "../../../fuzz/src/syzygy.rs"]
#[allow(unreachable_pub, reason = "the fuzz crate exports it")]
mod syzygy;

use std::fs;
use std::path::Path;

#[test]
fn stored_inputs_pass_the_check() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/fuzz/syzygy");
    let entries = fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut files: Vec<_> = entries.map(|entry| entry.expect("the folder can be read").path()).collect();
    files.sort();
    assert!(!files.is_empty(), "{} is empty", folder.display());
    for file in files {
        println!("{}", file.display());
        syzygy::syzygy(&fs::read(&file).expect("the file can be read"));
    }
}
