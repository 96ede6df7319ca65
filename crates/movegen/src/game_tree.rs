mod node;
#[cfg(feature = "std")]
mod text;

pub use node::GameNode;
#[cfg(feature = "std")]
pub use text::{BrokenGameTree, GameTreeBuilder};

use crate::game::{describe_start, start_of, termination};
use crate::{Game, IllegalMove, Outcome, Position, ReplayError, ResolveSanError};
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;
use tabiya_core::Move;
use tabiya_core::notation::{GameResult, Nag, NodeId, PgnGame, SEVEN_TAG_ROSTER, San, SanMove};

/// A game with its variations, comments and glyphs, of which every move is legal and every position
/// at hand.
///
/// This is a [`PgnGame`] that knows the rules. It is read from PGN and written as PGN, and can be
/// walked and edited in between: moves added, lines removed and promoted, comments and glyphs
/// changed. Nodes are named by [`NodeId`]s, which stay valid whatever is done to other nodes.
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
/// game.set_tag("White", "Somebody");
///
/// // Write.
/// let text = game.to_string();
/// assert!(text.starts_with("[Event \"?\"]\n"));
/// assert!(text.ends_with("1. e4 c5 { Sicilian } (1... e5 2. Nf3) 2. Nf3 $1 *\n"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// A file of games is read by giving a [`PgnReader`](tabiya_core::notation::PgnReader) a
/// [`GameTreeBuilder`]. Null moves, which some annotators use in variations, are understood unless
/// the side to move is in check.
#[derive(Clone, Debug)]
pub struct GameTree {
    pgn: PgnGame,
    /// What each node of `pgn`, by its index, means.
    plies: Vec<Ply>,
}

#[derive(Clone, Debug)]
struct Ply {
    /// The move; `None` at the root and for a null move.
    mv: Option<Move>,
    /// The position after it.
    position: Position,
}

impl GameTree {
    /// A game without moves from the start position of chess.
    pub fn new() -> GameTree {
        GameTree::from_position(Position::startpos())
    }

    /// A game without moves from any position.
    pub fn from_position(start: Position) -> GameTree {
        let mut pgn = PgnGame::new();
        describe_start(&start, &mut pgn);
        GameTree { pgn, plies: vec![Ply { mv: None, position: start }] }
    }

    /// Finds the legal moves that a game read from PGN stands for.
    ///
    /// # Errors
    /// The first thing that cannot be played. (Reading with a [`GameTreeBuilder`] gives its place in
    /// the text, too, and the rest of the game.)
    pub fn from_pgn(pgn: PgnGame) -> Result<GameTree, ReplayError> {
        let start = start_of(&pgn)?;
        let mut tree = GameTree { pgn: PgnGame::new(), plies: vec![Ply { mv: None, position: start }] };
        // Names of nodes in `pgn` and here.
        let mut open = vec![(NodeId::ROOT, NodeId::ROOT)];
        while let Some((theirs, ours)) = open.pop() {
            let Some(node) = pgn.node(theirs) else { continue };
            *tree.pgn.nags_mut(ours) = node.nags().to_vec();
            *tree.pgn.comments_mut(ours) = node.comments().to_vec();
            *tree.pgn.comments_before_mut(ours) = node.comments_before().to_vec();
            for child in node.children() {
                let Some(san) = child.san() else { continue };
                let position = tree.position(ours);
                let (ply, san) =
                    resolve(position, san).map_err(|error| ReplayError::illegal(position, san, error))?;
                open.push((child.id(), tree.add(ours, ply, san)));
            }
        }
        SEVEN_TAG_ROSTER.iter().for_each(|(name, _)| drop(tree.pgn.remove_tag(name)));
        pgn.tags().for_each(|(name, value)| tree.pgn.set_tag(name, value));
        describe_start(&tree.plies[0].position, &mut tree.pgn);
        tree.pgn.set_result(pgn.result());
        Ok(tree)
    }

    /// The game as PGN has it.
    pub fn pgn(&self) -> &PgnGame {
        &self.pgn
    }

    /// The game as PGN has it.
    pub fn into_pgn(self) -> PgnGame {
        self.pgn
    }

    /// The tags, as (name, value).
    pub fn tags(&self) -> impl Iterator<Item = (&str, &str)> {
        self.pgn.tags()
    }

    /// The value of a tag.
    pub fn tag(&self, name: &str) -> Option<&str> {
        self.pgn.tag(name)
    }

    /// Gives a tag a value. The tags `FEN` and `SetUp` follow from the position the game starts from
    /// and stay as they are; for `Result` there is [`set_result`](GameTree::set_result).
    pub fn set_tag(&mut self, name: &str, value: &str) {
        if !matches!(name, "FEN" | "SetUp") {
            self.pgn.set_tag(name, value);
        }
    }

    /// Takes a tag away and returns its value. The tags `FEN` and `SetUp` stay.
    pub fn remove_tag(&mut self, name: &str) -> Option<String> {
        if matches!(name, "FEN" | "SetUp") { None } else { self.pgn.remove_tag(name) }
    }

    /// The result, as PGN has it.
    pub fn result(&self) -> GameResult {
        self.pgn.result()
    }

    /// Sets the result, behind the moves and in the tag.
    pub fn set_result(&mut self, result: GameResult) {
        self.pgn.set_result(result);
    }

