//! Long-running commands other than searches: perft, benchmark and random openings.

use super::genfens;
use crate::message::error_text;
use crate::perft::DivideLine;
use crate::{bench, perft};
use crossbeam_channel::{Receiver, Sender, unbounded};
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};
use tabiya_eval::Evaluation;
use tabiya_eval::nnue::Kernel;
use tabiya_movegen::Position;

/// A command on its own thread. It sends its output lines through a channel, which closes at the end.
/// Dropping it stops it.
pub(crate) struct Job {
    lines: Receiver<String>,
    stop: Arc<AtomicBool>,
    is_benchmark: bool,
    start: Instant,
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
        Ok(Job { lines, stop, is_benchmark, start: Instant::now() })
    }

    /// Prints the perft count below each move, then the total.
    pub(crate) fn perft(position: Position, depth: u32, chess960: bool) -> io::Result<Job> {
        Job::spawn(false, move |lines, stop| {
            let sum = perft::divide(&position, depth, stop, |mv, count| {
                // Sending fails only after the job was dropped, which has set `stop`.
                let _ = lines.send(DivideLine { mv, count, chess960 }.to_string());
            });
            let _ = lines.send(match sum {
                Some(nodes) => format!("\nNodes searched: {nodes}"),
                None => "info string perft stopped".to_owned(),
            });
        })
    }

    /// Runs the benchmark.
    pub(crate) fn bench(depth: u32) -> io::Result<Job> {
        Job::spawn(true, move |lines, stop| {
            let _ = lines.send(
                match tabiya_search::bench::run_with(depth, Evaluation::default(), Kernel::best(), stop) {
                    Ok(_) if stop.load(Ordering::Relaxed) => "info string bench stopped".to_owned(),
                    Ok(result) => bench::report(&result),
                    Err(error) => format!("info string bench: {error}"),
                },
            );
        })
    }

    /// Generates random openings.
    pub(crate) fn genfens(request: genfens::Request) -> io::Result<Job> {
        Job::spawn(false, move |lines, stop| {
            let each = |position: &Position| drop(lines.send(format!("info string genfens {position}")));
            if let Err(error) = genfens::generate(&request, stop, each) {
                let _ = lines.send(format!("info string genfens: {}", error_text(&error)));
            }
        })
    }

    /// The channel of output lines.
    pub(crate) fn lines(&self) -> &Receiver<String> {
        &self.lines
    }

    /// Returns true for a benchmark.
    pub(crate) fn is_benchmark(&self) -> bool {
        self.is_benchmark
    }

    /// Returns a function that makes the job end within some milliseconds.
    pub(crate) fn stopper(&self) -> impl Fn() + Send + use<> {
        let stop = Arc::clone(&self.stop);
        move || stop.store(true, Ordering::Relaxed)
    }

    /// Returns the time since the start.
    pub(crate) fn elapsed(&self) -> Duration {
        self.start.elapsed()
    }
}

impl Drop for Job {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
    }
}
