//! The review of a game in a thread, for a session of the server.

use crate::protocol::{Envelope, Reply, ReviewProgress};
use crate::reply_sender::ReplySender;
use crate::resources::GENERATOR;
use std::io;
use std::sync::Arc;
use std::thread::{self, JoinHandle};
use tabiya_movegen::GameTree;
use tabiya_review::report::ReportGame;
use tabiya_review::{CancelToken, Canceller, ReviewEngine, Reviewer, annotate};
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
    /// Starts the review of a game.
    pub(crate) fn start<S: ReplySender>(
        id: u32,
        tree: GameTree,
        nodes: u64,
        options: Options,
        replies: &Arc<S>,
    ) -> Result<RunningReview, ReviewError> {
        let engine = Engine::new(options).map_err(ReviewError::Engine)?;
        let reviewer = Reviewer::new(engine, limits(nodes));
        let (canceller, cancel) = Canceller::new();
        let replies = Arc::clone(replies);
        let thread = thread::Builder::new()
            .name("review".into())
            .spawn(move || {
                let last = review(tree, reviewer, &cancel, |progress| {
                    // A page that reads slowly misses reports, not results.
                    let _ = replies.try_send(Envelope { id: Some(id), reply: Reply::Progress(progress) });
                });
                // An error means that nobody waits for the reply.
                let _ = replies.send(Envelope { id: Some(id), reply: last });
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
    Engine(tabiya_search::EngineError),
    Thread(io::Error),
}

impl std::fmt::Display for ReviewError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            ReviewError::Engine(error) => error.fmt(f),
            ReviewError::Thread(error) => write!(f, "cannot start a thread: {error}"),
        }
    }
}

impl std::error::Error for ReviewError {}

/// The limits of a position's search.
pub(crate) fn limits(nodes: u64) -> Limits {
    Limits::nodes(nodes.clamp(*NODES.start(), *NODES.end()))
}

/// Reviews a game and returns the last reply to the request.
pub(crate) fn review<E: ReviewEngine>(
    mut tree: GameTree,
    mut reviewer: Reviewer<E>,
    cancel: &CancelToken,
    mut report: impl FnMut(ReviewProgress),
) -> Reply {
    let total = tree.mainline().count();
    let mut ply = 0;
    let review = reviewer.review(&tree, cancel, |_, position| {
        ply += 1;
        report(ReviewProgress { ply, total, white: position.white });
    });
    let Some(review) = review else { return Reply::Done };
    annotate(&mut tree, &review, GENERATOR, true);
    Reply::Reviewed { game: Box::new(ReportGame::new(1, &tree, &review)) }
}
