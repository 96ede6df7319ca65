//! Tablebases and books.

use crate::process::{Tabiya, field};

fn data(name: &str) -> String {
    format!("{}/../../tests/data/{name}", env!("CARGO_MANIFEST_DIR"))
}

#[test]
fn finds_and_probes_tablebases() {
    let mut engine = Tabiya::uci();
    engine.send(&format!("setoption name SyzygyPath value {}", data("syzygy")));
    let lines = engine.sync();
    assert!(lines.iter().any(|line| line.contains("found tablebases of up to 4 pieces")), "{lines:?}");
    engine.send("position fen 8/8/8/4k3/8/8/8/KR6 w - - 0 1");
    let answer = engine.go("depth 2");
    let hits: u64 = field(answer.last_info(), "tbhits").unwrap_or_default().parse().unwrap_or(0);
    assert!(hits > 0, "{}", answer.last_info());
    let score: i32 = field(answer.last_info(), "cp").unwrap_or_default().parse().unwrap_or(0);
    assert!(score > 20_000, "{}", answer.last_info());
    engine.send("setoption name SyzygyProbeLimit value 0");
    assert_eq!(field(engine.go("depth 2").last_info(), "tbhits"), None);
    engine.finish_well();
}

#[test]
fn reports_files_that_cannot_be_opened() {
    let mut engine = Tabiya::uci();
    engine.send("setoption name SyzygyPath value /nowhere/at/all");
    engine.send("setoption name BookFile value /nowhere/book.bin");
    let lines = engine.sync().join("\n");
    assert!(lines.contains("cannot read the tablebase directory /nowhere/at/all"), "{lines}");
    assert!(lines.contains("info string cannot read the book /nowhere/book.bin"), "{lines}");
    assert_ne!(engine.go("depth 1").best(), "0000");
    engine.finish_well();
}

#[test]
fn plays_from_a_book() {
    let mut engine = Tabiya::uci();
    engine.send("setoption name OwnBook value true");
    engine.send(&format!("setoption name BookFile value {}", data("polyglot/lasker-trap.bin")));
    engine.send("position startpos moves d2d4");
    assert_eq!(engine.go("wtime 60000 btime 60000").best(), "d7d5");
    engine.send("position startpos moves d2d4 d7d5 c2c4");
    assert_eq!(engine.go("movetime 60000").best(), "e7e5");
    engine.finish_well();
}

#[test]
#[cfg(target_os = "linux")]
fn survives_refused_memory() {
    // Limits below and above those at which the first threads lack memory for their stacks, and in between.
    for kilobytes in (300_000..500_000).step_by(12_500) {
        let mut engine = Tabiya::with_address_space(kilobytes);
        engine.send("setoption name Hash value 1024\nsetoption name Threads value 64");
        let lines = engine.sync();
        let [hash, threads] = lines.as_slice() else { panic!("{kilobytes}: {lines:?}") };
        assert_eq!(hash, "info string not enough memory for a hash of 1024 MiB: use a smaller one");
        assert!(
            threads.starts_with("info string Threads stays at ") && threads.contains(" instead of 64: "),
            "{threads}"
        );
        assert_ne!(engine.go("nodes 20000").best(), "0000");
        engine.send("setoption name Threads value 1\nucinewgame");
        assert_ne!(engine.go("nodes 20000").best(), "0000");
        engine.finish_well();
    }
}
