//! The engines that can review games.

use crate::cancel::CancelToken;
use crossbeam_channel::{select, unbounded};
use std::ops::ControlFlow;
use tabiya_movegen::Game;
use tabiya_search::{BlockingEngine, Engine, Info, Limits, Options, SearchEvent};

/// An engine for a [`Reviewer`](crate::Reviewer). [`Engine`] searches in other threads, [`BlockingEngine`] in the calling one.
pub trait ReviewEngine {
    /// The current options. A review takes the results of their tablebases.
    fn options(&self) -> &Options;

    /// Clears everything learnt from earlier searches.
    fn clear(&mut self);

    /// Searches the current position of `game` and returns the last report, or `None` if there was none.
    ///
    /// # Errors
    /// [`Cancelled`] if `cancel` ended the search.
    fn last_report(
        &mut self,
        game: &Game,
        limits: &Limits,
        cancel: &CancelToken,
    ) -> Result<Option<Info>, Cancelled>;
}

/// The error of a search that has been cancelled.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Cancelled;

impl std::fmt::Display for Cancelled {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("the search has been cancelled")
    }
}

impl std::error::Error for Cancelled {}

impl ReviewEngine for Engine {
    fn options(&self) -> &Options {
        Engine::options(self)
    }

    fn clear(&mut self) {
        Engine::clear(self);
    }

    fn last_report(
        &mut self,
        game: &Game,
        limits: &Limits,
        cancel: &CancelToken,
    ) -> Result<Option<Info>, Cancelled> {
        let (sender, events) = unbounded();
        // An error means that the search has been cancelled. Dropping the search stops it.
        let _search = self.go_with(game, limits.clone(), move |event| drop(sender.send(event)));
        let mut last = None;
        loop {
            select! {
                recv(events) -> event => match event {
                    Ok(SearchEvent::Info(info)) => last = Some(info),
                    Ok(_) => {}
                    Err(_) => return Ok(last),
                },
                recv(cancel.channel()) -> _ => return Err(Cancelled),
            }
        }
    }
}

/// A cancelled search ends at its next report.
impl ReviewEngine for BlockingEngine {
    fn options(&self) -> &Options {
        BlockingEngine::options(self)
    }

    fn clear(&mut self) {
        BlockingEngine::clear(self);
    }

    fn last_report(
        &mut self,
        game: &Game,
        limits: &Limits,
        cancel: &CancelToken,
    ) -> Result<Option<Info>, Cancelled> {
        let mut last = None;
        self.search_with(game, limits, |event| {
            if let SearchEvent::Info(info) = event {
                last = Some(info);
            }
            if cancel.is_cancelled() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        if cancel.is_cancelled() { Err(Cancelled) } else { Ok(last) }
    }
}
