//! `data from-pgn`: games of match runners as training data.

mod scored_game;

use super::output_args::Force;
use anyhow::{Context, Result, bail};
use scored_game::{LeftOut, ScoredGames};
use std::io::{Read, Write as _};
use std::path::{Path, PathBuf};
use tabiya_core::notation::PgnReader;
use tabiya_files::input;
use tabiya_lab_common::counted::counted;
use tabiya_lab_common::games::GamesOutput;
use tabiya_lab_common::progress::Progress;
use tabiya_movegen::Replay;

/// The name that stands for standard input.
const STDIN: &str = "-";

/// Games between updates of the progress display.
const GAMES_PER_UPDATE: u64 = 256;

/// Command-line arguments of `data from-pgn`.
#[derive(clap::Args)]
#[command(after_help = "\
Reads the games of fastchess, cutechess, OpenBench and `selfplay`, whose comments begin with score and depth. A game starts
after the moves without a score (those of the opening). Left out are games without a result, with faults of an engine (tag
Termination), with an illegal move, with a result that contradicts the last position, and with a missing score in between.

OpenBench's archives are unpacked on the way:
  tar -xOf archive.tar | bzip2 -dc | cargo xtask data from-pgn - --out games.vf")]
pub(super) struct FromPgnArgs {
    /// PGN files, or - for standard input
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// The file of games
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    #[command(flatten)]
    force: Force,
}

/// The games of all files so far.
struct Conversion {
    output: GamesOutput,
    games: u64,
    positions: u64,
    /// Numbers of the games left out, in the order of [`LeftOut::ALL`], and the place of the first of each kind.
    left_out: [(u64, String); LeftOut::ALL.len()],
}

/// Runs the command.
///
/// # Errors
/// If a file cannot be read or written, or no game has scores.
pub(super) fn run(args: &FromPgnArgs) -> Result<()> {
    let inputs: Vec<&Path> =
        args.files.iter().map(PathBuf::as_path).filter(|path| *path != Path::new(STDIN)).collect();
    let mut conversion = Conversion {
        output: GamesOutput::create(&args.out, args.force.existing(), &inputs)?,
        games: 0,
        positions: 0,
        left_out: Default::default(),
    };
    for path in &args.files {
        if path == Path::new(STDIN) {
            conversion.read(std::io::stdin().lock(), path, 0)?;
        } else {
            let file = input::open(path).with_context(|| format!("cannot read {}", path.display()))?;
            let size = file.metadata().map_or(0, |metadata| metadata.len());
            conversion.read(file, path, size)?;
        }
    }
    conversion.finish(&args.out)
}

impl Conversion {
    fn read(&mut self, input: impl Read, path: &Path, size: u64) -> Result<()> {
        let mut reader = PgnReader::new(input);
        let mut games = Replay::new(ScoredGames::default());
        let mut progress = Progress::new("MiB", 0, size >> 20, "");
        for number in 1_u64.. {
            let name = || format!("cannot read {}", path.display());
            let Some(game) = reader.read_game(&mut games).with_context(name)? else { break };
            match game {
                Ok(game) => {
                    self.output.write_all(&game.to_bytes())?;
                    self.games += 1;
                    self.positions += game.moves.len() as u64;
                }
                Err(reason) => {
                    let (count, first) = &mut self.left_out[reason as usize];
                    *count += 1;
                    if *count == 1 {
                        let details = games.get_mut().take_error();
                        let place = format!("game {number} of {}", path.display());
                        *first = [Some(place), details].into_iter().flatten().collect::<Vec<_>>().join(": ");
                    }
                }
            }
            // Locations count lines, which takes longer than a game.
            if number % GAMES_PER_UPDATE == 0 {
                progress.show(reader.location().offset >> 20, || format!("{} positions", self.positions));
            }
        }
        progress.finish();
        Ok(())
    }

