//! What the engine says, in the words of the UCI protocol.

use crate::log;
use std::fmt;
use std::io::{self, Write};
use tabiya_core::{Bound, Move};
use tabiya_search::{BestMove, Info, Score};

/// The name and version, as in `id name`.
pub(crate) const NAME: &str = concat!("Tabiya ", env!("CARGO_PKG_VERSION"));

/// The authors, as in `id author`.
pub(crate) const AUTHORS: &str = env!("CARGO_PKG_AUTHORS");

/// How castling is written: as "king takes rook" (`e1h1`) in Chess960, as the king's move of two
/// squares (`e1g1`) in ordinary chess.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Notation {
    pub(crate) chess960: bool,
}

/// An `info` line of a search.
pub(crate) struct InfoLine<'a> {
    pub(crate) info: &'a Info,
    pub(crate) notation: Notation,
    /// Tell the chances to win, draw and lose, too.
    pub(crate) wdl: bool,
}

impl fmt::Display for InfoLine<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let InfoLine { info, notation, wdl } = self;
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
        if *wdl {
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
        info.pv.iter().try_for_each(|&mv| write!(f, " {}", mv.to_uci(notation.chess960)))
    }
}

/// An `info` line that tells the root move being searched.
pub(crate) struct CurrentMoveLine {
    pub(crate) depth: u32,
    pub(crate) mv: Move,
    /// Its place in the order of moves, from 1.
    pub(crate) number: u32,
    pub(crate) notation: Notation,
}

impl fmt::Display for CurrentMoveLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mv = self.mv.to_uci(self.notation.chess960);
        write!(f, "info depth {} currmove {mv} currmovenumber {}", self.depth, self.number)
    }
}

/// The `bestmove` line that ends a search.
pub(crate) struct BestMoveLine(pub(crate) BestMove, pub(crate) Notation);

impl BestMoveLine {
    /// The answer where there is nothing to search.
    pub(crate) const NONE: BestMoveLine =
        BestMoveLine(BestMove { best: None, ponder: None }, Notation { chess960: false });
}

impl fmt::Display for BestMoveLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let BestMoveLine(answer, notation) = self;
        match answer.best {
            Some(mv) => write!(f, "bestmove {}", mv.to_uci(notation.chess960))?,
            None => f.write_str("bestmove 0000")?,
        }
        match answer.ponder {
            Some(mv) => write!(f, " ponder {}", mv.to_uci(notation.chess960)),
            None => Ok(()),
        }
    }
}

/// A line of a perft's divide: `e2e4: 20`.
pub(crate) struct DivideLine(pub(crate) Move, pub(crate) u64, pub(crate) Notation);

impl fmt::Display for DivideLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.0.to_uci(self.2.chess960), self.1)
    }
}

/// Writes lines and sends each on its way at once.
pub(crate) struct Output<W> {
    writer: W,
}

impl<W: Write> Output<W> {
    pub(crate) fn new(writer: W) -> Output<W> {
        Output { writer }
    }

    /// Writes a line, or several.
    pub(crate) fn line(&mut self, line: impl fmt::Display) -> io::Result<()> {
        // One write for each line, so that lines stay whole whatever else writes there.
        let text = format!("{line}\n");
        log::went(&text);
        self.writer.write_all(text.as_bytes())?;
        self.writer.flush()
    }

    /// Writes an `info string` for each line of `message`.
    pub(crate) fn info(&mut self, message: impl fmt::Display) -> io::Result<()> {
        let message = message.to_string();
        message.lines().try_for_each(|line| self.line(format_args!("info string {line}")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;
    use tabiya_movegen::Position;

    #[test]
    fn search_lines() {
        let position: Position = "4k3/8/8/8/8/8/8/4K2R w K - 0 1".parse().unwrap();
        let castle = position.parse_uci("e1g1").unwrap();
        let (chess, chess960) = (Notation { chess960: false }, Notation { chess960: true });
        let mut info = Info::new(5, Score::Centipawns(-12))
            .with_seldepth(9)
            .with_nodes(3000)
            .with_time(Duration::from_millis(1500))
            .with_hashfull(7)
            .with_pv(vec![castle]);
        assert_eq!(
            InfoLine { info: &info, notation: chess, wdl: false }.to_string(),
            "info depth 5 seldepth 9 multipv 1 score cp -12 nodes 3000 nps 2000 hashfull 7 time 1500 pv e1g1"
        );
        info.score = Score::Mate(3);
        info.bound = Bound::Lower;
        info.tb_hits = 5;
        assert_eq!(
            InfoLine { info: &info, notation: chess960, wdl: true }.to_string(),
            "info depth 5 seldepth 9 multipv 1 score mate 3 lowerbound wdl 0 1000 0 nodes 3000 nps 2000 \
             hashfull 7 tbhits 5 time 1500 pv e1h1"
        );
        let answer = BestMove { best: Some(castle), ponder: Some(castle) };
        assert_eq!(BestMoveLine(answer, chess).to_string(), "bestmove e1g1 ponder e1g1");
        assert_eq!(BestMoveLine(answer, chess960).to_string(), "bestmove e1h1 ponder e1h1");
        assert_eq!(BestMoveLine::NONE.to_string(), "bestmove 0000");
        let current = CurrentMoveLine { depth: 9, mv: castle, number: 2, notation: chess };
        assert_eq!(current.to_string(), "info depth 9 currmove e1g1 currmovenumber 2");
        assert_eq!(DivideLine(castle, 3, chess960).to_string(), "e1h1: 3");
    }

    #[test]
    fn messages_stay_on_info_lines() {
        let mut output = Output::new(Vec::new());
        output.info("one\ntwo").unwrap();
        assert_eq!(String::from_utf8(output.writer).unwrap(), "info string one\ninfo string two\n");
    }
}
