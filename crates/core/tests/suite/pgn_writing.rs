//! [`PgnWriter`]: tags, moves, comments and line breaks.

use tabiya_core::notation::{GameResult, Nag, PgnGame, PgnWriter, TagError};

fn written(write: impl Fn(&mut PgnWriter<Vec<u8>>) -> std::io::Result<()>) -> String {
    let mut pgn = PgnWriter::new(Vec::new());
    write(&mut pgn).unwrap();
    String::from_utf8(pgn.into_inner()).unwrap()
}

#[test]
fn example_of_the_standard_round_trips() {
    let text = super::text("pgn/standard.pgn");
    let game: PgnGame = text.parse().unwrap();
    assert_eq!(game.to_string().trim_end(), text.trim_end());
}

#[test]
fn tags_are_sorted_escaped_and_validated() {
    let text = written(|pgn| {
        pgn.write_tag("Zeta", "z")?;
        pgn.write_tag("Result", "1-0")?;
        pgn.write_tag("ECO", "a \"b\" \\ c\n")?;
        pgn.write_tag("Event", "x")?;
        pgn.write_tag("Event", "y")?;
        pgn.finish(GameResult::WhiteWins)
    });
    let expected = "[Event \"y\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n[White \"?\"]\n[Black \"?\"]\n\
        [Result \"1-0\"]\n[ECO \"a \\\"b\\\" \\\\ c \"]\n[Zeta \"z\"]\n\n1-0\n\n";
    assert_eq!(text, expected);

    let mut pgn = PgnWriter::new(Vec::new());
    for name in ["", "a b", "a\"", "[a", "a]", "a\n"] {
        assert_eq!(
            pgn.write_tag(name, "x").unwrap_err().kind(),
            std::io::ErrorKind::InvalidInput,
            "{name:?}"
        );
    }
    pgn.write_move("e4".parse().unwrap()).unwrap();
    assert_eq!(pgn.write_tag("White", "x").unwrap_err().kind(), std::io::ErrorKind::InvalidInput);
    pgn.finish(GameResult::Unknown).unwrap();
    assert!(pgn.write_tag("White", "x").is_ok());

    // A game refuses the same names.
    let mut game = PgnGame::new();
    for name in ["", "invalid name", "a\"", "[a", "a]", "a\nb", "a…", "a\u{200e}b"] {
        let error = game.set_tag(name, "x").unwrap_err();
        assert_eq!(error, TagError::InvalidName(name.to_owned()));
        assert_eq!(pgn.write_tag(name, "x").unwrap_err().to_string(), error.to_string());
        assert_eq!(
            error.to_string(),
            format!(
                "invalid tag name {name:?}: expected a name without white space, ellipses, quotes, brackets or invisible characters"
            )
        );
    }
    assert_eq!(game, PgnGame::new());
    assert!(game.write_to(&mut PgnWriter::new(Vec::new())).is_ok());
}

/// The written text without the tags.
fn movetext(write: impl Fn(&mut PgnWriter<Vec<u8>>) -> std::io::Result<()>) -> String {
    written(write).split_once("\n\n").unwrap().1.to_owned()
}

