//! Layered layout of a dependency graph (Sugiyama's method), dependents above their dependencies.

use super::circles::reachable;
use std::collections::BTreeSet;

/// Horizontal gap between two boxes of a layer, in pixels.
const GAP: f64 = 18.0;
/// Width of a dummy vertex, in pixels.
const DUMMY_WIDTH: f64 = 8.0;
/// Maximum total width of the boxes in a layer, in pixels.
const MAX_LAYER_WIDTH: f64 = 900.0;
/// Number of rounds that move boxes towards their neighbours.
const ROUNDS: usize = 24;

/// A box, or a dummy vertex where an edge passes through a layer.
#[derive(Clone, Debug)]
pub(super) struct Vertex {
    /// Index of the box; `None` for a dummy vertex.
    pub(super) node: Option<usize>,
    /// Horizontal centre, in pixels.
    pub(super) x: f64,
    width: f64,
}

/// The positions of all boxes and edges.
pub(super) struct Layout {
    /// Vertices of each layer, the top layer first, from left to right.
    pub(super) layers: Vec<Vec<Vertex>>,
    /// Every drawn edge, as the route of vertices that it connects from layer to layer: `(layer, index in the layer)`.
    pub(super) edges: Vec<Vec<(usize, usize)>>,
    /// Total width, in pixels.
    pub(super) width: f64,
}

/// Lays out boxes of the given widths. Edges that are implied by longer paths are not drawn.
///
/// In a circle, the edges from a higher to a lower index do not affect the layers, and are drawn upwards.
pub(super) fn layout(widths: &[f64], edges: &BTreeSet<(usize, usize)>) -> Layout {
    let count = widths.len();
    let reaches = reachable(count, edges.iter().copied());
    let is_back = |from: usize, to: usize| reaches[to][from] && from > to;
    let forward: Vec<_> = edges.iter().copied().filter(|&(from, to)| !is_back(from, to)).collect();
    let below = reachable(count, forward.iter().copied());
    let is_implied =
        |from: usize, to: usize| (0..count).any(|middle| below[from][middle] && below[middle][to]);
    let layer_of = assign_layers(widths, &below);

    let layer_count = layer_of.iter().max().map_or(0, |&top| top + 1);
    let mut layers: Vec<Vec<Vertex>> = vec![Vec::new(); layer_count];
    let mut vertex_of = vec![(0, 0); count];
    for node in 0..count {
        // Layers are numbered from the bottom, but drawn from the top.
        let layer = layer_count - 1 - layer_of[node];
        vertex_of[node] = (layer, layers[layer].len());
        layers[layer].push(Vertex { node: Some(node), x: 0.0, width: widths[node] });
    }
    let mut routes = Vec::new();
    let back: Vec<_> = edges.iter().copied().filter(|&(from, to)| is_back(from, to)).collect();
    let drawn = forward.iter().copied().filter(|&(from, to)| !is_implied(from, to)).chain(back);
    for (from, to) in drawn {
        let (start, end) = (vertex_of[from], vertex_of[to]);
        let mut route = vec![start];
        let between = start.0.min(end.0) + 1..start.0.max(end.0);
        let between: Vec<_> = if start.0 < end.0 { between.collect() } else { between.rev().collect() };
        for layer in between {
            route.push((layer, layers[layer].len()));
            layers[layer].push(Vertex { node: None, x: 0.0, width: DUMMY_WIDTH });
        }
        route.push(end);
        routes.push(route);
    }
    let mut layout = Layout { layers, edges: routes, width: 0.0 };
    layout.arrange();
    layout
}

