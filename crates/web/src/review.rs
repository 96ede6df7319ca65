//! The review of a game on a thread of its own.

use crate::outbox::{Closed, Outbox};
use crate::protocol::{Envelope, Reply, ReviewProgress};
use crate::resources::GENERATOR;
use crate::search::ScoreView;
use std::io;
use std::sync::Arc;
use std::thread::{self, JoinHandle};
use tabiya_core::notation::PgnScore;
use tabiya_movegen::GameTree;
use tabiya_review::report::ReportGame;
use tabiya_review::{CancelToken, Canceller, PositionReview, Reviewer, annotate};
use tabiya_search::{Engine, Limits, Options};

/// The range of nodes for each position.
const NODES: std::ops::RangeInclusive<u64> = 1_000..=100_000_000;

/// A review in progress. Dropping it cancels it and waits for its thread.
pub(crate) struct RunningReview {
    pub(crate) id: u32,
    canceller: Option<Canceller>,
    thread: Option<JoinHandle<()>>,
}

impl RunningReview {
    /// Starts the review of the first game in `pgn`.
    pub(crate) fn start<O: Outbox>(
        id: u32,
        pgn: &str,
        nodes: u64,
        options: Options,
        outbox: &Arc<O>,
    ) -> Result<RunningReview, ReviewError> {
        let tree: GameTree = pgn
            .parse()
            .map_err(|error: tabiya_movegen::BrokenGameTree| ReviewError::Game(error.to_string()))?;
        let engine = Engine::new(options).map_err(ReviewError::Engine)?;
        let limits = Limits::nodes(nodes.clamp(*NODES.start(), *NODES.end()));
        let reviewer = Reviewer::new(engine, limits);
        let (canceller, cancel) = Canceller::new();
        let outbox = Arc::clone(outbox);
        let thread = thread::Builder::new()
            .name("review".into())
            .spawn(move || {
                // An error means that nobody waits for the reply.
                let _ = review(id, tree, reviewer, &cancel, &*outbox);
            })
            .map_err(ReviewError::Thread)?;
        Ok(RunningReview { id, canceller: Some(canceller), thread: Some(thread) })
    }

    /// Cancels the review. Its last reply is still sent.
    pub(crate) fn cancel(&mut self) {
        self.canceller = None;
    }
}

impl Drop for RunningReview {
    fn drop(&mut self) {
        self.cancel();
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// A reason why a review cannot start.
#[derive(Debug)]
pub(crate) enum ReviewError {
    Game(String),
    Engine(tabiya_search::EngineError),
    Thread(io::Error),
}

impl std::fmt::Display for ReviewError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            ReviewError::Game(error) => f.write_str(error),
            ReviewError::Engine(error) => error.fmt(f),
            ReviewError::Thread(error) => write!(f, "cannot start a thread: {error}"),
        }
    }
}

impl std::error::Error for ReviewError {}

fn review(
    id: u32,
    mut tree: GameTree,
    mut reviewer: Reviewer,
    cancel: &CancelToken,
    outbox: &impl Outbox,
) -> Result<(), Closed> {
    let total = tree.mainline().count();
    let mut ply = 0;
    let review = reviewer.review(&tree, cancel, |_, position| {
        ply += 1;
        let progress = progress(ply, total, position);
        // A page that reads slowly misses reports, not results.
        let _ = outbox.try_send(Envelope { id: Some(id), reply: Reply::Progress(progress) });
    });
    let reply = match review {
        None => Reply::Done,
        Some(review) => {
            annotate(&mut tree, &review, GENERATOR, true);
            Reply::Reviewed { game: Box::new(ReportGame::new(1, &tree, &review)), pgn: tree.to_string() }
        }
    };
    outbox.send(Envelope { id: Some(id), reply })
}

fn progress(ply: usize, total: usize, position: &PositionReview) -> ReviewProgress {
    let score = position.score.map(|(score, _)| match score {
        PgnScore::Centipawns(value) => ScoreView { cp: Some(value), mate: None },
        PgnScore::Mate(moves) => ScoreView { cp: None, mate: Some(moves) },
    });
    ReviewProgress { ply, total, white: position.white, score }
}
