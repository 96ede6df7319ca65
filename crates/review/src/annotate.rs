//! Annotation of games: evaluations, marks for bad moves, better lines and accuracy.

use crate::judgement::Judgement;
use crate::reasons::{PRINTED_LINE, before_exchange_at, best_of_own, reason};
use crate::reviewer::{GameReview, MoveReview, PositionReview};
use tabiya_core::Color;
use tabiya_core::notation::{Annotation, Nag, NodeId, PgnScore, annotations};
use tabiya_movegen::{GameNode, GameTree};

/// Lichess's remarks on mates, in the place of a judgement's name.
const LICHESS_MATES: [&str; 3] =
    ["Checkmate is now unavoidable", "Lost forced checkmate sequence", "Not the best checkmate sequence"];

/// Writes a review into its game: an evaluation (`[%eval]`) for each move, a glyph and a remark for each bad one, the accuracy
/// of each side as a tag, and `annotator` as the tag `Annotator`.
///
/// If `add_lines` is true, the better line of each bad move is added as a variation. Other annotations of the game are kept, and
/// those of an earlier review are replaced. Moves that are not in the game, as in the review of another one, are skipped.
pub fn annotate(tree: &mut GameTree, review: &GameReview, annotator: &str, add_lines: bool) {
    for (reviewed, positions) in review.moves.iter().zip(review.positions.windows(2)) {
        let [before, after] = positions else { break };
        if tree.node(reviewed.node).is_none_or(|node| node.mv() != Some(reviewed.mv)) {
            continue;
        }
        remove_analysis(tree, reviewed);
        let mut texts = Vec::new();
        if let Some((score, _)) = after.score {
            texts.push(evaluation(score));
        }
        if let (Some(judgement), Some(&better)) = (reviewed.judgement, before.line.first()) {
            // An existing assessment of the move is kept.
            let nags = tree.nags_mut(reviewed.node);
            let is_marked = nags.contains(&judgement.nag());
            if !nags.iter().any(|nag| (Nag::GOOD_MOVE..=Nag::DUBIOUS_MOVE).contains(nag)) {
                nags.insert(0, judgement.nag());
            }
            if let Some(parent) = tree.node(reviewed.parent)
                && parent.position().is_legal(better)
            {
                let start = before_exchange_at(parent);
                if let Some(reason) = reason(start, parent.position(), reviewed.mv, before, after) {
                    texts.push(beginning(judgement, is_marked) + &reason.text);
                }
                if add_lines {
                    add_line(tree, reviewed.parent, before);
                }
            }
        }
        if !texts.is_empty() {
            tree.comments_mut(reviewed.node).insert(0, texts.join(" "));
        }
    }
    // Another annotator's comments are kept, so the name is, too.
    let is_own = |name: &str| name.split(' ').next() == annotator.split(' ').next();
    if tree.tag("Annotator").is_none_or(|name| name.trim().is_empty() || is_own(name)) {
        tree.set_tag("Annotator", annotator).expect("the name of the tag is valid");
    }
    for (color, tag) in [(Color::White, "WhiteAccuracy"), (Color::Black, "BlackAccuracy")] {
        if let Some(percent) = review.accuracy(color) {
            tree.set_tag(tag, &format!("{percent:.1}")).expect("the name of the tag is valid");
        }
    }
}

/// The command with a score, in the form that Lichess writes. It has no depth: python-chess and the libraries of Lichess accept
/// `[%eval #-1,24]`, but many programs read nothing but the score.
fn evaluation(score: PgnScore) -> String {
    Annotation::Eval { score, depth: None }.to_string()
}

/// Adds the better line as a variation, with its evaluation at the first move.
///
/// A variation that begins with the same move is a person's, or has been changed by one. It gets no more moves, because another review
/// could not tell them from the person's own; only an evaluation that it has is replaced.
fn add_line(tree: &mut GameTree, parent: NodeId, best: &PositionReview) {
    let Some((&better, rest)) = best.line.split_first() else { return };
    let is_new =
        tree.node(parent).is_some_and(|node| node.children().all(|child| child.mv() != Some(better)));
    let Ok(mut node) = tree.play(parent, better) else { return };
    if (is_new || remove_remarks(tree, node).has_eval)
        && let Some((score, _)) = best.score
    {
        tree.comments_mut(node).insert(0, evaluation(score));
    }
    if is_new {
        for &mv in rest.iter().take(PRINTED_LINE - 1) {
            let Ok(next) = tree.play(node, mv) else { break };
            node = next;
        }
    }
}

