//! Playing worse on purpose, as people do.
//!
//! A weak player is not a strong one who throws a piece away now and then. Three things make him: he
//! looks at little, he misjudges what he sees, and of several moves that look alike he does not always
//! take the best. So [`Strength`] gives a search few nodes, [`Blurred`] adds to every evaluation an error
//! that stays the same for the same position, and [`Chooser`] takes one of the lines that seemed nearly
//! as good as the best. What the search has seen to lose material it does not play: mistakes come from
//! what was not seen.

use tabiya_core::{Bound, MATE_IN_MAX_PLY, Move, SplitMix64, Value};
use tabiya_eval::Evaluate;
use tabiya_movegen::Position;
use tabiya_search::{BestMove, Info, Limits, Score};

/// The weakest play, in Elo.
pub const MIN_ELO: u16 = 800;
/// The strongest limited play, in Elo.
pub const MAX_ELO: u16 = 2800;
/// The skill level at which nothing is limited.
pub const MAX_SKILL_LEVEL: u8 = 20;

/// How many lines the choice is made from.
const LINES: usize = 4;

/// What it takes to play at an Elo number.
struct Step {
    elo: u16,
    /// How many nodes a move may cost, for all lines together.
    nodes: u64,
    /// The largest error of an evaluation, in centipawns.
    blur: Value,
    /// How much worse than the best a line may look and still be played, in centipawns.
    slack: Value,
}

const fn step(elo: u16, nodes: u64, blur: Value, slack: Value) -> Step {
    Step { elo, nodes, blur, slack }
}

/// The way from the weakest play to the strongest; what lies between two steps is interpolated (nodes
/// by their logarithm).
///
/// The numbers follow from a fit to 1,104 games against skill levels of Stockfish 15.1, whose ratings are
/// known, and between neighbouring levels; `docs/strength.md` tells how far each may be off.
const STEPS: [Step; 11] = [
    step(800, 54, 270, 163),
    step(1000, 84, 227, 154),
    step(1200, 230, 147, 114),
    step(1400, 490, 102, 78),
    step(1600, 840, 77, 58),
    step(1800, 1_400, 62, 46),
    step(2000, 2_240, 48, 35),
    step(2200, 4_500, 37, 27),
    step(2400, 9_700, 28, 20),
    step(2600, 26_000, 16, 11),
    step(2800, 92_000, 10, 7),
];

/// How strong to play.
///
/// ```
/// use tabiya_play::Strength;
/// use tabiya_search::Limits;
///
/// let weak = Strength::from_elo(1000).limit(Limits::depth(20));
/// let strong = Strength::from_elo(2000).limit(Limits::depth(20));
/// assert!(weak.nodes < strong.nodes);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Strength {
    elo: u16,
}

impl Strength {
    /// Play at this Elo number, from [`MIN_ELO`] to [`MAX_ELO`]; what lies beyond is read as the nearest
    /// of the two.
    pub fn from_elo(elo: u16) -> Strength {
        Strength { elo: elo.clamp(MIN_ELO, MAX_ELO) }
    }

    /// Play at a level from 0, the weakest; `None` from [`MAX_SKILL_LEVEL`] on, where nothing is limited.
    pub fn from_skill_level(level: u8) -> Option<Strength> {
        let span = u32::from(MAX_ELO - MIN_ELO) * u32::from(level) / u32::from(MAX_SKILL_LEVEL);
        (level < MAX_SKILL_LEVEL).then(|| Strength::from_elo(MIN_ELO + span as u16))
    }

    /// The Elo number.
    pub fn elo(self) -> u16 {
        self.elo
    }

    /// The limits of a search at this strength: those given, with fewer nodes, and with several lines to
    /// choose from.
    pub fn limit(self, limits: Limits) -> Limits {
        let nodes = self.nodes();
        Limits {
            nodes: Some(limits.nodes.map_or(nodes, |most| most.min(nodes))),
            multipv: limits.multipv.max(LINES),
            ..limits
        }
    }

    fn nodes(self) -> u64 {
        let (below, above, share) = self.place();
        let (low, high) = ((below.nodes as f64).ln(), (above.nodes as f64).ln());
        (low + (high - low) * share).exp().round() as u64
    }

    fn blur(self) -> Value {
        let (below, above, share) = self.place();
        between(below.blur, above.blur, share)
    }

    fn slack(self) -> Value {
        let (below, above, share) = self.place();
        between(below.slack, above.slack, share)
    }

    /// The steps around this strength, and how far it is from the lower one to the upper.
    fn place(self) -> (&'static Step, &'static Step, f64) {
        let above = STEPS.iter().position(|step| step.elo >= self.elo).unwrap_or(STEPS.len() - 1).max(1);
        let (below, above) = (&STEPS[above - 1], &STEPS[above]);
        let share = f64::from(self.elo - below.elo) / f64::from(above.elo - below.elo);
        (below, above, share)
    }
}

