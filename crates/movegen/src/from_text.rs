//! Positions and games from text as people copy it: links, labels, quotes, EPD, UCI commands, lists of moves.

mod link;

use crate::game::Game;
use crate::position::Position;
use crate::resolve::{ResolveSanError, ResolveUciError};
use alloc::borrow::{Cow, ToOwned};
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;
use tabiya_core::notation::{GameResult, San, UciMove};
use tabiya_core::{Board, CastlingRights, Color, Epd, FenError, FenErrorKind};

/// The reason why a text is neither a position nor a list of moves.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum TextError {
    /// The text starts with neither the pieces of a FEN nor a move.
    Unrecognised,
    /// The text is a link without a FEN.
    Link,
    /// The position is not a valid FEN. Byte positions are those in the FEN, without what stood around it.
    Fen(FenError),
    /// A move in UCI notation cannot be played.
    Uci {
        /// Number of the move in the list, from 1.
        number: usize,
        /// The move.
        text: String,
        /// The reason.
        error: ResolveUciError,
    },
    /// A move in SAN cannot be played, or the text is not a move.
    San {
        /// Number of the move in the list, from 1.
        number: usize,
        /// The move.
        text: String,
        /// The reason.
        error: ResolveSanError,
    },
    /// This follows the result of the game, as in a text of several games, which is PGN.
    AfterResult(String),
}

impl fmt::Display for TextError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TextError::Unrecognised => f.write_str(
                "neither a position nor moves (expected a FEN, such as 4k3/8/8/8/8/8/8/4K2R w K - 0 1, or moves, such as e4 e5)",
            ),
            TextError::Link => f.write_str("neither a position nor moves: the link contains no FEN"),
            TextError::Fen(error) => fmt::Display::fmt(error, f),
            TextError::Uci { number, text, error } => write!(f, "move {number}, {}: {error}", Excerpt(text)),
            TextError::San { number, text, error } => write!(f, "move {number}, {}: {error}", Excerpt(text)),
            TextError::AfterResult(text) => write!(
                f,
                "{} after the result (expected one game; a text of several is read as PGN)",
                Excerpt(text)
            ),
        }
    }
}

impl core::error::Error for TextError {}

impl From<FenError> for TextError {
    fn from(error: FenError) -> TextError {
        TextError::Fen(error)
    }
}

/// A part of a text that is not in the position read from it, or the other way round.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum TextNote {
    /// A castling right or an en-passant square that contradicts the pieces was dropped.
    Dropped(FenError),
    /// The operations of an EPD were ignored.
    Operations(String),
    /// The text does not say who is to move, so this side was chosen: White, unless Black would then be in check.
    SideToMove(Color),
    /// The text does not say who may castle, so these rights were chosen: all for which king and rook are on their initial squares.
    /// There is no note if there are none.
    Castling(CastlingRights),
}

impl fmt::Display for TextNote {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TextNote::Dropped(FenError { kind: FenErrorKind::Board(error), .. }) => {
                write!(f, "{error}; ignored")
            }
            TextNote::Dropped(error) => write!(f, "{error}; ignored"),
            TextNote::Operations(text) => {
                write!(f, "EPD operations after the FEN, {}; ignored", Excerpt(text))
            }
            TextNote::SideToMove(side) => write!(f, "the side to move is missing; {side} is to move"),
            TextNote::Castling(rights) => write!(f, "the castling rights are missing; they are {rights}"),
        }
    }
}

/// Displays outside text on one line: in quotes, control characters escaped, cut after 40 characters.
struct Excerpt<'a>(&'a str);

impl fmt::Display for Excerpt<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let end = self.0.char_indices().nth(40).map_or(self.0.len(), |(at, _)| at);
        write!(f, "{:?}{}", &self.0[..end], if end < self.0.len() { "..." } else { "" })
    }
}

