//! Ends engines whose driver was killed.
//!
//! An engine that ignores the end of its input, or has started other processes, would outlive a driver that had no
//! time to end it. One shell process, the guardian, reads the process groups of the running engines from a pipe. The
//! pipe closes when this process ends, however it ends, and the guardian kills the groups that are left. A parent-death signal would kill
//! an engine when the *thread* that started it ends, and would not reach the engine's own children.

use std::io::Write as _;
use std::os::unix::process::CommandExt as _;
use std::process::{ChildStdin, Command, Stdio};
use std::sync::{Mutex, PoisonError};

/// The guardian's program. A line is `+ GROUP` or `- GROUP`.
const SCRIPT: &str = r#"
groups=" "
while read -r action group; do
    case $action in
        +) groups="$groups$group " ;;
        -) groups="${groups%% $group *} ${groups#* $group }" ;;
    esac
done
for group in $groups; do
    kill -s KILL -- "-$group" 2>/dev/null
done
"#;

/// The guardian of this process.
static GUARDIAN: Mutex<Guardian> = Mutex::new(Guardian::NotStarted);

enum Guardian {
    NotStarted,
    Running(ChildStdin),
    /// There is no shell; engines then end by the end of their input only.
    Unavailable,
}

/// The registration of a process group, which ends when it is dropped.
pub(super) struct Guarded {
    group: u32,
}

impl Guarded {
    /// Registers a process group.
    pub(super) fn new(group: u32) -> Guarded {
        send(&format!("+ {group}\n"));
        Guarded { group }
    }
}

impl Drop for Guarded {
    fn drop(&mut self) {
        send(&format!("- {}\n", self.group));
    }
}

fn send(line: &str) {
    let mut guardian = GUARDIAN.lock().unwrap_or_else(PoisonError::into_inner);
    if matches!(*guardian, Guardian::NotStarted) {
        *guardian = start().map_or(Guardian::Unavailable, Guardian::Running);
    }
    if let Guardian::Running(input) = &mut *guardian
        && input.write_all(line.as_bytes()).is_err()
    {
        *guardian = Guardian::Unavailable;
    }
}

fn start() -> Option<ChildStdin> {
    let mut command = Command::new("/bin/sh");
    command.args(["-c", SCRIPT]).stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
    // A process group apart from the lab's: Ctrl-C in the terminal must not end the guardian.
    command.process_group(0);
    command.spawn().ok()?.stdin
}
