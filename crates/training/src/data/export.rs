//! `data export`: training records or text from games.

use super::later_scores::later_scores;
use super::output_args::{Force, Shuffling, SkipDamaged, Threads};
use super::shuffle::Shuffler;
use crate::record;
use anyhow::{Context, Result, bail};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use tabiya_core::{Board, TB_WIN_IN_MAX_PLY};
use tabiya_eval::handcrafted::tuning::{Coefficients, terms, weights};
use tabiya_eval::handcrafted::{Term, Unit};
use tabiya_eval::nnue::{Architecture, KingBuckets};
use tabiya_files::output::{self, OutputFile};
use tabiya_lab_common::counted::counted;
use tabiya_lab_common::games::{Damage, RawGame, Selection, is_validation};
use tabiya_lab_common::ordered::map_in_order;
use tabiya_lab_common::progress::Progress;
use tabiya_movegen::Position;

/// Size of a move with its score in a file of games, in bytes. Each stands for one position.
const MOVE_SIZE: u64 = 4;

/// Command-line arguments of `data export`.
#[derive(clap::Args)]
#[command(after_help = "\
Records are bulletformat::ChessBoard (32 bytes), shuffled. Text has lines FEN | score | result, in the order of the
games: score in centipawns and result (0.0, 0.5, 1.0) from White's point of view.")]
pub(super) struct ExportArgs {
    /// Files of games
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// Training records
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Validation records, from games that give no training record
    #[arg(long, value_name = "FILE")]
    valid: Option<PathBuf>,
    /// Percentage of the games for --valid, chosen by a hash of their moves
    #[arg(long, value_name = "PERCENT", default_value_t = 5, requires = "valid", value_parser = clap::value_parser!(u8).range(1..=50))]
    valid_percent: u8,
    /// Write text instead of records
    #[arg(long)]
    text: bool,
    /// Store the mean of each score and the later scores of its game, with weights that halve in this many plies; positions are
    /// selected by their own scores
    #[arg(long, value_name = "PLIES", value_parser = clap::value_parser!(u16).range(1..=1000))]
    half_life: Option<u16>,
    /// Multiply each score by the factor of its output bucket, as `train calibrate` prints them: for games of networks that were not
    /// calibrated
    #[arg(long, value_name = "FACTORS", value_parser = parse_factors)]
    score_factors: Option<ScoreFactors>,
    /// Add the middlegame halves of terms of the handcrafted evaluation to each score: NAME=FACTOR, separated by commas, such as
    /// space=1.5,king-safety=0.44
    #[arg(long, value_name = "TERMS", value_parser = parse_terms)]
    add_terms: Option<AddedTerms>,
    #[command(flatten)]
    selection: Selection,
    #[command(flatten)]
    shuffling: Shuffling,
    #[command(flatten)]
    threads: Threads,
    #[command(flatten)]
    force: Force,
    #[command(flatten)]
    damage: SkipDamaged,
}

/// Factors of the scores by output bucket.
#[derive(Clone, Debug)]
struct ScoreFactors {
    factors: Vec<f64>,
    /// An architecture with as many output buckets, for the rule that chooses one; its other values do not matter.
    architecture: Architecture,
}

impl ScoreFactors {
    fn apply(&self, board: &Board, score: i16) -> i16 {
        let bucket = self.architecture.output_bucket(board.occupied().count() as usize);
        (f64::from(score) * self.factors[bucket]).round() as i16
    }
}

/// Parses factors separated by commas.
///
/// # Errors
/// If a factor is not a number from 0.01 to 1, or there are more than a network may have output buckets.
fn parse_factors(text: &str) -> Result<ScoreFactors, String> {
    let factor = |text: &str| text.trim().parse().ok().filter(|factor| (0.01..=1.0).contains(factor));
    let factors: Option<Vec<f64>> = text.split(',').map(factor).collect();
    let factors = factors.ok_or("expected numbers from 0.01 to 1 separated by commas")?;
    let architecture = Architecture::new(32, KingBuckets::single(), factors.len(), 400);
    Ok(ScoreFactors { factors, architecture: architecture.map_err(|error| error.to_string())? })
}

