//! A `tabiya` process on a pseudoterminal, for what depends on a terminal: line editing, Ctrl-C and the width of lines.

use rustix::fd::OwnedFd;
use rustix::process::{Pid, Signal, kill_process};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{LocalModes, Winsize, tcgetattr, tcsetwinsize};
use std::ffi::OsStr;
use std::fs::{File, OpenOptions};
use std::io::{Read, Write};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::process::{Child, Command, ExitStatus};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

/// Maximum time for an answer. Long, because test machines are busy.
const TIMEOUT: Duration = Duration::from_secs(30);

/// The Ctrl-C key.
pub(crate) const CTRL_C: &str = "\u{3}";

/// A running `tabiya`, killed when dropped.
pub(crate) struct Terminal {
    child: Child,
    master: File,
    /// Keeps the terminal open, so that its mode can be queried after the process has ended.
    slave: OwnedFd,
    output: Arc<Mutex<String>>,
    /// The length of the output that has been waited for.
    seen: usize,
}

impl Terminal {
    /// Starts `tabiya` on a terminal of 24 lines. The user's data are in `home`.
    pub(crate) fn start(arguments: &str, columns: u16, home: &Path) -> Terminal {
        let master = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY | OpenptFlags::CLOEXEC).unwrap();
        grantpt(&master).unwrap();
        unlockpt(&master).unwrap();
        let name = ptsname(&master, Vec::new()).unwrap();
        let path = Path::new(OsStr::from_bytes(name.as_bytes()));
        let slave: OwnedFd = OpenOptions::new().read(true).write(true).open(path).unwrap().into();
        tcsetwinsize(&master, Winsize { ws_row: 24, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0 }).unwrap();
        // With a controlling terminal, from which Ctrl-C sends SIGINT.
        let child = Command::new("setsid")
            .arg("--ctty")
            .arg(env!("CARGO_BIN_EXE_tabiya"))
            .args(arguments.split(' '))
            .env("TERM", "xterm")
            .env("HOME", home)
            .env_remove("XDG_DATA_HOME")
            .env_remove("NO_COLOR")
            .env_remove("TABIYA_LOG")
            .stdin(slave.try_clone().unwrap())
            .stdout(slave.try_clone().unwrap())
            .stderr(slave.try_clone().unwrap())
            .spawn()
            .unwrap();
        let master = File::from(master);
        let output = Arc::new(Mutex::new(String::new()));
        let (mut source, sink) = (master.try_clone().unwrap(), Arc::clone(&output));
        thread::spawn(move || {
            let mut bytes = [0; 4096];
            let mut pending = Vec::new();
            while let Ok(count @ 1..) = source.read(&mut bytes) {
                pending.extend_from_slice(&bytes[..count]);
                // A read may end within a character.
                let complete = match std::str::from_utf8(&pending) {
                    Err(error) if error.error_len().is_none() => error.valid_up_to(),
                    _ => pending.len(),
                };
                sink.lock().unwrap().push_str(&String::from_utf8_lossy(&pending[..complete]));
                pending.drain(..complete);
            }
        });
        Terminal { child, master, slave, output, seen: 0 }
    }

    /// Presses keys.
    pub(crate) fn press(&mut self, keys: impl AsRef<[u8]>) {
        self.master.write_all(keys.as_ref()).unwrap();
    }

    /// Waits until the output since the last wait contains a text. Returns the output up to its end.
    pub(crate) fn expect(&mut self, text: &str) -> String {
        let deadline = Instant::now() + TIMEOUT;
        loop {
            let output = self.output.lock().unwrap().clone();
            if let Some(at) = output[self.seen..].find(text) {
                let end = self.seen + at + text.len();
                let found = output[self.seen..end].to_owned();
                self.seen = end;
                return found;
            }
            assert!(Instant::now() < deadline, "waiting for {text:?} in\n{}", &output[self.seen..]);
            thread::sleep(Duration::from_millis(2));
        }
    }

    /// Sends SIGTERM to the process.
    pub(crate) fn terminate(&self) {
        kill_process(Pid::from_child(&self.child), Signal::TERM).unwrap();
    }

    /// Waits for the end of the process. The terminal must then be in the mode in which it was before.
    pub(crate) fn finish(mut self) -> (ExitStatus, String) {
        let deadline = Instant::now() + TIMEOUT;
        let status = loop {
            match self.child.try_wait().unwrap() {
                Some(status) => break status,
                None => assert!(Instant::now() < deadline, "the process does not end: {}", self.rest()),
            }
            thread::sleep(Duration::from_millis(2));
        };
        // A marker after all output.
        rustix::io::write(&self.slave, b"<end>").unwrap();
        self.expect("<end>");
        let modes = tcgetattr(&self.slave).unwrap().local_modes;
        assert!(modes.contains(LocalModes::ICANON | LocalModes::ECHO | LocalModes::ISIG), "{modes:?}");
        (status, self.output.lock().unwrap().clone())
    }

    fn rest(&self) -> String {
        self.output.lock().unwrap()[self.seen..].to_owned()
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
