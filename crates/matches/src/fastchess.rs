//! Arguments of fastchess and cutechess-cli, answered with the command that plays the same match here.
//!
//! Both take flags with one dash, each followed by values, most of them `key=value`: `-engine cmd=a name=A -each tc=10+0.1 -rounds 50`.
//! clap would read the first as a cluster of short options and name a letter that nobody has typed.

use std::collections::VecDeque;
use std::fmt;
use tabiya_lab_common::program::{invocation, quoted};
use tabiya_uci_engine::EngineCommand;
use tabiya_workspace::lab_commands::MATCHES;

/// The same match as a command of `cargo xtask`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Translation {
    /// The command and its arguments, each option with its values in one group.
    groups: Vec<Vec<String>>,
    /// The arguments without a counterpart.
    left_out: Vec<String>,
    /// Sentences about arguments that mean different things in the two programs.
    notes: Vec<String>,
}

/// Translates the arguments after `cargo xtask selfplay` or `gauntlet`. Returns `None` if they are not those of fastchess or cutechess-cli.
#[must_use]
pub fn translate(arguments: &[String]) -> Option<Translation> {
    if let Some(flag) = arguments.iter().position(|argument| argument == "--compliance") {
        let engine = arguments[flag + 1..].join(" ");
        return Some(Translation {
            groups: vec![vec!["conformance".to_owned(), engine]],
            left_out: Vec::new(),
            notes: Vec::new(),
        });
    }
    if !arguments.iter().any(|argument| is_flag(argument)) {
        return None;
    }
    let mut foreign = Match::default();
    let mut rest: VecDeque<&str> = arguments.iter().map(String::as_str).collect();
    while let Some(flag) = rest.pop_front() {
        let mut values = Vec::new();
        while let Some(value) = rest.front().copied().filter(|&value| !is_flag(value)) {
            values.push(value);
            rest.pop_front();
        }
        foreign.read(flag, &values);
    }
    Some(foreign.translation())
}

/// True for `-name`. Our own short options have one letter, and negative numbers are values.
fn is_flag(argument: &str) -> bool {
    matches!(argument.as_bytes(), [b'-', first, second, ..] if first.is_ascii_alphabetic() && second.is_ascii_alphabetic())
}

impl Translation {
    fn plays_games(&self) -> bool {
        self.groups[0][0] != "conformance"
    }

    /// The arguments, without `cargo xtask`.
    #[must_use]
    pub fn arguments(&self) -> Vec<&str> {
        self.groups.iter().flatten().map(String::as_str).collect()
    }
}

/// A message with the command, ready to paste into a POSIX shell.
impl fmt::Display for Translation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let what = if self.plays_games() { "match" } else { "test" };
        writeln!(f, "these are arguments of fastchess or cutechess-cli; the same {what} here:\n")?;
        f.write_str(invocation(&MATCHES))?;
        for (number, group) in self.groups.iter().enumerate() {
            if number > 0 {
                f.write_str(" \\\n   ")?;
            }
            for argument in group {
                write!(f, " {}", quoted(argument))?;
            }
        }
        writeln!(f)?;
        if !self.left_out.is_empty() {
            writeln!(f, "\nleft out, because it has no counterpart: {}", self.left_out.join(", "))?;
        }
        for note in &self.notes {
            writeln!(f, "\n{note}")?;
        }
        if self.plays_games() {
            f.write_str("\nThe games are written to games.pgn in the folder of the run; --out DIR chooses another folder.")?;
        }
        Ok(())
    }
}

/// The plies of a book's games if all of them are played.
const WHOLE_GAME: &str = "1024";

/// The keys of search limits in a specification of `--engine`.
const LIMITS: [&str; 4] = ["tc", "movetime", "nodes", "depth"];

/// A program whose arguments are translated.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Program {
    Fastchess,
    Cutechess,
}

/// The match that the arguments read so far describe.
#[derive(Default)]
struct Match<'a> {
    /// The values of each `-engine`.
    engines: Vec<Vec<&'a str>>,
    each: Vec<&'a str>,
    /// The program, if the arguments tell: where they do not, notes name the differences.
    program: Option<Program>,
    rounds: Option<u64>,
    games_per_round: Option<u64>,
    is_gauntlet: bool,
    is_quick: bool,
    /// True if the variant is Chess960.
    is_chess960: bool,
    /// Options that have a counterpart, as groups.
    options: Vec<Vec<String>>,
    left_out: Vec<String>,
    notes: Vec<String>,
}

