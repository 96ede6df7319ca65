//! One game: what the engine thinks of each position, and what it writes about that.

use super::judge::{Accuracy, Chances, Mark, chances, pgn_score};
use tabiya_core::notation::{Annotation, Nag, NodeId, PgnScore, annotations};
use tabiya_core::{Color, Move};
use tabiya_movegen::{Game, GameTree, Position};
use tabiya_search::{Engine, Info, Limits, SearchEvent};

/// The longest variation that is added, in moves of one side or the other.
const LONGEST_LINE: usize = 10;

/// An engine that annotates games.
pub(super) struct Annotator {
    engine: Engine,
    limits: Limits,
    /// Add better lines as variations?
    lines: bool,
    name: &'static str,
}

/// What is thought of a position.
struct Verdict {
    /// What the side to move can expect.
    chances: Chances,
    /// From White's point of view; `None` where the game is over.
    score: Option<(PgnScore, u32)>,
    /// The best line, where there is a move.
    line: Vec<Move>,
}

impl Annotator {
    /// With an engine, and limits for each position.
    pub(super) fn new(engine: Engine, limits: Limits, lines: bool, name: &'static str) -> Annotator {
        Annotator { engine, limits, lines, name }
    }

    /// Annotates the main line of a game.
    pub(super) fn annotate(&mut self, mut tree: GameTree) -> GameTree {
        let root = std::iter::once((tree.root().id(), None));
        let path: Vec<(NodeId, Option<Move>)> =
            root.chain(tree.mainline().map(|node| (node.id(), node.mv()))).collect();
        // A null move ends what can be analysed: no search understands it.
        let moves: Vec<Move> = path.iter().skip(1).map_while(|&(_, mv)| mv).collect();
        self.engine.clear();
        let mut game = Game::from_position(tree.start().clone());
        let mut verdict = self.judge(&game);
        let mut accuracy = [Accuracy::default(), Accuracy::default()];
        for (index, &mv) in moves.iter().enumerate() {
            let before = game.position().clone();
            if game.play(mv).is_err() {
                break;
            }
            let after = self.judge(&game);
            // Whoever plays what the engine would play loses nothing, whatever it finds out later.
            let is_best = verdict.line.first() == Some(&mv);
            let loss = if is_best { 0.0 } else { (verdict.chances - (1.0 - after.chances)).max(0.0) };
            accuracy[before.side_to_move().index()].add(loss);
            let mark = Mark::of(loss).filter(|_| before.count_legal_moves() > 1);
            self.remark(&mut tree, (path[index].0, path[index + 1].0), &before, &verdict, &after, mark);
            verdict = after;
        }
        tree.set_tag("Annotator", self.name);
        for (color, tag) in [(Color::White, "WhiteAccuracy"), (Color::Black, "BlackAccuracy")] {
            if let Some(percent) = accuracy[color.index()].percent() {
                tree.set_tag(tag, &format!("{percent:.1}"));
            }
        }
        tree
    }

    /// What the engine thinks of the current position of a game.
    fn judge(&mut self, game: &Game) -> Verdict {
        let position = game.position();
        if let Some(outcome) = game.outcome() {
            let chances = match outcome.winner() {
                None => 0.5,
                Some(winner) if winner == position.side_to_move() => 1.0,
                Some(_) => 0.0,
            };
            return Verdict { chances, score: None, line: Vec::new() };
        }
        let search = self.engine.go(game, self.limits.clone());
        let last: Option<Info> = search
            .events()
            .iter()
            .filter_map(|event| if let SearchEvent::Info(info) = event { Some(info) } else { None })
            .last();
        match last {
            Some(info) => Verdict {
                chances: chances(info.wdl),
                score: Some((pgn_score(info.score, position.side_to_move()), info.depth)),
                line: info.pv,
            },
            None => Verdict { chances: 0.5, score: None, line: Vec::new() },
        }
    }

    /// Writes what is to be said about a move into the game.
    fn remark(
        &self,
        tree: &mut GameTree,
        (parent, node): (NodeId, NodeId),
        before: &Position,
        best: &Verdict,
        after: &Verdict,
        mark: Option<Mark>,
    ) {
        let mut words = Vec::new();
        if let Some((score, depth)) = after.score {
            words.push(Annotation::Eval { score, depth: Some(depth) }.to_string());
        }
        if let (Some(mark), Some(&better)) = (mark, best.line.first()) {
            // A person's judgement of the move stays as it is.
            let nags = tree.nags_mut(node);
            if !nags.iter().any(|nag| (Nag::GOOD_MOVE..=Nag::DUBIOUS_MOVE).contains(nag)) {
                nags.insert(0, mark.nag());
            }
            words.push(format!("{}. {} was best.", mark.word(), before.san(better)));
            if self.lines {
                add_line(tree, parent, best);
            }
        }
        let comments = tree.comments_mut(node);
        comments.iter_mut().for_each(|comment| *comment = without_verdict(comment));
        comments.retain(|comment| !comment.is_empty());
        if !words.is_empty() {
            comments.insert(0, words.join(" "));
        }
    }
}

