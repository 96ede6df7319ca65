//! Editing of game trees: every edit keeps the tree legal, and the tree round-trips through PGN.

use super::pgn_replay::{readable, reread};
use tabiya_core::notation::{Nag, NodeId};
use tabiya_movegen::{GameTree, Position};

/// The maximum number of edits, so that one input takes little time.
const MAX_EDITS: usize = 200;

/// Reads a game, up to the first byte 0, and edits it as the bytes after that say: two bytes select a node, one an edit of it.
pub fn game_tree(data: &[u8]) {
    let end = data.iter().position(|&byte| byte == 0).unwrap_or(data.len());
    let text = String::from_utf8_lossy(&data[..end]);
    let mut tree = text.parse::<GameTree>().unwrap_or_else(readable);
    for edit in data[end..].chunks_exact(4).take(MAX_EDITS) {
        let nodes: Vec<NodeId> = tree.nodes().map(|node| node.id()).collect();
        let node = nodes[usize::from(u16::from_le_bytes([edit[1], edit[2]])) % nodes.len()];
        apply(&mut tree, node, edit[0], edit[3]);
    }
    check(&tree);
}

fn apply(tree: &mut GameTree, node: NodeId, edit: u8, argument: u8) {
    const TEXTS: [&str; 8] = ["", "a", "{", "}", "a } b {", "; [%clk 0:01]\n[White \"x\"]", "\u{a0}é", "1-0"];
    let text = TEXTS[usize::from(argument) % TEXTS.len()];
    match edit % 10 {
        0..=2 => {
            let position = tree.node(node).map_or_else(Position::startpos, |node| node.position().clone());
            let moves = position.legal_moves();
            if let Some(&mv) = moves.get(usize::from(argument) % moves.len().max(1)) {
                let added = tree.play(node, mv).expect("the move is legal");
                assert_eq!(tree.play(node, mv), Ok(added), "the move is in the tree");
            }
        }
        3 if node != NodeId::ROOT => {
            tree.remove(node);
            assert!(tree.node(node).is_none());
        }
        4 if node != NodeId::ROOT => {
            if argument.is_multiple_of(2) {
                tree.promote(node)
            } else {
                tree.demote(node)
            };
        }
        5 => {
            tree.make_mainline(node);
            assert!(node == NodeId::ROOT || tree.mainline().any(|other| other.id() == node));
        }
        6 => tree.nags_mut(node).push(Nag(argument)),
        7 => tree.comments_mut(node).push(text.to_owned()),
        8 => {
            assert_eq!(tree.set_tag("Annotator", text), Ok(()));
        }
        _ => tree.nags_mut(node).clear(),
    }
}

fn check(tree: &GameTree) {
    for node in tree.nodes() {
        let Some(parent) = node.parent() else { continue };
        if let Some(mv) = node.mv() {
            assert_eq!(Ok(node.position()), parent.position().play(mv).as_ref(), "{tree}");
        }
    }
    let Some(reread) = reread(tree) else { return };
    let glyphs =
        |tree: &GameTree| -> Vec<Vec<Nag>> { tree.nodes().map(|node| node.nags().to_vec()).collect() };
    assert_eq!(glyphs(&reread), glyphs(tree), "{tree}");
}
