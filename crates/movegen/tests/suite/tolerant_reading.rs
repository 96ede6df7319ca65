//! Tolerant reading of PGN: what cannot be understood is skipped, and neither games nor earlier moves are lost.

use crate::data;
use tabiya_core::SplitMix64;
use tabiya_core::notation::{Broken, GameResult, PgnReader};
use tabiya_movegen::{GameTree, GameTreeBuilder, Position, ResolveSanError};

/// Non-standard tokens found in PGN files of people and programs.
const ODD_TOKENS: [&str; 60] = [
    "!!!", "???", "!?!", "TN", "D", "N", "$256", "$", "$-1", "∆", "→", "↑", "⌓", "⇆", "○", "ch", "ch.",
    "dbl", "mate", "++", "e.p.", "ep", "0.5-0.5", "1:0", "0-0", "1–0", "Draw", "draw", "½", "1/2", "0-1",
    "*", "Kg1", "Ke1-g1", "Kh1", "OO", "o-o", "00", "--", "Z0", "0000", "Sf3", "Txd1", "xg5", "2f4", "e9",
    "Nf33", "(=)", ")", "(", "}", "{", "]", "[", "<", ">", "\"", "&", "%", "12.5",
];

/// The games of a text, with their warnings.
fn read(text: &[u8]) -> Vec<(GameTree, Vec<String>)> {
    let (mut reader, mut builder) = (PgnReader::new(text), GameTreeBuilder::new());
    let games = std::iter::from_fn(|| reader.read_game(&mut builder).unwrap());
    games
        .map(|game| {
            let (tree, errors) = Broken::split(game);
            (tree, errors.iter().map(ToString::to_string).collect())
        })
        .collect()
}

fn moves(tree: &GameTree) -> Vec<String> {
    tree.mainline().filter_map(|node| node.san()).map(|san| san.to_string()).collect()
}

/// The words of the movetext of a game outside comments, as ranges of bytes, each with the number of moves before it.
fn words(game: &str) -> Vec<(std::ops::Range<usize>, usize)> {
    let start = game.rfind("\"]\n").map_or(0, |at| at + 3);
    let (mut words, mut at, mut in_comment, mut plies) = (Vec::new(), start, false, 0);
    for word in game[start..].split([' ', '\n']) {
        in_comment |= word.starts_with('{');
        if !word.is_empty() && !in_comment {
            words.push((at..at + word.len(), plies));
            plies += usize::from(word.starts_with(|c: char| c.is_ascii_alphabetic()));
        }
        in_comment &= !word.ends_with('}');
        at += word.len() + 1;
    }
    words
}

/// Replaces a word of every game by each odd token in turn.
fn assert_nothing_before_odd_tokens_is_lost(text: &str) {
    let starts: Vec<usize> = text.match_indices("[Event ").map(|(at, _)| at).chain([text.len()]).collect();
    let games: Vec<&str> = starts.windows(2).map(|pair| &text[pair[0]..pair[1]]).collect();
    let originals: Vec<Vec<String>> = read(text.as_bytes()).iter().map(|(tree, _)| moves(tree)).collect();
    assert_eq!(originals.len(), games.len());
    let mut random = SplitMix64::new(55);
    for token in ODD_TOKENS {
        let mut changed = String::new();
        let mut kept = Vec::new();
        for game in &games {
            let words = words(game);
            let (range, plies) = words[random.below(words.len())].clone();
            changed.extend([&game[..range.start], token, &game[range.end..]]);
            kept.push(plies);
        }
        let read = read(changed.as_bytes());
        // A result in the middle of the moves ends the game there: the rest is a game without tags.
        let is_whole =
            |game: &&(GameTree, Vec<String>)| game.0.tag("Event").is_some_and(|event| event != "?");
        let read: Vec<_> = read.iter().filter(is_whole).collect();
        assert_eq!(read.len(), games.len(), "{token}");
        for (index, (tree, errors)) in read.iter().enumerate() {
            let (now, before) = (moves(tree), &originals[index]);
            let kept = kept[index].min(before.len());
            assert_eq!(now.get(..kept), before.get(..kept), "{token} in game {index}: {errors:?}");
        }
    }
}

