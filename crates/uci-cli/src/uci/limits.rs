//! Conversion of a `go` command to search limits.

use super::command::Go;
use std::time::Duration;
use tabiya_movegen::Position;
use tabiya_search::{Clock, Limits};

/// The time for a move if no given limit could be parsed.
const FALLBACK_MOVETIME: Duration = Duration::from_secs(1);

/// The limits that a `go` command sets for a given position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Request {
    pub(crate) limits: Limits,
    /// Parameters that were dropped or replaced, with the reason.
    pub(crate) notices: Vec<String>,
}

/// Converts the parameters for the side to move in `root`.
///
/// If limits were given but none could be parsed, the search takes one second rather than forever. If only
/// the opponent's clock is given, it is used for both sides. If `searchmoves` has no legal move, all are searched.
pub(crate) fn request(go: &Go, root: &Position) -> Request {
    let mut notices = Vec::new();
    let mut limits = Limits::default()
        .with_depth(go.depth)
        .with_nodes(go.nodes)
        .with_movetime(go.movetime.map(Duration::from_millis))
        .with_mate(go.mate)
        .with_infinite(go.infinite)
        .with_ponder(go.ponder);
    let (us, them) = (root.side_to_move().index(), (!root.side_to_move()).index());
    if go.time[us].is_none() && go.time[them].is_some() {
        notices.push("no time for the side to move; using the opponent's".to_owned());
    }
    limits.clock = go.time[us].or(go.time[them]).map(|remaining| {
        let increment = go.increment[us].unwrap_or(0);
        Clock::from_millis(remaining, increment).with_moves_to_go(go.moves_to_go)
    });
    if go.has_bad_limit && !go.has_limit() {
        notices.push(format!("no valid limit; searching for {} ms", FALLBACK_MOVETIME.as_millis()));
        limits.movetime = Some(FALLBACK_MOVETIME);
    }
    if let Some(moves) = &go.search_moves {
        for &mv in moves {
            match root.resolve_uci(mv) {
                Ok(mv) if limits.search_moves.contains(&mv) => {}
                Ok(mv) => limits.search_moves.push(mv),
                Err(error) => notices.push(format!("searchmoves: ignored {mv}: {error}")),
            }
        }
        if limits.search_moves.is_empty() && root.has_legal_move() {
            notices.push("searchmoves: no legal move given; searching all moves".to_owned());
        }
    }
    Request { limits, notices }
}

#[cfg(test)]
mod tests {
    use super::super::command::{self, Command};
    use super::*;

    fn request_for(line: &str, fen: &str) -> Request {
        let Command::Go(go) = command::parse(line).unwrap().command else { panic!("{line}") };
        request(&go, &fen.parse().unwrap())
    }

    const BLACK_TO_MOVE: &str = "4k3/8/8/8/8/8/8/4K2R b K - 0 1";
    const WHITE_TO_MOVE: &str = "4k3/8/8/8/8/8/8/4K2R w K - 0 1";

    #[test]
    fn uses_the_clock_of_the_side_to_move() {
        let line = "go wtime 1000 btime -2000 winc 10 binc 20 movestogo 5";
        let clock = |remaining, increment| Clock::from_millis(remaining, increment).with_moves_to_go(5);
        assert_eq!(request_for(line, WHITE_TO_MOVE).limits.clock, Some(clock(1000, 10)));
        assert_eq!(request_for(line, BLACK_TO_MOVE).limits.clock, Some(clock(-2000, 20)));
        let one_sided = request_for("go wtime 1000", BLACK_TO_MOVE);
        assert_eq!(one_sided.limits.clock.unwrap().remaining, Duration::from_secs(1));
        assert_eq!(one_sided.notices.len(), 1);
        assert_eq!(request_for("go", WHITE_TO_MOVE), Request { limits: Limits::default(), notices: vec![] });
    }

    #[test]
    fn bad_limits_do_not_make_the_search_infinite() {
        let fallback = request_for("go depth x", WHITE_TO_MOVE);
        assert_eq!(fallback.limits, Limits::movetime(FALLBACK_MOVETIME));
        assert_eq!(fallback.notices, ["no valid limit; searching for 1000 ms"]);
        assert_eq!(request_for("go depth x nodes 5", WHITE_TO_MOVE).limits, Limits::nodes(5));
        assert_eq!(request_for("go depth x infinite", WHITE_TO_MOVE).limits, Limits::infinite());
    }

    #[test]
    fn searchmoves_keeps_legal_moves() {
        let both = request_for("go searchmoves e1g1 e1h1 h1h8 e1e3 depth 2", WHITE_TO_MOVE);
        let moves: Vec<String> =
            both.limits.search_moves.iter().map(|mv| mv.to_uci(false).to_string()).collect();
        assert_eq!(moves, ["e1g1", "h1h8"]);
        assert_eq!(both.notices, ["searchmoves: ignored e1e3: e1e3 is not a legal move here"]);
        for line in ["go searchmoves e1e3 depth 3", "go searchmoves depth 3"] {
            let all = request_for(line, WHITE_TO_MOVE);
            assert_eq!(all.limits, Limits::depth(3));
            let last = all.notices.last().map(String::as_str);
            assert_eq!(last, Some("searchmoves: no legal move given; searching all moves"));
        }
    }
}
