//! The moves that a player considers.

use crate::opening_prior::popular_moves;
use crate::oversight::{Oversight, is_attacked_by_bare_king};
use crate::random::gumbel;
use crate::strength::Strength;
use tabiya_core::{Move, SplitMix64};
use tabiya_movegen::Game;
use tabiya_search::MoveFilter;

/// The number of moves considered in the opening.
const OPENING_CANDIDATES: usize = 4;
/// The number of popular moves below which a position counts as unknown: a single one may be popular by transposition only, and
/// has no alternative to compare it with.
const MIN_POPULAR_MOVES: usize = 2;
/// The share of the popular moves below which a strong player does not consider one.
const MIN_SHARE: f64 = 0.03;
/// The Elo from which `MIN_SHARE` applies.
const MIN_SHARE_ELO: u16 = 1600;
/// The probability that a player does not even consider to take back the last move, in per cent.
const TAKE_BACKS_DISMISSED: u64 = 80;
/// The preference for a move that was planned, in units of the spread.
const PLAN_PREFERENCE: f64 = 2.0;

/// A move that a player considers.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Candidate {
    pub(super) mv: Move,
    /// The logarithm of its prior weight, relative to other candidates, with Gumbel noise.
    pub(super) preference: f64,
}

/// Returns the moves that a player considers: in known openings some that people play there, otherwise the moves that the player
/// does not overlook. Never empty if there is a legal move.
pub(super) fn candidates(
    game: &Game,
    strength: Strength,
    oversight: &Oversight,
    planned: Option<Move>,
    seed: u64,
) -> Vec<Candidate> {
    let random = |mv: Move| SplitMix64::hash(seed ^ SplitMix64::hash(u64::from(mv.to_bits())));
    let opening = opening_candidates(game, strength, random);
    if !opening.is_empty() {
        return opening;
    }
    let candidate = |mv| {
        let plan = if Some(mv) == planned { PLAN_PREFERENCE } else { 0.0 };
        Candidate { mv, preference: gumbel(random(mv)) + plan }
    };
    let position = game.position();
    let legal = position.legal_moves();
    let dismisses_take_back = SplitMix64::hash(seed) % 100 < TAKE_BACKS_DISMISSED;
    let sees_all = position.in_check() || is_attacked_by_bare_king(position);
    let considered: Vec<Candidate> = legal
        .iter()
        .copied()
        .filter(|&mv| sees_all || Some(mv) == planned || oversight.sees(position, mv, 0))
        .filter(|&mv| !(dismisses_take_back && is_take_back(game, mv)))
        .map(candidate)
        .collect();
    if considered.is_empty() { legal.into_iter().map(candidate).collect() } else { considered }
}

/// Returns a random choice among the moves that people play in a known opening position.
fn opening_candidates(game: &Game, strength: Strength, random: impl Fn(Move) -> u64) -> Vec<Candidate> {
    let min_share = if strength.elo() < MIN_SHARE_ELO { 0.0 } else { MIN_SHARE };
    let shares = popular_moves(game);
    if shares.len() < MIN_POPULAR_MOVES {
        return Vec::new();
    }
    let mut candidates: Vec<Candidate> = shares
        .into_iter()
        .filter(|&(_, share)| share >= min_share)
        .map(|(mv, share)| Candidate { mv, preference: share.ln() + gumbel(random(mv)) })
        .collect();
    candidates.sort_by(|a, b| b.preference.total_cmp(&a.preference));
    candidates.truncate(OPENING_CANDIDATES);
    candidates
}

/// Returns true if the move takes back the same side's last one without need: not to capture, not out of check, and not to
/// save the piece.
fn is_take_back(game: &Game, mv: Move) -> bool {
    let position = game.position();
    let moves = game.moves();
    let Some(last) = moves.len().checked_sub(2).map(|index| moves[index]) else { return false };
    mv.from() == last.to()
        && mv.to() == last.from()
        && mv.is_quiet()
        && !position.in_check()
        && !position.is_attacked(mv.from(), !position.side_to_move())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashMap;
    use tabiya_movegen::Position;

    fn game(moves: &[&str]) -> Game {
        let mut game = Game::new();
        for mv in moves {
            game.play_uci(mv).expect("a legal move");
        }
        game
    }

    fn count(game: &Game, elo: u16, mv: &str) -> usize {
        let strength = Strength::from_elo(elo);
        let considered = |seed: u64| candidates(game, strength, &Oversight::new(strength, seed), None, seed);
        let is = |candidate: &Candidate| candidate.mv.to_uci(false).to_string() == mv;
        (0..200).filter(|&seed| considered(seed).iter().any(is)).count()
    }

    #[test]
    fn openings_are_those_of_people() {
        let mut first: HashMap<String, usize> = HashMap::new();
        for seed in 0..300 {
            let strength = Strength::from_elo(1200);
            let moves = candidates(&Game::new(), strength, &Oversight::new(strength, seed), None, seed);
            *first.entry(moves[0].mv.to_uci(false).to_string()).or_default() += 1;
        }
        assert!(first["e2e4"] > 100 && first["d2d4"] > 30 && first["e2e4"] > first["d2d4"], "{first:?}");
    }

    #[test]
    fn last_move_is_rarely_taken_back() {
        // 1. h4 a5 2. Rh3 h6 is no known opening.
        let quiet = game(&["h2h4", "a7a5", "h1h3", "h7h6"]);
        let back = count(&quiet, 1500, "h3h1");
        assert!((1..=60).contains(&back), "{back} of 200");
    }

    #[test]
    fn attacked_piece_may_go_back() {
        // The knight on g5 is attacked by the pawn.
        let attacked = game(&["g1f3", "a7a5", "f3g5", "h7h6"]);
        let mv =
            attacked.position().legal_moves().into_iter().find(|m| m.to_uci(false).to_string() == "g5f3");
        assert!(!is_take_back(&attacked, mv.expect("a legal move")));
    }

    #[test]
    fn there_is_always_a_candidate() {
        let position = "7k/8/8/8/8/8/r7/7K w - - 0 1".parse().expect("a position");
        let game = Game::from_position(position);
        let strength = Strength::from_elo(800);
        for seed in 0..500 {
            assert!(!candidates(&game, strength, &Oversight::new(strength, seed), None, seed).is_empty());
        }
    }

    #[test]
    fn every_way_to_save_a_piece_from_a_bare_king_is_considered() {
        for (fen, is_attacked) in
            [("8/8/8/8/3R4/2k5/5K2/8 w - - 0 1", true), ("8/8/8/8/7R/2k5/5K2/8 w - - 0 1", false)]
        {
            let position: Position = fen.parse().expect("a position");
            let legal = position.legal_moves().len();
            let game = Game::from_position(position);
            let strength = Strength::from_elo(1200);
            let is_complete = |seed: &u64| {
                candidates(&game, strength, &Oversight::new(strength, *seed), None, *seed).len() == legal
            };
            assert_eq!((0..50).all(|seed| is_complete(&seed)), is_attacked, "{fen}");
        }
    }
}
