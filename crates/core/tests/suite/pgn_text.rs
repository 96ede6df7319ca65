//! The elements of PGN as the reader reports them, and the trees built from them.

use super::events::{Chunks, Events};
use tabiya_core::notation::{
    Annotation, CommentToken, GameResult, Nag, Next, PgnError, PgnGame, PgnReader, PgnVisitor, ReadGameError,
    SanToken, annotations,
};

/// The events of a text, joined by spaces. The text must have no errors.
fn read(text: impl AsRef<[u8]>) -> String {
    let events = Events::of(text.as_ref());
    assert_eq!(events.errors, [], "{:?}", String::from_utf8_lossy(text.as_ref()));
    events.log.join(" ")
}

#[test]
fn texts_without_games_have_no_events() {
    for text in
        ["", "\n\n", "\u{feff}", " \r\n\t", "% ignored\n%\n", "; ignored\r\n", "\u{feff}% [Event \"x\"]"]
    {
        assert_eq!(read(text), "", "{text:?}");
    }
}

#[test]
fn reports_all_elements_of_a_game() {
    let text = "[Event \"x\"]\n[Result \"1-0\"]\n\n{first} 1. e4 $1 e5!? {why} 2. Nf3 (2. f4 exf4 (2... d5)) Nc6 1-0\n";
    let events = "< [Event=x] [Result=1-0] | {first} e4 $1 e5 $5 {why} Nf3 ( f4 exf4 ( d5 ) ) Nc6 =1-0 >";
    assert_eq!(read(text), events);
}

#[test]
fn finds_the_end_of_games() {
    for (text, events) in [
        ("1. e4 1-0 1. d4 0-1", "< | e4 =1-0 > < | d4 =0-1 >"),
        ("1. e4 1-0\n1. d4", "< | e4 =1-0 > < | d4 >"),
        // No result, but the tags of the next game.
        ("1. e4\n[White \"x\"]\n1. d4 *", "< | e4 > < [White=x] | d4 =* >"),
        ("1. e4 [White \"x\"] 1. d4 *", "< | e4 > < [White=x] | d4 =* >"),
        // No moves either: an empty line and a repeated tag begin the next game.
        ("[White \"a\"]\n\n[White \"b\"]\n", "< [White=a] | > < [White=b] | >"),
        ("[Event \"a\"]\n\n[Date \"b\"]\n\ne4 *", "< [Event=a] [Date=b] | e4 =* >"),
        ("[Own \"a\"]\n\n[Own \"b\"]\n", "< [Own=a] | > < [Own=b] | >"),
        ("[White \"a\"]\n[White \"b\"]\n", "< [White=a] [White=b] | >"),
        ("{a}\n\n[White \"b\"] *", "< {a} [White=b] | =* >"),
        ("[White \"a\"]\n{c}\n\n[White \"b\"] *", "< [White=a] | {c} > < [White=b] | =* >"),
        // Comments on the line of the result belong to the game.
        ("e4 1-0 {a} ; b\n{c} d4", "< | e4 =1-0 {a} {b} > < {c} | d4 >"),
        // A result inside a variation is ignored, unless the game ends there.
        ("e4 (d4 1-0) e5 0-1", "< | e4 ( d4 ) e5 =0-1 >"),
        ("e4 (d4 ½) e5 0-1", "< | e4 ( d4 ) e5 =0-1 >"),
        ("e4 (d4 draw) e5 0-1", "< | e4 ( d4 ) e5 =0-1 >"),
        ("*", "< | =* >"),
        ("* *", "< | =* >"),
    ] {
        assert_eq!(read(text), events, "{text:?}");
    }
}

