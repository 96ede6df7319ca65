//! Editing of a [`PgnGame`]: removing, reordering and changing moves.

use super::{Nag, Node, NodeId, PgnGame, PgnNode, San};
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;

impl PgnGame {
    /// Removes a move and everything that follows it from the game.
    ///
    /// The identifiers of removed nodes are not reused, and their memory is freed only with the game.
    ///
    /// ```
    /// use tabiya_core::notation::PgnGame;
    ///
    /// let mut game: PgnGame = "1. e4 e5 (1... c5 2. Nf3) 2. f4 *".parse()?;
    /// let e5 = game.mainline().nth(1).unwrap().id();
    /// game.remove(e5);
    /// assert!(game.node(e5).is_none());
    /// assert!(game.to_string().ends_with("1. e4 c5 2. Nf3 *\n"));
    /// # Ok::<(), tabiya_core::notation::ReadGameError>(())
    /// ```
    ///
    /// # Panics
    /// Panics if `id` is not a node of this game, or is its root.
    pub fn remove(&mut self, id: NodeId) {
        self.unlink(id);
        let mut subtree = vec![id];
        while let Some(id) = subtree.pop() {
            subtree.extend(PgnNode { game: self, id }.children().map(PgnNode::id));
            self.nodes[id.index()].removed = true;
        }
    }

    /// Moves a variation one place forward among those that begin at the same point; the first one is the
    /// main continuation, and the comments before its move become comments after the previous move. Returns false if it is already the first.
    ///
    /// ```
    /// use tabiya_core::notation::PgnGame;
    ///
    /// let mut game: PgnGame = "1. e4 e5 (1... c5) (1... e6) 2. f4 *".parse()?;
    /// let c5 = game.mainline().next().unwrap().children().nth(1).unwrap().id();
    /// assert!(game.promote(c5));
    /// assert!(game.to_string().ends_with("1. e4 c5 (1... e5 2. f4) (1... e6) *\n"));
    /// # Ok::<(), tabiya_core::notation::ReadGameError>(())
    /// ```
    ///
    /// # Panics
    /// Panics if `id` is not a node of this game, or is its root.
    pub fn promote(&mut self, id: NodeId) -> bool {
        self.parent_of(id);
        let Some(previous) = self.nodes[id.index()].previous_sibling else { return false };
        self.move_before(id, previous);
        true
    }

    /// Moves a variation one place back among those that begin at the same point. Returns false if it is already the last.
    ///
    /// ```
    /// use tabiya_core::notation::PgnGame;
    ///
    /// let mut game: PgnGame = "1. e4 e5 (1... c5) (1... e6) 2. f4 *".parse()?;
    /// let e5 = game.mainline().nth(1).unwrap().id();
    /// assert!(game.demote(e5));
    /// assert!(game.to_string().ends_with("1. e4 c5 (1... e5 2. f4) (1... e6) *\n"));
    /// # Ok::<(), tabiya_core::notation::ReadGameError>(())
    /// ```
    ///
    /// # Panics
    /// Panics if `id` is not a node of this game, or is its root.
    pub fn demote(&mut self, id: NodeId) -> bool {
        self.parent_of(id);
        let Some(next) = self.nodes[id.index()].next_sibling else { return false };
        self.move_before(next, id);
        true
    }

    /// Makes the line that leads to a move the main line.
    ///
    /// # Panics
    /// Panics if `id` is not a node of this game.
    pub fn make_mainline(&mut self, mut id: NodeId) {
        while let Some(parent) = self.live(id).parent {
            if let Some(first) = self.nodes[parent.index()].first_child.filter(|&first| first != id) {
                self.move_before(id, first);
            }
            id = parent;
        }
    }

    /// Replaces the SAN of a move. Does nothing at the root.
    ///
    /// # Panics
    /// Panics if `id` is not a node of this game.
    pub fn set_san(&mut self, id: NodeId, san: San) {
        if let Some(old) = &mut self.live(id).san {
            *old = san;
        }
    }

    /// The numeric annotation glyphs of a move, or of the root, for modification.
    ///
    /// # Panics
    /// Panics if `id` is not a node of this game.
    pub fn nags_mut(&mut self, id: NodeId) -> &mut Vec<Nag> {
        &mut self.live(id).nags
    }