/// Terms of the handcrafted evaluation whose middlegame halves are added to the scores.
#[derive(Clone, Debug)]
struct AddedTerms {
    /// The weights of the handcrafted evaluation.
    weights: Vec<f64>,
    /// The weights with those of the added terms multiplied. The difference of the two evaluations is added to a score.
    increased: Vec<f64>,
}

impl AddedTerms {
    fn new(factors: &BTreeMap<Term, f64>) -> AddedTerms {
        let weights = weights();
        let increased = weights.iter().zip(terms()).enumerate().map(|(index, (weight, term))| {
            let is_middlegame = index % 2 == 0;
            let share = 1.0 + factors.get(&term).filter(|_| is_middlegame).unwrap_or(&0.0);
            // The middlegame penalty grows with the square of the danger.
            let share = if term.unit() == Unit::KingDanger { share.sqrt() } else { share };
            weight * share
        });
        AddedTerms { increased: increased.collect(), weights }
    }

    fn apply(&self, position: &Position, score: i16) -> i16 {
        let coefficients = Coefficients::of(position);
        let added = coefficients.evaluate(&self.increased) - coefficients.evaluate(&self.weights);
        let limit = f64::from(TB_WIN_IN_MAX_PLY - 1);
        (f64::from(score) + added).round().clamp(-limit, limit) as i16
    }
}

/// Parses names of terms with factors.
///
/// # Errors
/// If a name is no term in centipawns or king danger, or occurs twice, or a factor is not a number from -1 to 10.
fn parse_terms(text: &str) -> Result<AddedTerms, String> {
    let slug = |term: &Term| term.to_string().to_lowercase().replace(' ', "-");
    let terms: Vec<Term> = Term::ALL.iter().copied().filter(|term| term.unit() != Unit::Percent).collect();
    let mut factors = BTreeMap::new();
    for part in text.split(',') {
        let (name, factor) = part.split_once('=').ok_or("expected NAME=FACTOR, separated by commas")?;
        let Some(&term) = terms.iter().find(|term| slug(term) == name) else {
            let names: Vec<String> = terms.iter().map(slug).collect();
            return Err(format!("`{name}` is no term; the terms are {}", names.join(", ")));
        };
        let factor = factor.parse().ok().filter(|factor| (-1.0..=10.0).contains(factor));
        let factor = factor.ok_or_else(|| format!("the factor of {name} must be a number from -1 to 10"))?;
        if factors.insert(term, factor).is_some() {
            return Err(format!("{name} occurs twice"));
        }
    }
    Ok(AddedTerms::new(&factors))
}

/// Runs the command.
///
/// # Errors
/// If a file cannot be read or written, is damaged, or the records would be useless for training: there are none, or
/// all have the same result.
pub(super) fn run(args: &ExportArgs) -> Result<()> {
    let valid = args.valid.as_deref().map(|path| ("--valid", path));
    let outputs: Vec<(&str, &Path)> = [("--out", args.out.as_path())].into_iter().chain(valid).collect();
    output::check_distinct(&outputs)?;
    let mut sets = Sets::create(args)?;
    for path in &args.files {
        export_games(path, args, &mut sets)?;
    }
    sets.finish(args)
}

/// A set of exported positions.
struct Set {
    name: &'static str,
    path: PathBuf,
    target: Target,
    games: u64,
    /// Positions of games that Black won, that were drawn, and that White won.
    positions: [u64; 3],
}

enum Target {
    Records(Shuffler),
    Text(OutputFile),
}

/// The training set and, if wanted, the validation set.
struct Sets {
    train: Set,
    valid: Option<Set>,
}

