use super::*;
use crate::outcome::DrawReason;
use crate::{GameBuilder, Replay};
use tabiya_core::Color;
use tabiya_core::notation::{Broken, PgnReader};

const TEXT: &str = "1. e4 e5 (1... c5 2. Nf3 (2. c3 d5) 2... d6) (1... e6 $1 {French}) 2. f4 exf4 *";

fn tree(text: &str) -> GameTree {
    text.parse().unwrap_or_else(|error| panic!("{error} in {text}"))
}

fn moves(tree: &GameTree) -> String {
    tree.to_string().split("\n\n").nth(1).unwrap().trim_end().replace('\n', " ")
}

fn find<'a>(tree: &'a GameTree, san: &str) -> GameNode<'a> {
    tree.nodes().find(|node| node.san().is_some_and(|other| other.to_string() == san)).unwrap()
}

#[test]
fn nodes_have_consistent_moves_positions_and_lines() {
    let tree = tree(TEXT);
    let mut order = Vec::new();
    for node in tree.nodes() {
        order.extend(node.san().map(|san| san.to_string()));
        let Some(parent) = node.parent() else { continue };
        assert_eq!(parent.position().play(node.mv().unwrap()).as_ref(), Ok(node.position()));
        assert_eq!(Some(parent.position().san(node.mv().unwrap())), node.san());
        let line = node.line();
        assert_eq!(line.last().map(|last| last.id()), Some(node.id()));
        assert_eq!(node.game().unwrap().position(), node.position());
        assert_eq!(node.is_mainline(), tree.mainline().any(|other| other.id() == node.id()));
    }
    assert_eq!(order, ["e4", "e5", "f4", "exf4", "c5", "Nf3", "d6", "c3", "d5", "e6"]);
    assert!(tree.root().is_mainline() && tree.root().mv().is_none() && tree.root().line().is_empty());
}

#[test]
fn normalises_moves() {
    let tree = tree("1. e2-e4 e7e5 2. Ng1f3+ Nb8-c6 3. Bf1b5 a6 4. 0-0 {castles} *");
    assert_eq!(moves(&tree), "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. O-O { castles } *");
}

#[test]
fn edits_moves_comments_and_variations() {
    let mut tree = tree(TEXT);
    let d5 = find(&tree, "d5").id();
    let exd5 = tree.play_san(d5, "exd5").unwrap();
    assert_eq!(tree.play_san(d5, "exd5"), Ok(exd5), "an existing move is not added again");
    tree.comments_mut(exd5).push("the main line".to_owned());
    tree.make_mainline(exd5);
    let e6 = find(&tree, "e6").id();
    tree.nags_mut(e6).clear();
    tree.promote(e6);
    tree.comments_before_mut(e6).push("or".to_owned());
    let nf3 = find(&tree, "Nf3").id();
    tree.remove(nf3);
    assert!(tree.node(nf3).is_none());
    assert_eq!(
        moves(&tree),
        "1. e4 c5 ({ or } 1... e6 { French }) (1... e5 2. f4 exf4) 2. c3 d5 3. exd5 { the main line } *"
    );
    let again: GameTree = tree.to_string().parse().unwrap();
    assert_eq!(again.to_string(), tree.to_string());

    let before = tree.clone();
    assert!(tree.play_san(exd5, "exd5").is_err());
    assert!(tree.play(exd5, tree.start().parse_san("e4").unwrap()).is_err());
    assert_eq!(tree, before);
}

#[test]
fn start_tags_cannot_be_edited() {
    let mut tree = tree("[FEN \"4k3/8/8/8/8/8/8/4K2R w K -\"]\n1. O-O+ *");
    assert_eq!(tree.tag("FEN"), Some("4k3/8/8/8/8/8/8/4K2R w K - 0 1"));
    assert_eq!(tree.set_tag("FEN", "nonsense"), Err(TagError::Fixed("FEN".to_owned())));
    assert_eq!(tree.set_tag("a b", "x"), Err(TagError::InvalidName("a b".to_owned())));
    assert_eq!(tree.remove_tag("SetUp"), None);
    tree.set_tag("White", "A").unwrap();
    assert_eq!((tree.tag("White"), tree.tag("SetUp")), (Some("A"), Some("1")));
    let again: GameTree = tree.to_string().parse().unwrap();
    assert_eq!((again.start(), moves(&again)), (tree.start(), moves(&tree)));
    assert_eq!(tree.remove_tag("White").as_deref(), Some("A"));
    assert!(tree.tags().all(|(name, _)| name != "White"));
}

