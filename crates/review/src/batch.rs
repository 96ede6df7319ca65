//! [`GameReviews`]: the games of a PGN text, reviewed in parallel. One thread reads, several review, and the caller iterates
//! over the results.

use crate::cancel::CancelToken;
use crate::reviewer::{GameReview, Reviewer};
use crossbeam_channel::{Receiver, Sender, TryRecvError, bounded, select};
use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Read};
use std::sync::Arc;
use std::thread::{self, JoinHandle};
use std::{error, fmt};
use tabiya_core::notation::PgnReader;
use tabiya_movegen::{GameTree, GameTreeBuilder, ReplayError};

/// Games in memory for each reviewer: read ahead, in work, or waiting for their turn.
const GAMES_PER_REVIEWER: usize = 4;

/// A function called after each reviewed move, with the game's number, from the threads of the reviewers.
pub type MoveObserver = dyn Fn(u64) + Send + Sync;

/// The settings of [`GameReviews::start`].
pub struct BatchOptions {
    /// The numbers of games to leave out, from 1.
    pub skip: BTreeSet<u64>,
    /// True if the games must arrive in the order of the input. Otherwise each arrives when it is done.
    pub in_order: bool,
    /// Called after each reviewed move.
    pub observe: Box<MoveObserver>,
    /// Stops the reviews.
    pub cancel: CancelToken,
}

impl Default for BatchOptions {
    fn default() -> BatchOptions {
        BatchOptions {
            skip: BTreeSet::new(),
            in_order: true,
            observe: Box::new(|_| {}),
            cancel: CancelToken::never(),
        }
    }
}

impl fmt::Debug for BatchOptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("BatchOptions")
            .field("skip", &self.skip)
            .field("in_order", &self.in_order)
            .field("cancel", &self.cancel)
            .finish_non_exhaustive()
    }
}

/// A game of the input with its review.
#[derive(Debug)]
pub struct ReviewedGame {
    /// Number in the input, from 1.
    pub number: u64,
    /// The game, unchanged, and its review, or the error that makes it invalid.
    pub game: Result<(GameTree, GameReview), Box<ReplayError>>,
}

/// An iterator over reviewed games. After it is dropped, the threads end with the games that they are reviewing; a
/// [`CancelToken`] stops them at once.
///
/// ```
/// use tabiya_review::{BatchOptions, GameReviews, Reviewer};
/// use tabiya_search::{Engine, Limits, Options};
///
/// let text = "[White \"A\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n\n[White \"B\"]\n\n1. e4 e5 2. Ke3 *\n";
/// let reviewer = Reviewer::new(Engine::new(Options::default())?, Limits::nodes(500));
/// let mut games = GameReviews::start(text.as_bytes(), vec![reviewer], BatchOptions::default())?;
/// let (tree, review) = games.next().expect("two games")?.game?;
/// assert_eq!((tree.tag("White"), review.moves.len()), (Some("A"), 4));
/// assert!(games.next().expect("two games")?.game.is_err(), "2. Ke3 is illegal");
/// assert!(games.next().is_none());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct GameReviews {
    results: Receiver<ReviewedGame>,
    /// A semaphore with a permit for each game in memory, for which the reader waits.
    release: Receiver<()>,
    /// Returns the number of games read and not skipped.
    reader: Option<JoinHandle<io::Result<u64>>>,
    cancel: CancelToken,
    skip: Arc<BTreeSet<u64>>,
    in_order: bool,
    /// Games that are done before their turn.
    waiting: BTreeMap<u64, ReviewedGame>,
    /// The game whose turn it is, if they arrive in order.
    next: u64,
    returned: u64,
}