#[test]
fn reads_all_forms_of_results() {
    for (text, result) in [
        ("1-0", "1-0"),
        ("0-1", "0-1"),
        ("1/2-1/2", "1/2-1/2"),
        ("1/2", "1/2-1/2"),
        ("½-½", "1/2-1/2"),
        ("0.5-0.5", "1/2-1/2"),
        ("0,5:0,5", "1/2-1/2"),
        ("1:0", "1-0"),
        ("0–1", "0-1"),
        ("1/2–1/2", "1/2-1/2"),
        ("Draw", "1/2-1/2"),
        ("*", "*"),
    ] {
        assert_eq!(read(format!("e4 {text}")), format!("< | e4 ={result} >"));
        assert_eq!(
            read(format!("e4{}{text}\n", if text == "*" { "" } else { " " })),
            format!("< | e4 ={result} >")
        );
    }
}

#[test]
fn ignores_move_numbers() {
    for text in [
        "1. e4 e5 2. Nf3",
        "1.e4 e5 2.Nf3",
        "1 . e4 e5 2 Nf3",
        "e4 e5 Nf3",
        "1. e4 1... e5 2. Nf3",
        "1. e4 1. ... e5 2. Nf3",
        "7. e4 7.. e5 5. Nf3",
        "1. e4 1 ... e5 2....Nf3",
        "1.e4 ...e5 2.Nf3",
        "1e4 e5 2Nf3",
        "99999999999999999999999. e4 e5 Nf3",
        "e4\ne5\r\nNf3",
        "e4\te5\x0bNf3\x00",
    ] {
        assert_eq!(read(text), "< | e4 e5 Nf3 >", "{text:?}");
    }
}

#[test]
fn reads_unusual_forms_of_moves() {
    for (text, events) in [
        ("0-0 0-0-0+ O-O#", "0-0 0-0-0+ O-O#"),
        ("OO 00 1.0-0 0. 000 ooo", "OO 00 0-0 000 ooo"),
        ("-- Z0 0000 @@@@ --+", "-- Z0 -- @@@@ --+"),
        ("exd6 e.p. exd6e.p. dxe3 ep", "exd6 exd6e.p. dxe3"),
        ("e4+ Qh5 + Qxf7 # Nf3 ++", "e4+ Qh5 Qxf7 Nf3"),
        ("e8=Q e8=q e8Q", "e8=Q e8=q e8Q"),
        ("♘f3 ♟e5", "♘f3 ♟e5"),
        ("e4{a}e5;b\nNf3(d4)Nc6*", "e4 {a} e5 {b} Nf3 ( d4 ) Nc6 =*"),
    ] {
        assert_eq!(read(text), format!("< | {events} >"), "{text:?}");
    }
    for (text, san) in
        [("1. 0-0 *", "O-O"), ("1. -- *", "--"), ("1. ♘g1-f3† *", "Ng1f3+"), ("1. e7e8q *", "e7e8=Q")]
    {
        let game: PgnGame = text.parse().unwrap();
        let moves: Vec<String> = game.mainline().map(|node| node.san().unwrap().to_string()).collect();
        assert_eq!(moves, [san]);
    }
}

#[test]
fn reads_glyphs_and_symbols() {
    for (text, events) in [
        ("e4! e5? Nf3!! Nc6?? Bb5!? a6?!", "e4 $1 e5 $2 Nf3 $3 Nc6 $4 Bb5 $5 a6 $6"),
        ("e4 ! e5 $0 $255 Nf3$7", "e4 $1 e5 $0 $255 Nf3 $7"),
        ("e4 = e5 += Nf3 +/= Nc6 =+", "e4 $10 e5 $14 Nf3 $14 Nc6 $15"),
        ("e4 +/- e5 -/+ Nf3 +- Nc6 -+", "e4 $16 e5 $17 Nf3 $18 Nc6 $19"),
        ("e4 ± e5 ∓ Nf3 ⩲ Nc6 ⩱ Bb5 ∞ a6 □ Ba4 N", "e4 $16 e5 $17 Nf3 $14 Nc6 $15 Bb5 $13 a6 $7 Ba4 $146"),
    ] {
        assert_eq!(read(text), format!("< | {events} >"), "{text:?}");
    }
}

