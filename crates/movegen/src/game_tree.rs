//! Games with variations, comments and NAGs.

mod merge;
mod node;
#[cfg(feature = "std")]
mod text;

pub use merge::{MergeError, MergedGames};
pub use node::GameNode;
#[cfg(feature = "std")]
pub use text::{BrokenGameTree, GameTreeBuilder};

use crate::game::{Game, set_start_tags, set_valid_tag, start_from_tags, termination};
use crate::outcome::Outcome;
use crate::position::{IllegalMove, Position};
use crate::replay_error::ReplayError;
use crate::resolve::ResolveSanError;
use crate::variant::check_variant;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;
use tabiya_core::Move;
use tabiya_core::notation::{GameResult, Nag, NodeId, PgnGame, SEVEN_TAG_ROSTER, San, SanMove, TagError};

/// A game with variations, comments and NAGs, in which every move is legal and every node has its position.
///
/// This is a [`PgnGame`] whose moves are checked by the rules of chess. It is parsed from PGN, can be walked and
/// edited (moves and lines added, variations removed and promoted, comments and NAGs changed), merged with others, and
/// written as PGN. Nodes are identified by [`NodeId`]s, which stay valid when other nodes change.
///
/// ```
/// use tabiya_core::notation::Nag;
/// use tabiya_movegen::GameTree;
///
/// let mut game: GameTree = "1. e4 e5 (1... c5 {Sicilian}) 2. Nf3 *".parse()?;
///
/// // Walk.
/// let e4 = game.mainline().next().unwrap();
/// let replies: Vec<String> = e4.children().map(|node| node.san().unwrap().to_string()).collect();
/// assert_eq!(replies, ["e5", "c5"]);
/// let sicilian = e4.children().nth(1).unwrap();
/// assert_eq!(sicilian.comments(), ["Sicilian"]);
/// assert_eq!(sicilian.position().legal().len(), 30);
///
/// // Edit.
/// let sicilian = sicilian.id();
/// let nf3 = game.play_san(sicilian, "Nf3")?;
/// game.nags_mut(nf3).push(Nag::GOOD_MOVE);
/// game.promote(sicilian);
/// game.set_tag("White", "Caruana")?;
///
/// // Write.
/// let text = game.to_string();
/// assert!(text.starts_with("[Event \"?\"]\n"));
/// assert!(text.ends_with("1. e4 c5 { Sicilian } (1... e5 2. Nf3) 2. Nf3 $1 *\n"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// To parse a file of games, pass a [`GameTreeBuilder`] to a
/// [`PgnReader`](tabiya_core::notation::PgnReader). Null moves, which some annotators use in variations, are
/// accepted unless the side to move is in check.
#[derive(Clone, Debug)]
pub struct GameTree {
    pgn: PgnGame,
    /// Move and position of each node of `pgn`, by the node's index.
    plies: Vec<Ply>,
}

/// A move and the position after it.
#[derive(Clone, Debug)]
struct Ply {
    /// The move; `None` at the root and for a null move.
    mv: Option<Move>,
    position: Position,
}

impl GameTree {
    /// Creates a game without moves from the start position of chess.
    pub fn new() -> GameTree {
        GameTree::from_position(Position::startpos())
    }

    /// Creates a game without moves from any position.
    pub fn from_position(start: Position) -> GameTree {
        let mut pgn = PgnGame::new();
        set_start_tags(&start, &mut pgn);
        GameTree { pgn, plies: vec![Ply { mv: None, position: start }] }
    }

    /// Resolves the moves of a PGN game to legal moves.
    ///
    /// # Errors
    /// If the start position is invalid or a move is illegal. (A [`GameTreeBuilder`] reports the location in the
    /// text as well and returns the rest of the game.)
    pub fn from_pgn(pgn: PgnGame) -> Result<GameTree, ReplayError> {
        let start = start_from_tags(&pgn)?;
        let mut tree = GameTree { pgn: PgnGame::new(), plies: vec![Ply { mv: None, position: start }] };
        // Nodes to copy: the node of `pgn` and the corresponding node of `tree`.
        let mut stack = vec![(NodeId::ROOT, NodeId::ROOT)];
        while let Some((source, copy)) = stack.pop() {
            let Some(node) = pgn.node(source) else { continue };
            *tree.pgn.nags_mut(copy) = node.nags().to_vec();
            *tree.pgn.comments_mut(copy) = node.comments().to_vec();
            *tree.pgn.comments_before_mut(copy) = node.comments_before().to_vec();
            for child in node.children() {
                let Some(san) = child.san() else { continue };
                let position = tree.position(copy);
                let (ply, san) =
                    resolve(position, san).map_err(|error| ReplayError::illegal(position, san, error))?;
                stack.push((child.id(), tree.add(copy, ply, san)));
            }
        }
        SEVEN_TAG_ROSTER.iter().for_each(|(name, _)| drop(tree.pgn.remove_tag(name)));
        pgn.tags().for_each(|(name, value)| set_valid_tag(&mut tree.pgn, name, value));
        set_start_tags(&tree.plies[0].position, &mut tree.pgn);
        tree.pgn.set_result(pgn.result());
        Ok(tree)
    }