#[test]
fn odd_tokens_lose_no_game_and_no_earlier_move() {
    assert_nothing_before_odd_tokens_is_lost(&data::text("pgn/lichess_marks.pgn"));
}

#[test]
fn unknown_tokens_are_skipped_with_warnings() {
    let games = read(data::text("pgn/faults/unknown-tokens.pgn").as_bytes());
    let lengths: Vec<usize> = games.iter().map(|(tree, _)| tree.mainline().count()).collect();
    assert_eq!(lengths, [14, 4, 6, 6, 1]);
    assert_eq!((games[1].0.result(), &games[1].1), (GameResult::Draw, &Vec::new()));
    assert_eq!(games[3].0.nodes().count(), 8, "the side line ends at 3. d5");
    let warnings: Vec<Vec<&str>> = games
        .iter()
        .map(|(_, errors)| errors.iter().map(|error| error.split(": ").next().unwrap()).collect())
        .collect();
    let expected: [&[&str]; 5] = [
        &["invalid game, line 6, column 64, at \"!!!\""],
        &[],
        &["invalid game, line 20, column 27"],
        &[
            "invalid game, line 27, column 31, at \"∆\"",
            "invalid game, line 27, column 35",
            "invalid game, line 27, column 46, at \"→\"",
        ],
        &["invalid game, line 30, column 1, at \"[White\""],
    ];
    assert_eq!(warnings, expected);
}

#[test]
fn windows_1252_is_decoded() {
    let games = read(&data::bytes("pgn/faults/windows-1252.pgn"));
    let [(tree, errors)] = &games[..] else { panic!("{games:?}") };
    assert!(
        errors.is_empty()
            && tree.tag("Event") == Some("Kings’ Cup – 2024")
            && tree.tag("White") == Some("O’Neil, A")
    );
    assert_eq!(tree.mainline().next().unwrap().comments(), ["“Best by test” – so they say… 10€ Šž"]);
}

#[test]
fn castling_is_read_as_a_move_of_the_king() {
    let start = "1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5";
    for castling in ["Kg1", "Ke1-g1", "Kh1", "OO", "00", "o-o", "e1g1"] {
        let tree: GameTree =
            format!("{start} 4. {castling} Nf6 *").parse().unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(moves(&tree)[6..], ["O-O", "Nf6"], "{castling}");
    }
    // A step to the same square is no castling.
    let tree: GameTree = format!("{start} 4. Kf1 Nf6 5. Kg1 *").parse().unwrap();
    assert_eq!(moves(&tree)[8], "Kg1");
    assert!(format!("{start} 4. Kc1 *").parse::<GameTree>().is_err());
}

#[test]
fn moves_without_their_first_letter_are_the_only_ones_they_can_be() {
    let resolve = |fen: &str, san: &str| {
        let position = Position::from_fen(fen).unwrap_or_else(|error| panic!("{error}"));
        position.parse_san(san).map(|mv| mv.to_uci(false).to_string())
    };
    let (start, knights) = (Position::startpos().to_string(), "4k3/P6P/8/3p2p1/2P1P3/5N2/5P2/4K3 w - - 0 1");
    for (fen, san, uci) in [(&*start, "2f4", "f2f4"), (knights, "xg5", "f3g5"), (knights, "7h8=Q", "h7h8q")] {
        assert_eq!(resolve(fen, san).as_deref(), Ok(uci), "{san}");
    }
    for (san, error) in [
        ("xd5", ResolveSanError::Ambiguous),
        ("xb6", ResolveSanError::Illegal),
        ("7a8", ResolveSanError::MissingPromotion),
    ] {
        assert_eq!(resolve(knights, san), Err(error), "{san}");
    }
}
