//! PGN errors: their kinds and locations, and recovery after them.

use super::events::{Chunks, Events};
use tabiya_core::notation::PgnErrorKind as Kind;
use tabiya_core::notation::{Location, ParseSanError, PgnError, PgnGame, PgnReader, ReadGameError};

fn broken(text: impl AsRef<[u8]>) -> (PgnError, PgnGame) {
    match PgnReader::new(text.as_ref()).games().next() {
        Some(Err(ReadGameError::Broken(broken))) => (broken.error, *broken.game),
        other => panic!("{:?} gave {other:?}", String::from_utf8_lossy(text.as_ref())),
    }
}

fn moves(game: &PgnGame) -> String {
    game.mainline().map(|node| node.san().unwrap().to_string()).collect::<Vec<_>>().join(" ")
}

/// Every kind of error with its location, and the moves that can still be read.
#[test]
fn reports_errors_and_reads_on() {
    for (text, line, column, kind, remaining) in [
        ("[White]\ne4 e5 *", 1, 1, Kind::MalformedTag, "e4 e5"),
        ("\n  [] [White \"x\"]\ne4 *", 2, 3, Kind::MalformedTag, "e4"),
        ("[White x]\ne4 *", 1, 1, Kind::MalformedTag, "e4"),
        ("[White \"x]\ne4 *", 1, 1, Kind::UnterminatedTag, "e4"),
        ("[White \"x\"\n[Black \"y\"]\ne4 *", 1, 1, Kind::UnterminatedTag, "e4"),
        ("[White \"x", 1, 1, Kind::UnterminatedTag, ""),
        ("[White", 1, 1, Kind::UnterminatedTag, ""),
        ("[", 1, 1, Kind::UnterminatedTag, ""),
        ("e4 {x\ny e5", 1, 4, Kind::UnterminatedComment, "e4"),
        ("e4 {", 1, 4, Kind::UnterminatedComment, "e4"),
        ("{x [White \"x\"]\ne4", 1, 1, Kind::UnterminatedComment, ""),
        ("e4 e5 (c5\n(d5 c6) Nf3", 1, 7, Kind::UnterminatedVariation, "e4 e5"),
        ("e4 e5\n(", 2, 1, Kind::UnterminatedVariation, "e4 e5"),
        ("e4 } e5 *", 1, 4, Kind::UnexpectedClosingBrace, "e4 e5"),
        ("e4 ) e5 *", 1, 4, Kind::UnexpectedClosingParenthesis, "e4 e5"),
        ("e4 (d4)) e5 *", 1, 8, Kind::UnexpectedClosingParenthesis, "e4 e5"),
        ("(d4) e4 *", 1, 1, Kind::VariationBeforeMove, "e4"),
        ("e4 ((c4) d4) e5 *", 1, 5, Kind::VariationBeforeMove, "e4 e5"),
        ("e4 $ e5 *", 1, 4, Kind::InvalidNag, "e4 e5"),
        ("e4 $256 e5 *", 1, 4, Kind::InvalidNag, "e4 e5"),
        ("e4 $99999999999999999999 e5 *", 1, 4, Kind::InvalidNag, "e4 e5"),
        ("e4!!! e5 *", 1, 3, Kind::InvalidNag, "e4 e5"),
        ("e4 & e5 *", 1, 4, Kind::UnexpectedText, "e4 e5"),
        ("e4 2-0 e5 *", 1, 4, Kind::UnexpectedText, "e4 e5"),
        ("e4 <expansion of the future> e5 *", 1, 4, Kind::UnexpectedText, "e4 e5"),
        ("e4 < e5 *", 1, 4, Kind::UnexpectedText, "e4 e5"),
        ("e4 % e5 *", 1, 4, Kind::UnexpectedText, "e4 e5"),
        ("e4 \"e5\" *", 1, 4, Kind::UnexpectedText, "e4"),
        ("e4 [e5] *", 1, 4, Kind::UnexpectedText, "e4"),
        ("e4 \u{1f600} e5 *", 1, 4, Kind::UnexpectedText, "e4 e5"),
        ("[White \"x\"] <br> [Black \"y\"] e4 *", 1, 13, Kind::UnexpectedText, "e4"),
        ("e4\ne5 Sf3 Nc6 *", 2, 4, Kind::InvalidMove(ParseSanError::Piece), "e4 e5"),
        ("e4 Nf9 *", 1, 4, Kind::UnexpectedText, "e4"),
        ("e4 ch e5 *", 1, 4, Kind::UnexpectedText, "e4 e5"),
        ("e4 e5 TN Nf3 *", 1, 7, Kind::UnexpectedText, "e4 e5 Nf3"),
        ("e4 1.5 e5 D *", 1, 11, Kind::UnexpectedText, "e4 e5"),
        ("e4 \u{2206} e5 *", 1, 4, Kind::UnexpectedText, "e4 e5"),
        ("e4 \u{2192}e5 Nf3 *", 1, 4, Kind::UnexpectedText, "e4 Nf3"),
        ("e4 (e5 Sf6 d4 (d3)) e5 *", 1, 8, Kind::InvalidMove(ParseSanError::Piece), "e4 e5"),
        ("e4 (e9) e5 *", 1, 5, Kind::UnexpectedText, "e4 e5"),
        ("e4 g(erg)\nr23 *", 1, 4, Kind::UnexpectedText, "e4"),
        // An inner brace that is not closed is text.
        ("e4 {a {b} e5 {c} } Nf3 *", 1, 18, Kind::UnexpectedClosingBrace, "e4 e5 Nf3"),
        ("1. e4 e5 1-0 2. Nf3 Nc6 *", 1, 14, Kind::MovesAfterResult, "e4 e5 Nf3 Nc6"),
        ("1. e4 e5 *\n\t2... Nf3 *", 2, 2, Kind::MovesAfterResult, "e4 e5 Nf3"),
        ("1. e4 %eval Nc6", 1, 7, Kind::UnexpectedText, "e4 Nc6"),
    ] {
        let (error, game) = broken(text);
        assert_eq!(
            (error.location.line, error.location.column, error.kind),
            (line, column, kind),
            "{text:?}"
        );
        assert_eq!(moves(&game), remaining, "{text:?}");
        let message = error.to_string();
        assert!(
            message.starts_with(&format!("invalid PGN, line {line}, column {column}, at \"")),
            "{message}"
        );
    }
}

