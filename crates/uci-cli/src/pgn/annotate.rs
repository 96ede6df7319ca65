//! Annotation of one game: evaluations, marks for bad moves, better lines and accuracy.

use super::accuracy::{Accuracy, ExpectedScore, Mark, expected_score, pgn_score};
use tabiya_core::notation::{Annotation, Nag, NodeId, PgnScore, annotations};
use tabiya_core::{Color, Move};
use tabiya_movegen::{Game, GameTree, Position};
use tabiya_search::{Engine, Info, Limits, SearchEvent};

/// Maximum length of an added variation, in plies.
const MAX_VARIATION: usize = 10;

/// An engine that annotates games.
pub(super) struct Annotator {
    engine: Engine,
    limits: Limits,
    /// True to add better lines as variations.
    add_lines: bool,
    name: &'static str,
}

/// The analysis of a position.
struct Analysis {
    /// For the side to move.
    expected: ExpectedScore,
    /// Score from White's point of view, and depth. `None` if the game is over.
    score: Option<(PgnScore, u32)>,
    /// The principal variation.
    line: Vec<Move>,
}

impl Annotator {
    /// An annotator that searches each position with `limits`.
    pub(super) fn new(engine: Engine, limits: Limits, add_lines: bool, name: &'static str) -> Annotator {
        Annotator { engine, limits, add_lines, name }
    }

    /// Annotates the main line of a game.
    pub(super) fn annotate(&mut self, mut tree: GameTree) -> GameTree {
        let root = std::iter::once((tree.root().id(), None));
        let path: Vec<(NodeId, Option<Move>)> =
            root.chain(tree.mainline().map(|node| (node.id(), node.mv()))).collect();
        // A null move ends the analysis: the search cannot play it.
        let moves: Vec<Move> = path.iter().skip(1).map_while(|&(_, mv)| mv).collect();
        self.engine.clear();
        let mut game = Game::from_position(tree.start().clone());
        let mut analysis = self.analyse(&game);
        let mut accuracy = [Accuracy::default(), Accuracy::default()];
        for (index, &mv) in moves.iter().enumerate() {
            let before = game.position().clone();
            if game.play(mv).is_err() {
                break;
            }
            let after = self.analyse(&game);
            // The engine's own choice counts as no loss, even if the next search thinks less of it.
            let is_best = analysis.line.first() == Some(&mv);
            let loss = if is_best { 0.0 } else { (analysis.expected - (1.0 - after.expected)).max(0.0) };
            accuracy[before.side_to_move().index()].add(loss);
            let mark = Mark::of(loss).filter(|_| before.count_legal_moves() > 1);
            self.comment(&mut tree, (path[index].0, path[index + 1].0), &before, &analysis, &after, mark);
            analysis = after;
        }
        tree.set_tag("Annotator", self.name);
        for (color, tag) in [(Color::White, "WhiteAccuracy"), (Color::Black, "BlackAccuracy")] {
            if let Some(percent) = accuracy[color.index()].percent() {
                tree.set_tag(tag, &format!("{percent:.1}"));
            }
        }
        tree
    }

    /// Analyses the current position of a game.
    fn analyse(&mut self, game: &Game) -> Analysis {
        let position = game.position();
        if let Some(outcome) = game.outcome() {
            let expected = match outcome.winner() {
                None => 0.5,
                Some(winner) if winner == position.side_to_move() => 1.0,
                Some(_) => 0.0,
            };
            return Analysis { expected, score: None, line: Vec::new() };
        }
        let search = self.engine.go(game, self.limits.clone());
        let last: Option<Info> = search
            .events()
            .iter()
            .filter_map(|event| if let SearchEvent::Info(info) = event { Some(info) } else { None })
            .last();
        match last {
            Some(info) => Analysis {
                expected: expected_score(info.wdl),
                score: Some((pgn_score(info.score, position.side_to_move()), info.depth)),
                line: info.pv,
            },
            None => Analysis { expected: 0.5, score: None, line: Vec::new() },
        }
    }

    /// Annotates a move: evaluation, mark and better line.
    fn comment(
        &self,
        tree: &mut GameTree,
        (parent, node): (NodeId, NodeId),
        before: &Position,
        best: &Analysis,
        after: &Analysis,
        mark: Option<Mark>,
    ) {
        let mut texts = Vec::new();
        if let Some((score, depth)) = after.score {
            texts.push(Annotation::Eval { score, depth: Some(depth) }.to_string());
        }
        if let (Some(mark), Some(&better)) = (mark, best.line.first()) {
            // An existing assessment of the move is kept.
            let nags = tree.nags_mut(node);
            if !nags.iter().any(|nag| (Nag::GOOD_MOVE..=Nag::DUBIOUS_MOVE).contains(nag)) {
                nags.insert(0, mark.nag());
            }
            texts.push(format!("{}. {} was best.", mark.name(), before.san(better)));
            if self.add_lines {
                add_line(tree, parent, best);
            }
        }
        let comments = tree.comments_mut(node);
        comments.iter_mut().for_each(|comment| *comment = without_analysis(comment));
        comments.retain(|comment| !comment.is_empty());
        if !texts.is_empty() {
            comments.insert(0, texts.join(" "));
        }
    }
}

