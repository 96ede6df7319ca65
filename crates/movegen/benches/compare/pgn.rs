//! Parsing games and playing through their main lines.
//!
//! Both readers resolve and play each move and ignore comments and variations. The text is 50 MB of sample games that
//! both accept, repeated and read as a stream, or the file named by the environment variable `PGN`.

use crate::comparison::Comparison;
use pgn_reader::{RawTag, Reader, SanPlus, Skip, Visitor};
use shakmaty::{CastlingMode, Chess, Position as _, fen::Fen};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use tabiya_core::Move;
use tabiya_core::notation::{Next, PgnError, PgnReader, PgnVisitor, San, SanToken};
use tabiya_movegen::{GameVisitor, Position, Replay, ReplayError};

const SIZE: usize = 50_000_000;

pub(crate) fn comparisons() -> Vec<Comparison> {
    let (name, text): (_, Rc<[u8]>) = match std::env::var_os("PGN") {
        Some(path) => ("file named by PGN", std::fs::read(path).expect("PGN names a readable file").into()),
        None => ("sample games, 50 MB", samples().into()),
    };
    let [ours, theirs] = [tabiya(&text), shakmaty(&text)];
    assert_eq!((ours.games, ours.plies), (theirs.games, theirs.plies), "games and half-moves of {name}");
    let [first, second, third] = [&text, &text, &text].map(Rc::clone);
    vec![
        Comparison::pair(
            name,
            move || {
                assert_eq!(tabiya(&text).plies, ours.plies);
                text.len() as u64
            },
            move || {
                assert_eq!(shakmaty(&first).plies, theirs.plies);
                first.len() as u64
            },
        ),
        Comparison::pair(
            "the same, moves parsed only",
            move || tokens(&second),
            move || other_tokens(&third),
        ),
    ]
}

/// Parses the moves of all main lines without playing them, and returns their number.
fn tokens(text: &[u8]) -> u64 {
    let mut moves = Tokens(0);
    PgnReader::new(text).read_all(&mut moves).expect("a slice can be read");
    moves.0
}

fn other_tokens(text: &[u8]) -> u64 {
    let mut moves = Tokens(0);
    let mut reader = Reader::new(text);
    while reader.read_game(&mut moves).expect("a slice can be read").is_some() {}
    moves.0
}

struct Tokens(u64);

impl PgnVisitor for Tokens {
    type Output = ();

    fn san(&mut self, san: SanToken<'_>) -> Next {
        self.0 += u64::from(San::from_bytes(san.as_bytes()).is_ok());
        Next::Read
    }

    fn error(&mut self, _: PgnError) -> Next {
        Next::Read
    }

    fn end_game(&mut self) {}
}

impl Visitor for Tokens {
    type Tags = ();
    type Movetext = ();
    type Output = ();

    fn begin_tags(&mut self) -> ControlFlow<(), ()> {
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, (): ()) -> ControlFlow<(), ()> {
        ControlFlow::Continue(())
    }

    fn san(&mut self, (): &mut (), _: SanPlus) -> ControlFlow<()> {
        self.0 += 1;
        ControlFlow::Continue(())
    }

    fn begin_variation(&mut self, (): &mut ()) -> ControlFlow<(), Skip> {
        ControlFlow::Continue(Skip(true))
    }

    fn end_game(&mut self, (): ()) {}
}

/// Returns the sample games that both readers accept, repeated to 50 MB.
fn samples() -> Vec<u8> {
    let mut accepted = Vec::new();
    for path in files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/pgn")) {
        let text = std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let (ours, theirs) = (tabiya(&text), shakmaty(&text));
        if (ours.errors, theirs.errors, ours.plies) == (0, 0, theirs.plies) && ours.games == theirs.games {
            accepted.extend(text);
            accepted.extend(b"\n\n");
        }
    }
    assert!(accepted.len() > 10_000, "only {} bytes of sample games", accepted.len());
    accepted.repeat(SIZE / accepted.len() + 1)
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let mut paths = Vec::new();
    for entry in folder.read_dir().unwrap_or_else(|error| panic!("{}: {error}", folder.display())) {
        let path = entry.expect("the folder can be read").path();
        match path.extension() {
            _ if path.is_dir() => paths.extend(files(&path)),
            Some(extension) if extension == "pgn" => paths.push(path),
            _ => {}
        }
    }
    paths.sort();
    paths
}

#[derive(Default)]
struct Count {
    games: u64,
    plies: u64,
    errors: u64,
}

fn tabiya(text: &[u8]) -> Count {
    let mut reader = PgnReader::new(text);
    let mut replay = Replay::new(Count::default());
    while reader.read_game(&mut replay).expect("a slice can be read").is_some() {}
    replay.into_inner()
}

impl GameVisitor for Count {
    type Output = ();

    fn begin_game(&mut self) {
        self.games += 1;
    }

    fn play(&mut self, _: &Position, _: Move) -> Next {
        self.plies += 1;
        Next::Read
    }

    fn error(&mut self, _: ReplayError) -> Next {
        self.errors += 1;
        Next::Skip
    }

    fn end_game(&mut self, _: &Position) {}
}

fn shakmaty(text: &[u8]) -> Count {
    let mut reader = Reader::new(text);
    let mut count = Validator(Count::default());
    while reader.read_game(&mut count).expect("a slice can be read").is_some() {}
    count.0
}

/// Validates games as pgn-reader's own example does.
struct Validator(Count);

impl Visitor for Validator {
    type Tags = Option<Chess>;
    type Movetext = Chess;
    type Output = ();

    fn begin_tags(&mut self) -> ControlFlow<(), Option<Chess>> {
        self.0.games += 1;
        ControlFlow::Continue(None)
    }

    fn tag(&mut self, tags: &mut Option<Chess>, name: &[u8], value: RawTag<'_>) -> ControlFlow<()> {
        if name == b"FEN" {
            let position = Fen::from_ascii(value.as_bytes())
                .ok()
                .and_then(|setup| setup.into_position(CastlingMode::Chess960).ok());
            if position.is_none() {
                self.0.errors += 1;
                return ControlFlow::Break(());
            }
            *tags = position;
        }
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, tags: Option<Chess>) -> ControlFlow<(), Chess> {
        ControlFlow::Continue(tags.unwrap_or_default())
    }

    fn san(&mut self, position: &mut Chess, san: SanPlus) -> ControlFlow<()> {
        match san.san.to_move(position) {
            Ok(mv) => position.play_unchecked(mv),
            Err(_) => {
                self.0.errors += 1;
                return ControlFlow::Break(());
            }
        }
        self.0.plies += 1;
        ControlFlow::Continue(())
    }

    fn end_game(&mut self, _: Chess) {}
}