#[test]
fn variants_that_cannot_be_read_again_are_refused() {
    let mut tree = tree("1. e4 *");
    let error = tree.set_tag("Variant", "Crazyhouse").unwrap_err();
    assert_eq!(error, TagError::Variant("Crazyhouse".to_owned()));
    assert_eq!(error.to_string(), "invalid variant \"Crazyhouse\": expected chess or Chess960");
    assert_eq!(tree.tag("Variant"), None);
    tree.set_tag("Variant", "Standard").unwrap();
    tree.set_tag("variant", "Crazyhouse").unwrap();
    assert_eq!(tree.to_string().parse(), Ok(tree));
}

#[test]
fn null_moves_are_accepted_unless_in_check() {
    let mut tree = tree("1. e4 e5 (1... -- 2. d4 -- 3. c4) 2. Nf3 *");
    let null = find(&tree, "--");
    assert_eq!(null.mv(), None);
    assert_eq!(null.position().side_to_move(), Color::White);
    assert!(find(&tree, "c4").game().is_none());
    assert_eq!(moves(&tree), "1. e4 e5 (1... -- 2. d4 -- 3. c4) 2. Nf3 *");
    let e4 = find(&tree, "e4").id();
    let null = null.id();
    assert_eq!(tree.play_san(e4, "--"), Ok(null));

    let broken = "1. e4 f5 2. Qh5+ -- *".parse::<GameTree>().unwrap_err();
    assert_eq!(moves(&broken.game), "1. e4 f5 2. Qh5+ *");
}

#[test]
fn broken_games_keep_their_legal_lines() {
    for (text, legal_part, error) in [
        ("1. e4 e5 2. Ke3 Ke6 (2... d5) 3. d4 1-0", "1. e4 e5 *", "line 1, column 13: 2. Ke3 cannot"),
        (
            "1. e4 e5 (1... Sc6 2. d4 (2. f4) 2... d5) (1... Nf6 {A}) 2. f4 *",
            "1. e4 e5 (1... Nf6 { A }) 2. f4 *",
            "line 1, column 16, at \"Sc6\": not a move",
        ),
        (
            "1. e4 e5 (1... c5 {x} 2. Bb6! (2. Nf3) {y}) 2. f4 *",
            "1. e4 e5 (1... c5 { x }) 2. f4 *",
            "line 1, column 26: 2. Bb6 cannot be played: no legal move fits",
        ),
        (
            "1. e4 e5 ({first} 1... Nf7) 2. f4 {last} *",
            "1. e4 e5 { first } 2. f4 { last } *",
            "line 1, column 24: 1... Nf7 cannot",
        ),
        ("1. e4 ) e5 2. Ke5 *", "1. e4 e5 *", "line 1, column 7, at \")\": closing parenthesis"),
        (
            "1. e4 TN 1... e5!!! 2. Nf3 $256 *",
            "1. e4 e5 2. Nf3 *",
            "line 1, column 7, at \"TN\": unexpected text",
        ),
        (
            "1. e4 e5 (1... Nf5 2. d4) (1... c5 \u{2206} 2. Nf3) 2. Ke3 (2. d4) *",
            "1. e4 e5 (1... c5 2. Nf3) *",
            "column 16: 1... Nf5 cannot",
        ),
        ("1. e4 e5 (1... Sc6) 2. Sf3 (2. d4) Sc6 *", "1. e4 e5 *", "column 16, at \"Sc6\": not a move"),
    ] {
        let broken = text.parse::<GameTree>().unwrap_err();
        assert_eq!(moves(&broken.game), legal_part, "{text}");
        assert!(broken.to_string().contains(error), "{broken}");
        let ends = broken.errors().filter(|error| error.ends_game).count();
        assert_eq!(ends, usize::from(text.contains("2. Ke") || text.contains("2. Sf3")), "{text}");
    }
    let broken = "[FEN \"x\"]\n1. e4 *".parse::<GameTree>().unwrap_err();
    assert_eq!((moves(&broken.game), broken.game.tag("FEN")), ("*".to_owned(), None));
    assert_eq!("".parse::<GameTree>().unwrap_err().to_string(), "invalid game: the text contains no game");
}