/// Adds the better line as a variation, with its evaluation at the first move.
fn add_line(tree: &mut GameTree, parent: NodeId, best: &Analysis) {
    let mut node = parent;
    for (index, &mv) in best.line.iter().take(MAX_VARIATION).enumerate() {
        let is_new = tree.node(node).is_some_and(|node| node.children().all(|child| child.mv() != Some(mv)));
        let Ok(next) = tree.play(node, mv) else { break };
        if index == 0
            && is_new
            && let Some((score, depth)) = best.score
        {
            let eval = Annotation::Eval { score, depth: Some(depth) };
            tree.comments_mut(next).push(eval.to_string());
        }
        node = next;
    }
}

/// Removes the evaluation and the remark of an earlier analysis from a comment.
fn without_analysis(comment: &str) -> String {
    let mut kept = comment.to_owned();
    if annotations(comment).any(|annotation| matches!(annotation, Annotation::Eval { .. })) {
        kept = remove(&kept, "[%eval", "]");
    }
    for mark in [Mark::Inaccuracy, Mark::Mistake, Mark::Blunder] {
        kept = remove(&kept, &format!("{}. ", mark.name()), " was best.");
    }
    if kept == comment { kept } else { kept.split_whitespace().collect::<Vec<_>>().join(" ") }
}

/// Removes every passage from `beginning` to `end`, both included.
fn remove(text: &str, beginning: &str, end: &str) -> String {
    let mut kept = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once(beginning) {
        let Some((_, after)) = after.split_once(end) else { break };
        kept.push_str(before);
        rest = after;
    }
    kept + rest
}

#[cfg(test)]
mod tests {
    use super::*;
    use tabiya_search::Options;

    fn annotated(pgn: &str, lines: bool) -> GameTree {
        let engine = Engine::new(Options { hash_mb: 4, ..Options::default() }).unwrap();
        let mut annotator = Annotator::new(engine, Limits::nodes(4000), lines, "Tabiya");
        annotator.annotate(pgn.parse().unwrap())
    }

    fn evals(tree: &GameTree) -> Vec<PgnScore> {
        tree.mainline()
            .flat_map(|node| node.comments())
            .flat_map(|comment| annotations(comment))
            .filter_map(|found| if let Annotation::Eval { score, .. } = found { Some(score) } else { None })
            .collect()
    }

    #[test]
    fn evaluates_every_move_up_to_the_mate() {
        let tree = annotated("1. f3 e5 2. g4 Qh4# 0-1", true);
        assert_eq!(evals(&tree).len(), 3, "no evaluation after the mate");
        assert_eq!(evals(&tree)[2], PgnScore::Mate(-1));
        for tag in ["WhiteAccuracy", "BlackAccuracy"] {
            let percent: f64 = tree.tag(tag).unwrap().parse().unwrap();
            assert!((0.0..=100.0).contains(&percent), "{tag} {percent}");
        }
        assert_eq!(tree.tag("Annotator"), Some("Tabiya"));
        assert_eq!(tree.result().to_string(), "0-1");
    }

    /// A position with mates in one, in which Qf7 is stalemate: a loss of half a point by any evaluation.
    const STALEMATE: &str = "[FEN \"7k/8/6K1/5Q2/8/8/8/8 w - - 0 1\"]\n\n";

    #[test]
    fn marks_a_blunder_and_adds_the_better_line() {
        let tree = annotated(&format!("{STALEMATE}1. Qf7 1/2-1/2"), true);
        let [blunder, better] = tree.root().children().collect::<Vec<_>>()[..] else {
            panic!("{}", tree.pgn())
        };
        assert_eq!(blunder.nags(), [Nag::BLUNDER]);
        let comment = &blunder.comments()[0];
        assert!(comment.starts_with("Blunder. ") && comment.ends_with("# was best."), "{comment}");
        assert!(!better.is_mainline() && better.comments()[0].starts_with("[%eval #1,"));
        assert_eq!((tree.tag("WhiteAccuracy"), tree.tag("BlackAccuracy")), (Some("8.5"), None));
    }

    #[test]
    fn keeps_existing_annotations() {
        let tree = annotated(
            &format!(
                "{STALEMATE}{{ start }} 1. Qf7 $1 {{ ours [%eval 1.0] [%clk 0:01:00] }} (1. Qf4 Kg8) 1/2-1/2"
            ),
            false,
        );
        let blunder = tree.mainline().next().unwrap();
        assert_eq!(blunder.nags(), [Nag::GOOD_MOVE], "the existing assessment is kept");
        assert!(blunder.comments()[0].starts_with("Blunder. "));
        assert_eq!(blunder.comments()[1], "ours [%clk 0:01:00]");
        assert_eq!(tree.root().children().count(), 2, "no variation was added");
        assert_eq!(tree.root().comments(), ["start"]);
    }

    #[test]
    fn annotating_twice_changes_nothing() {
        let once = annotated("1. f3 e5 2. g4 Qh4# 0-1", true);
        let twice = annotated(&once.pgn().to_string(), true);
        assert_eq!(once.pgn().to_string(), twice.pgn().to_string());
    }

    #[test]
    fn handles_empty_and_forced_games() {
        assert_eq!(evals(&annotated("*", true)), []);
        assert_eq!(annotated("*", true).tag("WhiteAccuracy"), None);
        assert_eq!(evals(&annotated("1. e4 -- 2. d4 *", true)).len(), 1);
        // The only legal move is never a mistake.
        let forced = annotated("[FEN \"k7/8/1K6/8/8/8/8/7R b - - 0 1\"]\n\n1... Kb8 2. Rh8# 1-0", true);
        assert!(forced.nodes().all(|node| node.nags().is_empty()));
        assert!(!forced.pgn().to_string().contains("was best"));
    }
}
