//! Positions in which a reason must be given, and in which it must not.

mod quiet;

use super::*;
use tabiya_core::notation::PgnScore;
use tabiya_movegen::{Game, GameTree};

/// The text and the arrows of the reason that [`data_for`] returns.
fn reason_for(fen: &str, played: &str, better: &str, scores: [PgnScore; 2]) -> (String, Vec<String>) {
    let reason = data_for(fen, played, better, scores);
    (reason.text, reason.arrows.into_iter().map(|arrow| arrow.uci).collect())
}

/// The reason for the first move of `played`, whose other moves are the opponent's line; the scores are White's.
fn data_for(fen: &str, played: &str, better: &str, scores: [PgnScore; 2]) -> Reason {
    data_with([None; 2], fen, played, better, scores)
}

/// As [`data_for`], with the results by tablebase before and after the move.
fn data_with(
    [tb_before, tb_after]: [Option<GameResult>; 2],
    fen: &str,
    played: &str,
    better: &str,
    [before, after]: [PgnScore; 2],
) -> Reason {
    let position: Position = fen.parse().unwrap();
    let (played, better) = (moves(&position, played), moves(&position, better));
    let review = |score, line: &[Move]| PositionReview {
        white: 0.5,
        score: Some((score, 9)),
        line: line.to_vec(),
        tablebase: None,
    };
    let before = PositionReview { tablebase: tb_before, ..review(before, &better) };
    let after = PositionReview { tablebase: tb_after, ..review(after, &played[1..]) };
    let reason = reason(None, &position, played[0], &before, &after).unwrap();
    assert!(best_of_own(reason.text.strip_suffix(" was best.").unwrap()).is_some(), "{}", reason.text);
    reason
}

const LEVEL_TO_LOST: [PgnScore; 2] = [PgnScore::Centipawns(0), PgnScore::Centipawns(-500)];

/// A lost pawn's worth of evaluation, for tests in which it does not matter.
const WORSE: [PgnScore; 2] = [PgnScore::Centipawns(0), PgnScore::Centipawns(-100)];

/// The text of a reason in which scores do not matter.
fn text_for(fen: &str, played: &str, better: &str) -> String {
    reason_for(fen, played, better, WORSE).0
}

#[test]
fn forks_are_named_with_squares_and_arrows() {
    let fen = "r3k3/8/8/1N6/8/8/8/4K3 b q - 0 1";
    let scores = [PgnScore::Centipawns(0), PgnScore::Centipawns(500)];
    let (text, arrows) = reason_for(fen, "Ke7 Nd4", "Kd7 Nd4", scores);
    assert_eq!((text.as_str(), arrows.as_slice()), ("Kd7 was best.", ["e8d7".to_owned()].as_slice()));
    let (text, arrows) =
        reason_for("r3k3/1p6/p7/1N6/8/8/8/4K3 b q - 0 1", "b6 Nc7+ Kd8 Nxa8 Kc8", "axb5 Kd2", scores);
    assert_eq!(
        text,
        "Allows Nc7+, which forks the rook on a8 and the king on e8 and wins a rook. axb5, which wins a knight, was best."
    );
    assert_eq!(arrows, ["a6b5", "b5c7", "c7a8", "c7e8"]);
}

#[test]
fn a_capture_at_the_end_of_a_line_counts_if_the_scores_confirm_it() {
    let fen = "r1b1kbnr/pp2pp1p/2n3p1/q1p4Q/4P3/2Np1N1P/PPP2PP1/R1B1K2R w KQkq - 0 8";
    let text = |after| {
        let scores = [PgnScore::Centipawns(-490), PgnScore::Centipawns(after)];
        reason_for(fen, "a3 gxh5", "Qg5 dxc2 O-O", scores).0
    };
    let lost = "Overlooks the threat to the queen on h5: gxh5 wins material.";
    assert!(text(-1600).starts_with(lost), "{}", text(-1600));
    assert!(!text(-700).contains("wins"), "{}", text(-700));
    let fen = "r1bqkbnr/pp2pppp/2n5/2pp3Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 0 4";
    let scores = [PgnScore::Centipawns(144), PgnScore::Centipawns(-347)];
    let (text, _) = reason_for(fen, "Nf3 Nf6 Qh4 dxc4", "Bxd5 e6 Bxc6+ bxc6 d3 a5", scores);
    assert!(text.starts_with("Loses a bishop after Nf6."), "{text}");
}

