//! The check of target `book`. It is not among [`checks`](crate::checks), because it depends on `tabiya-book`.

use tabiya_book::{Book, BookError, PolyglotBook, TextBook, polyglot_key};
use tabiya_movegen::Position;

/// The size of an entry of a Polyglot book, in bytes.
const ENTRY: usize = 16;

/// Positions with castling in two ways, promotions and en passant.
const POSITIONS: [&str; 4] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/P6P/8/8/8/8/p6p/R3K2R w KQkq - 0 1",
    "r3k2r/P6P/8/8/8/8/p6p/R3K2R b KQkq - 0 1",
    "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 2",
];

/// Bytes are rejected for their length, or are a Polyglot book. Text is rejected with the number of a line, or is a text book. Every
/// reply of a book is legal, and a chosen one has a weight.
pub fn book(data: &[u8]) {
    let positions = POSITIONS.map(|fen| Position::from_fen(fen).expect("a legal position"));
    check_polyglot(data, &positions);
    if let Ok(text) = str::from_utf8(data) {
        check_text(text, TextBook::parse(text), &positions);
        check_text(text, TextBook::from_lines(text), &positions);
    }
}

/// Mutation cannot find the keys of positions, so an entry whose first byte is 0 gets that of the position of its second byte.
fn check_polyglot(data: &[u8], positions: &[Position]) {
    let mut bytes = data.to_vec();
    for entry in bytes.as_chunks_mut::<ENTRY>().0 {
        if entry[0] == 0 {
            let position = &positions[usize::from(entry[1]) % positions.len()];
            entry[..8].copy_from_slice(&polyglot_key(position).to_be_bytes());
        }
    }
    match PolyglotBook::from_bytes(&bytes) {
        Ok(book) => {
            assert_eq!(book.len() * ENTRY, bytes.len());
            check_book(&Book::Polyglot(book), positions);
        }
        Err(BookError::Length { bytes: length }) => {
            assert!(length == bytes.len() && !length.is_multiple_of(ENTRY));
        }
        Err(error) => panic!("{error}"),
    }
}

fn check_text(text: &str, result: Result<TextBook, BookError>, positions: &[Position]) {
    match result {
        Ok(book) => check_book(&Book::Text(book), positions),
        Err(BookError::Line(error)) => {
            assert!((1..=text.lines().count()).contains(&error.line), "{error:?}");
            assert!(!error.to_string().is_empty());
        }
        Err(error) => panic!("{error}"),
    }
}

fn check_book(book: &Book, positions: &[Position]) {
    for position in positions {
        let replies = book.moves(position);
        assert!(replies.len() <= book.len());
        assert!(replies.iter().all(|reply| position.is_legal(reply.mv)), "{position}: {replies:?}");
        assert!(replies.is_sorted_by(|a, b| a.weight >= b.weight), "{position}: {replies:?}");
        for random in 0..8 {
            match book.choose(position, random) {
                Some(mv) => assert!(replies.iter().any(|reply| reply.mv == mv && reply.weight > 0)),
                None => assert!(replies.iter().all(|reply| reply.weight == 0), "{position}: {replies:?}"),
            }
        }
    }
}
