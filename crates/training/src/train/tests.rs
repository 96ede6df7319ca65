//! Tests of whole trainings on small data.

use super::checkpoint::Checkpoint;
use super::*;
use bulletformat::ChessBoard;
use clap::Parser;
use rand::RngExt as _;
use rand::seq::IndexedRandom as _;
use std::path::Path;
use tabiya_core::PieceType;
use tabiya_lab_common::random;
use tabiya_movegen::Position;

#[derive(Parser)]
struct CommandLine {
    #[command(flatten)]
    run: RunArgs,
}

/// Positions from random games, with the material balance as score.
fn records(seed: u64, count: usize) -> Vec<ChessBoard> {
    let mut random = random::seeded(seed);
    let mut records = Vec::new();
    while records.len() < count {
        let mut position = Position::startpos();
        for _ in 0..random.random_range(10..120) {
            match position.legal_moves().choose(&mut random) {
                Some(&mv) => position.play_unchecked(mv),
                None => break,
            }
        }
        if position.in_check() || position.legal_moves().is_empty() {
            continue;
        }
        let board = position.board();
        let worth = [100, 300, 320, 500, 900, 0];
        let balance: i32 = PieceType::ALL
            .into_iter()
            .flat_map(|piece_type| tabiya_core::Color::ALL.map(|color| (piece_type, color)))
            .map(|(piece_type, color)| {
                let sign = if color == tabiya_core::Color::White { 1 } else { -1 };
                sign * worth[piece_type.index()] * board.pieces(color, piece_type).count() as i32
            })
            .sum();
        let result = if balance > 150 {
            "1.0"
        } else if balance < -150 {
            "0.0"
        } else {
            "0.5"
        };
        records.push(format!("{position} | {balance} | {result}").parse().unwrap());
    }
    records
}

/// A folder with training and validation data.
fn data() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    data::tests::data_file(&folder.path().join("train"), &records(1, 1500));
    data::tests::data_file(&folder.path().join("validation"), &records(2, 300));
    folder
}

/// Arguments of a short training, with more at the end.
fn arguments(folder: &Path, out: &str, more: &[&str]) -> RunArgs {
    let path = |name: &str| folder.join(name).display().to_string();
    let mut arguments =
        vec!["train".to_owned(), path("train"), "--validation".to_owned(), path("validation")];
    arguments.extend(["--out".to_owned(), path(out)]);
    let settings = "--hidden 32 --output-buckets 2 --batch 250 --superbatches 3 --warmup 3 --lr 0.01 --threads 1 --scale 300";
    arguments.extend(settings.split(' ').map(str::to_owned));
    arguments.extend(more.iter().map(|&text| text.to_owned()));
    // Later options replace earlier ones.
    let command = <CommandLine as clap::CommandFactory>::command().args_override_self(true);
    let matches = command.try_get_matches_from(arguments).unwrap();
    <CommandLine as clap::FromArgMatches>::from_arg_matches(&matches).unwrap().run
}

fn train_all(arguments: &RunArgs) -> Result<()> {
    train(arguments, || false)
}

fn error(arguments: &RunArgs) -> String {
    format!("{:#}", train_all(arguments).unwrap_err())
}

#[test]
fn one_seed_gives_one_network() {
    let folder = data();
    let file = |out: &str, more: &[&str]| {
        train_all(&arguments(folder.path(), out, more)).unwrap();
        ["best.nnue", "last.nnue"].map(|name| std::fs::read(folder.path().join(out).join(name)).unwrap())
    };
    let first = file("a", &[]);
    assert_eq!(file("b", &[]), first);
    assert_eq!(file("c", &["--threads", "3"]), first);
    assert_ne!(file("d", &["--seed", "2"]), first);
}

#[test]
fn training_learns_and_is_reported() {
    let folder = data();
    train_all(&arguments(folder.path(), "out", &["--superbatches", "12", "--name", "small"])).unwrap();
    let out = folder.path().join("out");
    let checkpoint = Checkpoint::read(&out.join(CHECKPOINT)).unwrap();
    let history = checkpoint.state.history;
    assert!(
        history[11].training < 0.2 * history[0].training
            && history[11].validation < 0.9 * history[0].validation,
        "{history:?}"
    );
    let report = std::fs::read_to_string(out.join("report.md")).unwrap();
    for part in
        ["# small: (768x1hm -> 32)x2 -> 1x2", "| train | 1500 |", "| handcrafted |", "| lambda | ", "| 12 |"]
    {
        assert!(report.contains(part), "{part}: {report}");
    }
    assert!(std::fs::read_to_string(out.join("loss.svg")).unwrap().starts_with("<svg"));
    let network = read_network(&out.join(BEST)).unwrap();
    assert_eq!(network.architecture().scale(), 300);
    assert!(network.description().starts_with("small: 1500 records"), "{}", network.description());
    let json: serde_json::Value =
        serde_json::from_slice(&std::fs::read(out.join("train.json")).unwrap()).unwrap();
    assert!(json["quantisation"]["mean"].as_f64().unwrap() < 10.0);
}

