//! Tests with shell scripts as engines.

use super::*;
use std::sync::atomic::Ordering;

/// Starts a shell script as an engine.
fn script(text: &str) -> UciEngine {
    let command = EngineCommand {
        name: "script".to_owned(),
        arguments: vec!["-c".to_owned(), text.to_owned()],
        ..EngineCommand::new("/bin/sh")
    };
    UciEngine::spawn(&command).unwrap()
}

const TIMEOUT: Duration = Duration::from_secs(20);

#[test]
fn a_wait_without_a_limit() {
    let mut engine = script("while read line; do echo uciok; echo readyok; echo bestmove e2e4; done");
    engine.handshake(Duration::MAX).unwrap();
    engine.is_ready(Duration::MAX).unwrap();
    assert_eq!(engine.search("go infinite", Duration::MAX, drop).unwrap().best, "e2e4");
    engine.send("quit");
}

#[test]
fn lines_about_options_are_returned_and_failures_are_errors() {
    let mut engine = script(
        "while read line; do case $line in
           uci) echo 'option name File type string default x'; echo 'option name Hash type spin default 1 min 1 max 9'; echo uciok;;
           isready) echo readyok;;
           *Hash*) echo 'info string terror: 5 MiB';;
           *File*) echo 'info string the network no/such Cannot be read';;
         esac; done",
    );
    engine.handshake(TIMEOUT).unwrap();
    engine.set_option("Hash", "5").unwrap();
    assert_eq!(engine.confirm_options(TIMEOUT).unwrap(), ["terror: 5 MiB"]);
    engine.set_option("File", "no/such").unwrap();
    let error = engine.confirm_options(TIMEOUT).unwrap_err().to_string();
    let expected = "engine \"script\" says about its options: the network no/such Cannot be read";
    assert!(error.starts_with(expected), "{error}");
}

#[test]
fn full_session() {
    let mut engine = script(
        "while read line; do case $line in
           uci) echo 'Some banner'; echo 'id name Script 1'; echo 'option name Hash type spin default 1 min 1 max 9'
                echo 'option name Clear Hash type button'; echo uciok;;
           isready) echo readyok;;
           setoption*) echo \"info string $line\";;
           go*) echo 'info depth 1 score cp 5 pv e2e4'; echo 'bestmove e2e4 ponder e7e5';;
           quit) exit 0;;
         esac; done",
    );
    assert_eq!(engine.handshake(TIMEOUT).unwrap().name.as_deref(), Some("Script 1"));
    engine.set_option("hash", "5").unwrap();
    engine.set_option("Clear Hash", "").unwrap();
    let echo = engine.next_line(Instant::now() + TIMEOUT, TIMEOUT, "an echo").unwrap();
    assert_eq!(echo.text, "info string setoption name Hash value 5");
    engine.is_ready(TIMEOUT).unwrap();
    let mut lines = Vec::new();
    let answer =
        engine.search("position startpos\ngo nodes 5", TIMEOUT, |line| lines.push(line.text)).unwrap();
    assert_eq!((answer.best.as_str(), answer.ponder.as_deref()), ("e2e4", Some("e7e5")));
    assert_eq!(lines, ["info depth 1 score cp 5 pv e2e4"]);
    let transcript = engine.transcript();
    let tail = ["> position startpos", "> go nodes 5", "< info depth 1 score cp 5 pv e2e4"];
    assert_eq!(transcript[transcript.len() - 4..transcript.len() - 1], tail);

    let error = engine.set_option("Threads", "2").unwrap_err().to_string();
    assert_eq!(error, "engine \"script\" has no option \"Threads\"; its options are Hash, Clear Hash");
    let error = engine.set_option("Hash", "10").unwrap_err().to_string();
    assert!(error.ends_with("expected an integer from 1 to 9"), "{error}");
    engine.send("quit");
    assert!(engine.exit_status(TIMEOUT).unwrap().success());
}

#[test]
fn a_search_passes_info_lines_before_its_bestmove() {
    let folder = tempfile::tempdir().unwrap();
    let seen = folder.path().join("seen");
    // Ends the search once the line about it has been read.
    let mut engine = script(&format!(
        "while read line; do case $line in
           go*) echo info depth 1; while [ ! -e '{}' ]; do sleep 0.01; done; echo bestmove e2e4;;
         esac; done",
        seen.display()
    ));
    let best = engine.search("go infinite", TIMEOUT, |line| {
        assert_eq!(line.text, "info depth 1");
        std::fs::write(&seen, "").unwrap();
    });
    assert_eq!(best.unwrap().best, "e2e4");
}

