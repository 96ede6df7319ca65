//! Formatting of `info` and `bestmove` lines.
//!
//! Castling is written as the king's move of two squares (`e1g1`), or with `chess960` as king takes rook
//! (`e1h1`).

use std::fmt;
use tabiya_core::{Bound, Move};
use tabiya_search::{BestMove, Info, Score};

/// An `info` line of a search.
pub(super) struct InfoLine<'a> {
    pub(super) info: &'a Info,
    pub(super) chess960: bool,
    /// Include win, draw and loss probabilities.
    pub(super) show_wdl: bool,
}

impl fmt::Display for InfoLine<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let InfoLine { info, chess960, show_wdl } = self;
        write!(f, "info depth {}", info.depth)?;
        if info.depth > 0 {
            write!(f, " seldepth {} multipv {}", info.seldepth, info.multipv)?;
        }
        match info.score {
            Score::Centipawns(value) => write!(f, " score cp {value}")?,
            Score::Mate(moves) => write!(f, " score mate {moves}")?,
        }
        match info.bound {
            Bound::Exact => {}
            Bound::Lower => f.write_str(" lowerbound")?,
            Bound::Upper => f.write_str(" upperbound")?,
        }
        if *show_wdl {
            write!(f, " wdl {} {} {}", info.wdl.win, info.wdl.draw, info.wdl.loss)?;
        }
        write!(f, " nodes {} nps {}", info.nodes, info.nps())?;
        write!(f, " hashfull {}", info.hashfull)?;
        if info.tb_hits > 0 {
            write!(f, " tbhits {}", info.tb_hits)?;
        }
        write!(f, " time {}", info.time.as_millis())?;
        if !info.pv.is_empty() {
            f.write_str(" pv")?;
        }
        info.pv.iter().try_for_each(|&mv| write!(f, " {}", mv.to_uci(*chess960)))
    }
}

/// An `info currmove` line.
pub(super) struct CurrentMoveLine {
    pub(super) depth: u32,
    pub(super) mv: Move,
    /// Index among the root moves, from 1.
    pub(super) number: u32,
    pub(super) chess960: bool,
}

impl fmt::Display for CurrentMoveLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mv = self.mv.to_uci(self.chess960);
        write!(f, "info depth {} currmove {mv} currmovenumber {}", self.depth, self.number)
    }
}

/// A `bestmove` line.
pub(super) struct BestMoveLine {
    pub(super) answer: BestMove,
    pub(super) chess960: bool,
}

impl BestMoveLine {
    /// The answer if there is nothing to search.
    pub(super) const NONE: BestMoveLine =
        BestMoveLine { answer: BestMove { best: None, ponder: None }, chess960: false };
}

impl fmt::Display for BestMoveLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let BestMoveLine { answer, chess960 } = self;
        match answer.best {
            Some(mv) => write!(f, "bestmove {}", mv.to_uci(*chess960))?,
            None => f.write_str("bestmove 0000")?,
        }
        match answer.ponder {
            Some(mv) => write!(f, " ponder {}", mv.to_uci(*chess960)),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;
    use tabiya_movegen::Position;

    #[test]
    fn formats_lines_of_a_search() {
        let position: Position = "4k3/8/8/8/8/8/8/4K2R w K - 0 1".parse().unwrap();
        let castle = position.parse_uci("e1g1").unwrap();
        let mut info = Info::new(5, Score::Centipawns(-12))
            .with_seldepth(9)
            .with_nodes(3000)
            .with_time(Duration::from_millis(1500))
            .with_hashfull(7)
            .with_pv(vec![castle]);
        assert_eq!(
            InfoLine { info: &info, chess960: false, show_wdl: false }.to_string(),
            "info depth 5 seldepth 9 multipv 1 score cp -12 nodes 3000 nps 2000 hashfull 7 time 1500 pv e1g1"
        );
        info.score = Score::Mate(3);
        info.bound = Bound::Lower;
        info.tb_hits = 5;
        assert_eq!(
            InfoLine { info: &info, chess960: true, show_wdl: true }.to_string(),
            "info depth 5 seldepth 9 multipv 1 score mate 3 lowerbound wdl 0 1000 0 nodes 3000 nps 2000 \
             hashfull 7 tbhits 5 time 1500 pv e1h1"
        );
        let answer = BestMove { best: Some(castle), ponder: Some(castle) };
        assert_eq!(BestMoveLine { answer, chess960: false }.to_string(), "bestmove e1g1 ponder e1g1");
        assert_eq!(BestMoveLine { answer, chess960: true }.to_string(), "bestmove e1h1 ponder e1h1");
        assert_eq!(BestMoveLine::NONE.to_string(), "bestmove 0000");
        let current = CurrentMoveLine { depth: 9, mv: castle, number: 2, chess960: false };
        assert_eq!(current.to_string(), "info depth 9 currmove e1g1 currmovenumber 2");
    }
}
