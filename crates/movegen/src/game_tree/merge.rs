//! Joining game trees: lines of moves, two trees, and many games with counts.

use super::{GameNode, GameTree, Ply, resolve};
use crate::game_counts::GameCounts;
use crate::position::{IllegalMove, Position};
use crate::resolve::ResolveSanError;
use alloc::collections::{BTreeMap, BTreeSet};
use alloc::string::{String, ToString};
use alloc::vec;
use alloc::vec::Vec;
use core::fmt;
use tabiya_core::Move;
use tabiya_core::notation::{NodeId, PgnNode, San};

/// The error of merging games that begin in different positions.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct MergeError {
    /// FEN of the position in which the tree starts.
    pub expected: String,
    /// FEN of the position in which the other game starts.
    pub found: String,
}

impl fmt::Display for MergeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "cannot merge a game from {} into one from {}", self.found, self.expected)
    }
}

impl core::error::Error for MergeError {}

impl GameTree {
    /// Adds a line of moves after `parent` and returns its last node. Moves that are in the tree already are not added again.
    ///
    /// # Errors
    /// If a move is not legal. The game is then unchanged.
    pub fn add_line(
        &mut self,
        parent: NodeId,
        moves: impl IntoIterator<Item = Move>,
    ) -> Result<NodeId, IllegalMove> {
        self.add_resolved_line(parent, moves, |position, mv| {
            Ok((Ply { mv: Some(mv), position: position.play(mv)? }, position.san(mv)))
        })
    }

    /// Adds a line of moves given in standard algebraic notation, as [`add_line`](GameTree::add_line) does. The null move is
    /// written `--`.
    ///
    /// ```
    /// use tabiya_core::notation::NodeId;
    /// use tabiya_movegen::GameTree;
    ///
    /// let mut tree: GameTree = "1. e4 e5 2. Nf3 *".parse()?;
    /// let d6 = tree.add_san_line(NodeId::ROOT, ["e4", "c5", "Nf3", "d6"])?;
    /// tree.add_san_line(d6, ["d4"])?;
    /// assert!(tree.to_string().ends_with("1. e4 e5 (1... c5 2. Nf3 d6 3. d4) 2. Nf3 *\n"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If a text is not a SAN move, or not exactly one legal move matches. The game is then unchanged.
    pub fn add_san_line<'a>(
        &mut self,
        parent: NodeId,
        moves: impl IntoIterator<Item = &'a str>,
    ) -> Result<NodeId, ResolveSanError> {
        self.add_resolved_line(parent, moves, |position, text| {
            resolve(position, text.parse().map_err(ResolveSanError::Syntax)?)
        })
    }

    fn add_resolved_line<M, E>(
        &mut self,
        parent: NodeId,
        moves: impl IntoIterator<Item = M>,
        resolve: impl Fn(&Position, M) -> Result<(Ply, San), E>,
    ) -> Result<NodeId, E> {
        let mut line: Vec<(Ply, San)> = Vec::new();
        for mv in moves {
            let position = line.last().map_or(self.position(parent), |(ply, _)| &ply.position);
            line.push(resolve(position, mv)?);
        }
        Ok(line.into_iter().fold(parent, |node, (ply, san)| self.add_or_find(node, ply, san)))
    }

    /// Adds all lines of another game, with their comments and NAGs. Tags and result stay as they are.
    ///
    /// Moves that this game has already keep their place; the others follow as variations, in the order of the other game. A
    /// comment or NAG that the node has already is not added again. Comments before a move that continues a line here are put after the
    /// previous move.
    ///
    /// ```
    /// use tabiya_movegen::GameTree;
    ///
    /// let mut tree: GameTree = "1. e4 e5 2. Nf3 {developing} *".parse()?;
    /// tree.merge(&"1. e4 e5 2. Nf3 {attacks e5} (2. f4) 2... Nc6 *".parse()?)?;
    /// tree.merge(&"1. d4 *".parse()?)?;
    /// let text = tree.to_string();
    /// assert!(text.ends_with("1. e4 (1. d4) 1... e5 2. Nf3 { developing } { attacks e5 } (2. f4) 2... Nc6 *\n"), "{text}");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If the games begin in different positions. The game is then unchanged.
    pub fn merge(&mut self, other: &GameTree) -> Result<(), MergeError> {
        self.check_start(other.start())?;
        // Nodes to merge: those of `other`, in its order, and the corresponding node here. A text may have the same move in several
        // variations of one position.
        let mut pending = vec![(vec![NodeId::ROOT], NodeId::ROOT)];
        while let Some((sources, target)) = pending.pop() {
            let sources: Vec<GameNode<'_>> = sources.into_iter().filter_map(|id| other.node(id)).collect();
            add_missing(self.pgn.nags_mut(target), sources.iter().flat_map(|node| node.nags()));
            add_missing(self.pgn.comments_mut(target), sources.iter().flat_map(|node| node.comments()));
            // In PGN a comment before a move that continues its line is one after the previous move.
            let parent = self.pgn.node(target).and_then(PgnNode::parent);
            let continued = parent.filter(|parent| parent.children().next().map(PgnNode::id) == Some(target));
            let before = match continued.map(PgnNode::id) {
                Some(parent) => self.pgn.comments_mut(parent),
                None => self.pgn.comments_before_mut(target),
            };
            add_missing(before, sources.iter().flat_map(|node| node.comments_before()));
            // Indexed by move: a search among the children for each move would take quadratic time. In reverse order, so that the first
            // of several children with a move is the one that stays in the index, as in `child`.
            let children: Vec<GameNode<'_>> =
                self.node(target).into_iter().flat_map(GameNode::children).collect();
            let mut known: BTreeMap<Option<Move>, NodeId> =
                children.into_iter().rev().map(|child| (child.mv(), child.id())).collect();
            let mut merged: BTreeMap<NodeId, Vec<NodeId>> = BTreeMap::new();
            for child in sources.into_iter().flat_map(GameNode::children) {
                let Some(san) = child.san() else { continue };
                let ply = &other.plies[child.id().index()];
                let copy = *known.entry(ply.mv).or_insert_with(|| self.add(target, ply.clone(), san));
                merged.entry(copy).or_default().push(child.id());
            }
            pending.extend(merged.into_iter().map(|(target, sources)| (sources, target)));
        }
        Ok(())
    }

    fn check_start(&self, start: &Position) -> Result<(), MergeError> {
        if self.start() == start {
            return Ok(());
        }
        Err(MergeError { expected: self.start().to_string(), found: start.to_string() })
    }
}