#[test]
fn late_answers_are_not_those_of_the_next_search() {
    // Answers the n-th search with the move `n`: one by nodes at once, others when the next `stop` or `go` arrives.
    let mut engine = script(
        "answer() { if [ -n \"$open\" ]; then echo \"bestmove $open\"; fi; open=; }
         while read line; do case $line in
           'go nodes'*) answer; n=$((n+1)); echo info depth $n; echo bestmove $n;;
           go*) answer; n=$((n+1)); open=$n;;
           stop) answer;;
           isready) echo readyok;;
         esac; done",
    );
    let flag = Arc::new(AtomicBool::new(false));
    engine.cancel_with(Arc::clone(&flag));
    let next = |engine: &mut UciEngine| {
        let mut lines = Vec::new();
        let best = engine.search("position startpos\ngo nodes 1", TIMEOUT, |line| lines.push(line.text));
        (best.unwrap().best, lines.join("; "))
    };
    let times_out = |engine: &mut UciEngine| {
        let error = engine.search("go infinite", Duration::ZERO, drop).unwrap_err();
        assert!(matches!(error.kind, EngineErrorKind::TimedOut { .. }), "{error}");
    };
    times_out(&mut engine);
    assert_eq!(next(&mut engine), ("2".to_owned(), "info depth 2".to_owned()));

    times_out(&mut engine);
    engine.stop(Duration::ZERO).unwrap_err();
    assert_eq!(next(&mut engine).0, "4");

    flag.store(true, Ordering::Relaxed);
    let error = engine.search("go infinite", TIMEOUT, drop).unwrap_err();
    assert!(matches!(error.kind, EngineErrorKind::Cancelled), "{error}");
    flag.store(false, Ordering::Relaxed);
    assert_eq!(next(&mut engine).0, "6");

    times_out(&mut engine);
    engine.start_search("go ponder");
    assert_eq!(engine.stop(TIMEOUT).unwrap().best, "8");
    times_out(&mut engine);
    engine.start_search("go ponder");
    assert_eq!(next(&mut engine).0, "11");

    // The answer is dropped here.
    times_out(&mut engine);
    engine.send("stop");
    engine.is_ready(TIMEOUT).unwrap();
    assert_eq!(next(&mut engine).0, "13");
    engine.send("position startpos\ngo infinite");
    assert_eq!(engine.stop(TIMEOUT).unwrap().best, "14");
}

#[test]
fn waiting_without_a_search_is_an_error_at_once() {
    let mut engine = script("while read line; do case $line in go*) echo bestmove e2e4;; esac; done");
    let message = "engine \"script\" is not searching; expected \"go\" before";
    assert_eq!(engine.stop(Duration::MAX).unwrap_err().to_string(), message);
    engine.send("go nodes 1");
    assert_eq!(engine.await_best_move(Instant::now(), TIMEOUT, drop).unwrap().best, "e2e4");
    let error = engine.await_best_move(Instant::now(), Duration::MAX, drop).unwrap_err();
    assert!(matches!(error.kind, EngineErrorKind::NotSearching), "{error}");
    engine.send("go perft 1\nposition startpos");
    engine.stop(Duration::MAX).unwrap_err();
    let error = engine.search("position startpos", Duration::MAX, drop).unwrap_err();
    assert!(matches!(error.kind, EngineErrorKind::NotSearching), "{error}");
    assert_eq!(engine.search("go nodes 1", TIMEOUT, drop).unwrap().best, "e2e4");
}

#[test]
fn no_move_has_several_spellings() {
    for line in ["bestmove", "bestmove (none)", "bestmove 0000", "bestmove NULL ponder (none)"] {
        assert_eq!(BestMove::parse(line).unwrap().mv(), None, "{line}");
    }
    assert_eq!(BestMove::parse("bestmove e2e4").unwrap().mv(), Some("e2e4"));
}

#[test]
fn an_engine_that_does_not_answer_an_earlier_search_gets_no_other() {
    let mut engine = script("while read line; do :; done");
    engine.search("go infinite", Duration::ZERO, drop).unwrap_err();
    let error = engine.search("go nodes 1", Duration::ZERO, drop).unwrap_err().to_string();
    assert!(error.contains("did not send \"bestmove\" of an earlier search within"), "{error}");
    let transcript = engine.transcript();
    assert!(transcript.ends_with(&["> stop".to_owned()]), "{transcript:?}");
}