impl GameReviews {
    /// Starts to read and review games, with one thread for each reviewer.
    ///
    /// # Errors
    /// If a thread cannot be started, or there is no reviewer.
    pub fn start(
        input: impl Read + Send + 'static,
        reviewers: Vec<Reviewer>,
        options: BatchOptions,
    ) -> io::Result<GameReviews> {
        if reviewers.is_empty() {
            return Err(io::Error::new(
                io::ErrorKind::InvalidInput,
                "games cannot be reviewed without a reviewer",
            ));
        }
        let BatchOptions { skip, in_order, observe, cancel } = options;
        let (skip, observe): (_, Arc<MoveObserver>) = (Arc::new(skip), observe.into());
        let capacity = GAMES_PER_REVIEWER * reviewers.len();
        let (acquire, release) = bounded::<()>(capacity);
        let (job_sender, jobs) = bounded(capacity);
        let (result_sender, results) = bounded(capacity);
        let skipped = Arc::clone(&skip);
        let reader = thread::Builder::new()
            .name("read".into())
            .spawn(move || read(input, &skipped, &acquire, &job_sender))?;
        for mut reviewer in reviewers {
            let (jobs, results) = (jobs.clone(), result_sender.clone());
            let (observe, cancel) = (Arc::clone(&observe), cancel.clone());
            thread::Builder::new()
                .name("review".into())
                .spawn(move || work(&mut reviewer, &jobs, &results, &*observe, &cancel))?;
        }
        // The channels close when the threads drop their ends.
        Ok(GameReviews {
            results,
            release,
            reader: Some(reader),
            cancel,
            skip,
            in_order,
            waiting: BTreeMap::new(),
            next: 1,
            returned: 0,
        })
    }

    /// Returns a game that may be handed out now.
    fn take(&mut self) -> Option<ReviewedGame> {
        if !self.in_order {
            return self.waiting.pop_first().map(|(_, game)| game);
        }
        while self.skip.contains(&self.next) {
            self.next += 1;
        }
        let game = self.waiting.remove(&self.next)?;
        self.next += 1;
        Some(game)
    }

    /// The end of the iteration: the threads of the reviewers have ended.
    fn end(&mut self) -> Option<BatchError> {
        // If one of them panicked, the reader may be waiting for a permit.
        self.release = crossbeam_channel::never();
        let read = self.reader.take()?.join();
        if self.cancel.is_cancelled() {
            return Some(BatchError::Cancelled);
        }
        match read {
            Ok(Ok(sent)) => (sent != self.returned).then_some(BatchError::Panicked),
            Ok(Err(error)) => Some(BatchError::Read(error)),
            Err(_) => Some(BatchError::Panicked),
        }
    }
}

impl Iterator for GameReviews {
    type Item = Result<ReviewedGame, BatchError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(game) = self.take() {
                self.returned += 1;
                let _ = self.release.recv();
                return Some(Ok(game));
            }
            // Finished games come before a cancellation.
            let received = match self.results.try_recv() {
                Err(TryRecvError::Empty) => select! {
                    recv(self.results) -> result => result.ok(),
                    // The reader is not waited for: it may be waiting for standard input.
                    recv(self.cancel.channel()) -> _ => {
                        return self.reader.take().map(|_| Err(BatchError::Cancelled));
                    }
                },
                result => result.ok(),
            };
            match received {
                Some(game) => drop(self.waiting.insert(game.number, game)),
                None => return self.end().map(Err),
            }
        }
    }
}

/// The reason why games are missing at the end of the iteration.
#[derive(Debug)]
#[non_exhaustive]
pub enum BatchError {
    /// The reviews were cancelled.
    Cancelled,
    /// The input cannot be read.
    Read(io::Error),
    /// A thread panicked.
    Panicked,
}

impl fmt::Display for BatchError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            BatchError::Cancelled => "the analysis was cancelled",
            BatchError::Read(_) => "the games cannot be read",
            BatchError::Panicked => "a thread of the analysis panicked",
        })
    }
}

impl error::Error for BatchError {
    fn source(&self) -> Option<&(dyn error::Error + 'static)> {
        match self {
            BatchError::Read(error) => Some(error),
            _ => None,
        }
    }
}

/// A game to review.
struct Job {
    number: u64,
    game: Result<GameTree, Box<ReplayError>>,
}

/// Reads the games that are not skipped and returns their number.
fn read(input: impl Read, skip: &BTreeSet<u64>, acquire: &Sender<()>, jobs: &Sender<Job>) -> io::Result<u64> {
    let mut reader = PgnReader::new(input);
    let mut builder = GameTreeBuilder::new();
    let mut sent = 0;
    for number in 1.. {
        if skip.contains(&number) {
            if !reader.skip_game()? {
                break;
            }
            continue;
        }
        if acquire.send(()).is_err() {
            break;
        }
        let Some(game) = reader.read_game(&mut builder)? else { break };
        let game = game.map_err(|broken| broken.error);
        if jobs.send(Job { number, game }).is_err() {
            break;
        }
        sent += 1;
    }
    Ok(sent)
}

