//! Tests of sessions without a server.

use super::*;
use crate::protocol::VERSION;
use crossbeam_channel::{Sender, bounded, unbounded};
use serde_json::{Value, json};
use std::thread::{self, JoinHandle};

/// A sender that holds a limited number of replies.
struct Channel(Sender<Value>);

impl ReplySender for Channel {
    fn send(&self, envelope: Envelope) -> Result<(), Disconnected> {
        self.0.send(serde_json::to_value(&envelope).unwrap()).map_err(|_| Disconnected)
    }

    fn try_send(&self, envelope: Envelope) -> Result<bool, Disconnected> {
        match self.0.try_send(serde_json::to_value(&envelope).unwrap()) {
            Ok(()) => Ok(true),
            Err(crossbeam_channel::TrySendError::Full(_)) => Ok(false),
            Err(crossbeam_channel::TrySendError::Disconnected(_)) => Err(Disconnected),
        }
    }
}

struct Client {
    requests: Sender<String>,
    replies: Receiver<Value>,
    thread: JoinHandle<()>,
}

impl Client {
    fn with_capacity(capacity: usize) -> Client {
        Client::with_threads(1, capacity)
    }

    fn with_threads(threads: usize, capacity: usize) -> Client {
        let (requests, received) = unbounded();
        let (sender, replies) = bounded(capacity);
        let options = SessionOptions { threads, hash_mb: 1, ..SessionOptions::default() };
        let session = Session::new(options, Channel(sender));
        let thread = thread::spawn(move || session.run(&received));
        Client { requests, replies, thread }
    }

    fn new() -> Client {
        Client::with_capacity(1000)
    }

    fn send(&self, request: Value) {
        self.requests.send(request.to_string()).unwrap();
    }

    /// The next reply of a type.
    fn next(&self, kind: &str) -> Value {
        self.replies.iter().find(|reply| reply["type"] == kind).unwrap_or_else(|| panic!("no reply {kind}"))
    }

    fn end(self) {
        drop((self.requests, self.replies));
        self.thread.join().unwrap();
    }
}

#[test]
fn search_reports_lines_and_the_best_move() {
    let client = Client::new();
    client.send(json!({"id": 7, "type": "search", "lines": 2, "limit": {"depth": 5}, "game": {"moves": ["f2f3", "e7e5", "g2g4"]}}));
    let info = client.next("info");
    assert_eq!(info["id"], 7);
    let best = client.next("best");
    assert_eq!(
        (&best["uci"], &best["san"], &best["score"]),
        (&json!("d8h4"), &json!("Qh4#"), &json!({"mate": -1}))
    );
    client.end();
}

#[test]
fn stop_ends_an_endless_search() {
    let client = Client::new();
    client.send(json!({"id": 1, "type": "search"}));
    client.next("info");
    client.send(json!({"id": 2, "type": "stop", "target": 9}));
    client.send(json!({"id": 3, "type": "stop", "target": 1}));
    assert!(client.next("best")["uci"].is_string());
    client.end();
}

#[test]
fn new_search_replaces_the_running_one() {
    let client = Client::new();
    client.send(json!({"id": 1, "type": "search"}));
    client.send(json!({"id": 2, "type": "search", "limit": {"depth": 2}}));
    assert_eq!(
        client.next("best"),
        json!({"id": 1, "type": "best", "uci": null, "san": null, "score": null})
    );
    let best = client.next("best");
    assert_eq!((&best["id"], best["uci"].is_string()), (&json!(2), true));
    client.end();
}

#[test]
fn finished_game_has_no_best_move() {
    let client = Client::new();
    client.send(json!({"id": 1, "type": "search", "game": {"start": "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1"}}));
    assert_eq!(client.next("best")["uci"], Value::Null);
    client.send(json!({"id": 2, "type": "search", "game": {"moves": ["e2e5"]}}));
    assert_eq!(client.next("error")["id"], 2);
    client.end();
}

#[test]
fn session_ends_with_its_page_during_a_search() {
    let client = Client::new();
    client.send(json!({"id": 1, "type": "search"}));
    client.next("info");
    client.send(json!({"id": 2, "type": "review", "game": {"nodes": [{}, {"uci": "e2e4"}, {"uci": "e7e5"}]}, "nodes": 100_000_000}));
    client.end();
}

#[test]
fn slow_page_misses_reports_but_no_result() {
    let client = Client::with_capacity(0);
    client.send(json!({"id": 1, "type": "search", "limit": {"depth": 9}}));
    assert!(client.next("best")["uci"].is_string());
    client.end();
}

#[test]
fn review_reports_progress_and_the_annotated_game() {
    let client = Client::new();
    let moves =
        json!([{}, {"uci": "f2f3", "comments": ["Hm."]}, {"uci": "e7e5"}, {"uci": "g2g4"}, {"uci": "d8h4"}]);
    client.send(json!({"id": 4, "type": "review", "game": {"nodes": moves}, "nodes": 1000}));
    let progress = client.next("progress");
    assert_eq!((&progress["ply"], &progress["total"]), (&json!(1), &json!(4)));
    let reviewed = client.next("reviewed");
    assert_eq!(reviewed["id"], 4);
    assert_eq!(reviewed["game"]["nodes"][3]["judgement"], "blunder");
    assert!(reviewed["game"]["nodes"][1]["comments"].as_array().unwrap().contains(&json!("Hm.")));
    client.end();
}

#[test]
fn review_can_be_stopped_and_replaced() {
    let client = Client::new();
    let review = |id: u32| json!({"id": id, "type": "review", "game": {"nodes": [{}, {"uci": "e2e4"}]}, "nodes": 100_000_000});
    client.send(review(1));
    client.send(review(2));
    assert_eq!(client.next("done")["id"], 1);
    client.send(json!({"id": 3, "type": "stop", "target": 2}));
    assert_eq!(client.next("done")["id"], 2);
    client.send(json!({"id": 5, "type": "review", "game": {"nodes": [{}, {"uci": "e2e5"}]}, "nodes": 1000}));
    assert_eq!(client.next("error")["id"], 5);
    client.end();
}

#[test]
fn welcome_needs_the_same_version() {
    let client = Client::new();
    client.send(json!({"id": 1, "type": "hello", "version": VERSION}));
    let welcome = client.next("welcome");
    assert!(welcome["name"].as_str().unwrap().starts_with("Tabiya"));
    client.send(json!({"id": 2, "type": "hello", "version": VERSION + 1}));
    assert!(client.next("error")["message"].as_str().unwrap().contains("reload"));
    client.end();
}

#[test]
fn a_level_has_its_nodes_whatever_the_number_of_threads() {
    let expected = tabiya_player::Strength::from_elo(800).limit(tabiya_search::Limits::default()).nodes;
    for threads in [1, 2, 4] {
        let client = Client::with_threads(threads, 1000);
        for _ in 0..5 {
            client.send(json!({"id": 1, "type": "search", "elo": 800}));
            let replies: Vec<Value> =
                client.replies.iter().take_while(|reply| reply["type"] == "info").collect();
            let nodes = replies.last().map(|reply| reply["nodes"].as_u64());
            assert_eq!(nodes, Some(expected), "{threads} threads");
        }
        client.end();
    }
}
