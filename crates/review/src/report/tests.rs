//! Tests of reports and pages.

use super::page::page_with_limit;
use super::*;
use crate::{CancelToken, MoveReview, Reviewer, annotate};
use tabiya_movegen::Position;
use tabiya_search::{Engine, Info, Limits, Options, Score};

fn heading() -> Heading {
    Heading::new("Games </title><script>alert(1)</script> @@data@@", "Tabiya", "4,000 nodes")
}

fn reported(pgn: &str) -> (GameTree, ReportGame) {
    let engine = Engine::new(Options::default().with_hash_mb(4)).unwrap();
    let mut tree: GameTree = pgn.parse().unwrap();
    let review = Reviewer::new(engine, Limits::nodes(4000)).review(&tree, &CancelToken::never(), |_, _| {});
    let review = review.unwrap();
    annotate(&mut tree, &review, "Tabiya", true);
    let game = ReportGame::new(7, &tree, &review);
    (tree, game)
}

/// The JSON block of a page.
fn data(page: &str) -> &str {
    let (_, rest) = page.split_once("<script id=\"data\" type=\"application/json\">").unwrap();
    rest.split_once("</script>").unwrap().0
}

/// A position with mates in one, in which Qf7 is stalemate.
const STALEMATE: &str = "[FEN \"7k/8/6K1/5Q2/8/8/8/8 w - - 0 1\"]\n[White \"A\"]\n\n1. Qf7 1/2-1/2";

#[test]
fn bad_move_points_to_the_better_line() {
    let (_, game) = reported(STALEMATE);
    let (start, blunder) = (&game.nodes[0], &game.nodes[1]);
    assert_eq!(start.eval.unwrap().mate, Some(1));
    assert_eq!((blunder.judgement, blunder.nags.as_slice()), (Some(Judgement::Blunder), [4].as_slice()));
    assert_eq!(blunder.eval.unwrap(), Eval { white: Some(0.5), ..Eval::default() });
    let best = &game.nodes[blunder.best.unwrap() as usize];
    assert!(best.san.ends_with('#') && best.parent == Some(0), "{best:?}");
    assert_eq!(best.eval.unwrap().mate, Some(1));
    let Sides { white, black } = game.sides;
    assert_eq!((white.moves, white.blunders, white.accuracy), (1, 1, Some(10.9)));
    assert_eq!(black, Performance::default());
    assert_eq!((game.player(Color::White), game.player(Color::Black)), ("A", "?"));
}

/// A reader of version 1 depends on these names. A change that it would misunderstand needs another version.
#[test]
fn format_is_that_of_version_1() {
    let mut tree: GameTree = "[White \"A\"]\n\n{start} 1. e4 (1. d4 {solid}) 1... e5 1-0".parse().unwrap();
    let nodes: Vec<NodeId> = tree.mainline().map(GameNode::id).collect();
    let moves: Vec<Move> = tree.mainline().filter_map(GameNode::mv).collect();
    let best = tree.node(nodes[0]).unwrap().position().parse_san("c5").unwrap();
    let position =
        |white, score, line: &[Move]| PositionReview { white, score, line: line.into(), tablebase: None };
    let review = GameReview {
        positions: vec![
            position(0.5, Some((PgnScore::Centipawns(20), 9)), &moves[..1]),
            position(0.51, Some((PgnScore::Centipawns(-7), 8)), &[best]),
            position(1.0, Some((PgnScore::Mate(3), 12)), &[]),
        ],
        moves: vec![
            MoveReview {
                parent: NodeId::ROOT,
                node: nodes[0],
                mv: moves[0],
                color: Color::White,
                loss: 0.0,
                judgement: None,
            },
            MoveReview {
                parent: nodes[0],
                node: nodes[1],
                mv: moves[1],
                color: Color::Black,
                loss: 0.49,
                judgement: Some(Judgement::Blunder),
            },
        ],
    };
    annotate(&mut tree, &review, "Tabiya", true);
    let games = [ReportGame::new(3, &tree, &review)];
    let heading = Heading::new("Title", "Tabiya", "9 nodes");
    let expected = r#"{"format":"tabiya-review","version":1,"title":"Title","generator":"Tabiya","search":"9 nodes","games":[
{"number":3,"tags":[["White","A"],["Annotator","Tabiya"],["WhiteAccuracy","100.0"],["BlackAccuracy","10.1"]],"result":"1-0",
"start":"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1","sides":{
"white":{"moves":1,"accuracy":100.0,"inaccuracies":0,"mistakes":0,"blunders":0},
"black":{"moves":1,"accuracy":10.1,"inaccuracies":0,"mistakes":0,"blunders":1}},"nodes":[
{"comments":["start"],"eval":{"cp":20,"depth":9,"white":0.5}},
{"san":"e4","uci":"e2e4","eval":{"cp":-7,"depth":8,"white":0.51}},
{"san":"e5","uci":"e7e5","nags":[4],"comments":["Blunder. c5 was best."],"eval":{"mate":3,"depth":12,"white":1.0},
"judgement":"blunder","loss":0.49,"reason":{"text":"c5 was best.","best":"c5","arrows":[{"uci":"c7c5","kind":"better"}]},"best":3},
{"parent":1,"san":"c5","uci":"c7c5","eval":{"cp":-7}},
{"parent":0,"san":"d4","uci":"d2d4","comments":["solid"]}]}],"omitted":0}"#;
    assert_eq!(
        data(&page_with_limit(&heading, &games, u64::MAX)).replace("\n", ""),
        expected.replace("\n", "")
    );
}