impl<'a> Match<'a> {
    /// Reads a flag with its values.
    fn read(&mut self, flag: &'a str, values: &[&'a str]) {
        let first = values.first().copied().unwrap_or_default();
        let value = |key: &str| value(values, key);
        match flag {
            "-engine" => self.engines.push(values.to_vec()),
            "-quick" => self.quick(values),
            "-each" => self.each.extend(values),
            "-rounds" if first.parse::<u64>().is_ok() => self.rounds = first.parse().ok(),
            "-games" if first.parse::<u64>().is_ok() => self.games_per_round = first.parse().ok(),
            "-tournament" => self.is_gauntlet = first == "gauntlet",
            "-concurrency" => self.add(&["-j", first]),
            "-maxmoves" => self.add(&["--max-moves", first]),
            "-event" => self.add(&["--event", first]),
            "-srand" => self.add(&["--seed", first]),
            "-startup-ms" => self.add(&["--startup-timeout", first]),
            "-ping-ms" => self.add(&["--ping-timeout", first]),
            "-recover" => self.add(&["--recover"]),
            "-strict" => self.add(&["--strict"]),
            "-help" => self.add(&["--help"]),
            "-use-affinity" | "-affinity" => self.add(&["--affinity"]),
            // On Windows a colon is part of a path.
            "-tb" => {
                let has_drive = first.as_bytes().get(1) == Some(&b':');
                let separator = if first.contains(';') || has_drive { ';' } else { ':' };
                first.split(separator).for_each(|folder| self.add(&["--syzygy", folder]));
            }
            "-variant" if first == "fischerandom" || first == "chess960" => self.is_chess960 = true,
            "-sprt" => {
                let number = |key, default| value(key).unwrap_or(default);
                let (elo, errors) = (
                    [number("elo0", "0"), number("elo1", "5")],
                    [number("alpha", "0.05"), number("beta", "0.05")],
                );
                self.add(&["--sprt", elo[0], elo[1], errors[0], errors[1]]);
                // cutechess-cli has the logistic model only, and no name for it.
                match (value("model"), self.program) {
                    (Some(model @ ("normalized" | "logistic")), _) => self.add(&["--model", model]),
                    (Some(model), _) => self.left_out.push(format!("model={model}")),
                    (None, Some(Program::Fastchess)) => {}
                    (None, Some(Program::Cutechess)) => self.add(&["--model", "logistic"]),
                    (None, None) => self.notes.push(
                        "elo0 and elo1 are read as normalized Elo, as in fastchess; for cutechess-cli, add --model logistic."
                            .to_owned(),
                    ),
                }
            }
            "-draw" => {
                let number = |key, default| value(key).unwrap_or(default);
                let rule =
                    [number("movenumber", "1"), number("movecount", "1"), number("score", "0")].join(",");
                self.add(&["--draw", &rule]);
            }
            "-resign" => {
                let mut rule =
                    format!("{},{}", value("movecount").unwrap_or("1"), value("score").unwrap_or("1000"));
                if value("twosided") != Some("true") {
                    rule += ",one-sided";
                }
                self.add(&["--resign", &rule]);
            }
            "-openings" => {
                if let Some(file) = value("file") {
                    self.add(&["--book", file]);
                }
                // cutechess-cli takes the openings in order unless it is told otherwise, and fastchess and we shuffle them.
                match (value("order"), self.program) {
                    (Some(order), _) => self.add(&["--order", order]),
                    (None, Some(Program::Fastchess)) => {}
                    (None, Some(Program::Cutechess)) => self.add(&["--order", "sequential"]),
                    (None, None) => self.notes.push(
                        "the openings are shuffled, as in fastchess; for cutechess-cli, add --order sequential.".to_owned(),
                    ),
                }
                // Both play the games of a PGN book to their ends.
                let is_pgn = value("format") == Some("pgn")
                    || value("file").is_some_and(|file| file.ends_with(".pgn"));
                if let Some(plies) = value("plies").or(is_pgn.then_some(WHOLE_GAME)) {
                    self.add(&["--plies", plies]);
                }
                if let Some(start @ 2..) = value("start").and_then(|start| start.parse::<u64>().ok()) {
                    self.add(&["--skip", &(start - 1).to_string()]);
                }
            }
            "-pgnout" => {
                if ["nodes", "nps", "seldepth", "hashfull", "timeleft", "pv"]
                    .iter()
                    .any(|key| value(key) == Some("true"))
                {
                    self.add(&["--pgn-details"]);
                }
            }
            // Openings are always played with both colours, latencies are always reported, and the rest is about the output and the
            // machine. Where the program's name was copied with its arguments, it comes first.
            "-repeat" | "-report" | "-output" | "-ratinginterval" | "-scoreinterval"
            | "-autosaveinterval" | "-show-latency" | "-testEnv" | "-force-concurrency" => {}
            "-variant" if first == "standard" => {}
            name if !is_flag(name) && name.contains("fastchess") => self.program = Some(Program::Fastchess),
            name if !is_flag(name) && name.contains("cutechess") => self.program = Some(Program::Cutechess),
            _ => self.left_out.push([&[flag][..], values].concat().join(" ")),
        }
    }

    /// Reads the values of `-quick`: two engines and a book, with settings that fastchess chooses.
    fn quick(&mut self, values: &[&'a str]) {
        self.is_quick = true;
        self.program = Some(Program::Fastchess);
        for &value in values {
            match value.split_once('=') {
                Some(("cmd", _)) => self.engines.push(vec![value]),
                Some(("book", file)) => {
                    self.add(&["--book", file]);
                    if file.ends_with(".pgn") {
                        self.add(&["--plies", WHOLE_GAME]);
                    }
                }
                _ => self.left_out.push(value.to_owned()),
            }
        }
        self.each.push("tc=10+0.1");
        self.rounds = Some(25_000);
        self.add(&["--recover"]);
        self.add(&["--draw", "30,8,8"]);
    }

    /// Copies the limits of `-each` to all engines if any engine has its own. In our arguments, an engine's limits replace the common ones.
    fn merge_limits(&mut self) {
        if !self.engines.iter().flatten().any(|value| limit(value).is_some()) {
            return;
        }
        let (common, rest): (Vec<&str>, _) =
            self.each.iter().copied().partition(|value| limit(value).is_some());
        self.each = rest;
        for engine in &mut self.engines {
            for value in &common {
                if !engine.iter().any(|own| limit(own) == limit(value)) {
                    engine.push(value);
                }
            }
        }
    }

    fn add(&mut self, option: &[&str]) {
        self.options.push(option.iter().map(|&word| word.to_owned()).collect());
    }

    fn has(&self, name: &str) -> bool {
        self.options.iter().any(|option| option[0] == name)
    }

    /// Adds an option of the match for a `value` that the other program sets for each engine. If two engines differ, the value of the
    /// first holds for both, and the other is left out.
    fn add_once(&mut self, value: &str, option: &[&str]) {
        match self.options.iter().find(|known| known[0] == option[0]) {
            Some(known) if known[..] == *option => {}
            Some(_) => self.left_out.push(value.to_owned()),
            None => self.add(option),
        }
    }

    fn translation(mut self) -> Translation {
        let is_gauntlet = self.is_gauntlet || self.engines.len() > 2;
        self.merge_limits();
        let mut groups = vec![vec![if is_gauntlet { "gauntlet" } else { "selfplay" }.to_owned()]];
        let engines = std::mem::take(&mut self.engines);
        for (number, (values, name)) in engines.iter().zip(missing_names(&engines)).enumerate() {
            let specification = self.engine(values, name);
            let option = if is_gauntlet && number == 0 { "--new" } else { "--engine" };
            groups.push(vec![option.to_owned(), specification]);
        }
        if is_gauntlet && !self.is_gauntlet {
            groups.push(vec!["--round-robin".to_owned()]);
        }
        // The positions of a book tell that they are of Chess960.
        if self.is_chess960 && !self.has("--book") {
            self.add(&["--book", "chess960"]);
        }
        for value in std::mem::take(&mut self.each) {
            self.each(value);
        }
        let games = self.games().to_string();
        self.add(&["--games", &games]);
        // Both play one game at a time by default; -quick uses the processors.
        if !self.is_quick && !self.has("-j") {
            self.add(&["-j", "1"]);
        }
        groups.extend(self.options);
        Translation { groups, left_out: self.left_out, notes: self.notes }
    }

    /// The number of games, of each pairing.
    fn games(&mut self) -> u64 {
        let default = if self.program == Some(Program::Cutechess) { 1 } else { 2 };
        let (games, note) = match (self.rounds, self.games_per_round) {
            // With more than two games in a round, fastchess swaps the two numbers, which does not change the product.
            (Some(rounds), Some(games)) => (rounds.saturating_mul(games), None),
            (None, Some(games)) if self.program.is_none() => (
                games,
                Some(
                    "-games without -rounds is read as the number of all games, as in cutechess-cli; fastchess plays two such rounds.",
                ),
            ),
            (rounds, games) => (
                rounds.unwrap_or(default).saturating_mul(games.unwrap_or(default)),
                match rounds {
                    Some(_) => Some(
                        "A round is read as two games, as in fastchess; in cutechess-cli it is one game.",
                    ),
                    None => Some(
                        "Without -rounds and -games, fastchess plays four games; cutechess-cli plays one.",
                    ),
                },
            ),
        };
        self.notes.extend(note.filter(|_| self.program.is_none()).map(str::to_owned));
        games
    }

    /// The specification of an engine, with a name if it needs one.
    fn engine(&mut self, values: &[&str], name: Option<String>) -> String {
        let mut parts = Vec::new();
        let mut arguments = Vec::new();
        for value in values {
            match engine_key(value) {
                Some(("args", text)) => arguments.push(text),
                Some((key, text)) => parts.push(format!("{key}={text}")),
                None => self.engine_rest(value),
            }
        }
        if !arguments.is_empty() {
            parts.push(format!("args={}", arguments.join(" ")));
        }
        parts.extend(name.map(|name| format!("name={name}")));
        parts.join(",")
    }

    /// Reads a value of `-each`.
    fn each(&mut self, value: &str) {
        match engine_key(value) {
            Some((key, text)) if key.starts_with("option.") => {
                self.add(&["--option", &format!("{}={text}", &key["option.".len()..])]);
            }
            Some((key, text)) if LIMITS.contains(&key) => self.add(&[&format!("--{key}"), &text]),
            // UCI is the default.
            Some(("proto", protocol)) if protocol == "uci" => {}
            _ => self.engine_rest(value),
        }
    }

    /// Reads a value that is not part of the specification of an engine.
    fn engine_rest(&mut self, value: &str) {
        match value.split_once('=').unwrap_or((value, "")) {
            ("timemargin", milliseconds) => self.add_once(value, &["--time-margin", milliseconds]),
            ("restart", "on") => self.add_once(value, &["--restart"]),
            ("ponder", _) => self.add_once(value, &["--ponder"]),
            ("restart", _) | ("tc", "inf") => {}
            _ => self.left_out.push(value.to_owned()),
        }
    }
}