fn work(
    reviewer: &mut Reviewer,
    jobs: &Receiver<Job>,
    results: &Sender<ReviewedGame>,
    observe: &MoveObserver,
    cancel: &CancelToken,
) {
    for Job { number, game } in jobs {
        let game = match game {
            Ok(tree) => match reviewer.review(&tree, cancel, |_, _| observe(number)) {
                Some(review) => Ok((tree, review)),
                None => break,
            },
            Err(error) => Err(error),
        };
        if results.send(ReviewedGame { number, game }).is_err() {
            break;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cancel::Canceller;
    use tabiya_search::{Engine, Limits, Options};

    fn reviewers(count: usize, limits: &Limits) -> Vec<Reviewer> {
        let engine = || Engine::new(Options::default().with_hash_mb(1)).unwrap();
        (0..count).map(|_| Reviewer::new(engine(), limits.clone())).collect()
    }

    fn numbers(in_order: bool, skip: &[u64]) -> Vec<u64> {
        // The first game takes the longest.
        let mut text = "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 *\n\n".to_owned();
        text.push_str(&"1. e4 *\n\n".repeat(9));
        let options =
            BatchOptions { skip: skip.iter().copied().collect(), in_order, ..BatchOptions::default() };
        let input = io::Cursor::new(text);
        let games = GameReviews::start(input, reviewers(2, &Limits::nodes(300)), options).unwrap();
        games.map(|game| game.unwrap().number).collect()
    }

    #[test]
    fn games_arrive_in_order_without_the_skipped_ones() {
        assert_eq!(numbers(true, &[]), (1..=10).collect::<Vec<_>>());
        assert_eq!(numbers(true, &[1, 2, 9]), [3, 4, 5, 6, 7, 8, 10]);
        let mut unordered = numbers(false, &[3]);
        unordered.sort_unstable();
        assert_eq!(unordered, [1, 2, 4, 5, 6, 7, 8, 9, 10]);
    }

    /// An input that never ends a read.
    struct Silent;

    impl Read for Silent {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            loop {
                thread::park();
            }
        }
    }

    #[test]
    fn panic_is_reported_while_the_reader_waits() {
        let options = BatchOptions { observe: Box::new(|_| panic!("in a test")), ..BatchOptions::default() };
        let input = io::Cursor::new("1. e4 *\n\n".repeat(3 * GAMES_PER_REVIEWER));
        let mut games = GameReviews::start(input, reviewers(1, &Limits::nodes(100)), options).unwrap();
        assert!(matches!(games.next(), Some(Err(BatchError::Panicked))));
        let without_reviewers = GameReviews::start(io::empty(), Vec::new(), BatchOptions::default());
        assert_eq!(without_reviewers.err().unwrap().kind(), io::ErrorKind::InvalidInput);
    }

    #[test]
    fn cancellation_does_not_wait_for_the_input() {
        let (canceller, cancel) = Canceller::new();
        let options = BatchOptions { cancel, ..BatchOptions::default() };
        let mut games = GameReviews::start(Silent, reviewers(1, &Limits::depth(1)), options).unwrap();
        drop(canceller);
        assert!(matches!(games.next(), Some(Err(BatchError::Cancelled))));
        assert!(games.next().is_none());
    }

    #[test]
    fn input_error_is_reported_after_the_games() {
        struct Broken;
        impl Read for Broken {
            fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
                Err(io::Error::other("disk on fire"))
            }
        }
        let input = io::Cursor::new("1. e4 *\n\n1. d4 *\n\n").chain(Broken);
        let mut games =
            GameReviews::start(input, reviewers(1, &Limits::depth(1)), BatchOptions::default()).unwrap();
        assert_eq!(games.next().unwrap().unwrap().number, 1);
        let error = games.find_map(Result::err).unwrap();
        assert_eq!(error::Error::source(&error).unwrap().to_string(), "disk on fire");
        assert!(games.next().is_none());
    }
}
