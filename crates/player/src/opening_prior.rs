//! The openings that people play.

use tabiya_core::Move;
use tabiya_movegen::{Game, GameCounts, Position};

/// Positions that people reach often, as `examples/opening_table.rs` writes them.
static POPULAR_POSITIONS: &[u8] = include_bytes!("popular_positions.bin");
/// Number of bytes of a position: the upper half of its key, and its popularity. With a `PackedBoard` instead of a key, the table would be
/// five times as large; a position mistaken for another one only makes a move a little more popular.
const POSITION_RECORD: usize = 5;
/// Results of the games in which people reached some of these positions, by the same example.
static RESULTS: &[u8] = include_bytes!("popular_results.bin");
/// Number of bytes of a position's results: the upper half of its key, and the numbers of White's wins, draws and Black's wins.
const RESULTS_RECORD: usize = 10;
/// The popularity doubles with each so many units.
const UNITS_PER_DOUBLING: f64 = 8.0;
/// The last ply of the opening. Later positions of the table are reached by transposition only.
const MAX_PLY: usize = 20;

/// Returns the share that each move has among the moves that people play in an opening position, from 0 to 1. Empty if the position is
/// not in the table of positions that people reach often, or after ply 20.
///
/// ```
/// use tabiya_movegen::Game;
/// use tabiya_player::popular_moves;
///
/// let moves = popular_moves(&Game::new());
/// let (mv, _) = moves.iter().max_by(|a, b| a.1.total_cmp(&b.1)).expect("the initial position is known");
/// assert_eq!(mv.to_uci(false).to_string(), "e2e4");
/// ```
pub fn popular_moves(game: &Game) -> Vec<(Move, f64)> {
    let position = game.position();
    // Moves of another position may transpose to popular ones, but those that refute a mistake do not.
    let is_known = || *position == Position::default() || popularity(position).is_some();
    if game.moves().len() > MAX_PLY || !is_known() {
        return Vec::new();
    }
    let mut moves: Vec<(Move, f64)> = position
        .legal_moves()
        .into_iter()
        .filter_map(|mv| Some((mv, popularity(&position.play(mv).ok()?)?)))
        .collect();
    let sum: f64 = moves.iter().map(|&(_, popularity)| popularity).sum();
    moves.iter_mut().for_each(|(_, popularity)| *popularity /= sum);
    moves
}

/// Returns the results of the games in which people reached a position, or `None` if no game of the table reached it.
///
/// The table has 438 games of the Lichess database, up to ply 21, so rare positions have few games or none.
///
/// ```
/// use tabiya_movegen::Game;
/// use tabiya_player::popular_results;
///
/// let results = popular_results("1. e4 c5".parse::<Game>()?.position()).expect("people play the Sicilian Defence");
/// assert_eq!(results.white_wins + results.draws + results.black_wins, results.total());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn popular_results(position: &Position) -> Option<GameCounts> {
    let &[_, _, _, _, w0, w1, d0, d1, b0, b1] = find::<RESULTS_RECORD>(RESULTS, position)?;
    let count = |bytes| u16::from_le_bytes(bytes).into();
    Some(GameCounts {
        white_wins: count([w0, w1]),
        draws: count([d0, d1]),
        black_wins: count([b0, b1]),
        unknown: 0,
    })
}

/// Returns a number proportional to the popularity of a position.
fn popularity(position: &Position) -> Option<f64> {
    let &[_, _, _, _, popularity] = find::<POSITION_RECORD>(POPULAR_POSITIONS, position)?;
    Some((f64::from(popularity) / UNITS_PER_DOUBLING).exp2())
}

