//! PGN output of finished games.

use super::game::{GameFault, MoveData, PlayedGame};
use super::limits::Limits;
use super::plan::{GameId, MatchOptions, Plan};
use anyhow::{Context, Result};
use jiff::Timestamp;
use std::fmt::Write as _;
use std::time::{Duration, SystemTime};
use tabiya_core::notation::{GameResult, PgnWriter};
use tabiya_lab_common::pgn_comment::score_text;
use tabiya_movegen::Position;

/// Returns the PGN of a game, with a comment per move: `{ +0.31/12 0.053s n=5021 }` is score/depth, time
/// and nodes.
///
/// # Errors
/// If a tag or move cannot be written, which does not happen for a played game.
pub(crate) fn game_text(plan: &Plan, id: GameId, played: &PlayedGame) -> Result<Vec<u8>> {
    let mut pgn = PgnWriter::new(Vec::new());
    let reproducible = plan.options.reproducible;
    let [white, black] = plan.white_and_black(id).map(|player| &plan.players[player]);
    let mut tags = vec![
        ("Event", plan.event.clone()),
        ("Round", format!("{}.{}", id.pair + 1, id.game + 1)),
        ("White", white.name().to_owned()),
        ("Black", black.name().to_owned()),
        ("Result", played.ending.result().to_owned()),
        ("Termination", played.ending.reason.pgn_termination().to_owned()),
        ("PlyCount", played.game.moves().len().to_string()),
    ];
    if !reproducible {
        tags.push(("Date", date(played.started)));
        tags.push(("GameStartTime", timestamp(played.started)));
        tags.push(("GameEndTime", timestamp(played.started + played.duration)));
        tags.push(("GameDuration", clock_text(played.duration)));
    }
    for (tag, id) in ["WhiteEngine", "BlackEngine"].into_iter().zip(&played.ids) {
        tags.extend(id.as_ref().map(|id| (tag, id.clone())));
    }
    if plan.chess960 {
        tags.push(("Variant", "Chess960".to_owned()));
    }
    let start = played.game.start();
    if *start != Position::startpos() {
        tags.push(("SetUp", "1".to_owned()));
        tags.push(("FEN", start.to_string()));
    }
    if white.limits == black.limits {
        tags.push(("TimeControl", time_control(&white.limits)));
    } else {
        tags.push(("WhiteTimeControl", time_control(&white.limits)));
        tags.push(("BlackTimeControl", time_control(&black.limits)));
    }
    for (name, value) in tags {
        pgn.write_tag(name, &value)?;
    }

    let move_data = std::iter::repeat_n(None, played.opening_plies).chain(played.move_data.iter().map(Some));
    let moves = played.game.positions().zip(played.game.moves());
    for ((position, &mv), data) in moves.zip(move_data) {
        pgn.write_move(position.san(mv))?;
        pgn.write_comment(&data.map_or("book".to_owned(), |data| comment(data, &plan.options, position)))?;
    }
    let mut final_comment = played.ending.reason.to_string();
    if let Some(GameFault { side, fault, .. }) = &played.fault {
        let name = if *side == tabiya_core::Color::White { white.name() } else { black.name() };
        let _ = write!(final_comment, ": {name} {fault}");
    }
    pgn.write_comment(&final_comment.replace(['{', '}'], "|"))?;
    let result: GameResult = played.ending.result().parse().context("invalid game result")?;
    pgn.finish(result)?;
    Ok(pgn.into_inner())
}

fn comment(data: &MoveData, options: &MatchOptions, position: &Position) -> String {
    let mut text = match data.score {
        Some(score) => score_text(score),
        None => "?".to_owned(),
    };
    if let Some(depth) = data.depth {
        let _ = write!(text, "/{depth}");
    }
    if !options.reproducible {
        let _ = write!(text, " {:.3}s", data.time.as_secs_f64());
    }
    if let Some(nodes) = data.nodes {
        let _ = write!(text, " n={nodes}");
    }
    if options.pgn_details {
        add_details(&mut text, data, position);
    }
    text
}

