//! The moves that people play in an opening position, and the move with which a game leaves the openings that people know.

use crate::position::{LegalMove, legal_move};
use serde::Serialize;
use tabiya_book::Opening;
use tabiya_movegen::{Game, GameCounts};
use tabiya_player::{popular_moves, popular_results};

/// Maximum number of usual moves that are named beside the move that leaves the book.
const USUAL_MOVES: usize = 3;

/// The reply to `openings`.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct OpeningsReply {
    /// The moves that people play in the position, the most popular first; empty if the position is not in the table.
    pub moves: Vec<PopularMove>,
    /// The first move of the game that leaves the table.
    pub exit: Option<BookExit>,
}

/// A move that people play.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PopularMove {
    /// The move.
    #[serde(flatten)]
    pub mv: LegalMove,
    /// Its share among the moves of the table, from 0 to 1.
    pub share: f64,
    /// The opening that the game has reached after the move.
    pub opening: Option<Opening>,
    /// The results of people's games with the position after the move; none if the table has no such game.
    pub results: Option<PopularResults>,
}

/// The results of games.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct PopularResults {
    /// The number of games.
    pub games: u32,
    /// White's expected score, from 0 to 1.
    pub score: f64,
    /// The fraction of games that White has won.
    pub white: f64,
    /// The fraction of drawn games.
    pub draws: f64,
    /// The fraction of games that Black has won.
    pub black: f64,
}

impl PopularResults {
    fn of(counts: GameCounts) -> Option<PopularResults> {
        let games = counts.total();
        let fraction = |count: u32| f64::from(count) / f64::from(games);
        Some(PopularResults {
            games,
            score: counts.white_score()?,
            white: fraction(counts.white_wins),
            draws: fraction(counts.draws),
            black: fraction(counts.black_wins),
        })
    }
}

/// The move with which a game leaves the table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct BookExit {
    /// The number of the ply, from 1.
    pub ply: usize,
    /// The most popular moves instead, in SAN.
    pub usual: Vec<String>,
}

/// Answers for the position at the end of a game.
pub(crate) fn view(game: &Game) -> OpeningsReply {
    OpeningsReply { moves: moves(game), exit: exit(game) }
}

fn moves(game: &Game) -> Vec<PopularMove> {
    let mut moves: Vec<_> = popular_moves(game)
        .into_iter()
        .filter_map(|(mv, share)| {
            let mut next = game.clone();
            next.play(mv).ok()?;
            Some(PopularMove {
                mv: legal_move(game.position(), mv),
                share,
                opening: Opening::of(&next),
                results: popular_results(next.position()).and_then(PopularResults::of),
            })
        })
        .collect();
    moves.sort_by(|a, b| b.share.total_cmp(&a.share));
    moves
}

fn exit(game: &Game) -> Option<BookExit> {
    let mut before = Game::from_position(game.start().clone());
    for (index, &mv) in game.moves().iter().enumerate() {
        let popular = moves(&before);
        if popular.is_empty() {
            return None;
        }
        let played = legal_move(before.position(), mv);
        if !popular.iter().any(|popular| popular.mv == played) {
            let usual = popular.into_iter().take(USUAL_MOVES).map(|popular| popular.mv.san).collect();
            return Some(BookExit { ply: index + 1, usual });
        }
        before.play(mv).ok()?;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(moves: &str) -> OpeningsReply {
        let mut game = Game::new();
        for mv in moves.split_whitespace() {
            game.play_san(mv).unwrap();
        }
        view(&game)
    }

    #[test]
    fn popular_moves_come_first_with_their_openings() {
        let reply = of("e4 e5");
        assert_eq!(reply.moves[0].mv.san, "Nf3");
        assert!(reply.moves.windows(2).all(|pair| pair[0].share >= pair[1].share));
        assert!((reply.moves.iter().map(|mv| mv.share).sum::<f64>() - 1.0).abs() < 1e-9);
        let bishop = reply.moves.iter().find(|mv| mv.mv.san == "Bc4").unwrap();
        assert_eq!(bishop.opening.unwrap().name, "Bishop's Opening");
        assert_eq!(reply.exit, None);
    }

    #[test]
    fn popular_moves_have_the_results_of_their_games() {
        let reply = of("");
        let pawn = reply.moves.iter().find(|mv| mv.mv.san == "e4").and_then(|mv| mv.results).unwrap();
        assert!(pawn.games > 100 && (0.4..0.6).contains(&pawn.score), "{pawn:?}");
        for results in [of(""), of("e4 c5"), of("d4 d5 c4")]
            .iter()
            .flat_map(|reply| &reply.moves)
            .filter_map(|mv| mv.results)
        {
            assert!((results.white + results.draws + results.black - 1.0).abs() < 1e-9, "{results:?}");
            assert!((results.white + results.draws / 2.0 - results.score).abs() < 1e-9, "{results:?}");
        }
        // Some popular positions are in none of the games.
        let replies = [of("e4 c5 Nf3 d6 d4 cxd4 Nxd4 Nf6 Nc3 a6"), of("d4 Nf6 c4 g6 Nc3 Bg7 e4 d6")];
        assert!(replies.iter().flat_map(|reply| &reply.moves).any(|mv| mv.results.is_none()));
    }

    #[test]
    fn the_first_unusual_move_leaves_the_book() {
        let exit = of("e4 e5 Nf3 h5 Bc4 a5").exit.unwrap();
        assert_eq!((exit.ply, exit.usual[0].as_str()), (4, "Nc6"));
        assert!(of("e4 e5 Nf3 h5").moves.is_empty());
    }

    #[test]
    fn positions_that_nobody_knows_have_no_book_to_leave() {
        let mut game = Game::from_fen("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1").unwrap();
        game.play_san("e4").unwrap();
        assert_eq!(view(&game), OpeningsReply::default());
    }
}
