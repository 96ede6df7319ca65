use super::pgn_events::{Event, Recorder};
use super::pgn_replay;
use tabiya_core::notation::{
    Annotation, Location, PgnErrorKind, PgnGame, PgnReader, PgnWriter, ReadGameError, SEVEN_TAG_ROSTER,
    annotations, without_annotations,
};

/// Longer texts than this are not made: a little more than the reader holds.
const LONGEST_TEXT: usize = 80 * 1024;

/// Of how many games all is checked.
pub(super) const MOST_GAMES: usize = 100;

/// The byte that has the one after the next repeated: control-Z, which is a blank to the reader.
const REPEAT: u8 = 0x1a;

/// Any bytes are read the same way in whatever pieces they come and whatever is left out of them;
/// every game survives being written and read; and a game that follows is found.
pub fn pgn(data: &[u8]) {
    let text = expand(data);
    let whole = Recorder::new(&text).read(usize::MAX);
    check_order(&whole);
    let step = if text.len() == data.len() { 1 + data.len() % 11 } else { 4_093 };
    assert_same(&Recorder::new(&text).read(step), &whole, &format!("in steps of {step}"));
    check_leaving_out(&text, &whole);
    check_trees(&text, &whole);
    pgn_replay::check(&text);
    if !is_utf16(&text) {
        check_recovery(&text);
    }
}

fn assert_same(events: &[Event], expected: &[Event], what: &str) {
    if let Some(at) = (0..events.len().max(expected.len())).find(|&at| events.get(at) != expected.get(at)) {
        let shown = |events: &[Event]| format!("{:.500}", format!("{:?}", events.get(at)));
        panic!("event {at} is {} {what}, and else {}", shown(events), shown(expected));
    }
}

/// Makes long texts from short inputs: after the byte [`REPEAT`] stand a number `n` and a byte, which
/// together mean n²/2 of that byte.
fn expand(data: &[u8]) -> Vec<u8> {
    let mut text = Vec::with_capacity(data.len());
    let mut rest = data;
    while let [first, after @ ..] = rest {
        rest = after;
        match (*first, after) {
            (REPEAT, [times, byte, after @ ..]) => {
                let times = usize::from(*times) * usize::from(*times) / 2;
                text.resize((text.len() + times).min(LONGEST_TEXT.max(text.len())), *byte);
                rest = after;
            }
            _ => text.push(*first),
        }
    }
    text
}

fn is_utf16(text: &[u8]) -> bool {
    text.starts_with(b"\xff\xfe") || text.starts_with(b"\xfe\xff")
}

/// The visitor is called in the order that is promised.
fn check_order(events: &[Event]) {
    let mut in_game = false;
    let mut in_tags = true;
    let mut depth = 0;
    let mut behind = None;
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
            Event::EndGame(place) => {
                assert!(!in_tags && depth == 0);
                assert!(behind.is_none_or(|behind| place.offset > behind), "nothing was read");
                behind = Some(place.offset);
                in_game = false;
            }
        }
    }
    assert!(!in_game);
}

/// What is left out does not change the rest.
fn check_leaving_out(text: &[u8], whole: &[Event]) {
    let main_line = Recorder::new(text).without_variations().read(usize::MAX);
    // That a variation does not end is found only where it is read.
    let is_of_main_line = |event: &&Event| !matches!(event, Event::Error(error) if error.kind == PgnErrorKind::UnterminatedVariation);
    let mut depth = 0;
    let outside = whole.iter().filter(|event| {
        depth += usize::from(**event == Event::BeginVariation);
        let is_outside = depth == 0;
        depth -= usize::from(**event == Event::EndVariation);
        is_outside
    });
    let outside: Vec<Event> = outside.filter(is_of_main_line).cloned().collect();
    let main_line: Vec<Event> = main_line.iter().filter(is_of_main_line).cloned().collect();
    assert_same(&main_line, &outside, "without variations");

    let patience = text.len() % 29;
    let impatient = Recorder::new(text).with_patience(patience).read(usize::MAX);
    assert_eq!(
        ends(&impatient),
        ends(whole),
        "when the visitor leaves out what comes after {patience} events"
    );

    let mut reader = PgnReader::new(text);
    let mut skipped = vec![];
    while reader.skip_game().expect("reading from memory does not fail") {
        skipped.push(reader.location());
    }
    assert_eq!(skipped, ends(whole), "when games are skipped");
}