#[test]
fn rejects_every_variation_before_a_move() {
    let events = Events::of("(d4) (c4) e4 (d4) e5 ((c5) (d5) Nf3) Nf3 *".as_bytes());
    let kinds: Vec<Kind> = events.errors.iter().map(|error| error.kind).collect();
    assert_eq!(kinds, [Kind::VariationBeforeMove; 4]);
    assert_eq!(events.log.join(" "), "< | !1:1 !1:6 e4 ( d4 ) e5 ( !1:23 !1:28 Nf3 ) Nf3 =* >");
}

#[test]
fn broken_game_has_all_errors() {
    let text = "[Bad]\n1. e4 $999 e5 } 2. Nf3 & Nc6 (2... d6 3. Sc3 Nf6) 3. Bb5 (3. Bc4";
    let mut reader = PgnReader::new(text.as_bytes());
    let Some(Err(ReadGameError::Broken(broken))) = reader.games().next() else { panic!() };
    let kinds: Vec<Kind> = broken.errors().map(|error| error.kind).collect();
    assert_eq!(
        kinds,
        [
            Kind::MalformedTag,
            Kind::InvalidNag,
            Kind::UnexpectedClosingBrace,
            Kind::UnexpectedText,
            Kind::InvalidMove(ParseSanError::Piece),
            Kind::UnterminatedVariation
        ]
    );
    assert_eq!(moves(&broken.game), "e4 e5 Nf3 Nc6 Bb5");
    let many = "} ".repeat(5_000);
    let Some(Err(ReadGameError::Broken(broken))) = PgnReader::new(many.as_bytes()).games().next() else {
        panic!()
    };
    assert_eq!(broken.errors().count(), 1_000);
}

#[test]
fn limits_number_of_tags_and_moves() {
    let text: String = (0..1_002).map(|number| format!("[T{number} \"x\"]\n")).collect();
    let (error, game) = broken(text + "\n1. e4 *");
    assert_eq!((error.kind, error.location.line), (Kind::TooManyTags, 1_001));
    assert_eq!((game.tags().count(), &*moves(&game)), (1_000, "e4"));
    let (error, game) = broken("e4 ".repeat(1_000_001));
    assert_eq!(error.kind, Kind::TooManyMoves);
    assert_eq!(game.mainline().count(), 1_000_000);
}