#[test]
fn interrupted_training_continues_as_if_it_had_not_been() {
    let folder = data();
    let more = ["--king-buckets", "2", "--threats", "32", "--name", "small"];
    train_all(&arguments(folder.path(), "whole", &more)).unwrap();
    // The name is kept.
    let resumed = [&more[..4], &["--resume"]].concat();
    for stop in [1, 6, 13] {
        let out = format!("stopped{stop}");
        let mut batches = 0;
        let interrupt = || {
            batches += 1;
            batches == stop
        };
        let stopped = train(&arguments(folder.path(), &out, &more), interrupt).unwrap_err().to_string();
        assert!(stopped.contains("--resume --out ") && stopped.contains(&out), "{stopped}");
        let last = read_network(&folder.path().join(&out).join(LAST)).unwrap();
        let expected = format!("; superbatch {} and {} mini-batches", stop / 6, stop % 6);
        let expected = expected.trim_end_matches(" and 0 mini-batches");
        assert!(last.description().ends_with(expected), "{} {expected}", last.description());
        assert!(!folder.path().join(&out).join("report.md").exists());
        // Interrupted again at once, then finished.
        train(&arguments(folder.path(), &out, &resumed), || true).unwrap_err();
        train_all(&arguments(folder.path(), &out, &resumed)).unwrap();
        for name in [BEST, LAST] {
            let read = |out: &str| std::fs::read(folder.path().join(out).join(name)).unwrap();
            assert_eq!(read(&out), read("whole"), "{stop} {name}");
        }
    }
    // Nothing is left to do, but the report is written again.
    std::fs::remove_file(folder.path().join("whole/report.md")).unwrap();
    train_all(&arguments(folder.path(), "whole", &resumed)).unwrap();
    assert!(folder.path().join("whole/report.md").exists());
}

#[test]
fn finished_training_is_reported_without_its_networks() {
    let folder = data();
    train_all(&arguments(folder.path(), "out", &[])).unwrap();
    let path = |name: &str| folder.path().join("out").join(name);
    let last = std::fs::read(path(LAST)).unwrap();
    let rows = || {
        let report = std::fs::read_to_string(path("report.md")).unwrap();
        ["| best |", "| last |"].map(|row| report.contains(row))
    };
    assert_eq!(rows(), [true, true]);
    std::fs::remove_file(path(BEST)).unwrap();
    std::fs::remove_file(path(LAST)).unwrap();
    train_all(&arguments(folder.path(), "out", &["--resume"])).unwrap();
    assert_eq!(rows(), [false, true]);
    // The checkpoint has its weights.
    assert_eq!(std::fs::read(path(LAST)).unwrap(), last);
}

#[test]
fn resume_refuses_other_settings_and_data() {
    let folder = data();
    train_all(&arguments(folder.path(), "out", &[])).unwrap();
    let text = error(&arguments(folder.path(), "out", &["--resume", "--lambda", "0.5"]));
    assert!(text.contains("--lambda: 0.7") && text.contains("0.5 given"), "{text}");
    let text = error(&arguments(folder.path(), "other", &["--resume"]));
    assert!(text.contains("does not exist; nothing to resume"), "{text}");
    let text = error(&arguments(folder.path(), "out", &[]));
    assert!(text.contains("use --resume") && text.contains("--force"), "{text}");
    data::tests::data_file(&folder.path().join("train"), &records(5, 1500));
    let text = error(&arguments(folder.path(), "out", &["--resume"]));
    assert!(text.contains("the data files have other contents"), "{text}");
    train_all(&arguments(folder.path(), "out", &["--force"])).unwrap();
}

#[test]
fn data_that_cannot_be_trained_on_is_refused() {
    let folder = data();
    let won: Vec<ChessBoard> =
        records(3, 40).into_iter().map(|record| ChessBoard { result: 2, ..record }).collect();
    data::tests::data_file(&folder.path().join("train"), &won);
    let text = error(&arguments(folder.path(), "out", &[]));
    assert!(text.contains("all 40 records are won"), "{text}");
    train_all(&arguments(folder.path(), "out", &["--lambda", "1"])).unwrap();
    std::fs::copy(folder.path().join("validation"), folder.path().join("train")).unwrap();
    let text = error(&arguments(folder.path(), "out2", &[]));
    assert!(text.contains("is given twice"), "{text}");
    std::fs::remove_file(folder.path().join("validation")).unwrap();
    let text = error(&arguments(folder.path(), "out3", &[]));
    assert!(text.contains("cannot read") && !folder.path().join("out3").exists(), "{text}");
}

