use crate::material::Material;
use crate::{FiftyMoves, TableFault, TablebaseError, Tablebases, Wdl, probe};
use std::fs;
use std::path::{Path, PathBuf};
use tabiya_core::{BoardBuilder, Color, Piece, SplitMix64, Square};
use tabiya_movegen::Position;
use tempfile::TempDir;

fn data() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/syzygy")
}

fn tables() -> Tablebases {
    Tablebases::open(&[data()]).unwrap()
}

fn position(fen: &str) -> Position {
    fen.parse().unwrap_or_else(|error| panic!("{fen}: {error}"))
}

/// A temporary directory with copies of some tables.
struct Directory(TempDir);

impl Directory {
    fn new(files: &[&str]) -> Directory {
        let directory = tempfile::tempdir().unwrap();
        for file in files {
            fs::copy(data().join(file), directory.path().join(file)).unwrap();
        }
        Directory(directory)
    }

    fn path(&self) -> &Path {
        self.0.path()
    }

    fn change(&self, file: &str, change: impl FnOnce(&mut Vec<u8>)) {
        let path = self.path().join(file);
        let mut bytes = fs::read(&path).unwrap();
        change(&mut bytes);
        fs::write(path, bytes).unwrap();
    }
}

/// Checks lines of `FEN,WDL,DTZ` and returns the number of DTZ values checked.
fn check_reference(tables: &Tablebases, text: &str) -> usize {
    let mut checked = 0;
    for line in text.lines().filter(|line| !line.starts_with('#') && *line != "epd,wdl,dtz") {
        let [fen, wdl, dtz] = line.split(',').collect::<Vec<_>>()[..] else { panic!("{line}") };
        let position = position(fen);
        let Some(actual) = tables.probe_wdl(&position) else { continue };
        assert_eq!(actual, Wdl::from_score(wdl.parse().unwrap()), "{line}");
        if let Some(actual) = tables.probe_dtz(&position) {
            let dtz: i32 = dtz.parse().unwrap();
            assert_eq!(actual, dtz, "{line}");
            checked += 1;
        }
    }
    assert_eq!(tables.problems(), []);
    checked
}

#[test]
fn agrees_with_known_wdl_and_dtz() {
    let checked = check_reference(&tables(), &fs::read_to_string(data().join("truth.csv")).unwrap());
    assert!(checked >= 40, "{checked}");
}

/// Checks that a position's WDL is that of its best move, and that DTZ and root ranks agree with it.
fn check_against_moves(tables: &Tablebases, position: &Position) -> Option<()> {
    let wdl = tables.wdl(position)?.score;
    let moves = position.legal_moves();
    let mut best = if moves.is_empty() && position.in_check() { -2 } else { -3 };
    for mv in &moves {
        best = best.max(-tables.wdl(&probe::play(position, mv))?.score);
    }
    if moves.is_empty() && !position.in_check() {
        best = 0;
    }
    assert_eq!(wdl, best, "{position}");
    let dtz = tables.dtz(position)?;
    assert_eq!(dtz.signum(), i32::from(wdl.signum()), "{position}");
    // A move of the highest rank keeps the result.
    let ranks = tables.probe_root(position, FiftyMoves::Ignored)?;
    let highest = ranks.iter().max_by_key(|rank| rank.rank)?;
    assert_eq!(highest.wdl, Wdl::from_score(wdl.signum() * 2), "{position}");
    Some(())
}