/// Adds the better line as a variation, with its value at its first move.
fn add_line(tree: &mut GameTree, parent: NodeId, best: &Verdict) {
    let mut node = parent;
    for (index, &mv) in best.line.iter().take(LONGEST_LINE).enumerate() {
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

/// The comment without the verdict of an earlier analysis, and without what we say of a bad move.
fn without_verdict(comment: &str) -> String {
    let mut kept = comment.to_owned();
    if annotations(comment).any(|annotation| matches!(annotation, Annotation::Eval { .. })) {
        kept = cut(&kept, "[%eval", "]");
    }
    for mark in [Mark::Inaccuracy, Mark::Mistake, Mark::Blunder] {
        kept = cut(&kept, &format!("{}. ", mark.word()), " was best.");
    }
    if kept == comment { kept } else { kept.split_whitespace().collect::<Vec<_>>().join(" ") }
}

/// The text without what stands from a beginning to an end; the text itself where they do not come together.
fn cut(text: &str, beginning: &str, end: &str) -> String {
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
    fn fools_mate() {
        let tree = annotated("1. f3 e5 2. g4 Qh4# 0-1", true);
        assert_eq!(evals(&tree).len(), 3, "the mate itself has none");
        assert_eq!(evals(&tree)[2], PgnScore::Mate(-1));
        let g4 = tree.mainline().nth(2).unwrap();
        assert_eq!(g4.nags(), [Nag::BLUNDER]);
        assert!(g4.comments()[0].contains("Blunder. ") && g4.comments()[0].ends_with(" was best."));
        // The better line stands beside it.
        let variation = g4.parent().unwrap().children().nth(1).unwrap();
        assert!(!variation.is_mainline() && variation.children().count() == 1);
        let [white, black] =
            ["WhiteAccuracy", "BlackAccuracy"].map(|tag| tree.tag(tag).unwrap().parse::<f64>().unwrap());
        assert!(white < 60.0 && black > 95.0, "{white} {black}");
        assert_eq!(tree.tag("Annotator"), Some("Tabiya"));
        assert_eq!(tree.result().to_string(), "0-1");
    }

    #[test]
    fn what_was_written_before_stays() {
        let tree = annotated(
            "{ start } 1. f3 $5 { ours [%eval 1.0] [%clk 0:01:00] } (1. e4 e5) 1... e5 2. g4 $1 Qh4#",
            false,
        );
        let f3 = tree.mainline().next().unwrap();
        assert_eq!(f3.nags(), [Nag::SPECULATIVE_MOVE]);
        assert_eq!(f3.comments()[1], "ours [%clk 0:01:00]");
        let g4 = tree.mainline().nth(2).unwrap();
        assert_eq!(g4.nags(), [Nag::GOOD_MOVE], "a person's judgement");
        assert!(g4.comments()[0].contains("Blunder."));
        assert_eq!(g4.parent().unwrap().children().count(), 1, "no lines are wanted");
        assert_eq!(tree.root().children().count(), 2);
        assert_eq!(tree.root().comments(), ["start"]);
    }

    #[test]
    fn a_second_time_changes_nothing() {
        let once = annotated("1. f3 e5 2. g4 Qh4# 0-1", true);
        let twice = annotated(&once.pgn().to_string(), true);
        assert_eq!(once.pgn().to_string(), twice.pgn().to_string());
    }

    #[test]
    fn odd_games() {
        assert_eq!(evals(&annotated("*", true)), []);
        assert_eq!(annotated("*", true).tag("WhiteAccuracy"), None);
        assert_eq!(evals(&annotated("1. e4 -- 2. d4 *", true)).len(), 1);
        // The only legal move is never a mistake.
        let forced = annotated("[FEN \"k7/8/1K6/8/8/8/8/7R b - - 0 1\"]\n\n1... Kb8 2. Rh8# 1-0", true);
        assert!(forced.nodes().all(|node| node.nags().is_empty()));
        assert!(!forced.pgn().to_string().contains("was best"));
    }
}
