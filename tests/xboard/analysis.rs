use crate::process::Tabiya;

/// Is this a thought of at least this depth?
fn is_thought(line: &str, depth: u32) -> bool {
    let first = line.split(' ').next().and_then(|word| word.parse::<u32>().ok());
    line.contains('\t') && first.is_some_and(|ply| ply >= depth)
}

#[test]
fn an_analysis_follows_the_board() {
    let mut engine = Tabiya::xboard();
    engine.send("new\nforce\nanalyze");
    engine.read_until("a thought", |line| is_thought(line, 4));
    engine.send(".");
    let status = engine.expect("stat01: ");
    let words: Vec<&str> = status.split(' ').collect();
    assert!(words.len() >= 6 && words[5] == "20", "{status}");
    engine.send("usermove e2e4");
    engine.read_until("a thought of Black's", |line| is_thought(line, 4));
    engine.send("setboard 6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1");
    engine.read_until("a mate", |line| line.contains("100001") && line.contains("Ra8#"));
    engine.send("hint");
    assert_eq!(engine.expect("Hint"), "Hint: a1a8");
    // Pings are answered at once, undo and options begin anew.
    engine.send("usermove a1a8");
    engine.ping();
    engine.send("undo\noption MultiPV=2\nmemory 4");
    engine.read_until("a second line", |line| is_thought(line, 3) && !line.contains("Ra8"));
    engine.send("exit");
    engine.ping();
    engine.send(".");
    assert_eq!(engine.ping(), [""; 0]);
    // It plays again as before.
    engine.send("new\nsd 2\nusermove e2e4");
    engine.expect("move ");
    engine.finish_well();
}