impl Position {
    /// Reads a FEN like [`Board::from_fen_lossy`], or an EPD, whose operations are ignored. The second value says what was left out.
    ///
    /// ```
    /// use tabiya_movegen::Position;
    ///
    /// let (position, notes) = Position::from_fen_lossy("4k3/8/8/8/8/8/8/4K2R w KQ - bm O-O;")?;
    /// assert_eq!(position.to_string(), "4k3/8/8/8/8/8/8/4K2R w K - 0 1");
    /// assert_eq!(notes.len(), 2);
    /// # Ok::<(), tabiya_core::FenError>(())
    /// ```
    ///
    /// # Errors
    /// If the text is not a FEN, or the position is not legal.
    pub fn from_fen_lossy(text: &str) -> Result<(Position, Vec<TextNote>), FenError> {
        let (fen, operations) = match Epd::split(text) {
            (fen, rest) if text.trim_end().ends_with(';') || starts_with_opcode(rest) => (fen, rest),
            _ => (text, ""),
        };
        let (board, dropped) = Board::from_fen_lossy(fen)?;
        let mut notes: Vec<TextNote> = dropped.into_iter().map(TextNote::Dropped).collect();
        if !operations.is_empty() {
            notes.push(TextNote::Operations(operations.to_owned()));
        }
        Ok((Position::from_valid(board), notes))
    }

    /// Reads a position from text as people copy it, as [`Game::from_text`] does. Moves in the text are played.
    ///
    /// # Errors
    /// If the text contains no position, or an illegal one, or an illegal move.
    pub fn from_text(text: &str) -> Result<(Position, Vec<TextNote>), TextError> {
        let (game, notes) = Game::from_text(text)?;
        Ok((game.position().clone(), notes))
    }
}

impl Game {
    /// Reads a position or moves from text as people copy it. The second value says what was left out or assumed.
    ///
    /// The text may be
    /// - a FEN of one to six fields, with spaces or underscores between them, also with castling rights and an en-passant square that
    ///   contradict the pieces, which are dropped;
    /// - an EPD, whose operations are ignored;
    /// - a link that contains a FEN, as those of Lichess and Chess.com do;
    /// - a UCI command: `position startpos moves e2e4` or `position fen … moves …`;
    /// - moves from the start position in SAN or UCI notation, with or without numbers.
    ///
    /// If a FEN ends before them, White is to move unless Black would be in check, and each side may castle whose king and rook are on
    /// their initial squares.
    ///
    /// A result after the moves is declared, as [`Game::from_pgn`] does.
    ///
    /// Quotes around it and a label such as `FEN:` are ignored. A game with comments or variations is PGN, which `GameTree` reads.
    ///
    /// ```
    /// use tabiya_movegen::Game;
    ///
    /// let (game, _) = Game::from_text("\"FEN: 4k3/8/8/8/8/8/8/4K2R w K - 0 1\"")?;
    /// assert_eq!(game.start().to_string(), "4k3/8/8/8/8/8/8/4K2R w K - 0 1");
    /// let (game, _) = Game::from_text("https://lichess.org/analysis/8/8/8/5N2/8/5N2/5K1k/2B5_b_-_-_0_1")?;
    /// assert_eq!(game.start().to_string(), "8/8/8/5N2/8/5N2/5K1k/2B5 b - - 0 1");
    /// let (game, _) = Game::from_text("e4 e5 Nf3 Nc6")?;
    /// assert_eq!(game.moves().len(), 4);
    /// # Ok::<(), tabiya_movegen::TextError>(())
    /// ```
    ///
    /// # Errors
    /// If the text contains neither a position nor moves, or an illegal position or move, or if anything follows the result.
    pub fn from_text(text: &str) -> Result<(Game, Vec<TextNote>), TextError> {
        let text = bare(text);
        let text = match text.split_whitespace().find(|word| link::is_link(word)) {
            Some(link) => Cow::Owned(link::fen(link).ok_or(TextError::Link)?),
            None => Cow::Borrowed(text),
        };
        let (start, moves) = split_moves(&text);
        let first = start.split_whitespace().next().unwrap_or_default();
        let (position, notes) = match first {
            "startpos" => (Position::startpos(), Vec::new()),
            _ if first.contains('/') => position(start)?,
            _ if is_move_number(first)
                || first.parse::<San>().is_ok()
                || first.parse::<UciMove>().is_ok() =>
            {
                return Ok((play(Game::new(), start)?, Vec::new()));
            }
            _ => return Err(TextError::Unrecognised),
        };
        Ok((play(Game::from_position(position), moves)?, notes))
    }
}

