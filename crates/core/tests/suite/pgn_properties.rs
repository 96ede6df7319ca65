//! Property tests of PGN reading and writing, and tests of memory use and token limits.

use super::events::{Chunks, Events};
use proptest::prelude::*;
use std::io::Read;
use tabiya_core::notation::{
    GameResult, Nag, Next, NodeId, PgnError, PgnGame, PgnReader, PgnVisitor, ReadGameError, San,
};

/// Tokens of PGN, valid and invalid.
fn token() -> impl Strategy<Value = String> {
    let fixed = [
        "1.", "12...", "e4", "Nf3", "O-O", "exd8=Q+", "0-0-0", "--", "Z0", "N", "e.p.", "!", "?!", "$1",
        "$300", "±", "+-", "1-0", "0-1", "1/2-1/2", "*", "(", "(", "(", ")", ")", ")", "{", "}", "{text}",
        "{a\nb}", ";", "; text\n", "\n", "\n\n", "\r\n", " ", " ", " ", "\t", "%", "\n%x\n", "[", "]",
        "[Event \"x\"]", "\n[White \"y\"]\n", "[Bad", "\"", "\\", "<", ">", "[Event \"a\\\"b\"]", "\u{feff}",
        "½", "Sf3", "♘f3", "[%clk 0:01:00]", "é", "0", ".", "-", "=", "#", "1", " - ", "–", "½-½", ",", ":",
        "…", "\u{200e}", "e8", "(Q)", "e8(", "2.", "draw",
    ];
    prop_oneof![
        8 => proptest::sample::select(fixed.to_vec()).prop_map(str::to_owned),
        1 => "[ -~]{1,20}",
        1 => any::<char>().prop_map(String::from),
        1 => (0..300usize).prop_map(|length| "x".repeat(length)),
    ]
}

fn skip_some(count: usize) -> bool {
    count % 5 == 3
}

/// Checks the properties that hold for any text.
fn check(bytes: &[u8]) {
    let whole = Events::of(bytes);
    for event in whole.log.split(|event| event == ">") {
        let count = |what: &str| event.iter().filter(|event| *event == what).count();
        assert_eq!(count("("), count(")"));
        assert_eq!(count("|"), usize::from(!event.is_empty()));
    }
    for error in &whole.errors {
        let before = &bytes[..usize::try_from(error.location.offset).unwrap()];
        let line_start = before.iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
        assert_eq!(error.location.line, before.iter().filter(|&&byte| byte == b'\n').count() as u64 + 1);
        assert_eq!(error.location.column, (before.len() - line_start) as u64 + 1);
    }
    let mut skipping = Events { skip: Some(skip_some), ..Events::default() };
    let games = skipping.read(bytes);
    for size in [1, 7, 64] {
        let chunked = Events::of(Chunks { text: bytes, size });
        assert_eq!((&chunked.log, &chunked.errors), (&whole.log, &whole.errors));
        let mut chunked_skipping = Events { skip: Some(skip_some), ..Events::default() };
        assert_eq!(chunked_skipping.read(Chunks { text: bytes, size }), games);
        assert_eq!(chunked_skipping.log, skipping.log);
    }
    // Games can be built, and round-trip.
    for game in PgnReader::new(bytes).games() {
        let game = match game {
            Ok(game) => game,
            Err(ReadGameError::Broken(broken)) => *broken.game,
            Err(error) => panic!("{error}"),
        };
        let text = game.to_string();
        let reread: PgnGame = text.parse().unwrap_or_else(|error| panic!("{error} in\n{text}"));
        assert_eq!(reread.to_string(), text);
    }
}

