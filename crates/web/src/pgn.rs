//! Games as PGN texts: reading them for the page and writing the page's games.

use crate::position::GameLine;
use serde::{Deserialize, Serialize};
use std::fmt;
use tabiya_core::notation::{Broken, GameResult, Nag, Next, NodeId, PgnReader, annotations};
use tabiya_core::{FenError, Move};
use tabiya_movegen::{
    BrokenGameTree, Game, GameTree, GameTreeBuilder, GameVisitor, Position, Replay, ReplayError,
    ResolveUciError, TextError,
};
use tabiya_review::GameReview;
use tabiya_review::report::{Eval, ReportGame};

/// Maximum number of games in a list.
const MAX_GAMES: usize = 2000;

/// A game in a list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct GameSummary {
    /// The players' names, White first; empty if unknown.
    pub players: [String; 2],
    /// The event.
    pub event: String,
    /// The date, as the PGN writes it.
    pub date: String,
    /// The result.
    pub result: String,
    /// The number of plies of the main line.
    pub plies: usize,
    /// The game alone, as PGN.
    pub pgn: String,
    /// The first error if not all of the game could be read, with the number of the others.
    pub error: Option<String>,
}

/// A game of the page, to be written as PGN.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub struct SavedGame {
    /// The tags, with their names.
    pub tags: Vec<(String, String)>,
    /// The start position as a FEN; absent for the initial position.
    pub start: Option<String>,
    /// The result: `1-0`, `0-1`, `1/2-1/2` or `*`.
    pub result: String,
    /// The start position, then the moves, each after its parent, the main continuation of a position first.
    pub nodes: Vec<SavedNode>,
}

/// A move of a [`SavedGame`].
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub struct SavedNode {
    /// Index of the node before. If absent, it is the preceding one.
    pub parent: Option<usize>,
    /// The move in UCI notation; empty for a null move. Unused for the start position.
    pub uci: String,
    /// Glyphs (NAGs).
    pub nags: Vec<u8>,
    /// Comments before the move.
    pub before: Vec<String>,
    /// Comments after the move.
    pub comments: Vec<String>,
    /// Commands for a comment, such as `[%clk 0:05:00]`.
    pub commands: Vec<String>,
    /// The evaluation of the position after the move.
    pub eval: Option<Eval>,
}

/// A reason why a [`SavedGame`] cannot be written.
#[derive(Debug)]
pub(crate) enum SaveError {
    Start(FenError),
    Parent { node: usize },
    Move { node: usize, error: ResolveUciError },
    NullMove { node: usize },
}

impl fmt::Display for SaveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SaveError::Start(error) => error.fmt(f),
            SaveError::Parent { node } => write!(f, "node {node} comes before its parent"),
            SaveError::Move { node, error } => write!(f, "node {node}: {error}"),
            SaveError::NullMove { node } => write!(f, "node {node}: a null move is illegal in check"),
        }
    }
}

impl std::error::Error for SaveError {}

impl SavedGame {
    /// The game as a tree, which can be written as PGN.
    pub(crate) fn to_tree(&self) -> Result<GameTree, SaveError> {
        let start = match &self.start {
            None => Position::startpos(),
            Some(fen) => Position::from_fen(fen).map_err(SaveError::Start)?,
        };
        let mut tree = GameTree::from_position(start);
        for (name, value) in &self.tags {
            if name != "Result" {
                // The tags of the start position are set already, and a name that cannot be written is left out.
                tree.set_tag(name, value).ok();
            }
        }
        let mut ids = vec![NodeId::ROOT];
        for (index, node) in self.nodes.iter().enumerate() {
            if index > 0 {
                let parent = node.parent.unwrap_or(index - 1);
                let parent = *ids.get(parent).ok_or(SaveError::Parent { node: index })?;
                ids.push(add_move(&mut tree, parent, &node.uci, index)?);
            }
            let id = ids[index];
            tree.nags_mut(id).extend(node.nags.iter().map(|&nag| Nag(nag)));
            let is_text = |text: &&String| !text.trim().is_empty();
            tree.comments_before_mut(id).extend(node.before.iter().filter(is_text).cloned());
            tree.comments_mut(id).extend(node.commands());
            tree.comments_mut(id).extend(node.comments.iter().filter(is_text).cloned());
        }
        tree.set_result(match self.result.as_str() {
            "1-0" => GameResult::WhiteWins,
            "0-1" => GameResult::BlackWins,
            "1/2-1/2" => GameResult::Draw,
            _ => GameResult::Unknown,
        });
        Ok(tree)
    }
}