#[test]
fn broken_game_has_first_error_and_keeps_tags_and_comments() {
    let (error, game) = broken("[White \"x\"]\n[Bad]\n[Black \"y\"]\n\ne4 {kept} & e5 (d5 {and this) 1-0");
    assert_eq!(error.location, Location { offset: 12, line: 2, column: 1 });
    assert_eq!((game.tag("White"), game.tag("Black")), (Some("x"), Some("y")));
    let e4 = game.mainline().next().unwrap();
    assert_eq!(e4.comments(), ["kept"]);
    let d5 = e4.children().nth(1).unwrap();
    assert_eq!(d5.comments(), ["and this) 1-0"]);
}

#[test]
fn limits_length_of_words_and_tags() {
    // Words longer than 255 bytes are not parsed as moves.
    let (error, game) = broken(format!("e4 {} e5 *", "e".repeat(256)));
    assert_eq!((error.kind, error.location.column, &*moves(&game)), (Kind::UnexpectedText, 4, "e4 e5"));
    let (error, _) = broken(format!("e4 {}e4 e5 *", "e".repeat(253)));
    assert_eq!(error.kind, Kind::InvalidMove(ParseSanError::Origin));
    assert_eq!(error.token.to_string(), format!("{}…", "e".repeat(20)));
    for word in ["1-", "Q", "&", "-", "½", "<", "$", "!"] {
        let events = Events::of(format!("e4 {}\ne5 *", word.repeat(300_000)).as_bytes());
        assert!(events.log.ends_with(&["e5".into(), "=*".into(), ">".into()]), "{word}");
        assert_eq!(events.errors[0].location, Location { offset: 3, line: 1, column: 4 });
    }
    // The limit applies to numbers too.
    let events = Events::of(format!("{}. e4 {} *", "1".repeat(300_000), "2".repeat(255)).as_bytes());
    assert_eq!(events.log.join(" "), "< | !1:1 e4 =* >");

    let value = "x".repeat(100_000);
    for (text, kind) in [
        (format!("[White \"{value}\"]\n[Black \"y\"]\ne4 *"), Kind::TagTooLong),
        (format!("[{value} \"x\"]\n[Black \"y\"]\ne4 *"), Kind::TagTooLong),
        (format!("[White{} \"x\"]\n[Black \"y\"]\ne4 *", " ".repeat(100_000)), Kind::TagTooLong),
    ] {
        let (error, game) = broken(text);
        assert_eq!((error.kind, error.location.line, error.location.column), (kind, 1, 1));
        assert_eq!((game.tag("Black"), &*moves(&game)), (Some("y"), "e4"));
    }
}

/// Comments of any length are read, and errors are located at their beginning.
#[test]
fn reads_very_long_comments() {
    let line = "words and words and wörds\n";
    let text = format!("e4 {{{}}} e5 *\n", line.repeat(20_000));
    let game: PgnGame = text.parse().unwrap();
    let comment = &game.mainline().next().unwrap().comments()[0];
    assert_eq!(*comment, line.trim().to_owned() + &format!(" {}", line.trim()).repeat(19_999));
    // Without line ends or single-byte characters.
    for text in ["€".repeat(50_000), "\u{10348}".repeat(40_001), "a€".repeat(40_000)] {
        for (open, close) in [("{", "}"), (";", "\n")] {
            let game: PgnGame = format!("e4 {open}{text}{close} e5 *").parse().unwrap();
            assert!(game.mainline().next().unwrap().comments() == [text.clone()]);
        }
    }

    let text = format!("\ne4\n  {{{}\n[Event \"x\"]\nd4 *", line.repeat(20_000));
    let mut reader = PgnReader::new(text.as_bytes());
    let mut games = reader.games();
    let Some(Err(ReadGameError::Broken(first))) = games.next() else { panic!() };
    assert_eq!((first.error.location.line, first.error.location.column), (3, 3));
    assert_eq!(moves(&games.next().unwrap().unwrap()), "d4");
    assert!(games.next().is_none());
}

