//! Scores that engines report, as scores of the search.

use tabiya_search::Score;
use tabiya_uci_engine::InfoScore;

/// Returns the score of a search that stands for what an engine reported.
pub fn score(reported: InfoScore) -> Score {
    match reported {
        InfoScore::Centipawns(value) => Score::Centipawns(value),
        InfoScore::Mate(moves) => Score::Mate(moves),
    }
}
