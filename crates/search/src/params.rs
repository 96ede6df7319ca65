//! The numbers of the search, each declared once, and the parts of it that can be switched off.

/// A number that the search may be tuned by: its name, what it is by default, and where to look for
/// better values.
///
/// With the feature `tune` its value can be changed while the program runs (`set_tunable`); without
/// it, it is a constant.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Tunable {
    /// The name, in `snake_case`; the first word says what part of the search it belongs to.
    pub name: &'static str,
    /// The value that is played with.
    pub default: i32,
    /// The smallest value that makes sense.
    pub min: i32,
    /// The largest value that makes sense.
    pub max: i32,
    /// A step large enough to make a difference in games: where a tuner starts.
    pub step: i32,
}

macro_rules! tunables {
    ($($(#[$doc:meta])* $name:ident = $default:literal in $min:literal..=$max:literal step $step:literal;)*) => {
        /// Every [`Tunable`], in order of declaration.
        pub const TUNABLES: &[Tunable] = &[
            $(Tunable { name: stringify!($name), default: $default, min: $min, max: $max, step: $step },)*
        ];

        #[cfg(feature = "tune")]
        #[allow(non_camel_case_types)]
        enum Place { $($name,)* }

        #[cfg(feature = "tune")]
        static VALUES: [std::sync::atomic::AtomicI32; TUNABLES.len()] =
            [$(std::sync::atomic::AtomicI32::new($default),)*];

        $(
            $(#[$doc])*
            #[inline(always)]
            pub(crate) fn $name() -> i32 {
                #[cfg(feature = "tune")]
                return VALUES[Place::$name as usize].load(std::sync::atomic::Ordering::Relaxed);
                #[cfg(not(feature = "tune"))]
                return $default;
            }
        )*
    };
}

/// Changes a [`Tunable`] for every engine of the program, from the next search on.
///
/// Returns whether there is one of this name, and the value is in its range.
#[cfg(feature = "tune")]
pub fn set_tunable(name: &str, value: i32) -> bool {
    let place = TUNABLES.iter().position(|tunable| tunable.name == name);
    let place = place.filter(|&place| (TUNABLES[place].min..=TUNABLES[place].max).contains(&value));
    if let Some(place) = place {
        VALUES[place].store(value, std::sync::atomic::Ordering::Relaxed);
    }
    place.is_some()
}

// Margins are in centipawns, reductions in 1024ths of a ply, history scores in their own unit of up to
// 16,384. `slope` is what comes on top for each ply of depth.
tunables! {
    /// Half the width of the first window around the expected value.
    aspiration_width = 21 in 5..=40 step 3;
    /// By what part, in 64ths, the window grows each time it was too small.
    aspiration_growth = 94 in 10..=100 step 8;

    /// What a static evaluation has to be above beta, for each ply left.
    reverse_futility_slope = 88 in 30..=150 step 8;
    /// What is taken off where the side to move is improving.
    reverse_futility_improving = 66 in 10..=150 step 8;

    /// What an evaluation has to be below alpha to be looked at by captures only.
    razoring_base = 185 in 100..=500 step 25;
    /// The same, for each ply left, squared.
    razoring_slope = 312 in 60..=450 step 15;

    /// How many plies a null move is searched less deep, besides those below.
    null_move_base = 5 in 2..=8 step 1;
    /// One ply more for so many plies of depth.
    null_move_depth_divisor = 3 in 2..=6 step 1;
    /// One ply more for so much of an advantage.
    null_move_eval_divisor = 285 in 80..=350 step 20;
    /// How far below beta the static evaluation may be, at no depth.
    null_move_margin = 3 in 0..=300 step 15;
    /// How much less that is for each ply left.
    null_move_margin_slope = 8 in 0..=40 step 3;

    /// What a capture has to win above beta in a shallow search for a deep one to be spared.
    probcut_margin = 229 in 80..=350 step 15;
    /// What is taken off where the side to move is improving.
    probcut_improving = 89 in 0..=120 step 8;

    /// What a quiet move could gain at most, so that a node near the horizon can be given up.
    futility_base = 32 in 20..=250 step 12;
    /// The same for each ply left after the reduction.
    futility_slope = 39 in 10..=180 step 8;
    /// One centipawn for so much history.
    futility_history_divisor = 115 in 40..=400 step 16;
    /// What a capture could gain besides what it takes.
    capture_futility_base = 70 in 60..=400 step 16;
    /// The same for each ply left after the reduction.
    capture_futility_slope = 139 in 60..=400 step 16;

    /// What history, for each ply left, a quiet move is not tried below.
    history_pruning_slope = 2146 in 1000..=8000 step 300;
    /// What a quiet move may lose by exchanges, for each ply left after the reduction, squared.
    see_quiet_slope = 14 in 8..=60 step 4;
    /// What a capture may lose by exchanges, for each ply left.
    see_capture_slope = 95 in 40..=220 step 10;
    /// One centipawn of that for so much history.
    see_capture_history_divisor = 32 in 16..=200 step 8;

    /// How far below the table's value all other moves have to be for its move to be singular.
    singular_margin_slope = 57 in 10..=100 step 6;
    /// How much farther, for a second ply.
    singular_double_margin = 6 in 4..=60 step 4;
    /// How much farther, for a third ply.
    singular_triple_margin = 186 in 30..=250 step 12;

    /// The reduction of a late quiet move whatever its number and the depth.
    reduction_base = 1023 in 200..=1800 step 90;
    /// The part of it that grows with both logarithms, in 1024ths.
    reduction_factor = 562 in 200..=800 step 30;
    /// Less for a move that a principal variation went through.
    reduction_pv = 1302 in 200..=2000 step 100;
    /// More where a cut-off is expected.
    reduction_cut_node = 2564 in 500..=3000 step 130;
    /// More where the side to move does not get better.
    reduction_not_improving = 343 in 0..=1600 step 100;
    /// More where the table's move is a capture: the position is about that.
    reduction_table_capture = 952 in 0..=1800 step 100;
    /// Less for moves that give check.
    reduction_check = 1317 in 0..=1800 step 100;
    /// More where the node below cut off often.
    reduction_cutoffs = 689 in 0..=1800 step 100;
    /// One 1024th less for so much history, in 64ths.
    reduction_history_divisor = 1150 in 200..=2000 step 60;
    /// Less for captures and promotions.
    reduction_tactical = 1715 in 0..=2400 step 120;
    /// A reduced search that is so much better than the best is made a ply deeper.
    deeper_margin = 77 in 10..=120 step 8;

    /// The weight, in 64ths, of the butterfly boards in the order of quiet moves.
    order_butterfly = 57 in 0..=256 step 12;
    /// The weight of the history by pawn structure.
    order_pawn = 66 in 0..=256 step 10;
    /// The weight of the history after the move one ply back.
    order_ply_1 = 127 in 0..=256 step 12;
    /// The same for the move two plies back.
    order_ply_2 = 111 in 0..=256 step 10;
    /// The same for the move four plies back.
    order_ply_4 = 11 in 0..=128 step 8;
    /// The same for the move six plies back.
    order_ply_6 = 4 in 0..=128 step 8;
    /// The weight, in 64ths, of the history after the move one ply back in what pruning goes by.
    prune_ply_1 = 59 in 0..=192 step 10;
    /// The weight there of the history after the move two plies back.
    prune_ply_2 = 93 in 0..=192 step 10;
    /// The weight there of the history by pawn structure.
    prune_pawn = 4 in 0..=192 step 10;

    /// What the quiet move that has just refuted a sibling is ahead of others in the order of moves.
    killer_bonus = 25203 in 0..=60000 step 3000;

    /// What a minor piece that a pawn attacks is ahead of others in the order of moves.
    threat_minor = 10036 in 0..=30000 step 1500;
    /// The same for a rook that a pawn or a minor piece attacks.
    threat_rook = 32435 in 0..=40000 step 2000;
    /// The same for a queen that anything else than a king or queen attacks.
    threat_queen = 18407 in 0..=50000 step 2500;
    /// What a pawn's quiet move that attacks a piece is ahead of others.
    attack_by_pawn = 13386 in 0..=30000 step 1500;
    /// The same for a knight's that attacks a rook or queen.
    attack_by_knight = 12320 in 0..=25000 step 1200;
    /// The same for a bishop's.
    attack_by_bishop = 2936 in 0..=25000 step 1200;
    /// The same for a rook's that attacks a queen.
    attack_by_rook = 7330 in 0..=25000 step 1200;
    /// What a check that loses nothing is ahead of other quiet moves.
    check_bonus = 21937 in 0..=40000 step 2000;

    /// What a cut-off adds to the history of its move, for each ply of depth.
    history_bonus_slope = 369 in 60..=400 step 20;
    /// The most that it adds.
    history_bonus_max = 1581 in 600..=3200 step 150;
    /// What a cut-off takes from the moves before it, for each ply of depth.
    history_malus_slope = 309 in 60..=500 step 20;
    /// The most that it takes.
    history_malus_max = 981 in 500..=3200 step 150;

    /// The weight of what is known of the pawn structure in correcting an evaluation.
    correction_pawn = 52 in 0..=200 step 10;
    /// The weight of what is known of the minor pieces.
    correction_minor = 32 in 0..=200 step 10;
    /// The weight of what is known of each side's pieces.
    correction_pieces = 121 in 0..=200 step 10;
    /// The weight of what is known of the last move's consequences.
    correction_continuation = 98 in 0..=200 step 10;

    /// What a capture could gain beyond what it takes, behind the horizon.
    quiescence_futility = 334 in 50..=350 step 15;
    /// What a capture may lose by exchanges, behind the horizon.
    quiescence_see = 2 in 0..=120 step 8;
}

/// Parts of the search that can be switched off, to compare the rest with a simpler search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Features {
    /// Use the transposition table: for cut-offs, and for the move to try first.
    pub(crate) table: bool,
    /// Cut off on entries that were searched deeper than the node asks for, too. Their values are
    /// better than the ones asked for, but not the same.
    pub(crate) deeper_entries: bool,
    /// Score repetitions as draws. The value of a position then depends on how it was reached, which
    /// the table knows nothing of.
    pub(crate) repetitions: bool,
    /// Spend less on what looks worse, and more on what looks forced: everything that makes the result
    /// differ from that of plain alpha-beta. Without it, positions in check are searched one ply
    /// deeper, and all others to the depth of the iteration.
    pub(crate) selective: bool,
}

impl Features {
    /// How games are played.
    pub(crate) const ALL: Features =
        Features { table: true, deeper_entries: true, repetitions: true, selective: true };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn defaults_are_in_range_and_names_are_unique() {
        for (index, tunable) in TUNABLES.iter().enumerate() {
            assert!((tunable.min..=tunable.max).contains(&tunable.default), "{tunable:?}");
            assert!(tunable.step > 0 && tunable.step <= tunable.max - tunable.min, "{tunable:?}");
            assert!(TUNABLES[..index].iter().all(|other| other.name != tunable.name), "{tunable:?}");
        }
        assert_eq!(aspiration_width(), TUNABLES[0].default);
    }

    #[cfg(feature = "tune")]
    #[test]
    fn tunables_can_be_set_within_their_range() {
        assert!(set_tunable("razoring_base", 260));
        assert_eq!(razoring_base(), 260);
        assert!(!set_tunable("razoring_base", 0) && !set_tunable("no_such_thing", 1));
        // Other tests of this process search with it.
        let default = TUNABLES.iter().find(|tunable| tunable.name == "razoring_base").unwrap().default;
        assert!(set_tunable("razoring_base", default));
    }
}