/// If a comment has no closing brace, a brace in a tag of the next game does not close it.
#[test]
fn brace_in_a_tag_does_not_end_a_comment() {
    let long = "words and words\n".repeat(6_000);
    for filling in ["", " lost brace", " lost\n\n brace\n", &long] {
        for tag in ["[Event \"a } b\"]", "[Event \"{}\"]  ", "[White \"x\"]\n[Black \"}\"]", "[Site \"}\"]\r"]
        {
            let text = format!("1. e4 {{{filling}\n\n{tag}\n\n1. d4 {{fine}} *\n");
            for size in [1, 7, 4_096] {
                let mut reader = PgnReader::new(Chunks { text: text.as_bytes(), size });
                let mut games = reader.games();
                let Some(Err(ReadGameError::Broken(first))) = games.next() else { panic!("{text:?}") };
                assert_eq!(first.error.kind, Kind::UnterminatedComment);
                assert_eq!((first.error.location.line, first.error.location.column), (1, 7));
                let next = games.next().unwrap().unwrap_or_else(|error| panic!("{error} in {text:?}"));
                assert_eq!(moves(&next), "d4");
                assert!(games.next().is_none());
            }
        }
    }
    // A tag in a comment that is closed belongs to the comment.
    for inside in ["x\n[White \"a\"]\ny", "\n\n[White \"{}\"]\n\n", "x\n[White \"}\"]\n[Black \"{\"]\ny "] {
        let text = format!("1. e4 {{{inside}}} e5 *\n\n[Event \"x\"]\n\n1. d4 {{y}} *\n");
        for size in [1, 7, 4_096] {
            let mut reader = PgnReader::new(Chunks { text: text.as_bytes(), size });
            let games: Vec<_> = reader.games().map(Result::unwrap).collect();
            assert_eq!(games.iter().map(moves).collect::<Vec<_>>(), ["e4 e5", "d4"], "{text:?}");
            let comment = games[0].mainline().next().unwrap().comments()[0].clone();
            assert_eq!(
                comment,
                inside
                    .split('\n')
                    .map(str::trim)
                    .filter(|line| !line.is_empty())
                    .collect::<Vec<_>>()
                    .join(" ")
            );
        }
    }
    // Lines that only resemble a tag are part of the comment.
    for inside in ["[%clk 0:01}", "[White \"a\"]}", "[White \"a\" }", "[b \"}", " [White \"a} b\"] *{\"]"] {
        let text = format!("1. e4 {{ words\n{inside} e5 *\n");
        assert_eq!(PgnReader::new(text.as_bytes()).games().count(), 1, "{text:?}");
    }
}

/// The error is located at the beginning of the variation, however far back that is.
#[test]
fn reports_unterminated_variation_at_its_beginning() {
    let text = format!("e4\ne5\n (c5 {}\n[Event \"x\"]\nd4 *", "Nf3 {x} Nc6\n".repeat(30_000));
    let mut reader = PgnReader::new(text.as_bytes());
    let mut games = reader.games();
    let Some(Err(ReadGameError::Broken(first))) = games.next() else { panic!() };
    assert_eq!(
        (first.error.kind, first.error.location.line, first.error.location.column),
        (Kind::UnterminatedVariation, 3, 2)
    );
    assert_eq!(
        first.game.node(first.game.root().children().next().unwrap().id()).unwrap().children().count(),
        2
    );
    assert!(games.next().unwrap().is_ok());
}

#[test]
fn reads_utf_16_with_a_byte_order_mark() {
    let text =
        format!("\u{feff}[White \"Réti ♘\"]\n1. e4 {{{}}} e5 *\n\n1. d4 & *\n", "𝄞 words ".repeat(20_000));
    let little: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
    let big: Vec<u8> = text.encode_utf16().flat_map(u16::to_be_bytes).collect();
    for bytes in [little, big] {
        for size in [1, 4_095, 1 << 20] {
            let events = Events::of(Chunks { text: &bytes, size });
            assert_eq!(events.log, Events::of(text.trim_start_matches('\u{feff}').as_bytes()).log);
            assert_eq!(
                events.errors[0].to_string().split(':').next(),
                Some("invalid PGN, line 4, column 7, at \"&\"")
            );
        }
    }
    for text in [&b"\xff\xfe"[..], b"\xfe\xff", b"\xff\xfe\n\0"] {
        assert_eq!(Events::of(text).log, [""; 0]);
    }
    // Elsewhere these bytes are unexpected text.
    assert_eq!(broken(b"e4 \xff\xfe *").0.kind, Kind::UnexpectedText);
    assert_eq!(broken(b"\xffe4 *").0.kind, Kind::UnexpectedText);
}

