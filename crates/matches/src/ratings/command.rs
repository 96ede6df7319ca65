//! `cargo xtask ratings`: ratings of the players of PGN files.
//!
//! `games` reads names and results; `likelihood` computes the ratings.

use super::UNRATED;
use super::games::{Results, numbers};
use super::likelihood::{Fit, Pairing, comparable, fit};
use anyhow::{Context, Result, bail};
use std::fmt;
use std::path::PathBuf;
use tabiya_lab_common::counted::counted;
use tabiya_lab_common::number_argument::finite;

/// Command-line arguments of `ratings`.
#[derive(clap::Args)]
#[command(after_help = "\
The games may come from any program. Names are those of the tags White and Black; games without a result are left out, and
moves are not read.

The ratings maximise the likelihood in Davidson's model: with d = (White's rating - Black's rating + White's advantage) / 400,
win, draw and loss have probabilities in the ratio 10^(d/2) : v : 10^(-d/2). White's advantage and v are fitted, too. Ratings are
scaled by 2 / (2 + v), so that small differences mean the same as in the logistic formula of Elo. The 95 %
intervals are of the profile likelihood (above 120 players, of the normal approximation) and those of the difference to the
anchor. Players who won or lost all games against the others, or never met them, have no rating.

For a match of two engines with pairs of games, `cargo xtask sprt` has narrower intervals.")]
pub struct RatingsArgs {
    /// PGN files; `-` is standard input
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// Player with the fixed rating [default: the one with the most games]
    #[arg(long, value_name = "NAME")]
    anchor: Option<String>,
    /// Rating of the anchor
    #[arg(long, value_name = "ELO", default_value_t = 0.0, allow_hyphen_values = true, value_parser = finite)]
    anchor_elo: f64,
    /// Leave out players with fewer games
    #[arg(long, value_name = "N", default_value_t = 1)]
    min_games: u64,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Runs the command.
///
/// # Errors
/// If a file cannot be read, or no two players can be compared.
pub fn run(args: &RatingsArgs) -> Result<()> {
    let mut results = Results::default();
    for path in &args.files {
        results.read(path)?;
    }
    let table = table(&results, args)?;
    if args.json {
        println!("{}", serde_json::to_string_pretty(&table)?);
    } else {
        println!("{table}");
    }
    Ok(())
}

/// Ratings, best player first; then the players without a rating.
#[derive(Clone, PartialEq, Debug, serde::Serialize)]
struct Table {
    anchor: String,
    /// White's advantage, in Elo.
    white_advantage: f64,
    /// Probability of a draw of equal players, as far as the colours do not count.
    draw_rate: f64,
    rows: Vec<Row>,
    /// Games without a result or without two different players.
    games_left_out: u64,
}

/// A player.
#[derive(Clone, PartialEq, Debug, serde::Serialize)]
struct Row {
    name: String,
    /// Rating in Elo; `None` if it is not finite, or not comparable to the anchor's.
    elo: Option<f64>,
    /// 95 % interval of the difference to the anchor, as ratings.
    interval: Option<[f64; 2]>,
    wins: u64,
    draws: u64,
    losses: u64,
}

impl Row {
    fn games(&self) -> u64 {
        self.wins + self.draws + self.losses
    }

