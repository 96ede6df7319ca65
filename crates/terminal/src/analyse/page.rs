//! The analysis as an HTML page: a board, the game, and the lines.

use super::AnalyseArgs;
use crate::NAME;
use crate::game_file;
use crate::message::counted;
use anyhow::{Result, bail};
use std::num::NonZeroU64;
use std::path::Path;
use tabiya_core::Bound;
use tabiya_core::notation::NodeId;
use tabiya_files::output::{self, Existing};
use tabiya_movegen::{Game, GameTree};
use tabiya_review::report::{Heading, HtmlReport, ReportGame};
use tabiya_search::Info;

/// A page to write when the search has ended.
pub(super) struct Page<'a> {
    path: &'a Path,
    existing: Existing,
    /// The files that the command reads.
    inputs: Vec<&'a Path>,
    /// The PGN file, if there is one.
    file: Option<&'a Path>,
    /// The number of the game in the file.
    number: u64,
    /// The latest exact report of each line.
    lines: Vec<Info>,
}

impl<'a> Page<'a> {
    /// Checks that the page can be written.
    ///
    /// # Errors
    /// If the file is an input or standard output, or exists and must not be replaced.
    pub(super) fn new(path: &'a Path, args: &'a AnalyseArgs) -> Result<Page<'a>> {
        if output::is_stdout(path) {
            bail!("the page needs a file: standard output has the table");
        }
        let page = Page {
            path,
            existing: args.force.existing(),
            inputs: args.file().into_iter().chain(args.engine.network_file()).collect(),
            file: args.file(),
            number: args.position.game.map_or(1, NonZeroU64::get),
            lines: Vec::new(),
        };
        output::check(path, page.existing, &page.inputs)?;
        Ok(page)
    }

    /// Notes a report. A bound is shown only if there is nothing better.
    pub(super) fn add(&mut self, info: &Info) {
        let index = (info.multipv as usize).max(1) - 1;
        match self.lines.get_mut(index) {
            Some(line) if info.bound == Bound::Exact || line.bound != Bound::Exact => *line = info.clone(),
            Some(_) => {}
            None => self.lines.push(info.clone()),
        }
    }

    /// Writes the page. `tree` is the file's game, if there is a file; the analysed position is the last one of `game`.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub(super) fn write(self, game: &Game, tree: Option<GameTree>, evaluation: &str) -> Result<()> {
        let tree = tree.unwrap_or_else(|| GameTree::from(game));
        let last = game.moves().len().checked_sub(1).and_then(|ply| tree.mainline().nth(ply));
        let position = last.map_or(NodeId::ROOT, |node| node.id());
        let title = self.file.and_then(game_file::title);
        let title = title.unwrap_or_else(|| "Analysis".into());
        let search = match self.lines.first() {
            Some(info) => {
                let nodes = self.lines.iter().map(|line| line.nodes).max().unwrap_or_default();
                format!("depth {}, {}, {evaluation} evaluation", info.depth, counted(nodes, "node"))
            }
            None => "the game is over".to_owned(),
        };
        let mut page = HtmlReport::new(Vec::new(), &Heading::new(title, NAME, search))?;
        let analysis = ReportGame::from_analysis(tree, position, &self.lines);
        page.add(&ReportGame { number: self.number, ..analysis })?;
        output::write(self.path, &page.finish()?, self.existing, &self.inputs)?;
        Ok(())
    }
}
