//! The content of `info` lines.

use std::iter::Peekable;
use std::str::FromStr;
use std::time::Duration;

/// A `score`, from the point of view of the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "kebab-case"))]
pub enum InfoScore {
    /// Centipawns.
    Centipawns(i32),
    /// Mate in this many moves; negative if the side to move is mated, 0 if it is checkmated already.
    Mate(i32),
}

impl InfoScore {
    /// Returns the score as one number for comparison: centipawns clamped to ±20000, or ±(30000 - n) for
    /// a mate in n.
    pub fn centipawns(self) -> i32 {
        const MATE: i32 = 30_000;
        const MAX: i32 = 20_000;
        match self {
            InfoScore::Centipawns(value) => value.clamp(-MAX, MAX),
            InfoScore::Mate(moves) if moves > 0 => MATE - moves.min(1000),
            InfoScore::Mate(moves) => -MATE - moves.max(-1000),
        }
    }
}

/// A `wdl`: the expected results in permille, from the point of view of the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct InfoWdl {
    /// Wins.
    pub win: u32,
    /// Draws.
    pub draw: u32,
    /// Losses.
    pub loss: u32,
}

/// The kind of a score.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "kebab-case"))]
pub enum Bound {
    /// The exact score.
    #[default]
    Exact,
    /// A lower bound (fail high).
    Lower,
    /// An upper bound (fail low).
    Upper,
}

/// An `info` line, parsed leniently: malformed fields are ignored.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Info {
    /// `depth`.
    pub depth: Option<u32>,
    /// `seldepth`.
    pub seldepth: Option<u32>,
    /// `multipv`.
    pub multipv: Option<u32>,
    /// `score`.
    pub score: Option<InfoScore>,
    /// `lowerbound` or `upperbound`.
    pub bound: Bound,
    /// `wdl`, which engines write after the score if their option `UCI_ShowWDL` is on.
    pub wdl: Option<InfoWdl>,
    /// `nodes`.
    pub nodes: Option<u64>,
    /// `time`, which UCI gives in milliseconds.
    pub time: Option<Duration>,
    /// `nps`.
    pub nps: Option<u64>,
    /// `hashfull`, in permille.
    pub hashfull: Option<u32>,
    /// `tbhits`: the number of positions found in tablebases.
    pub tb_hits: Option<u64>,
    /// `currmove`: the root move that is being searched.
    pub current_move: Option<String>,
    /// `currmovenumber`: the number of that move, from 1.
    pub current_move_number: Option<u32>,
    /// `pv`.
    pub pv: Vec<String>,
    /// `string`: the rest of the line, with single spaces between its words.
    pub string: Option<String>,
}

impl Info {
    /// Parses a line; `None` if it does not start with `info`.
    pub fn parse(line: &str) -> Option<Info> {
        let mut words = line.split_ascii_whitespace().peekable();
        if words.next() != Some("info") {
            return None;
        }
        let mut info = Info::default();
        while let Some(word) = words.next() {
            match word {
                "depth" => info.depth = number(&mut words).or(info.depth),
                "seldepth" => info.seldepth = number(&mut words).or(info.seldepth),
                "multipv" => info.multipv = number(&mut words).or(info.multipv),
                "nodes" => info.nodes = number(&mut words).or(info.nodes),
                "nps" => info.nps = number(&mut words).or(info.nps),
                "hashfull" => info.hashfull = number(&mut words).or(info.hashfull),
                "tbhits" => info.tb_hits = number(&mut words).or(info.tb_hits),
                "currmovenumber" => {
                    info.current_move_number = number(&mut words).or(info.current_move_number);
                }
                "currmove" => {
                    let mv = words.next_if(|word| is_move_like(word)).map(str::to_owned);
                    info.current_move = mv.or(info.current_move);
                }
                "wdl" => info.wdl = wdl(&mut words).or(info.wdl),
                "time" => info.time = number(&mut words).map(Duration::from_millis).or(info.time),
                "lowerbound" => info.bound = Bound::Lower,
                "upperbound" => info.bound = Bound::Upper,
                "score" => {
                    let score = match words.next_if(|&word| matches!(word, "cp" | "mate")) {
                        Some("cp") => number(&mut words).map(InfoScore::Centipawns),
                        Some(_) => number(&mut words).map(InfoScore::Mate),
                        None => None,
                    };
                    info.score = score.or(info.score);
                }
                "pv" => {
                    while let Some(mv) = words.next_if(|word| is_move_like(word)) {
                        info.pv.push(mv.to_owned());
                    }
                }
                "string" => info.string = Some(words.by_ref().collect::<Vec<_>>().join(" ")),
                _ => {}
            }
        }
        Some(info)
    }
}

