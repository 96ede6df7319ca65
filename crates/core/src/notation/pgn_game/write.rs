use super::{NodeId, PgnGame, PgnNode};
use crate::notation::PgnWriter;
use crate::notation::pgn_writer::is_tag_name;
use core::fmt;
use std::io::{self, Write};

/// What is left to be written of a tree. Kept on the heap: a game may be deeper than the stack.
enum Task {
    /// A move, its variations, and what follows it.
    Line(NodeId),
    /// A line in parentheses.
    Open(NodeId),
    Close,
}

impl PgnGame {
    /// Writes the game as the next one of `pgn`.
    ///
    /// # Errors
    /// Those of the writer, and of kind `InvalidInput` for a tag whose name cannot be written.
    pub fn write_to<W: Write>(&self, pgn: &mut PgnWriter<W>) -> io::Result<()> {
        for (name, value) in self.tags() {
            pgn.write_tag(name, value)?;
        }
        self.write_moves(pgn)
    }

    fn write_moves<W: Write>(&self, pgn: &mut PgnWriter<W>) -> io::Result<()> {
        // Where the tag is missing, it is to say what stands behind the moves.
        if self.tag("Result").is_none() {
            pgn.write_tag("Result", self.result().as_str())?;
        }
        write_remarks(self.root(), pgn)?;
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
                    let node = self.root().of(id);
                    for comment in node.comments_before() {
                        pgn.write_comment(comment)?;
                    }
                    if let Some(san) = node.san() {
                        pgn.write_move(san)?;
                    }
                    write_remarks(node, pgn)?;
                    tasks.extend(first(node));
                    // The variations of this move come before what follows it.
                    let siblings = node.parent().into_iter().flat_map(PgnNode::children);
                    let mut siblings = siblings.map(PgnNode::id);
                    if siblings.next() == Some(id) {
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

fn write_remarks<W: Write>(node: PgnNode<'_>, pgn: &mut PgnWriter<W>) -> io::Result<()> {
    for &nag in node.nags() {
        pgn.write_nag(nag)?;
    }
    for comment in node.comments() {
        pgn.write_comment(comment)?;
    }
    Ok(())
}

/// The export format of PGN, without the empty line that separates games. Tags whose names cannot
/// be written are left out.
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
