//! PGN reading and writing on the test files of other libraries and of this project.

use super::data;
use super::events::{Chunks, Events};
use tabiya_core::notation::{GameResult, PgnGame, PgnReader, ReadGameError, SEVEN_TAG_ROSTER, annotations};

/// Test files, mostly from other libraries: the path, the number of games, and the errors.
#[rustfmt::skip]
const FILES: [(&str, usize, &[&str]); 33] = [
    ("chess-library/backslash_header.pgn", 1, &[]),
    ("chess-library/bare", 1, &[]),
    ("chess-library/black2move.pgn", 1, &[]),
    ("chess-library/book.pgn", 1, &[]),
    ("chess-library/castling.pgn", 1, &[]),
    ("chess-library/comment_before_moves.pgn", 1, &[]),
    ("chess-library/corrupted.pgn", 1, &["line 57, column 25, at \"Kx\": unexpected text (expected a move, a comment, a variation, a glyph, a result or a tag)"]),
    ("chess-library/empty_body.pgn", 2, &[]),
    ("chess-library/newline.pgn", 1, &[]),
    ("chess-library/no_moves.pgn", 1, &[]),
    ("chess-library/no_moves_but_comment_followed_by_termination_marker.pgn", 2, &[]),
    ("chess-library/no_moves_but_game_termination.pgn", 1, &[]),
    ("chess-library/no_moves_but_game_termination_multiple.pgn", 2, &[]),
    ("chess-library/no_moves_but_game_termination_multiple_2.pgn", 3, &[]),
    ("chess-library/no_moves_two_games.pgn", 2, &[]),
    ("chess-library/no_result.pgn", 1, &[]),
    ("chess-library/non_ascii.pgn", 1, &[]),
    ("chess-library/skip.pgn", 2, &[]),
    ("chess-library/square_bracket_in_header.pgn", 1, &[]),
    ("chess-library/unescaped_quote_header.pgn", 1, &[]),
    ("chess-library/variations.pgn", 1, &[]),
    ("chess.js/0.pgn", 1, &["line 1, column 12, at \"<br />\": unexpected text (expected a move, a comment, a variation, a glyph, a result or a tag)"]),
    ("chess.js/1.pgn", 1, &[]),
    ("chess.js/2.pgn", 1, &[]),
    ("chess.js/3.pgn", 1, &[]),
    ("mliebelt/benko.pgn", 2, &[]),
    ("mliebelt/lichess_mliebelt_2024-01-03.pgn", 8, &[]),
    ("mliebelt/sampleGame.pgn", 1, &[]),
    ("mliebelt/sampleGameThrow.pgn", 1, &["line 2, column 13, at \"Sf3\": not a move: expected a move that starts with N, B, R, Q, K, a file a-h, or O-O"]),
    ("mliebelt/sampleGames.pgn", 9, &[]),
    ("standard.pgn", 1, &[]),
    ("own.pgn", 10, &[]),
    ("errors.pgn", 25, &[
        "line 8, column 1, at \"[Site\": a tag must have the form [Name \"value\"]",
        "line 19, column 1, at \"[Site\": the tag has no closing \"] on its line",
        "line 30, column 7, at \"{\": the comment has no closing brace",
        "line 44, column 10, at \"(\": the variation has no closing parenthesis",
        "line 54, column 15, at \"two\": unexpected text (expected a move, a comment, a variation, a glyph, a result or a tag)",
        "line 63, column 7, at \"}\": closing brace, but no comment is open",
        "line 72, column 10, at \")\": closing parenthesis, but no variation is open",
        "line 81, column 1, at \"(\": a variation must follow the move that it replaces",
        "line 90, column 7, at \"$256\": invalid glyph (expected $0 to $255, or one of the marks ! ? !! ?? !? ?!)",
        "line 99, column 7, at \"Sf6\": not a move: expected a move that starts with N, B, R, Q, K, a file a-h, or O-O",
        "line 108, column 16, at \"Sf6\": not a move: expected a move that starts with N, B, R, Q, K, a file a-h, or O-O",
        "line 117, column 7, at \"<br>\": unexpected text (expected a move, a comment, a variation, a glyph, a result or a tag)",
    ]),
];

fn games(path: &str) -> (Vec<PgnGame>, Vec<String>) {
    let bytes = data(&format!("pgn/{path}"));
    let mut errors = Vec::new();
    let games = PgnReader::new(&bytes[..])
        .games()
        .map(|game| match game {
            Ok(game) => game,
            Err(ReadGameError::Broken(broken)) => {
                errors.push(broken.error.to_string().strip_prefix("invalid PGN, ").unwrap().to_owned());
                *broken.game
            }
            Err(error) => panic!("{path}: {error}"),
        })
        .collect();
    (games, errors)
}

#[test]
fn files_have_the_expected_games_and_errors() {
    for (path, count, errors) in FILES {
        let (games, actual) = games(path);
        assert_eq!(actual, errors, "{path}");
        assert_eq!(games.len(), count, "{path}");
    }
}

#[test]
fn events_do_not_depend_on_chunk_size() {
    for (path, ..) in FILES {
        let bytes = data(&format!("pgn/{path}"));
        let whole = Events::of(&bytes[..]);
        for size in [1, 3, 100] {
            let chunked = Events::of(Chunks { text: &bytes, size });
            assert_eq!(chunked.log, whole.log, "{path} in chunks of {size}");
            assert_eq!(chunked.errors, whole.errors, "{path} in chunks of {size}");
        }
    }
}

