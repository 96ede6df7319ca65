//! Release builds ahead of the steps that need them.
//!
//! The first steps check and test builds without full optimisation. A release build spends most of its time in link-time
//! optimisation, on one processor. Cargo locks the folder of each profile by itself, so that release builds can run beside the first
//! steps.

use super::line::{Line, cargo, xtask};
use std::process::Stdio;
use std::thread::{self, JoinHandle};
use tabiya_workspace::{build, repository};

/// A release build.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Release {
    /// `tabiya`.
    Engine,
    /// `tabiya-lab`.
    Lab,
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
            Release::Lab => build_line(&package("tabiya-lab")),
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
pub(super) struct Builds(Option<JoinHandle<()>>);

impl Builds {
    /// Starts builds one after another, each once, however often it is named. If this program ends before, no further one is started.
    pub(super) fn start(releases: impl IntoIterator<Item = Release>) -> Builds {
        let releases = distinct(releases);
        let is_empty = releases.is_empty();
        let start = || thread::spawn(|| releases.into_iter().for_each(Release::build));
        Builds((!is_empty).then(start))
    }

    /// Waits until all of them are done.
    pub(super) fn wait(&mut self) {
        if let Some(thread) = self.0.take() {
            if !thread.is_finished() {
                println!("waiting for the release builds");
            }
            // A panic has been printed, and the steps build again what is missing.
            let _ = thread.join();
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
        use Release::{Engine, Lab, Previous};
        assert_eq!(distinct([Lab, Engine, Lab, Previous, Engine]), [Lab, Engine, Previous]);
        assert!(Builds::start([]).0.is_none());
    }
}