#[test]
fn reasons_are_data_that_another_language_can_word() {
    let scores = [PgnScore::Centipawns(0), PgnScore::Centipawns(500)];
    let fen = "r3k3/1p6/p7/1N6/8/8/8/4K3 b q - 0 1";
    let reason = data_for(fen, "b6 Nc7+ Kd8 Nxa8 Kc8", "axb5 Kd2", scores);
    let json = serde_json::to_value(&reason).unwrap();
    let expected = r#"{"kind":"allows-gain","reply":"Nc7+","winnings":"rook","tactic":{"motif":"fork","targets":[
        {"piece":"rook","square":"a8"},{"piece":"king","square":"e8"}]}}"#;
    assert_eq!(json["fault"], serde_json::from_str::<serde_json::Value>(expected).unwrap());
    assert_eq!(json["best"], "axb5");
    assert_eq!(json["purpose"]["kind"], "wins-material");
    assert_eq!(serde_json::from_value::<Reason>(json).unwrap(), reason);
    // A report of an earlier version has the text and the arrows only.
    let earlier: Reason = serde_json::from_str(r#"{"text":"axb5 was best.","arrows":[]}"#).unwrap();
    assert_eq!((earlier.text.as_str(), earlier.fault), ("axb5 was best.", None));
}

#[test]
fn best_moves_have_a_purpose_only_if_their_line_shows_it() {
    let fen = "r3k3/1p6/p7/1N6/8/8/8/4K3 w q - 0 1";
    let fork = "Nc7+ Kd8 Nxa8 Kc8";
    let expected = "forks the rook on a8 and the king on e8 and wins a rook";
    assert_eq!(purpose_of(fen, PgnScore::Centipawns(500), fork).as_deref(), Some(expected));
    assert_eq!(purpose_of(fen, PgnScore::Centipawns(500), "Nc7+"), None);
    assert_eq!(purpose_of(fen, PgnScore::Mate(3), "Nc7+").as_deref(), Some("mates in 3"));
    assert_eq!(purpose_of(fen, PgnScore::Mate(-3), "Nc7+"), None);
    assert_eq!(purpose_of(fen, PgnScore::Mate(-3), fork), None);
}

#[test]
fn best_moves_win_material_only_if_the_whole_line_and_the_score_show_it() {
    let fen = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    let first = "e4 e6 c4 d5 cxd5 exd5 exd5 Nf6";
    let whole = format!("{first} Nc3 Be7 d4 Nxd5");
    let of_line = |score, line: &str| purpose_of(fen, PgnScore::Centipawns(score), line);
    assert_eq!(of_line(120, first).as_deref(), Some("wins a pawn"));
    assert_eq!(of_line(33, first), None);
    assert_eq!(of_line(120, &whole), None);
    // A side that has lost a pawn already may be no better after winning one back.
    let fen = "rnbqkbnr/ppp1pppp/8/3p4/4P3/8/PPPP1PP1/RNBQKBNR w KQkq - 0 1";
    let pushed = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PP1/RNBQKBNR b KQkq - 0 3";
    let won = |score| purpose_after(Some(pushed), fen, PgnScore::Centipawns(score), "exd5 Nf6 Nf3 Nbd7");
    assert_eq!(won(-40).as_deref(), Some("wins a pawn"));
    assert_eq!(won(-60), None);
}