/// Removes what an earlier analysis says of a move: evaluation, remark, the remark's glyph, and the line that begins with the move that
/// the remark names.
fn remove_analysis(tree: &mut GameTree, reviewed: &MoveReview) {
    let removed = remove_remarks(tree, reviewed.node);
    tree.nags_mut(reviewed.node).retain(|nag| !removed.nags.contains(nag));
    for best in removed.best {
        let Some(parent) = tree.node(reviewed.parent) else { continue };
        let is_best = |node: &GameNode<'_>| node.san().is_some_and(|san| san.to_string() == best);
        let line =
            parent.children().find(|node| node.id() != reviewed.node && is_best(node) && is_own_line(*node));
        if let Some(line) = line.map(GameNode::id) {
            tree.remove(line);
        }
    }
}

/// Returns true if a variation is as [`add_line`] writes it: an evaluation of its first move, and moves alone.
fn is_own_line(first: GameNode<'_>) -> bool {
    let [comment] = first.comments() else { return false };
    let mut removed = Remarks::default();
    if !without_remarks(comment, &mut removed).is_empty() || !removed.has_eval {
        return false;
    }
    let mut node = first;
    loop {
        let is_commented = node.id() != first.id() && !node.comments().is_empty();
        if is_commented || !node.comments_before().is_empty() || !node.nags().is_empty() {
            return false;
        }
        let mut children = node.children();
        match (children.next(), children.next()) {
            (None, _) => return true,
            (Some(next), None) => node = next,
            (Some(_), Some(_)) => return false,
        }
    }
}

/// The remarks of an earlier analysis that were removed from the comments of a move.
#[derive(Default)]
struct Remarks {
    has_eval: bool,
    /// The glyphs that belong to the remarks.
    nags: Vec<Nag>,
    /// The moves that were named as best.
    best: Vec<String>,
}

/// Removes the evaluations and remarks of an earlier analysis from the comments of a move.
fn remove_remarks(tree: &mut GameTree, node: NodeId) -> Remarks {
    let mut removed = Remarks::default();
    let comments = tree.comments_mut(node);
    comments.iter_mut().for_each(|comment| *comment = without_remarks(comment, &mut removed));
    comments.retain(|comment| !comment.is_empty());
    removed
}

/// Removes the evaluation and the remark of an earlier analysis from a comment.
fn without_remarks(comment: &str, removed: &mut Remarks) -> String {
    let mut kept = comment.to_owned();
    if annotations(comment).any(|annotation| matches!(annotation, Annotation::Eval { .. })) {
        removed.has_eval = true;
        kept = remove(&kept, "[%eval", "]", |_| true);
    }
    for (beginning, nags) in beginnings() {
        kept = remove(&kept, &beginning, " was best.", |text| {
            let Some(best) = best_of_own(text) else { return false };
            removed.nags.extend(&nags);
            removed.best.push(best.to_owned());
            true
        });
    }
    if kept == comment { kept } else { kept.split_whitespace().collect::<Vec<_>>().join(" ") }
}

/// The beginning of a remark. If the move had the judgement's glyph before, it says so: that glyph is a person's and stays when the
/// remark is removed.
fn beginning(judgement: Judgement, is_marked: bool) -> String {
    format!("{}{}. ", judgement.name(), if is_marked { ", as marked" } else { "" })
}

/// The beginnings of remarks, each with the glyphs that may belong to it.
fn beginnings() -> impl Iterator<Item = (String, Vec<Nag>)> {
    let of_judgements = Judgement::ALL.into_iter().flat_map(|judgement| {
        [(beginning(judgement, false), vec![judgement.nag()]), (beginning(judgement, true), Vec::new())]
    });
    // The judgement of a mate lost or allowed depends on the score without it, so Lichess has any of the glyphs beside these.
    let of_mates = LICHESS_MATES.map(|text| (format!("{text}. "), Judgement::ALL.map(Judgement::nag).into()));
    of_judgements.chain(of_mates)
}

/// Removes every passage from `beginning` to `end`, both included, if the text between them is `removable`. The change of the
/// evaluation that Lichess writes before it, such as `(0.17 → 0.90)`, goes with it.
fn remove(text: &str, beginning: &str, end: &str, mut removable: impl FnMut(&str) -> bool) -> String {
    let mut kept = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once(beginning) {
        let Some((between, following)) = after.split_once(end) else { break };
        rest = following;
        if removable(between) {
            kept.push_str(without_change(before));
        } else {
            kept.push_str(before);
            kept.push_str(beginning);
            rest = after;
        }
    }
    kept + rest
}