#[test]
fn nodes_reproduce_the_tree() {
    let pgn = "{start} 1. e4 {[%clk 0:01:00] good} (1. d4 d5 (1... f5 {Dutch} 2. g3) 2. c4 {[%eval 0.30,20]}) 1... e5 2. Nf3 \
               Nc6 3. Bb5 Nf6 4. O-O (4. d3) *";
    let (tree, game) = reported(pgn);
    assert_eq!(game.nodes.len(), tree.nodes().count());
    let mut positions: Vec<Position> = Vec::new();
    for (index, (node, source)) in game.nodes.iter().zip(tree.nodes()).enumerate() {
        let position = match index {
            0 => game.start.parse().unwrap(),
            _ => {
                let parent = node.parent.map_or(index - 1, |parent| parent as usize);
                let mv = positions[parent].parse_san(&node.san).unwrap();
                assert_eq!(mv.to_uci(true).to_string(), node.uci);
                positions[parent].play(mv).unwrap()
            }
        };
        assert_eq!(&position, source.position());
        positions.push(position);
    }
    let find = |san: &str| game.nodes.iter().find(|node| node.san == san).unwrap();
    assert_eq!(game.nodes[0].comments, ["start"]);
    assert!(find("e4").comments.contains(&"good".to_owned()), "{:?}", find("e4"));
    assert_eq!(find("O-O").uci, "e1h1");
    assert_eq!(find("f5").comments, ["Dutch"]);
    assert_eq!(find("c4").eval, Some(Eval { cp: Some(30), depth: Some(20), ..Eval::default() }));
}

#[test]
fn analysed_position_has_its_lines() {
    let tree: GameTree = "1. e4 e5 2. Nf3 *".parse().unwrap();
    let position = tree.mainline().nth(1).unwrap();
    let line = |moves: &str, score: Score| {
        let start = position.game().unwrap();
        let mut game = start.clone();
        moves.split(' ').for_each(|san| assert!(game.play_san(san).is_ok()));
        let mut info = Info::new(9, score);
        info.pv = game.moves()[start.moves().len()..].to_vec();
        info
    };
    let lines = [line("f4 exf4", Score::Centipawns(30)), line("Nf3 Nc6", Score::Centipawns(-5))];
    let game = ReportGame::from_analysis(tree.clone(), position.id(), &lines);
    let analysis = game.analysis.as_ref().unwrap();
    assert_eq!(game.nodes[analysis.node as usize].san, "e5");
    let sans = |line: &AnalysisLine| -> Vec<&str> {
        line.nodes.iter().map(|&node| &*game.nodes[node as usize].san).collect()
    };
    assert_eq!(analysis.lines.iter().map(sans).collect::<Vec<_>>(), [["f4", "exf4"], ["Nf3", "Nc6"]]);
    // The move that has been played is the same node.
    assert_eq!(analysis.lines[1].nodes[0], 3);
    assert_eq!(game.nodes.len(), 7);
    let value = |node: u32| game.nodes[node as usize].eval.unwrap().cp;
    assert_eq!(value(analysis.node), Some(30));
    assert_eq!(value(analysis.lines[1].nodes[0]), Some(-5));
    assert_eq!(game.sides, Sides::default());
    let text = serde_json::to_string(&game).unwrap();
    assert_eq!(serde_json::from_str::<ReportGame>(&text).unwrap(), game);
}

