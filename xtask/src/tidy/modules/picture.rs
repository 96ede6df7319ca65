//! Drawing of the module graph of a crate as SVG.

use super::circles::Siblings;
use super::graph::Crate;
use super::layout::{Layout, Vertex, layout};
use std::collections::BTreeSet;
use std::fmt::Write as _;

/// Widths of a character of a title (15 px), of a box's name (13 px) and of the names below it (10 px), in pixels.
const TITLE_CHARACTER: f64 = 10.0;
const NAME_CHARACTER: f64 = 7.9;
const NESTED_CHARACTER: f64 = 6.1;
/// Characters in a line of nested names.
const NESTED_LINE: usize = 28;
/// Heights of a box's name with its margins, and of a line of nested names, in pixels.
const NAME_HEIGHT: f64 = 26.0;
const NESTED_HEIGHT: f64 = 13.0;
/// Vertical gap between two layers, in pixels.
const LAYER_GAP: f64 = 46.0;
/// Margin around the picture, and height of a title with its margins, in pixels.
const MARGIN: f64 = 16.0;
const TITLE_HEIGHT: f64 = 34.0;
/// Width of a row of panels, in pixels, above which a new row begins.
const MAX_WIDTH: f64 = 1000.0;
/// Minimum number of siblings below a module for a separate panel.
const SMALLEST_PANEL: usize = 4;

/// A module with its descendants.
struct Node {
    name: String,
    /// Names of the descendants, as lines of text.
    nested: Vec<String>,
}

impl Node {
    fn width(&self) -> f64 {
        let name = self.name.chars().count() as f64 * NAME_CHARACTER;
        let nested = self.nested.iter().map(|line| line.chars().count() as f64 * NESTED_CHARACTER);
        nested.fold(name, f64::max) + 16.0
    }

    fn height(&self) -> f64 {
        match self.nested.len() {
            0 => NAME_HEIGHT,
            lines => NAME_HEIGHT + lines as f64 * NESTED_HEIGHT + 2.0,
        }
    }
}

