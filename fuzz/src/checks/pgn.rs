//! The check of target `pgn`.

use super::pgn_events::{Event, Recorder};
use super::pgn_replay;
use tabiya_core::notation::{
    Annotation, GameResult, Location, PgnErrorKind, PgnGame, PgnReader, PgnWriter, ReadGameError,
    SEVEN_TAG_ROSTER, annotations, without_annotations,
};

/// The maximum length of an expanded text, in bytes: a little more than the reader's buffer.
const MAX_TEXT_LENGTH: usize = 80 * 1024;

/// The maximum number of games per input that are checked in full.
pub(super) const MAX_GAMES: usize = 100;

/// The byte that starts a repetition: control-Z, which is white space to the reader.
const REPEAT: u8 = 0x1a;

/// For any bytes, the events do not depend on the chunk size or on what the visitor skips, every game
/// round-trips, and a game appended to the text is found.
pub fn pgn(data: &[u8]) {
    let mut text = expand(data);
    if let Some(converted) = from_utf16(&text) {
        // Locations refer to the converted text.
        assert_eq!(
            PgnReader::new(&text[..]).games().count(),
            PgnReader::new(converted.as_bytes()).games().count()
        );
        text = converted.into_bytes();
    }
    let whole = Recorder::new(&text).read(usize::MAX);
    check_order(&whole);
    let step = if text.len() == data.len() { 1 + data.len() % 11 } else { 4_093 };
    assert_same(&Recorder::new(&text).read(step), &whole, &format!("in chunks of {step}"));
    check_skipping(&text, &whole);
    check_trees(&text, &whole);
    pgn_replay::check(&text);
    check_recovery(&text);
}

fn assert_same(events: &[Event], expected: &[Event], condition: &str) {
    if let Some(at) = (0..events.len().max(expected.len())).find(|&at| events.get(at) != expected.get(at)) {
        let shown = |events: &[Event]| format!("{:.500}", format!("{:?}", events.get(at)));
        panic!("event {at} is {} {condition}, but otherwise {}", shown(events), shown(expected));
    }
}

/// Expands a short input to a long text: the byte [`REPEAT`], a number `n` and a byte stand for n²/2 copies
/// of that byte.
fn expand(data: &[u8]) -> Vec<u8> {
    let mut text = Vec::with_capacity(data.len());
    let mut rest = data;
    while let [first, after @ ..] = rest {
        rest = after;
        match (*first, after) {
            (REPEAT, [times, byte, after @ ..]) => {
                let times = usize::from(*times) * usize::from(*times) / 2;
                text.resize((text.len() + times).min(MAX_TEXT_LENGTH.max(text.len())), *byte);
                rest = after;
            }
            _ => text.push(*first),
        }
    }
    text
}

/// The text in UTF-8 if it is UTF-16 with a byte-order mark.
fn from_utf16(text: &[u8]) -> Option<String> {
    let (decode, text): (fn([u8; 2]) -> u16, _) = match text {
        [0xff, 0xfe, text @ ..] => (u16::from_le_bytes, text),
        [0xfe, 0xff, text @ ..] => (u16::from_be_bytes, text),
        _ => return None,
    };
    let (units, rest) = text.as_chunks::<2>();
    let mut converted = String::from_utf16_lossy(&units.iter().copied().map(decode).collect::<Vec<u16>>());
    converted.extend(rest.iter().map(|_| char::REPLACEMENT_CHARACTER));
    Some(converted)
}

/// Checks that the visitor is called in the documented order.
fn check_order(events: &[Event]) {
    let mut in_game = false;
    let mut in_tags = true;
    let mut depth = 0;
    let mut last_end = None;
    for event in events {
        assert_eq!(in_game, *event != Event::BeginGame);
        match event {
            Event::BeginGame => (in_game, in_tags) = (true, true),
            Event::Tag { .. } => assert!(in_tags),
            Event::EndTags => assert!(std::mem::replace(&mut in_tags, false)),
            Event::San(bytes) => assert!(!in_tags && (1..=255).contains(&bytes.len())),
            Event::Comment(_) | Event::Error(_) => {}
            Event::Nag(_) | Event::Result(_) => assert!(!in_tags),
            Event::BeginVariation => {
                assert!(!in_tags);
                depth += 1;
            }
            Event::EndVariation => {
                assert!(depth > 0);
                depth -= 1;
            }
            Event::EndGame(location) => {
                assert!(!in_tags && depth == 0);
                assert!(last_end.is_none_or(|end| location.offset > end), "nothing was read");
                last_end = Some(location.offset);
                in_game = false;
            }
        }
    }
    assert!(!in_game);
}

/// Checks that skipping does not change the other events.
fn check_skipping(text: &[u8], whole: &[Event]) {
    let main_line = Recorder::new(text).without_variations().read(usize::MAX);
    // Unterminated variations are not reported if they are skipped.
    let is_compared = |event: &&Event| !matches!(event, Event::Error(error) if error.kind == PgnErrorKind::UnterminatedVariation);
    let mut depth = 0;
    let outside = whole.iter().filter(|event| {
        depth += usize::from(**event == Event::BeginVariation);
        let is_outside = depth == 0;
        depth -= usize::from(**event == Event::EndVariation);
        is_outside
    });
    let outside: Vec<Event> = outside.filter(is_compared).cloned().collect();
    let main_line: Vec<Event> = main_line.iter().filter(is_compared).cloned().collect();
    assert_same(&main_line, &outside, "without variations");

    let limit = text.len() % 29;
    let skipping = Recorder::new(text).skipping_after(limit).read(usize::MAX);
    assert_eq!(ends(&skipping), ends(whole), "if the visitor returns `Skip` after {limit} events");

    let mut reader = PgnReader::new(text);
    let mut skipped = vec![];
    while reader.skip_game().expect("reading from memory does not fail") {
        skipped.push(reader.location());
    }
    assert_eq!(skipped, ends(whole), "if games are skipped");
}