#[test]
fn reads_comments() {
    for (text, events) in [
        ("e4 {one} {two} e5", "< | e4 {one} {two} e5 >"),
        ("e4 {a (b) ; c $1 [Event \"x\"]} e5", "< | e4 {a (b) ; c $1 [Event \"x\"]} e5 >"),
        ("e4 ; to the } end\ne5", "< | e4 {to the } end} e5 >"),
        ("e4 ; to the end\r\ne5", "< | e4 {to the end} e5 >"),
        ("e4 ;", "< | e4 {} >"),
        ("e4 {over\nsome \r\n lines} {}", "< | e4 {over some lines} {} >"),
        ("e4 {one\n\ntwo\n \n\n three} {}", "< | e4 {one\ntwo\n\nthree} {} >"),
        // A tag inside a comment, even at the start of a line if other text follows it.
        ("e4 {a\n[Event \"x\"]} e5", "< | e4 {a [Event \"x\"]} e5 >"),
        ("e4 {a\n[Event \"x\"] b\nc} e5", "< | e4 {a [Event \"x\"] b c} e5 >"),
        ("{before} [White \"x\"]\n{after} e4", "< {before} [White=x] | {after} e4 >"),
        ("; before\n[White \"x\"]\n; after\ne4", "< [White=x] | {after} e4 >"),
        ("e4 (; a\nd4) e5", "< | e4 ( {a} d4 ) e5 >"),
    ] {
        assert_eq!(read(text), events, "{text:?}");
    }
}

#[test]
fn ignores_escaped_lines() {
    let text = "%a\n[White \"x\"]\n%b [Event \"y\"]\n\ne4\n%c d4 1-0\ne5 {not an\n% escape}\r\n%d\r\nNf3 *";
    assert_eq!(read(text), "< [White=x] | e4 e5 {not an % escape} Nf3 =* >");
}

