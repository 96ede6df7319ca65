//! Parallel annotation in order: one thread reads, several annotate, and the calling thread writes.

use super::annotate::Annotator;
use anyhow::{Result, bail};
use crossbeam_channel::{Receiver, Sender, bounded};
use std::collections::BTreeMap;
use std::io::{self, Read};
use std::thread;
use tabiya_core::notation::PgnReader;
use tabiya_movegen::{GameTree, GameTreeBuilder, ReplayError};

/// A game before or after annotation.
pub(super) struct Job {
    /// Index in the input, from 1.
    pub(super) number: u64,
    /// Byte offset of its end in the input.
    pub(super) end: u64,
    pub(super) game: Result<GameTree, Box<ReplayError>>,
}

/// Reads games, annotates them in parallel and passes them to `write` in input order.
///
/// At most four games per annotator are in memory; the reader waits for them.
///
/// # Errors
/// If input or `write` fails, or a thread cannot be started or panics.
pub(super) fn run(
    input: impl Read + Send,
    annotators: Vec<Annotator>,
    mut write: impl FnMut(Job) -> Result<()>,
) -> Result<()> {
    let capacity = 4 * annotators.len();
    // A semaphore with a permit for each game in memory.
    let (acquire, release) = bounded::<()>(capacity);
    let (job_sender, job_receiver) = bounded(capacity);
    let (result_sender, result_receiver) = bounded(capacity);
    thread::scope(|scope| {
        let reader = thread::Builder::new()
            .name("read".into())
            .spawn_scoped(scope, move || read(input, &acquire, &job_sender))?;
        for annotator in annotators {
            let (jobs, results) = (job_receiver.clone(), result_sender.clone());
            thread::Builder::new()
                .name("annotate".into())
                .spawn_scoped(scope, move || work(annotator, &jobs, &results))?;
        }
        // The channels close when the threads drop their ends.
        drop((job_receiver, result_sender));
        let mut waiting = BTreeMap::new();
        let mut next = 1;
        let mut written = Ok(());
        for job in &result_receiver {
            waiting.insert(job.number, job);
            while let Some(job) = waiting.remove(&next) {
                next += 1;
                written = write(job);
                if written.is_err() {
                    break;
                }
                let _ = release.recv();
            }
            if written.is_err() {
                break;
            }
        }
        // Closes the channels, which ends the other threads.
        drop((release, result_receiver));
        let read = reader.join();
        written?;
        match read {
            Ok(read) => read?,
            Err(_) => bail!("the reader thread panicked"),
        }
        if !waiting.is_empty() {
            bail!("an annotator thread panicked");
        }
        Ok(())
    })
}

fn read(input: impl Read, acquire: &Sender<()>, jobs: &Sender<Job>) -> io::Result<()> {
    let mut reader = PgnReader::new(input);
    let mut builder = GameTreeBuilder::new();
    for number in 1.. {
        if acquire.send(()).is_err() {
            break;
        }
        let Some(game) = reader.read_game(&mut builder)? else { break };
        let game = game.map_err(|broken| Box::new(broken.error));
        if jobs.send(Job { number, end: reader.location().offset, game }).is_err() {
            break;
        }
    }
    Ok(())
}

fn work(mut annotator: Annotator, jobs: &Receiver<Job>, results: &Sender<Job>) {
    for job in jobs {
        let game = job.game.map(|tree| annotator.annotate(tree));
        if results.send(Job { game, ..job }).is_err() {
            break;
        }
    }
}