impl Sets {
    fn create(args: &ExportArgs) -> Result<Sets> {
        let inputs: Vec<&Path> = args.files.iter().map(PathBuf::as_path).collect();
        let mut max_records = 0;
        for path in &args.files {
            let size = tabiya_files::input::check_regular(path);
            let size = size.with_context(|| format!("cannot read {}", path.display()))?.len();
            max_records += size / MOVE_SIZE;
        }
        let create = |name, path: &Path, max_records| -> Result<Set> {
            let existing = args.force.existing();
            let target = if args.text {
                Target::Text(OutputFile::create(path, existing, &inputs)?)
            } else {
                let Shuffling { memory, seed } = args.shuffling;
                Target::Records(Shuffler::create(path, existing, &inputs, max_records, memory, seed)?)
            };
            Ok(Set { name, path: path.to_owned(), target, games: 0, positions: [0; 3] })
        };
        let train = create("training", &args.out, max_records)?;
        // Games are not of equal length, hence the margin.
        let max_records = max_records / 100 * u64::from(args.valid_percent) * 2;
        let valid = args.valid.as_deref().map(|path| create("validation", path, max_records)).transpose()?;
        Ok(Sets { train, valid })
    }

    fn add(&mut self, game: &Selected) -> Result<()> {
        let set = if game.is_validation { self.valid.as_mut() } else { None };
        let set = set.unwrap_or(&mut self.train);
        set.games += 1;
        set.positions[usize::from(game.half_points.min(2))] += game.positions;
        match &mut set.target {
            Target::Records(shuffler) => {
                game.bytes.as_chunks().0.iter().try_for_each(|record| shuffler.add(record))
            }
            Target::Text(output) => Ok(output.write_all(&game.bytes)?),
        }
    }

    fn positions(&self) -> u64 {
        let valid = self.valid.as_ref().map_or(0, |set| set.positions.iter().sum());
        self.train.positions.iter().sum::<u64>() + valid
    }

    fn finish(self, args: &ExportArgs) -> Result<()> {
        let sets: Vec<Set> = [Some(self.train), self.valid].into_iter().flatten().collect();
        if sets.iter().all(|set| set.games == 0) {
            bail!("the files contain no game");
        }
        for set in &sets {
            set.check(!args.text)?;
        }
        for set in sets {
            let Set { name, path, target, games, positions } = set;
            match target {
                Target::Records(shuffler) => shuffler.finish()?,
                Target::Text(output) => output.commit()?,
            }
            let [losses, draws, wins] = positions;
            let total = losses + draws + wins;
            println!(
                "{}: {} of {} ({wins} with a White win, {draws} with a draw, {losses} with a Black win)",
                path.display(),
                counted(total, &format!("{name} position")),
                counted(games, "game")
            );
        }
        Ok(())
    }
}

impl Set {
    /// Checks that the positions can be trained on.
    fn check(&self, results_matter: bool) -> Result<()> {
        let total: u64 = self.positions.iter().sum();
        if total == 0 {
            bail!("the {} set has no position ({} games); select more, or add games", self.name, self.games);
        }
        let only = ["a Black win", "a draw", "a White win"].iter().zip(self.positions);
        if let Some((result, _)) = only.into_iter().find(|&(_, count)| results_matter && count == total) {
            bail!(
                "all {total} positions of the {} set are of games with {result}; add other games",
                self.name
            );
        }
        Ok(())
    }
}

/// The selected positions of a game.
struct Selected {
    is_validation: bool,
    half_points: u8,
    positions: u64,
    /// Records or lines of text.
    bytes: Vec<u8>,
}

impl Selected {
    fn new(args: &ExportArgs, identity: u64, half_points: u8) -> Selected {
        let is_validation = args.valid.is_some() && is_validation(identity, args.valid_percent);
        Selected { is_validation, half_points, positions: 0, bytes: Vec::new() }
    }

    fn add(&mut self, board: &Board, score: i16, text: bool) {
        self.positions += 1;
        if text {
            let points = ["0.0", "0.5", "1.0"][usize::from(self.half_points.min(2))];
            let mut line = String::new();
            // Writing to a string cannot fail.
            let _ = writeln!(line, "{board} | {score} | {points}");
            self.bytes.extend(line.into_bytes());
        } else {
            self.bytes.extend(record::pack(board, score, self.half_points));
        }
    }
}