    fn finish(self, out: &Path) -> Result<()> {
        for (reason, (count, first)) in LeftOut::ALL.iter().zip(&self.left_out) {
            if *count > 0 {
                let games = counted(*count, "game");
                eprintln!("{games} left out: {reason} (the first: {first})");
            }
        }
        if self.games == 0 {
            bail!("the files contain no game with scores");
        }
        self.output.commit()?;
        let (games, positions) = (counted(self.games, "game"), counted(self.positions, "position"));
        println!("{}: {games}, {positions}", out.display());
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::export;
    use crate::datagen;
    use tabiya_core::Color;
    use tabiya_lab_common::games::{Damage, EndReason, GameFile, GameRecord, Origin, score};
    use tabiya_lab_common::pgn_comment::score_text;
    use tabiya_lab_common::test_arguments::parse;
    use tabiya_uci_engine::InfoScore;

    /// A program that writes PGN.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    enum Writer {
        Fastchess,
        Cutechess,
        /// fastchess, reduced by OpenBench's client.
        OpenBench,
        Selfplay,
    }

    /// The score of the side to move, from a stored one.
    fn engine_score(side: Color, stored: i16) -> InfoScore {
        let value = i32::from(if side == Color::White { stored } else { -stored });
        if score::is_mate(stored) {
            InfoScore::Mate((i32::from(score::MATE) - value.abs()) * value.signum())
        } else {
            InfoScore::Centipawns(value)
        }
    }