/// Opcodes of EPD operations that stand first after a position. Only they are told from a damaged half-move clock.
fn starts_with_opcode(rest: &str) -> bool {
    let word = rest.split([' ', ';']).next().unwrap_or_default();
    matches!(
        word,
        "am" | "bm" | "id" | "ce" | "dm" | "acd" | "acs" | "acn" | "pv" | "pm" | "sm" | "eco" | "hmvc"
    ) || matches!(word.as_bytes(), [b'c', b'0'..=b'9'])
}

/// Removes white space, quotes and labels around a position.
fn bare(mut text: &str) -> &str {
    const QUOTES: [char; 12] = ['"', '\'', '`', '“', '”', '„', '‘', '’', '«', '»', '<', '>'];
    const LABELS: [&str; 4] = ["fen", "epd", "position", "setboard"];
    let is_blank = |c: char| c.is_whitespace() || matches!(c, '\u{feff}' | '\u{200b}' | ',');
    loop {
        let length = text.len();
        text = text.trim_matches(is_blank);
        if text.starts_with(QUOTES) {
            text = text.trim_start_matches(QUOTES).trim_end_matches(is_blank).trim_end_matches(QUOTES);
        }
        if let Some(tag) = text.strip_prefix('[') {
            text = tag.trim_end_matches(']');
        }
        for label in LABELS {
            let Some((start, rest)) = text.split_at_checked(label.len()) else { continue };
            if start.eq_ignore_ascii_case(label) && rest.starts_with([' ', '\t', ':', '=', '"']) {
                text = rest.trim_start_matches([' ', '\t', ':', '=']);
            }
        }
        if text.len() == length {
            return text;
        }
    }
}

/// Splits at the word `moves` after a start position of one to six fields.
fn split_moves(text: &str) -> (&str, &str) {
    // The words are slices of the text, so the lengths of what follows them tell where they are.
    let mut rest = text;
    for _ in 0..=6 {
        let word = rest.split_whitespace().next().unwrap_or_default();
        let at = text.len() - rest.trim_start().len();
        rest = &text[at + word.len()..];
        if word == "moves" {
            return (&text[..at], rest);
        }
    }
    (text, "")
}

/// Reads the position of a text that starts with the placement of the pieces.
fn position(text: &str) -> Result<(Position, Vec<TextNote>), TextError> {
    let plain = plain_fen(text);
    let (position, mut notes) = stated_position(text, &plain)?;
    if plain.split(' ').nth(2).is_none() {
        let mut builder = position.to_builder();
        builder.castling = builder.standard_castling();
        if builder.castling != CastlingRights::NONE
            && let Ok(board) = builder.build()
        {
            notes.push(TextNote::Castling(builder.castling));
            return Ok((Position::from_valid(board), notes));
        }
    }
    Ok((position, notes))
}

/// Reads the position with the castling rights that the text states. `plain` is its [`plain_fen`].
fn stated_position(text: &str, plain: &str) -> Result<(Position, Vec<TextNote>), TextError> {
    let original = Position::from_fen_lossy(text);
    if original.is_ok() || plain == text && plain.contains(' ') {
        return Ok(original?);
    }
    if plain.contains(' ') {
        return Ok(Position::from_fen_lossy(plain)?);
    }
    let with_side = |side| Position::from_fen_lossy(&format!("{plain} {side}")).map(|(position, _)| position);
    let (position, side) = match (with_side('w'), with_side('b')) {
        (Ok(position), _) => (position, Color::White),
        (_, Ok(position)) => (position, Color::Black),
        (Err(error), _) => return Err(error.into()),
    };
    Ok((position, [TextNote::SideToMove(side)].into()))
}

