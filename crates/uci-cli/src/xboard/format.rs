//! Formatting of xboard protocol lines.

use crate::options;
use crate::version::NAME;
use std::fmt;
use tabiya_core::{Bound, Color, Move};
use tabiya_movegen::{DrawReason, Outcome, Position, WinReason};
use tabiya_search::{Info, Score};

/// The `feature` lines of the answer to `protover`. `debug=1` makes lines that begin with `#` comments.
/// Without it, GUIs search them for keywords, and any `Draw` ends the game.
pub(super) fn features() -> String {
    format!(
        "feature done=0\n\
         feature ping=1 setboard=1 playother=1 san=0 usermove=1 time=1 draw=1 sigint=0 sigterm=1\n\
         feature reuse=1 analyze=1 colors=0 name=1 memory=1 smp=1 nps=0 debug=1 pause=0 ics=0 exclude=0\n\
         feature myname=\"{NAME}\" variants=\"normal,fischerandom\"\n\
         feature egt=\"syzygy\"\n\
         {}feature done=1",
        options::xboard_features()
    )
}

/// A move in coordinates; in Chess960, castling is `O-O` or `O-O-O`.
pub(super) struct MoveText {
    pub(super) mv: Move,
    pub(super) chess960: bool,
}

impl fmt::Display for MoveText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.chess960 && self.mv.is_castle() {
            // In coordinates, castling can look like a king move.
            return f.write_str(if self.mv.to() > self.mv.from() { "O-O" } else { "O-O-O" });
        }
        self.mv.to_uci(false).fmt(f)
    }
}

/// A line of thinking output: `ply score time nodes seldepth speed [tbhits] <tab> line`. The score is
/// in centipawns, or 100000 + N for mate in N moves. The time is in centiseconds.
pub(super) struct ThinkingLine<'a> {
    pub(super) info: &'a Info,
    pub(super) root: &'a Position,
}

impl fmt::Display for ThinkingLine<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let info = self.info;
        let centiseconds = info.time.as_millis() / 10;
        write!(f, "{} {} {centiseconds} {}", info.depth, score(info.score), info.nodes)?;
        write!(f, " {} {}", info.seldepth, info.nps())?;
        if info.tb_hits > 0 {
            write!(f, " {}", info.tb_hits)?;
        }
        f.write_str("\t")?;
        let mut position = self.root.clone();
        for (index, &mv) in info.pv.iter().enumerate() {
            let Ok(next) = position.play(mv) else { break };
            write!(f, "{}{}", if index == 0 { "" } else { " " }, position.san(mv))?;
            position = next;
        }
        f.write_str(match info.bound {
            Bound::Exact => "",
            Bound::Lower => "!",
            Bound::Upper => "?",
        })
    }
}

fn score(score: Score) -> i32 {
    const MATE: i32 = 100_000;
    match score {
        Score::Centipawns(value) => value,
        Score::Mate(moves) if moves > 0 => MATE + moves,
        Score::Mate(moves) => moves - MATE,
    }
}

/// The result of a game: `1-0 {White mates}`.
pub(super) struct ResultLine(pub(super) Outcome);

impl fmt::Display for ResultLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {{", self.0.result())?;
        match self.0 {
            Outcome::Win { winner, reason: WinReason::Checkmate } => {
                write!(f, "{} mates", if winner == Color::White { "White" } else { "Black" })
            }
            Outcome::Win { reason, .. } => reason.fmt(f),
            Outcome::Draw { reason } => match reason {
                DrawReason::Stalemate => f.write_str("Stalemate"),
                DrawReason::DeadPosition => f.write_str("Draw by insufficient mating material"),
                DrawReason::Repetition | DrawReason::FivefoldRepetition => f.write_str("Draw by repetition"),
                DrawReason::FiftyMoves | DrawReason::SeventyFiveMoves => {
                    f.write_str("Draw by fifty-move rule")
                }
                reason => write!(f, "Draw by {reason}"),
            },
            outcome => outcome.fmt(f),
        }?;
        f.write_str("}")
    }
}

/// A line with an error message that may quote the operating system or the input.
///
/// XBoard takes any line with one of a few phrases for the message of a remote shell that could not start the
/// engine, and then ignores the engine. The match is case-sensitive, so the first letter of these phrases is
/// changed.
pub(super) struct ErrorLine<T>(pub(super) T);

impl<T: fmt::Display> fmt::Display for ErrorLine<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const REMOTE_SHELL_ERRORS: [(&str, &str); 6] = [
            ("No such file", "no such file"),
            ("not found", "Not found"),
            ("Permission denied", "permission denied"),
            ("unknown host", "Unknown host"),
            ("No remote directory", "no remote directory"),
            ("can't alloc", "Can't alloc"),
        ];
        let text = self.0.to_string();
        f.write_str(
            &REMOTE_SHELL_ERRORS.iter().fold(text, |text, (phrase, other)| text.replace(phrase, other)),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn formats_castling_in_both_variants() {
        let position: Position = "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1".parse().unwrap();
        let text =
            |mv: &str, chess960| MoveText { mv: position.parse_uci(mv).unwrap(), chess960 }.to_string();
        assert_eq!((text("e1g1", false), text("e1g1", true)), ("e1g1".to_owned(), "O-O".to_owned()));
        assert_eq!((text("e1c1", false), text("e1c1", true)), ("e1c1".to_owned(), "O-O-O".to_owned()));
        assert_eq!(text("e1f1", true), "e1f1");
    }

    #[test]
    fn formats_thinking_output() {
        let root: Position = "4k3/8/8/8/8/8/8/4K2R w K - 0 1".parse().unwrap();
        let castle = root.parse_uci("e1g1").unwrap();
        let mut info = Info::new(5, Score::Centipawns(-12))
            .with_seldepth(9)
            .with_nodes(3000)
            .with_time(Duration::from_millis(1500))
            .with_hashfull(7)
            .with_tb_hits(4)
            .with_pv(vec![castle, root.play(castle).unwrap().parse_uci("e8e7").unwrap()]);
        let line = |info: &Info| ThinkingLine { info, root: &root }.to_string();
        assert_eq!(line(&info), "5 -12 150 3000 9 2000 4\tO-O Ke7");
        info.tb_hits = 0;
        assert_eq!(line(&info), "5 -12 150 3000 9 2000\tO-O Ke7");
        info.score = Score::Mate(3);
        assert!(line(&info).starts_with("5 100003 "));
        info.score = Score::Mate(-2);
        assert!(line(&info).starts_with("5 -100002 "));
    }

    #[test]
    fn errors_avoid_remote_shell_phrases() {
        let text = |line: &str| ErrorLine(line).to_string();
        assert_eq!(text("# /a: No such file or directory"), "# /a: no such file or directory");
        assert_eq!(text("Error (unknown): not found not found"), "Error (unknown): Not found Not found");
        assert_eq!(text("# /nowhere: Not a directory"), "# /nowhere: Not a directory");
    }

    #[test]
    fn formats_results() {
        let text = |outcome| ResultLine(outcome).to_string();
        let mate = Outcome::Win { winner: Color::Black, reason: WinReason::Checkmate };
        assert_eq!(text(mate), "0-1 {Black mates}");
        assert_eq!(text(Outcome::Draw { reason: DrawReason::Stalemate }), "1/2-1/2 {Stalemate}");
        let fifty = Outcome::Draw { reason: DrawReason::FiftyMoves };
        assert_eq!(text(fifty), "1/2-1/2 {Draw by fifty-move rule}");
    }
}
