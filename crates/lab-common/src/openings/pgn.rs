use super::Opening;
use anyhow::{Context, Result};
use tabiya_core::notation::{Next, PgnError, PgnReader, PgnVisitor, SanToken, TagToken};
use tabiya_movegen::{Game, Position};

/// Reads the openings of a PGN text, at most `plies` plies each, and the errors of unusable games. What cannot be understood
/// is skipped with a message, but an illegal move or start position makes a game unusable: a match must not use another
/// opening than the book has.
pub(super) fn read(bytes: &[u8], plies: usize) -> Result<(Vec<Opening>, Vec<String>)> {
    let mut reader = PgnReader::new(bytes);
    let mut collector = Collector { plies, number: 0, game: Game::new(), error: None };
    let mut openings = Vec::new();
    let mut errors = Vec::new();
    while let Some(result) = reader.read_game(&mut collector).context("cannot read the PGN text")? {
        match result {
            Ok(opening) => openings.push(opening),
            Err(error) => errors.push(format!("game {}: {error}", collector.number)),
        }
    }
    Ok((openings, errors))
}

/// Replays the moves of one game at a time.
struct Collector {
    plies: usize,
    number: u64,
    game: Game,
    error: Option<String>,
}

impl Collector {
    fn fail(&mut self, error: String) -> Next {
        self.error = Some(error);
        Next::Skip
    }
}

impl PgnVisitor for Collector {
    type Output = Result<Opening, String>;

    fn begin_game(&mut self) {
        self.number += 1;
        self.game = Game::new();
        self.error = None;
    }

    fn tag(&mut self, tag: TagToken<'_>) -> Next {
        if tag.name() != "FEN" {
            return Next::Read;
        }
        match Position::from_fen(&tag.value()) {
            Ok(position) => {
                self.game = Game::from_position(position);
                Next::Read
            }
            Err(error) => self.fail(format!("its FEN tag: {error}")),
        }
    }

    fn san(&mut self, san: SanToken<'_>) -> Next {
        if self.game.moves().len() == self.plies {
            return Next::Skip;
        }
        let text = san.to_string();
        match self.game.position().parse_san(&text) {
            Ok(mv) => match self.game.play(mv) {
                Ok(()) => Next::Read,
                Err(error) => self.fail(format!("move {text:?}: {error}")),
            },
            Err(error) => self.fail(format!("move {text:?}, {}: {error}", san.location())),
        }
    }

    fn error(&mut self, error: PgnError) -> Next {
        eprintln!("game {}: {error}", self.number);
        Next::Read
    }

    fn end_game(&mut self) -> Result<Opening, String> {
        match self.error.take() {
            Some(error) => Err(error),
            None => Opening::new(std::mem::take(&mut self.game)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn takes_moves_up_to_the_limit() {
        let text = "[Event \"a\"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bb5 *\n\n\
                    [FEN \"4k3/8/8/8/8/8/8/4K2R w K - 0 1\"]\n[SetUp \"1\"]\n\n1. O-O Ke7 1-0\n";
        let (openings, errors) = read(text.as_bytes(), 4).unwrap();
        assert!(errors.is_empty(), "{errors:?}");
        let games: Vec<Game> = openings.iter().map(|opening| opening.game().unwrap()).collect();
        assert_eq!(games.iter().map(|game| game.moves().len()).collect::<Vec<_>>(), [4, 2]);
        assert_eq!(
            games[0].position().to_string(),
            "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3"
        );
    }

    #[test]
    fn illegal_games_are_reported() {
        let text =
            "1. e4 TN e5!!! *\n\n[FEN \"8/8/8/8/8/8/8/8 w - - 0 1\"]\n\n*\n\n[Event \"c\"]\n\n1. e4 Ke4 *\n";
        let (openings, errors) = read(text.as_bytes(), 16).unwrap();
        assert_eq!((openings.len(), errors.len()), (1, 2));
        assert!(errors[0].starts_with("game 2: its FEN tag: illegal position"), "{errors:?}");
        assert!(errors[1].starts_with("game 3: move \"Ke4\""), "{errors:?}");
    }
}