/// A blank of several bytes ends a long word, wherever a chunk ends.
#[test]
fn blanks_after_long_words_do_not_depend_on_chunk_size() {
    for blank in ["\u{85}", "\u{a0}", "\u{2003}", "\u{3000}"] {
        for length in [254, 255, 256, 300] {
            let text = format!("{}{blank}A{blank}e4 *", "x".repeat(length));
            let whole = Events::of(text.as_bytes());
            let [word, letter] = [1, length + blank.len() + 1].map(|column| format!("!1:{column}"));
            assert_eq!(whole.log[..4], ["<", "|", &word, &letter], "{text}");
            for size in [1, 2, 3, 7] {
                let chunked = Events::of(Chunks { text: text.as_bytes(), size });
                assert_eq!((&chunked.log, &chunked.errors), (&whole.log, &whole.errors), "{text:?}");
            }
        }
    }
}

/// A file in which every other game has a different error: the valid games are read completely.
#[test]
fn reads_valid_games_between_broken_ones() {
    let bytes = super::data("pgn/errors.pgn");
    let mut reader = PgnReader::new(&bytes[..]);
    let (mut good, mut bad) = (Vec::new(), Vec::new());
    for game in reader.games() {
        match game {
            Ok(game) => {
                assert_eq!(game.tag("Event"), Some("good"));
                assert!(moves(&game).starts_with("e4 e5"), "{game}");
                good.push(game.tag("Round").unwrap().parse::<usize>().unwrap());
            }
            Err(ReadGameError::Broken(broken)) => {
                assert!(broken.game.tag("Event").unwrap().starts_with("bad: "), "{broken}");
                bad.push(broken.error);
            }
            Err(error) => panic!("{error}"),
        }
    }
    assert_eq!(good, (1..=13).collect::<Vec<_>>());
    let expected = [
        (8, 1, Kind::MalformedTag),
        (19, 1, Kind::UnterminatedTag),
        (30, 7, Kind::UnterminatedComment),
        (44, 10, Kind::UnterminatedVariation),
        (54, 15, Kind::UnexpectedText),
        (63, 7, Kind::UnexpectedClosingBrace),
        (72, 10, Kind::UnexpectedClosingParenthesis),
        (81, 1, Kind::VariationBeforeMove),
        (90, 7, Kind::InvalidNag),
        (99, 7, Kind::InvalidMove(ParseSanError::Piece)),
        (108, 16, Kind::InvalidMove(ParseSanError::Piece)),
        (117, 7, Kind::UnexpectedText),
    ];
    let actual: Vec<_> =
        bad.iter().map(|error| (error.location.line, error.location.column, error.kind)).collect();
    assert_eq!(actual, expected);
}

/// Deletes or replaces each byte of a game in turn: nothing panics, and other games are read unchanged,
/// except possibly the adjacent one.
#[test]
fn one_wrong_byte_affects_at_most_the_adjacent_game() {
    let games: Vec<String> = (0..5)
        .map(|round| {
            format!(
                "[Event \"x\"]\n[Round \"{round}\"]\n\n1. e4 {{a comment}} e5 (1... c5 2. Nf3) 2. Nf3 1-0\n\n"
            )
        })
        .collect();
    let (before, middle, after) = (games[..2].concat(), &games[2], games[3..].concat());
    for at in 0..middle.len() {
        for replacement in [
            "", "{", "}", "(", ")", "[", "]", "\"", "\\", ";", "%", "$", "*", "\n", "\n\n", "0", "\u{ff}",
            "<",
        ] {
            let text = format!("{before}{}{replacement}{}{after}", &middle[..at], &middle[at + 1..]);
            let mut reader = PgnReader::new(text.as_bytes());
            let valid: Vec<PgnGame> = reader.games().filter_map(Result::ok).collect();
            for round in ["0", "1", "4"] {
                let is_intact =
                    |game: &PgnGame| game.tag("Round") == Some(round) && moves(game) == "e4 e5 Nf3";
                assert!(valid.iter().any(is_intact), "round {round} is missing in {text}");
            }
        }
    }
}