#[test]
fn recaptures_win_only_what_exceeds_the_loss() {
    let pawn = "rnbqkbnr/ppp2ppp/4p3/3P4/3P4/8/PPP2PPP/RNBQKBNR b KQkq - 0 3";
    let knight = "rnbqkbnr/ppp2ppp/4p3/3N4/3P4/8/PPP2PPP/R1BQKBNR b KQkq - 0 4";
    let before_pawn = "rnbqkbnr/ppp2ppp/4p3/3p4/3PP3/8/PPP2PPP/RNBQKBNR w KQkq - 0 3";
    let before_knight = "rnbqkbnr/ppp2ppp/4p3/3p4/3P4/2N5/PPP2PPP/R1BQKBNR w KQkq - 0 4";
    let ahead = "rnbqkbnr/ppp2ppp/4p3/3P4/3P4/8/PPP2PP1/RNBQKBNR b KQkq - 0 3";
    let before_ahead = "rnbqkbnr/ppp2ppp/4p3/3p4/3PP3/8/PPP2PP1/RNBQKBNR w KQkq - 0 3";
    let line = "exd5 Bd3 Bd6 Ne2 Nc6";
    for (previous, fen, expected) in [
        (Some(before_pawn), pawn, None),
        (Some(before_ahead), ahead, None),
        (Some(before_knight), knight, Some("wins a piece for a pawn")),
        // The opponent has not captured.
        (Some(pawn), pawn, Some("wins a pawn")),
        // The last move is unknown.
        (None, pawn, None),
        (None, knight, Some("wins a knight")),
    ] {
        let purpose = purpose_after(previous, fen, PgnScore::Centipawns(-300), line);
        assert_eq!(purpose.as_deref(), expected, "{previous:?}, {fen}");
    }
    let text = text_for(pawn, "Nf6 dxe6 Bxe6 Nf3", line);
    assert!(text.ends_with("exd5, which captures the pawn, was best."), "{text}");
}

#[test]
fn forks_and_pins_capture_one_of_their_targets() {
    // The queen captures the knight. Neither the rook nor the bishop is lost.
    let fen = "r5k1/5pp1/5n1p/7b/3Q4/7P/5PP1/6K1 b - - 0 30";
    let scores = [PgnScore::Centipawns(-154), PgnScore::Centipawns(144)];
    let text = |line| reason_for(fen, line, "Rc8 f3 Bg6 Kh2 Kh7 Qb4 Rc7 Qa4", scores).0;
    let captured = "Loses a knight: Qxd5 captures the knight on d5.";
    let line = "Nd5 Qxd5 Ra1+ Kh2 Bg6 Qe5 Rb1 Qd4 Kh7";
    assert!(text(line).starts_with(captured), "{}", text(line));
    // The bishop has moved, and is captured.
    let forked = text("Nd5 Qxd5 Be2 Qxa8+ Kh7");
    assert!(forked.starts_with("Allows Qxd5, which forks the bishop on h5 and the rook on a8"), "{forked}");
    let moved = text("Nd5 Qxd5 Rb8 f3 Bg6 Qd6 Bc2 Qxb8+ Kh7");
    assert!(moved.starts_with("Allows Qxd5, which forks the bishop on h5 and the rook on a8"), "{moved}");
    // The pinned pawn stays.
    let pinned = "r4rk1/1b3ppp/8/8/5B2/6Q1/5PPP/6K1 w - - 0 1";
    let purpose = purpose_of(pinned, PgnScore::Centipawns(100), "Bh6 g6 Bxf8 Rxf8 h3 h5");
    assert_eq!(purpose.as_deref(), Some("wins the exchange"));
}

#[test]
fn passed_pawns_are_lost_only_if_nothing_else_is() {
    let fen = "8/p3q1rk/1p2P1p1/4R2p/4Q3/5P2/6K1/8 b - - 0 36";
    let scores = [PgnScore::Centipawns(0), PgnScore::Centipawns(864)];
    let better = "Kh6 Qe3+ Kh7 Qe4";
    // A skewer of king and queen follows the check.
    let (text, _) = reason_for(fen, "a5 Rxh5+ Kg8 Qa8+ Qf8 Rh8+ Kxh8 Qxf8+ Kh7", better, scores);
    assert!(text.starts_with("Allows Rxh5+, which wins material."), "{text}");
    let (text, _) = reason_for(fen, "a5 Rxh5+ Kg8 Re5 Kh7 Qd4 Kg8", better, scores);
    assert!(text.starts_with("Loses the passed pawn on h5 to Rxh5+."), "{text}");
}