    fn result(game: &GameRecord) -> &'static str {
        ["0-1", "1/2-1/2", "1-0"][usize::from(game.half_points)]
    }

    /// The reason of the end as the last comment gives it.
    fn ending(game: &GameRecord) -> String {
        let adjudication = match game.half_points {
            0 => "Black wins by adjudication",
            1 => "Draw by adjudication",
            _ => "White wins by adjudication",
        };
        match game.end_reason {
            EndReason::Checkmate => "White mates".to_owned(),
            EndReason::MaxMoves => format!("{adjudication}: maximal game length"),
            EndReason::Tablebases => format!("{adjudication}: SyzygyTB"),
            EndReason::WinAdjudication | EndReason::DrawAdjudication => adjudication.to_owned(),
            EndReason::RuleDraw | EndReason::Other => "Draw by 3-fold repetition".to_owned(),
        }
    }

    /// The PGN of a game as one of the programs writes it.
    fn pgn(game: &GameRecord, writer: Writer) -> String {
        let is_adjudicated = !matches!(game.end_reason, EndReason::Checkmate | EndReason::RuleDraw);
        let variant = if writer == Writer::Cutechess { "fischerandom" } else { "Chess960" };
        let mut text = format!("[Event \"?\"]\n[Result \"{}\"]\n[SetUp \"1\"]\n", result(game));
        text += &format!("[FEN \"{}\"]\n[Variant \"{variant}\"]\n", game.start);
        if writer != Writer::OpenBench {
            let termination = if is_adjudicated { "adjudication" } else { "normal" };
            text += &format!("[Termination \"{termination}\"]\n");
        }
        text += "\n";
        let mut index = 0;
        game.visit(|position, ply, scored| {
            index += 1;
            let is_last = index == game.moves.len();
            let score = score_text(engine_score(position.side_to_move(), scored.score));
            let ending = if is_last { ending(game) } else { String::new() };
            let comma = if is_last { ", " } else { "" };
            text += &match writer {
                Writer::Fastchess => format!(
                    "{}. {} {{{score}/7 0.003s, n=812, sd=11{comma}{ending}}}\n",
                    ply / 2 + 1,
                    position.san(scored.mv)
                ),
                Writer::Cutechess => {
                    format!("{} {{{score}/7 0.003s{comma}{ending}}} ", position.san(scored.mv))
                }
                Writer::OpenBench => {
                    format!("{} {{{score}/7 0.003s, n=812, sd=11}} ", position.san(scored.mv))
                }
                Writer::Selfplay => format!("{} {{ {score}/7 0.003s n=812 }} ", position.san(scored.mv)),
            };
            if is_last && writer == Writer::Selfplay {
                text += &format!("{{ {ending} }} ");
            }
        });
        text + result(game) + "\n\n"
    }

    fn games(path: &str) -> Vec<GameRecord> {
        let mut file = GameFile::open(Path::new(path), Damage::Refused).unwrap();
        std::iter::from_fn(|| file.next().unwrap().map(|game| game.unpack().unwrap())).collect()
    }

    fn convert(text: &str, folder: &Path) -> Result<Vec<GameRecord>> {
        let [pgn, out] = ["a.pgn", "a.vf"].map(|name| folder.join(name).display().to_string());
        std::fs::write(&pgn, text)?;
        run(&parse([&pgn, "--out", &out, "--force"])?)?;
        Ok(games(&out))
    }

    #[test]
    fn games_of_datagen_give_the_same_records_by_pgn() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name).display().to_string();
        let export_to = |games: &str, out: &str| {
            let arguments = [&path(games), "--out", &path(out), "--every-ply", "--force"];
            export::run(&parse(arguments).unwrap()).unwrap();
            std::fs::read(path(out)).unwrap()
        };
        let arguments = format!(
            "{} --games 30 --nodes 30 --max-moves 60 --resign 2,400 --draw 15,3,40 --mix 2:1:1 --hash 1 -j 1",
            path("games.vf")
        );
        datagen::run(&parse(arguments.split(' ')).unwrap()).unwrap();
        let played = games(&path("games.vf"));
        let expected_records = export_to("games.vf", "games.bullet");
        let reasons = [EndReason::WinAdjudication, EndReason::DrawAdjudication, EndReason::Checkmate];
        assert!(reasons.iter().all(|reason| played.iter().any(|game| game.end_reason == *reason)));
        for writer in [Writer::Fastchess, Writer::Cutechess, Writer::OpenBench, Writer::Selfplay] {
            let text: String = played.iter().map(|game| pgn(game, writer)).collect();
            let converted = convert(&text, folder.path()).unwrap();
            let expected = played.iter().map(|game| {
                let by_rule = matches!(game.end_reason, EndReason::Checkmate | EndReason::RuleDraw);
                let is_known = by_rule || writer != Writer::OpenBench;
                let end_reason = if is_known { game.end_reason } else { EndReason::Other };
                // PGN does not tell from which start position the random moves were made.
                GameRecord { origin: Origin::Other, end_reason, ..game.clone() }
            });
            assert!(converted.iter().cloned().eq(expected), "{writer:?}");
            assert!(export_to("a.vf", "a.bullet") == expected_records, "{writer:?}");
        }
    }

    #[test]
    fn games_begin_after_the_opening() {
        let folder = tempfile::tempdir().unwrap();
        let text =
            "1. e4 {book} e5 {book} 2. Nf3 {+0.31/12 0.1s} Nc6 {-0.20/9 0.1s, Draw by adjudication} 1/2-1/2";
        let game = convert(text, folder.path()).unwrap().remove(0);
        assert_eq!((game.first_ply(), game.origin, game.half_points), (2, Origin::Standard, 1));
        assert_eq!(game.moves.iter().map(|scored| scored.score).collect::<Vec<_>>(), [31, 20]);
        // A mate in three moves for Black.
        let text = "1. f3 {-M6/9 0.1s} e5 {+M5/9 0.1s} 0-1";
        let game = convert(text, folder.path()).unwrap().remove(0);
        assert_eq!(game.moves.iter().map(|scored| scored.score).collect::<Vec<_>>(), [-31_997, -31_997]);
        assert_eq!(game.end_reason, EndReason::Other);
    }

    #[test]
    fn games_that_would_mislead_are_left_out() {
        let folder = tempfile::tempdir().unwrap();
        let good = "1. e4 {+0.31/12 0.1s} 1-0\n\n";
        let mate = "1. f3 {0.00/1} e5 {0.00/1} 2. g4 {0.00/1} Qh4# {+M1/1}";
        for bad in [
            "1. e4 {+0.31/12 0.1s} *",
            "[Termination \"time forfeit\"]\n1. e4 {+0.31/12 0.1s} 1-0",
            "1. e4 {+0.31/12 0.1s} Ke4 {0.00/1} 1-0",
            &format!("{mate} 1-0"),
            "1. e4 {+0.31/12 0.1s} e5 {unknown} 2. Nf3 {+0.31/12 0.1s} 1-0",
            "1. e4 {+0.31/12 0.1s} e5 {0.00/0 0.1s} 1-0",
            "1. e4 {book} e5 1-0",
        ] {
            let games = convert(&format!("{good}{bad}\n\n{good}"), folder.path()).unwrap();
            assert_eq!(games.len(), 2, "{bad}");
            let error = convert(bad, folder.path()).unwrap_err();
            assert_eq!(error.to_string(), "the files contain no game with scores", "{bad}");
        }
        assert_eq!(convert(&format!("{mate} 0-1"), folder.path()).unwrap().len(), 1);
    }
}