/// Adds the move of the node with this index.
fn add_move(tree: &mut GameTree, parent: NodeId, uci: &str, index: usize) -> Result<NodeId, SaveError> {
    if uci.is_empty() {
        return tree.play_san(parent, "--").map_err(|_| SaveError::NullMove { node: index });
    }
    let position = tree.node(parent).ok_or(SaveError::Parent { node: index })?.position().clone();
    let mv = position.parse_uci(uci).map_err(|error| SaveError::Move { node: index, error })?;
    // Legal, because it was resolved in this position.
    tree.play(parent, mv).map_err(|_| SaveError::Parent { node: index })
}

impl SavedNode {
    /// The comment with the commands, if there are any. Text that is not a command is left out.
    fn commands(&self) -> Option<String> {
        let commands = self.commands.iter().flat_map(|text| annotations(text)).map(|found| found.to_string());
        let all: Vec<String> = self
            .eval
            .and_then(|eval| eval.to_pgn())
            .map(|eval| eval.to_string())
            .into_iter()
            .chain(commands)
            .collect();
        (!all.is_empty()).then(|| all.join(" "))
    }
}

/// Lists the games of a text, and counts those that are too many for a list.
pub(crate) fn open(text: &str) -> (Vec<GameSummary>, usize) {
    let mut reader = PgnReader::new(text.as_bytes());
    let mut builder = GameTreeBuilder::new();
    let mut games = Vec::new();
    while games.len() < MAX_GAMES {
        // Reading from memory does not fail.
        let Ok(Some(game)) = reader.read_game(&mut builder) else { return (games, 0) };
        games.push(summary(game));
    }
    let mut omitted = 0;
    while matches!(reader.skip_game(), Ok(true)) {
        omitted += 1;
    }
    (games, omitted)
}

fn summary(game: Result<GameTree, BrokenGameTree>) -> GameSummary {
    let (tree, error) = valid_part(game);
    let tag = |name| match tree.tag(name) {
        Some(value) if !value.chars().all(|c| "?.".contains(c)) => value.to_owned(),
        _ => String::new(),
    };
    GameSummary {
        players: [tag("White"), tag("Black")],
        event: tag("Event"),
        date: tag("Date"),
        result: tree.result().to_string(),
        plies: tree.mainline().count(),
        pgn: tree.to_string(),
        error,
    }
}

/// The part of the game that could be read, and the first error with the number of the others.
fn valid_part(game: Result<GameTree, BrokenGameTree>) -> (GameTree, Option<String>) {
    let (tree, errors) = Broken::split(game);
    let message = errors.first().map(|first| match errors.len() - 1 {
        0 => first.to_string(),
        others => format!("{first} (and {others} more)"),
    });
    (tree, message)
}

/// The part of the first game of a text that could be read, and the error if that is not all.
pub(crate) fn game(text: &str) -> (ReportGame, Option<String>) {
    let (tree, error) = valid_part(text.parse());
    (unreviewed(&tree), error)
}

/// The first moves of the first game of a text, up to the first that cannot be played.
pub(crate) fn first_moves(text: &str, plies: usize) -> GameLine {
    let mut replay = Replay::new(FirstMoves { line: GameLine::default(), plies });
    // Reading from memory does not fail.
    let _ = PgnReader::new(text.as_bytes()).read_game(&mut replay);
    replay.into_inner().line
}

/// Collects the first moves of a game.
struct FirstMoves {
    line: GameLine,
    plies: usize,
}

impl GameVisitor for FirstMoves {
    type Output = ();

    fn start(&mut self, position: &Position) -> Next {
        self.line.start = Some(position.to_string());
        Next::Read
    }

    fn play(&mut self, _position: &Position, mv: Move) -> Next {
        if self.line.moves.len() == self.plies {
            return Next::Skip;
        }
        self.line.moves.push(mv.to_uci(true).to_string());
        Next::Read
    }

    fn error(&mut self, _error: ReplayError) -> Next {
        Next::Read
    }

    fn end_game(&mut self, _last: &Position) {}
}

/// The position or the moves of a text as people copy it.
pub(crate) fn read(text: &str) -> Result<ReportGame, TextError> {
    let (game, _) = Game::from_text(text)?;
    Ok(unreviewed(&GameTree::from(&game)))
}