/// The places where games end.
fn ends(events: &[Event]) -> Vec<Location> {
    let end = |event: &Event| if let Event::EndGame(place) = event { Some(*place) } else { None };
    events.iter().filter_map(end).collect()
}

/// A game that follows, whatever the text is, is read as if it stood alone.
fn check_recovery(text: &[u8]) {
    let text = [text, b"\n[Event \"The last\"]\n\n1. e4 e5 1-0\n"].concat();
    let last = PgnReader::new(&text[..]).games().last().expect("there is a game");
    let last = match last {
        Ok(game) => game,
        // Something may be wrong before its tag, if nothing tells where it begins.
        Err(ReadGameError::Broken(broken)) => broken.game,
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
        if games > MOST_GAMES {
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
    let again: PgnGame = written.parse().unwrap_or_else(|error| panic!("{written:?}: {error}"));
    assert_eq!(again.to_string(), written);
    assert_eq!(ends(&Recorder::new(written.as_bytes()).read(usize::MAX)).len(), 1, "{written:?}");
    let mut writer = PgnWriter::new(Vec::new());
    again.write_to(&mut writer).expect("what was read can be written");
    assert_eq!(writer.into_inner(), format!("{written}\n").into_bytes());

    assert_eq!(again.result(), game.result(), "{written:?}");
    for (name, value) in again.tags() {
        let unknown = match name {
            "Result" => Some(game.result().as_str()),
            _ => SEVEN_TAG_ROSTER.iter().find(|(known, _)| *known == name).map(|(_, unknown)| *unknown),
        };
        let expected = game.tag(name).map(without_control_characters);
        assert_eq!(Some(value), expected.as_deref().or(unknown), "the tag {name} in {written:?}");
    }
    let comments = check_same_tree(game, &again);
    if comments == 0 {
        let moves = written.split("\n\n").last().unwrap_or_default();
        assert!(moves.lines().all(|line| line.len() < 80), "{written:?}");
    }
}

/// In UTF-8 and with backslashes a tag may have become longer than the reader holds.
pub(super) fn has_overlong_tag(written: &str) -> bool {
    written.lines().any(|line| line.starts_with('[') && line.len() > 32 * 1024)
}

/// The same moves, glyphs and comments; returns the number of comments.
fn check_same_tree(game: &PgnGame, again: &PgnGame) -> usize {
    let mut comments = 0;
    let mut pairs = vec![(game.root(), again.root())];
    while let Some((node, twin)) = pairs.pop() {
        assert_eq!(node.san(), twin.san());
        assert_eq!(node.nags(), twin.nags());
        assert_eq!(cleaned(node.comments()), twin.comments());
        assert_eq!(cleaned(node.comments_before()), twin.comments_before());
        for comment in node.comments().iter().chain(node.comments_before()) {
            check_annotations(comment);
            comments += 1;
        }
        assert_eq!(node.children().count(), twin.children().count());
        pairs.extend(node.children().zip(twin.children()));
    }
    comments
}

/// Comments as they are written.
fn cleaned(comments: &[String]) -> Vec<String> {
    let comments =
        comments.iter().map(|comment| without_control_characters(comment).trim_matches(' ').to_owned());
    comments.filter(|comment| !comment.is_empty()).collect()
}

fn without_control_characters(text: &str) -> String {
    text.replace(char::is_control, " ")
}

fn check_annotations(comment: &str) {
    for annotation in annotations(comment) {
        let written = annotation.to_string();
        let again: Vec<Annotation<'_>> = annotations(&written).collect();
        assert_eq!(again.len(), 1, "{written:?}");
        assert_eq!(again[0].to_string(), written);
        assert_eq!(without_annotations(&written), "");
    }
    assert!(without_annotations(comment).len() <= comment.len());
}