proptest! {
    #[test]
    fn any_bytes_can_be_read(bytes in prop::collection::vec(any::<u8>(), 0..500)) {
        check(&bytes);
    }

    #[test]
    fn any_tokens_can_be_read(tokens in prop::collection::vec(token(), 0..60)) {
        check(tokens.concat().as_bytes());
    }

    /// Parsing from bytes and from text agree, and moves round-trip.
    #[test]
    fn any_san_round_trips_or_is_rejected(text in "\\PC{0,12}|[KQRBNPa-h1-8x=+#O0!?.():-]{1,9}") {
        if let Ok(san) = text.parse::<San>() {
            let written = san.to_string();
            prop_assert_eq!(written.parse::<San>(), Ok(san), "{:?} as {:?}", text, written);
        }
        prop_assert_eq!(San::from_bytes(text.as_bytes()), text.parse::<San>());
    }

    #[test]
    fn random_games_round_trip(game in game()) {
        let text = game.to_string();
        let reread: PgnGame = text.parse().unwrap_or_else(|error| panic!("{error} in\n{text}"));
        prop_assert_eq!(&reread, &game, "{}", text);
    }
}

/// A step in the construction of a random game.
#[derive(Clone, Debug)]
enum Step {
    Move(usize, San),
    Nag(usize, u8),
    Comment(usize, String),
    CommentBefore(usize, String),
    Promote(usize),
    MakeMainline(usize),
    Tag(String, String),
}

fn step() -> impl Strategy<Value = Step> {
    let sans = ["e4", "d5", "exd5", "Nf3", "Nbd7+", "R1xa3#", "Qa1xb2", "O-O", "O-O-O+", "e8=Q#", "--"];
    let san = proptest::sample::select(sans.to_vec()).prop_map(|text| text.parse().unwrap());
    // Comments on some lines, including characters that are special elsewhere.
    let comment = || "[!-z|~é♘€]{1,12}(( {1,2}|\n{1,3})[!-z|~%;\\[\\]\"é♘]{1,12}){0,25}";
    prop_oneof![
        8 => (any::<usize>(), san).prop_map(|(at, san)| Step::Move(at, san)),
        1 => (any::<usize>(), any::<u8>()).prop_map(|(at, nag)| Step::Nag(at, nag)),
        1 => (any::<usize>(), comment()).prop_map(|(at, text)| Step::Comment(at, text)),
        1 => (any::<usize>(), comment()).prop_map(|(at, text)| Step::CommentBefore(at, text)),
        1 => any::<usize>().prop_map(Step::Promote),
        1 => any::<usize>().prop_map(Step::MakeMainline),
        1 => ("[A-Z][A-Za-z0-9_]{0,8}|Event|Result|FEN", "[ -~é♘]{0,30}").prop_map(|(name, value)| Step::Tag(name, value)),
    ]
}

fn game() -> impl Strategy<Value = PgnGame> {
    prop::collection::vec(step(), 0..80).prop_map(|steps| {
        let mut game = PgnGame::new();
        let mut nodes = vec![NodeId::ROOT];
        for step in steps {
            // Usually the last node, so that lines become long.
            let node = |at: usize| {
                if at.is_multiple_of(3) { nodes[at / 3 % nodes.len()] } else { nodes[nodes.len() - 1] }
            };
            match step {
                Step::Move(at, san) => {
                    let id = game.add_move(node(at), san);
                    nodes.push(id);
                }
                Step::Nag(at, nag) => game.add_nag(node(at), Nag(nag)),
                Step::Comment(at, text) => game.add_comment(node(at), text),
                Step::CommentBefore(at, text) => {
                    let id = node(at);
                    let first = game.node(id).and_then(|node| node.parent()?.children().next());
                    // Only the first move of a variation can have a comment before it.
                    if first.is_some_and(|first| first.id() != id) {
                        game.comments_before_mut(id).push(text);
                    }
                }
                Step::Promote(at) if node(at) != NodeId::ROOT => {
                    game.promote(node(at));
                }
                Step::Promote(at) | Step::MakeMainline(at) => game.make_mainline(node(at)),
                Step::Tag(name, value) => {
                    // A name that cannot be written is refused.
                    game.set_tag(&name, &value).ok();
                }
            }
        }
        game.set_result(GameResult::Draw);
        game
    })
}