/// Assigns each box a layer, counted from the bottom: above its dependencies, and close below its lowest dependent.
fn assign_layers(widths: &[f64], below: &[Vec<bool>]) -> Vec<usize> {
    let count = widths.len();
    let mut order: Vec<_> = (0..count).collect();
    order.sort_by_key(|&node| (below[node].iter().filter(|&&is_below| is_below).count(), node));
    let mut layer_of = vec![0; count];
    let mut filled: Vec<f64> = Vec::new();
    for (index, &node) in order.iter().enumerate() {
        let lowest = order[..index]
            .iter()
            .filter(|&&other| below[node][other])
            .map(|&other| layer_of[other] + 1)
            .max();
        let mut layer = lowest.unwrap_or(0);
        while filled.get(layer).is_some_and(|&width| width + widths[node] > MAX_LAYER_WIDTH) {
            layer += 1;
        }
        if filled.len() <= layer {
            filled.resize(layer + 1, 0.0);
        }
        filled[layer] += widths[node] + GAP;
        layer_of[node] = layer;
    }
    // Every box is now as low as possible. Raise each towards its dependents, dependents first: short edges keep the
    // picture narrow.
    for &node in order.iter().rev() {
        let dependents = (0..count).filter(|&other| below[other][node]);
        let Some(lowest) = dependents.map(|other| layer_of[other]).min() else { continue };
        let has_space = |&layer: &usize| filled[layer] + widths[node] <= MAX_LAYER_WIDTH;
        if let Some(layer) = (layer_of[node] + 1..lowest).rev().find(has_space) {
            filled[layer_of[node]] -= widths[node] + GAP;
            filled[layer] += widths[node] + GAP;
            layer_of[node] = layer;
        }
    }
    layer_of
}

impl Layout {
    /// Sorts each layer by the positions of its neighbours and assigns the coordinates.
    fn arrange(&mut self) {
        for layer in 0..self.layers.len() {
            self.spread(layer);
        }
        for round in 0..ROUNDS {
            let count = self.layers.len();
            for step in 0..count {
                let layer = if round % 2 == 0 { step } else { count - 1 - step };
                let barycentres = self.barycentres(layer);
                for (vertex, x) in self.layers[layer].iter_mut().zip(barycentres) {
                    vertex.x = x;
                }
                // Later rounds keep the order, so that the coordinates converge.
                if round < ROUNDS / 2 {
                    self.sort(layer);
                }
                self.spread(layer);
            }
        }
        self.close_gaps();
        let vertices = || self.layers.iter().flatten();
        let left = vertices().map(|vertex| vertex.x - vertex.width / 2.0).fold(f64::INFINITY, f64::min);
        let right = vertices().map(|vertex| vertex.x + vertex.width / 2.0).fold(f64::NEG_INFINITY, f64::max);
        self.width = (right - left).max(0.0);
        for vertex in self.layers.iter_mut().flatten() {
            vertex.x -= left;
        }
    }

    /// Closes vertical strips that contain no vertex and no edge.
    fn close_gaps(&mut self) {
        let vertices = self.layers.iter().flatten();
        let mut spans: Vec<_> =
            vertices.map(|vertex| (vertex.x - vertex.width / 2.0, vertex.x + vertex.width / 2.0)).collect();
        for route in &self.edges {
            let ends = route
                .windows(2)
                .map(|pair| [pair[0], pair[1]].map(|(layer, index)| self.layers[layer][index].x));
            spans.extend(ends.map(|[a, b]| (a.min(b), a.max(b))));
        }
        spans.sort_by(|a, b| a.0.total_cmp(&b.0));
        // The right end of each gap and its excess width.
        let mut gaps = Vec::new();
        let mut right = f64::INFINITY;
        for (start, end) in spans {
            if start > right + GAP {
                gaps.push((start, start - right - GAP));
            }
            right = if right.is_finite() { right.max(end) } else { end };
        }
        for vertex in self.layers.iter_mut().flatten() {
            let left = vertex.x - vertex.width / 2.0;
            vertex.x -= gaps.iter().filter(|gap| gap.0 <= left).map(|gap| gap.1).sum::<f64>();
        }
    }

    /// Returns, for each vertex of a layer, the mean coordinate of its neighbours in the layers above and below.
    fn barycentres(&self, layer: usize) -> Vec<f64> {
        let mut sums: Vec<_> = self.layers[layer].iter().map(|_| (0.0, 0)).collect();
        for route in &self.edges {
            for pair in route.windows(2) {
                for (here, there) in [(pair[0], pair[1]), (pair[1], pair[0])] {
                    if here.0 == layer {
                        sums[here.1].0 += self.layers[there.0][there.1].x;
                        sums[here.1].1 += 1;
                    }
                }
            }
        }
        let vertices = self.layers[layer].iter().zip(sums);
        vertices
            .map(|(vertex, (sum, count))| if count > 0 { sum / f64::from(count) } else { vertex.x })
            .collect()
    }