/// The FEN with single spaces for underscores and other white space, hyphens for dashes, and `w` or `b` as the side to move.
fn plain_fen(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let (fen, operations) = Epd::split(text);
    let is_separator = |c: char| c.is_whitespace() || c == '_';
    for (index, field) in fen.split(is_separator).filter(|field| !field.is_empty()).enumerate() {
        if index > 0 {
            plain.push(' ');
        }
        plain.push_str(match field {
            "–" | "—" | "−" => "-",
            _ if index == 1 && ["w", "white"].iter().any(|side| field.eq_ignore_ascii_case(side)) => "w",
            _ if index == 1 && ["b", "black"].iter().any(|side| field.eq_ignore_ascii_case(side)) => "b",
            _ => field,
        });
    }
    if !operations.is_empty() {
        plain.push(' ');
        plain.push_str(operations);
    }
    plain
}

/// Plays a list of moves in SAN or UCI notation, with or without numbers and a result, which is declared.
fn play(mut game: Game, moves: &str) -> Result<Game, TextError> {
    let separators = |c: char| c.is_whitespace() || c == ',' || c == ';';
    let mut number = 0;
    let mut result: Option<GameResult> = None;
    for word in moves.split(separators) {
        // A number may stand right before its move, as in `1.e4`.
        let text = word.trim_start_matches(|c: char| c.is_ascii_digit()).trim_start_matches(['.', '…']);
        let text = if is_move_number(&word[..word.len() - text.len()]) { text } else { word };
        if text.is_empty() {
            continue;
        }
        if result.is_some() {
            return Err(TextError::AfterResult(text.to_owned()));
        }
        // `0.5-0.5` does not begin with the number of a move.
        result = word.parse().or_else(|_| text.parse()).ok();
        if result.is_some() {
            continue;
        }
        number += 1;
        if text.parse::<UciMove>().is_ok() {
            let error = |error| TextError::Uci { number, text: text.to_owned(), error };
            game.play_uci(text).map_err(error)?;
        } else {
            let error = |error| TextError::San { number, text: text.to_owned(), error };
            game.play_san(text).map_err(error)?;
        }
    }
    game.declare_result(result.unwrap_or_default(), None);
    Ok(game)
}

