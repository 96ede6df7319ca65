//! The kinds of nodes in a principal variation search.

/// The kind of a node, as a type parameter, so that the compiler generates a search function for each kind.
pub(crate) trait NodeType {
    /// True if the window is open: the node is on the principal variation or may become part of it.
    const PV: bool;
    /// True for the root.
    const ROOT: bool;
}

/// The root of the tree.
pub(crate) struct Root;
/// A PV node below the root.
pub(crate) struct Pv;
/// A node with a zero window, where `alpha == beta - 1`: it only has to fail high or low.
pub(crate) struct NonPv;

impl NodeType for Root {
    const PV: bool = true;
    const ROOT: bool = true;
}

impl NodeType for Pv {
    const PV: bool = true;
    const ROOT: bool = false;
}

impl NodeType for NonPv {
    const PV: bool = false;
    const ROOT: bool = false;
}