/// Returns random legal positions with the pieces of a table.
fn random_positions(name: &str, count: usize) -> Vec<Position> {
    let (white, black) = name.split_once('v').unwrap();
    let seed = name.bytes().fold(0, |seed, byte| SplitMix64::hash(seed ^ u64::from(byte)));
    let mut random = SplitMix64::new(seed);
    let mut positions = Vec::new();
    for _ in 0..count * 50 {
        let mut builder = BoardBuilder::empty();
        let letters = white.chars().chain(black.chars().map(|c| c.to_ascii_lowercase()));
        for letter in letters {
            builder.set(Square::wrapping(random.below(64) as u8), Piece::from_char(letter));
        }
        if random.below(2) == 0 {
            builder.side_to_move = Color::Black;
        }
        let Ok(board) = builder.build() else { continue };
        if board.occupied().count() as usize == name.len() - 1 {
            positions.extend(Position::new(board));
        }
        if positions.len() == count {
            break;
        }
    }
    positions
}

#[test]
fn wdl_agrees_with_the_best_move() {
    let tables = tables();
    for name in ["KQvK", "KRvK", "KBvK", "KPPvK", "KRvKB", "KQvKQ", "KRvKR", "KRPvK", "KBvKN", "KQRvK"] {
        let positions = random_positions(name, 200);
        assert_eq!(positions.len(), 200, "{name}");
        for position in positions {
            check_against_moves(&tables, &position);
        }
    }
    assert_eq!(tables.problems(), []);
}

#[test]
#[ignore = "needs full tables: TABIYA_SYZYGY is the directory, TABIYA_SYZYGY_TRUTH an optional file of FEN,WDL,DTZ lines"]
fn all_tables_are_consistent() {
    let tables = Tablebases::open(&[std::env::var_os("TABIYA_SYZYGY").unwrap()]).unwrap();
    if let Some(truth) = std::env::var_os("TABIYA_SYZYGY_TRUTH") {
        println!("{} positions", check_reference(&tables, &fs::read_to_string(truth).unwrap()));
    }
    let mut names: Vec<String> = tables.materials().map(Material::name).collect();
    names.sort_unstable();
    for name in names {
        let positions = random_positions(&name, 1000);
        let checked = positions.iter().filter_map(|position| check_against_moves(&tables, position)).count();
        println!("{name}: {checked} of {}", positions.len());
    }
    assert_eq!(tables.problems(), []);
}

#[test]
fn en_passant_can_change_the_result() {
    let tables = tables();
    // Black wins only by the en-passant capture.
    let capture = position("8/8/8/8/k2Pp2K/8/8/8 b - d3 0 1");
    let without = position("8/8/8/8/k2Pp2K/8/8/8 b - - 0 1");
    assert_eq!(tables.probe_wdl(&capture), Some(Wdl::Win));
    assert_ne!(tables.probe_wdl(&without), Some(Wdl::Win));
}

#[test]
fn uncovered_positions_have_no_result() {
    let tables = tables();
    assert_eq!((tables.max_pieces(), tables.count().0), (4, 19));
    for fen in [
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        // Missing table; castling right; half-move clock above 0.
        "4k3/8/8/8/8/8/8/3BBK2 w - - 0 1",
        "4k3/8/8/8/8/8/8/4K2R w K - 0 1",
        "4k3/8/8/8/8/8/8/4K2R w - - 1 1",
    ] {
        assert_eq!(tables.probe_wdl(&position(fen)), None, "{fen}");
    }
    assert_eq!(tables.probe_wdl(&position("4k3/8/8/8/8/8/8/4K3 w - - 0 1")), Some(Wdl::Draw));
    assert!(tables.probe_root(&position("4k3/8/8/8/8/8/8/4K2R w K - 0 1"), FiftyMoves::Ignored).is_none());
    assert!(tables.probe_root(&position("4k3/8/8/8/8/8/8/4K2R w - - 7 1"), FiftyMoves::Ignored).is_some());
}

fn best(tables: &Tablebases, fen: &str, rule: FiftyMoves) -> (Vec<String>, Wdl) {
    let ranks = tables.probe_root(&position(fen), rule).unwrap();
    let highest = ranks.iter().map(|rank| rank.rank).max().unwrap();
    let best: Vec<_> = ranks.iter().filter(|rank| rank.rank == highest).collect();
    (best.iter().map(|rank| rank.mv.to_uci(false).to_string()).collect(), best[0].wdl)
}

