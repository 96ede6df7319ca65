//! The engines that can review games.

use crate::cancel::CancelToken;
use crossbeam_channel::{select, unbounded};
use std::ops::ControlFlow;
use tabiya_core::Bound;
use tabiya_movegen::Game;
use tabiya_search::{BlockingEngine, Engine, Info, Limits, Options, Score, SearchEvent};

/// An engine for a [`Reviewer`](crate::Reviewer). [`Engine`] searches in other threads, [`BlockingEngine`] in the calling one.
pub trait ReviewEngine {
    /// The current options. A review takes the results of their tablebases.
    fn options(&self) -> &Options;

    /// Clears everything learnt from earlier searches.
    fn clear(&mut self);

    /// Searches the current position of `game` and returns the report that [`LastReport`] keeps, or `None` if there was none.
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

/// The report of a search that has the evaluation and the line of its position: the last one with an exact score.
///
/// A search that a limit ends within an iteration may report a bound after it, with a line of one or two moves that shows nothing. Such a
/// report is kept only if it proves a mate, or if no report is exact.
///
/// ```
/// use tabiya_core::Bound;
/// use tabiya_review::LastReport;
/// use tabiya_search::{Info, Score};
///
/// let mut last = LastReport::default();
/// last.add(Info::new(15, Score::Centipawns(80)));
/// last.add(Info::new(16, Score::Centipawns(40)).with_bound(Bound::Upper));
/// assert_eq!(last.info().map(|info| info.depth), Some(15));
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct LastReport {
    info: Option<Info>,
}

impl LastReport {
    /// Adds a report. One of another line than the first is ignored.
    pub fn add(&mut self, info: Info) {
        let is_kept = match &self.info {
            Some(kept) if is_certain(kept) => {
                // An exact report of the same mate has the whole line.
                info.bound == Bound::Exact || (is_certain(&info) && info.score != kept.score)
            }
            _ => true,
        };
        if is_kept && info.multipv <= 1 {
            self.info = Some(info);
        }
    }

    /// The report, or `None` if there was none.
    pub fn info(&self) -> Option<&Info> {
        self.info.as_ref()
    }
}

/// Returns true if the score is exact, or a bound that proves a mate.
fn is_certain(info: &Info) -> bool {
    match (info.bound, info.score) {
        (Bound::Exact, _) | (Bound::Lower, Score::Mate(1..)) | (Bound::Upper, Score::Mate(..=-1)) => true,
        (Bound::Lower | Bound::Upper, _) => false,
    }
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
        let mut last = LastReport::default();
        loop {
            select! {
                recv(events) -> event => match event {
                    Ok(SearchEvent::Info(info)) => last.add(info),
                    Ok(_) => {}
                    Err(_) => return Ok(last.info),
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
        let mut last = LastReport::default();
        self.search_with(game, limits, |event| {
            if let SearchEvent::Info(info) = event {
                last.add(info);
            }
            if cancel.is_cancelled() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        if cancel.is_cancelled() { Err(Cancelled) } else { Ok(last.info) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Score::{Centipawns, Mate};

    /// The depth of the report that is kept. The reports have the depths 1, 2 and so on.
    fn kept(reports: &[(Score, Bound)]) -> Option<u32> {
        let mut last = LastReport::default();
        for (depth, &(score, bound)) in (1..).zip(reports) {
            last.add(Info::new(depth, score).with_bound(bound));
        }
        last.info().map(|info| info.depth)
    }

    #[test]
    fn bounds_do_not_replace_exact_reports() {
        use Bound::{Exact, Lower, Upper};
        assert_eq!(kept(&[]), None);
        assert_eq!(kept(&[(Centipawns(10), Exact), (Centipawns(20), Exact)]), Some(2));
        for bound in [Lower, Upper] {
            assert_eq!(kept(&[(Centipawns(10), Exact), (Centipawns(20), bound)]), Some(1));
            assert_eq!(
                kept(&[(Centipawns(10), Exact), (Centipawns(20), bound), (Centipawns(5), Exact)]),
                Some(3)
            );
            assert_eq!(kept(&[(Centipawns(10), bound), (Centipawns(20), bound)]), Some(2), "none is exact");
        }
    }

    #[test]
    fn other_lines_are_ignored() {
        let mut last = LastReport::default();
        last.add(Info::new(3, Centipawns(30)));
        last.add(Info::new(3, Centipawns(10)).with_multipv(2));
        assert_eq!(last.info().map(|info| info.score), Some(Centipawns(30)));
    }

    #[test]
    fn bounds_that_prove_a_mate_are_kept() {
        use Bound::{Exact, Lower, Upper};
        let exact = (Centipawns(300), Exact);
        assert_eq!(kept(&[exact, (Mate(5), Lower), (Mate(5), Upper)]), Some(2));
        assert_eq!(kept(&[exact, (Mate(-5), Upper), (Mate(-5), Lower)]), Some(2));
        assert_eq!(kept(&[(Mate(5), Exact), (Mate(5), Lower)]), Some(1), "the exact report has the line");
        assert_eq!(kept(&[(Mate(5), Exact), (Mate(4), Lower)]), Some(2));
    }
}