/// Returns the record of a position in a table sorted by the upper half of the key, with which each record begins.
fn find<const RECORD: usize>(table: &'static [u8], position: &Position) -> Option<&'static [u8; RECORD]> {
    let (records, _) = table.as_chunks();
    let key = |record: &[u8; RECORD]| record.first_chunk().copied().map(u32::from_le_bytes);
    let index = records.binary_search_by_key(&Some((position.key() >> 32) as u32), key).ok()?;
    records.get(index)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn after(moves: &str) -> Position {
        let mut game = Game::new();
        for mv in moves.split_whitespace() {
            game.play_uci(mv).expect("a legal move");
        }
        game.position().clone()
    }

    fn share(moves: &[&str], mv: &str) -> f64 {
        let mut game = Game::new();
        for mv in moves {
            game.play_uci(mv).expect("a legal move");
        }
        let found = popular_moves(&game).into_iter().find(|(m, _)| m.to_uci(false).to_string() == mv);
        found.map_or(0.0, |(_, share)| share)
    }

    #[test]
    fn people_begin_with_central_moves() {
        assert!(share(&[], "e2e4") > 0.4 && share(&[], "d2d4") > 0.15);
        assert!(["a2a3", "b1a3", "g1h3", "g2g4"].iter().map(|mv| share(&[], mv)).sum::<f64>() < 0.05);
        assert!(share(&["e2e4", "e7e5"], "g1f3") > 0.4);
        assert!(share(&["e2e4", "e7e5", "g1f3", "b8c6", "f1b5"], "a7a6") > 0.2);
    }

    #[test]
    fn unknown_positions_have_no_shares() {
        let position = "4k3/8/8/8/8/8/8/4K2R w K - 0 1".parse().expect("a position");
        assert!(popular_moves(&Game::from_position(position)).is_empty());
    }

    /// 1. e4 e6 2. Nf3 d5 3. Bc4 is a mistake, and 3... c5 or 3... c6 would lead to positions that people reach.
    #[test]
    fn mistakes_that_people_do_not_make_have_no_shares() {
        for moves in
            ["e2e4 e7e6 g1f3 d7d5 f1c4", "e2e4 c7c5 g1f3 b8c6 d2d4 c5d4 d1d4", "d2d4 g8f6 c1g5 h7h6 b1c3"]
        {
            let mut game = Game::new();
            moves.split_whitespace().for_each(|mv| game.play_uci(mv).map(drop).expect("a legal move"));
            assert_eq!(popular_moves(&game), [], "{moves}");
        }
    }

    #[test]
    fn both_sides_score_after_the_usual_first_moves() {
        for moves in ["e2e4", "d2d4", "e2e4 e7e5", "e2e4 c7c5"] {
            let results = popular_results(&after(moves)).expect("a usual opening");
            assert!(results.total() >= 20 && results.unknown == 0, "{moves}: {results:?}");
            let score = results.white_score().expect("finished games");
            assert!((0.3..0.7).contains(&score), "{moves}: {score}");
        }
        assert!(
            popular_results(&after("e2e4")).map(GameCounts::total)
                > popular_results(&after("d2d4")).map(GameCounts::total)
        );
    }

    #[test]
    fn transpositions_have_the_same_results() {
        let results = popular_results(&after("d2d4 g8f6 c2c4")).expect("a usual opening");
        assert_eq!(popular_results(&after("c2c4 g8f6 d2d4")), Some(results));
        assert_eq!(popular_results(&after("a2a4 h7h5 a1a3")), None);
    }

    #[test]
    fn each_result_is_one_of_a_popular_position() {
        let key = |record: &[u8]| record.first_chunk().copied().map(u32::from_le_bytes);
        let popular: Vec<_> = POPULAR_POSITIONS.chunks(POSITION_RECORD).map(key).collect();
        let results: Vec<_> = RESULTS.chunks(RESULTS_RECORD).map(key).collect();
        assert!(popular.is_sorted() && results.is_sorted_by(|one, next| one < next));
        assert!(results.iter().all(|key| key.is_some() && popular.binary_search(key).is_ok()));
        assert!(
            RESULTS
                .chunks(RESULTS_RECORD)
                .all(|record| record.len() == RESULTS_RECORD && record[4..].iter().any(|&byte| byte > 0))
        );
    }
}