    /// Returns the game as a [`PgnGame`].
    pub fn pgn(&self) -> &PgnGame {
        &self.pgn
    }

    /// Returns the tags, as (name, value).
    pub fn tags(&self) -> impl Iterator<Item = (&str, &str)> {
        self.pgn.tags()
    }

    /// Returns the value of a tag.
    pub fn tag(&self, name: &str) -> Option<&str> {
        self.pgn.tag(name)
    }

    /// Sets a tag. For `Result` use [`set_result`](GameTree::set_result).
    ///
    /// # Errors
    /// If the name cannot be written, or is `FEN` or `SetUp`, which follow from the start position, or if `Variant` would name another
    /// game than chess and Chess960.
    pub fn set_tag(&mut self, name: &str, value: &str) -> Result<(), TagError> {
        if matches!(name, "FEN" | "SetUp") {
            return Err(TagError::Fixed(name.into()));
        }
        if name == "Variant" {
            check_variant(value).map_err(|_| TagError::Variant(value.into()))?;
        }
        self.pgn.set_tag(name, value)
    }

    /// Removes a tag and returns its value. The tags `FEN` and `SetUp` are not removed.
    pub fn remove_tag(&mut self, name: &str) -> Option<String> {
        if matches!(name, "FEN" | "SetUp") { None } else { self.pgn.remove_tag(name) }
    }

    /// Returns the PGN result.
    pub fn result(&self) -> GameResult {
        self.pgn.result()
    }

    /// Sets the result, in the movetext and in the `Result` tag.
    pub fn set_result(&mut self, result: GameResult) {
        self.pgn.set_result(result);
    }

    /// Returns the outcome of the game, by a rule at the end of the main line or according to the result and the
    /// `Termination` tag. `None` if the game has not ended or the main line contains a null move.
    pub fn outcome(&self) -> Option<Outcome> {
        self.game()?.outcome()
    }

    /// Sets the result and the `Termination` tag to those of this outcome.
    pub fn set_outcome(&mut self, outcome: Outcome) {
        self.pgn.set_result(outcome.into());
        set_valid_tag(&mut self.pgn, "Termination", termination(outcome));
    }

    /// Returns the position the game starts from.
    pub fn start(&self) -> &Position {
        self.position(NodeId::ROOT)
    }