#[test]
fn text_without_tags_and_moves_is_no_game() {
    let errors = |text: &str| -> Vec<String> {
        let read = PgnReader::new(text.as_bytes()).read_game(&mut GameTreeBuilder::new());
        let (tree, errors) = Broken::split(read.unwrap().unwrap());
        assert_eq!(tree.mainline().count(), 0, "{text}");
        errors.iter().map(ToString::to_string).collect()
    };
    for text in [
        "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1",
        "\u{1f}\u{8b} \u{8}e4x }",
        // Neither e3 nor Nf6 is a move of a game.
        "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 bm Nf6;",
    ] {
        assert!(errors(text)[0].ends_with(": the text contains no game"), "{text}: {:?}", errors(text));
        let game = PgnReader::new(text.as_bytes()).read_game(&mut Replay::new(GameBuilder::new()));
        assert_eq!(game.unwrap().unwrap().unwrap_err().error.to_string(), errors(text)[0], "{text}");
    }
    assert!(errors("1. Sf3 d5 *")[0].ends_with("line 1, column 4: the text contains no game"));
    let fen = "[White \"A\"]\n\nrnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1";
    assert!(errors(fen)[0].contains("unexpected text"));
    let mut replay = Replay::new(GameBuilder::new());
    let replayed = PgnReader::new(fen.as_bytes()).read_game(&mut replay).unwrap().unwrap().unwrap_err();
    assert!(replayed.error.ends_game && replayed.game.moves().is_empty());
    for text in ["*", "[White \"A\"]\n\n*", "[White \"A\"]\n\n1. Ke2 *", "{8/8/8/8/8/8/8/8} *"] {
        assert!(!errors(text).iter().any(|error| error.contains("no game")), "{text}");
    }
    assert_eq!(moves(&"21/12/2021/12:00 1. e4 *".parse::<GameTree>().unwrap_err().game), "1. e4 *");
}

#[test]
fn builder_and_from_pgn_agree() {
    let text = format!("[White \"A\"]\n[Result \"0-1\"]\n\n{{before}} {}", TEXT.replace('*', "0-1"));
    let read = tree(&text);
    let pgn: PgnGame = text.parse().unwrap();
    assert_eq!(GameTree::from_pgn(pgn.clone()).as_ref(), Ok(&read));
    assert_eq!(read.pgn(), &pgn);
    let mut illegal = pgn;
    let root = illegal.root().id();
    illegal.add_move(root, "e5".parse().unwrap());
    assert!(GameTree::from_pgn(illegal).unwrap_err().to_string().starts_with("invalid game: 1. e5 cannot"));
}

#[test]
fn games_round_trip_through_trees() {
    let mut game = Game::from_position(Position::chess960(100).unwrap());
    for _ in 0..10 {
        let mv = game.position().legal().next().unwrap().mv();
        game.play(mv).unwrap();
    }
    game.agree_draw();
    let tree = GameTree::from(&game);
    assert_eq!(tree.outcome(), Some(Outcome::Draw { reason: DrawReason::Agreement }));
    assert_eq!(tree.game(), Some(game.clone()));
    assert_eq!(tree.to_string().parse(), Ok(game));
    assert_eq!(tree.to_string().parse(), Ok(tree));
}

#[test]
fn parses_a_file_of_games() {
    let text = "\n\n1. e4 (1. d4 d5) e5 *\n\n[White \"B\"]\n\n1. Nf4 *\n[White \"C\"]\n1. c4 c5";
    let mut reader = PgnReader::new(text.as_bytes());
    let mut builder = GameTreeBuilder::new();
    let mut games = Vec::new();
    while let Some(game) = reader.read_game(&mut builder).unwrap() {
        games.push(game.map(|tree| moves(&tree)).map_err(|broken| broken.error.location.unwrap().line));
    }
    assert_eq!(games, [Ok("1. e4 (1. d4 d5) 1... e5 *".to_owned()), Err(7), Ok("1. c4 c5 *".to_owned())]);
}