#[test]
fn values_of_options_stay_on_their_line() {
    let mut engine = script(
        "while read line; do case $line in
           uci) echo 'option name File type string default x'; echo uciok;;
           isready) echo readyok;;
           quit) exit;;
         esac; done",
    );
    engine.handshake(TIMEOUT).unwrap();
    for value in ["x\nquit", "x\rquit", "\0"] {
        let error = engine.set_option("File", value).unwrap_err();
        assert!(matches!(error.kind, EngineErrorKind::BadOptionValue { .. }), "{error}");
    }
    engine.set_option("File", "/a b/ä").unwrap();
    engine.set_option("File", "").unwrap();
    engine.is_ready(TIMEOUT).unwrap();
    let transcript = engine.transcript();
    assert!(transcript.contains(&"> setoption name File value <empty>".to_owned()), "{transcript:?}");
}

#[test]
fn unusual_option_lines_are_skipped() {
    let mut engine = script(
        "while read line; do case $line in
           uci) echo 'option name File type file'; echo 'option name Rate type spin default 1.5'
                echo 'option name Hash type spin default 1 min 1 max 9'; echo uciok;;
         esac; done",
    );
    let options = &engine.handshake(TIMEOUT).unwrap().options;
    assert_eq!(options.iter().map(|option| option.name.as_str()).collect::<Vec<_>>(), ["Hash"]);
}

#[test]
fn closed_output_is_a_disconnect() {
    let mut engine = script("exec >&- 2>&-; sleep 60");
    let error = engine.handshake(TIMEOUT).unwrap_err();
    assert!(matches!(error.kind, EngineErrorKind::Disconnected { .. }), "{error}");
}

#[test]
fn exit_error_includes_stderr() {
    let mut engine = script("echo 'out of memory' >&2; kill -SEGV $$");
    let error = engine.handshake(TIMEOUT).unwrap_err().to_string();
    assert!(error.contains("signal: 11") && error.contains("! out of memory"), "{error}");
}

#[test]
fn wait_can_be_cancelled() {
    let mut engine = script("sleep 60");
    let flag = Arc::new(AtomicBool::new(false));
    engine.cancel_with(Arc::clone(&flag));
    let thread = std::thread::spawn(move || engine.is_ready(TIMEOUT));
    flag.store(true, Ordering::Relaxed);
    // Otherwise the wait would end with `TimedOut`.
    assert!(matches!(thread.join().unwrap().unwrap_err().kind, EngineErrorKind::Cancelled));
}

#[test]
fn child_processes_of_the_engine_are_killed() {
    let mut engine = script("sleep 1000 & echo $!; wait");
    let line = engine.next_line(Instant::now() + TIMEOUT, TIMEOUT, "a process id").unwrap();
    drop(engine);
    let deadline = Instant::now() + TIMEOUT;
    let runs = || {
        let checked =
            std::process::Command::new("ps").args(["-o", "stat=", "-p", &line.text]).output().unwrap();
        let state = String::from_utf8_lossy(&checked.stdout).trim().to_owned();
        // A zombie has exited.
        !state.is_empty() && !state.starts_with('Z')
    };
    while runs() {
        assert!(Instant::now() < deadline, "process {} still runs", line.text);
        std::thread::sleep(Duration::from_millis(10));
    }
}

#[test]
fn missing_program_is_named() {
    let error = UciEngine::spawn(&EngineCommand::new("no/such/engine")).err().unwrap().to_string();
    assert_eq!(error, "engine \"engine\" cannot be started: program \"no/such/engine\" not found");
}

#[cfg(feature = "serde")]
#[test]
fn data_round_trips_through_json() {
    fn round_trip<T>(value: &T) -> String
    where
        T: serde::Serialize + serde::de::DeserializeOwned + PartialEq + std::fmt::Debug,
    {
        let text = serde_json::to_string(value).unwrap();
        assert_eq!(serde_json::from_str::<T>(&text).unwrap(), *value);
        text
    }
    let line = "option name Style type combo default Solid var Solid var Wild";
    let identity = Identity {
        name: Some("Script 1".to_owned()),
        author: None,
        options: vec![EngineOption::parse(line).unwrap()],
    };
    let text = round_trip(&identity);
    assert!(text.contains("{\"combo\":{\"default\":\"Solid\",\"choices\":[\"Solid\",\"Wild\"]}}"), "{text}");
    let info = Info::parse("info depth 3 score mate -2 upperbound nodes 70 time 12 pv e2e4").unwrap();
    let text = round_trip(&info);
    assert!(text.contains("\"score\":{\"mate\":-2},\"bound\":\"upper\""), "{text}");
    round_trip(&BestMove::parse("bestmove e2e4 ponder e7e5").unwrap());
    round_trip(&EngineCommand::new("/bin/sh"));
    let mut features = xboard::Features::default();
    features.read("feature ping=1 myname=\"A B\"", |_| true);
    round_trip(&features);
}