fn between(low: Value, high: Value, share: f64) -> Value {
    low + (f64::from(high - low) * share).round() as Value
}

/// An evaluation that errs, each time in the same way about the same position, as a player does who has
/// not understood it.
///
/// ```
/// use tabiya_eval::{Evaluate, Evaluation};
/// use tabiya_movegen::Position;
/// use tabiya_play::{Blurred, Strength};
///
/// let start = Position::startpos();
/// let mut blurred = Blurred::new(Evaluation::Handcrafted.evaluator(), Strength::from_elo(800), 7);
/// assert_eq!(blurred.evaluate(&start), blurred.evaluate(&start));
/// ```
pub struct Blurred {
    inner: Box<dyn Evaluate>,
    blur: Value,
    seed: u64,
}

impl Blurred {
    /// Blurs an evaluation. Another seed errs otherwise.
    pub fn new(inner: Box<dyn Evaluate>, strength: Strength, seed: u64) -> Blurred {
        Blurred { inner, blur: strength.blur(), seed }
    }
}

impl Evaluate for Blurred {
    fn evaluate(&mut self, position: &Position) -> Value {
        let error = uniform(SplitMix64::hash(position.key() ^ self.seed), self.blur);
        let most = MATE_IN_MAX_PLY - 1;
        (self.inner.evaluate(position) + error).clamp(-most, most)
    }

    fn clear(&mut self) {
        self.inner.clear();
    }

    fn is_incremental(&self) -> bool {
        self.inner.is_incremental()
    }

    fn set_root(&mut self, root: &Position) {
        self.inner.set_root(root);
    }

    fn make_move(&mut self, before: &Position, mv: Move, after: &Position) {
        self.inner.make_move(before, mv, after);
    }

    fn make_null_move(&mut self, after: &Position) {
        self.inner.make_null_move(after);
    }

    fn unmake_move(&mut self) {
        self.inner.unmake_move();
    }
}

/// Listens to a search and chooses among its lines.
#[derive(Clone, Debug)]
pub struct Chooser {
    strength: Strength,
    seed: u64,
    /// The latest report of each line, the best first.
    lines: Vec<Info>,
}

impl Chooser {
    /// Chooses the same from the same lines for the same seed.
    pub fn new(strength: Strength, seed: u64) -> Chooser {
        Chooser { strength, seed, lines: Vec::new() }
    }

    /// Takes notice of a report.
    pub fn hear(&mut self, info: &Info) {
        let place = (info.multipv as usize).max(1) - 1;
        if info.bound == Bound::Exact && place <= self.lines.len() {
            self.lines.truncate(if place == 0 { 0 } else { self.lines.len() });
            match self.lines.get_mut(place) {
                Some(line) => *line = info.clone(),
                None => self.lines.push(info.clone()),
            }
        }
    }

    /// The move to play, where the search has found `answer`, and the line that goes with it if that is
    /// another one.
    pub fn choose(&self, answer: BestMove) -> (BestMove, Option<&Info>) {
        let Some(chosen) = self.choose_line() else { return (answer, None) };
        let first = |info: &Info| info.pv.first().copied();
        let mv: Option<Move> = first(chosen);
        if mv.is_none() || mv == answer.best {
            return (answer, None);
        }
        (BestMove { best: mv, ponder: chosen.pv.get(1).copied() }, Some(chosen))
    }

    fn choose_line(&self) -> Option<&Info> {
        let best = self.lines.first()?;
        // Somebody who has seen a mate gives it, and does not run into one.
        let Score::Centipawns(most) = best.score else { return Some(best) };
        let slack = self.strength.slack();
        let likings = self.lines.iter().enumerate().filter_map(|(number, info)| match info.score {
            Score::Centipawns(value) if most - value <= slack => {
                let mood = SplitMix64::hash(self.seed ^ SplitMix64::hash(number as u64 + 1) ^ info.nodes);
                Some((value + uniform(mood, slack), info))
            }
            _ => None,
        });
        // Of equal ones the first, which is the better.
        likings.reduce(|best, next| if next.0 > best.0 { next } else { best }).map(|(_, info)| info)
    }
}

/// A number from `-most` to `most`, each as likely as any other.
fn uniform(random: u64, most: Value) -> Value {
    let span = 2 * u64::from(most.unsigned_abs()) + 1;
    (random % span) as Value - most
}

#[cfg(test)]
mod tests {
    use super::*;
    use tabiya_eval::Evaluation;
    use tabiya_movegen::Game;
    use tabiya_search::{Engine, Options, SearchEvent};