#[test]
fn moved_pieces_are_lost_only_if_the_exchange_wins_them() {
    let fen = "r3k3/ppp1q1p1/2b1pp2/3pP1p1/3P3r/P6P/1PPQNPP1/R4RK1 w q - 2 16";
    let scores = [PgnScore::Centipawns(-18), PgnScore::Centipawns(-111)];
    let better = "f3 fxe5 dxe5 Bb5 Rf2 Bxe2 Rxe2 O-O-O";
    // The queens are exchanged, and the pawn is lost elsewhere.
    let (text, _) = reason_for(fen, "Qb4 Qxb4 axb4 fxe5 c3 e4 Nc1 g4 hxg4", better, scores);
    assert!(text.starts_with("Loses a pawn after Qxb4."), "{text}");
    // Black does not recapture on the knight's square.
    let fen = "3r2k1/5ppp/5n2/8/4P3/2N5/5PPP/3R2K1 b - - 0 1";
    let text = text_for(fen, "Nd5 Nxd5 Kf8 h3", "h6 h3");
    assert!(text.starts_with("Loses a knight: Nxd5 captures the knight on d5."), "{text}");
    let text = text_for(fen, "Nd5 Nxd5 Rxd5 exd5 Kf8 h3", "h6 h3");
    assert!(text.starts_with("Loses a rook after Nxd5."), "{text}");
}

#[test]
fn captures_of_the_same_piece_do_not_tell_moves_apart() {
    let fen = "r1b1k2r/pp1p1ppp/1qn1p3/8/1PPB4/P1N5/5PPP/R2QKB1R b KQkq - 0 11";
    let scores = [PgnScore::Centipawns(-52), PgnScore::Centipawns(402)];
    let better = "Qxd4 Qxd4 Nxd4 O-O-O e5 Nd5 Kd8 f4 d6";
    // The pawn attacks the queen, without which the knight is lost.
    let (text, _) = reason_for(fen, "Nxd4 c5 Nc2+ Qxc2 Qc6 Bd3 Qxg2 O-O-O Qg5+", better, scores);
    assert_eq!(text, "Loses a piece for a pawn after c5. Qxd4, which attacks the knight on c3, was best.");
}

#[test]
fn captured_promoted_queens_are_queens() {
    let fen = "8/1P6/4p3/5k1p/3R1p2/1KP2P2/8/7r w - - 1 49";
    let scores = [PgnScore::Centipawns(1143), PgnScore::Centipawns(-202)];
    let (text, _) = reason_for(fen, "b8=Q Rb1+ Kc2 Rxb8 Rd1 Rh8 Rh1 h4", "Rb4 Kg5 b8=Q Kh4", scores);
    let expected = "Allows Rb1+, which skewers the king on b3 and the queen on b8 and wins the queen.";
    assert!(text.starts_with(expected), "{text}");
    let fen = "1R6/8/4p1K1/3b4/8/8/1p6/3k4 b - - 4 59";
    let text = text_for(fen, "b1=Q+ Rxb1+ Kc2 Rb6", "Kc2 Rc8+ Kd2 Rb8");
    assert!(text.starts_with("Loses the queen: Rxb1+ captures the queen on b1."), "{text}");
}

#[test]
fn missed_gains_are_named_before_lost_pawns() {
    let fen = "4k3/p4p1p/6p1/8/8/1r6/PP3PPP/4K2R w K - 0 30";
    let scores = [PgnScore::Centipawns(1310), PgnScore::Centipawns(-116)];
    let (text, _) = reason_for(fen, "h4 Rxb2 O-O Rxa2 Rb1 Kf8 Rb7 Kg7", "axb3 Kd7 Kd2 Kc6 Kc3", scores);
    assert_eq!(text, "Misses a gain of material. axb3, which wins a rook, was best.");
    // The lost queen is worth more than the pawn before it is promoted.
    let fen = "1R6/8/4p1K1/3b4/8/8/1p6/3k4 b - - 4 59";
    let better = "Kc2 Rc8+ Kd2 Rb8 Kc3 Rxb2 Kxb2 Kg5";
    let text = text_for(fen, "b1=Q+ Rxb1+ Kc2 Rb6", better);
    assert!(text.starts_with("Loses the queen: Rxb1+ captures the queen on b1."), "{text}");
}

