//! Merged trees against a plain model: nested vectors, merged by recursion.

use super::*;
use crate::game_tree::GameNode;
use proptest::prelude::*;
use tabiya_core::SplitMix64;
use tabiya_core::notation::{GameResult, Nag};

/// A node of the model: its move, NAGs and comments, the results of the games through it, and its children.
#[derive(Clone, PartialEq, Debug, Default)]
struct Model {
    mv: Option<Move>,
    nags: Vec<Nag>,
    comments_before: Vec<String>,
    comments: Vec<String>,
    results: Vec<GameResult>,
    children: Vec<Model>,
}

impl Model {
    fn of(node: GameNode<'_>) -> Model {
        Model {
            mv: node.mv(),
            nags: node.nags().to_vec(),
            comments_before: node.comments_before().to_vec(),
            comments: node.comments().to_vec(),
            results: Vec::new(),
            children: node.children().map(Model::of).collect(),
        }
    }

    fn merge(&mut self, other: &Model) {
        let push = |list: &mut Vec<String>, items: &[String]| {
            items.iter().for_each(|item| {
                if !list.contains(item) {
                    list.push(item.clone())
                }
            });
        };
        push(&mut self.comments, &other.comments);
        other.nags.iter().for_each(|nag| {
            if !self.nags.contains(nag) {
                self.nags.push(*nag)
            }
        });
        for child in &other.children {
            if self.children.iter().all(|own| own.mv != child.mv) {
                self.children.push(Model { mv: child.mv, ..Model::default() });
            }
            let Some(index) = self.children.iter().position(|own| own.mv == child.mv) else { continue };
            let before =
                if index == 0 { &mut self.comments } else { &mut self.children[index].comments_before };
            push(before, &child.comments_before);
            self.children[index].merge(child);
        }
    }

    fn count(&mut self, mainline: &[Option<Move>], result: GameResult) {
        self.results.push(result);
        if let [mv, rest @ ..] = mainline {
            self.children
                .iter_mut()
                .filter(|child| child.mv == *mv)
                .for_each(|child| child.count(rest, result));
        }
    }

    fn sort(&mut self) {
        let first = self.children.first().map(|child| child.mv);
        self.children.sort_by_key(|child| core::cmp::Reverse(child.results.len()));
        if let Some(child) = self.children.first_mut().filter(|child| Some(child.mv) != first) {
            self.comments.append(&mut child.comments_before);
        }
        self.children.iter_mut().for_each(Model::sort);
    }

    /// The results of all nodes in the order of [`GameTree::nodes`], as counts.
    fn counts(&self, counts: &mut Vec<GameCounts>) {
        let mut own = GameCounts::default();
        self.results.iter().for_each(|&result| own.add(result));
        counts.push(own);
        self.children.iter().for_each(|child| child.counts(counts));
    }

    fn without_results(mut self) -> Model {
        self.results.clear();
        self.children = self.children.into_iter().map(Model::without_results).collect();
        self
    }
}

fn begins_variation(node: GameNode<'_>) -> bool {
    node.parent().and_then(|parent| parent.children().next()).is_some_and(|first| first.id() != node.id())
}

/// A random game of few different moves, so that games meet, with variations, comments and NAGs.
fn random_tree(seed: u64) -> GameTree {
    let mut random = SplitMix64::new(seed);
    let mut tree = GameTree::new();
    for _ in 0..random.below(40) {
        let nodes: Vec<NodeId> = tree.nodes().map(|node| node.id()).collect();
        // Mostly at the end, so that lines become long.
        let node = nodes[nodes.len() - 1 - random.below(2) * random.below(nodes.len())];
        let moves = tree.position(node).legal_moves();
        match random.below(8) {
            0 => tree.comments_mut(node).push(format!("comment {}", random.below(3))),
            1 => tree.nags_mut(node).push(Nag(random.below(3) as u8)),
            2 if tree.node(node).is_some_and(begins_variation) => {
                tree.comments_before_mut(node).push(format!("before {}", random.below(2)))
            }
            3 if !tree.position(node).in_check() => drop(tree.play_san(node, "--").unwrap()),
            _ if moves.is_empty() => {}
            _ => drop(tree.play(node, moves[random.below(moves.len().min(3))]).unwrap()),
        }
    }
    let results = [GameResult::WhiteWins, GameResult::Draw, GameResult::BlackWins, GameResult::Unknown];
    tree.set_result(results[random.below(4)]);
    tree
}

proptest! {
    #[test]
    fn merged_games_are_those_of_the_model(seeds in proptest::collection::vec(any::<u64>(), 1..12)) {
        let mut merged = MergedGames::new(GameTree::new());
        let mut model = Model::default();
        for seed in seeds {
            let game = random_tree(seed);
            merged.add(&game).unwrap();
            model.merge(&Model::of(game.root()));
            let mainline: Vec<Option<Move>> = game.mainline().map(|node| node.mv()).collect();
            model.count(&mainline, game.result());
        }
        for is_sorted in [false, true] {
            if is_sorted {
                merged.sort();
                model.sort();
            }
            let mut expected = Vec::new();
            model.counts(&mut expected);
            let counts: Vec<GameCounts> = merged.tree().nodes().map(|node| merged.counts(node.id())).collect();
            prop_assert_eq!(counts, expected);
            prop_assert_eq!(Model::of(merged.tree().root()), model.clone().without_results());
        }
        // Every node has the position that its moves lead to.
        for node in merged.tree().nodes() {
            if let (Some(parent), Some(mv)) = (node.parent(), node.mv()) {
                prop_assert_eq!(parent.position().play(mv), Ok(node.position().clone()));
            }
        }
    }

    #[test]
    fn merging_is_idempotent_and_keeps_both(a in any::<u64>(), b in any::<u64>()) {
        let (a, b) = (random_tree(a), random_tree(b));
        let mut merged = a.clone();
        merged.merge(&b).unwrap();
        let once = merged.clone();
        merged.merge(&a).unwrap();
        merged.merge(&b).unwrap();
        prop_assert_eq!(&merged, &once);
        prop_assert_eq!(merged.result(), a.result());
        let paths = |tree: &GameTree| -> Vec<Vec<Option<Move>>> {
            let mut paths: Vec<_> =
                tree.nodes().map(|node| node.line().iter().map(|node| node.mv()).collect()).collect();
            paths.sort();
            paths
        };
        let mut both = paths(&a);
        both.extend(paths(&b));
        both.sort();
        both.dedup();
        prop_assert_eq!(paths(&merged), both);
        prop_assert_eq!(merged.to_string().parse(), Ok(merged));
    }
}

#[test]
fn comment_before_a_move_that_continues_the_line_moves_to_the_previous_move() {
    let mut tree: GameTree = "1. e4 *".parse().unwrap();
    tree.merge(&"1. d4 ({Before} 1. e4) *".parse().unwrap()).unwrap();
    assert_eq!(tree.root().comments(), ["Before"]);
    assert_eq!(tree.to_string().parse(), Ok(tree));
}
