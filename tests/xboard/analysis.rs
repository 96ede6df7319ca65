use crate::process::Tabiya;

/// Returns true for thinking output of at least this depth.
fn is_thinking_output(line: &str, depth: u32) -> bool {
    let first = line.split(' ').next().and_then(|token| token.parse::<u32>().ok());
    line.contains('\t') && first.is_some_and(|ply| ply >= depth)
}

#[test]
fn analysis_follows_the_board() {
    let mut engine = Tabiya::xboard();
    engine.send("new\nforce\nanalyze");
    engine.read_until("thinking output", |line| is_thinking_output(line, 4));
    engine.send(".");
    let status = engine.expect("stat01: ");
    let tokens: Vec<&str> = status.split(' ').collect();
    assert!(tokens.len() >= 6 && tokens[5] == "20", "{status}");
    assert_eq!(tokens[4], "20", "the current move is not known yet: {status}");
    engine.send("usermove e2e4");
    engine.read_until("thinking output for Black", |line| is_thinking_output(line, 4));
    engine.send("setboard 6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1");
    engine.read_until("a mate", |line| line.contains("100001") && line.contains("Ra8#"));
    engine.send("hint");
    assert_eq!(engine.expect("Hint"), "Hint: a1a8");
    // Pings are answered at once; undo and options restart the analysis.
    engine.send("usermove a1a8");
    engine.ping();
    engine.send("undo\noption MultiPV=2\nmemory 4");
    engine.read_until("a second line", |line| is_thinking_output(line, 3) && !line.contains("Ra8"));
    engine.send("exit");
    engine.ping();
    engine.send(".");
    assert_eq!(engine.ping(), [""; 0]);
    // The engine plays again.
    engine.send("new\nsd 2\nusermove e2e4");
    engine.expect("move ");
    engine.finish_well();
}

#[test]
fn limits_the_rate_of_thinking_output() {
    // Kings and blocked pawns: a hundred iterations within milliseconds.
    let mut engine = Tabiya::xboard();
    engine.send(
        "new\nforce\npost\noption MultiPV=5\nsetboard 8/8/4k3/4p3/4P3/4K3/8/8 w - - 0 1\nsd 120\nst 3\ngo",
    );
    let lines = engine.read_until("a move", |line| line.starts_with("move "));
    let thinking = lines.iter().filter(|line| is_thinking_output(line, 1)).count();
    assert!((5..500).contains(&thinking), "{thinking}");
    engine.finish_well();
}