const COUNTED: FiftyMoves = FiftyMoves::Counted { repeated: false };

#[test]
fn ranks_root_moves() {
    let tables = tables();
    // The other king moves stalemate or lose the pawn.
    let (moves, wdl) = best(&tables, "8/8/8/8/8/4k3/4p3/4K3 b - - 0 1", COUNTED);
    assert_eq!((moves, wdl), (vec!["e3d3".to_owned(), "e3f3".to_owned()], Wdl::Win));
    let (moves, wdl) = best(&tables, "4k3/8/4K3/4P3/8/8/8/8 w - - 0 1", COUNTED);
    assert_eq!((moves, wdl), (vec!["e6d6".to_owned(), "e6f6".to_owned()], Wdl::Win));
    // After a repetition only the fastest wins share the highest rank.
    let fen = "8/8/8/8/8/2k5/8/K6Q w - - 20 1";
    let (free, _) = best(&tables, fen, COUNTED);
    let (strict, wdl) = best(&tables, fen, FiftyMoves::Counted { repeated: true });
    assert!(strict.len() < free.len() && wdl == Wdl::Win, "{strict:?} {free:?}");
    // Near the limit the win comes too late, unless the rule is ignored.
    let late = "8/8/8/8/8/2k5/8/K6Q w - - 96 1";
    assert_eq!(best(&tables, late, COUNTED).1, Wdl::CursedWin);
    assert_eq!(best(&tables, late, FiftyMoves::Ignored).1, Wdl::Win);
}

/// After Qh6+ the table has the distance 1, but Black can only capture on the second ply, which is after the limit.
#[test]
fn a_distance_that_may_be_a_ply_too_short_wins_only_before_the_limit() {
    let tables = tables();
    let fen = |clock| format!("8/k7/8/8/7K/4q3/8/7Q b - - {clock} 80");
    assert_eq!(best(&tables, &fen(97), COUNTED).1, Wdl::Win);
    assert_eq!(best(&tables, &fen(98), COUNTED).1, Wdl::CursedWin);
    // A capture and a mate on the last ply are certain.
    assert_eq!(best(&tables, "8/8/8/8/8/8/k1K5/1q5Q w - - 99 80", COUNTED).1, Wdl::Win);
    assert_eq!(
        best(&tables, "7k/8/5K2/8/8/8/8/6Q1 w - - 99 80", COUNTED),
        (vec!["g1g7".to_owned()], Wdl::Win)
    );
}

#[test]
fn playing_by_rank_mates_within_fifty_moves() {
    let tables = tables();
    for fen in
        ["8/8/8/4k3/8/8/8/KR6 w - - 0 1", "8/8/8/4k3/8/8/8/KQ6 w - - 40 1", "4k3/8/4K3/4P3/8/8/8/8 w - - 0 1"]
    {
        let mut position = position(fen);
        while position.has_legal_move() {
            let rule = FiftyMoves::Counted { repeated: true };
            let ranks = tables.probe_root(&position, rule).unwrap();
            let best = ranks.iter().max_by_key(|rank| rank.rank).unwrap();
            position = position.play(best.mv).unwrap();
            assert!(position.halfmove_clock() < 100, "{fen}");
        }
        assert!(position.is_checkmate(), "{fen}: {position}");
    }
}

#[test]
fn a_mated_side_has_lost_whatever_the_clock() {
    let tables = tables();
    for clock in [0, 99, 100, 120] {
        let mated = position(&format!("7k/6Q1/6K1/8/8/8/8/8 b - - {clock} 80"));
        assert_eq!(tables.probe_result(&mated), Some(Wdl::Loss), "{clock}");
    }
}