/// Appends the items that the list does not contain.
fn add_missing<'a, T: Clone + Ord + 'a>(list: &mut Vec<T>, items: impl Iterator<Item = &'a T>) {
    let mut known: BTreeSet<&T> = list.iter().collect();
    let missing: Vec<T> = items.filter(|&item| known.insert(item)).cloned().collect();
    list.extend(missing);
}

/// Many games merged into one tree, with the number of games and their results at each move.
///
/// A game counts at the moves of its main line. Its variations, comments and NAGs are added as by [`GameTree::merge`]; a
/// move that occurs in variations only has a count of 0. Nodes take about 400 bytes: for millions of moves,
/// count by packed board, as the example `opening_tree` of this crate does.
///
/// ```
/// use tabiya_movegen::{GameTree, MergedGames};
///
/// let mut merged = MergedGames::new(GameTree::new());
/// for text in ["1. d4 d5 1/2-1/2", "1. e4 e5 2. Nf3 1-0", "1. e4 c5 0-1", "1. e4 e5 2. f4 0-1"] {
///     merged.add(&text.parse()?)?;
/// }
/// merged.sort();
/// let text = merged.tree().to_string();
/// assert!(text.ends_with("1. e4 (1. d4 d5) 1... e5 (1... c5) 2. Nf3 (2. f4) *\n"), "{text}");
/// let e4 = merged.tree().mainline().next().unwrap();
/// let counts = merged.counts(e4.id());
/// assert_eq!((counts.total(), counts.white_wins, counts.black_wins), (3, 1, 2));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct MergedGames {
    tree: GameTree,
    /// The counts by the node's index; nodes that are missing at the end have none.
    counts: Vec<GameCounts>,
}

impl MergedGames {
    /// Begins with a tree whose moves have a count of 0, such as a repertoire or a tree without moves.
    pub fn new(tree: GameTree) -> MergedGames {
        MergedGames { tree, counts: Vec::new() }
    }

    /// Merges a game and counts its main line.
    ///
    /// # Errors
    /// If the game begins in a different position. Nothing is changed then.
    pub fn add(&mut self, game: &GameTree) -> Result<(), MergeError> {
        self.tree.merge(game)?;
        self.counts.resize(self.tree.plies.len(), GameCounts::default());
        let mut node = NodeId::ROOT;
        self.counts[node.index()].add(game.result());
        for ply in game.mainline() {
            let Some(next) = self.tree.child(node, ply.mv()) else { break };
            node = next;
            self.counts[node.index()].add(game.result());
        }
        Ok(())
    }

    /// Returns the tree.
    pub fn tree(&self) -> &GameTree {
        &self.tree
    }

    /// Returns the tree without counts.
    pub fn into_tree(self) -> GameTree {
        self.tree
    }

    /// Returns the number of games that reach a node, by result. At the root these are all games.
    pub fn counts(&self, id: NodeId) -> GameCounts {
        self.counts.get(id.index()).copied().unwrap_or_default()
    }

    /// Sorts the moves at each node by the number of games, so that the main line is the most frequent one. Moves of equal
    /// count keep their order. Comments before a move that becomes the main continuation are put after the previous move.
    pub fn sort(&mut self) {
        let ids: Vec<NodeId> = self.tree.nodes().map(|node| node.id()).collect();
        for id in ids {
            let children = self.tree.node(id).into_iter().flat_map(|node| node.children());
            let mut children: Vec<NodeId> = children.map(|child| child.id()).collect();
            let total = |id: NodeId| self.counts.get(id.index()).map_or(0, |counts| counts.total());
            // A selection sort by promotions. A move that becomes the main continuation loses the comments before it, so only the most
            // frequent one may. A node has few children.
            for place in 0..children.len() {
                let rest = children[place..].iter().enumerate();
                // Reversed, because `max_by_key` returns the last of equal elements.
                let best = rest.rev().max_by_key(|&(_, &id)| total(id)).map_or(place, |(at, _)| place + at);
                for _ in place..best {
                    self.tree.pgn.promote(children[best]);
                }
                children[place..=best].rotate_right(1);
            }
        }
    }
}

#[cfg(test)]
mod tests;