/// The value of a key among `key=value`.
fn value<'a>(values: &[&'a str], key: &str) -> Option<&'a str> {
    values
        .iter()
        .find_map(|text| text.split_once('=').filter(|&(name, _)| name == key))
        .map(|(_, value)| value)
}

/// The key of a search limit.
fn limit(text: &str) -> Option<&str> {
    engine_key(text).map(|(key, _)| key).filter(|key| LIMITS.contains(key))
}

/// The names of engines that are given none and would have the name of another one: that of the program, with a number.
fn missing_names(engines: &[Vec<&str>]) -> Vec<Option<String>> {
    let own =
        |engine: &[&str]| value(engine, "name").filter(|name| !name.trim().is_empty()).map(str::to_owned);
    let name = |engine: &Vec<&str>| {
        own(engine).unwrap_or_else(|| EngineCommand::new(value(engine, "cmd").unwrap_or_default()).name)
    };
    let names: Vec<String> = engines.iter().map(name).collect();
    let missing = |(index, engine): (usize, &Vec<&str>)| {
        let same = |others: &[String]| others.iter().filter(|&other| *other == names[index]).count();
        (own(engine).is_none() && same(&names) > 1)
            .then(|| format!("{}-{}", names[index], same(&names[..=index])))
    };
    engines.iter().enumerate().map(missing).collect()
}