#[test]
fn ranks_by_wdl_without_dtz_tables() {
    let directory = Directory::new(&["KPvK.rtbw", "KQvK.rtbw", "KRvK.rtbw", "KBvK.rtbw", "KNvK.rtbw"]);
    let tables = Tablebases::open(&[directory.path()]).unwrap();
    assert_eq!(tables.count(), (5, 0));
    let (moves, wdl) = best(&tables, "4k3/8/4K3/4P3/8/8/8/8 w - - 0 1", COUNTED);
    assert_eq!((moves, wdl), (vec!["e6d6".to_owned(), "e6f6".to_owned()], Wdl::Win));
    assert_eq!(tables.problems(), []);
}

#[test]
fn names_directories_without_tables() {
    let error = Tablebases::open(&["/nowhere/at/all"]).unwrap_err();
    assert!(error.to_string().contains("cannot read the tablebase directory /nowhere/at/all"), "{error}");
    // The other directories are used.
    let directory = Directory::new(&["KQvK.rtbw"]);
    let tables = Tablebases::open(&[Path::new("/nowhere/at/all"), directory.path()]).unwrap();
    assert_eq!(tables.count(), (1, 0));
    let problems: Vec<String> = tables.problems().iter().map(ToString::to_string).collect();
    assert!(
        problems.len() == 1
            && problems[0].starts_with("cannot read the tablebase directory /nowhere/at/all: ")
    );
    let directory = Directory::new(&[]);
    let error = Tablebases::open(&[directory.path()]).unwrap_err();
    assert!(matches!(&error, TablebaseError::Empty { paths } if *paths == [directory.path()]), "{error}");
    let error = Tablebases::open::<&str>(&[]).unwrap_err();
    assert!(matches!(error, TablebaseError::Empty { .. }));
    assert_eq!(error.to_string(), "no tablebase directory is given");
    // DTZ tables alone are useless.
    let directory = Directory::new(&["KQvK.rtbz"]);
    assert!(matches!(Tablebases::open(&[directory.path()]), Err(TablebaseError::Empty { .. })));
}

#[test]
fn reports_damaged_files_and_works_without_them() {
    let directory = Directory::new(&["KQvK.rtbw", "KRvK.rtbw", "KPvK.rtbw", "KRvK.rtbz", "KQvK.rtbz"]);
    directory.change("KQvK.rtbw", |bytes| bytes.truncate(200));
    directory.change("KPvK.rtbw", |bytes| bytes[0] ^= 1);
    // 64 bytes are missing in the middle: the length is possible but wrong.
    directory.change("KRvK.rtbz", |bytes| drop(bytes.drain(4096..4160)));
    fs::write(directory.path().join("KBvK.rtbw"), b"").unwrap();
    fs::write(directory.path().join("notes.txt"), b"").unwrap();
    let tables = Tablebases::open(&[directory.path()]).unwrap();
    let faults = |tables: &Tablebases| -> Vec<String> {
        tables
            .problems()
            .iter()
            .map(|problem| problem.path.file_name().unwrap().display().to_string())
            .collect()
    };
    assert_eq!(faults(&tables), ["KBvK.rtbw", "KPvK.rtbw", "KQvK.rtbw"]);
    assert_eq!(tables.problems()[1].fault, TableFault::Magic);
    let queen = position("8/8/8/8/8/2k5/8/K6Q w - - 0 1");
    let rook = position("8/8/8/8/8/2k5/8/K6R w - - 0 1");
    assert_eq!(tables.probe_wdl(&queen), None);
    assert_eq!(tables.probe_wdl(&rook), Some(Wdl::Win));
    // The damage of the fourth file is actual on first use and reported once.
    for _ in 0..3 {
        assert_eq!(tables.probe_dtz(&rook), None);
    }
    assert_eq!(faults(&tables), ["KBvK.rtbw", "KPvK.rtbw", "KQvK.rtbw", "KRvK.rtbz"]);
    let message = tables.problems()[3].to_string();
    assert!(
        message.contains("KRvK.rtbz: the file has ") && message.ends_with("download it again"),
        "{message}"
    );
    // Ranking by WDL still works.
    assert_eq!(best(&tables, "8/8/8/8/8/2k5/8/K6R w - - 0 1", COUNTED).1, Wdl::Win);
}