/// The text without a change of the evaluation at its end.
fn without_change(text: &str) -> &str {
    let change = text.trim_end().strip_suffix(')').and_then(|text| text.rsplit_once('('));
    let is_score = |score: &str| score.parse::<f64>().is_ok() || score.starts_with("Mate in ");
    let is_change =
        |change: &str| change.split_once(" → ").is_some_and(|(old, new)| is_score(old) && is_score(new));
    change.filter(|(_, change)| is_change(change)).map_or(text, |(kept, _)| kept)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cancel::CancelToken;
    use crate::reviewer::Reviewer;
    use tabiya_core::Move;
    use tabiya_search::{Engine, Limits, Options};

    fn annotated(pgn: &str, lines: bool) -> GameTree {
        let engine = Engine::new(Options::default().with_hash_mb(4)).unwrap();
        let mut tree: GameTree = pgn.parse().unwrap();
        let review =
            Reviewer::new(engine, Limits::nodes(4000)).review(&tree, &CancelToken::never(), |_, _| {});
        annotate(&mut tree, &review.unwrap(), "Tabiya", lines);
        tree
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

    #[test]
    fn only_own_remarks_are_removed() {
        let without_analysis = |comment: &str| without_remarks(comment, &mut Remarks::default());
        assert_eq!(without_analysis("[%eval -0.3,9] Mistake. Nf3 was best. My words."), "My words.");
        let own = "Blunder. I had seen the fork, but d4 was best.";
        assert_eq!(without_analysis(own), own);
        let own = "Blunder. Loses a pawn. I think that e4 was best.";
        assert_eq!(without_analysis(own), own);
        let reasoned = "Blunder. Allows Nc7+, which forks the king on e8 and the rook on a8. Kd8, which wins a pawn, was best.";
        assert_eq!(without_analysis(reasoned), "");
        assert_eq!(without_analysis("Blunder. So sad. Blunder. Qd2 was best."), "Blunder. So sad.");
        // As Lichess writes them.
        assert_eq!(without_analysis("(0.17 → 0.90) Inaccuracy. e5 was best."), "");
        assert_eq!(without_analysis("Oh (-1 → Mate in 2) Blunder. e5 was best. Why?"), "Oh Why?");
        assert_eq!(without_analysis("(a → b) Blunder. e5 was best."), "(a → b)");
        for mate in LICHESS_MATES {
            assert_eq!(without_analysis(&format!("(-0.50 → Mate in 1) {mate}. g6 was best. Oh.")), "Oh.");
            assert_eq!(without_analysis(&format!("{mate}.")), format!("{mate}."));
        }
    }

    #[test]
    fn other_annotators_are_kept() {
        let annotator = |pgn: &str| annotated(pgn, false).tag("Annotator").map(str::to_owned);
        assert_eq!(
            annotator("[Annotator \"Kasparov\"]\n\n1. e4 {best by test} *"),
            Some("Kasparov".to_owned())
        );
        assert_eq!(annotator("[Annotator \"Tabiya 0.1.0\"]\n\n1. e4 *"), Some("Tabiya".to_owned()));
        assert_eq!(annotator("[Annotator \"\"]\n\n1. e4 *"), Some("Tabiya".to_owned()));
    }

    #[test]
    fn review_of_another_game_marks_no_missing_move() {
        let engine = Engine::new(Options::default().with_hash_mb(4)).unwrap();
        let game: GameTree = "1. f3 e5 2. g4 d6 3. Nc3 Qh4# 0-1".parse().unwrap();
        let review =
            Reviewer::new(engine, Limits::nodes(1000)).review(&game, &CancelToken::never(), |_, _| {});
        let mut other: GameTree = "1. f3 d5 *".parse().unwrap();
        annotate(&mut other, &review.unwrap(), "Tabiya", true);
        assert_eq!(evals(&other).len(), 1, "only 1. f3 is in both games");
        assert_eq!(other.mainline().count(), 2);
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
        assert!(!better.is_mainline() && better.comments()[0].starts_with("[%eval #1]"));
        assert_eq!((tree.tag("WhiteAccuracy"), tree.tag("BlackAccuracy")), (Some("10.9"), None));
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

    /// The remark of an earlier review, its glyph and its line give way to those of the new one. What a person has added stays.
    #[test]
    fn another_review_replaces_the_first() {
        let fresh = annotated(&format!("{STALEMATE}1. Qf7 1/2-1/2"), true).pgn().to_string();
        let replaced =
            |moves: &str| annotated(&format!("{STALEMATE}{moves} 1/2-1/2"), true).pgn().to_string();
        let fresh_tree = fresh.parse::<GameTree>().unwrap();
        let best = fresh_tree.root().children().nth(1).and_then(GameNode::san).unwrap();
        let kept = replaced(&format!("1. Qf7 ({best} {{[%eval 0.9] My move.}})"));
        assert!(
            kept.contains("[%eval #1]") && kept.contains("My move.") && !kept.contains("eval 0.9"),
            "{kept}"
        );
        let remark = "[%eval 0.1] Inaccuracy. Qc8+, which mates in 1, was best.";
        assert_eq!(replaced(&format!("1. Qf7 $6 {{{remark}}} (1. Qc8+ {{[%eval 0.9]}})")), fresh);
        assert_eq!(
            replaced(&format!("1. Qf7 $6 $146 {{{remark}}} (1. Qf6+ {{[%eval 0.9]}})"))
                .matches("(1.")
                .count(),
            2
        );
        for line in
            ["1. Qe4 {[%eval 0.9] My move.} 1... Kg8", "1. Qe4 {[%eval 0.9]} 1... Kg8 $1", "1. Qe4 1... Kg8"]
        {
            let text = replaced(&format!("1. Qf7 $6 {{[%eval 0.1] Inaccuracy. Qe4 was best.}} ({line})"));
            assert!(text.contains("$4") && !text.contains("$6") && text.contains("Kg8"), "{text}");
        }
    }

    /// Lichess marks an allowed mate with any of the glyphs.
    #[test]
    fn glyphs_of_lichess_on_mates_are_replaced() {
        let remark = "(Mate in 1 → 0.00) Lost forced checkmate sequence. Qc8+ was best.";
        let tree = annotated(&format!("{STALEMATE}1. Qf7 $2 {{{remark}}} 1/2-1/2"), false);
        let blunder = tree.mainline().next().unwrap();
        assert_eq!(blunder.nags(), [Nag::BLUNDER]);
        assert!(!blunder.comments().concat().contains("sequence"), "{:?}", blunder.comments());
    }

    #[test]
    fn glyph_of_a_person_stays_in_every_review() {
        let mut pgn = format!("{STALEMATE}1. Qf7 $4 {{my own mark}} 1/2-1/2");
        for _ in 0..3 {
            let tree = annotated(&pgn, false);
            let blunder = tree.mainline().next().unwrap();
            assert_eq!(blunder.nags(), [Nag::BLUNDER]);
            assert!(blunder.comments()[0].starts_with("Blunder, as marked. "), "{:?}", blunder.comments());
            pgn = tree.pgn().to_string();
        }
        assert_eq!(pgn.matches("as marked").count(), 1, "{pgn}");
    }

    /// Moves added to a person's variation could not be told from the person's, and would be added in every review.
    #[test]
    fn variation_of_a_person_stays_as_it_is() {
        let mut tree: GameTree = "1. f3 (1. e4 c5) 1... e5 *".parse().unwrap();
        let mut annotated_with = |line: &str| {
            let review = blunder(&tree, line);
            annotate(&mut tree, &review, "Tabiya", true);
            // Each review reads what the one before has written.
            tree = tree.pgn().to_string().parse().unwrap();
            tree.nodes()
                .filter(|node| !node.is_mainline())
                .filter_map(|node| Some(node.san()?.to_string()))
                .collect::<Vec<_>>()
        };
        for line in ["e4 e5 Nf3", "e4 e5 Nf3 Nc6 Bb5", "e4 c5 Nf3", "e4 c6"] {
            assert_eq!(annotated_with(line), ["e4", "c5"], "{line}");
        }
        assert_eq!(annotated_with("d4 d5 c4"), ["e4", "c5", "d4", "d5", "c4"]);
        assert_eq!(annotated_with("e4 c6 d4"), ["e4", "c5"]);
    }

    /// A review in which the first move of a game is a blunder, with the moves of the better line.
    fn blunder(tree: &GameTree, line: &str) -> GameReview {
        let first = tree.mainline().next().unwrap();
        let mut better = tree.root().game().unwrap();
        line.split(' ').for_each(|san| assert!(better.play_san(san).is_ok(), "{san}"));
        let position = |score, line: &[Move]| PositionReview {
            white: 0.5,
            score: Some((PgnScore::Centipawns(score), 9)),
            line: line.into(),
            tablebase: None,
        };
        let reviewed = MoveReview {
            parent: NodeId::ROOT,
            node: first.id(),
            mv: first.mv().unwrap(),
            color: Color::White,
            loss: 0.5,
            judgement: Some(Judgement::Blunder),
        };
        GameReview {
            positions: vec![position(30, better.moves()), position(-300, &[])],
            moves: vec![reviewed],
        }
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
