//! Work that is not a search but takes time: a perft, a benchmark, random openings.

use crate::error_text::error_text;
use crate::output::{DivideLine, Notation};
use crate::{bench, genfens, perft};
use crossbeam_channel::{Receiver, Sender, unbounded};
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use tabiya_movegen::Position;

/// A job on a thread of its own. It sends the lines it prints; the channel closes at its end.
/// Dropping it stops it.
pub(crate) struct Job {
    lines: Receiver<String>,
    stop: Arc<AtomicBool>,
    is_benchmark: bool,
}

impl Job {
    fn spawn(
        is_benchmark: bool,
        work: impl FnOnce(&Sender<String>, &AtomicBool) + Send + 'static,
    ) -> io::Result<Job> {
        let (sender, lines) = unbounded();
        let stop = Arc::new(AtomicBool::new(false));
        let flag = Arc::clone(&stop);
        thread::Builder::new().name("job".into()).spawn(move || work(&sender, &flag))?;
        Ok(Job { lines, stop, is_benchmark })
    }

    /// Counts the leaves below each move, then prints their sum.
    pub(crate) fn perft(position: Position, depth: u32, notation: Notation) -> io::Result<Job> {
        Job::spawn(false, move |lines, stop| {
            let sum = perft::divide(&position, depth, stop, |mv, count| {
                // Nobody is left to read: stop has been set then too.
                let _ = lines.send(DivideLine(mv, count, notation).to_string());
            });
            let _ = lines.send(match sum {
                Some(nodes) => format!("\nNodes searched: {nodes}"),
                None => "info string perft stopped".to_owned(),
            });
        })
    }

    /// Searches the positions of the benchmark.
    pub(crate) fn bench(depth: u32) -> io::Result<Job> {
        Job::spawn(true, move |lines, stop| {
            let _ = lines.send(match tabiya_search::bench_until(depth, stop) {
                Ok(_) if stop.load(Ordering::Relaxed) => "info string bench stopped".to_owned(),
                Ok(result) => bench::report(&result),
                Err(error) => format!("info string bench: {error}"),
            });
        })
    }

    /// Makes random openings.
    pub(crate) fn genfens(request: genfens::Request) -> io::Result<Job> {
        Job::spawn(false, move |lines, stop| {
            let each = |position: &Position| drop(lines.send(format!("info string genfens {position}")));
            if let Err(error) = genfens::generate(&request, stop, each) {
                let _ = lines.send(format!("info string genfens: {}", error_text(&error)));
            }
        })
    }

    /// The lines to print.
    pub(crate) fn lines(&self) -> &Receiver<String> {
        &self.lines
    }

    /// Is it a benchmark?
    pub(crate) fn is_benchmark(&self) -> bool {
        self.is_benchmark
    }

    /// Asks the job to stop, which it does within some milliseconds.
    pub(crate) fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }
}

impl Drop for Job {
    fn drop(&mut self) {
        self.stop();
    }
}
