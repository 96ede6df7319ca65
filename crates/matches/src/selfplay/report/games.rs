//! The games of a match as a page with a board.

use crate::selfplay::run_folder::{GAMES_PAGE, RunFolder};
use crate::selfplay::summary::Summary;
use anyhow::{Context, Result};
use std::path::PathBuf;
use tabiya_book::Opening;
use tabiya_core::notation::PgnReader;
use tabiya_lab_common::engine_score;
use tabiya_lab_common::pgn_comment::parse_comment;
use tabiya_movegen::{GameNode, GameTree, GameTreeBuilder};
use tabiya_review::report::{Heading, HtmlReport, ReportGame};
use tabiya_search::Score;

/// Writes the page. Games after the first 64 MiB of its data are left out, and the page says how many.
///
/// # Errors
/// If the games cannot be read or the page cannot be written.
pub(super) fn write(run_folder: &RunFolder, summary: &Summary) -> Result<PathBuf> {
    // The page begins with "Analysis by".
    let heading = Heading::new(summary.title(), "the players", "with the scores that they reported");
    let mut page = HtmlReport::new(Vec::new(), &heading)?;
    let mut reader = PgnReader::new(run_folder.games()?);
    let mut builder = GameTreeBuilder::new();
    let mut number = 0;
    while let Some(game) = reader.read_game(&mut builder).context("cannot read the games")? {
        number += 1;
        // The runner wrote the games, so only one that a person has edited is damaged.
        if let Ok(tree) = game {
            page.add(&report_game(number, &tree))?;
        }
    }
    run_folder.write(GAMES_PAGE, &page.finish()?)
}

/// The data of a game. The page finds games by the texts of their tags, so the opening and the ending are tags, too.
fn report_game(number: u64, tree: &GameTree) -> ReportGame {
    let mut game = ReportGame::from_scores(number, tree, score);
    // The page shows the scores by itself.
    for node in &mut game.nodes {
        node.comments.retain(|comment| comment != "book" && parse_comment(comment.as_bytes()).is_none());
    }
    let tag = |name: &str, value: String| (name.to_owned(), value);
    if let Some(Opening { eco, name, .. }) = tree.game().as_ref().and_then(Opening::of) {
        game.tags.push(tag("ECO", eco.to_owned()));
        game.tags.push(tag("Opening", name.to_owned()));
    }
    if let Some(ending) = tree.mainline().last().and_then(|last| last.comments().last()) {
        game.tags.push(tag("Ending", ending.trim().to_owned()));
    }
    game
}

fn score(node: GameNode<'_>) -> Option<(Score, Option<u32>)> {
    let (score, depth) = parse_comment(node.comments().first()?.as_bytes())?;
    Some((engine_score::score(score), depth))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_have_scores_opening_and_ending() {
        let pgn = "[White \"new\"]\n[Black \"base\"]\n\n1. e4 {book} c5 {book} 2. Nf3 {+0.31/12 0.053s n=5021} \
                   d6 {-M10/9} {win adjudicated} 1-0";
        let game = report_game(4, &pgn.parse().unwrap());
        assert_eq!((game.number, game.tag("ECO"), game.tag("Ending")), (4, "B50", "win adjudicated"));
        assert!(game.tag("Opening").starts_with("Sicilian Defense"));
        assert_eq!(game.nodes[2].eval, None);
        assert_eq!(game.nodes[3].eval.and_then(|eval| eval.cp), Some(31));
        assert_eq!(game.nodes[4].comments, ["win adjudicated"]);
        assert_eq!(game.nodes[4].eval.and_then(|eval| eval.mate), Some(5));
    }
}
