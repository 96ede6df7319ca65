#[cfg(feature = "std")]
mod build;
mod edit;
#[cfg(feature = "std")]
mod write;

#[cfg(feature = "std")]
pub use build::{BrokenGame, PgnGameBuilder, PgnGames, ReadGameError};

use super::{GameResult, Nag, San};
use crate::{Board, FenError};
use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;

/// The tags that every game has, in the order the PGN standard gives, with the value each has where
/// nothing is known.
pub const SEVEN_TAG_ROSTER: [(&str, &str); 7] = [
    ("Event", "?"),
    ("Site", "?"),
    ("Date", "????.??.??"),
    ("Round", "?"),
    ("White", "?"),
    ("Black", "?"),
    ("Result", "*"),
];

/// A game as PGN stores it: tags, and moves with variations, comments and glyphs.
///
/// The moves form a tree whose root is the position the game starts from. They are as written:
/// nothing here knows whether they are legal.
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
    tags: Vec<(String, String)>,
    /// The root, and behind it every move, each after its parent.
    nodes: Vec<Node>,
    result: Option<GameResult>,
}

/// Which node of a [`PgnGame`]: the root or a move.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct NodeId(u32);

impl NodeId {
    /// The start of the game, before any move.
    pub const ROOT: NodeId = NodeId(0);

    /// The number of the node: 0 for the root; moves count up in the order they were added.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

#[derive(Clone, Debug, Default)]
struct Node {
    san: Option<San>,
    nags: Vec<Nag>,
    comments_before: Vec<String>,
    comments: Vec<String>,
    parent: Option<NodeId>,
    first_child: Option<NodeId>,
    last_child: Option<NodeId>,
    next_sibling: Option<NodeId>,
    removed: bool,
}

impl PgnGame {
    /// A game without moves, with the seven tags that every game has and nothing known for them.
    pub fn new() -> PgnGame {
        let tags = SEVEN_TAG_ROSTER.map(|(name, value)| (name.to_owned(), value.to_owned()));
        PgnGame { tags: tags.into(), ..PgnGame::empty() }
    }

    /// A game without moves or tags.
    fn empty() -> PgnGame {
        PgnGame { tags: Vec::new(), nodes: vec![Node::default()], result: None }
    }

    /// The tags, as (name, value), in the order they were given.
    pub fn tags(&self) -> impl Iterator<Item = (&str, &str)> {
        self.tags.iter().map(|(name, value)| (name.as_str(), value.as_str()))
    }

    /// The value of a tag.
    pub fn tag(&self, name: &str) -> Option<&str> {
        self.tags().find(|(known, _)| *known == name).map(|(_, value)| value)
    }

    /// Gives a tag a value, in place of the one it has.
    pub fn set_tag(&mut self, name: &str, value: &str) {
        match self.tags.iter_mut().find(|(known, _)| known == name) {
            Some((_, old)) => value.clone_into(old),
            None => self.tags.push((name.to_owned(), value.to_owned())),
        }
    }

    /// Takes a tag away and returns its value.
    pub fn remove_tag(&mut self, name: &str) -> Option<String> {
        let index = self.tags.iter().position(|(known, _)| known == name)?;
        Some(self.tags.remove(index).1)
    }

    /// The result that stands behind the moves; where there is none, that of the tag `Result`.
    pub fn result(&self) -> GameResult {
        let from_tag = || self.tag("Result").and_then(|text| text.parse().ok());
        self.result.or_else(from_tag).unwrap_or_default()
    }

    /// Sets the result, behind the moves and in the tag.
    pub fn set_result(&mut self, result: GameResult) {
        self.result = Some(result);
        self.set_tag("Result", result.as_str());
    }

    /// The position the game starts from: that of the tag `FEN`, or the start position.
    ///
    /// # Errors
    /// What is wrong with the tag.
    pub fn start_board(&self) -> Result<Board, FenError> {
        self.tag("FEN").map_or_else(|| Ok(Board::startpos()), Board::from_fen)
    }

    /// The root of the moves.
    pub fn root(&self) -> PgnNode<'_> {
        PgnNode { game: self, id: NodeId::ROOT }
    }