    #[test]
    fn more_elo_is_more_of_everything() {
        let all: Vec<Strength> = (MIN_ELO..=MAX_ELO).map(Strength::from_elo).collect();
        assert_eq!((all[0].nodes(), all[0].blur(), all[0].slack()), (54, 270, 163));
        for pair in all.windows(2) {
            assert!(pair[0].nodes() <= pair[1].nodes(), "{pair:?}");
            assert!(pair[0].blur() >= pair[1].blur() && pair[0].slack() >= pair[1].slack(), "{pair:?}");
        }
        assert_eq!(Strength::from_elo(0), all[0]);
        assert_eq!(Strength::from_elo(u16::MAX).elo(), MAX_ELO);
        assert_eq!(Strength::from_skill_level(0), Some(all[0]));
        assert_eq!(Strength::from_skill_level(19).map(Strength::elo), Some(2700));
        assert_eq!(Strength::from_skill_level(20), None);
    }

    fn play(elo: u16, seed: u64, game: &Game) -> (Info, BestMove) {
        let strength = Strength::from_elo(elo);
        let mut engine = Engine::new(Options { hash_mb: 1, ..Options::default() }).expect("a megabyte");
        engine.set_evaluator(move || {
            Box::new(Blurred::new(Evaluation::Handcrafted.evaluator(), strength, seed))
        });
        let mut chooser = Chooser::new(strength, seed);
        let search = engine.go(game, strength.limit(Limits::default()));
        for event in search.events() {
            match event {
                SearchEvent::Info(info) => chooser.hear(&info),
                SearchEvent::CurrentMove { .. } => {}
                SearchEvent::BestMove(answer) => {
                    return (chooser.lines[0].clone(), chooser.choose(answer).0);
                }
            }
        }
        panic!("no answer")
    }

    #[test]
    fn the_same_seed_plays_the_same_and_others_differ() {
        let game = Game::new();
        let answers: Vec<_> = (0..12).map(|seed| play(800, seed, &game).1.best).collect();
        for (seed, &answer) in answers.iter().enumerate().take(3) {
            assert_eq!(play(800, seed as u64, &game).1.best, answer, "seed {seed}");
        }
        assert!(answers.iter().any(|&answer| answer != answers[0]), "{answers:?}");
        assert!(answers.iter().all(|answer| answer.is_some_and(|mv| game.position().is_legal(mv))));
    }

    #[test]
    fn a_piece_is_taken_and_a_mate_given_at_any_strength() {
        // A queen stands to be taken by a pawn; the back rank is open.
        for (fen, wanted) in [
            ("4k3/pp3ppp/8/8/3q4/4P3/PP3PPP/4K3 w - - 0 1", "e3d4"),
            ("6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1", "a1a8"),
        ] {
            let game = Game::from_position(fen.parse().expect("a position"));
            for seed in 0..8 {
                let best = play(800, seed, &game).1.best.map(|mv| mv.to_uci(false).to_string());
                assert_eq!(best.as_deref(), Some(wanted), "{fen}, seed {seed}");
            }
        }
    }

    #[test]
    fn the_choice_keeps_to_the_slack() {
        let strength = Strength::from_elo(800);
        let start = Position::startpos();
        let moves: Vec<Move> = start.legal_moves().into_iter().collect();
        let info = |number: u32, score| Info {
            depth: 1,
            seldepth: 1,
            multipv: number,
            score,
            bound: Bound::Exact,
            wdl: tabiya_search::Wdl { win: 0, draw: 1000, loss: 0 },
            nodes: 100,
            time: std::time::Duration::ZERO,
            hashfull: 0,
            tb_hits: 0,
            pv: vec![moves[number as usize]],
        };
        let mut chosen = std::collections::HashSet::new();
        for seed in 0..200 {
            let mut chooser = Chooser::new(strength, seed);
            for (number, value) in [(1, 50), (2, 40), (3, -50), (4, -400)] {
                chooser.hear(&info(number, Score::Centipawns(value)));
            }
            let answer = BestMove { best: Some(moves[1]), ponder: None };
            chosen.extend(chooser.choose(answer).0.best);
        }
        assert!(chosen.contains(&moves[1]) && chosen.contains(&moves[2]));
        assert!(!chosen.contains(&moves[4]), "a piece is not given away");
        let mut chooser = Chooser::new(strength, 3);
        chooser.hear(&info(1, Score::Mate(2)));
        chooser.hear(&info(2, Score::Centipawns(900)));
        let answer = BestMove { best: Some(moves[1]), ponder: None };
        assert_eq!(chooser.choose(answer).0, answer);
    }
}
