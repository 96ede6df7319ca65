//! The functions of all vector kernels.

/// Defines `update`, `update_many`, `output` and `threat_output` in the module of an instruction set. The module has the types
/// `Vector`, of 16-bit sums, `Bytes`, of as many 8-bit numbers, and `Totals`, of 32-bit sums, and the functions
/// - `zero() -> Vector`, `add(Vector, Vector) -> Vector` and `subtract(Vector, Vector) -> Vector`, which wrap;
/// - `widen(Bytes) -> Vector`;
/// - `clip(Vector) -> Vector`, which clamps to 0..=255, and `multiply(Vector, Vector) -> Vector`, the low halves of products;
/// - `no_totals() -> Totals`, `accumulate(Totals, Vector, Vector) -> Totals`, which adds 32-bit products of the two vectors to the
///   totals in any order, and `total(Totals, Totals) -> i32`, which adds them up.
///
/// All of them have the same target features, so they are inlined, and calls between them are safe. The four functions are not inlined into
/// their callers, not even where the target has the features: the caller would hold the loops of several kernels.
macro_rules! kernel_functions {
    ($features:literal) => {
        use crate::nnue::block::{Block, ByteBlock};

        #[inline(never)]
        #[target_feature(enable = $features)]
        pub(in crate::nnue::kernel) fn update<const A: usize, const R: usize>(
            weights: &[Block],
            source: &[Block],
            target: &mut [Block],
            added: [usize; A],
            removed: [usize; R],
        ) {
            let blocks = target.len();
            let source: &[Vector] = bytemuck::must_cast_slice(source);
            let target: &mut [Vector] = bytemuck::must_cast_slice_mut(target);
            // Without a closure, which would be a function without the target features.
            let mut rows: ([&[Vector]; A], [&[Vector]; R]) = ([&[]; A], [&[]; R]);
            for (row, feature) in rows.0.iter_mut().zip(added) {
                *row = bytemuck::must_cast_slice(&weights[feature * blocks..][..blocks]);
            }
            for (row, feature) in rows.1.iter_mut().zip(removed) {
                *row = bytemuck::must_cast_slice(&weights[feature * blocks..][..blocks]);
            }
            // Most rows are a multiple of eight vectors long. Smaller tiles for the rest would cost more than they save.
            let rest = update_tiles::<8, A, R>(source, target, 0, rows);
            update_tiles::<1, A, R>(source, target, rest, rows);
        }

        /// Updates the vectors from `start` on, `T` at a time. Returns the index of the first one that is left.
        #[inline]
        #[target_feature(enable = $features)]
        fn update_tiles<const T: usize, const A: usize, const R: usize>(
            source: &[Vector],
            target: &mut [Vector],
            start: usize,
            (added, removed): ([&[Vector]; A], [&[Vector]; R]),
        ) -> usize {
            let source = source[start..].as_chunks::<T>().0;
            let target = target[start..].as_chunks_mut::<T>().0;
            let mut tiles: ([&[[Vector; T]]; A], [&[[Vector; T]]; R]) = ([&[]; A], [&[]; R]);
            for (tiles, row) in tiles.0.iter_mut().zip(added) {
                *tiles = row[start..].as_chunks().0;
            }
            for (tiles, row) in tiles.1.iter_mut().zip(removed) {
                *tiles = row[start..].as_chunks().0;
            }
            for index in 0..target.len() {
                let mut sums = source[index];
                for tiles in tiles.0 {
                    add_row(&mut sums, &tiles[index]);
                }
                for tiles in tiles.1 {
                    subtract_row(&mut sums, &tiles[index]);
                }
                target[index] = sums;
            }
            start + T * target.len()
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
        pub(in crate::nnue::kernel) fn update_many(
            weights: &[Block],
            sums: &mut [Block],
            added: &[u16],
            removed: &[u16],
        ) {
            let weights: &[Vector] = bytemuck::must_cast_slice(weights);
            let sums: &mut [Vector] = bytemuck::must_cast_slice_mut(sums);
            // As many sums as possible stay in registers while the features are added.
            let mut start = 0;
            start = update_many_tiles::<8>(weights, sums, start, [added, removed]);
            start = update_many_tiles::<4>(weights, sums, start, [added, removed]);
            start = update_many_tiles::<2>(weights, sums, start, [added, removed]);
            update_many_tiles::<1>(weights, sums, start, [added, removed]);
        }

        /// Updates the vectors from `start` on, `T` at a time. Returns the index of the first one that is left.
        #[inline]
        #[target_feature(enable = $features)]
        fn update_many_tiles<const T: usize>(
            weights: &[Vector],
            sums: &mut [Vector],
            start: usize,
            [added, removed]: [&[u16]; 2],
        ) -> usize {
            let length = sums.len();
            let mut start = start;
            while start + T <= length {
                let mut tile = [zero(); T];
                tile.copy_from_slice(&sums[start..][..T]);
                for &feature in added {
                    add_row(&mut tile, &weights[usize::from(feature) * length + start..][..T]);
                }
                for &feature in removed {
                    subtract_row(&mut tile, &weights[usize::from(feature) * length + start..][..T]);
                }
                sums[start..][..T].copy_from_slice(&tile);
                start += T;
            }
            start
        }

        #[inline(never)]
        #[target_feature(enable = $features)]
        pub(in crate::nnue::kernel) fn output(sums: [&[Block]; 2], weights: [&[Block]; 2]) -> i32 {
            // One length for all, so that bounds are checked once.
            let length = bytemuck::must_cast_slice::<Block, Vector>(sums[0]).len();
            let [own, enemy] = vectors(sums, length);
            let [own_weights, enemy_weights] = vectors(weights, length);
            // Two totals, so that an addition need not wait for the one before.
            let mut totals = [no_totals(); 2];
            for index in 0..length {
                let own = clip(own[index]);
                totals[0] = accumulate(totals[0], multiply(own, own_weights[index]), own);
                let enemy = clip(enemy[index]);
                totals[1] = accumulate(totals[1], multiply(enemy, enemy_weights[index]), enemy);
            }
            total(totals[0], totals[1])
        }

        #[inline(never)]
        #[target_feature(enable = $features)]
        pub(in crate::nnue::kernel) fn threat_output(
            sums: [&[Block]; 2],
            weights: [&[Block]; 2],
            rows: &[ByteBlock],
            features: [&[u16]; 2],
        ) -> i32 {
            let length = bytemuck::must_cast_slice::<Block, Vector>(sums[0]).len();
            let (sums, weights) = (vectors(sums, length), vectors(weights, length));
            let rows: &[Bytes] = bytemuck::must_cast_slice(rows);
            let mut totals = [no_totals(); 2];
            for side in 0..2 {
                let (sums, weights, features) = (sums[side], weights[side], features[side]);
                let mut start = 0;
                start = add_threats::<4>(sums, weights, rows, features, start, &mut totals);
                start = add_threats::<2>(sums, weights, rows, features, start, &mut totals);
                add_threats::<1>(sums, weights, rows, features, start, &mut totals);
            }
            total(totals[0], totals[1])
        }

        /// Adds the products of the vectors from `start` on, `T` at a time, to the totals. Returns the index of the first one that is left.
        #[inline]
        #[target_feature(enable = $features)]
        fn add_threats<const T: usize>(
            sums: &[Vector],
            weights: &[Vector],
            rows: &[Bytes],
            features: &[u16],
            start: usize,
            totals: &mut [Totals; 2],
        ) -> usize {
            let length = sums.len();
            let mut start = start;
            while start + T <= length {
                let mut tile = [zero(); T];
                tile.copy_from_slice(&sums[start..][..T]);
                for &feature in features {
                    let row = &rows[usize::from(feature) * length + start..][..T];
                    for index in 0..T {
                        tile[index] = add(tile[index], widen(row[index]));
                    }
                }
                for index in 0..T {
                    let activations = clip(tile[index]);
                    let products = multiply(activations, weights[start + index]);
                    totals[index % 2] = accumulate(totals[index % 2], products, activations);
                }
                start += T;
            }
            start
        }

        /// The first `length` vectors of each row.
        #[inline]
        #[target_feature(enable = $features)]
        fn vectors([first, second]: [&[Block]; 2], length: usize) -> [&[Vector]; 2] {
            [&bytemuck::must_cast_slice(first)[..length], &bytemuck::must_cast_slice(second)[..length]]
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