/// The key and the value of an engine's setting in a specification of `--engine`. `None` if it has none.
fn engine_key(text: &str) -> Option<(&str, String)> {
    let (key, value) = text.split_once('=')?;
    Some(match key {
        "tc" if value == "inf" => return None,
        // No moves before the slash: the time is for the whole game.
        "tc" => ("tc", value.strip_prefix("0/").unwrap_or(value).to_owned()),
        "st" => ("movetime", (value.parse::<f64>().ok()? * 1000.0).round().to_string()),
        "plies" | "depth" => ("depth", value.to_owned()),
        "arg" | "args" => ("args", value.to_owned()),
        "cmd" | "name" | "dir" | "proto" | "nodes" => (key, value.to_owned()),
        _ if key.starts_with("option.") => (key, value.to_owned()),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn translated(line: &str) -> Translation {
        let arguments: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
        translate(&arguments).expect(line)
    }

    #[test]
    fn commands_of_fastchess_and_cutechess_become_ours() {
        for (foreign, ours) in [
            (
                "-engine cmd=Engine1.exe name=Engine1 -engine cmd=Engine2.exe name=Engine2 -each tc=10+0.1 -rounds 200 -repeat -concurrency 4",
                "selfplay --engine cmd=Engine1.exe,name=Engine1 --engine cmd=Engine2.exe,name=Engine2 -j 4 --tc 10+0.1 --games 400",
            ),
            (
                "-engine cmd=a -engine cmd=b option.Hash=8 -each tc=40/1:30+1 option.Threads=2 -openings file=book.epd format=epd order=random \
                 start=5 -sprt elo0=-1 elo1=4 alpha=0.1 beta=0.1 model=logistic -rounds 10 -games 2 -pgnout file=x.pgn nodes=true -srand 7",
                "selfplay --engine cmd=a --engine cmd=b,option.Hash=8 --book book.epd --order random --skip 4 --sprt -1 4 0.1 0.1 \
                 --model logistic --pgn-details --seed 7 --tc 40/1:30+1 --option Threads=2 --games 20 -j 1",
            ),
            (
                "-engine cmd=a st=0.5 arg=x arg=y -engine cmd=b plies=5 proto=xboard -draw movenumber=40 movecount=8 score=10 -resign movecount=3 \
                 score=600 twosided=true -tb /a:/b -recover -maxmoves 150 -each timemargin=50 restart=on tc=inf",
                "selfplay --engine cmd=a,movetime=500,args=x y --engine cmd=b,depth=5,proto=xboard --draw 40,8,10 --resign 3,600 --syzygy /a \
                 --syzygy /b --recover --max-moves 150 --time-margin 50 --restart --games 4 -j 1",
            ),
            (
                "-tournament gauntlet -engine cmd=a -engine cmd=b -engine cmd=c -each nodes=5000 -resign movecount=3 score=400 -variant fischerandom",
                "gauntlet --new cmd=a --engine cmd=b --engine cmd=c --resign 3,400,one-sided --book chess960 --nodes 5000 --games 4 -j 1",
            ),
            (
                "-openings file=b.epd order=random -variant chess960 -engine cmd=a -engine cmd=b -rounds 1",
                "selfplay --engine cmd=a --engine cmd=b --book b.epd --order random --games 2 -j 1",
            ),
            (
                // The shortcut of fastchess, with the settings of its source.
                "-quick cmd=a cmd=b book=book.pgn",
                "selfplay --engine cmd=a --engine cmd=b --book book.pgn --plies 1024 --recover --draw 30,8,8 --tc 10+0.1 --games 50000",
            ),
            (
                "-quick cmd=old/a cmd=new/a book=book.epd",
                "selfplay --engine cmd=old/a,name=a-1 --engine cmd=new/a,name=a-2 --book book.epd --recover --draw 30,8,8 --tc 10+0.1 \
                 --games 50000",
            ),
            ("./fastchess --compliance path/engine --uci x", "conformance path/engine --uci x"),
            (
                "-engine cmd=a -engine cmd=b -each nodes=5 -openings file=b.epd -variant standard -strict -testEnv -tb C:\\a;D:\\b",
                "selfplay --engine cmd=a --engine cmd=b --book b.epd --strict --syzygy C:\\a --syzygy D:\\b --nodes 5 --games 4 -j 1",
            ),
            // Options of the match may be repeated for each engine.
            (
                "-engine cmd=a timemargin=50 ponder restart=on -engine cmd=b timemargin=50 ponder restart=on -each tc=1+0.1",
                "selfplay --engine cmd=a --engine cmd=b --time-margin 50 --ponder --restart --tc 1+0.1 --games 4 -j 1",
            ),
            // The limits of `-each` hold beside those of an engine.
            (
                "fastchess -engine cmd=a nodes=2000000 -engine cmd=b tc=60 -each tc=300+5 option.Hash=8",
                "selfplay --engine cmd=a,nodes=2000000,tc=300+5 --engine cmd=b,tc=60 --option Hash=8 --games 4 -j 1",
            ),
            (
                "-engine cmd=a -engine cmd=b -engine cmd=c",
                "gauntlet --new cmd=a --engine cmd=b --engine cmd=c --round-robin --games 4 -j 1",
            ),
        ] {
            let translation = translated(foreign);
            assert_eq!(translation.arguments().join(" "), ours, "{foreign}");
            assert!(translation.left_out.is_empty(), "{translation}");
        }
    }

    #[test]
    fn engines_cannot_have_different_options_of_the_match() {
        let translation = translated("-engine cmd=a timemargin=50 -engine cmd=b timemargin=80 -rounds 1");
        let ours = "selfplay --engine cmd=a --engine cmd=b --time-margin 50 --games 2 -j 1";
        assert_eq!(translation.arguments().join(" "), ours);
        assert_eq!(translation.left_out, ["timemargin=80"]);
    }

    #[test]
    fn engines_of_the_same_program_get_names() {
        for (foreign, ours) in [
            (
                "-engine cmd=x/a -engine cmd=y/a nodes=5",
                "--engine cmd=x/a,name=a-1 --engine cmd=y/a,nodes=5,name=a-2",
            ),
            ("-engine cmd=a name=b -engine cmd=b", "--engine cmd=a,name=b --engine cmd=b,name=b-2"),
            ("-engine cmd=a name=b -engine cmd=a", "--engine cmd=a,name=b --engine cmd=a"),
        ] {
            let arguments = translated(&format!("{foreign} -rounds 1")).arguments().join(" ");
            assert_eq!(arguments, format!("selfplay {ours} --games 2 -j 1"));
        }
    }

    #[test]
    fn what_the_programs_read_differently_is_told() {
        for (foreign, ours, note) in [
            ("-games 1000", "--games 1000", "as in cutechess-cli; fastchess plays two"),
            ("-rounds 50", "--games 100", "in cutechess-cli it is one game"),
            ("-srand 1", "--seed 1 --games 4", "cutechess-cli plays one"),
            ("-rounds 5 -games 10", "--games 50", ""),
            (
                "-rounds 1 -games 2 -sprt elo0=0 elo1=5",
                "--sprt 0 5 0.05 0.05 --games 2",
                "for cutechess-cli, add --model logistic",
            ),
            ("fastchess -games 50 -sprt elo0=0 elo1=5", "--sprt 0 5 0.05 0.05 --games 100", ""),
            ("cutechess-cli -rounds 50", "--games 50", ""),
            (
                "-rounds 5 -games 2 -openings file=b.epd",
                "--book b.epd --games 10",
                "the openings are shuffled",
            ),
            ("fastchess -openings file=b.epd -rounds 5", "--book b.epd --games 10", ""),
            (
                "cutechess-cli -openings file=b.epd -rounds 5 -games 2",
                "--book b.epd --order sequential --games 10",
                "",
            ),
            (
                "cutechess-cli -games 100 -sprt elo0=0 elo1=5",
                "--sprt 0 5 0.05 0.05 --model logistic --games 100",
                "",
            ),
        ] {
            let translation = translated(&format!("{foreign} -engine cmd=a -engine cmd=b"));
            let expected = format!("selfplay --engine cmd=a --engine cmd=b {ours} -j 1");
            assert_eq!(translation.arguments().join(" "), expected, "{foreign}");
            assert_eq!(translation.notes.len(), usize::from(!note.is_empty()), "{translation}");
            assert!(translation.to_string().contains(note), "{translation}");
        }
    }

    #[test]
    fn what_has_no_counterpart_is_named() {
        let translation = translated(
            "-engine cmd=a whitepov stderr=x -engine cmd=b -log file=l.txt level=warn -wait 5 -noswap",
        );
        assert_eq!(
            translation.left_out,
            ["-log file=l.txt level=warn", "-wait 5", "-noswap", "whitepov", "stderr=x"]
        );
        assert!(translation.to_string().contains("no counterpart: -log file=l.txt level=warn, -wait 5"));
    }

    #[test]
    fn the_command_can_be_pasted() {
        let arguments = ["-engine", "cmd=my engine", "name=it's", "-engine", "cmd=b", "-each", "tc=1+0.01"]
            .map(str::to_owned);
        let text = translate(&arguments).unwrap().to_string();
        let expected = "cargo xtask selfplay \\\n    --engine 'cmd=my engine,name=it'\\''s' \\\n    --engine cmd=b \\\n    --tc 1+0.01 \\\n    --games 4 \\\n    -j 1\n";
        assert!(text.contains(expected), "{text}");
    }

    #[test]
    fn own_arguments_are_left_alone() {
        for line in ["", "--engine name=a,cmd=b --tc 10+0.1 -j 4", "-j4", "--sprt -5 0", "--games 5 -h"] {
            let arguments: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
            assert_eq!(translate(&arguments), None, "{line}");
        }
    }
}