#[test]
fn reads_tags() {
    for (text, events) in [
        (r#"[White "a"][Black "b"]  [Round "c"]"#, "[White=a] [Black=b] [Round=c]"),
        ("[ White\t\"a\" ]\n[\nBlack\n\"b\"\n]", "[White=a] [Black=b]"),
        (r#"[White"a"]"#, "[White=a]"),
        (r#"[White ""]"#, "[White=]"),
        (r#"[White "say \"a\" and \\ and \n"]"#, r#"[White=say "a" and \ and \n]"#),
        (r#"[White "say "a" and [b]"]"#, r#"[White=say "a" and [b]]"#),
        (r#"[White "closing ] opening ["]"#, "[White=closing ] opening []"),
        ("[White \"C:\\\"]\n[Black \"b\"]", "[White=C:\\] [Black=b]"),
        (r#"[Odd-Name? "a"]"#, "[Odd-Name?=a]"),
        ("[Größe \"a\"]", "[Größe=a]"),
    ] {
        assert_eq!(read(text), format!("< {events} | >"), "{text:?}");
    }
}

#[test]
fn reads_windows_1252_and_utf_8() {
    let latin1 = b"[White \"R\xe9ti\"]\n1. e4 {gro\xdf} *";
    assert_eq!(read(latin1), "< [White=Réti] | e4 {groß} =* >");
    let windows_1252 = b"[White \"O\x92Neil\"]\n1. e4 {10\x80 \x96 \x8a} *";
    assert_eq!(read(windows_1252), "< [White=O’Neil] | e4 {10€ – Š} =* >");
    let utf8 = "\u{feff}[White \"Réti 象\"]\n1. e4 {groß} *\n\u{feff}[White \"b\"]\n*";
    assert_eq!(read(utf8), "< [White=Réti 象] | e4 {groß} =* > < [White=b] | =* >");
    // Line ends that consist of a carriage return only.
    assert_eq!(read("[White \"a\"]\r\re4 ; b\re5\r%c\rNf3 *"), "< [White=a] | e4 {b} e5 Nf3 =* >");
}

#[test]
fn reads_very_long_lines() {
    let moves = "1. e4 e5 ".repeat(200_000);
    let events = Events::of(moves.as_bytes());
    assert_eq!((events.log.len(), events.errors.len()), (400_003, 0));
}

#[test]
fn skips_to_the_end_of_the_variation_or_game() {
    struct Skipper(&'static str, String);

    impl PgnVisitor for Skipper {
        type Output = String;

        fn begin_game(&mut self) {
            self.1 = "<".into();
        }
        fn tag(&mut self, _: tabiya_core::notation::TagToken<'_>) -> Next {
            self.note("tag")
        }
        fn end_tags(&mut self) -> Next {
            self.note("|")
        }
        fn san(&mut self, san: SanToken<'_>) -> Next {
            self.note(&san.to_string())
        }
        fn comment(&mut self, comment: CommentToken<'_>) {
            let _ = self.note(&comment.text());
        }
        fn begin_variation(&mut self) -> Next {
            self.note("(")
        }
        fn end_variation(&mut self) {
            let _ = self.note(")");
        }
        fn result(&mut self, result: GameResult) {
            let _ = self.note(result.as_str());
        }
        fn error(&mut self, error: PgnError) -> Next {
            self.note(&error.kind.to_string())
        }
        fn end_game(&mut self) -> String {
            std::mem::take(&mut self.1)
        }
    }

    impl Skipper {
        fn note(&mut self, event: &str) -> Next {
            self.1.push_str(event);
            if event == self.0 { Next::Skip } else { Next::Read }
        }
    }

    let text = "[A \"1\"]\n[B \"(\"]\n\ne4 (d4 {)1-0} (c4) ; (\n) e5 1-0\n\n[A \"2\"]\nNf3 *";
    for (skip, first, second) in [
        ("nothing", "<tagtag|e4(d4)1-0(c4)()e51-0", "<tag|Nf3*"),
        ("tag", "<tag", "<tag"),
        ("|", "<tagtag|", "<tag|"),
        ("e4", "<tagtag|e4", "<tag|Nf3*"),
        ("(", "<tagtag|e4(e51-0", "<tag|Nf3*"),
        ("c4", "<tagtag|e4(d4)1-0(c4", "<tag|Nf3*"),
        ("e5", "<tagtag|e4(d4)1-0(c4)()e5", "<tag|Nf3*"),
    ] {
        let mut reader = PgnReader::new(text.as_bytes());
        let mut skipper = Skipper(skip, String::new());
        assert_eq!(reader.read_game(&mut skipper).unwrap().as_deref(), Some(first), "{skip}");
        assert_eq!(reader.read_game(&mut skipper).unwrap().as_deref(), Some(second), "{skip}");
        assert_eq!(reader.read_game(&mut skipper).unwrap(), None);
    }

    let mut reader = PgnReader::new(text.as_bytes());
    assert!(reader.skip_game().unwrap());
    assert_eq!((reader.location().line, reader.location().column), (5, 9));
    assert!(reader.skip_game().unwrap());
    assert!(!reader.skip_game().unwrap());
}

#[test]
fn variations_are_skipped_by_default() {
    struct Moves(Vec<String>);

    impl PgnVisitor for Moves {
        type Output = ();
        fn san(&mut self, san: SanToken<'_>) -> Next {
            self.0.push(san.to_string());
            Next::Read
        }
        fn error(&mut self, error: PgnError) -> Next {
            panic!("{error}")
        }
        fn end_game(&mut self) {}
    }

    let mut moves = Moves(Vec::new());
    let text = "[A \"b\"] 1. e4 (1. d4 d5 (1... Nf6)) e5 {x} $1 (1... c5) (1... e6) 2. Nf3 1-0";
    assert_eq!(PgnReader::new(text.as_bytes()).read_all(&mut moves).unwrap(), 1);
    assert_eq!(moves.0, ["e4", "e5", "Nf3"]);
}

/// The input of a pipe whose writer waits after the first text.
struct WaitingInput(Option<&'static str>);

impl std::io::Read for WaitingInput {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let text = self.0.take().expect("the reader must not wait for more text");
        buffer[..text.len()].copy_from_slice(text.as_bytes());
        Ok(text.len())
    }
}

#[test]
fn blank_line_ends_a_game_without_more_text() {
    for text in ["1. e4 e5 *\n\n", "1. e4 e5 * {end}\r\n \r\n", "1. e4 (1. d4 *\n\n"] {
        let game = PgnReader::new(WaitingInput(Some(text))).games().next();
        assert!(game.is_some_and(|game| !matches!(game, Err(ReadGameError::Io(_)))), "{text:?}");
    }
}

#[test]
fn input_errors_end_the_iteration() {
    struct FailingInput(usize);

    impl std::io::Read for FailingInput {
        fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
            self.0 += 1;
            match self.0 {
                1 => Err(std::io::ErrorKind::Interrupted.into()),
                2 => {
                    buffer[..10].copy_from_slice(b"e4 *\ne5 d4");
                    Ok(10)
                }
                _ => Err(std::io::Error::other("unplugged")),
            }
        }
    }

    let mut reader = PgnReader::new(FailingInput(0));
    let mut games = reader.games();
    assert!(matches!(games.next(), Some(Ok(_))));
    assert!(matches!(games.next(), Some(Err(ReadGameError::Io(error))) if error.to_string() == "unplugged"));
    assert!(games.next().is_none());
}

#[test]
fn builds_and_compares_trees() {
    let game: PgnGame =
        "{start} 1. e4 {a} {b} ({c} 1. d4 $2 {d} d5) ({e} 1. c4 (1. b4 $3)) {f} e5 (=) 1/2-1/2"
            .parse()
            .unwrap();
    let root = game.root();
    assert_eq!(root.comments(), ["start"]);
    assert!(root.san().is_none() && root.parent().is_none());
    let [e4, d4, c4, b4] = root.children().collect::<Vec<_>>()[..] else { panic!("{game}") };
    assert_eq!(
        (e4.comments(), e4.comments_before()),
        (&["a".to_owned(), "b".into(), "f".into()][..], &[][..])
    );
    assert_eq!(
        (d4.comments(), d4.comments_before(), d4.nags()),
        (&["d".to_owned()][..], &["c".to_owned()][..], &[Nag(2)][..])
    );
    assert_eq!((c4.comments_before(), b4.nags()), (&["e".to_owned()][..], &[Nag(3)][..]));
    assert_eq!(d4.children().count(), 1);
    assert_eq!(d4.parent().unwrap().id(), root.id());
    // `(=)` is a draw offer.
    let e5 = e4.children().next().unwrap();
    assert_eq!(e5.nags(), [Nag::EVEN]);
    assert_eq!(game.mainline().map(|node| node.san().unwrap().to_string()).collect::<Vec<_>>(), ["e4", "e5"]);
    assert_eq!(game.result(), GameResult::Draw);
    assert_eq!(game.node(e5.id()).unwrap().san(), e5.san());

    // The same tree, with its moves added in another order.
    let mut copy = PgnGame::new();
    for tag in copy.tags().map(|(name, _)| name.to_owned()).collect::<Vec<_>>() {
        copy.remove_tag(&tag);
    }
    let add = |game: &mut PgnGame, parent, text: &str| game.add_move(parent, text.parse().unwrap());
    let root = copy.root().id();
    let e4 = add(&mut copy, root, "e4");
    let e5 = add(&mut copy, e4, "e5");
    let d4 = add(&mut copy, root, "d4");
    let c4 = add(&mut copy, root, "c4");
    let b4 = add(&mut copy, root, "b4");
    add(&mut copy, d4, "d5");
    copy.add_comment(root, "start");
    for comment in ["a", "b", "f"] {
        copy.add_comment(e4, comment);
    }
    copy.comments_before_mut(d4).push("c".into());
    copy.add_comment(d4, "d");
    copy.comments_before_mut(c4).push("e".into());
    copy.add_nag(d4, Nag(2));
    copy.add_nag(b4, Nag(3));
    copy.add_nag(e5, Nag::EVEN);
    assert_ne!(copy, game);
    copy.set_result(GameResult::Draw);
    assert_eq!(copy.remove_tag("Result").as_deref(), Some("1/2-1/2"));
    assert_eq!(copy, game);
    add(&mut copy, b4, "e5");
    assert_ne!(copy, game);
}

#[test]
fn games_without_tags_are_equal_after_writing_and_reading() {
    let tags = ["", "[White \"Anderssen\"]\n\n", "[Result \"0-1\"]\n\n"];
    for text in tags.map(|tags| format!("{tags}1. e4 (1. d4) e5 1-0")) {
        let game: PgnGame = text.parse().unwrap();
        let mut copy: PgnGame = game.to_string().parse().unwrap();
        assert_eq!(copy, game);
        copy.set_tag("Black", "Kieseritzky").unwrap();
        assert_ne!(copy, game);
        copy = game.clone();
        copy.set_result(GameResult::Draw);
        assert_ne!(copy, game);
    }
}

#[test]
fn tags_of_games_can_be_edited() {
    let mut game = PgnGame::default();
    assert_eq!(game.tags().count(), 7);
    assert_eq!(
        (game.tag("Date"), game.tag("date"), game.result()),
        (Some("????.??.??"), None, GameResult::Unknown)
    );
    for (name, value) in [("White", "a"), ("White", "b"), ("Result", "0-1")] {
        game.set_tag(name, value).unwrap();
    }
    assert_eq!((game.tag("White"), game.result()), (Some("b"), GameResult::BlackWins));
    // Without a result in the movetext, the tag counts if it is valid.
    assert_eq!("[Result \"0-1\"] e4".parse::<PgnGame>().unwrap().result(), GameResult::BlackWins);
    assert_eq!("[Result \"?\"] e4".parse::<PgnGame>().unwrap().result(), GameResult::Unknown);
    assert!(matches!("".parse::<PgnGame>(), Err(ReadGameError::Empty)));
}

#[test]
fn names_and_comments_are_available_as_bytes() {
    struct Bytes(Vec<Vec<u8>>);

    impl PgnVisitor for Bytes {
        type Output = ();
        fn tag(&mut self, tag: tabiya_core::notation::TagToken<'_>) -> Next {
            self.0.push(tag.value_bytes().to_vec());
            Next::Read
        }
        fn comment(&mut self, comment: CommentToken<'_>) {
            self.0.push(comment.as_bytes().to_vec());
        }
        fn error(&mut self, error: PgnError) -> Next {
            panic!("{error}")
        }
        fn end_game(&mut self) {}
    }

    // In Windows-1251.
    let mut bytes = Bytes(Vec::new());
    PgnReader::new(&b"[White \"\xcf\xe5\xf2\xf0\xee\xe2 \\\"A\\\"\"]\n\n1. e4 {\xe4\xe0} *"[..])
        .read_all(&mut bytes)
        .unwrap();
    assert_eq!(bytes.0, [&b"\xcf\xe5\xf2\xf0\xee\xe2 \\\"A\\\""[..], b"\xe4\xe0"]);
}

#[test]
fn results_are_written_in_the_standard_spelling() {
    let game: PgnGame = "[Result \"0.5-0.5\"]\n\n1. e4 e5 0.5-0.5\n".parse().unwrap();
    assert_eq!((game.result(), game.tag("Result")), (GameResult::Draw, Some("0.5-0.5")));
    let text = game.to_string();
    assert!(text.contains("[Result \"1/2-1/2\"]") && text.ends_with("1. e4 e5 1/2-1/2\n"), "{text}");
    assert_eq!(text.parse::<PgnGame>().unwrap(), game);
}

/// Recursion would overflow the stack here.
#[test]
fn reads_and_writes_deeply_nested_variations() {
    let depth = 100_000;
    let text = format!("e4 {} d4 {} *", "(c4 ".repeat(depth), ")".repeat(depth));
    let game: PgnGame = text.parse().unwrap();
    let written = game.to_string();
    assert_eq!(written.parse::<PgnGame>().unwrap(), {
        let mut game = game;
        for (name, value) in tabiya_core::notation::SEVEN_TAG_ROSTER {
            game.set_tag(name, value).unwrap();
        }
        game
    });
}

#[test]
fn finds_commands_across_line_breaks() {
    let game: PgnGame = "1. e4 { [%eval 0.17] [%clk 0:00:30]\n[%emt 0:00:01] } *".parse().unwrap();
    let comment = &game.mainline().next().unwrap().comments()[0];
    let commands: Vec<String> =
        annotations(comment).map(|annotation: Annotation| annotation.to_string()).collect();
    assert_eq!(commands, ["[%eval 0.17]", "[%clk 0:00:30]", "[%emt 0:00:01]"]);
}

#[test]
fn signs_glued_to_moves_are_glyphs() {
    for (text, events) in [
        ("Nf3+- Nf3++- Nf3±", "Nf3 $18 Nf3+ $18 Nf3 $16"),
        ("Nf3+/- Nf3= e8=Q= e4N Nf3N!", "Nf3 $16 Nf3 $10 e8=Q $10 e4 $146 Nf3 $146 $1"),
        ("O-O-+ 0-0+- ♘f3∞ e8=N e8N Nf3++ Ne4#", "O-O $19 0-0 $18 ♘f3 $13 e8=N e8N Nf3++ Ne4#"),
        ("e4e.p. ep e4xd5= Nf3-", "e4e.p. e4xd5 $10 Nf3-"),
    ] {
        assert_eq!(Events::of(text.as_bytes()).log.join(" "), format!("< | {events} >"), "{text}");
    }
}

#[test]
fn unicode_spaces_are_blanks() {
    let expected = Events::of("1. e4 e5 2. ♘f3 {a} ± Nc6 1/2-1/2\n\n".as_bytes()).log;
    for space in ["\u{a0}", "\u{2009}", "\u{202f}", "\u{3000}", " \u{a0}", "\u{a0}\u{2003} "] {
        let text = "~1.~e4~e5~2.~♘f3~{a}~±~Nc6~1/2-1/2~\n\n~".replace('~', space);
        assert_eq!(Events::of(text.as_bytes()).log, expected, "{space:?}");
        assert_eq!(Events::of(Chunks { text: text.as_bytes(), size: 1 }).log, expected, "{space:?}");
    }
    assert_eq!(Events::of(&b"1.\xa0e4\xa0e5 *"[..]).log, Events::of(&b"1. e4 e5 *"[..]).log);
}

#[test]
fn unicode_spaces_in_tags_are_blanks() {
    let expected = Events::of("[White \"A\"]\n[FEN \"x\"]\n\ne4 *".as_bytes()).log;
    for space in ["\u{a0}", "\u{2009}", "\u{3000}", " \u{a0}"] {
        let text = "[~White~\"A\"~]\n[FEN~\"x\"]\n\ne4 *".replace('~', space);
        for size in [1, 4_096] {
            assert_eq!(Events::of(Chunks { text: text.as_bytes(), size }).log, expected, "{space:?}");
        }
    }
    // No name can have such a character, so that every tag that is read can be written.
    for name in ["Wh\u{7f}ite", "Wh\u{9b}ite"] {
        let events = Events::of(format!("[{name} \"A\"]\n\ne4 *").as_bytes());
        assert_eq!(events.errors.len(), 1, "{name:?}: {:?}", events.log);
    }
}

#[test]
fn braces_nest_if_the_text_says_so() {
    for (text, events) in [
        ("e4 {a {b} c} e5", "e4 {a {b} c} e5"),
        ("e4 {a {b {c} d} e} e5 {f}", "e4 {a {b {c} d} e} e5 {f}"),
        ("e4 {a {b c} e5 {d} Nf3", "e4 {a {b c} e5 {d} Nf3"),
        ("e4 {a {b c} e5", "e4 {a {b c} e5"),
    ] {
        for size in [1, 4_096] {
            let events_of = Events::of(Chunks { text: text.as_bytes(), size });
            assert_eq!(events_of.log.join(" "), format!("< | {events} >"), "{text}");
        }
    }
}