    fn new(name: &str) -> Row {
        Row { name: name.to_owned(), elo: None, interval: None, wins: 0, draws: 0, losses: 0 }
    }
}

/// Computes the ratings.
///
/// # Errors
/// If no two players can be compared, or the anchor is not a player.
fn table(results: &Results, args: &RatingsArgs) -> Result<Table> {
    let mut rows: Vec<Row> = results.names.iter().map(|name| Row::new(name)).collect();
    for Pairing { white, black, results: [losses, draws, wins] } in results.pairings(|_| true) {
        for (player, own, others) in [(white, wins, losses), (black, losses, wins)] {
            let row = &mut rows[player];
            (row.wins, row.draws, row.losses) = (row.wins + own, row.draws + draws, row.losses + others);
        }
    }
    let kept: Vec<usize> = (0..rows.len()).filter(|&player| rows[player].games() >= args.min_games).collect();
    let pairings = results.pairings(|player| rows[player].games() >= args.min_games);
    let mut rows: Vec<Row> = kept.into_iter().map(|player| rows[player].clone()).collect();
    let (anchor, rated) = anchor_and_rated(&rows, &pairings, args.anchor.as_deref())?;

    // Numbers of the rated players among themselves.
    let numbers = numbers(rated.into_iter());
    let among_rated: Vec<Pairing> = pairings
        .iter()
        .filter_map(|pairing| {
            let (white, black) = (numbers[pairing.white]?, numbers[pairing.black]?);
            Some(Pairing { white, black, results: pairing.results })
        })
        .collect();
    let count = numbers.iter().flatten().count();
    let Fit { ratings, white_advantage, draw_rate } =
        fit(&among_rated, count, numbers[anchor].unwrap_or_default(), args.anchor_elo)
            .context("the ratings cannot be computed: the results hardly connect the players")?;
    for (row, number) in rows.iter_mut().zip(numbers) {
        let Some((elo, interval)) = number.map(|number| ratings[number]) else { continue };
        row.elo = Some(elo);
        row.interval = Some(interval);
    }
    let anchor = rows[anchor].name.clone();
    let elo = |row: &Row| row.elo.unwrap_or(f64::NEG_INFINITY);
    rows.sort_by(|a, b| elo(b).total_cmp(&elo(a)).then_with(|| a.name.cmp(&b.name)));
    Ok(Table { anchor, white_advantage, draw_rate, rows, games_left_out: results.left_out })
}

/// Returns the anchor, and for each player whether it can be compared with it.
///
/// # Errors
/// If the anchor is not a player, or there is no other comparable one.
fn anchor_and_rated(rows: &[Row], pairings: &[Pairing], name: Option<&str>) -> Result<(usize, Vec<bool>)> {
    let mut candidates: Vec<usize> = (0..rows.len()).collect();
    // The most games first.
    candidates.sort_by_key(|&player| std::cmp::Reverse(rows[player].games()));
    if let Some(name) = name {
        candidates.retain(|&player| rows[player].name == name);
        if candidates.is_empty() {
            let names: Vec<&str> = rows.iter().map(|row| row.name.as_str()).take(20).collect();
            bail!("--anchor {name:?} is not a player (expected one of {})", names.join(", "));
        }
    }
    for candidate in candidates {
        let rated = comparable(pairings, rows.len(), candidate);
        if rated.iter().filter(|&&is_rated| is_rated).count() > 1 {
            return Ok((candidate, rated));
        }
    }
    bail!(
        "no two players can be compared: there must be finished games in which each scored against the other, directly or \
         through others"
    )
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let width = self.rows.iter().map(|row| row.name.chars().count()).max().unwrap_or(0).max(4);
        writeln!(f, "  #  {:width$}      Elo   95 % interval    games  score  draws", "name")?;
        for (number, row) in (1..).zip(&self.rows) {
            let (elo, interval) = match (row.elo, row.interval) {
                // Adding 0.0 turns -0 into 0.
                (Some(elo), _) if row.name == self.anchor => {
                    (format!("{:.1}", elo + 0.0), "anchor".to_owned())
                }
                (Some(elo), Some([low, high])) => (format!("{elo:.1}"), format!("{low:.1} {high:.1}")),
                _ => ("-".to_owned(), String::new()),
            };
            let games = row.games().max(1) as f64;
            let score = 100.0 * (row.wins as f64 + row.draws as f64 / 2.0) / games;
            let draws = 100.0 * row.draws as f64 / games;
            writeln!(
                f,
                "{number:>3}  {:width$}  {elo:>7}  {interval:>14}  {:>7}  {score:>4.1}%  {draws:>4.1}%",
                row.name,
                row.games()
            )?;
        }
        write!(
            f,
            "White's advantage {:.1} Elo; draws of equal players {:.1} %",
            self.white_advantage,
            100.0 * self.draw_rate
        )?;
        if self.rows.iter().any(|row| row.elo.is_none()) {
            write!(f, "\n{UNRATED}")?;
        }
        if self.games_left_out > 0 {
            write!(f, "\nleft out {} without a result or players", counted(self.games_left_out, "game"))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tabiya_lab_common::test_arguments::parse;

    /// Computes the ratings of games, each given as `white black result`.
    fn rated(games: &[&str], arguments: &[&str]) -> Result<Table> {
        let mut text = String::new();
        for game in games {
            let fields: Vec<&str> = game.split(' ').collect();
            let [white, black, result] = fields[..] else { panic!("{game}") };
            text += &format!(
                "[White \"{white}\"]\n[Black \"{black}\"]\n[Result \"{result}\"]\n\n1. e4 {result}\n\n"
            );
        }
        let file = tempfile::NamedTempFile::new()?;
        std::fs::write(file.path(), text)?;
        let name = file.path().display().to_string();
        let args: RatingsArgs = parse([&[name.as_str()], arguments].concat())?;
        let mut results = Results::default();
        results.read(&args.files[0])?;
        table(&results, &args)
    }

    const GAMES: [&str; 9] = [
        "a b 1-0", "b a 0-1", "a b 1/2-1/2", "b a 1-0", "c a *", "c a 0-1", "c b 1-0", "b c 1/2-1/2",
        "d b 1-0",
    ];

    #[test]
    fn players_are_ordered_by_rating() {
        let table = rated(&GAMES, &["--anchor", "b", "--anchor-elo", "2000"]).unwrap();
        let names: Vec<&str> = table.rows.iter().map(|row| row.name.as_str()).collect();
        assert_eq!((names, table.games_left_out), (vec!["a", "c", "b", "d"], 1));
        let row = |name: &str| table.rows.iter().find(|row| row.name == name).unwrap();
        assert_eq!((row("b").elo, row("d").elo), (Some(2000.0), None));
        assert_eq!((row("a").wins, row("a").draws, row("a").losses), (3, 1, 1));
        let text = table.to_string();
        for part in
            ["anchor", "\n  4  d           -", "won or lost all games", "left out 1 game without a result"]
        {
            assert!(text.contains(part), "{part}: {text}");
        }
    }

    #[test]
    fn default_anchor_has_the_most_games() {
        assert_eq!(rated(&GAMES, &[]).unwrap().anchor, "b");
        // Not if it has no finite rating.
        let games = ["d a 1-0", "d b 1-0", "d c 1-0", "a b 1-0", "b a 1-0"];
        let table = rated(&games, &[]).unwrap();
        assert_eq!(table.anchor, "a");
        assert_eq!(rated(&games, &["--min-games", "3"]).unwrap().rows.len(), 3);
    }

    #[test]
    fn games_that_compare_no_players_are_an_error() {
        let error =
            |games: &[&str], arguments: &[&str]| format!("{:#}", rated(games, arguments).err().unwrap());
        for games in [&[][..], &["a a 1-0"], &["a b 1-0"], &["a b *", "b a *"]] {
            assert!(error(games, &[]).starts_with("no two players can be compared"), "{games:?}");
        }
        assert!(error(&["a b 1-0", "a b 0-1"], &["--anchor", "z"]).contains("expected one of a, b"));
    }
}