    /// The comments after a move, or before the first move if `id` is the root, for modification.
    ///
    /// # Panics
    /// Panics if `id` is not a node of this game.
    pub fn comments_mut(&mut self, id: NodeId) -> &mut Vec<String> {
        &mut self.live(id).comments
    }

    /// The comments before a move that begins a variation, for modification.
    ///
    /// # Panics
    /// Panics if `id` is not a node of this game.
    pub fn comments_before_mut(&mut self, id: NodeId) -> &mut Vec<String> {
        &mut self.live(id).comments_before
    }

    /// The node with this identifier, which must not have been removed.
    pub(super) fn live(&mut self, id: NodeId) -> &mut Node {
        let node = &mut self.nodes[id.index()];
        assert!(!node.removed, "the move has been removed from the game");
        node
    }

    fn parent_of(&mut self, id: NodeId) -> NodeId {
        self.live(id).parent.expect("the root of a game cannot be edited")
    }

    /// Inserts a node among the children of its parent, between two neighbours of which either may be missing.
    pub(super) fn link(&mut self, id: NodeId, previous: Option<NodeId>, next: Option<NodeId>) {
        self.join(id, previous, Some(id));
        self.join(id, Some(id), next);
    }

    /// Takes a node out of the children of its parent.
    fn unlink(&mut self, id: NodeId) {
        self.parent_of(id);
        let Node { previous_sibling, next_sibling, .. } = self.nodes[id.index()];
        self.join(id, previous_sibling, next_sibling);
    }

    /// Moves a node in front of one of its siblings.
    fn move_before(&mut self, id: NodeId, sibling: NodeId) {
        self.unlink(id);
        let previous = self.nodes[sibling.index()].previous_sibling;
        self.link(id, previous, Some(sibling));
    }

    /// Makes `left` and `right` neighbours among the siblings of `id`; `None` is an end of the list.
    fn join(&mut self, id: NodeId, left: Option<NodeId>, right: Option<NodeId>) {
        let parent = self.parent_of(id);
        match left {
            Some(left) => self.nodes[left.index()].next_sibling = right,
            None => {
                self.nodes[parent.index()].first_child = right;
                // In PGN a comment before a move that continues its line is one after the previous move.
                let comments = right.map(|id| core::mem::take(&mut self.nodes[id.index()].comments_before));
                self.nodes[parent.index()].comments.extend(comments.into_iter().flatten());
            }
        }
        match right {
            Some(right) => self.nodes[right.index()].previous_sibling = left,
            None => self.nodes[parent.index()].last_child = left,
        }
    }

