//! The tunable parameters of the search, each declared once, and the features that tests and the labelling of training data switch off.

/// A tunable parameter of the search.
///
/// With the feature `tune` its value can be changed at run time (`set_tunable`); without it, it is a
/// constant.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Tunable {
    /// The name, in `snake_case`; it begins with the technique, such as `lmr` or `nmp`, or with the history or bonus.
    pub name: &'static str,
    /// The default value, and the only one in a build without the feature `tune`.
    pub default: i32,
    /// The minimum.
    pub min: i32,
    /// The maximum.
    pub max: i32,
    /// The step size of a tuner, large enough to make a difference in games.
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
        enum Index { $($name,)* }

        #[cfg(feature = "tune")]
        static VALUES: [std::sync::atomic::AtomicI32; TUNABLES.len()] =
            [$(std::sync::atomic::AtomicI32::new($default),)*];

        $(
            $(#[$doc])*
            #[inline(always)]
            pub(crate) fn $name() -> i32 {
                #[cfg(feature = "tune")]
                return VALUES[Index::$name as usize].load(std::sync::atomic::Ordering::Relaxed);
                #[cfg(not(feature = "tune"))]
                return $default;
            }
        )*
    };
}

/// Sets the value of a [`Tunable`] for all engines of the process.
///
/// Returns false, and changes nothing, if there is no parameter of this name or the value is out of range.
#[cfg(feature = "tune")]
pub fn set_tunable(name: &str, value: i32) -> bool {
    let index = TUNABLES.iter().position(|tunable| tunable.name == name);
    let index = index.filter(|&index| (TUNABLES[index].min..=TUNABLES[index].max).contains(&value));
    if let Some(index) = index {
        VALUES[index].store(value, std::sync::atomic::Ordering::Relaxed);
    }
    index.is_some()
}