#[test]
fn moves_are_numbered_and_variations_enclosed() {
    let san = |text: &str| text.parse().unwrap();
    // Move numbers as in the standard; empty variations are omitted.
    let text = movetext(|pgn| {
        pgn.write_comment("start")?;
        pgn.write_move(san("e4"))?;
        pgn.write_move(san("e5"))?;
        pgn.begin_variation()?;
        pgn.end_variation()?;
        pgn.write_move(san("Nf3"))?;
        pgn.write_nag(Nag(1))?;
        pgn.write_move(san("Nc6"))?;
        pgn.begin_variation()?;
        pgn.write_comment("or")?;
        pgn.write_move(san("d6"))?;
        pgn.begin_variation()?;
        pgn.write_move(san("f5"))?;
        pgn.write_move(san("exf5"))?;
        pgn.end_variation()?;
        pgn.write_comment("")?;
        pgn.write_move(san("d4"))?;
        pgn.end_variation()?;
        pgn.end_variation()?; // no variation is open
        pgn.write_move(san("--"))?;
        pgn.begin_variation()?;
        pgn.write_move(san("Bb5"))?;
        pgn.finish(GameResult::Draw) // closes the open variation
    });
    let expected = "{ start } 1. e4 e5 2. Nf3 $1 Nc6 ({ or } 2... d6 (2... f5 3. exf5) 3. d4) 3. --\n(3. Bb5) 1/2-1/2\n\n";
    assert_eq!(text, expected);

    // From another start position.
    for (fen, expected) in [
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 31", "31. Kd1 Kd8 32. Kc1 *\n\n"),
        ("4k3/8/8/8/8/8/8/4K3 b - - 0 31", "31... Kd1 32. Kd8 Kc1 *\n\n"),
        ("4k3/8/8/8/8/8/8/4K3 b - -", "1... Kd1 2. Kd8 Kc1 *\n\n"),
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 0", "1. Kd1 Kd8 2. Kc1 *\n\n"),
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 70000", "65535. Kd1 Kd8 65535. Kc1 *\n\n"),
        ("nonsense", "1. Kd1 Kd8 2. Kc1 *\n\n"),
    ] {
        let text = movetext(|pgn| {
            pgn.write_tag("FEN", fen)?;
            for text in ["Kd1", "Kd8", "Kc1"] {
                pgn.write_move(san(text))?;
            }
            pgn.finish(GameResult::Unknown)
        });
        assert_eq!(text, expected, "{fen}");
    }
}

#[test]
fn comments_are_delimited_and_wrapped() {
    let comment = |text: &str| {
        movetext(|pgn| {
            pgn.write_comment(text)?;
            pgn.finish(GameResult::Unknown)
        })
    };
    for (text, expected) in [
        ("", "*\n\n"),
        (" \n ", "*\n\n"),
        ("a", "{ a } *\n\n"),
        ("a\x0bb\tc", "{ a b c } *\n\n"),
        ("{a", "{ (a } *\n\n"),
        ("{a} b} c", "{ (a) b) c } *\n\n"),
        ("a b\nc", "{ a b\n\nc } *\n\n"),
        ("a\r\n\r\nb \r c\n", "{ a\n\n\nb\n\nc } *\n\n"),
        ("a\n%b\n[C \"d\"]\n[%clk 0:01]", "{ a\n\n %b\n\n [C \"d\"]\n\n[%clk 0:01] } *\n\n"),
    ] {
        let written = comment(text);
        assert_eq!(written, expected, "{text:?}");
        let read: PgnGame = written.parse().unwrap();
        assert_eq!(comment(read.root().comments().first().map_or("", String::as_str)), expected, "{text:?}");
    }
    let read: PgnGame = comment("a\n\n%b\nc").parse().unwrap();
    assert_eq!(read.root().comments(), ["a\n\n%b\nc"]);
    // Lines are broken at single spaces, but not before text with a special meaning at the start of a line.
    let words = "word ".repeat(14);
    for (rest, expected) in [
        ("one two", "one\ntwo"),
        ("one  two", "\none  two"),
        ("one %two", "\none %two"),
        ("one [Two \"x\"]", "\none [Two \"x\"]"),
        ("one [%clk 0:00:01]", "one\n[%clk 0:00:01]"),
    ] {
        let long = format!("{words}{rest}");
        let text = comment(&long);
        assert_eq!(text, format!("{{ {words}{expected} }} *\n\n").replace(" \n", "\n"), "{rest}");
        assert_eq!(text.parse::<PgnGame>().unwrap().root().comments(), [long]);
    }
    // A long word is not broken.
    let wide = "ä".repeat(100);
    assert_eq!(comment(&wide), format!("{{ {wide} }}\n*\n\n"));
}

/// All lines have fewer than 80 characters, and as many words as fit.
#[test]
fn lines_are_filled() {
    let text = movetext(|pgn| {
        for index in 0..200 {
            pgn.write_move(["Nf3", "Nf6", "Ng1", "Ng8", "e4"][index % 5].parse().unwrap())?;
        }
        pgn.finish(GameResult::Draw)
    });
    let lines: Vec<&str> = text.trim_end().lines().collect();
    for pair in lines.windows(2) {
        let first_word = pair[1].split(' ').next().unwrap();
        assert!(pair[0].len() < 80 && pair[0].len() + 1 + first_word.len() >= 80, "{pair:?}");
    }
}