/// The locations at which games end.
fn ends(events: &[Event]) -> Vec<Location> {
    let end = |event: &Event| if let Event::EndGame(location) = event { Some(*location) } else { None };
    events.iter().filter_map(end).collect()
}

/// Checks that a game appended to any text is read completely.
fn check_recovery(text: &[u8]) {
    let text = [text, b"\n[Event \"The last\"]\n\n1. e4 e5 1-0\n"].concat();
    let last = PgnReader::new(&text[..]).games().last().expect("there is a game");
    let last = match last {
        Ok(game) => game,
        // The error may be in preceding text that could not be separated from the last game.
        Err(ReadGameError::Broken(broken)) => *broken.game,
        Err(error) => panic!("{error}"),
    };
    assert_eq!(last.tag("Event"), Some("The last"));
    assert_eq!(
        last.mainline().filter_map(|node| node.san()).map(|san| san.to_string()).collect::<Vec<_>>(),
        ["e4", "e5"]
    );
}

fn check_trees(text: &[u8], whole: &[Event]) {
    let mut games = 0;
    for game in PgnReader::new(text).games() {
        games += 1;
        if games > MAX_GAMES {
            continue;
        }
        match game {
            Ok(game) => check_game(&game),
            Err(ReadGameError::Broken(broken)) => {
                assert!(!broken.to_string().is_empty());
                check_game(&broken.game);
            }
            Err(error) => panic!("{error}"),
        }
    }
    assert_eq!(games, ends(whole).len());
}

fn check_game(game: &PgnGame) {
    let written = game.to_string();
    if has_overlong_tag(&written) {
        return;
    }
    let reread: PgnGame = written.parse().unwrap_or_else(|error| panic!("{written:?}: {error}"));
    assert_eq!(reread.to_string(), written);
    assert_eq!(ends(&Recorder::new(written.as_bytes()).read(usize::MAX)).len(), 1, "{written:?}");
    let mut writer = PgnWriter::new(Vec::new());
    reread.write_to(&mut writer).expect("a parsed game has valid tag names");
    assert_eq!(writer.into_inner(), format!("{written}\n").into_bytes());

    assert_eq!(reread.result(), game.result(), "{written:?}");
    for (name, value) in reread.tags() {
        let unknown = match name {
            "Result" => Some(game.result().as_str()),
            _ => SEVEN_TAG_ROSTER.iter().find(|(tag, _)| *tag == name).map(|(_, unknown)| *unknown),
        };
        let standard = |tag: &str| match tag.parse::<GameResult>() {
            Ok(result) if name == "Result" => result.as_str().to_owned(),
            _ => without_control_characters(tag),
        };
        let expected = game.tag(name).map(standard);
        assert_eq!(Some(value), expected.as_deref().or(unknown), "the tag {name} in {written:?}");
    }
    let comments = check_same_tree(game, &reread);
    if comments == 0 {
        let moves = written.split("\n\n").last().unwrap_or_default();
        assert!(moves.lines().all(|line| line.len() < 80), "{written:?}");
    }
}

/// Returns true if a tag is longer than the reader's limit, which can happen by conversion to UTF-8 and
/// escaping.
pub(super) fn has_overlong_tag(written: &str) -> bool {
    written.lines().any(|line| line.starts_with('[') && line.len() > 32 * 1024)
}

/// Checks that moves, glyphs and comments are the same; returns the number of comments.
fn check_same_tree(game: &PgnGame, reread: &PgnGame) -> usize {
    let mut comments = 0;
    let mut pairs = vec![(game.root(), reread.root())];
    while let Some((node, reread)) = pairs.pop() {
        assert_eq!(node.san(), reread.san());
        assert_eq!(node.nags(), reread.nags());
        assert_eq!(normalized(node.comments()), reread.comments());
        assert_eq!(normalized(node.comments_before()), reread.comments_before());
        for comment in node.comments().iter().chain(node.comments_before()) {
            check_annotations(comment);
            comments += 1;
        }
        assert_eq!(node.children().count(), reread.children().count());
        pairs.extend(node.children().zip(reread.children()));
    }
    comments
}

/// The comments as the writer normalizes them.
fn normalized(comments: &[String]) -> Vec<String> {
    let line = |line: &str| without_control_characters(line).trim_matches(' ').to_owned();
    let comments = comments.iter().map(|comment| {
        let comment = comment.replace('{', "(").replace('}', ")");
        let lines: Vec<String> = comment.split('\n').map(line).collect();
        lines.join("\n").trim_matches('\n').to_owned()
    });
    comments.filter(|comment| !comment.is_empty()).collect()
}

fn without_control_characters(text: &str) -> String {
    text.replace(char::is_control, " ")
}

fn check_annotations(comment: &str) {
    for annotation in annotations(comment) {
        let written = annotation.to_string();
        let reread: Vec<Annotation<'_>> = annotations(&written).collect();
        assert_eq!(reread.len(), 1, "{written:?}");
        assert_eq!(reread[0].to_string(), written);
        assert_eq!(without_annotations(&written), "");
    }
    assert!(without_annotations(comment).len() <= comment.len());
}
