//! The games of a PGN text, replayed by a visitor, as games and as trees.

use super::pgn::{MAX_GAMES, has_overlong_tag};
use tabiya_core::Move;
use tabiya_core::notation::{Next, PgnReader, San, SanMove};
use tabiya_movegen::{
    BrokenGame, BrokenGameTree, Game, GameBuilder, GameTree, GameTreeBuilder, GameVisitor, Position, Replay,
    ReplayError, ReplayErrorKind,
};

/// Replays the games by a visitor, as games and as trees, and compares the results.
pub(super) fn check(text: &[u8]) {
    let mut readers = [PgnReader::new(text), PgnReader::new(text), PgnReader::new(text)];
    let [lines, games, trees] = &mut readers;
    let mut line_builder = Replay::new(Line::default());
    let mut game_builder = Replay::new(GameBuilder::new());
    let mut tree_builder = GameTreeBuilder::new();
    let in_memory = "reading from memory does not fail";
    for _ in 0..MAX_GAMES {
        let Some(line) = lines.read_game(&mut line_builder).expect(in_memory) else {
            assert!(games.read_game(&mut game_builder).expect(in_memory).is_none());
            assert!(trees.read_game(&mut tree_builder).expect(in_memory).is_none());
            break;
        };
        let game = games.read_game(&mut game_builder).expect(in_memory).expect("there is a game");
        let tree = trees.read_game(&mut tree_builder).expect(in_memory).expect("there is a game");
        let tree = match tree {
            Ok(tree) => tree,
            Err(broken) => {
                assert!(!broken.to_string().is_empty());
                readable(broken)
            }
        };
        check_game(&line, game);
        check_tree(&line, &tree);
    }
}

/// The main line up to the first illegal move.
#[derive(Default)]
struct Line {
    start: Option<Position>,
    moves: Vec<Move>,
    is_broken: bool,
}

impl GameVisitor for Line {
    type Output = Line;

    fn start(&mut self, position: &Position) -> Next {
        self.start = Some(position.clone());
        Next::Read
    }

    fn play(&mut self, position: &Position, mv: Move) -> Next {
        assert!(position.is_legal(mv), "{mv:?} in {position:#}");
        self.moves.push(mv);
        Next::Read
    }

    fn error(&mut self, error: ReplayError) -> Next {
        self.is_broken = true;
        assert!(!error.to_string().is_empty());
        Next::Read
    }

    fn end_game(&mut self, last: &Position) -> Line {
        let line = std::mem::take(self);
        if let Some(start) = &line.start {
            assert_eq!(play(start, &line.moves), *last);
        }
        line
    }
}

fn play(start: &Position, moves: &[Move]) -> Position {
    moves
        .iter()
        .fold(start.clone(), |position, &mv| position.play(mv).expect("the move has been played before"))
}

fn check_game(line: &Line, game: Result<Game, BrokenGame>) {
    let game = match game {
        Ok(game) => game,
        Err(broken) => {
            assert!(line.is_broken);
            assert!(broken.errors().count() > 0 && broken.game.moves() == line.moves);
            return;
        }
    };
    assert!(!line.is_broken);
    assert_eq!(Some(game.start()), line.start.as_ref());
    assert_eq!(game.moves(), line.moves);
    check_round_trip(&game);
}

/// Checks that a game round-trips through PGN.
pub(super) fn check_round_trip(game: &Game) {
    let written = game.to_pgn().to_string();
    let reread: Game = written.parse().unwrap_or_else(|error| panic!("{error} in {written}"));
    assert_eq!(reread.start(), game.start(), "{written}");
    assert_eq!(reread.moves(), game.moves(), "{written}");
    assert_eq!(reread.outcome(), game.outcome(), "{written}");
    let tree = GameTree::from(game);
    assert_eq!(written.parse().as_ref(), Ok(&tree), "{written}");
    assert!(tree.game().is_some_and(|game| game.moves() == reread.moves()), "{written}");
}

fn check_tree(line: &Line, tree: &GameTree) {
    // Only trees support null moves.
    let moves: Vec<Move> = tree.mainline().map_while(|node| node.mv()).collect();
    assert_eq!(moves, line.moves, "{tree}");
    assert!(line.start.as_ref().is_none_or(|start| start == tree.start()), "{tree}");

    for node in tree.nodes() {
        let Some(parent) = node.parent() else { continue };
        let expected = match node.mv() {
            Some(mv) => parent.position().play(mv).expect("the moves of a tree are legal"),
            None => {
                let mut passed = parent.position().clone();
                passed.play_null();
                passed
            }
        };
        assert_eq!(*node.position(), expected, "{tree}");
        assert_eq!(node.san(), Some(node.mv().map_or(NULL, |mv| parent.position().san(mv))), "{tree}");
    }

    let Some(reread) = reread(tree) else { return };
    // A `Result` tag that contradicts the movetext is corrected, so the trees would differ.
    if reread.tag("Result") == Some(reread.result().as_str()) {
        let from_pgn = GameTree::from_pgn(reread.pgn().clone()).expect("the game has been read before");
        assert!(from_pgn == reread, "{tree}");
    }
}

/// The part of a game that could be read. The tag of another variant is removed, so that the tree is read again.
pub(super) fn readable(broken: BrokenGameTree) -> GameTree {
    let is_variant = broken.errors().any(|error| matches!(error.kind, ReplayErrorKind::Variant(_)));
    let mut tree = *broken.game;
    if is_variant {
        tree.remove_tag("Variant");
    }
    tree
}

/// Writes a tree, reads it again and compares the moves; `None` if a tag is longer than the reader's limit.
pub(super) fn reread(tree: &GameTree) -> Option<GameTree> {
    let written = tree.to_string();
    if has_overlong_tag(&written) {
        return None;
    }
    let reread: GameTree = written.parse().unwrap_or_else(|error| panic!("{error} in {written}"));
    assert_eq!(reread.to_string(), written);
    assert!(reread.nodes().map(|node| node.mv()).eq(tree.nodes().map(|node| node.mv())), "{written}");
    Some(reread)
}

/// A null move.
const NULL: San = San { mv: SanMove::Null, suffix: None };
