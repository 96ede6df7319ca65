use super::{GameTree, Ply};
use crate::{Game, Position};
use alloc::string::String;
use alloc::vec::Vec;
use tabiya_core::Move;
use tabiya_core::notation::{Nag, NodeId, PgnNode, San};

/// A node of a [`GameTree`]: a move with what is said about it, or the root.
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

    /// The name of the node, with which things can be done to it.
    pub fn id(self) -> NodeId {
        self.pgn.id()
    }

    /// The move; `None` at the root, and if the move is a null move.
    pub fn mv(self) -> Option<Move> {
        self.ply().mv
    }

    /// The move in standard algebraic notation, a null move as `--`; `None` at the root.
    pub fn san(self) -> Option<San> {
        self.pgn.san()
    }

    /// The position after the move.
    pub fn position(self) -> &'a Position {
        &self.ply().position
    }

    /// The glyphs behind the move.
    pub fn nags(self) -> &'a [Nag] {
        self.pgn.nags()
    }

    /// The comments behind the move, or at the beginning of the game. For the commands in them, such
    /// as clock times, see [`annotations`](tabiya_core::notation::annotations).
    pub fn comments(self) -> &'a [String] {
        self.pgn.comments()
    }

    /// The comments before the move, if a variation begins with it.
    pub fn comments_before(self) -> &'a [String] {
        self.pgn.comments_before()
    }

    /// The node before; `None` at the root.
    pub fn parent(self) -> Option<GameNode<'a>> {
        self.pgn.parent().map(|pgn| GameNode { pgn, ..self })
    }

    /// The moves that follow: the one that was played first, then the variations.
    pub fn children(self) -> impl Iterator<Item = GameNode<'a>> {
        self.pgn.children().map(move |pgn| GameNode { pgn, ..self })
    }

    /// Has this move been played, or is it part of a variation? The root counts as played.
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

    /// The moves that lead here from the root, this one last.
    pub fn line(self) -> Vec<GameNode<'a>> {
        let mut line: Vec<_> = core::iter::successors(Some(self), |node| node.parent()).collect();
        line.pop();
        line.reverse();
        line
    }

    /// The moves that lead here as a [`Game`], which knows of repetitions and draws; `None` if a null
    /// move is among them.
    pub fn game(self) -> Option<Game> {
        let mut game = Game::from_position(self.tree.start().clone());
        self.line().into_iter().try_for_each(|node| {
            game.push(node.mv()?, node.position().clone());
            Some(())
        })?;
        Some(game)
    }
}
