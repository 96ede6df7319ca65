//! The functions of all vector kernels.

/// Defines `update` and `output` in the module of an instruction set. The module has the types `Vector`, of
/// 16-bit sums, `Bytes`, of as many 8-bit weights, and `Totals`, of 32-bit sums, and the functions
/// - `zero() -> Vector`, `add(Vector, Vector) -> Vector` and `subtract(Vector, Vector) -> Vector`, which wrap;
/// - `widen(Bytes) -> Vector`, which extends signs;
/// - `clip(Vector) -> Vector`, which clamps to 0..=255, and `multiply(Vector, Vector) -> Vector`, the low halves of products;
/// - `no_totals() -> Totals`, `accumulate(Totals, Vector, Vector) -> Totals`, which adds 32-bit products of the two vectors to the
///   totals in any order, and `total(Totals, Totals) -> i32`, which adds them up.
///
/// All of them have the same target features, so they are inlined, and calls between them are safe. Both functions are not inlined into
/// their callers, not even where the target has the features: the caller would hold the loops of several kernels.
macro_rules! kernel_functions {
    ($features:literal) => {
        use super::FeatureLayer;
        use crate::nnue::active_pieces::FeatureChanges;
        use crate::nnue::block::Block;

        #[inline(never)]
        #[target_feature(enable = $features)]
        pub(in crate::nnue::kernel) fn update(
            layer: FeatureLayer<'_>,
            source: &[Block],
            target: &mut [Block],
            changes: FeatureChanges<'_>,
        ) {
            let source: &[Vector] = bytemuck::must_cast_slice(source);
            let target: &mut [Vector] = bytemuck::must_cast_slice_mut(target);
            // Most rows are a multiple of eight vectors long. Smaller tiles for the rest would cost more than they save.
            let rest = target.len() / 8 * 8;
            update_tiles::<8>(layer, source, target, 0..rest, changes);
            update_tiles::<1>(layer, source, target, rest..target.len(), changes);
        }

        /// Updates a range of the vectors, `T` at a time, which stay in registers while features are added and removed.
        #[inline]
        #[target_feature(enable = $features)]
        fn update_tiles<const T: usize>(
            layer: FeatureLayer<'_>,
            source: &[Vector],
            target: &mut [Vector],
            range: std::ops::Range<usize>,
            changes: FeatureChanges<'_>,
        ) {
            let length = target.len();
            let weights: &[Vector] = bytemuck::must_cast_slice(layer.weights);
            let threat_weights: &[Bytes] = bytemuck::must_cast_slice(layer.threat_weights);
            for start in range.step_by(T) {
                let mut tile = *tile_at::<T, Vector>(source, start);
                for &feature in changes.added {
                    let row = tile_at::<T, Vector>(weights, usize::from(feature) * length + start);
                    for index in 0..T {
                        tile[index] = add(tile[index], row[index]);
                    }
                }
                for &feature in changes.removed {
                    let row = tile_at::<T, Vector>(weights, usize::from(feature) * length + start);
                    for index in 0..T {
                        tile[index] = subtract(tile[index], row[index]);
                    }
                }
                for &feature in changes.threats_added {
                    let row = tile_at::<T, Bytes>(threat_weights, usize::from(feature) * length + start);
                    for index in 0..T {
                        tile[index] = add(tile[index], widen(row[index]));
                    }
                }
                for &feature in changes.threats_removed {
                    let row = tile_at::<T, Bytes>(threat_weights, usize::from(feature) * length + start);
                    for index in 0..T {
                        tile[index] = subtract(tile[index], widen(row[index]));
                    }
                }
                match target[start..].first_chunk_mut() {
                    Some(target) => *target = tile,
                    None => unreachable!("the range ends with the accumulator"),
                }
            }
        }

        /// The `T` elements from `start` on.
        #[inline]
        #[target_feature(enable = $features)]
        fn tile_at<const T: usize, E>(elements: &[E], start: usize) -> &[E; T] {
            match elements[start..].first_chunk() {
                Some(tile) => tile,
                None => unreachable!("rows are as long as the accumulator"),
            }
        }

        #[inline(never)]
        #[target_feature(enable = $features)]
        pub(in crate::nnue::kernel) fn output(own: &[Block], enemy: &[Block], weights: &[Block]) -> i32 {
            let own: &[Vector] = bytemuck::must_cast_slice(own);
            let enemy: &[Vector] = &bytemuck::must_cast_slice(enemy)[..own.len()];
            let (own_weights, enemy_weights) = bytemuck::must_cast_slice(weights).split_at(own.len());
            let enemy_weights: &[Vector] = &enemy_weights[..own.len()];
            // Two totals, so that an addition need not wait for the one before.
            let mut totals = [no_totals(); 2];
            for index in 0..own.len() {
                let own = clip(own[index]);
                totals[0] = accumulate(totals[0], multiply(own, own_weights[index]), own);
                let enemy = clip(enemy[index]);
                totals[1] = accumulate(totals[1], multiply(enemy, enemy_weights[index]), enemy);
            }
            total(totals[0], totals[1])
        }
    };
}

/// Defines functions with target features that are inlined into others with the same features.
macro_rules! with_features {
    ($features:literal; $(fn $name:ident($($argument:ident: $type:ty),*) -> $result:ty $body:block)+) => {
        $(
            #[inline]
            #[target_feature(enable = $features)]
            fn $name($($argument: $type),*) -> $result $body
        )+
    };
}

pub(super) use {kernel_functions, with_features};