    /// Sorts the vertices of a layer by their coordinates.
    fn sort(&mut self, layer: usize) {
        let mut order: Vec<_> = (0..self.layers[layer].len()).collect();
        order.sort_by(|&a, &b| self.layers[layer][a].x.total_cmp(&self.layers[layer][b].x));
        let sorted = order.iter().map(|&index| self.layers[layer][index].clone()).collect();
        self.layers[layer] = sorted;
        for (at_layer, index) in self.edges.iter_mut().flatten() {
            if *at_layer == layer {
                *index = order.iter().position(|&old| old == *index).unwrap_or(*index);
            }
        }
    }

    /// Moves the vertices of a layer apart until none overlap, keeping their order.
    ///
    /// The sum of the squared movements is minimal (isotonic regression by pooling adjacent violators), so a crowd of
    /// vertices does not push distant ones away.
    fn spread(&mut self, layer: usize) {
        let vertices = &mut self.layers[layer];
        // Distance of each vertex from the first one if all touch.
        let mut offsets = vec![0.0; vertices.len()];
        for index in 1..vertices.len() {
            offsets[index] =
                offsets[index - 1] + (vertices[index - 1].width + vertices[index].width) / 2.0 + GAP;
        }
        // Groups of vertices that touch: the sum of their coordinates less offsets, and their number.
        let mut groups: Vec<(f64, usize)> = Vec::new();
        for (vertex, offset) in vertices.iter().zip(&offsets) {
            let mut group = (vertex.x - offset, 1);
            while let Some(&(sum, count)) = groups.last()
                && sum / count as f64 > group.0 / group.1 as f64
            {
                groups.pop();
                group = (group.0 + sum, group.1 + count);
            }
            groups.push(group);
        }
        let starts = groups.iter().flat_map(|&(sum, count)| std::iter::repeat_n(sum / count as f64, count));
        for ((vertex, offset), start) in vertices.iter_mut().zip(&offsets).zip(starts) {
            vertex.x = start + offset;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The layer of each box.
    fn layers(layout: &Layout, count: usize) -> Vec<usize> {
        let layer = |node| {
            layout.layers.iter().position(|layer| layer.iter().any(|vertex| vertex.node == Some(node)))
        };
        (0..count).map(|node| layer(node).unwrap()).collect()
    }

    #[test]
    fn places_dependents_above_their_dependencies() {
        let layout = layout(&[50.0; 4], &BTreeSet::from([(0, 1), (1, 2), (0, 2), (3, 2)]));
        assert_eq!(layers(&layout, 4), [0, 1, 2, 1]);
        // 0 -> 2 is implied.
        assert_eq!(layout.edges.len(), 3);
    }

    #[test]
    fn boxes_do_not_overlap() {
        let layout = layout(&[80.0; 9], &(1..9).map(|node| (0, node)).collect());
        for layer in &layout.layers {
            assert!(
                layer.windows(2).all(|pair| pair[1].x - pair[0].x > (pair[0].width + pair[1].width) / 2.0)
            );
        }
    }

    #[test]
    fn places_boxes_directly_below_their_lowest_dependent() {
        // 4 depends on nothing and is used by the top alone.
        let layout = layout(&[50.0; 5], &BTreeSet::from([(0, 1), (1, 2), (2, 3), (0, 4)]));
        assert_eq!(layers(&layout, 5), [0, 1, 2, 3, 1]);
    }

    #[test]
    fn crowded_vertices_do_not_push_distant_ones_away() {
        let vertex = |x| Vertex { node: None, x, width: 10.0 };
        let layer = [-500.0, 100.0, 100.0, 100.0].map(vertex).to_vec();
        let mut layout = Layout { layers: vec![layer], edges: Vec::new(), width: 0.0 };
        layout.spread(0);
        let vertices: Vec<_> = layout.layers[0].iter().map(|vertex| vertex.x.round() as i32).collect();
        assert_eq!(vertices, [-500, 72, 100, 128]);
    }

    #[test]
    fn long_edges_pass_through_each_layer() {
        let layout = layout(&[80.0; 4], &BTreeSet::from([(0, 1), (1, 2), (2, 0), (0, 3)]));
        assert!(
            layout.edges.iter().all(|route| route.windows(2).all(|pair| pair[0].0.abs_diff(pair[1].0) == 1))
        );
        assert_eq!(layout.edges.len(), 4);
    }

    #[test]
    fn divides_layers_above_the_maximum_width() {
        let layout = layout(&[200.0; 12], &BTreeSet::new());
        assert_eq!(layout.layers.len(), 3);
        assert!(layout.width <= MAX_LAYER_WIDTH);
    }
}