/// Takes the next word if it is a number.
fn number<'a, T: FromStr>(words: &mut Peekable<impl Iterator<Item = &'a str>>) -> Option<T> {
    let number = words.peek()?.parse().ok()?;
    words.next();
    Some(number)
}

/// Takes three numbers.
fn wdl<'a>(words: &mut Peekable<impl Iterator<Item = &'a str>>) -> Option<InfoWdl> {
    let (win, draw, loss) = (number(words)?, number(words)?, number(words)?);
    Some(InfoWdl { win, draw, loss })
}

/// Returns true if the word has the form of a UCI move, to find the end of a PV.
fn is_move_like(word: &str) -> bool {
    let bytes = word.as_bytes();
    word == "0000"
        || matches!(bytes.len(), 4 | 5)
            && bytes[0].is_ascii_lowercase()
            && bytes[1].is_ascii_digit()
            && bytes[2].is_ascii_lowercase()
            && bytes[3].is_ascii_digit()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parses_a_full_info_line() {
        let line = "info depth 12 seldepth 18 multipv 1 score cp -31 wdl 300 500 200 nodes 5021 nps 1000000 hashfull 7 \
                    tbhits 3 time 53 pv e2e4 e7e5 g1f3";
        let info = Info::parse(line).unwrap();
        assert_eq!((info.depth, info.seldepth, info.multipv), (Some(12), Some(18), Some(1)));
        assert_eq!((info.score, info.bound), (Some(InfoScore::Centipawns(-31)), Bound::Exact));
        assert_eq!((info.nodes, info.nps, info.hashfull), (Some(5021), Some(1_000_000), Some(7)));
        assert_eq!(info.wdl, Some(InfoWdl { win: 300, draw: 500, loss: 200 }));
        assert_eq!((info.time, info.tb_hits), (Some(Duration::from_millis(53)), Some(3)));
        assert_eq!(info.pv, ["e2e4", "e7e5", "g1f3"]);
        let info = Info::parse("info depth 3 currmove a7a8q currmovenumber 12").unwrap();
        assert_eq!((info.current_move.as_deref(), info.current_move_number), (Some("a7a8q"), Some(12)));
        let info = Info::parse("info depth 3 string  NNUE evaluation using\tnn.bin ").unwrap();
        assert_eq!((info.depth, info.string.as_deref()), (Some(3), Some("NNUE evaluation using nn.bin")));
    }

    #[test]
    fn ignores_malformed_fields() {
        assert_eq!(Info::parse("bestmove e2e4"), None);
        assert_eq!(Info::parse("info"), Some(Info::default()));
        let info = Info::parse("info depth x score mate -3 upperbound nodes -5 pv e7e8q depth 4").unwrap();
        assert_eq!((info.depth, info.nodes), (Some(4), None));
        assert_eq!((info.score, info.bound), (Some(InfoScore::Mate(-3)), Bound::Upper));
        assert_eq!(info.pv, ["e7e8q"]);
        let string = Some("score cp 5 depth 3".to_owned());
        let expected = Info { string, ..Info::default() };
        assert_eq!(Info::parse("info string score cp 5 depth 3"), Some(expected));
        assert_eq!(Info::parse("info string").unwrap().string.as_deref(), Some(""));
        let line = "info wdl 1 2 tbhits x currmove depth 4 wdl -1 2 3 currmovenumber currmove Nf3 wdl";
        assert_eq!(Info::parse(line), Some(Info { depth: Some(4), ..Info::default() }));
        assert_eq!(Info::parse("info wdl 1 2 3 wdl 4 5").unwrap().wdl.map(|wdl| wdl.loss), Some(3));
        assert_eq!(Info::parse("info score").unwrap().score, None);
        let info = Info::parse("info depth 5 score cp 7 time 3 score cp 1.5 depth time - score").unwrap();
        assert_eq!((info.depth, info.score), (Some(5), Some(InfoScore::Centipawns(7))));
        assert_eq!(info.time, Some(Duration::from_millis(3)));
        assert_eq!(Info::parse("info nodes depth 5").unwrap().depth, Some(5));
    }

    #[test]
    fn mates_sort_beyond_centipawns() {
        let order = [
            InfoScore::Mate(-1),
            InfoScore::Mate(-9),
            InfoScore::Centipawns(i32::MIN),
            InfoScore::Centipawns(0),
            InfoScore::Centipawns(25_000),
            InfoScore::Mate(9),
            InfoScore::Mate(1),
        ];
        assert!(order.windows(2).all(|pair| pair[0].centipawns() < pair[1].centipawns()));
    }
}