#[test]
fn illegal_variations_leave_the_others() {
    let text = "1. e4 e5 (1... c5) (1... d4) (1... e6) (1... exd4 2. Nf3) 2. Nf3 (2. Ke3) *";
    let broken = text.parse::<GameTree>().unwrap_err();
    assert_eq!(broken.further_errors.len(), 2);
    assert_eq!(moves(&broken.game), "1. e4 e5 (1... c5) (1... e6) 2. Nf3 *");
}

#[test]
fn lines_are_added_whole_or_not_at_all() {
    let mut tree = tree("1. e4 e5 (1... c5) 2. f4 *");
    let before = tree.clone();
    let c5 = find(&tree, "c5").id();
    for line in [["Nf3", "d6", "Ke3"], ["Nf3", "x", "d4"]] {
        assert!(tree.add_san_line(c5, line).is_err());
        assert_eq!(tree, before);
    }
    let moves_of = |sans: &str| {
        let mut position = before.start().clone();
        let play = |san: &str| {
            let mv = position.parse_san(san).unwrap();
            position.play_unchecked(mv);
            mv
        };
        sans.split(' ').map(play).collect::<Vec<Move>>()
    };
    let mut illegal = moves_of("e4 c5 Nf3");
    illegal.push(illegal[0]);
    assert!(tree.add_line(NodeId::ROOT, illegal).is_err());
    assert_eq!(tree, before);
    let nf3 = tree.add_line(NodeId::ROOT, moves_of("e4 c5 Nf3")).unwrap();
    assert_eq!(tree.add_san_line(c5, ["Ng1-f3"]), Ok(nf3));
    assert_eq!(tree.add_san_line(c5, []), Ok(c5));
    tree.add_san_line(nf3, ["--", "d4"]).unwrap();
    assert_eq!(moves(&tree), "1. e4 e5 (1... c5 2. Nf3 -- 3. d4) 2. f4 *");
    assert!(tree.demote(find(&tree, "e5").id()) && !tree.demote(find(&tree, "e5").id()));
    assert_eq!(moves(&tree), "1. e4 c5 (1... e5 2. f4) 2. Nf3 -- 3. d4 *");
}

/// A text may have a move twice among the variations of a position, and each may continue differently.
#[test]
fn equal_siblings_of_another_game_are_merged_in_its_order() {
    for (text, merged) in [
        ("1. e4 (1. e4 c5) 1... e5 *", "1. e4 e5 (1... c5) *"),
        ("1. e4 {a} (1. e4 {b} e6) (1. d4) 1... e5 *", "1. e4 { a } { b } (1. d4) 1... e5 (1... e6) *"),
    ] {
        let mut target = GameTree::new();
        target.merge(&tree(text)).unwrap();
        assert_eq!(moves(&target), merged, "{text}");
    }
}

#[test]
fn many_equal_siblings_are_merged_in_linear_time() {
    let variations: String = (0..20_000).map(|number| format!("(1. e4 {{{number}}}) ")).collect();
    let mut target = GameTree::new();
    target.merge(&tree(&format!("1. e4 {variations} *"))).unwrap();
    let e4 = target.mainline().next().unwrap();
    assert_eq!((e4.comments().len(), target.nodes().count()), (20_000, 2));
}

#[test]
fn games_from_different_positions_are_not_merged() {
    let mut merged = MergedGames::new(GameTree::new());
    let other = tree("[FEN \"4k3/8/8/8/8/8/8/4K2R w K -\"]\n1. O-O+ *");
    let error = merged.add(&other).unwrap_err();
    assert_eq!(merged.counts(NodeId::ROOT).total(), 0);
    assert_eq!(
        error.to_string(),
        "cannot merge a game from 4k3/8/8/8/8/8/8/4K2R w K - 0 1 into one from \
         rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
    );
}

#[test]
fn contradictions_in_a_fen_tag_do_not_end_the_game() {
    let text = "[FEN \"4k3/8/8/8/8/8/4P3/4K3 w KQkq - 0 1\"]\n1. e4 *";
    let broken = text.parse::<GameTree>().unwrap_err();
    assert_eq!(broken.errors().count(), 4);
    assert!(broken.errors().all(|error| !error.ends_game && !error.kind.prevents_replay()), "{broken}");
    assert_eq!(moves(&broken.game), "1. e4 *");
    assert_eq!(broken.game.tag("FEN"), Some("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"));
}