#[test]
fn deeply_nested_variations_are_read_back() {
    let depth = 500;
    let pgn = format!("1. e4 {}{} *", "(1. d4 ".repeat(depth), ")".repeat(depth));
    let (_, game) = reported(&pgn);
    let text = serde_json::to_string(&game).unwrap();
    assert_eq!(serde_json::from_str::<ReportGame>(&text).unwrap(), game);
}

#[test]
fn page_holds_the_report() {
    let (_, game) = reported(STALEMATE);
    let games = [game.clone(), game];
    let page = page_with_limit(&heading(), &games, u64::MAX);
    let report: Report = serde_json::from_str(data(&page)).unwrap();
    assert_eq!(report, Report { heading: heading(), games: games.into(), omitted: 0 });
    let empty = page_with_limit(&heading(), &[], u64::MAX);
    assert_eq!(serde_json::from_str::<Report>(data(&empty)).unwrap().games, []);
}

#[test]
fn games_beyond_the_limit_are_counted() {
    let (_, game) = reported(STALEMATE);
    let limit = serde_json::to_string(&game).unwrap().len() as u64 * 5 / 2;
    let page = page_with_limit(&heading(), &[game.clone(), game.clone(), game.clone()], limit);
    let report: Report = serde_json::from_str(data(&page)).unwrap();
    assert_eq!((report.games.len(), report.omitted), (2, 1));
}

#[test]
fn texts_cannot_leave_their_place() {
    let hostile = "</script><script>alert(1)</script><!--<script>";
    let pgn =
        format!("[White \"{hostile}\"]\n[Event \"<img src=x onerror=alert(1)>\"]\n\n1. e4 {{ {hostile} }} *");
    let (_, game) = reported(&pgn);
    let page = page_with_limit(&heading(), &[game], u64::MAX);
    let json = data(&page);
    assert!(!json.contains('<'), "{json}");
    let report: Report = serde_json::from_str(json).unwrap();
    assert_eq!(report.games[0].tag("White"), hostile);
    // The page has its own two scripts and nothing that the games contain.
    assert_eq!(page.matches("<script").count(), 2);
    assert_eq!(page.matches("</script>").count(), 2);
    assert_eq!(page.replace(json, "").matches("alert(1)").count(), 1, "in the title, as text");
    assert!(page.contains("<title>Games &lt;/title&gt;&lt;script&gt;alert(1)"));
}

#[test]
fn page_needs_nothing_from_outside() {
    let page = page_with_limit(&heading(), &[], u64::MAX);
    let policy =
        page.split("Content-Security-Policy\" content=\"").nth(1).unwrap().split('"').next().unwrap();
    assert!(policy.starts_with("default-src 'none'; script-src 'sha256-"), "{policy}");
    assert!(!policy.contains("unsafe") && !policy.contains("http"), "{policy}");
    // The only address is the name of SVG's namespace.
    for address in page.split("http").skip(1) {
        assert!(
            address.starts_with("://www.w3.org/2000/svg\"") || address.starts_with("-equiv"),
            "{address}"
        );
    }
    for forbidden in ["src=\"", "@import", "url(", "innerHTML", " style=\"", "@@script", "@@style", "\r"] {
        assert!(!page.contains(forbidden), "{forbidden}");
    }
}
