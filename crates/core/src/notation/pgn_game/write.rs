//! Writing a [`PgnGame`] as PGN.

use super::{NodeId, PgnGame, PgnNode};
use crate::notation::PgnWriter;
use crate::notation::tags::is_tag_name;
use core::fmt;
use std::io::{self, Write};

/// A part of the tree that remains to be written. The traversal is not recursive, because a deep tree would
/// overflow the stack.
enum Task {
    /// Write a move, its variations, and the moves that follow it.
    Line(NodeId),
    /// Write a variation.
    Open(NodeId),
    /// End a variation.
    Close,
}

impl PgnGame {
    /// Writes the game to `pgn`.
    ///
    /// # Errors
    /// Returns the errors of the writer, and an error of kind `InvalidInput` for an invalid tag name.
    pub fn write_to<W: Write>(&self, pgn: &mut PgnWriter<W>) -> io::Result<()> {
        for (name, value) in self.tags() {
            pgn.write_tag(name, value)?;
        }
        self.write_moves(pgn)
    }

    fn write_moves<W: Write>(&self, pgn: &mut PgnWriter<W>) -> io::Result<()> {
        pgn.write_tag("Result", self.result_tag())?;
        write_annotations(self.root(), pgn)?;
        let first = |node: PgnNode<'_>| node.children().next().map(|child| Task::Line(child.id()));
        let mut tasks: Vec<Task> = first(self.root()).into_iter().collect();
        while let Some(task) = tasks.pop() {
            match task {
                Task::Close => pgn.end_variation()?,
                Task::Open(id) => {
                    pgn.begin_variation()?;
                    tasks.push(Task::Close);
                    tasks.push(Task::Line(id));
                }
                Task::Line(id) => {
                    let node = self.root().at(id);
                    let siblings = node.parent().into_iter().flat_map(PgnNode::children);
                    let mut siblings = siblings.map(PgnNode::id);
                    let is_main = siblings.next() == Some(id);
                    if !is_main {
                        write_comments(node.comments_before(), pgn)?;
                    }
                    if let Some(san) = node.san() {
                        pgn.write_move(san)?;
                    }
                    write_annotations(node, pgn)?;
                    tasks.extend(first(node));
                    // The alternatives to this move come before the moves that follow it.
                    if is_main {
                        let from = tasks.len();
                        tasks.extend(siblings.map(Task::Open));
                        tasks[from..].reverse();
                    }
                }
            }
        }
        pgn.finish(self.result())
    }
}

/// Writes the glyphs of a move, the comments after it, and those before the move that continues its line. After the
/// variations of the move, a reader would take the latter for comments on this one.
fn write_annotations<W: Write>(node: PgnNode<'_>, pgn: &mut PgnWriter<W>) -> io::Result<()> {
    for &nag in node.nags() {
        pgn.write_nag(nag)?;
    }
    write_comments(node.comments(), pgn)?;
    node.children().next().map_or(Ok(()), |next| write_comments(next.comments_before(), pgn))
}

fn write_comments<W: Write>(comments: &[String], pgn: &mut PgnWriter<W>) -> io::Result<()> {
    comments.iter().try_for_each(|comment| pgn.write_comment(comment))
}

/// Writes PGN export format, without the empty line that separates games. Tags with invalid names are
/// omitted.
impl fmt::Display for PgnGame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut pgn = PgnWriter::new(Vec::new());
        for (name, value) in self.tags().filter(|(name, _)| is_tag_name(name)) {
            pgn.write_tag(name, value).map_err(|_| fmt::Error)?;
        }
        self.write_moves(&mut pgn).map_err(|_| fmt::Error)?;
        let text = pgn.into_inner();
        f.write_str(String::from_utf8_lossy(&text).trim_end_matches('\n'))?;
        f.write_str("\n")
    }
}
