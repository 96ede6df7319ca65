//! Optimised builds and downloads ahead of the steps that need them.
//!
//! The first steps check and test builds without full optimisation. An optimised build spends most of its time on one processor, and a
//! download on none. Cargo locks the folder of each profile by itself, so that these builds can run beside the first steps.

use super::line::page;
use super::{client, node_packages};
use std::process::Stdio;
use std::sync::mpsc::{self, Receiver};
use std::thread;

/// An optimised build or a download.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Preparation {
    /// The page with the engine in a web worker.
    Page,
    /// The Python packages of the clients.
    PythonPackages,
    /// The packages of the checks of the pages' scripts and of their tests.
    NodePackages,
}

impl Preparation {
    /// Makes it without output. Errors are left to the steps, which make again what is missing.
    fn make(self) {
        let lines = match self {
            Preparation::Page => Ok(vec![page()]),
            Preparation::PythonPackages => client::packages(),
            Preparation::NodePackages => node_packages::install(),
        };
        for line in lines.unwrap_or_default() {
            let Ok(mut command) = line.command() else { return };
            if !command
                .stdout(Stdio::null())
                .stderr(Stdio::null())
                .status()
                .is_ok_and(|status| status.success())
            {
                return;
            }
        }
    }

    fn is_download(self) -> bool {
        matches!(self, Preparation::PythonPackages | Preparation::NodePackages)
    }
}

/// Preparations and downloads in progress, or done.
pub(super) struct Preparations {
    /// The builds that may still be in progress.
    pending: Vec<Preparation>,
    /// Receives each build when it is done.
    done: Receiver<Preparation>,
}

impl Preparations {
    /// Starts the builds one after another and the downloads beside them, each once, however often it is named. If this program ends before,
    /// no further one is started.
    pub(super) fn start(preparations: impl IntoIterator<Item = Preparation>) -> Preparations {
        Preparations::start_with(distinct(preparations), Preparation::make)
    }

    fn start_with(
        preparations: Vec<Preparation>,
        make: impl Fn(Preparation) + Clone + Send + 'static,
    ) -> Preparations {
        let (sender, done) = mpsc::channel();
        let pending = preparations.clone();
        let (downloads, builds): (Vec<_>, Vec<_>) =
            preparations.into_iter().partition(|preparation| preparation.is_download());
        for preparations in [downloads, builds] {
            let (sender, make) = (sender.clone(), make.clone());
            thread::spawn(move || {
                for preparation in preparations {
                    make(preparation);
                    // Nobody waits any more once a step has failed.
                    let _ = sender.send(preparation);
                }
            });
        }
        Preparations { pending, done }
    }

    /// Waits until all of these are done.
    pub(super) fn wait(&mut self, preparations: &[Preparation]) {
        while self.pending.iter().any(|preparation| preparations.contains(preparation)) {
            let done = self.done.try_recv().or_else(|_| {
                println!("waiting for builds and downloads");
                self.done.recv()
            });
            match done {
                Ok(done) => self.pending.retain(|&preparation| preparation != done),
                // A panic has ended the thread and been printed. The steps build again what is missing.
                Err(_) => self.pending.clear(),
            }
        }
    }
}

fn distinct(preparations: impl IntoIterator<Item = Preparation>) -> Vec<Preparation> {
    let mut distinct = Vec::new();
    for preparation in preparations {
        if !distinct.contains(&preparation) {
            distinct.push(preparation);
        }
    }
    distinct
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::{Arc, Mutex};

    #[test]
    fn each_build_is_made_once_in_the_order_of_the_first_need() {
        use Preparation::{NodePackages, Page, PythonPackages};
        let needed = [Page, PythonPackages, Page, NodePackages, PythonPackages];
        assert_eq!(distinct(needed), [Page, PythonPackages, NodePackages]);
    }

    #[test]
    fn a_step_waits_for_its_own_builds() {
        use Preparation::{NodePackages, Page, PythonPackages};
        let (finish, finished) = mpsc::channel();
        let finished = Arc::new(Mutex::new(finished));
        let mut builds =
            Preparations::start_with(vec![PythonPackages, Page, NodePackages], move |preparation| {
                match preparation {
                    Page => finished.lock().expect("not poisoned").recv().expect("the test finishes it"),
                    NodePackages => panic!("a download that panics"),
                    _ => (),
                }
            });
        builds.wait(&[]);
        assert_eq!(builds.pending, [PythonPackages, Page, NodePackages]);
        builds.wait(&[PythonPackages]);
        assert_eq!(builds.pending, [Page, NodePackages]);
        finish.send(()).expect("the build waits");
        builds.wait(&[Page]);
        assert_eq!(builds.pending, [NodePackages]);
        builds.wait(&[NodePackages]);
        assert!(builds.pending.is_empty());
    }
}