fn select(game: &RawGame, args: &ExportArgs) -> Result<Selected> {
    let replay = game.replay()?;
    let identity = game.identity();
    let mut selected = Selected::new(args, identity, replay.half_points);
    let mut scores: Vec<i16> = replay.scores().collect();
    if let Some(factors) = &args.score_factors {
        replay
            .play(|position, index, scored| scores[index] = factors.apply(position.board(), scored.score))?;
    }
    if let Some(plies) = args.half_life {
        scores = later_scores(scores.into_iter(), plies);
    }
    args.selection.visit(&replay, identity, |position, index, _| {
        let score = scores[index];
        let score = args.add_terms.as_ref().map_or(score, |terms| terms.apply(position, score));
        selected.add(position.board(), score, args.text);
    })?;
    Ok(selected)
}

fn export_games(path: &Path, args: &ExportArgs, sets: &mut Sets) -> Result<()> {
    let mut file = args.damage.open(path, Damage::Unchecked)?;
    let mut progress = Progress::new("MiB", 0, file.size() >> 20, "");
    let next = || Ok(file.next_batch()?.map(|games| (games, file.offset())));
    let name = || path.display().to_string();
    let worker = || {
        Ok(|(batch, end): (Vec<RawGame>, u64)| {
            let selected = batch.iter().map(|game| select(game, args)).collect::<Result<Vec<_>>>();
            Ok((selected.with_context(name)?, end))
        })
    };
    map_in_order(args.threads.count(), next, worker, |(selected, end)| {
        selected.iter().try_for_each(|game| sets.add(game))?;
        progress.show(end >> 20, || format!("{} positions", sets.positions()));
        Ok(())
    })?;
    progress.finish();
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::SIZE;
    use std::collections::BTreeSet;
    use tabiya_eval::handcrafted;
    use tabiya_lab_common::games::test_games::random_games;
    use tabiya_lab_common::games::{GameRecord, ScoredMove};
    use tabiya_lab_common::test_arguments::parse;
    use tabiya_movegen::Position;

    /// Runs the command in a folder that has the file `games.vf`.
    fn export(folder: &Path, arguments: &str) -> Result<()> {
        let path = |name: &str| folder.join(name).display().to_string();
        let arguments = arguments
            .split(' ')
            .map(|argument| if argument.contains('.') { path(argument) } else { argument.to_owned() });
        run(&parse(arguments)?)
    }

    fn folder(games: &[GameRecord]) -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        let bytes: Vec<u8> = games.iter().flat_map(GameRecord::to_bytes).collect();
        std::fs::write(folder.path().join("games.vf"), bytes).unwrap();
        folder
    }

    /// The lines that a game gives with `--every-ply --text`.
    fn lines(game: &GameRecord) -> Vec<String> {
        let mut lines = Vec::new();
        game.visit(|position, _, scored| {
            if position.board().halfmove_clock() <= 80 {
                let points = f64::from(game.half_points) / 2.0;
                lines.push(format!("{position} | {} | {points:.1}", scored.score));
            }
        });
        lines
    }

    fn raw(game: &GameRecord) -> RawGame {
        RawGame { offset: 0, bytes: game.to_bytes() }
    }

    #[test]
    fn no_validation_game_is_in_the_training_set() {
        let games = random_games(60, 41);
        let folder = folder(&games);
        let export = |out: &str| {
            export(folder.path(), &format!("games.vf --every-ply --text --valid-percent 30 -j 2 {out}"))
                .unwrap();
        };
        export("--out train.txt --valid valid.txt");
        let read = |name: &str| std::fs::read_to_string(folder.path().join(name)).unwrap();
        let [train, valid] = ["train.txt", "valid.txt"].map(read);
        let (held_out, used): (Vec<_>, Vec<_>) =
            games.iter().partition(|game| is_validation(raw(game).identity(), 30));
        let expected = |games: &[&GameRecord]| games.iter().flat_map(|game| lines(game)).collect::<Vec<_>>();
        assert_eq!(train.lines().collect::<Vec<_>>(), expected(&used));
        assert_eq!(valid.lines().collect::<Vec<_>>(), expected(&held_out));
        assert!(used.len() > 30 && held_out.len() > 8);

        // Another order of the games and other scores leave each game in its set.
        let rescored = games.iter().rev().cloned().map(|mut game| {
            game.moves.iter_mut().for_each(|scored| scored.score = 0);
            game
        });
        let bytes: Vec<u8> = rescored.flat_map(|game| game.to_bytes()).collect();
        std::fs::write(folder.path().join("games.vf"), bytes).unwrap();
        export("--out train2.txt --valid valid2.txt");
        let fens = |text: &str| -> BTreeSet<String> {
            text.lines().map(|line| line.split('|').next().unwrap_or_default().to_owned()).collect()
        };
        assert_eq!(fens(&read("train2.txt")), fens(&train));
        assert_eq!(fens(&read("valid2.txt")), fens(&valid));
    }

    #[test]
    fn records_are_those_of_the_selected_positions() {
        let games = random_games(10, 42);
        let folder = folder(&games);
        for (threads, out) in [("1", "a.bullet"), ("3", "b.bullet")] {
            export(folder.path(), &format!("games.vf --out {out} -j {threads}")).unwrap();
        }
        let [first, again] =
            ["a.bullet", "b.bullet"].map(|name| std::fs::read(folder.path().join(name)).unwrap());
        assert!(first == again, "the order does not depend on the threads");
        let mut expected = Vec::new();
        for game in &games {
            let raw = raw(game);
            let visit = |position: &Position, _, scored: ScoredMove| {
                expected.push(record::pack(position.board(), scored.score, game.half_points));
            };
            Selection::default().visit(&raw.replay().unwrap(), raw.identity(), visit).unwrap();
        }
        let mut records = first.as_chunks::<SIZE>().0.to_vec();
        assert_ne!(records, expected, "they are shuffled");
        records.sort_unstable();
        expected.sort_unstable();
        assert!(records == expected);
    }

    #[test]
    fn records_have_the_means_of_later_scores() {
        let mut games = random_games(10, 44);
        // The fullmove number reaches its limit.
        let mut bytes = games[0].to_bytes();
        bytes[26..28].fill(0xff);
        games[0] = GameRecord::from_bytes(&bytes).unwrap();
        let folder = folder(&games);
        export(folder.path(), "games.vf --every-ply --text --half-life 5 --out means.txt").unwrap();
        let mut expected = Vec::new();
        for game in &games {
            let mut means = later_scores(game.moves.iter().map(|scored| scored.score), 5).into_iter();
            game.visit(|position, _, _| {
                let mean = means.next().unwrap();
                if position.board().halfmove_clock() <= 80 {
                    expected.push(format!("{position} | {mean} | {:.1}", f64::from(game.half_points) / 2.0));
                }
            });
        }
        let text = std::fs::read_to_string(folder.path().join("means.txt")).unwrap();
        assert_eq!(text.lines().collect::<Vec<_>>(), expected);
    }

    #[test]
    fn scores_are_multiplied_by_the_factor_of_their_bucket() {
        let games = random_games(10, 45);
        let folder = folder(&games);
        // Two buckets: 2 to 17 and 18 to 32 pieces.
        let factor_of =
            |position: &Position| if position.board().occupied().count() <= 17 { 0.5 } else { 0.25 };
        let of_bucket = |position: &Position, scored: ScoredMove| {
            (f64::from(scored.score) * factor_of(position)).round() as i16
        };
        for half_life in [None, Some(1)] {
            let option = half_life.map_or(String::new(), |plies| format!(" --half-life {plies}"));
            let arguments =
                format!("games.vf --every-ply --text --score-factors 5e-1,25e-2{option} --force --out a.txt");
            export(folder.path(), &arguments).unwrap();
            let mut expected = Vec::new();
            for game in &games {
                let mut scores = Vec::new();
                game.visit(|position, _, scored| scores.push(of_bucket(position, scored)));
                if let Some(plies) = half_life {
                    scores = later_scores(scores.into_iter(), plies);
                }
                let mut scores = scores.into_iter();
                game.visit(|position, _, _| {
                    let score = scores.next().unwrap();
                    if position.board().halfmove_clock() <= 80 {
                        expected
                            .push(format!("{position} | {score} | {:.1}", f64::from(game.half_points) / 2.0));
                    }
                });
            }
            let text = std::fs::read_to_string(folder.path().join("a.txt")).unwrap();
            assert_eq!(text.lines().collect::<Vec<_>>(), expected);
        }
        for text in ["", "1,x", "0", "1.5", "nan", &["1"; 17].join(",")] {
            assert!(parse_factors(text).is_err(), "{text}");
        }
    }

    #[test]
    fn terms_are_added_to_the_scores() {
        let games = random_games(10, 46);
        let folder = folder(&games);
        let arguments = "games.vf --every-ply --text --add-terms space=15e-1,king-safety=44e-2 --out a.txt";
        export(folder.path(), arguments).unwrap();
        let text = std::fs::read_to_string(folder.path().join("a.txt")).unwrap();
        let mut lines = text.lines();
        let mut changed = 0;
        for game in &games {
            game.visit(|position, _, scored| {
                if position.board().halfmove_clock() > 80 {
                    return;
                }
                let trace = handcrafted::trace(position);
                let middlegame = |term, factor: f64| {
                    let term = trace.terms.iter().find(|trace| trace.term == term).unwrap();
                    factor * f64::from(term.white.mg() - term.black.mg())
                };
                let mg = middlegame(Term::Space, 1.5) + middlegame(Term::KingSafety, 0.44);
                let phase = f64::from(trace.phase.get()) / 24.0;
                let added = if trace.known.is_some() { 0.0 } else { mg * phase };
                let score: f64 = lines.next().unwrap().split(" | ").nth(1).unwrap().parse().unwrap();
                let safety = trace.terms.iter().find(|trace| trace.term == Term::KingSafety).unwrap();
                // The trace rounds the penalties of both kings. 2,500, the largest penalty, does not increase.
                if safety.white.mg().min(safety.black.mg()) > -1700 {
                    let expected = f64::from(scored.score) + added;
                    assert!((expected - score).abs() <= 3.0, "{position}: {expected} {score}");
                    changed += usize::from(added.abs() > 10.0);
                }
            });
        }
        assert_eq!(lines.next(), None);
        assert!(changed > 20, "{changed}");
        for text in ["", "space", "space=", "space=nan", "space=-2", "complexity=1", "space=1,space=1"] {
            assert!(parse_terms(text).is_err(), "{text}");
        }
    }

    #[test]
    fn useless_and_damaged_input_is_an_error() {
        let games = random_games(20, 43);
        let error = |games: &[GameRecord], damage: fn(&mut Vec<u8>), arguments: &str| {
            let folder = folder(games);
            let path = folder.path().join("games.vf");
            let mut bytes = std::fs::read(&path).unwrap();
            damage(&mut bytes);
            std::fs::write(&path, bytes).unwrap();
            let error = export(folder.path(), &format!("games.vf {arguments}")).unwrap_err();
            assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1, "no output is left");
            format!("{error:#}")
        };
        let drawn: Vec<GameRecord> =
            games.iter().cloned().map(|game| GameRecord { half_points: 1, ..game }).collect();
        let text = error(&drawn, |_| {}, "--out a.bullet");
        assert!(text.contains("of the training set are of games with a draw; add other games"), "{text}");
        assert_eq!(error(&[], |_| {}, "--out a.bullet"), "the files contain no game");
        let text = error(&games, |_| {}, "--out a.bullet --min-ply 9999");
        assert!(text.contains("the training set has no position (20 games)"), "{text}");
        let text = error(&games[..1], |_| {}, "--out a.bullet --valid b.bullet --text");
        assert!(text.contains("set has no position (0 games)"), "{text}");
        let text = error(&games, |bytes| bytes[32..34].copy_from_slice(&[0xff, 0x0f]), "--out a.bullet");
        assert!(text.contains("games.vf: byte 32: 0x0fff is not a legal move in "), "{text}");
        let text = error(&games, |bytes| bytes[..8].fill(0), "--out a.bullet");
        assert!(text.contains("games.vf, byte 0: not a game in viriformat: 0 pieces"), "{text}");
        assert!(error(&games, |_| {}, "--out games.vf --force").contains("the same file as the input"));
        for spelling in ["a.bullet", "./a.bullet"] {
            let text = error(&games, |_| {}, &format!("--out a.bullet --valid {spelling}"));
            assert!(text.starts_with("--out and --valid are the same file"), "{text}");
        }
    }
}