    /// Returns the root, which is the start of the game before any move.
    pub fn root(&self) -> GameNode<'_> {
        GameNode::new(self, self.pgn.root())
    }

    /// Returns a node; `None` if it is not a node of this game or has been removed.
    pub fn node(&self, id: NodeId) -> Option<GameNode<'_>> {
        Some(GameNode::new(self, self.pgn.node(id)?))
    }

    /// Returns the moves of the main line: always the first child, without the root.
    pub fn mainline(&self) -> impl Iterator<Item = GameNode<'_>> {
        self.pgn.mainline().map(|node| GameNode::new(self, node))
    }

    /// Returns every node in depth-first order (pre-order): the root first, the main line before variations.
    pub fn nodes(&self) -> impl Iterator<Item = GameNode<'_>> {
        let mut stack = vec![self.root()];
        core::iter::from_fn(move || {
            let node = stack.pop()?;
            let first_child = stack.len();
            stack.extend(node.children());
            stack[first_child..].reverse();
            Some(node)
        })
    }

    /// Returns the main line as a [`Game`] with its outcome; `None` if it contains a null move.
    pub fn game(&self) -> Option<Game> {
        let mut game = self.mainline().last().unwrap_or(self.root()).game()?;
        game.declare_result(self.result(), self.tag("Termination"));
        Some(game)
    }

    /// Adds a move after `parent` and returns its node, or the existing node of the move. The first child of
    /// a node continues its line; the others begin variations.
    ///
    /// # Errors
    /// If the move is not legal in that position. The game is then unchanged.
    ///
    /// # Panics
    /// If `parent` is not a node of this game. The other methods that edit the game also panic then.
    pub fn play(&mut self, parent: NodeId, mv: Move) -> Result<NodeId, IllegalMove> {
        let before = self.position(parent);
        let position = before.play(mv)?;
        let san = before.san(mv);
        Ok(self.add_or_find(parent, Ply { mv: Some(mv), position }, san))
    }

    /// Adds a move given in standard algebraic notation, as [`play`](GameTree::play) does. The null move is
    /// written `--`.
    ///
    /// # Errors
    /// If the text is not a SAN move, or not exactly one legal move matches. The game is then unchanged.
    pub fn play_san(&mut self, parent: NodeId, text: &str) -> Result<NodeId, ResolveSanError> {
        let san = text.parse().map_err(ResolveSanError::Syntax)?;
        let (ply, san) = resolve(self.position(parent), san)?;
        Ok(self.add_or_find(parent, ply, san))
    }

    /// Removes a node with all its descendants.
    ///
    /// # Panics
    /// If `id` is not a node of this game, or its root.
    pub fn remove(&mut self, id: NodeId) {
        self.pgn.remove(id);
    }

    /// Moves a variation one place forward among its siblings; see [`PgnGame::promote`]. Returns false if it
    /// was already the first.
    ///
    /// # Panics
    /// If `id` is not a node of this game, or its root.
    pub fn promote(&mut self, id: NodeId) -> bool {
        self.pgn.promote(id)
    }

    /// Moves a variation one place back among its siblings; see [`PgnGame::demote`]. Returns false if it was already the
    /// last.
    ///
    /// # Panics
    /// If `id` is not a node of this game, or its root.
    pub fn demote(&mut self, id: NodeId) -> bool {
        self.pgn.demote(id)
    }

    /// Makes the line from the root to a node the beginning of the main line.
    pub fn make_mainline(&mut self, id: NodeId) {
        self.pgn.make_mainline(id);
    }

    /// Returns the NAGs (annotation glyphs) after a move, or those of the root, for editing.
    pub fn nags_mut(&mut self, id: NodeId) -> &mut Vec<Nag> {
        self.pgn.nags_mut(id)
    }

    /// Returns the comments after a move, or those at the beginning of the game, for editing.
    pub fn comments_mut(&mut self, id: NodeId) -> &mut Vec<String> {
        self.pgn.comments_mut(id)
    }

    /// Returns the comments before the first move of a variation, for editing.
    pub fn comments_before_mut(&mut self, id: NodeId) -> &mut Vec<String> {
        self.pgn.comments_before_mut(id)
    }

    fn position(&self, id: NodeId) -> &Position {
        &self.plies[id.index()].position
    }

    fn add_or_find(&mut self, parent: NodeId, ply: Ply, san: San) -> NodeId {
        match self.child(parent, ply.mv) {
            Some(existing) => existing,
            None => self.add(parent, ply, san),
        }
    }

    /// Returns the child of a node with this move; `None` is the null move.
    fn child(&self, parent: NodeId, mv: Option<Move>) -> Option<NodeId> {
        Some(self.node(parent)?.children().find(|child| child.mv() == mv)?.id())
    }

    fn add(&mut self, parent: NodeId, ply: Ply, san: San) -> NodeId {
        let id = self.pgn.add_move(parent, san);
        debug_assert_eq!(id.index(), self.plies.len(), "a ply for each node");
        self.plies.push(ply);
        id
    }
}

/// Resolves a SAN move, null moves included. Returns the move with the position after it, and its normalised SAN.
fn resolve(position: &Position, san: San) -> Result<(Ply, San), ResolveSanError> {
    let mut next = position.clone();
    if san.mv == SanMove::Null && !position.in_check() {
        next.play_null();
        return Ok((Ply { mv: None, position: next }, San { suffix: None, ..san }));
    }
    let mv = position.resolve_san(san)?;
    next.play_unchecked(mv);
    Ok((Ply { mv: Some(mv), position: next }, position.san(mv)))
}

impl Default for GameTree {
    fn default() -> GameTree {
        GameTree::new()
    }
}

/// Two trees are equal if their start positions and PGN games are equal.
impl PartialEq for GameTree {
    fn eq(&self, other: &GameTree) -> bool {
        self.start() == other.start() && self.pgn == other.pgn
    }
}

impl Eq for GameTree {}

/// Creates a tree whose main line is the game, with its result.
impl From<&Game> for GameTree {
    fn from(game: &Game) -> GameTree {
        let mut plies = vec![Ply { mv: None, position: game.start().clone() }];
        let after = game.positions().skip(1);
        plies.extend(
            game.moves()
                .iter()
                .zip(after)
                .map(|(&mv, position)| Ply { mv: Some(mv), position: position.clone() }),
        );
        GameTree { pgn: game.to_pgn(), plies }
    }
}

#[cfg(all(test, feature = "std"))]
mod tests;