/// Replaces the braces in comments, as the writer does.
fn without_braces(game: &mut PgnGame) {
    let mut nodes = vec![game.root().id()];
    while let Some(id) = nodes.pop() {
        nodes.extend(game.node(id).unwrap().children().map(|node| node.id()));
        for comment in game.comments_mut(id) {
            *comment = comment.replace('{', "(").replace('}', ")");
        }
    }
}

/// Written games parse to the same tree, and writing that gives the same text.
#[test]
fn games_round_trip() {
    for (path, ..) in FILES {
        for mut game in games(path).0 {
            for (name, value) in SEVEN_TAG_ROSTER {
                if game.tag(name).is_none() {
                    game.set_tag(name, value).unwrap();
                }
            }
            without_braces(&mut game);
            let text = game.to_string();
            let reread: PgnGame = text.parse().unwrap_or_else(|error| panic!("{path}: {error} in\n{text}"));
            assert_eq!(reread, game, "{path}\n{text}");
            assert_eq!(reread.to_string(), text, "{path}");
            let moves = text.split_once("\n\n").unwrap().1;
            assert!(moves.lines().all(|line| line.chars().count() < 80), "{path}\n{moves}");
        }
    }
}

#[test]
fn files_have_the_expected_tags_and_moves() {
    let only = |path| games(path).0.remove(0);
    let game = only("chess-library/backslash_header.pgn");
    assert_eq!(game.tag("Event"), Some("Tournament \\"));
    assert_eq!(game.mainline().count(), 95);
    let game = only("chess-library/unescaped_quote_header.pgn");
    assert_eq!(game.tag("Event"), Some("Tournament \"Championship\" Finals"));
    assert_eq!(game.tag("Black"), Some("Jones, \"Lightning\" Mike"));
    let game = only("chess-library/square_bracket_in_header.pgn");
    assert_eq!(game.tag("Event"), Some("Batch 10: s20red4c4_t3 vs master[!important]"));
    assert_eq!(game.tag("Variation"), Some("closing ] opening"));
    assert_eq!(game.tag("White"), Some("New-cfe8\"dsadsa\"ce842c"));
    let game = only("chess-library/non_ascii.pgn");
    assert_eq!((game.tag("Event"), game.tag("Black")), (Some("Tournoi François"), Some("Владимир Петров")));
    let game = only("chess-library/no_result.pgn");
    assert_eq!((game.root().comments(), game.mainline().count()), (&["No result".to_owned()][..], 0));
    let game = only("chess-library/black2move.pgn");
    assert_eq!(
        game.mainline().map(|node| node.san().unwrap().to_string()).collect::<Vec<_>>(),
        ["O-O-O", "O-O", "Nc5"]
    );
    assert!(game.to_string().ends_with("\n\n1... O-O-O 2. O-O Nc5 *\n"));
    let game = only("standard.pgn");
    assert_eq!((game.mainline().count(), game.result()), (85, GameResult::Draw));
    // Text between the tags, and no line ends.
    let game = only("chess.js/0.pgn");
    assert_eq!((game.tag("Black"), game.tag("GreatestGameEverPlayed?")), (Some("Steve Bragg"), Some("True")));
}

/// Braces in comments are written so that every program reads them.
#[test]
fn comments_with_braces_are_written_in_braces() {
    let (games, errors) = games("faults/semicolon-comments.pgn");
    assert_eq!((games.len(), errors), (2, Vec::new()));
    assert!(
        games[0].to_string().ends_with("2. Nf3 Nc6 3. Bb5 { a (nested) b } 3... a6 1/2-1/2\n"),
        "{}",
        games[0]
    );
    assert!(
        games[1].to_string().ends_with("2. Nf3 Nc6 { only comment } 3. Bb5 { Black resigns } 1-0\n"),
        "{}",
        games[1]
    );
}

/// This project's file of unusual but valid games.
#[test]
fn reads_unusual_valid_games() {
    let (games, errors) = games("own.pgn");
    assert_eq!(errors, [""; 0]);
    let moves = |game: &PgnGame| {
        game.mainline().map(|node| node.san().unwrap().to_string()).collect::<Vec<_>>().join(" ")
    };
    let expected = [
        ("Fischer random", "e4 e5 O-O O-O-O"),
        ("Black begins", "Kd7 Kd2 Kd6"),
        ("No result, castling with zeros", "e4 e5 Nf3 Nf6 Bc4 Bc5 O-O O-O"),
        ("Null moves", "e4 -- d4 --"),
        ("Escapes and comments", "e4 e5 Nf3"),
        ("Glyphs", "e4 e5 Nf3 Nc6 Bb5 a6 Ba4"),
        ("Annotations", "e4 e5"),
        ("Variations", "e4 e5 Nf3 Nc6"),
        ("Numbers and signs", "e4 d5+ exd5 c6 dxc6 Nxc6"),
        ("Tags", ""),
    ];
    assert_eq!(games.len(), expected.len());
    for (game, (event, line)) in games.iter().zip(expected) {
        assert_eq!((game.tag("Event"), &*moves(game)), (Some(event), line));
    }
    assert_eq!(games[4].mainline().next().unwrap().comments(), ["in braces", "to the end of the line }"]);
    let nags: Vec<u8> = games[5].mainline().flat_map(|node| node.nags()).map(|nag| nag.0).collect();
    assert_eq!(nags, [1, 2, 3, 4, 5, 6, 10, 146]);
    let comment = &games[6].mainline().next().unwrap().comments()[0];
    assert_eq!(annotations(comment).count(), 3);
    assert_eq!(games[7].mainline().nth(1).unwrap().children().count(), 3);
    assert_eq!(games[9].tag("Annotator"), Some("C:\\notes \"final\""));
}