    /// Undoes the last [`add_move`](PgnGame::add_move), which added this node, and returns the node's parent. Frees the node,
    /// unlike [`remove`](PgnGame::remove).
    #[cfg(feature = "std")]
    pub(super) fn undo_add_move(&mut self, id: NodeId) -> NodeId {
        debug_assert_eq!(id.index(), self.nodes.len() - 1, "only the last added move can be undone");
        let parent = self.parent_of(id);
        self.unlink(id);
        self.nodes.pop();
        parent
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "1. e4 e5 (1... c5 2. Nf3 (2. c3 d5) 2... d6) (1... e6 $1 { French }) 2. f4 *";

    fn find(game: &PgnGame, san: &str) -> NodeId {
        let id = (0..game.nodes.len() as u32).map(NodeId).find(|&id| {
            game.node(id).and_then(|node| node.san()).is_some_and(|node_san| node_san.to_string() == san)
        });
        id.unwrap()
    }

    fn moves(game: &PgnGame) -> String {
        game.to_string().lines().last().unwrap().to_owned()
    }

    #[test]
    fn remove_deletes_the_subtree() {
        let mut game: PgnGame = TEXT.parse().unwrap();
        let (nf3, d6) = (find(&game, "Nf3"), find(&game, "d6"));
        game.remove(nf3);
        assert_eq!(moves(&game), "1. e4 e5 (1... c5 2. c3 d5) (1... e6 $1 { French }) 2. f4 *");
        assert!(game.node(nf3).is_none() && game.node(d6).is_none());
        let e4 = find(&game, "e4");
        game.remove(e4);
        assert_eq!(moves(&game), "*");
        assert_eq!(game, PgnGame { tags: game.tags.clone(), ..PgnGame::empty() });
        let d4 = game.add_move(NodeId::ROOT, "d4".parse().unwrap());
        assert_eq!(game.mainline().map(|node| node.id()).collect::<Vec<_>>(), [d4]);
    }

    /// Linear in the number of moves. If each removal took time proportional to the number of siblings, this test would take minutes.
    #[test]
    fn many_variations_of_one_move_are_removed_in_any_order() {
        const VARIATIONS: usize = 100_000;
        let mut game = PgnGame::new();
        let e4 = "e4".parse().unwrap();
        let variations: Vec<NodeId> = (0..VARIATIONS).map(|_| game.add_move(NodeId::ROOT, e4)).collect();
        // Every second one from the end, then the others from the beginning, except for two.
        variations.iter().rev().step_by(2).for_each(|&id| game.remove(id));
        variations[2..VARIATIONS - 2].iter().step_by(2).for_each(|&id| game.remove(id));
        let (first, last) = (variations[0], variations[VARIATIONS - 2]);
        assert!(game.root().children().map(PgnNode::id).eq([first, last]));
        assert!(game.promote(last));
        let added = game.add_move(NodeId::ROOT, e4);
        assert!(game.root().children().map(PgnNode::id).eq([last, first, added]));
    }

    #[test]
    fn promote_and_make_mainline_reorder_siblings() {
        let mut game: PgnGame = TEXT.parse().unwrap();
        let (e6, d5) = (find(&game, "e6"), find(&game, "d5"));
        assert!(game.promote(e6) && game.promote(e6) && !game.promote(e6));
        assert!(game.demote(e6) && game.demote(e6) && !game.demote(e6));
        assert_eq!(moves(&game), TEXT);
        assert!(game.promote(e6) && game.promote(e6));
        assert_eq!(
            moves(&game),
            "1. e4 e6 $1 { French } (1... e5 2. f4) (1... c5 2. Nf3 (2. c3 d5) 2... d6) *"
        );
        game.make_mainline(d5);
        assert_eq!(
            moves(&game),
            "1. e4 c5 (1... e6 $1 { French }) (1... e5 2. f4) 2. c3 (2. Nf3 d6) 2... d5 *"
        );
        game.nags_mut(e6).clear();
        game.comments_mut(e6)[0] = "Paris".to_owned();
        game.comments_before_mut(e6).push("or".to_owned());
        game.set_san(d5, "g6".parse().unwrap());
        assert_eq!(
            moves(&game),
            "1. e4 c5 ({ or } 1... e6 { Paris }) (1... e5 2. f4) 2. c3 (2. Nf3 d6) 2... g6 *"
        );
    }

    #[test]
    fn comments_before_promoted_variations_stay_where_they_are_read_again() {
        let mut game: PgnGame = "1. e4 (1. d4) 1... e5 ({ Better } 1... c5) *".parse().unwrap();
        game.promote(find(&game, "c5"));
        assert_eq!(moves(&game), "1. e4 { Better } (1. d4) 1... c5 (1... e5) *");
        assert_eq!(game.to_string().parse::<PgnGame>().unwrap(), game);
        // The same if the main continuation is removed.
        let mut game: PgnGame =
            "1. e4 {King's pawn} ({Or} 1. d4 d5) 1... e5 ({ Better } 1... c5) *".parse().unwrap();
        game.remove(find(&game, "e5"));
        assert_eq!(moves(&game), "1. e4 { King's pawn } { Better } ({ Or } 1. d4 d5) 1... c5 *");
        game.make_mainline(find(&game, "d5"));
        assert_eq!(moves(&game), "{ Or } 1. d4 (1. e4 { King's pawn } { Better } 1... c5) 1... d5 *");
        assert_eq!(game.to_string().parse::<PgnGame>().unwrap(), game);
    }

    #[test]
    #[should_panic(expected = "removed")]
    fn adding_to_a_removed_move_panics() {
        let mut game: PgnGame = TEXT.parse().unwrap();
        let e5 = find(&game, "e5");
        game.remove(e5);
        game.add_move(e5, "d4".parse().unwrap());
    }
}
