//! The features that an xboard engine declares.

/// Features of the protocol, with the defaults for engines that declare none.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Features {
    /// The engine's name for itself.
    pub(super) name: Option<String>,
    /// The engine answers `ping N` with `pong N`.
    pub(super) ping: bool,
    /// Positions are set by `setboard FEN`.
    pub(super) setboard: bool,
    /// Moves are sent after the word `usermove`.
    pub(super) usermove: bool,
    /// `time` and `otim` are understood.
    pub(super) time: bool,
    /// `memory MiB` sets the hash size.
    pub(super) memory: bool,
    /// `cores N` sets the number of threads.
    pub(super) smp: bool,
    /// One process plays several games.
    pub(super) reuse: bool,
    pub(super) variants: Vec<String>,
    /// Names of the engine's own options.
    pub(super) options: Vec<String>,
    /// The engine has declared all its features.
    pub(super) done: bool,
    /// `done=0` was sent: the timeout for the features does not apply.
    pub(super) waits: bool,
}

impl Default for Features {
    fn default() -> Features {
        Features {
            name: None,
            ping: false,
            setboard: false,
            usermove: false,
            time: true,
            memory: false,
            smp: false,
            reuse: true,
            variants: Vec::new(),
            options: Vec::new(),
            done: false,
            waits: false,
        }
    }
}

impl Features {
    /// Reads the rest of a `feature` line and returns the answers to send.
    pub(super) fn read(&mut self, text: &str) -> Vec<String> {
        let mut answers = Vec::new();
        for (name, value) in assignments(text) {
            let flag = value == "1";
            match name {
                "done" => {
                    self.done = flag;
                    self.waits = !flag;
                    continue;
                }
                "myname" => self.name = Some(value.to_owned()),
                "ping" => self.ping = flag,
                "setboard" => self.setboard = flag,
                "usermove" => self.usermove = flag,
                "time" => self.time = flag,
                "memory" => self.memory = flag,
                "smp" => self.smp = flag,
                "reuse" => self.reuse = flag,
                "variants" => self.variants = value.split(',').map(|name| name.trim().to_owned()).collect(),
                "option" => {
                    // NAME -TYPE VALUE...
                    let name = value.split(" -").next().unwrap_or_default().trim();
                    self.options.push(name.to_owned());
                }
                "colors" | "sigint" | "sigterm" | "analyze" | "playother" | "draw" | "debug" | "nps"
                | "ics" | "name" => {}
                // Moves in SAN, among others.
                _ => {
                    answers.push(format!("rejected {name}"));
                    continue;
                }
            }
            answers.push(format!("accepted {name}"));
        }
        answers
    }
}

/// Splits `name=value name="value with spaces"` into its parts; an unclosed quote extends to the end.
fn assignments(text: &str) -> Vec<(&str, &str)> {
    let mut parts = Vec::new();
    let mut rest = text.trim_start();
    while let Some((name, value)) = rest.split_once('=') {
        let (value, after) = match value.strip_prefix('"') {
            Some(quoted) => quoted.split_once('"').unwrap_or((quoted, "")),
            None => value.split_once(char::is_whitespace).unwrap_or((value, "")),
        };
        // A word without a value before the name is ignored.
        parts.push((name.rsplit(char::is_whitespace).next().unwrap_or_default(), value));
        rest = after.trim_start();
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn features_are_read_and_answered() {
        let mut features = Features::default();
        let answers = features
            .read("ping=1 setboard=1 san=1 myname=\"Fruit 2.1 a=b\" variants=\"normal,fischerandom\" time=0");
        assert_eq!(
            answers,
            [
                "accepted ping",
                "accepted setboard",
                "rejected san",
                "accepted myname",
                "accepted variants",
                "accepted time"
            ]
        );
        features.read("option=\"Own Book -check 1\" option=\"Hash MB -spin 16 1 64\" done=1");
        assert_eq!(features.name.as_deref(), Some("Fruit 2.1 a=b"));
        assert_eq!(
            (features.ping, features.setboard, features.time, features.done),
            (true, true, false, true)
        );
        assert_eq!(features.variants, ["normal", "fischerandom"]);
        assert_eq!(features.options, ["Own Book", "Hash MB"]);
    }

    #[test]
    fn malformed_lines_are_harmless() {
        for text in ["", "=", "ping", "ping=", "myname=\"open", "a b=1", "=1 =2", "\"\"=\"\""] {
            let mut features = Features::default();
            features.read(text);
            assert!(!features.ping && !features.done, "{text}");
        }
        let mut features = Features::default();
        features.read("done=0");
        assert!(features.waits && !features.done);
    }
}
