//! [`PgnGame`]: a game as a tree of moves with variations, comments and glyphs.

#[cfg(feature = "std")]
mod build;
mod edit;
#[cfg(feature = "std")]
mod write;

#[cfg(feature = "std")]
pub use build::{BrokenPgnGame, PgnGameBuilder, PgnGames, ReadGameError};

use super::tags::{SEVEN_TAG_ROSTER, TagError, Tags, check_tag_name};
use super::{GameResult, Nag, San};
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;

/// A game in PGN: tags, and moves with variations, comments and glyphs.
///
/// The moves form a tree whose root is the start position of the game. They are stored as SAN and not checked
/// for legality.
///
/// ```
/// use tabiya_core::notation::{GameResult, Nag, PgnGame};
///
/// let game: PgnGame = "[White \"Anderssen\"]\n\n1. e4 e5 2. f4! {a gambit} (2. Nf3) exf4 1-0".parse()?;
/// assert_eq!(game.tag("White"), Some("Anderssen"));
/// assert_eq!(game.result(), GameResult::WhiteWins);
///
/// let f4 = game.mainline().nth(2).unwrap();
/// assert_eq!(f4.san().unwrap().to_string(), "f4");
/// assert_eq!(f4.nags(), [Nag::GOOD_MOVE]);
/// assert_eq!(f4.comments(), ["a gambit"]);
///
/// let replies: Vec<String> = f4.parent().unwrap().children().map(|node| node.san().unwrap().to_string()).collect();
/// assert_eq!(replies, ["f4", "Nf3"]);
///
/// assert!(game.to_string().ends_with("1. e4 e5 2. f4 $1 { a gambit } (2. Nf3) 2... exf4 1-0\n"));
/// # Ok::<(), tabiya_core::notation::ReadGameError>(())
/// ```
#[derive(Clone, Debug)]
pub struct PgnGame {
    tags: Tags,
    /// The root, followed by all moves, each after its parent.
    nodes: Vec<Node>,
    result: Option<GameResult>,
}

/// The identifier of a node of a [`PgnGame`]: the root or a move.
///
/// With the feature `serde` it is serialized as its index, which identifies the node only in the same game and in games read from
/// the same PGN.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(transparent))]
pub struct NodeId(u32);

impl NodeId {
    /// The root: the start of the game, before any move.
    pub const ROOT: NodeId = NodeId(0);

    /// The index of the node: 0 for the root, then 1, 2, ... in the order in which moves were added.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// The data of a node. Siblings form a doubly linked list, so that a node is removed or moved in constant time.
#[derive(Clone, Debug, Default)]
struct Node {
    san: Option<San>,
    nags: Vec<Nag>,
    comments_before: Vec<String>,
    comments: Vec<String>,
    parent: Option<NodeId>,
    first_child: Option<NodeId>,
    last_child: Option<NodeId>,
    previous_sibling: Option<NodeId>,
    next_sibling: Option<NodeId>,
    removed: bool,
}

impl PgnGame {
    /// Creates a game without moves, with the Seven Tag Roster set to "unknown" values.
    pub fn new() -> PgnGame {
        let mut game = PgnGame::empty();
        SEVEN_TAG_ROSTER.iter().for_each(|(name, value)| game.tags.set(name, value));
        game
    }

    /// Creates a game without moves or tags.
    fn empty() -> PgnGame {
        PgnGame { tags: Tags::new(), nodes: vec![Node::default()], result: None }
    }

    /// Iterates over the tags as (name, value), in the order in which they were added.
    pub fn tags(&self) -> impl Iterator<Item = (&str, &str)> {
        self.tags.entries().iter().map(|(name, value)| (name.as_str(), value.as_str()))
    }

    /// The value of a tag.
    pub fn tag(&self, name: &str) -> Option<&str> {
        self.tags.get(name)
    }

    /// Sets a tag, replacing an existing value.
    ///
    /// # Errors
    /// If the name is empty or contains white space, a quote, a bracket or a control character, so that it cannot be written.
    pub fn set_tag(&mut self, name: &str, value: &str) -> Result<(), TagError> {
        check_tag_name(name)?;
        self.tags.set(name, value);
        Ok(())
    }

    /// Removes a tag and returns its value.
    pub fn remove_tag(&mut self, name: &str) -> Option<String> {
        self.tags.remove(name)
    }

    /// The result at the end of the movetext, or that of the tag `Result` if there is none.
    pub fn result(&self) -> GameResult {
        let from_tag = || self.tag("Result").and_then(|text| text.parse().ok());
        self.result.or_else(from_tag).unwrap_or_default()
    }

    /// The value of the tag `Result` that is written: in the standard's spelling if it is a result, and that of the movetext
    /// if the tag is missing.
    fn result_tag(&self) -> &str {
        match self.tag("Result") {
            Some(tag) => tag.parse().map_or(tag, |result: GameResult| result.as_str()),
            None => self.result().as_str(),
        }
    }