    /// A node by its name; `None` if it is one of another game, or has been removed.
    pub fn node(&self, id: NodeId) -> Option<PgnNode<'_>> {
        let node = self.nodes.get(id.index())?;
        (!node.removed).then_some(PgnNode { game: self, id })
    }

    /// The moves that were played: from the root, always the first move there is.
    pub fn mainline(&self) -> impl Iterator<Item = PgnNode<'_>> {
        core::iter::successors(self.root().children().next(), |node| node.children().next())
    }

    /// Adds a move after `parent`: the move that was played if it is the first one there,
    /// otherwise a variation.
    ///
    /// # Panics
    /// If `parent` is not a node of this game, or the game has 4,294,967,296 moves.
    pub fn add_move(&mut self, parent: NodeId, san: San) -> NodeId {
        let id = NodeId(u32::try_from(self.nodes.len()).expect("a game of this length does not fit memory"));
        self.nodes.push(Node { san: Some(san), parent: Some(parent), ..Node::default() });
        let above = self.live(parent);
        let previous = above.last_child.replace(id);
        match previous {
            Some(sibling) => self.nodes[sibling.index()].next_sibling = Some(id),
            None => above.first_child = Some(id),
        }
        id
    }

    /// Adds a glyph to a move, or to the root.
    ///
    /// # Panics
    /// If `id` is not a node of this game; so the other methods that add something.
    pub fn add_nag(&mut self, id: NodeId, nag: Nag) {
        self.nags_mut(id).push(nag);
    }

    /// Adds a comment behind a move, or before the first one if `id` is the root.
    pub fn add_comment(&mut self, id: NodeId, text: impl Into<String>) {
        self.comments_mut(id).push(text.into());
    }

    /// Adds a comment before the first move of a variation. A comment before any other move is
    /// better put behind the move it follows; a reader will understand it so.
    pub fn add_comment_before(&mut self, id: NodeId, text: impl Into<String>) {
        self.comments_before_mut(id).push(text.into());
    }
}

impl Default for PgnGame {
    fn default() -> PgnGame {
        PgnGame::new()
    }
}

/// Two games are equal if their tags are, in any order, and their trees; in what order the moves
/// of the trees were added does not matter.
impl PartialEq for PgnGame {
    fn eq(&self, other: &PgnGame) -> bool {
        let tags = |game: &PgnGame| {
            let mut tags = game.tags.clone();
            tags.sort_unstable();
            tags
        };
        if self.result() != other.result() || tags(self) != tags(other) {
            return false;
        }
        // On the heap: a game may be deeper than the stack.
        let mut pairs = vec![(self.root(), other.root())];
        while let Some((node, twin)) = pairs.pop() {
            let (data, twin_data) = (node.data(), twin.data());
            if data.san != twin_data.san
                || data.nags != twin_data.nags
                || data.comments != twin_data.comments
                || data.comments_before != twin_data.comments_before
                || node.children().count() != twin.children().count()
            {
                return false;
            }
            pairs.extend(node.children().zip(twin.children()));
        }
        true
    }
}

impl Eq for PgnGame {}

/// A node of a [`PgnGame`]: a move with what is said about it, or the root.
#[derive(Clone, Copy, Debug)]
pub struct PgnNode<'a> {
    game: &'a PgnGame,
    id: NodeId,
}

impl<'a> PgnNode<'a> {
    fn data(self) -> &'a Node {
        &self.game.nodes[self.id.index()]
    }

    fn of(self, id: NodeId) -> PgnNode<'a> {
        PgnNode { id, ..self }
    }

    /// The name of the node, with which things can be added to it.
    pub fn id(self) -> NodeId {
        self.id
    }

    /// The move; `None` at the root.
    pub fn san(self) -> Option<San> {
        self.data().san
    }

    /// The glyphs behind the move.
    pub fn nags(self) -> &'a [Nag] {
        &self.data().nags
    }

    /// The comments behind the move, or at the beginning of the game.
    pub fn comments(self) -> &'a [String] {
        &self.data().comments
    }

    /// The comments before the move, if a variation begins with it.
    pub fn comments_before(self) -> &'a [String] {
        &self.data().comments_before
    }

    /// The node before; `None` at the root.
    pub fn parent(self) -> Option<PgnNode<'a>> {
        self.data().parent.map(|id| self.of(id))
    }

    /// The moves that follow: the one that was played first, then the variations.
    pub fn children(self) -> impl Iterator<Item = PgnNode<'a>> {
        let first = self.data().first_child.map(|id| self.of(id));
        core::iter::successors(first, |node| node.data().next_sibling.map(|id| node.of(id)))
    }
}
