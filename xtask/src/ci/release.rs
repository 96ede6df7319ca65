//! Optimised builds and downloads ahead of the steps that need them.
//!
//! The first steps check and test builds without full optimisation. An optimised build spends most of its time on one processor, and a
//! download on none. Cargo locks the folder of each profile by itself, so that these builds can run beside the first steps.

use super::line::{matches, package, page, web};
use super::{browser, client};
use std::process::Stdio;
use std::sync::mpsc::{self, Receiver};
use std::thread;

/// An optimised build or a download.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Release {
    /// `tabiya`.
    Engine,
    /// `tabiya-matches`.
    Matches,
    /// `tabiya-web`.
    Web,
    /// The page with the engine in a web worker.
    Page,
    /// The Python packages of the clients.
    PythonPackages,
    /// The packages of the tests in a browser.
    NodePackages,
}

impl Release {
    /// Makes it without output. Errors are left to the steps, which make again what is missing.
    fn make(self) {
        let lines = match self {
            Release::Engine => Ok(vec![package("tabiya")]),
            Release::Matches => Ok(vec![matches()]),
            Release::Web => Ok(vec![web()]),
            Release::Page => Ok(vec![page()]),
            Release::PythonPackages => client::packages(),
            Release::NodePackages => browser::packages(),
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
        matches!(self, Release::PythonPackages | Release::NodePackages)
    }
}

/// Builds and downloads in progress, or done.
pub(super) struct Builds {
    /// The builds that may still be in progress.
    pending: Vec<Release>,
    /// Receives each build when it is done.
    done: Receiver<Release>,
}

impl Builds {
    /// Starts the builds one after another and the downloads beside them, each once, however often it is named. If this program ends before,
    /// no further one is started.
    pub(super) fn start(releases: impl IntoIterator<Item = Release>) -> Builds {
        Builds::start_with(distinct(releases), Release::make)
    }

    fn start_with(releases: Vec<Release>, make: impl Fn(Release) + Clone + Send + 'static) -> Builds {
        let (sender, done) = mpsc::channel();
        let pending = releases.clone();
        let (downloads, builds): (Vec<_>, Vec<_>) =
            releases.into_iter().partition(|release| release.is_download());
        for releases in [downloads, builds] {
            let (sender, make) = (sender.clone(), make.clone());
            thread::spawn(move || {
                for release in releases {
                    make(release);
                    // Nobody waits any more once a step has failed.
                    let _ = sender.send(release);
                }
            });
        }
        Builds { pending, done }
    }

    /// Waits until all of these are done.
    pub(super) fn wait(&mut self, releases: &[Release]) {
        while self.pending.iter().any(|release| releases.contains(release)) {
            let done = self.done.try_recv().or_else(|_| {
                println!("waiting for builds and downloads");
                self.done.recv()
            });
            match done {
                Ok(done) => self.pending.retain(|&release| release != done),
                // A panic has ended the thread and been printed. The steps build again what is missing.
                Err(_) => self.pending.clear(),
            }
        }
    }
}

fn distinct(releases: impl IntoIterator<Item = Release>) -> Vec<Release> {
    let mut distinct = Vec::new();
    for release in releases {
        if !distinct.contains(&release) {
            distinct.push(release);
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
        use Release::{Engine, Matches, Web};
        assert_eq!(distinct([Matches, Engine, Matches, Web, Engine]), [Matches, Engine, Web]);
    }

    #[test]
    fn a_step_waits_for_its_own_builds() {
        use Release::{Engine, Matches, Web};
        let (finish, finished) = mpsc::channel();
        let finished = Arc::new(Mutex::new(finished));
        let mut builds = Builds::start_with(vec![Engine, Matches, Web], move |release| match release {
            Matches => finished.lock().expect("not poisoned").recv().expect("the test finishes it"),
            Web => panic!("a build that panics"),
            _ => (),
        });
        builds.wait(&[]);
        assert_eq!(builds.pending, [Engine, Matches, Web]);
        builds.wait(&[Engine]);
        assert_eq!(builds.pending, [Matches, Web]);
        finish.send(()).expect("the build waits");
        builds.wait(&[Matches]);
        assert_eq!(builds.pending, [Web]);
        builds.wait(&[Web]);
        assert!(builds.pending.is_empty());
    }
}
