//! Lists of opponents: TOML files and installed engines.

use crate::selfplay::limits::Limits;
use crate::selfplay::player::{Player, Protocol};
use anyhow::{Context, Result, anyhow};
use std::collections::BTreeMap;
use std::num::{NonZeroU32, NonZeroU64};
use std::path::{Path, PathBuf};
use tabiya_uci_engine::EngineCommand;

/// Engines packaged by Linux distributions, with the arguments that select UCI.
pub(crate) const KNOWN_ENGINES: [(&str, &[&str]); 5] = [
    ("stockfish", &[]),
    ("fairy-stockfish", &[]),
    ("toga2", &[]),
    ("glaurung", &[]),
    ("gnuchess", &["--uci"]),
];

/// Folder in which distributions install games; not always in `PATH`.
const GAMES_FOLDER: &str = "/usr/games";

/// Returns the installed known engines.
pub(crate) fn discover() -> Vec<Player> {
    KNOWN_ENGINES
        .iter()
        .filter_map(|(name, arguments)| {
            let find = |program: &Path| EngineCommand::new(program).find_program().ok();
            let program = find(Path::new(name)).or_else(|| find(&Path::new(GAMES_FOLDER).join(name)))?;
            let mut player = Player::new(name, program);
            player.command.arguments = arguments.iter().map(|&argument| argument.to_owned()).collect();
            Some(player)
        })
        .collect()
}

/// A TOML list of engines.
#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct List {
    engine: Vec<Entry>,
}

#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    name: Option<String>,
    cmd: PathBuf,
    #[serde(default)]
    args: Vec<String>,
    dir: Option<PathBuf>,
    #[serde(default)]
    proto: Protocol,
    #[serde(default)]
    options: BTreeMap<String, toml::Value>,
    tc: Option<String>,
    movetime: Option<NonZeroU64>,
    nodes: Option<NonZeroU64>,
    depth: Option<NonZeroU32>,
}

/// Reads a list of engines.
///
/// # Errors
/// If it cannot be read or parsed; the message says where.
pub(crate) fn read(path: &Path) -> Result<Vec<Player>> {
    let text = std::fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
    parse(&text).with_context(|| format!("{} is not a valid list of engines", path.display()))
}

fn parse(text: &str) -> Result<Vec<Player>> {
    let list: List = toml::from_str(text)?;
    list.engine.into_iter().map(Entry::player).collect()
}

impl Entry {
    fn player(self) -> Result<Player> {
        let mut player = Player::new("", self.cmd.clone());
        player.command.name = match self.name {
            Some(name) if !name.trim().is_empty() => name,
            _ => EngineCommand::new(&self.cmd).name,
        };
        player.command.arguments = self.args;
        player.command.folder = self.dir;
        player.protocol = self.proto;
        for (name, value) in self.options {
            let text = match value {
                toml::Value::String(text) => text,
                toml::Value::Integer(number) => number.to_string(),
                toml::Value::Boolean(flag) => flag.to_string(),
                _ => {
                    return Err(anyhow!(
                        "engine {:?}: option {name:?} is not a string, integer or boolean",
                        player.name()
                    ));
                }
            };
            player.options.push((name, text));
        }
        let clock = match self.tc {
            Some(text) => Some(text.parse().map_err(|error: String| anyhow!(error))?),
            None => None,
        };
        player.limits = Limits {
            clock,
            movetime: self.movetime.map(NonZeroU64::get),
            nodes: self.nodes.map(NonZeroU64::get),
            depth: self.depth.map(NonZeroU32::get),
            ..Limits::default()
        };
        Ok(player)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parses_engine_lists() {
        let players = parse(
            "[[engine]]\nname = \"sf\"\ncmd = \"/usr/games/stockfish\"\ntc = \"1+0.1\"\n\
             options = { UCI_Elo = 1800, UCI_LimitStrength = true, EvalFile = \"x\" }\n\
             [[engine]]\ncmd = \"/usr/games/gnuchess\"\nargs = [\"--uci\"]\nnodes = 5\n",
        )
        .unwrap();
        assert_eq!(players.iter().map(Player::name).collect::<Vec<_>>(), ["sf", "gnuchess"]);
        let options: Vec<String> =
            players[0].options.iter().map(|(name, value)| format!("{name}={value}")).collect();
        assert_eq!(options, ["EvalFile=x", "UCI_Elo=1800", "UCI_LimitStrength=true"]);
        assert_eq!(players[0].limits.to_string(), "1+0.1");
        assert_eq!((players[1].command.arguments.len(), players[1].limits.nodes), (1, Some(5)));
    }

    #[test]
    fn engine_list_errors_name_the_problem() {
        for (text, message) in [
            ("engine = 5", "invalid type"),
            ("[[engine]]\nname = \"x\"", "missing field `cmd`"),
            ("[[engine]]\ncmd = \"x\"\nhash = 5", "unknown field `hash`"),
            ("[[engine]]\ncmd = \"x\"\nnodes = 0", "expected a nonzero"),
            ("[[engine]]\ncmd = \"x\"\noptions = { A = [1] }", "is not a string, integer or boolean"),
            ("[[engine]]\ncmd = \"x\"\ntc = \"fast\"", "not a time control"),
        ] {
            let error = format!("{:#}", parse(text).unwrap_err());
            assert!(error.contains(message), "{text}: {error}");
        }
    }
}
