use crate::{
    Book, BookError, PolyglotBook, PolyglotBuilder, PolyglotEntry, TextBook, polyglot_key, polyglot_move,
};
use std::collections::HashSet;
use std::error::Error;
use std::fs;
use std::path::Path;
use tabiya_core::notation::GameResult;
use tabiya_core::{Board, BoardBuilder};
use tabiya_movegen::{Game, Position};

fn data(name: &str) -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/polyglot").join(name)
}

fn position(fen: &str) -> Position {
    fen.parse().unwrap_or_else(|error| panic!("{fen}: {error}"))
}

fn sans(book: &Book, position: &Position) -> Vec<(String, u32)> {
    book.moves(position).iter().map(|reply| (position.san(reply.mv).to_string(), reply.weight)).collect()
}

#[test]
fn keys_match_the_published_keys() {
    let text = fs::read_to_string(data("polyglot_keys.csv")).unwrap();
    let mut checked = 0;
    for line in text.lines().skip(1) {
        let (fen, key) = line.rsplit_once(',').unwrap();
        let board: Board = fen.parse().unwrap_or_else(|error| panic!("{fen}: {error}"));
        assert_eq!(format!("{:016x}", polyglot_key(&board)), key, "{fen}");
        checked += 1;
    }
    assert_eq!(checked, 1209);
}

#[test]
fn reads_a_book_of_another_program() {
    let book = Book::open(&data("lasker-trap.bin")).unwrap();
    assert_eq!((book.len(), book.is_empty()), (7, false));
    // The Albin Counter-Gambit, move by move.
    let mut game = Game::new();
    let mut line = Vec::new();
    game.play_san("d4").unwrap();
    while let Some(mv) = book.choose(game.position(), line.len() as u64) {
        line.push(game.position().san(mv).to_string());
        game.play(mv).unwrap();
        // The book has replies for one side only.
        if let Some(answer) = ["c4", "dxe5", "e3", "Bxb4", "Ke2", "Ke1"].get(line.len() - 1)
            && game.play_san(answer).is_err()
        {
            break;
        }
    }
    assert_eq!(line[..3], ["d5", "e5", "d4"], "{line:?}");
}