#[test]
fn a_file_that_could_not_be_read_is_tried_again() {
    let directory = Directory::new(&["KQvK.rtbw"]);
    let tables = Tablebases::open(&[directory.path()]).unwrap();
    let (file, away) = (directory.path().join("KQvK.rtbw"), directory.path().join("away"));
    fs::rename(&file, &away).unwrap();
    let queen = position("8/8/8/8/8/2k5/8/K6Q w - - 0 1");
    for _ in 0..3000 {
        assert_eq!(tables.probe_wdl(&queen), None);
    }
    assert_eq!(tables.problems().len(), 1);
    fs::rename(&away, &file).unwrap();
    assert!((0..2000).any(|_| tables.probe_wdl(&queen) == Some(Wdl::Win)));
}

#[test]
fn the_negative_is_the_result_of_the_other_side() {
    let all = [Wdl::Loss, Wdl::BlessedLoss, Wdl::Draw, Wdl::CursedWin, Wdl::Win];
    assert_eq!(all.map(|wdl| -wdl), [Wdl::Win, Wdl::CursedWin, Wdl::Draw, Wdl::BlessedLoss, Wdl::Loss]);
}

#[cfg(target_os = "linux")]
#[test]
fn reports_files_that_are_not_regular() {
    let directory = Directory::new(&["KQvK.rtbw"]);
    std::os::unix::fs::symlink("/dev/full", directory.path().join("KRvK.rtbw")).unwrap();
    fs::create_dir(directory.path().join("KBvK.rtbw")).unwrap();
    let pipe = directory.path().join("KNvK.rtbw");
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let tables = Tablebases::open(&[directory.path()]).unwrap();
    let problems: Vec<_> = tables.problems().iter().map(|problem| problem.fault.to_string()).collect();
    assert_eq!(
        problems,
        [
            "it is a directory, not a regular file",
            "it is a named pipe, not a regular file",
            "it is a device, not a regular file"
        ]
    );
    assert_eq!(tables.count(), (1, 0));
}

#[test]
fn probing_randomly_damaged_files_does_not_panic() {
    let name = "KRPvK";
    let directory = Directory::new(&["KRPvK.rtbw", "KRPvK.rtbz"]);
    let originals =
        ["rtbw", "rtbz"].map(|extension| fs::read(data().join(format!("{name}.{extension}"))).unwrap());
    let positions = random_positions(name, 20);
    let mut random = SplitMix64::new(1);
    for round in 0..600 {
        for (bytes, extension) in originals.iter().zip(["rtbw", "rtbz"]) {
            let mut bytes = bytes.clone();
            for _ in 0..1 + round % 4 {
                // Most of the structure is at the beginning.
                let offset = random.below(if round % 3 == 0 { bytes.len() } else { 600 });
                bytes[offset] = random.next_u64() as u8;
            }
            fs::write(directory.path().join(format!("{name}.{extension}")), bytes).unwrap();
        }
        // Wrong results are possible, since checksums are not verified.
        if let Ok(tables) = Tablebases::open(&[directory.path()]) {
            for position in &positions {
                let _ = tables.wdl(position);
                let _ = tables.probe_root(position, COUNTED);
            }
            assert!(tables.problems().len() <= 2);
        }
    }
}

#[test]
fn several_sets_and_threads_work_at_once() {
    let (one, two) = (tables(), tables());
    let positions = random_positions("KRvKB", 200);
    let expected: Vec<_> = positions.iter().map(|position| one.probe_wdl(position)).collect();
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                let actual: Vec<_> = positions.iter().map(|position| two.probe_wdl(position)).collect();
                assert_eq!(actual, expected);
            });
        }
    });
}