#[test]
fn discovered_attacks_reach_the_piece_at_once() {
    let score = PgnScore::Centipawns(384);
    let purpose = |fen| purpose_of(fen, score, "Ne6+ Bxe6 Rxd8+ Kf7 Rd6 h5");
    // The bishop on d7 stands between the rook and the queen.
    let behind_bishop = purpose("3q1k2/3b3p/6p1/8/3N4/8/5PPP/3R2K1 w - - 0 30");
    assert_eq!(behind_bishop.as_deref(), Some("wins the queen for a piece"));
    let open = purpose("3q1k2/7p/6p1/5b2/3N4/8/5PPP/3R2K1 w - - 0 30");
    assert_eq!(open.as_deref(), Some("opens an attack on the queen on d8 and wins the queen for a piece"));
}

#[test]
fn reason_and_purpose_count_the_same_gain() {
    // The pawn is captured by the last move, after which the line shows nothing.
    let (fen, best) = ("4k3/8/8/3n4/p7/1B6/8/R3K3 w - - 0 1", "Bxd5 Kd7 Rxa4");
    assert_eq!(purpose_of(fen, PgnScore::Centipawns(900), best).as_deref(), Some("wins a knight"));
    let scores = [PgnScore::Centipawns(900), PgnScore::Centipawns(0)];
    let (text, _) = reason_for(fen, "Kd2 axb3", best, scores);
    assert!(text.ends_with("Bxd5, which wins a knight, was best."), "{text}");
}

#[test]
fn promotion_is_not_taken_for_a_captured_piece() {
    let line = "f8=N+ Kh6 h3 Qb2";
    let purpose = purpose_of("8/5P1k/8/8/8/8/q5PP/7K w - - 0 1", PgnScore::Centipawns(-400), line);
    assert_eq!(purpose.as_deref(), Some("wins material"));
}

#[test]
fn gains_after_an_exchange_are_counted_from_before_it() {
    for (start, played, line, expected) in [
        (
            "r3k3/pp4pp/5n2/3N4/7B/8/5PPP/6K1 w - - 0 1",
            "Bxf6 gxf6",
            "Nc7+ Kd7 Nxa8 Kc6",
            "forks the rook on a8 and the king on e8 and wins a rook",
        ),
        (
            "r2qk2r/ppp3pp/8/6N1/8/8/PPP3PP/3QK3 w - - 0 1",
            "Qxd8+ Kxd8",
            "Nf7+ Kd7 Nxh8 Rxh8",
            "forks the king on d8 and the rook on h8 and wins the exchange",
        ),
    ] {
        let mut game = Game::from_fen(start).unwrap();
        for san in played.split(' ') {
            game.play_san(san).unwrap();
        }
        let from = before_exchange(&game).unwrap().to_string();
        assert_eq!(from, start);
        let purpose =
            purpose_after(Some(&from), &game.position().to_string(), PgnScore::Centipawns(300), line);
        assert_eq!(purpose.as_deref(), Some(expected));
    }
    // Other squares are other exchanges, and a move that captures nothing ends none.
    let mut game = Game::new();
    for san in ["e4", "d5", "exd5", "e6", "dxe6", "Bxe6", "Nf3"] {
        game.play_san(san).unwrap();
        let plies_back = if san == "Bxe6" { 2 } else { 1 };
        assert_eq!(before_exchange(&game), game.positions().nth_back(plies_back), "{san}");
    }
    assert_eq!(before_exchange(&Game::new()), None);
    // The same in a tree, where a null move ends no exchange.
    let tree: GameTree = "1. e4 d5 2. exd5 Qxd5 3. -- *".parse().unwrap();
    let nodes: Vec<_> = tree.mainline().collect();
    for (ply, start) in [(3, 2), (4, 2), (5, 4)] {
        assert_eq!(before_exchange_at(nodes[ply - 1]), Some(nodes[start - 1].position()), "{ply}");
    }
}