    /// Sets the result, both at the end of the movetext and in the tag `Result`.
    pub fn set_result(&mut self, result: GameResult) {
        self.result = Some(result);
        self.tags.set("Result", result.as_str());
    }

    /// The root of the tree.
    pub fn root(&self) -> PgnNode<'_> {
        PgnNode { game: self, id: NodeId::ROOT }
    }

    /// The node with this identifier, or `None` if there is none or it has been removed.
    pub fn node(&self, id: NodeId) -> Option<PgnNode<'_>> {
        let node = self.nodes.get(id.index())?;
        (!node.removed).then_some(PgnNode { game: self, id })
    }

    /// Iterates over the moves of the main line: always the first child, without the root.
    pub fn mainline(&self) -> impl Iterator<Item = PgnNode<'_>> {
        core::iter::successors(self.root().children().next(), |node| node.children().next())
    }

    /// Adds a move after `parent`, as the main continuation if it is the first one there, otherwise as a
    /// variation.
    ///
    /// # Panics
    /// Panics if `parent` is not a node of this game, or if the game already has 4,294,967,295 moves.
    pub fn add_move(&mut self, parent: NodeId, san: San) -> NodeId {
        let id = NodeId(u32::try_from(self.nodes.len()).expect("a game has fewer than 2^32 nodes"));
        self.nodes.push(Node { san: Some(san), parent: Some(parent), ..Node::default() });
        let previous = self.live(parent).last_child;
        self.link(id, previous, None);
        id
    }

    /// Adds a numeric annotation glyph to a move, or to the root.
    ///
    /// # Panics
    /// Panics if `id` is not a node of this game.
    pub fn add_nag(&mut self, id: NodeId, nag: Nag) {
        self.nags_mut(id).push(nag);
    }

    /// Adds a comment after a move, or before the first move if `id` is the root.
    ///
    /// # Panics
    /// Panics if `id` is not a node of this game.
    pub fn add_comment(&mut self, id: NodeId, text: impl Into<String>) {
        self.comments_mut(id).push(text.into());
    }
}

impl Default for PgnGame {
    fn default() -> PgnGame {
        PgnGame::new()
    }
}

/// Two games are equal if they have the same tags, in any order, the same result and the same tree. The order
/// in which moves were added does not matter. A missing tag of the Seven Tag Roster equals the value that is written for it, so
/// that a game that is written and read again is equal.
impl PartialEq for PgnGame {
    fn eq(&self, other: &PgnGame) -> bool {
        fn tags(game: &PgnGame) -> Vec<(&str, &str)> {
            let mut tags: Vec<_> =
                game.tags().filter(|tag| tag.0 != "Result" && !SEVEN_TAG_ROSTER.contains(tag)).collect();
            tags.sort_unstable();
            tags
        }
        if self.result() != other.result()
            || self.result_tag() != other.result_tag()
            || tags(self) != tags(other)
        {
            return false;
        }
        // Not recursive, because a deep tree would overflow the stack.
        let mut pairs = vec![(self.root(), other.root())];
        while let Some((left, right)) = pairs.pop() {
            let (left_data, right_data) = (left.data(), right.data());
            if left_data.san != right_data.san
                || left_data.nags != right_data.nags
                || left_data.comments != right_data.comments
                || left_data.comments_before != right_data.comments_before
                || left.children().count() != right.children().count()
            {
                return false;
            }
            pairs.extend(left.children().zip(right.children()));
        }
        true
    }
}

impl Eq for PgnGame {}

/// A node of a [`PgnGame`]: a move with its comments and glyphs, or the root.
#[derive(Clone, Copy, Debug)]
pub struct PgnNode<'a> {
    game: &'a PgnGame,
    id: NodeId,
}

impl<'a> PgnNode<'a> {
    fn data(self) -> &'a Node {
        &self.game.nodes[self.id.index()]
    }

    /// Another node of the same game.
    fn at(self, id: NodeId) -> PgnNode<'a> {
        PgnNode { id, ..self }
    }

    /// The identifier of the node, for use with the methods of [`PgnGame`].
    pub fn id(self) -> NodeId {
        self.id
    }

    /// The move; `None` at the root.
    pub fn san(self) -> Option<San> {
        self.data().san
    }

    /// The numeric annotation glyphs of the move.
    pub fn nags(self) -> &'a [Nag] {
        &self.data().nags
    }

    /// The comments after the move; at the root, the comments before the first move.
    pub fn comments(self) -> &'a [String] {
        &self.data().comments
    }

    /// The comments before the move, if it begins a variation.
    pub fn comments_before(self) -> &'a [String] {
        &self.data().comments_before
    }

    /// The parent node; `None` at the root.
    pub fn parent(self) -> Option<PgnNode<'a>> {
        self.data().parent.map(|id| self.at(id))
    }

    /// Iterates over the moves that follow: the main continuation, then the variations.
    pub fn children(self) -> impl Iterator<Item = PgnNode<'a>> {
        let first = self.data().first_child.map(|id| self.at(id));
        core::iter::successors(first, |node| node.data().next_sibling.map(|id| node.at(id)))
    }
}