#[test]
fn rejects_invalid_books() {
    assert!(matches!(PolyglotBook::from_bytes(&[0; 33]), Err(BookError::Length { bytes: 33 })));
    let message = PolyglotBook::from_bytes(&[0; 33]).unwrap_err().to_string();
    assert_eq!(message, "invalid Polyglot book: 33 bytes (expected a multiple of 16)");
    let missing = Book::open(Path::new("/nowhere/book.bin")).unwrap_err().to_string();
    assert!(missing.starts_with("cannot read the book /nowhere/book.bin: "), "{missing}");
    let no_book = Book::open(&Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.toml")).unwrap_err();
    let text = no_book.to_string();
    assert!(text.contains("Cargo.toml: line 1 of the book: "), "{text}");
    assert!(no_book.source().is_none(), "the text already holds the inner error");
    assert!(PolyglotBook::from_bytes(&[]).unwrap().is_empty());
    for (text, expected) in [
        ("\n# a\nrubbish", "line 3 of the book: "),
        ("4k3/8/8/8/8/8/8/4K3 w - -", "line 1 of the book: no reply"),
        ("4k3/8/8/8/8/8/8/4K3 w - - bm Kd3;", "line 1 of the book: Kd3: "),
        ("8/8 w - - -> 8/8 w - -", "line 1 of the book: invalid FEN"),
        (
            "4k3/8/8/8/8/8/8/4K3 w - - 0 1 -> 4k3/8/8/8/8/8/8/K7 b - - 1 1",
            "line 1 of the book: no legal move leads from the first position to the second",
        ),
    ] {
        let message = TextBook::parse(text).unwrap_err().to_string();
        assert!(message.starts_with(expected), "{message}");
    }
    let numbered = TextBook::from_lines("\u{feff}1.e4 e5 2.Nf3 Nc6 3.Bc4 3...Bc5 4. 0-0").unwrap();
    assert_eq!(numbered.len(), 7);
    let message = TextBook::from_lines("1. e4 e5 2. Ke3").unwrap_err().to_string();
    assert!(message.starts_with("line 1 of the book: Ke3: "), "{message}");
}

#[test]
fn accepts_both_encodings_of_castling() {
    let position = position("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1");
    for (to, san) in [(7, "O-O"), (6, "O-O"), (0, "O-O-O"), (2, "O-O-O")] {
        let mut bytes = polyglot_key(&position).to_be_bytes().to_vec();
        bytes.extend(((4 << 6 | to) as u16).to_be_bytes());
        bytes.extend([0, 9, 0, 0, 0, 0]);
        let book = Book::Polyglot(PolyglotBook::from_bytes(&bytes).unwrap());
        assert_eq!(sans(&book, &position), [(san.to_owned(), 9)]);
    }
    // The format's own encoding: the king's move to the rook's square.
    let castle = position.parse_san("O-O").unwrap();
    assert_eq!(polyglot_move(castle), 4 << 6 | 7);
    // Not a move: h8 to h8 with an invalid promotion code.
    let bytes = [&polyglot_key(&position).to_be_bytes()[..], &[0xff, 0xff, 0, 1, 0, 0, 0, 0]].concat();
    assert!(Book::Polyglot(PolyglotBook::from_bytes(&bytes).unwrap()).moves(&position).is_empty());
}

#[test]
fn encodes_promotions() {
    let position = position("1n2k3/P7/8/8/8/8/8/4K3 w - - 0 1");
    let encodings: HashSet<u16> = position.legal_moves().into_iter().map(polyglot_move).collect();
    assert_eq!(encodings.len(), position.count_legal_moves());
    let queen = position.parse_san("axb8=Q").unwrap();
    assert_eq!(polyglot_move(queen) >> 12, 4);
}

#[test]
fn finds_entries_of_unsorted_files() {
    let (start, next) =
        (Position::startpos(), position("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1"));
    let mut builder = PolyglotBuilder::new();
    builder.add(&start, start.parse_san("e4").unwrap(), GameResult::Draw);
    builder.add(&next, next.parse_san("c5").unwrap(), GameResult::Draw);
    let bytes = builder.build(1);
    let swapped = [&bytes[16..], &bytes[..16]].concat();
    for bytes in [bytes, swapped] {
        let book = PolyglotBook::from_bytes(&bytes).unwrap();
        assert_eq!((book.moves(&start).len(), book.moves(&next).len()), (1, 1));
    }
}

#[test]
fn entries_are_merged_and_sorted() {
    let start = Position::startpos();
    let entry = |san, weight| PolyglotEntry::new(&start, start.parse_san(san).unwrap(), weight);
    let other = PolyglotEntry { key: 1, ..entry("e4", 0) };
    let entries =
        [entry("d4", 2), entry("e4", 1), entry("c4", 65_535), other, entry("e4", 4), entry("c4", 1)];
    let book: PolyglotBook = entries.into_iter().collect();
    assert_eq!(book.entries(), [other, entry("c4", 65_535), entry("e4", 5), entry("d4", 2)]);
    assert_eq!(PolyglotBook::from_bytes(&book.to_bytes()).unwrap(), book);
    assert_eq!(sans(&Book::Polyglot(book), &start)[1], ("e4".to_owned(), 5));
}

#[test]
fn weights_are_scores() {
    let start = Position::startpos();
    let mv = |san| start.parse_san(san).unwrap();
    let mut builder = PolyglotBuilder::new();
    for (san, result) in [
        ("e4", GameResult::WhiteWins),
        ("e4", GameResult::Draw),
        ("d4", GameResult::Unknown),
        ("d4", GameResult::WhiteWins),
        ("d4", GameResult::WhiteWins),
        ("f3", GameResult::BlackWins),
        ("f3", GameResult::BlackWins),
        ("c4", GameResult::WhiteWins),
    ] {
        builder.add(&start, mv(san), result);
    }
    let book = |min_games| Book::Polyglot(PolyglotBook::from_bytes(&builder.build(min_games)).unwrap());
    let expected = [("d4", 5), ("e4", 3)].map(|(san, weight)| (san.to_owned(), weight));
    assert_eq!(sans(&book(2), &start), expected);
    assert_eq!(book(1).len(), 3);
    for _ in 0..100_000 {
        builder.add(&start, mv("e4"), GameResult::WhiteWins);
    }
    let large = Book::Polyglot(PolyglotBook::from_bytes(&builder.build(1)).unwrap());
    assert_eq!(sans(&large, &start)[0], ("e4".to_owned(), 65535));
    assert!(sans(&large, &start).iter().all(|&(_, weight)| weight > 0));
}

#[test]
fn chooses_replies_by_weight() {
    let text = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - bm e4;\n".repeat(3)
        + "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - bm d4;";
    let book = Book::Text(TextBook::parse(&text).unwrap());
    let start = Position::startpos();
    let chosen = |random| start.san(book.choose(&start, random).unwrap()).to_string();
    let e4 = (0..4000).filter(|&random| chosen(random) == "e4").count();
    assert!((2800..3200).contains(&e4), "{e4}");
    assert_eq!(book.choose(&position("4k3/8/8/8/8/8/8/4K3 w - - 0 1"), 1), None);
}

#[test]
fn main_lines_are_legal() {
    let book = TextBook::from_lines(include_str!("main_lines.txt")).unwrap();
    assert!(book.len() > 700, "{}", book.len());
    let start = Position::startpos();
    let first: HashSet<String> =
        book.moves(&start).iter().map(|reply| start.san(reply.mv).to_string()).collect();
    assert_eq!(first, HashSet::from(["e4", "d4", "c4", "Nf3"].map(str::to_owned)));
    assert_eq!(Book::main_lines().len(), book.len());
}

#[test]
fn chess960_positions_have_replies_in_their_own_books_only() {
    let mut builder: BoardBuilder = Position::startpos().board().to_builder();
    builder.castling = tabiya_core::CastlingRights::default();
    let without_castling = Position::from_builder(&builder).unwrap();
    let book = Book::main_lines();
    assert!(book.moves(&without_castling).is_empty(), "other castling rights are another position");
    let shuffled = Position::chess960(0).unwrap();
    assert!(!shuffled.has_standard_castling() && book.moves(&shuffled).is_empty());
    let own = TextBook::parse(&format!("{shuffled} bm e4;")).unwrap();
    assert_eq!(Book::Text(own).moves(&shuffled).len(), 1);
}

#[test]
fn arrows_in_epd_operations_are_text() {
    let epd = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - bm e4; c0 \"e4 -> open\";";
    assert_eq!(TextBook::parse(epd).unwrap().len(), 1);
}

#[test]
fn moves_and_pgn_are_not_taken_for_positions() {
    let moves = "line 1 of the book: moves or PGN (expected a position with the operation bm, or two positions with -> between them)";
    for text in ["e4 e5 Nf3", "1. d4 d5 1/2-1/2", "1.Nf3", "e2e4 e7e5", "[Event \"x\"]\n\n1. e4 *"] {
        assert_eq!(TextBook::parse(text).unwrap_err().to_string(), moves, "{text}");
    }
    for text in ["", "book", "e5 e4", "rnbqkbnr w KQkq - bm e4;"] {
        assert!(!TextBook::parse(text).is_err_and(|error| error.to_string() == moves), "{text}");
    }
}

#[test]
fn rejects_directories_and_devices() {
    let message = |path: &str| Book::open(Path::new(path)).unwrap_err().to_string();
    let directory = env!("CARGO_MANIFEST_DIR");
    assert_eq!(
        message(directory),
        format!("cannot read the book {directory}: it is a directory, not a regular file")
    );
    if cfg!(target_os = "linux") {
        // Endless, so that reading would exhaust memory.
        assert_eq!(
            message("/dev/zero"),
            "cannot read the book /dev/zero: it is a device, not a regular file"
        );
    }
}

#[test]
fn rejects_a_book_beyond_the_size_limit() {
    let file = tempfile::NamedTempFile::new().unwrap();
    // A sparse file takes no disk space.
    file.as_file().set_len((1 << 30) + 16).unwrap();
    let message = Book::open(file.path()).unwrap_err().to_string();
    assert!(message.ends_with("it is larger than 1024 MiB"), "{message}");
}
