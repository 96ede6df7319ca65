//! Release builds ahead of the steps that need them.
//!
//! The first steps check and test builds without full optimisation. A release build spends most of its time in link-time
//! optimisation, on one processor. Cargo locks the folder of each profile by itself, so that release builds can run beside the first
//! steps.

use super::line::{Line, cargo, xtask};
use std::process::Stdio;
use std::sync::mpsc::{self, Receiver};
use std::thread;
use tabiya_workspace::{build, repository};

/// A release build.
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
    /// The engine of the previous version.
    Previous,
}

impl Release {
    /// Builds it without output. Errors are left to the steps, which build again what is missing.
    fn build(self) {
        match self {
            Release::Engine => build_line(&package("tabiya")),
            Release::Matches => build_line(&matches()),
            Release::Web => build_line(&package("tabiya-web")),
            Release::Page => build_line(&xtask("web")),
            Release::Previous => {
                let _ = previous_version().map(|revision| build::revision(&revision));
            }
        }
    }
}

/// The command line that builds a package. One for each: built together, packages would have other features than alone, and be built
/// again by the next command.
pub(super) fn package(name: &str) -> Line {
    cargo(&format!("build --release --locked --package {name}"))
}

/// The command line that builds `tabiya-matches` as `cargo xtask` does.
pub(super) fn matches() -> Line {
    cargo("build --profile lab --locked --package tabiya-matches")
}

fn build_line(line: &Line) {
    if let Ok(mut command) = line.command() {
        let _ = command.stdout(Stdio::null()).stderr(Stdio::null()).status();
    }
}

/// Finds the newest release tag or, without one, the previous commit. `None` if the history has neither.
pub(super) fn previous_version() -> Option<String> {
    let newest_release = || repository::git(&["describe", "--tags", "--abbrev=0", "HEAD"]);
    let previous_commit = || repository::git(&["rev-parse", "--verify", "--quiet", "HEAD~1"]);
    newest_release().or_else(|_| previous_commit()).ok()
}

/// Release builds in progress, or done.
pub(super) struct Builds {
    /// The builds that may still be in progress.
    pending: Vec<Release>,
    /// Receives each build when it is done.
    done: Receiver<Release>,
}

impl Builds {
    /// Starts builds one after another, each once, however often it is named. If this program ends before, no further one is started.
    pub(super) fn start(releases: impl IntoIterator<Item = Release>) -> Builds {
        Builds::start_with(distinct(releases), Release::build)
    }

    fn start_with(releases: Vec<Release>, build: impl Fn(Release) + Send + 'static) -> Builds {
        let (sender, done) = mpsc::channel();
        let pending = releases.clone();
        thread::spawn(move || {
            for release in releases {
                build(release);
                // Nobody waits any more once a step has failed.
                let _ = sender.send(release);
            }
        });
        Builds { pending, done }
    }

    /// Waits until all of these are done.
    pub(super) fn wait(&mut self, releases: &[Release]) {
        while self.pending.iter().any(|release| releases.contains(release)) {
            let done = self.done.try_recv().or_else(|_| {
                println!("waiting for the release builds");
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

    #[test]
    fn each_build_is_made_once_in_the_order_of_the_first_need() {
        use Release::{Engine, Matches, Previous};
        assert_eq!(distinct([Matches, Engine, Matches, Previous, Engine]), [Matches, Engine, Previous]);
    }

    #[test]
    fn a_step_waits_for_its_own_builds() {
        use Release::{Engine, Matches, Web};
        let (finish, finished) = mpsc::channel();
        let mut builds = Builds::start_with(vec![Engine, Matches, Web], move |release| match release {
            Matches => finished.recv().expect("the test finishes it"),
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