/// The purpose of the first move of a line in words, with the score of White.
fn purpose_of(fen: &str, score: PgnScore, line: &str) -> Option<String> {
    purpose_after(None, fen, score, line)
}

/// As [`purpose_of`], with the position before the last exchange.
fn purpose_after(previous: Option<&str>, fen: &str, score: PgnScore, line: &str) -> Option<String> {
    let previous: Option<Position> = previous.map(|fen| fen.parse().unwrap());
    let position: Position = fen.parse().unwrap();
    let review =
        PositionReview { white: 0.5, score: Some((score, 9)), line: moves(&position, line), tablebase: None };
    purpose(previous.as_ref(), &position, &review).map(|purpose| purpose.to_string())
}

/// The moves of a line in SAN.
fn moves(position: &Position, line: &str) -> Vec<Move> {
    let mut position = position.clone();
    let play = |san: &str| {
        let mv = position.parse_san(san).unwrap_or_else(|error| panic!("{san}: {error}"));
        position = position.play(mv).unwrap();
        mv
    };
    line.split(' ').map(play).collect()
}

#[test]
fn tablebases_tell_what_is_thrown_away() {
    use GameResult::{BlackWins, Draw, WhiteWins};
    let scores = |before, after| [PgnScore::Centipawns(before), PgnScore::Centipawns(after)];
    let text = |results, fen: &str, played: &str, better: &str, scores| {
        data_with(results, fen, played, better, scores).text
    };
    // The opposition decides.
    let fen = "4k3/8/4K3/4P3/8/8/8/8 w - - 0 1";
    let win = Some(WhiteWins);
    assert_eq!(
        text([win, Some(Draw)], fen, "Kd5 Kd7", "Kf6 Kf8", scores(900, 0)),
        "Throws away a win: by tablebase the position is drawn now. Kf6, which wins by tablebase, was best."
    );
    // Another winning move is no worse by tablebase.
    assert_eq!(text([win, win], fen, "Kd6 Kd8", "Kf6 Kf8", scores(900, 800)), "Kf6 was best.");
    let fen = "4k3/8/4PK2/8/8/8/8/8 b - - 0 1";
    let lost = text([Some(Draw), win], fen, "Kd8 Kf7", "Kf8 e7+", scores(0, 900));
    let expected =
        "Throws away a draw: by tablebase the position is lost now. Kf8, which draws by tablebase, was best.";
    assert_eq!(lost, expected);
    // A capture into the tables.
    let fen = "8/8/4k3/8/3nP3/4K3/8/8 w - - 0 1";
    let into = |result, before| text([None, Some(result)], fen, "Kxd4 Kd6", "Kf4 Kd6", scores(before, 0));
    assert!(into(Draw, 400).starts_with("Leads to an ending that is drawn by tablebase."));
    assert!(into(BlackWins, 0).starts_with("Leads to an ending that is lost by tablebase."));
    assert!(!into(Draw, 0).contains("tablebase") && !into(BlackWins, -400).contains("tablebase"));
}

#[test]
fn overloaded_defenders_are_named() {
    let fen = "7k/5rpp/5n2/3n4/4r3/8/5PPP/3QR1K1 b - - 0 1";
    let scores = [PgnScore::Centipawns(-100), PgnScore::Centipawns(300)];
    let (text, _) = reason_for(fen, "Rf8 Rxe4 Nxe4 Qxd5 h6", "Re8 Rxe8+ Nxe8 Qxd5", scores);
    let expected = "Allows Rxe4, which overloads the knight on f6, the only defender of the knight on d5, and wins a knight.";
    assert!(text.starts_with(expected), "{text}");
}