    /// How the game has ended: by a rule at the end of the main line, or as far as the result and the
    /// tag `Termination` tell it.
    pub fn outcome(&self) -> Option<Outcome> {
        self.game()?.outcome()
    }

    /// Sets result and tag `Termination` to those of this outcome.
    pub fn set_outcome(&mut self, outcome: Outcome) {
        self.pgn.set_result(outcome.into());
        self.pgn.set_tag("Termination", termination(outcome));
    }

    /// The position the game starts from.
    pub fn start(&self) -> &Position {
        self.position(NodeId::ROOT)
    }

    /// The root: the start of the game, before any move.
    pub fn root(&self) -> GameNode<'_> {
        GameNode::new(self, self.pgn.root())
    }

    /// A node by its name; `None` if it is one of another game, or has been removed.
    pub fn node(&self, id: NodeId) -> Option<GameNode<'_>> {
        Some(GameNode::new(self, self.pgn.node(id)?))
    }

    /// The moves that were played: from the root, always the first move there is.
    pub fn mainline(&self) -> impl Iterator<Item = GameNode<'_>> {
        self.pgn.mainline().map(|node| GameNode::new(self, node))
    }

    /// Every node, the root first and each before what follows it; of several moves in a position,
    /// first the one that was played with all that follows it.
    pub fn nodes(&self) -> impl Iterator<Item = GameNode<'_>> {
        let mut open = vec![self.root()];
        core::iter::from_fn(move || {
            let node = open.pop()?;
            let from = open.len();
            open.extend(node.children());
            open[from..].reverse();
            Some(node)
        })
    }

    /// The moves that were played as a [`Game`], with its outcome; `None` if a null move is among
    /// them.
    pub fn game(&self) -> Option<Game> {
        let mut game = self.mainline().last().unwrap_or(self.root()).game()?;
        game.declare(self.result(), self.tag("Termination"));
        Some(game)
    }

    /// Adds a move after `parent` and returns its name, or the name of the move if it is there
    /// already. The first move there is the one that was played; others begin variations.
    ///
    /// # Errors
    /// If the move is not legal there; the game is unchanged.
    ///
    /// # Panics
    /// If `parent` is not a node of this game; so the other methods that change something.
    pub fn play(&mut self, parent: NodeId, mv: Move) -> Result<NodeId, IllegalMove> {
        let before = self.position(parent);
        let position = before.play(mv)?;
        let san = before.san(mv);
        Ok(self.add_or_find(parent, Ply { mv: Some(mv), position }, san))
    }

    /// Adds a move given in standard algebraic notation, as [`play`](GameTree::play) does. The null
    /// move is `--`.
    ///
    /// # Errors
    /// What is wrong with the text, or whether no move or several moves fit; the game is unchanged.
    pub fn play_san(&mut self, parent: NodeId, text: &str) -> Result<NodeId, ResolveSanError> {
        let san = text.parse().map_err(ResolveSanError::Syntax)?;
        let (ply, san) = resolve(self.position(parent), san)?;
        Ok(self.add_or_find(parent, ply, san))
    }

    /// Removes a move with all that follows it.
    ///
    /// # Panics
    /// If `id` is not a node of this game, or its root.
    pub fn remove(&mut self, id: NodeId) {
        self.pgn.remove(id);
    }

    /// Moves a variation one place to the front of those that begin at the same point; see
    /// [`PgnGame::promote`]. Returns whether it was not there already.
    ///
    /// # Panics
    /// If `id` is not a node of this game, or its root.
    pub fn promote(&mut self, id: NodeId) -> bool {
        self.pgn.promote(id)
    }

    /// Makes the line that leads to a move the one that was played, as far as it goes.
    pub fn make_mainline(&mut self, id: NodeId) {
        self.pgn.make_mainline(id);
    }

    /// The glyphs behind a move, or at the root, to be changed.
    pub fn nags_mut(&mut self, id: NodeId) -> &mut Vec<Nag> {
        self.pgn.nags_mut(id)
    }

    /// The comments behind a move, or at the beginning of the game, to be changed.
    pub fn comments_mut(&mut self, id: NodeId) -> &mut Vec<String> {
        self.pgn.comments_mut(id)
    }

    /// The comments before a move with which a variation begins, to be changed.
    pub fn comments_before_mut(&mut self, id: NodeId) -> &mut Vec<String> {
        self.pgn.comments_before_mut(id)
    }

    fn position(&self, id: NodeId) -> &Position {
        &self.plies[id.index()].position
    }

    fn add_or_find(&mut self, parent: NodeId, ply: Ply, san: San) -> NodeId {
        let there = self.node(parent).and_then(|node| node.children().find(|child| child.mv() == ply.mv));
        match there {
            Some(node) => node.id(),
            None => self.add(parent, ply, san),
        }
    }

    fn add(&mut self, parent: NodeId, ply: Ply, san: San) -> NodeId {
        let id = self.pgn.add_move(parent, san);
        debug_assert_eq!(id.index(), self.plies.len(), "a ply for each node");
        self.plies.push(ply);
        id
    }
}

/// What a move of a game in PGN means, and how it should be written.
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

/// Two trees are equal if their PGN is.
impl PartialEq for GameTree {
    fn eq(&self, other: &GameTree) -> bool {
        self.start() == other.start() && self.pgn == other.pgn
    }
}

impl Eq for GameTree {}

/// The game as its main line, and its result.
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