fn unreviewed(tree: &GameTree) -> ReportGame {
    ReportGame::new(1, tree, &GameReview { positions: Vec::new(), moves: Vec::new() })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn saved(json: serde_json::Value) -> Result<String, String> {
        let tree = serde_json::from_value::<SavedGame>(json).unwrap().to_tree();
        tree.map(|tree| tree.to_string()).map_err(|error| error.to_string())
    }

    #[test]
    fn keeps_commands_evaluations_null_moves_and_comments_before_moves() {
        let text = "1. e4 { [%eval 0.17,20] [%clk 0:05:00] } { [%cal Ge2e4] good } 1... -- 2. d4 ( { before } 2. Nf3 ) *";
        let (page, _) = game(text);
        assert_eq!(page.nodes[1].commands, ["[%clk 0:05:00]", "[%cal Ge2e4]"]);
        let pgn = saved(serde_json::to_value(&page).unwrap()).unwrap();
        let again = game(&pgn).0;
        assert_eq!(again.nodes, page.nodes, "{pgn}");
        let pgn = saved(
            serde_json::json!({"nodes": [{}, {"uci": "e2e4", "commands": ["no command", "[%clk 0:01:00]"]}]}),
        );
        assert!(pgn.unwrap().contains("{ [%clk 0:01:00] }"));
    }

    #[test]
    fn saves_variations_comments_and_glyphs() {
        let pgn = saved(serde_json::json!({
            "tags": [["White", "A \"B\""], ["FEN", "ignored"], ["bad name", "x"]],
            "result": "0-1",
            "nodes": [
                {"comments": ["Start", " "]},
                {"uci": "e2e4", "nags": [1]},
                {"uci": "e7e5"},
                {"parent": 1, "uci": "c7c5", "comments": ["}"]},
            ],
        }))
        .unwrap();
        assert!(
            pgn.contains(r#"[White "A \"B\""]"#) && !pgn.contains("ignored") && !pgn.contains("bad"),
            "{pgn}"
        );
        let tree: GameTree = pgn.parse().unwrap();
        assert_eq!(tree.nodes().count(), 4);
        assert_eq!(
            tree.mainline().map(|node| node.san().unwrap().to_string()).collect::<Vec<_>>(),
            ["e4", "e5"]
        );
        assert_eq!(
            (tree.root().comments(), tree.result()),
            (&["Start".to_owned()][..], GameResult::BlackWins)
        );
    }

    #[test]
    fn saving_rejects_broken_trees() {
        let error = |nodes| saved(serde_json::json!({ "nodes": nodes })).unwrap_err();
        assert_eq!(
            error(serde_json::json!([{}, {"parent": 5, "uci": "e2e4"}])),
            "node 1 comes before its parent"
        );
        assert!(error(serde_json::json!([{}, {"uci": "e2e5"}])).starts_with("node 1: "));
        assert!(saved(serde_json::json!({"start": "8/8 w", "nodes": []})).unwrap_err().contains("FEN"));
        assert!(saved(serde_json::json!({})).is_ok());
    }

    #[test]
    fn lists_games_and_errors() {
        let text = "[White \"A\"]\n[Black \"?\"]\n\n1. e4 e5 1-0\n\n1. e4 e5 2. Ke3 *\n";
        let (games, _) = open(text);
        assert_eq!((games.len(), games[0].plies, games[1].plies), (2, 2, 2));
        assert_eq!(
            (games[0].players.clone(), games[0].result.as_str()),
            (["A".to_owned(), String::new()], "1-0")
        );
        assert!(
            games[0].error.is_none() && games[1].error.as_deref().is_some_and(|error| error.contains("Ke3"))
        );
        let (games, _) = open("1. e4 TN e5 (1... Nf5) 2. Nf3 Draw");
        assert_eq!((games[0].plies, &*games[0].result), (3, "1/2-1/2"));
        let error = games[0].error.as_deref().unwrap();
        assert!(error.contains("at \"TN\"") && error.ends_with("(and 1 more)"), "{error}");
        assert_eq!(open("   "), (Vec::new(), 0));
        let (games, omitted) = open(&"1. e4 *\n\n".repeat(MAX_GAMES + 3));
        assert_eq!((games.len(), omitted), (MAX_GAMES, 3));
    }

    #[test]
    fn arbitrary_text_is_an_error_or_a_game() {
        let mut random = tabiya_core::SplitMix64::new(1);
        for _ in 0..300 {
            let text: String = (0..200).map(|_| char::from(random.below(256) as u8)).collect();
            drop((open(&text), game(&text)));
        }
    }
}
