//! Import circles: groups of sibling modules that depend on each other.
//!
//! Each child of a module represents its whole subtree. References between a module and its ancestors do not count, so a
//! module and its children may use each other; but no child may depend, directly or indirectly, on a sibling that
//! depends on it.

use super::graph::{Crate, Reference};
use std::collections::BTreeMap;

/// The children of one module and the references between their subtrees.
pub(super) struct Siblings {
    /// Names of the children, in alphabetical order.
    pub(super) names: Vec<String>,
    /// For each pair of children, as indices into `names`, the first reference between their subtrees.
    pub(super) references: BTreeMap<(usize, usize), Reference>,
}

impl Siblings {
    /// Returns the siblings below each module that has children, those of the crate's root first.
    pub(super) fn all(krate: &Crate) -> Vec<Siblings> {
        let mut groups: BTreeMap<&[String], Vec<String>> = BTreeMap::new();
        for module in &krate.modules {
            if let Some((name, parent)) = module.path.split_last() {
                groups.entry(parent).or_default().push(name.clone());
            }
        }
        let references = krate.references();
        let siblings = |(parent, mut names): (&[String], Vec<String>)| {
            names.sort();
            // The child whose subtree contains a module.
            let child = |module: usize| {
                let name = krate.modules[module].path.strip_prefix(parent)?.first()?;
                names.iter().position(|other| other == name)
            };
            let mut between = BTreeMap::new();
            for reference in &references {
                if let (Some(from), Some(to)) = (child(reference.from), child(reference.to))
                    && from != to
                {
                    between.entry((from, to)).or_insert_with(|| reference.clone());
                }
            }
            Siblings { names, references: between }
        };
        groups.into_iter().map(siblings).collect()
    }

    /// Returns the groups of two or more siblings that all depend on each other.
    pub(super) fn circles(&self) -> Vec<Vec<usize>> {
        let reachable = reachable(self.names.len(), self.references.keys().copied());
        let mut circles = Vec::new();
        for (first, below) in reachable.iter().enumerate() {
            let is_member = |&other: &usize| below[other] && reachable[other][first];
            let circle: Vec<_> = (0..self.names.len()).filter(is_member).collect();
            if circle.first() == Some(&first) {
                circles.push(circle);
            }
        }
        circles
    }
}

/// Computes the transitive closure of `edges` over `count` nodes.
fn reachable(count: usize, edges: impl Iterator<Item = (usize, usize)>) -> Vec<Vec<bool>> {
    let mut reachable = vec![vec![false; count]; count];
    for (from, to) in edges {
        reachable[from][to] = true;
    }
    for middle in 0..count {
        let below = reachable[middle].clone();
        for row in reachable.iter_mut().filter(|row| row[middle]) {
            for (reached, &is_below) in row.iter_mut().zip(&below) {
                *reached |= is_below;
            }
        }
    }
    reachable
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::{File, modules::graph};

    fn circles(files: &[(&str, &str)]) -> Vec<String> {
        let files: Vec<_> = files
            .iter()
            .map(|&(path, text)| File::new(format!("crates/a/src/{path}"), text.to_owned()))
            .collect();
        let mut all = Vec::new();
        for siblings in Siblings::all(&graph::crates(&files)[0]) {
            for circle in siblings.circles() {
                let names: Vec<_> = circle.iter().map(|&index| siblings.names[index].as_str()).collect();
                all.push(names.join(" "));
            }
        }
        all
    }

    #[test]
    fn finds_circles_of_siblings() {
        let root = ("lib.rs", "mod b;\nmod c;\nmod d;");
        let b = ("b.rs", "use crate::c::C;\npub struct B;");
        let d = ("d.rs", "use crate::b::B;\npub struct D;");
        assert!(circles(&[root, b, d, ("c.rs", "pub struct C;")]).is_empty());
        assert_eq!(circles(&[root, b, d, ("c.rs", "use crate::d::D;\npub struct C;")]), ["b c d"]);
    }

    #[test]
    fn a_child_represents_its_subtree() {
        let files = [
            ("lib.rs", "mod b;\nmod c;"),
            ("b.rs", "mod e;\npub struct B;"),
            ("b/e.rs", "use crate::c::C;"),
            ("c.rs", "use crate::b::B;\npub struct C;"),
        ];
        assert_eq!(circles(&files), ["b c"]);
    }

    #[test]
    fn parent_and_children_may_use_each_other() {
        let files = [
            ("lib.rs", "mod b;\nmod c;\npub struct A;"),
            ("b.rs", "mod e;\nmod f;\nuse crate::A;\nuse e::E;\npub struct B;"),
            ("b/e.rs", "use super::{B, f::F};\npub struct E;"),
            ("b/f.rs", "use super::B;\npub struct F;"),
            ("c.rs", "use crate::{A, b::B};"),
        ];
        assert!(circles(&files).is_empty());
    }

    #[test]
    fn follows_reexports_of_the_parent() {
        let files = [
            ("lib.rs", "mod b;\nmod c;\nuse b::B;\nuse c::C;"),
            ("b.rs", "use super::C;\npub struct B;"),
            ("c.rs", "use super::*;\npub struct C(B);"),
        ];
        assert_eq!(circles(&files), ["b c"]);
    }
}