/// Returns true for the number of a move with at least one dot, and for one with its move: `1.`, `1...` and `1.e4`.
fn is_move_number(text: &str) -> bool {
    let rest = text.trim_start_matches(|c: char| c.is_ascii_digit());
    rest.len() < text.len() && rest.starts_with(['.', '…'])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::outcome::{DrawReason, Outcome, WinReason};
    use alloc::string::ToString;
    use alloc::vec;

    const OPENING: &str = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2";
    const CASTLING: &str = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
    const MATED: &str = "8/8/8/5N2/8/5N2/5K1k/2B5 b - - 0 1";

    fn read(text: &str) -> (String, Vec<String>) {
        let (game, notes) = Game::from_text(text).unwrap_or_else(|error| panic!("{text}: {error}"));
        (game.position().to_string(), notes.iter().map(ToString::to_string).collect())
    }

    fn error(text: &str) -> String {
        Game::from_text(text).unwrap_err().to_string()
    }

    #[test]
    fn quotes_and_labels_are_ignored() {
        for (before, after) in [
            ("\"", "\""),
            ("\"", "\","),
            ("“", "”"),
            ("`", "` "),
            ("\"\u{feff}", "\""),
            ("FEN: ", ""),
            ("fen=\"", "\""),
            ("Fen ", "\r\n"),
            ("[FEN \"", "\"]"),
            ("position fen ", ""),
            ("epd: ", ""),
            ("", "\u{a0}"),
        ] {
            assert_eq!(read(&format!("{before}{OPENING}{after}")), (OPENING.to_owned(), vec![]), "{before}");
        }
    }

    #[test]
    fn fens_with_other_separators_and_words_are_read() {
        assert_eq!(read("8/8/8/5N2/8/5N2/5K1k/2B5_b_-_-_0_1").0, MATED);
        assert_eq!(read("8/8/8/5N2/8/5N2/5K1k/2B5\u{a0}b – – 0 1").0, MATED);
        assert_eq!(read("8/8/8/5N2/8/5N2/5K1k/2B5 Black - -").0, MATED);
        assert_eq!(read("4k3/8/8/8/8/8/8/4K3_W").0, "4k3/8/8/8/8/8/8/4K3 w - - 0 1");
    }

    #[test]
    fn links_are_read() {
        for link in [
            "https://lichess.org/analysis/8/8/8/5N2/8/5N2/5K1k/2B5_b_-_-_0_1",
            "https://lichess.org/analysis/standard/8/8/8/5N2/8/5N2/5K1k/2B5_b_-_-_0_1?color=black#4",
            "lichess.org/editor/8/8/8/5N2/8/5N2/5K1k/2B5%20b%20-%20-%200%201",
            "https://www.chess.com/analysis?fen=8/8/8/5N2/8/5N2/5K1k/2B5+b+-+-+0+1&flip=false",
            "https://lichess1.org/export/fen.gif?color=white&fen=8%2F8%2F8%2F5N2%2F8%2F5N2%2F5K1k%2F2B5%20b%20-%20-%200%201",
            "http://localhost:8080/#fen=8/8/8/5N2/8/5N2/5K1k/2B5_b_-_-_0_1",
            "chess.com/analysis?fen=8/8/8/5N2/8/5N2/5K1k/2B5+b+-+-+0+1",
            "localhost:8080/#fen=8/8/8/5N2/8/5N2/5K1k/2B5_b_-_-_0_1",
            "de.lichess.org/analysis/8/8/8/5N2/8/5N2/5K1k/2B5_b_-_-_0_1",
            "see <https://lichess.org/analysis/8/8/8/5N2/8/5N2/5K1k/2B5_b_-_-_0_1>",
        ] {
            assert_eq!(read(link).0, MATED, "{link}");
        }
        for link in ["https://example.org/1.html", "https://lichess.org/abcdefgh", "https://x.org/?fen=%zz"] {
            assert!(Game::from_text(link).is_err(), "{link}");
        }
        assert_eq!(Game::from_text("https://example.org/1.html").unwrap_err(), TextError::Link);
        for word in ["1.e8/Q", "1...exd8/N", "1/2-1/2", "4k3/8/8/8/8/8/8/4K3."] {
            assert!(!link::is_link(word), "{word}");
        }
    }

    #[test]
    fn operations_of_an_epd_are_ignored() {
        let operations = |text: &str| vec![format!("EPD operations after the FEN, {text:?}; ignored")];
        let placement = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq -";
        assert_eq!(
            read(&format!("{placement} bm O-O; id \"x\";")),
            (CASTLING.to_owned(), operations("bm O-O; id \"x\";"))
        );
        assert_eq!(read(&format!("{placement} bm O-O")), (CASTLING.to_owned(), operations("bm O-O")));
        assert!(error(&format!("{placement} x 1")).contains("half-move clock"));
    }

    #[test]
    fn uci_commands_are_played() {
        let castled = "r3k2r/8/8/8/8/8/8/R4RK1 b kq - 1 1";
        assert_eq!(read(&format!("position fen {CASTLING} moves e1g1")).0, castled);
        assert_eq!(read(&format!("{CASTLING} moves e1g1")).0, castled);
        let (game, _) = Game::from_text("position startpos moves e2e4 e7e5").unwrap();
        assert_eq!(game.moves().len(), 2);
        assert_eq!(Game::from_text("startpos").unwrap().0.moves().len(), 0);
    }

    #[test]
    fn placement_alone_gets_a_side_to_move_and_castling_rights() {
        let note = |side| vec![format!("the side to move is missing; {side} is to move")];
        let castling = |rights| format!("the castling rights are missing; they are {rights}");
        assert_eq!(
            read("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR"),
            (Position::startpos().to_string(), [note("white"), vec![castling("KQkq")]].concat())
        );
        assert_eq!(
            read("r3k1r1/8/8/8/8/8/8/4K2R_b"),
            ("r3k1r1/8/8/8/8/8/8/4K2R b Kq - 0 1".to_owned(), vec![castling("Kq")])
        );
        assert_eq!(
            read("r3k2r/8/8/8/8/8/8/R3K2R w moves e1g1"),
            ("r3k2r/8/8/8/8/8/8/R4RK1 b kq - 1 1".to_owned(), vec![castling("KQkq")])
        );
        // Castling rights that the text states are kept.
        let text = "r3k2r/8/8/8/8/8/8/R3K2R w -";
        assert_eq!(read(text), (format!("{text} - 0 1"), vec![]));
        assert_eq!(
            read("4k3/8/8/8/8/8/8/4R1K1"),
            ("4k3/8/8/8/8/8/8/4R1K1 b - - 0 1".to_owned(), note("black"))
        );
        assert!(error("4k3/8/8/8/8/8/8/8").contains("no king"));
    }

    #[test]
    fn moves_are_played_with_and_without_numbers() {
        let moves = |text| {
            Game::from_text(text).unwrap().0.san_moves().map(|san| san.to_string()).collect::<Vec<_>>()
        };
        assert_eq!(moves("e4 e5 Nf3 Nc6"), ["e4", "e5", "Nf3", "Nc6"]);
        assert_eq!(moves("e2e4 e7e5 g1f3"), ["e4", "e5", "Nf3"]);
        assert_eq!(moves("\"1.e4 e5 2. Nf3 Nc6 1-0\""), ["e4", "e5", "Nf3", "Nc6"]);
        assert_eq!(moves("1. e4, e5, 2... Nf3"), ["e4", "e5", "Nf3"]);
        assert_eq!(moves("e4"), ["e4"]);
    }

    #[test]
    fn results_are_declared_and_end_the_game() {
        let game = |text: &str| Game::from_text(text).unwrap_or_else(|error| panic!("{text}: {error}")).0;
        let white_wins = Outcome::Win { winner: Color::White, reason: WinReason::Resignation };
        for text in ["1. f4 e5 2. fxe5 1-0", "f2f4 e7e5 f4e5 1:0", "\"1. f4 e5 2. fxe5, 1-0\""] {
            let game = game(text);
            assert_eq!((game.moves().len(), game.outcome()), (3, Some(white_wins)), "{text}");
        }
        for text in [
            "e4 e5 1/2",
            "e4 e5 1/2-1/2",
            "e4 e5 ½-½",
            "1.e4 e5 0.5-0.5",
            "position startpos moves e2e4 e7e5 1/2-1/2",
        ] {
            let agreed = Outcome::Draw { reason: DrawReason::Agreement };
            assert_eq!(game(text).outcome(), Some(agreed), "{text}");
        }
        assert_eq!(game("e4 e5 *").outcome(), None);
        assert!(
            game("f3 e5 g4 Qh4# 0-1").outcome().is_some_and(|outcome| outcome.winner() == Some(Color::Black))
        );
        assert_eq!(game("e4 e5 Nf3 Nf6 Bc4 Bc5 0-0 0-0").moves().len(), 8);

        for text in ["1. e4 e5 1-0\n\n1. d4 d5 0-1", "1. e4 e5 1-0 d4", "1. e4 * 1... d4"] {
            assert_eq!(
                error(text),
                "\"d4\" after the result (expected one game; a text of several is read as PGN)",
                "{text}"
            );
        }
    }

    #[test]
    fn errors_say_what_is_wrong() {
        for text in ["", "nonsense", "hello world", "\"\"", "["] {
            assert!(error(text).starts_with("neither a position nor moves"), "{text}");
        }
        assert!(
            error("FEN: 4k3/8/8/9/8/8/8/4K3 w - - 0 1").starts_with("invalid FEN, piece placement, byte 8: ")
        );
        assert_eq!(error("e4 e5 Ke3"), "move 3, \"Ke3\": no legal move fits");
        assert_eq!(error("e2e4 e2e4"), "move 2, \"e2e4\": there is no piece on e2");
        assert!(error("e4 is a good move").starts_with("move 2, \"is\": not a move: "));
    }

    #[test]
    fn arbitrary_text_is_an_error_or_a_game() {
        let mut random = tabiya_core::SplitMix64::new(5);
        let alphabet: Vec<char> = "/8pkKRw-_ \"'[]:%=?#&\u{a0}é–.1eN4fen moves".chars().collect();
        for _ in 0..5_000 {
            let length = random.below(60);
            let text: String = (0..length).map(|_| alphabet[random.below(alphabet.len())]).collect();
            drop(Game::from_text(&text));
            drop(Game::from_text(&format!("https://{text}")));
        }
    }
}
