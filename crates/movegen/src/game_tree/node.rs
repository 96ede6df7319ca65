//! Nodes of a game tree.

use super::{GameTree, Ply};
use crate::game::Game;
use crate::position::Position;
use alloc::string::String;
use alloc::vec::Vec;
use tabiya_core::Move;
use tabiya_core::notation::{Nag, NodeId, PgnNode, San};

/// A node of a [`GameTree`]: a move with its annotations, or the root.
#[derive(Clone, Copy, Debug)]
pub struct GameNode<'a> {
    tree: &'a GameTree,
    pgn: PgnNode<'a>,
}

impl<'a> GameNode<'a> {
    pub(super) fn new(tree: &'a GameTree, pgn: PgnNode<'a>) -> GameNode<'a> {
        GameNode { tree, pgn }
    }

    fn ply(self) -> &'a Ply {
        &self.tree.plies[self.id().index()]
    }

    /// Returns the node's identifier, with which the tree can be edited.
    pub fn id(self) -> NodeId {
        self.pgn.id()
    }

    /// Returns the move; `None` at the root and for a null move.
    pub fn mv(self) -> Option<Move> {
        self.ply().mv
    }

    /// Returns the move in standard algebraic notation, with `--` for a null move; `None` at the root.
    pub fn san(self) -> Option<San> {
        self.pgn.san()
    }

    /// Returns the position after the move.
    pub fn position(self) -> &'a Position {
        &self.ply().position
    }

    /// Returns the NAGs (annotation glyphs) after the move.
    pub fn nags(self) -> &'a [Nag] {
        self.pgn.nags()
    }

    /// Returns the comments after the move, or those at the beginning of the game. To extract embedded
    /// commands such as clock times, use [`annotations`](tabiya_core::notation::annotations).
    pub fn comments(self) -> &'a [String] {
        self.pgn.comments()
    }

    /// Returns the comments before the move, which only the first move of a variation has.
    pub fn comments_before(self) -> &'a [String] {
        self.pgn.comments_before()
    }

    /// Returns the parent; `None` at the root.
    pub fn parent(self) -> Option<GameNode<'a>> {
        self.pgn.parent().map(|pgn| GameNode { pgn, ..self })
    }

    /// Returns the children: the continuation of this line first, then the variations.
    pub fn children(self) -> impl Iterator<Item = GameNode<'a>> {
        self.pgn.children().map(move |pgn| GameNode { pgn, ..self })
    }

    /// Returns true if the node is on the main line. The root is.
    pub fn is_mainline(self) -> bool {
        let mut node = self;
        while let Some(parent) = node.parent() {
            if parent.children().next().is_none_or(|first| first.id() != node.id()) {
                return false;
            }
            node = parent;
        }
        true
    }

    /// Returns the nodes from the first move to this one; empty at the root.
    pub fn line(self) -> Vec<GameNode<'a>> {
        let mut line: Vec<_> = core::iter::successors(Some(self), |node| node.parent()).collect();
        line.pop();
        line.reverse();
        line
    }

    /// Returns the line from the root to this node as a [`Game`], which knows repetitions and draws; `None` if
    /// it contains a null move.
    pub fn game(self) -> Option<Game> {
        let mut game = Game::from_position(self.tree.start().clone());
        self.line().into_iter().try_for_each(|node| {
            game.push(node.mv()?, node.position().clone());
            Some(())
        })?;
        Some(game)
    }
}
