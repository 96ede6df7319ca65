use super::Player;
use std::path::PathBuf;
use std::str::FromStr;
use tabiya_uci_engine::EngineCommand;

/// Keys of an engine specification; `option.` is followed by an option name.
const KEYS: [&str; 10] =
    ["name", "cmd", "args", "dir", "proto", "tc", "movetime", "nodes", "depth", "option.*"];

/// Parses `name=...,cmd=...,args=...,dir=...,proto=xboard,tc=...,nodes=...,option.Hash=16`.
///
/// Values may contain commas: only a comma followed by a key separates. Only `cmd` is required.
impl FromStr for Player {
    type Err = String;

    fn from_str(text: &str) -> Result<Player, String> {
        let mut player = Player::default();
        let mut name = None;
        for part in split(text) {
            let Some((key, value)) = part.split_once('=').filter(|(key, _)| is_key(key)) else {
                return Err(format!(
                    "{part:?} in the engine {text:?} is not of the form key=value with one of the keys {}",
                    KEYS.join(", ")
                ));
            };
            let number = || value.parse::<u64>().ok().filter(|&number| number > 0);
            let wants_number = || format!("{key}={value:?}: expected a positive integer");
            match key {
                "name" => name = Some(value.to_owned()),
                "cmd" => player.command.program = PathBuf::from(value),
                "args" => {
                    let arguments = EngineCommand::split_arguments(value);
                    player.command.arguments = arguments.map_err(|error| format!("args: {error}"))?;
                }
                "dir" => player.command.folder = Some(PathBuf::from(value)),
                "proto" => player.protocol = value.parse()?,
                "tc" => player.limits.clock = Some(value.parse()?),
                "movetime" => player.limits.movetime = Some(number().ok_or_else(wants_number)?),
                "nodes" => player.limits.nodes = Some(number().ok_or_else(wants_number)?),
                "depth" => {
                    let depth = number().and_then(|number| u32::try_from(number).ok());
                    player.limits.depth = Some(depth.ok_or_else(wants_number)?);
                }
                _ => {
                    let option = key.trim_start_matches("option.");
                    player.options.push((option.to_owned(), value.to_owned()));
                }
            }
        }
        if player.command.program.as_os_str().is_empty() {
            return Err(format!("the engine {text:?} has no cmd=..."));
        }
        player.command.name = match name {
            Some(name) if !name.trim().is_empty() => name,
            _ => EngineCommand::new(&player.command.program).name,
        };
        Ok(player)
    }
}

fn is_key(key: &str) -> bool {
    match key.strip_prefix("option.") {
        Some(option) => !option.is_empty(),
        None => KEYS.contains(&key) && key != "option.*",
    }
}

/// Splits at commas followed by a key.
fn split(text: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let mut start = 0;
    for (at, _) in text.match_indices(',') {
        let rest = &text[at + 1..];
        if rest.split_once('=').is_some_and(|(key, _)| is_key(key)) {
            parts.push(&text[start..at]);
            start = at + 1;
        }
    }
    parts.push(&text[start..]);
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parses_every_key() {
        let player: Player =
            "name=SF 1,cmd=/usr/games/stockfish,args=a 'b c' \"\",dir=/tmp,tc=10+0.1,nodes=5,depth=3,\
             movetime=9,option.Skill Level=5,option.SyzygyPath=/a,b"
                .parse()
                .unwrap();
        assert_eq!(player.name(), "SF 1");
        assert_eq!(player.command.program, PathBuf::from("/usr/games/stockfish"));
        assert_eq!(player.command.arguments, ["a", "b c", ""]);
        assert_eq!(player.command.folder, Some(PathBuf::from("/tmp")));
        assert_eq!(player.limits.to_string(), "10+0.1, 0.009 s per move, 5 nodes per move, depth 3");
        let option = |name: &str, value: &str| (name.to_owned(), value.to_owned());
        assert_eq!(player.options, [option("Skill Level", "5"), option("SyzygyPath", "/a,b")]);
        assert_eq!("cmd=/usr/games/toga2".parse::<Player>().unwrap().name(), "toga2");
    }

    #[test]
    fn errors_name_the_problem() {
        for (text, message) in [
            ("", "not of the form key=value"),
            ("stockfish", "not of the form key=value"),
            ("cmd=x,foo=1", ""),
            ("foo=1,cmd=x", "not of the form key=value"),
            ("name=x", "has no cmd="),
            ("cmd=x,nodes=many", "expected a positive integer"),
            ("cmd=x,depth=0", "expected a positive integer"),
            ("cmd=x,tc=fast", "not a time control"),
            ("cmd=x,proto=telnet", "expected uci or xboard"),
            ("cmd=x,args='a", "unclosed quote"),
            ("cmd=x,option.=5", ""),
        ] {
            match text.parse::<Player>() {
                Err(error) => assert!(!message.is_empty() && error.contains(message), "{text}: {error}"),
                // The text after the comma is part of the command, which will not be found.
                Ok(player) => assert!(message.is_empty() && player.locate_fails(), "{text}"),
            }
        }
    }

    impl Player {
        fn locate_fails(mut self) -> bool {
            self.locate().is_err()
        }
    }
}