/// A reader of a repeated text that records the size of the largest buffer it is given.
struct Repeated<'a> {
    unit: &'a [u8],
    /// The number of bytes that remain.
    left: usize,
    at: usize,
    largest_buffer: usize,
}

impl Read for Repeated<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        self.largest_buffer = self.largest_buffer.max(buffer.len());
        let count = buffer.len().min(self.left);
        for byte in &mut buffer[..count] {
            *byte = self.unit[self.at % self.unit.len()];
            self.at += 1;
        }
        self.left -= count;
        Ok(count)
    }
}

/// The reader never requests more than its buffer, and holds nothing else that could grow. A reader that
/// takes quadratic time on one of these texts would not finish within minutes.
#[test]
fn memory_is_bounded() {
    const SIZE: usize = 4 << 20;
    for unit in [
        "x", "1", "é", "{", "(", ")", "e4(", "e4 (d4)", "[", "[A \"b\"]\n", "\"", ";", ";\r", "%\n", "$",
        "!", "<", "*", "\n", "\r", "[Event \"", "{a\n", "{\n[A \"", "e4 {words and words}\n",
        "1. e4 e5 1-0\n\n", "x *\n", "e4 ( * ", "0-", "\u{feff}", "\\", "[A \"\\\"", "-", "=",
        "e4 ( x\n[A \"b\"]\n", "[A\n\n",
    ] {
        // A visitor that stores nothing.
        struct Ignore;
        impl PgnVisitor for Ignore {
            type Output = ();
            fn error(&mut self, _: PgnError) -> Next {
                Next::Read
            }
            fn end_game(&mut self) {}
        }
        let text = Repeated { unit: unit.as_bytes(), left: SIZE, at: 0, largest_buffer: 0 };
        let mut reader = PgnReader::new(text);
        reader.read_all(&mut Ignore).unwrap();
        assert_eq!(reader.get_ref().left, 0, "{unit:?} was not read to its end");
        assert!(reader.get_ref().largest_buffer <= 64 * 1024, "{unit:?}");
    }
}

/// The points at which long tokens are split or rejected do not depend on the chunk size.
#[test]
fn limits_do_not_depend_on_chunk_size() {
    let lengths = [254, 255, 256, 257, 511, 512, 513, 32_766, 32_767, 32_768, 32_769, 70_000, 140_000];
    for (before, unit, after) in [
        ("e4 ", "x", " e5 *"),
        ("e4 ", "1", ". e5 *"),
        ("e4 $", "1", " e5 *"),
        ("e4", "!", " e5 *"),
        ("e4 ", "½", " e5 *"),
        ("e4 <", " ", "> e5 *"),
        ("e4 {", "é", "} e5 *"),
        ("e4 {", "a\n", "} e5 *"),
        ("e4 ;", "€", "\ne5 *"),
        ("e4 {", "a\n", "\n[Event \"x\"]\ne5 *"),
        ("e4 (d4 1-0", " ", ") e5 *"),
        ("e4 (d4 1-0", " ", "[Event \"x\"] e5 *"),
        ("[White \"", "é", "\"]\n[Black \"y\"]\ne5 *"),
        ("[White \"", "\\\"", "\"]\n[Black \"y\"]\ne5 *"),
        ("[", "x", " \"y\"]\n[Black \"y\"]\ne5 *"),
        ("e4 [", "x", " \"y\"]\n[Black \"y\"]\ne5 *"),
        ("%", "x", "\ne5 *"),
    ] {
        for length in lengths {
            let text = format!("{before}{}{after}", unit.repeat(length));
            let whole = Events::of(text.as_bytes());
            for size in [997, 33_333] {
                let chunked = Events::of(Chunks { text: text.as_bytes(), size });
                let agrees = chunked.log == whole.log && chunked.errors == whole.errors;
                assert!(agrees, "{before:?} {length} times {unit:?} {after:?} in chunks of {size}");
            }
        }
    }
}