#[test]
fn steps_of_a_schedule_without_steps_are_refused() {
    let folder = data();
    let text = error(&arguments(folder.path(), "out", &["--lr-steps", "8"]));
    assert!(text.contains("--lr-steps 8 needs --schedule step"), "{text}");
    assert!(!folder.path().join("out").exists());
    train_all(&arguments(folder.path(), "out", &["--lr-steps", "8", "--schedule", "step"])).unwrap();
    let checkpoint = Checkpoint::read(&folder.path().join("out").join(CHECKPOINT)).unwrap();
    assert_eq!(checkpoint.state.settings.lr_steps, 8);
}

#[test]
fn divergence_is_an_error() {
    let folder = data();
    let text = error(&arguments(folder.path(), "out", &["--lr", "1e300", "--warmup", "0"]));
    assert!(
        text.contains("the training has diverged") && text.contains("there is no checkpoint yet"),
        "{text}"
    );
    assert!(!folder.path().join("out").join(CHECKPOINT).exists());
}

#[test]
fn initial_weights_have_the_same_architecture_and_scale() {
    let folder = data();
    train_all(&arguments(folder.path(), "first", &["--scale", "200"])).unwrap();
    let initial = folder.path().join("first").join(CHECKPOINT).display().to_string();
    let with = |out, scale| arguments(folder.path(), out, &["--initial", &initial, "--scale", scale]);
    let text = error(&with("other", "100"));
    assert!(text.contains("with scale 200 (expected") && text.contains("with scale 100)"), "{text}");
    train_all(&with("second", "200")).unwrap();
    let second = Checkpoint::read(&folder.path().join("second").join(CHECKPOINT)).unwrap();
    let first = Checkpoint::read(Path::new(&initial)).unwrap();
    assert!(second.state.history[0].training < first.state.history[0].training);
}

#[test]
fn threats_are_learnt_from_a_network_without() {
    let folder = data();
    train_all(&arguments(folder.path(), "plain", &[])).unwrap();
    let initial = folder.path().join("plain").join(LAST).display().to_string();
    let with = |out, threats| arguments(folder.path(), out, &["--initial", &initial, "--threats", threats]);
    let text = error(&with("refused", "64"));
    let expected = "invalid --threats 64: 64 neurons with threats (expected a multiple of 32 up to 32)";
    assert_eq!(text, expected);
    assert!(!folder.path().join("refused").exists());
    train_all(&with("threats", "32")).unwrap();
    let network = read_network(&folder.path().join("threats").join(LAST)).unwrap();
    assert_eq!(network.architecture().to_string(), "(768x1hm+t32 -> 32)x2 -> 1x2");
    assert!(network.parameters().threat_weights.iter().any(|&weight| weight.abs() > 3));
    let report = std::fs::read_to_string(folder.path().join("threats/report.md")).unwrap();
    assert!(report.contains("| threats | 32 |"), "{report}");
}

#[test]
fn initial_checkpoint_is_not_replaced() {
    let folder = data();
    train_all(&arguments(folder.path(), "out", &[])).unwrap();
    let checkpoint = folder.path().join("out").join(CHECKPOINT);
    let before = std::fs::read(&checkpoint).unwrap();
    let initial = checkpoint.display().to_string();
    let text = error(&arguments(folder.path(), "out", &["--initial", &initial, "--force", "--seed", "2"]));
    assert!(text.contains("it is the same file as the input"), "{text}");
    assert_eq!(std::fs::read(&checkpoint).unwrap(), before);
}

#[cfg(target_os = "linux")]
#[test]
fn full_disk_is_named() {
    let folder = data();
    let out = folder.path().join("out");
    std::fs::create_dir(&out).unwrap();
    std::os::unix::fs::symlink("/dev/full", out.join(CHECKPOINT)).unwrap();
    let text = error(&arguments(folder.path(), "out", &["--force"]));
    assert!(text.contains("cannot save the training; an earlier checkpoint is kept"), "{text}");
    assert!(text.contains("checkpoint") && text.contains("No space left"), "{text}");
    // The network of the first superbatch has been written.
    read_network(&out.join(BEST)).unwrap();
}