tunables! {
    /// Time: expected number of moves from move 1 to the end of a game of sudden death; one fewer for every two moves played.
    time_moves_to_go = 32 in 16..=60 step 3;
    /// Time: minimum expected number of moves to go.
    time_min_moves_to_go = 14 in 6..=30 step 2;
    /// Time: limit at which no new iteration starts, in thousandths of the share of a move.
    time_soft = 800 in 300..=1600 step 60;
    /// Time: limit at which the search ends, in thousandths of the share of a move.
    time_hard = 4000 in 1500..=8000 step 300;
    /// Time: factor on the soft limit if the best move has just changed, in thousandths.
    time_unstable = 1250 in 800..=2200 step 80;
    /// Time: decrease of that factor with each iteration in which the best move is the same, in thousandths.
    time_stable_slope = 70 in 0..=150 step 8;
    /// Time: increase of the soft limit for each centipawn by which the value has dropped, in thousandths.
    time_drop_slope = 8 in 0..=30 step 2;
    /// Time: maximum of the factor for a drop of the value, in thousandths.
    time_drop_max = 1600 in 1100..=3000 step 100;
    /// Time: factor on the soft limit if no node was spent on the best move, in thousandths.
    time_effort_base = 1900 in 1200..=3000 step 100;
    /// Time: decrease of that factor if all nodes were spent on the best move, in thousandths.
    time_effort_slope = 1250 in 300..=2600 step 100;

    /// Aspiration windows: half-width of the first window, in centipawns.
    aspiration_width = 21 in 5..=40 step 3;
    /// Aspiration windows: growth of the width after a fail high or low, in 64ths.
    aspiration_growth = 94 in 10..=100 step 8;

    /// RFP: margin above beta per ply, in centipawns.
    rfp_slope = 88 in 30..=150 step 8;
    /// RFP: decrease of the margin if the side to move is improving, in centipawns.
    rfp_improving = 66 in 10..=150 step 8;

    /// Depth in hindsight: loss of the last move by the evaluation above which a node is searched less deep, in centipawns.
    hindsight_margin = 120 in 20..=400 step 20;

    /// Razoring: margin below alpha, constant part, in centipawns.
    razoring_base = 185 in 100..=500 step 25;
    /// Razoring: margin below alpha per ply squared, in centipawns.
    razoring_slope = 312 in 60..=450 step 15;

    /// NMP: base reduction, in plies.
    nmp_base = 5 in 2..=8 step 1;
    /// NMP: depth per extra ply of reduction.
    nmp_depth_divisor = 3 in 2..=6 step 1;
    /// NMP: centipawns above beta per extra ply of reduction.
    nmp_eval_divisor = 285 in 80..=350 step 20;
    /// NMP: margin of the static evaluation above beta at depth 0, in centipawns.
    nmp_margin = 3 in 0..=300 step 15;
    /// NMP: decrease of that margin per ply of depth, in centipawns.
    nmp_margin_slope = 8 in 0..=40 step 3;

    /// ProbCut: margin above beta, in centipawns.
    probcut_margin = 229 in 80..=350 step 15;
    /// ProbCut: decrease of the margin if the side to move is improving, in centipawns.
    probcut_improving = 89 in 0..=120 step 8;

    /// Futility pruning: margin of a quiet move, constant part, in centipawns.
    futility_base = 32 in 20..=250 step 12;
    /// Futility pruning: margin of a quiet move per ply of reduced depth, in centipawns.
    futility_slope = 39 in 10..=180 step 8;
    /// Futility pruning: history score per extra centipawn of margin.
    futility_history_divisor = 115 in 40..=400 step 16;
    /// Futility pruning: margin of a capture on top of the captured piece, constant part, in centipawns.
    capture_futility_base = 70 in 60..=400 step 16;
    /// Futility pruning: margin of a capture per ply of reduced depth, in centipawns.
    capture_futility_slope = 139 in 60..=400 step 16;

    /// History pruning: threshold per ply of depth, as a negative history score.
    history_pruning_slope = 2146 in 1000..=8000 step 300;
    /// SEE pruning: allowed loss of a quiet move per ply of reduced depth squared, in centipawns.
    see_quiet_slope = 14 in 8..=60 step 4;
    /// SEE pruning: allowed loss of a capture per ply of depth, in centipawns.
    see_capture_slope = 95 in 40..=220 step 10;
    /// SEE pruning: capture history score per extra centipawn of allowed loss.
    see_capture_history_divisor = 32 in 16..=200 step 8;

    /// Singular extensions: margin below the TT value per ply of depth, in 16ths of a centipawn.
    singular_margin_slope = 57 in 10..=100 step 6;
    /// Singular extensions: additional margin for a double extension, in centipawns.
    singular_double_margin = 6 in 4..=60 step 4;
    /// Singular extensions: additional margin for a triple extension, in centipawns.
    singular_triple_margin = 186 in 30..=250 step 12;

    /// LMR: constant part of the reduction, in 1024ths of a ply.
    lmr_base = 1023 in 200..=1800 step 90;
    /// LMR: factor on the product of the logarithms of depth and move number, in 1024ths.
    lmr_factor = 500 in 200..=800 step 30;
    /// LMR: decrease at the root for each ply of depth, in 1024ths of a ply.
    lmr_root_slope = 220 in 0..=500 step 25;
    /// LMR: largest decrease at the root, in 1024ths of a ply.
    lmr_root_max = 3500 in 0..=5000 step 250;
    /// LMR: decrease if the position is or has been on a PV, in 1024ths of a ply.
    lmr_tt_pv = 1302 in 200..=2000 step 100;
    /// LMR: increase in a cut node, in 1024ths of a ply.
    lmr_cut_node = 2564 in 500..=3000 step 130;
    /// LMR: increase if the side to move is not improving, in 1024ths of a ply.
    lmr_not_improving = 343 in 0..=1600 step 100;
    /// LMR: increase if the TT move is a capture or promotion, in 1024ths of a ply.
    lmr_tt_capture = 952 in 0..=1800 step 100;
    /// LMR: decrease for a move that gives check, in 1024ths of a ply.
    lmr_check = 1317 in 0..=1800 step 100;
    /// LMR: increase if many nodes at the child's ply cut off, in 1024ths of a ply.
    lmr_child_cutoffs = 689 in 0..=1800 step 100;
    /// LMR: history score, in 64ths, per 1024th of a ply of decrease.
    lmr_history_divisor = 1150 in 200..=2000 step 60;
    /// LMR: decrease for a capture or promotion, in 1024ths of a ply.
    lmr_tactical = 1715 in 0..=2400 step 120;
    /// LMR: margin above alpha from which the re-search is made a ply deeper, in centipawns.
    lmr_deeper_margin = 77 in 10..=120 step 8;

    /// Move ordering: weight of the butterfly history, in 64ths.
    order_butterfly = 57 in 0..=256 step 12;
    /// Move ordering: weight of the pawn history, in 64ths.
    order_pawn = 66 in 0..=256 step 10;
    /// Move ordering: weight of the continuation history of the move 1 ply before, in 64ths.
    order_cont_1 = 127 in 0..=256 step 12;
    /// Move ordering: weight of the continuation history of the move 2 plies before, in 64ths.
    order_cont_2 = 111 in 0..=256 step 10;
    /// Move ordering: weight of the continuation history of the move 4 plies before, in 64ths.
    order_cont_4 = 11 in 0..=128 step 8;
    /// Move ordering: weight of the continuation history of the move 6 plies before, in 64ths.
    order_cont_6 = 4 in 0..=128 step 8;
    /// Pruning: weight of the continuation history of the move 1 ply before, in 64ths.
    prune_cont_1 = 59 in 0..=192 step 10;
    /// Pruning: weight of the continuation history of the move 2 plies before, in 64ths.
    prune_cont_2 = 93 in 0..=192 step 10;
    /// Pruning: weight of the pawn history, in 64ths.
    prune_pawn = 4 in 0..=192 step 10;

    /// Move ordering: bonus of the killer move, as a history score.
    killer_bonus = 25203 in 0..=60000 step 3000;

    /// Threat bonus: a minor piece leaves a square attacked by a pawn, as a history score.
    threat_minor = 10036 in 0..=30000 step 1500;
    /// Threat bonus: a rook leaves a square attacked by a pawn or minor piece.
    threat_rook = 32435 in 0..=40000 step 2000;
    /// Threat bonus: a queen leaves a square attacked by a less valuable piece.
    threat_queen = 18407 in 0..=50000 step 2500;
    /// Threat bonus: a pawn attacks a piece.
    attack_by_pawn = 13386 in 0..=30000 step 1500;
    /// Threat bonus: a knight attacks a rook or queen.
    attack_by_knight = 12320 in 0..=25000 step 1200;
    /// Threat bonus: a bishop attacks a rook or queen.
    attack_by_bishop = 2936 in 0..=25000 step 1200;
    /// Threat bonus: a rook attacks a queen.
    attack_by_rook = 7330 in 0..=25000 step 1200;
    /// Move ordering: bonus of a quiet check that loses at most a pawn by SEE, as a history score.
    check_bonus = 21937 in 0..=40000 step 2000;

    /// Histories: bonus per ply of depth.
    history_bonus_slope = 369 in 60..=400 step 20;
    /// Histories: maximum bonus.
    history_bonus_max = 1581 in 600..=3200 step 150;
    /// Histories: malus per ply of depth.
    history_malus_slope = 309 in 60..=500 step 20;
    /// Histories: maximum malus.
    history_malus_max = 981 in 500..=3200 step 150;

    /// Histories: malus of the opponent's last move for each centipawn that it lost by the evaluation.
    eval_history_slope = 6 in 0..=20 step 1;
    /// Histories: maximum of that malus, and of the bonus for a gain.
    eval_history_max = 600 in 100..=2000 step 100;

    /// Correction history: weight of the pawn structure, in 1024ths.
    correction_pawn = 52 in 0..=200 step 10;
    /// Correction history: weight of the minor pieces and kings, in 1024ths.
    correction_minor = 32 in 0..=200 step 10;
    /// Correction history: weight of each side's pieces, in 1024ths.
    correction_pieces = 121 in 0..=200 step 10;
    /// Correction history: weight of the last two moves, in 1024ths.
    correction_continuation = 98 in 0..=200 step 10;

    /// Quiescence search: futility margin on top of the captured piece, in centipawns.
    qs_futility = 334 in 50..=350 step 15;
    /// Quiescence search: allowed loss of a move by SEE, in centipawns.
    qs_see = 2 in 0..=120 step 8;
}

/// Features of the search. Tests switch them off to compare the rest with plain negamax; the labelling of training data switches off
/// pruning in PV nodes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Features {
    /// Use the transposition table.
    pub(crate) tt: bool,
    /// Let TT entries that are deeper than the node cut off. Their values are more precise than those of a
    /// search of the node's depth, but may differ from them.
    pub(crate) deeper_tt_cutoffs: bool,
    /// Score repetitions as draws. The value of a position then depends on the line, which the TT key does not
    /// include.
    pub(crate) repetitions: bool,
    /// Prune, reduce and extend. Without it, the result is that of plain alpha-beta with a check extension of
    /// one ply.
    pub(crate) selective: bool,
    /// Prune moves of PV nodes at low depth. Without it, values of shallow searches are precise, and games weaker.
    pub(crate) pv_pruning: bool,
}

impl Features {
    /// All features, as in games.
    pub(crate) const ALL: Features =
        Features { tt: true, deeper_tt_cutoffs: true, repetitions: true, selective: true, pv_pruning: true };
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
        assert_eq!(TUNABLES[0].name, "time_moves_to_go");
        assert_eq!(time_moves_to_go(), TUNABLES[0].default);
    }
}