#[test]
fn lost_defenders_and_hanging_pieces_are_named() {
    let fen = "3r2k1/5ppp/8/3N4/8/1Q6/5PPP/6K1 w - - 0 1";
    let (text, _) = reason_for(fen, "Qa3 Rxd5 h3", "h3 h6", LEVEL_TO_LOST);
    let expected = "Leaves the knight on d5 without its defender: Rxd5 wins a knight. h3, which loses no material, was best.";
    assert_eq!(text, expected);
    let (text, _) = reason_for(fen, "Nf6+ gxf6 h3", "h3 h6", LEVEL_TO_LOST);
    assert!(text.starts_with("Loses a knight: gxf6 captures the knight on f6. h3"), "{text}");
}

#[test]
fn pieces_with_another_defender_are_not_left_without_one() {
    // The knight on c6 was threatened before, and the pawn on b7 defends it still.
    let fen = "r1bqkbnr/pppp1ppp/2n5/3Pp3/4P3/8/PPP2PPP/RNBQKBNR b KQkq - 0 3";
    let scores = [PgnScore::Centipawns(30), PgnScore::Centipawns(300)];
    let (text, _) = reason_for(fen, "d6 dxc6 bxc6 Nf3", "Nce7 Nf3 Ng6 h4", scores);
    let expected = "Overlooks the threat to the knight on c6: dxc6 wins a piece for a pawn.";
    assert!(text.starts_with(expected), "{text}");
    // The check threatened the queen, too.
    let text = text_for("8/3q4/8/1p1p4/3k2Q1/7P/6PK/8 b - - 1 45", "Kc5 Qxd7 b4", "Qxg4 hxg4 b4");
    assert!(text.starts_with("Overlooks the threat to the queen on d7: Qxd7 wins the queen."), "{text}");
    // The knight on c6 defends the pawn on d4 still.
    let fen = "r1bq1rk1/ppp2pp1/2n1pn1p/8/3pP2P/PQ2BP2/1PP3P1/2KR1BNR b - - 1 13";
    let (text, _) = reason_for(fen, "Qe7 Bxd4 Nxd4 Rxd4", "e5 Bd2", scores);
    assert!(text.starts_with("Allows Bxd4, which wins a pawn."), "{text}");
}

#[test]
fn losses_of_the_best_line_are_no_fault() {
    let fen = "rnbq1rk1/ppp1ppbp/6p1/3p2B1/2BPN3/5N2/PPP2PPP/R2QK2R w KQ - 0 8";
    let scores = [PgnScore::Centipawns(-10), PgnScore::Centipawns(-100)];
    let text = |better| reason_for(fen, "O-O dxe4 Ne5 Nd7", better, scores).0;
    // Both moves lose the knight, and the better line regains less than it.
    let regained_in_part = text("Bd3 dxe4 Bxe4 c5 dxc5 Qxd1+ Rxd1 Nc6");
    assert!(regained_in_part.starts_with("Bd3"), "{regained_in_part}");
    let fen = "4r1k1/3p1ppp/8/4N3/8/8/5PPP/6K1 w - - 0 1";
    let text = |better| text_for(fen, "h3 Rxe5 Kh2", better);
    let overlooked = "Overlooks the threat to the knight on e5: Rxe5 wins a knight.";
    assert!(text("f4 Rxe5 fxe5 Kf8").starts_with(overlooked), "{}", text("f4 Rxe5 fxe5 Kf8"));
    assert!(text("Kf1 Rxe5 h3").starts_with("Kf1"), "{}", text("Kf1 Rxe5 h3"));
    // Another capture wins as much.
    assert!(text("Nxd7 Rd8 Kf1 Rxd7").starts_with(overlooked), "{}", text("Nxd7 Rd8 Kf1 Rxd7"));
    assert!(text("Nc6 dxc6 h3").starts_with("Nc6"), "{}", text("Nc6 dxc6 h3"));
}