/// Draws the modules of the crates, one panel for each group of siblings.
pub(super) fn draw(crates: &[&Crate]) -> String {
    let mut body = String::new();
    let mut width: f64 = 0.0;
    // Position of the next panel, and bottom of the current row.
    let (mut left, mut top, mut bottom) = (MARGIN, MARGIN, MARGIN);
    for &krate in crates {
        for siblings in Siblings::all(krate) {
            let is_root = siblings.parent.is_empty();
            if !is_root && (siblings.names.len() < SMALLEST_PANEL || siblings.references.is_empty()) {
                continue;
            }
            let title = [std::slice::from_ref(&krate.name), siblings.parent.as_slice()].concat().join("::");
            let panel = Panel::new(title, krate, &siblings);
            if is_root || left + panel.width() > MAX_WIDTH {
                (left, top) = (MARGIN, bottom);
            }
            panel.draw(&mut body, left, top);
            left += panel.width() + 3.0 * MARGIN;
            width = width.max(left - 3.0 * MARGIN);
            bottom = bottom.max(top + panel.height());
        }
    }
    let (width, height) = ((width + MARGIN).ceil(), bottom.ceil());
    format!(
        r##"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}">
<!-- Written by `cargo xtask tidy`. -->
<style>
text {{ font: 13px monospace; text-anchor: middle; fill: #1a1a1a }}
.title {{ font: bold 15px sans-serif; text-anchor: start }}
.nested {{ font-size: 10px; fill: #555 }}
rect {{ fill: #eef3fa; stroke: #4a6a94 }}
path {{ fill: none; stroke: #6b7a8f; marker-end: url(#tip) }}
.circle {{ stroke: #c62828; stroke-width: 1.5 }}
</style>
<defs><marker id="tip" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="7" markerHeight="7" orient="auto"><polygon points="0,0 8,4 0,8" fill="#6b7a8f"/></marker></defs>
<rect width="{width}" height="{height}" style="fill:#fff;stroke:none"/>
{body}</svg>
"##
    )
}

/// One group of siblings.
struct Panel {
    title: String,
    nodes: Vec<Node>,
    layout: Layout,
    reachable: Vec<Vec<bool>>,
    /// Height of each layer, in pixels.
    heights: Vec<f64>,
}

impl Panel {
    fn new(title: String, krate: &Crate, siblings: &Siblings) -> Panel {
        let nodes: Vec<_> = siblings.names.iter().map(|name| node(krate, &siblings.parent, name)).collect();
        let widths: Vec<_> = nodes.iter().map(Node::width).collect();
        let layout = layout(&widths, &siblings.references.keys().copied().collect::<BTreeSet<_>>());
        let height = |layer: &Vec<Vertex>| {
            let nodes = layer.iter().filter_map(|vertex| vertex.node).map(|node| nodes[node].height());
            nodes.fold(0.0, f64::max)
        };
        let heights = layout.layers.iter().map(height).collect();
        Panel { title, nodes, layout, reachable: siblings.reachable(), heights }
    }

    fn width(&self) -> f64 {
        self.layout.width.max(self.title.chars().count() as f64 * TITLE_CHARACTER)
    }

    fn height(&self) -> f64 {
        TITLE_HEIGHT + self.heights.iter().map(|height| height + LAYER_GAP).sum::<f64>() - LAYER_GAP + MARGIN
    }

    /// Returns the top of a layer, in pixels from the top of the panel.
    fn layer_top(&self, layer: usize) -> f64 {
        TITLE_HEIGHT + self.heights[..layer].iter().map(|height| height + LAYER_GAP).sum::<f64>()
    }

    fn draw(&self, body: &mut String, left: f64, top: f64) {
        // Writing to a string cannot fail.
        let _ = writeln!(
            body,
            r#"<g transform="translate({},{})"><text class="title" x="0" y="18">{}</text>"#,
            round(left),
            round(top),
            self.title
        );
        let layers = &self.layout.layers;
        for route in &self.layout.edges {
            let ends = [route.first(), route.last()];
            let ends = ends.map(|vertex| vertex.and_then(|&(layer, index)| layers[layer][index].node));
            let is_circle = matches!(ends, [Some(from), Some(to)] if self.reachable[to][from]);
            let class = if is_circle { r#" class="circle""# } else { "" };
            let _ = writeln!(body, r#"<path{class} d="{}"/>"#, self.curve(route));
        }
        for (index, layer) in layers.iter().enumerate() {
            for vertex in layer {
                if let Some(node) = vertex.node {
                    draw_box(body, &self.nodes[node], vertex.x, self.layer_top(index));
                }
            }
        }
        body.push_str("</g>\n");
    }

    /// Returns the SVG path of an edge: curves between the layers, straight lines through them.
    fn curve(&self, route: &[(usize, usize)]) -> String {
        let mut outline = String::new();
        for pair in route.windows(2) {
            let [from, to] = [pair[0], pair[1]].map(|(layer, index)| {
                let vertex = &self.layout.layers[layer][index];
                // The height of the box itself, or of the whole layer for a dummy vertex.
                let height = vertex.node.map_or(self.heights[layer], |node| self.nodes[node].height());
                let top = self.layer_top(layer);
                (round(vertex.x), top, top + height)
            });
            let is_down = pair[0].0 < pair[1].0;
            let (start, end) = if is_down { (from.2, to.1) } else { (from.1, to.2) };
            let command = if outline.is_empty() { 'M' } else { 'L' };
            let (middle, start, end) = (round(f64::midpoint(start, end)), round(start), round(end));
            let (from, to) = (from.0, to.0);
            let _ = write!(outline, "{command}{from},{start} C{from},{middle} {to},{middle} {to},{end} ");
        }
        outline.trim_end().to_owned()
    }
}

fn node(krate: &Crate, parent: &[String], name: &str) -> Node {
    let mut words = Vec::new();
    for module in &krate.modules {
        if let Some([first, below @ ..]) = module.path.strip_prefix(parent)
            && first == name
            && !below.is_empty()
        {
            words.push(below.join("::"));
        }
    }
    words.sort();
    let mut nested: Vec<String> = Vec::new();
    for word in words {
        match nested.last_mut() {
            Some(line) if line.len() + word.len() < NESTED_LINE => {
                line.push(' ');
                line.push_str(&word);
            }
            _ => nested.push(word),
        }
    }
    Node { name: name.to_owned(), nested }
}

fn draw_box(body: &mut String, node: &Node, x: f64, y: f64) {
    let (width, height) = (node.width(), node.height());
    let _ = writeln!(
        body,
        r#"<rect x="{}" y="{}" width="{}" height="{}" rx="4"/><text x="{}" y="{}">{}</text>"#,
        round(x - width / 2.0),
        round(y),
        round(width),
        round(height),
        round(x),
        round(y + 17.0),
        node.name
    );
    for (index, line) in node.nested.iter().enumerate() {
        let baseline = y + NAME_HEIGHT + 8.0 + index as f64 * NESTED_HEIGHT;
        let _ =
            writeln!(body, r#"<text class="nested" x="{}" y="{}">{line}</text>"#, round(x), round(baseline));
    }
}

/// Rounds to whole pixels, which keeps the files small and their diffs short.
fn round(x: f64) -> i64 {
    x.round() as i64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::{File, modules::graph};

    #[test]
    fn draws_boxes_and_edges() {
        let files =
            [("lib.rs", "mod b;\nmod c;"), ("b.rs", "mod e;\nuse crate::c;"), ("b/e.rs", ""), ("c.rs", "")]
                .map(|(path, text)| File { path: format!("crates/a/src/{path}"), text: text.to_owned() });
        let picture = draw(&[&graph::crates(&files)[0]]);
        assert_eq!(picture.matches("rx=").count(), 2, "{picture}");
        assert_eq!(picture.matches("<path d=").count(), 1, "{picture}");
        for text in [">a<", ">b<", ">c<", r#"class="nested""#] {
            assert!(picture.contains(text), "{text}: {picture}");
        }
    }
}
