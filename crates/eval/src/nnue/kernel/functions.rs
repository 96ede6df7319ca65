//! The functions of all vector kernels.

/// Defines `update` and `output` in the module of an instruction set. The module has the types `Vector`, of
/// 16-bit sums, and `Totals`, of 32-bit ones, and the functions
/// - `zero() -> Vector`, `add(Vector, Vector) -> Vector` and `subtract(Vector, Vector) -> Vector`, which wrap;
/// - `clip(Vector) -> Vector`, which clamps to 0..=255, and `multiply(Vector, Vector) -> Vector`, the low halves of products;
/// - `no_totals() -> Totals`, `accumulate(Totals, Vector, Vector) -> Totals`, which adds 32-bit products of the two vectors to the
///   totals in any order, and `total(Totals, Totals) -> i32`, which adds them up.
///
/// All of them have the same target features, so they are inlined, and calls between them are safe. Both functions are not inlined into
/// their callers, not even where the target has the features: the caller would hold the loops of several kernels.
macro_rules! kernel_functions {
    ($features:literal) => {
        use crate::nnue::block::Block;

        #[inline(never)]
        #[target_feature(enable = $features)]
        pub(in crate::nnue::kernel) fn update(
            weights: &[Block],
            source: &[Block],
            target: &mut [Block],
            added: &[u16],
            removed: &[u16],
        ) {
            let weights: &[Vector] = bytemuck::must_cast_slice(weights);
            let source: &[Vector] = bytemuck::must_cast_slice(source);
            let target: &mut [Vector] = bytemuck::must_cast_slice_mut(target);
            // As many sums as possible stay in registers while features are added and removed.
            let mut start = 0;
            start = update_tiles::<8>(weights, source, target, start, [added, removed]);
            start = update_tiles::<4>(weights, source, target, start, [added, removed]);
            start = update_tiles::<2>(weights, source, target, start, [added, removed]);
            update_tiles::<1>(weights, source, target, start, [added, removed]);
        }

        /// Updates the vectors from `start` on, `T` at a time. Returns the index of the first one that is left.
        #[inline]
        #[target_feature(enable = $features)]
        fn update_tiles<const T: usize>(
            weights: &[Vector],
            source: &[Vector],
            target: &mut [Vector],
            start: usize,
            [added, removed]: [&[u16]; 2],
        ) -> usize {
            let length = target.len();
            let mut start = start;
            while start + T <= length {
                let mut tile = [zero(); T];
                tile.copy_from_slice(&source[start..][..T]);
                for &feature in added {
                    add_row(&mut tile, &weights[usize::from(feature) * length + start..][..T]);
                }
                for &feature in removed {
                    subtract_row(&mut tile, &weights[usize::from(feature) * length + start..][..T]);
                }
                target[start..][..T].copy_from_slice(&tile);
                start += T;
            }
            start
        }

        #[inline]
        #[target_feature(enable = $features)]
        fn add_row<const T: usize>(tile: &mut [Vector; T], row: &[Vector]) {
            for index in 0..T {
                tile[index] = add(tile[index], row[index]);
            }
        }

        #[inline]
        #[target_feature(enable = $features)]
        fn subtract_row<const T: usize>(tile: &mut [Vector; T], row: &[Vector]) {
            for index in 0..T {
                tile[index] = subtract(tile[index], row[index]);
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