/// Appends what the engine reported besides, as in `sd=20 nps=950000 hashfull=37 tl=8.312 pv="e4 e5"`.
fn add_details(text: &mut String, data: &MoveData, position: &Position) {
    if let Some(seldepth) = data.seldepth {
        let _ = write!(text, " sd={seldepth}");
    }
    if let Some(nps) = data.nps {
        let _ = write!(text, " nps={nps}");
    }
    if let Some(hashfull) = data.hashfull {
        let _ = write!(text, " hashfull={hashfull}");
    }
    if let Some(time_left) = data.time_left {
        let _ = write!(text, " tl={:.3}", time_left.as_secs_f64());
    }
    if data.ponder_hit {
        text.push_str(" ponderhit");
    }
    let mut position = position.clone();
    let mut pv = Vec::new();
    for uci in &data.pv {
        // The rest of a PV with an illegal move is left out; the report has a warning.
        let Ok(mv) = position.parse_uci(uci) else { break };
        pv.push(position.san(mv).to_string());
        position.play_unchecked(mv);
    }
    if !pv.is_empty() {
        let _ = write!(text, " pv=\"{}\"", pv.join(" "));
    }
}

/// Returns the value of the PGN tag `TimeControl`; `-` if no time limit is set. A time per move is a period of one move: `*N` would
/// be a sandclock, which gives the time that one side uses to the other.
fn time_control(limits: &Limits) -> String {
    match (limits.clock, limits.movetime) {
        (Some(clock), _) => clock.to_string(),
        (None, Some(milliseconds)) => format!("1/{}", milliseconds as f64 / 1000.0),
        (None, None) => "-".to_owned(),
    }
}

/// Formats a date in UTC in PGN format.
fn date(time: SystemTime) -> String {
    utc(time, "%Y.%m.%d")
}

/// Formats a time as other match runners do in the tags `GameStartTime` and `GameEndTime`.
fn timestamp(time: SystemTime) -> String {
    utc(time, "%Y-%m-%dT%H:%M:%S +0000")
}

fn utc(time: SystemTime, format: &str) -> String {
    // A clock outside of jiff's range of years is wrong.
    Timestamp::try_from(time).unwrap_or_default().strftime(format).to_string()
}

/// Formats a duration as hours, minutes and seconds.
fn clock_text(duration: Duration) -> String {
    let seconds = duration.as_secs();
    format!("{:02}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::UNIX_EPOCH;
    use tabiya_uci_engine::InfoScore;

    #[test]
    fn comments() {
        let data = MoveData {
            score: Some(InfoScore::Centipawns(-31)),
            depth: Some(12),
            nodes: Some(5021),
            time: Duration::from_micros(53_400),
            seldepth: Some(20),
            nps: Some(950_000),
            hashfull: Some(37),
            pv: ["e2e4", "e7e5", "e2e4"].map(str::to_owned).to_vec(),
            time_left: Some(Duration::from_millis(8312)),
            ..MoveData::default()
        };
        let start = Position::startpos();
        let plain = MatchOptions::default();
        let reproducible = MatchOptions { reproducible: true, ..plain.clone() };
        let detailed = MatchOptions { pgn_details: true, ..plain.clone() };
        assert_eq!(comment(&data, &plain, &start), "-0.31/12 0.053s n=5021");
        assert_eq!(comment(&data, &reproducible, &start), "-0.31/12 n=5021");
        assert_eq!(comment(&MoveData::default(), &reproducible, &start), "?");
        assert_eq!(
            comment(&data, &detailed, &start),
            "-0.31/12 0.053s n=5021 sd=20 nps=950000 hashfull=37 tl=8.312 pv=\"e4 e5\""
        );
    }

    #[test]
    fn time_controls() {
        let none = Limits::default();
        let control = |text: &str| Limits { clock: Some(text.parse().unwrap()), ..none.clone() };
        for (limits, tag) in [
            (none.clone(), "-"),
            (control("10+0.1"), "10+0.1"),
            (control("40/60"), "40/60"),
            (Limits { movetime: Some(2000), ..none.clone() }, "1/2"),
            (Limits { movetime: Some(250), ..none.clone() }, "1/0.25"),
        ] {
            assert_eq!(time_control(&limits), tag);
        }
    }

    #[test]
    fn times() {
        let time = UNIX_EPOCH + Duration::from_secs(11_016 * 86_400 + 3_725);
        assert_eq!(
            (date(time).as_str(), timestamp(time).as_str()),
            ("2000.02.29", "2000-02-29T01:02:05 +0000")
        );
        assert_eq!(clock_text(Duration::from_millis(90_061_999)), "25:01:01");
    }
}
