//! Many games at once, in order: one thread reads, others work, and the caller's writes.

use super::annotate::Annotator;
use anyhow::{Result, bail};
use crossbeam_channel::{Receiver, Sender, bounded};
use std::collections::BTreeMap;
use std::io::{self, Read};
use std::thread;
use tabiya_core::notation::PgnReader;
use tabiya_movegen::{GameTree, GameTreeBuilder, ReplayError};

/// A game, as it was read or as it is done.
pub(super) struct Job {
    /// Which game of the text, from 1.
    pub(super) number: u64,
    /// Where it ends, in bytes.
    pub(super) end: u64,
    pub(super) game: Result<GameTree, Box<ReplayError>>,
}

/// Reads games, has them annotated, and hands them on in the order of the text.
///
/// No more than a few games for each annotator are in memory: reading waits for them.
///
/// # Errors
/// Those of the input and of `write`, or if a thread cannot be started or has failed.
pub(super) fn run(
    input: impl Read + Send,
    annotators: Vec<Annotator>,
    mut write: impl FnMut(Job) -> Result<()>,
) -> Result<()> {
    let room = 4 * annotators.len();
    // A ticket for each game between being read and being written.
    let (tickets, taken) = bounded::<()>(room);
    let (jobs, to_do) = bounded(room);
    let (results, done) = bounded(room);
    thread::scope(|scope| {
        let reader = thread::Builder::new()
            .name("read".into())
            .spawn_scoped(scope, move || read(input, &tickets, &jobs))?;
        for annotator in annotators {
            let (to_do, results) = (to_do.clone(), results.clone());
            thread::Builder::new()
                .name("annotate".into())
                .spawn_scoped(scope, move || work(annotator, &to_do, &results))?;
        }
        // So that the channels close when the threads end.
        drop((to_do, results));
        let mut waiting = BTreeMap::new();
        let mut next = 1;
        let mut written = Ok(());
        for job in &done {
            waiting.insert(job.number, job);
            while let Some(job) = waiting.remove(&next) {
                next += 1;
                written = write(job);
                if written.is_err() {
                    break;
                }
                let _ = taken.recv();
            }
            if written.is_err() {
                break;
            }
        }
        // Nobody reads or works on without these.
        drop((taken, done));
        let read = reader.join();
        written?;
        match read {
            Ok(read) => read?,
            Err(_) => bail!("the thread that reads has failed"),
        }
        if !waiting.is_empty() {
            bail!("a thread that analyses has failed");
        }
        Ok(())
    })
}

fn read(input: impl Read, tickets: &Sender<()>, jobs: &Sender<Job>) -> io::Result<()> {
    let mut reader = PgnReader::new(input);
    let mut builder = GameTreeBuilder::new();
    for number in 1.. {
        if tickets.send(()).is_err() {
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

fn work(mut annotator: Annotator, to_do: &Receiver<Job>, results: &Sender<Job>) {
    for job in to_do {
        let game = job.game.map(|tree| annotator.annotate(tree));
        if results.send(Job { game, ..job }).is_err() {
            break;
        }
    }
}