#[test]
fn pieces_that_were_lost_before_are_not_trapped() {
    let scores = [PgnScore::Centipawns(100), PgnScore::Centipawns(300)];
    // The pawn on b4 attacks the knight, which has no square.
    let fen = "r1bq1rk1/pp1p1ppp/2p5/n3p3/PP2P3/2PP1N2/B4KPP/RNBQ4 b - - 0 11";
    let (text, _) = reason_for(fen, "Qb6+ Be3 Qc7 bxa5 Qxa5 Bb3", "d5 exd5 cxd5 bxa5", scores);
    assert!(!text.contains("traps"), "{text}");
    // The pawn attacks it after the reply only.
    let fen = "r1bq1rk1/pp1p1ppp/2p5/n3p3/P3P3/1PPP1N2/B4KPP/RNBQ4 b - - 0 11";
    let (text, _) = reason_for(fen, "Qc7 b4 d6 bxa5 Qxa5 Bb3", "b5 axb5 cxb5 Kg1", scores);
    assert!(text.starts_with("Allows b4, which traps the knight on a5"), "{text}");
}

#[test]
fn best_moves_keep_material_only_if_the_printed_line_does() {
    let fen = "4r3/6k1/8/4N3/8/8/5PPP/R5K1 w - - 0 1";
    let keeps = |last: &str| {
        // The tenth ply is printed, and is not among those from which material is counted.
        let line = format!("Ra7+ Kf6 Nd7+ Kf5 h3 Rd8 h4 Kg4 f3+ {last}");
        text_for(fen, "h3 Rxe5 Kh2", &line).contains("loses no material")
    };
    assert!(keeps("Kg3") && !keeps("Kxh4"));
}

#[test]
fn mates_are_allowed_or_missed() {
    let fen = "3r2k1/5ppp/8/8/8/8/1Q3PPP/6K1 w - - 0 1";
    let scores = [PgnScore::Centipawns(300), PgnScore::Mate(-1)];
    let (text, _) =
        reason_for(fen, "Qc1 Rd1+ Qxd1", "Qb8 Rxb8", [PgnScore::Mate(2), PgnScore::Centipawns(0)]);
    assert!(text.starts_with("Misses mate in 2. Qb8 was best."), "{text}");
    let (text, _) = reason_for(fen, "f3 Rd1+ Kf2", "h3 h6", scores);
    assert!(text.starts_with("Allows Rd1+, mate. h3"), "{text}");
}

#[test]
fn quiet_reasons_are_told_only_if_the_line_shows_them() {
    let scores = [PgnScore::Centipawns(400), PgnScore::Centipawns(0)];
    let ending = "8/8/4k3/8/3PK3/8/8/8 w - - 0 1";
    let (text, _) = reason_for(ending, "d5+ Kd6", "Kf4 Kd5", scores);
    assert_eq!(text, "Throws away a won ending, which is level now. Kf4 was best.");
    let pair = "6k1/8/4n3/8/8/4B3/5B2/6K1 w - - 0 1";
    let scores = [PgnScore::Centipawns(200), PgnScore::Centipawns(100)];
    let (text, _) = reason_for(pair, "Bd4 Nxd4 Bxd4 Kf7", "Bh6 Kf7 Bd2", scores);
    assert_eq!(text, "Gives up the bishop pair. Bh6 was best.");
    // The opponent has one bishop left, too.
    let pairs = "rn1qkbnr/pp1b1ppp/4p3/1B1p4/3NP3/8/PPP2PPP/RNBQK2R w KQkq - 2 6";
    let scores = [PgnScore::Centipawns(104), PgnScore::Centipawns(-6)];
    let (text, _) = reason_for(pairs, "Bxd7+ Qxd7 exd5 Qxd5 O-O Nc6", "exd5 exd5 O-O Be7 c4 Bxb5", scores);
    assert!(!text.contains("bishop pair"), "{text}");
    let shelter = "6k1/5ppp/8/3q4/8/8/5PPP/3Q2K1 w - - 0 1";
    let (text, _) = reason_for(shelter, "f3 Qc5+ Kh1", "h3 h6", scores);
    assert_eq!(text, "Weakens the king's shelter: the pawn leaves f2. h3 was best.");
    let (text, _) = reason_for(shelter, "f3 h6", "h3 h6", scores);
    assert_eq!(text, "h3 was best.", "no check shows the weakness");
}
