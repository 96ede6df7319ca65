//! Tests of threats, quiet effects and faults without loss of material.

use super::*;

#[test]
fn threats_that_were_there_are_overlooked() {
    let fen = "4r1k1/5ppp/8/4N3/8/8/5PPP/6K1 w - - 0 1";
    let overlooked = "Overlooks the threat to the knight on e5: Rxe5 wins a knight. ";
    assert_eq!(
        text_for(fen, "h3 Rxe5 Kh2", "Nd3 h6"),
        format!("{overlooked}Nd3, which moves the knight on e5 to safety, was best.")
    );
    assert_eq!(
        text_for(fen, "h3 Rxe5 Kh2", "f4 h6"),
        format!("{overlooked}f4, which defends the knight on e5, was best.")
    );
    let fen = "3r2k1/5ppp/8/2PN4/5B2/8/5PPP/6K1 w - - 0 1";
    let text = text_for(fen, "h3 Rxd5 Kh2", "Bd6 h6");
    assert!(text.ends_with("Bd6, which ends the threat to the knight on d5, was best."), "{text}");
    // A check only delays the threat.
    let text = text_for("4r3/6k1/8/4N3/8/8/5PPP/R5K1 w - - 0 1", "h3 Rxe5 Kh2", "Ra7+ Kf6");
    assert!(text.ends_with("Ra7+, which loses no material, was best."), "{text}");
}

#[test]
fn better_moves_save_no_piece_that_the_move_played_saves() {
    // Knight and bishop can capture the pawn that attacks the queen, and the bishop is attacked itself.
    let queen = "2kr1b1r/pppn1ppp/4pn2/5q1b/3P2P1/2N2N1P/PPPB1PB1/R2Q1RK1 b - - 0 11";
    let pawn = "2krr3/pp1b1p1p/2p1p2b/3nNp2/8/P2P2P1/BPP1NP1P/1K1R2R1 b - - 1 18";
    let knight = "4r1k1/5ppp/8/3pN3/8/8/5PPP/6K1 w - - 0 1";
    for (fen, played, better, clause, is_told) in [
        (queen, "Bxg4 hxg4 Qxg4", "Nxg4 hxg4 Qxg4", "ends the threat to the queen on f5", false),
        (queen, "Be7 gxf5 Bxf3", "Nxg4 hxg4 Qxg4", "ends the threat to the queen on f5", true),
        (pawn, "f6 Nxd7 Rxd7", "Re7 c4", "defends the pawn on f7", false),
        (pawn, "a6 Nxf7 Bg7", "Re7 c4", "defends the pawn on f7", true),
        // The piece is threatened on its new square.
        (knight, "Nc4 dxc4 h3", "Nd3 h6", "moves the knight on e5 to safety", true),
    ] {
        assert_eq!(text_for(fen, played, better).contains(clause), is_told, "{fen}, {played}");
    }
}

#[test]
fn purposes_are_effects_that_the_other_move_lacks() {
    for (fen, better, played, alike) in [
        ("6k1/5ppp/8/8/3q4/8/5PPP/4N1K1 w - - 0 1", "Nf3, which attacks the queen on d4,", "h3 h6", "Nc2 h6"),
        ("3rr1k1/5ppp/8/8/8/8/5PPP/3RR1K1 w - - 0 1", "Rxd8, which exchanges rooks,", "h3 h6", "Rxe8+ Rxe8"),
        ("6k1/5ppp/8/8/3P4/8/5PPP/6K1 w - - 0 1", "d5, which advances the passed pawn,", "h3 h6", ""),
        ("6k1/5pp1/4p3/3P4/4P3/8/6PP/6K1 w - - 0 1", "d6, which makes a passed pawn on d6,", "h3 g6", ""),
        (
            "6k1/1pp2ppp/2n5/1B6/8/8/5PPP/6K1 w - - 0 1",
            "Bxc6, which doubles pawns on the c-file,",
            "h3 h6",
            "",
        ),
        (
            "6k1/pp3ppp/8/8/4P3/2N5/5PPP/6K1 w - - 0 1",
            "Nd5, which puts the knight on the outpost d5,",
            "h3 h6",
            "",
        ),
        (
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "Nf3, which develops the knight,",
            "h3 h6",
            "Nc3 h6",
        ),
        (
            "6k1/5ppp/p7/8/8/P7/1P3PPP/1R4K1 w - - 0 1",
            "Rd1, which puts the rook on the open d-file,",
            "h3 h6",
            "",
        ),
        (
            "8/5ppp/6k1/8/8/6K1/5PPP/8 w - - 0 1",
            "Kf4, which brings the king nearer to the centre,",
            "h3 h6",
            "Kf3 h6",
        ),
    ] {
        let san = better.split(',').next().unwrap();
        let reply = match san {
            "Rxd8" => "Rxd8",
            "Bxc6" => "bxc6",
            "d6" => "g6",
            _ => "h6",
        };
        let line = format!("{san} {reply}");
        let text = text_for(fen, played, &line);
        assert!(text.ends_with(&format!("{better} was best.")), "{fen}: {text}");
        if !alike.is_empty() {
            let clause = better.split_once(", ").unwrap().1;
            let text = text_for(fen, alike, &line);
            assert!(!text.contains(clause), "{fen}: {text}");
        }
    }
    let scores = [PgnScore::Centipawns(0); 2];
    let castling = data_for("6k1/5ppp/8/8/8/8/5PPP/4K2R w K - 0 1", "h3 h6", "O-O h6", scores);
    assert_eq!((castling.purpose, castling.text.as_str()), (Some(Purpose::Castles), "O-O was best."));
}

#[test]
fn pieces_are_developed_from_their_first_squares() {
    for (fen, better, is_told) in [
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "Nf3 h6", true),
        // The knight has come from b1 by d2.
        ("rnbq1rk1/pppppppp/8/8/8/8/PPPPPPPP/R1BQRNK1 w - - 0 10", "Ng3 h6", false),
        // Chess960.
        ("rkbqnbnr/pppppppp/8/8/8/8/PPPPPPPP/RKBQNBNR w KQkq - 0 1", "Nd3 h6", true),
    ] {
        let text = text_for(fen, "h3 h6", better);
        assert_eq!(text.contains("develops"), is_told, "{fen}: {text}");
    }
}

#[test]
fn quiet_moves_have_what_the_lines_show() {
    let knights = "6k1/5ppp/8/8/7n/3P4/P4PPP/6K1 b - - 0 1";
    let queens = "6k1/p4ppp/3p4/2q5/8/2Q5/1P3PPP/6K1 w - - 0 1";
    let rooks = "4rk2/5ppp/8/8/8/8/3K1PPP/1R6 w - - 0 1";
    let pinned = "4r1k1/5ppp/8/8/8/4N3/5PPP/R3K3 w - - 0 1";
    let passed = "6k1/5ppp/8/8/3p4/8/1N3PPP/6K1 w - - 0 1";
    let castling = "r2q1rk1/pppp1ppp/8/8/8/8/PPPPBPPP/RNBQK1NR w KQ - 0 20";
    let half_open = "2r3k1/1pp2ppp/8/8/8/1P6/1P3PPP/1R3RK1 w - - 0 1";
    let centre = "r2q1rk1/pp3ppp/8/8/8/8/PP1P1PPP/R2Q1RK1 w - - 0 20";
    for (fen, played, better, clause) in [
        // The knight could be captured on f5.
        ("6k1/5pp1/7p/8/7N/8/5PPP/6K1 b - - 0 1", "Kf8 Nf5 Ke8", "g6 Kf1", "prevents Nf5"),
        ("6k1/5pp1/7p/8/7N/8/5PPP/6K1 b - - 0 1", "Kf8 Nf3 Ke8", "g6 Kf1", ""),
        ("6k1/5pp1/7p/8/7N/8/5PPP/6K1 b - - 0 1", "Kf8 Nf5 Ke8", "g6 Kf1 Kf8 Nf5", ""),
        ("6k1/5pp1/7p/8/7N/8/5PPP/6K1 b - - 0 1", "Kf8 Nf5 Ke8", "g6 Kf1 Kf8 Ke1 Ke8 Kd1 Kd8 Kc1 g5 Nf5", ""),
        // It could be captured after the move played, too.
        ("6k1/5pp1/4p2p/8/7N/8/5PPP/6K1 b - - 0 1", "Kf8 Nf5 exf5", "g6 Kf1", ""),
        // The move played has allowed it, or the square is taken.
        ("6k1/6pp/8/5p2/7N/8/5PPP/6K1 b - - 0 1", "f4 Nf5 Kf7", "h6 Kf1", ""),
        ("6k1/5ppp/8/3p4/8/3P4/5PPP/6K1 b - - 0 1", "h6 d4 h5", "d4 Kf1", ""),
        // Black cannot answer a check with it.
        (knights, "h6 d4 Nf5", "Nf3+ gxf3", ""),
        (queens, "Qxc5 dxc5 h3 h6", "Qb3 h6 h3 g6", "avoids the exchange of queens"),
        (queens, "h3 Qxc3 bxc3 h6", "Qb3 h6 h3 g6", "avoids the exchange of queens"),
        // They are exchanged later, or the line is too short to tell.
        (queens, "Qxc5 dxc5 h3 h6", "Qb3 Qb6 Qxb6 axb6", ""),
        (queens, "Qxc5 dxc5 h3 h6", "Qb3 h6 h3 g6 g3 Kg7 Kg2 Qb6 Qxb6 axb6", ""),
        (queens, "Qxc5 dxc5 h3 h6", "Qb3 h6", ""),
        (rooks, "h3 h6", "Re1 h6", "offers the exchange of rooks"),
        // Nothing defends the rook.
        ("4r1k1/5ppp/8/8/8/8/5PPP/1R4K1 w - - 0 1", "Kf1 h6", "Re1 h6", ""),
        (pinned, "Ra2 h6", "Kf1 h6", "ends the pin of the knight on e3"),
        (pinned, "Kd1 h6", "Kf1 h6", ""),
        (passed, "Kf1 h6", "Nd3 h6", "blocks the passed pawn on d4"),
        (passed, "Kf1 h6", "Na4 h6", ""),
        (castling, "Nc3 h6", "Nf3 h6 O-O h5", "prepares castling"),
        (castling, "a3 h6", "Nf3 h6 a3 h5", ""),
        ("r5k1/5ppp/8/8/8/8/1R3PPP/6K1 w - - 0 1", "Rc2 h6", "h3 h6", "gives the king an escape square"),
        ("r5k1/5ppp/8/8/8/8/1R3PPP/6K1 w - - 0 1", "g3 h6", "h3 h6", ""),
        // The rook guards the rank, or there is nothing to escape from.
        ("r5k1/5ppp/8/8/8/8/5PPP/1R4K1 w - - 0 1", "Rc1 h6", "h3 h6", ""),
        ("6k1/5ppp/8/8/8/8/1R3PPP/6K1 w - - 0 1", "Rc2 h6", "h3 h6", ""),
        (half_open, "Ra1 h6", "Rfc1 h6", "puts the rook on the half-open c-file"),
        (half_open, "Ra1 h6", "Rfe1 h6", ""),
        (centre, "h3 h6", "d4 h6", "puts a pawn in the centre"),
        (centre, "h3 h6", "d3 h6", ""),
    ] {
        let text = text_for(fen, played, better);
        let last = text.rsplit(". ").next().unwrap();
        let san = better.split(' ').next().unwrap();
        let found = last.strip_prefix(san).unwrap_or(last);
        let words =
            ["prevents", "avoids", "offers", "pin of", "blocks", "prepares", "escape", "half-open", "centre"];
        match clause {
            "" => assert!(!words.iter().any(|word| found.contains(word)), "{fen}, {better}: {text}"),
            _ => assert_eq!(found, format!(", which {clause}, was best."), "{fen}: {text}"),
        }
    }
}

#[test]
fn wins_and_tactics_belong_to_the_move() {
    // Both moves recapture the bishop.
    let fen = "6k1/5ppp/8/8/8/5b2/6PP/3Q2K1 w - - 0 1";
    let text = text_for(fen, "gxf3 h6", "Qxf3 h6");
    assert!(!text.contains("wins"), "{text}");
    let text = text_for(fen, "h3 h6", "Qxf3 h6");
    assert!(text.ends_with("Qxf3, which wins a bishop, was best."), "{text}");
    // The queens are exchanged, and a pawn is lost afterwards.
    let fen = "3r2k1/3q1ppp/8/8/8/8/P2Q2PP/3R2K1 w - - 0 1";
    let text = text_for(fen, "Qxd7 Rxd7 Rf1 Rd2 h3 Rxa2 h4 h6", "Qe1 Qf5");
    assert!(text.starts_with("Loses a pawn after Rxd7. "), "{text}");
    // The bishop has pinned the knight before.
    let fen = "4k3/3n2pp/8/1B6/8/8/5PPP/5RK1 b - - 0 1";
    let text =
        reason_for(fen, "g5 Rd1 h5 Rxd7 h4", "Kd8 h3", [PgnScore::Centipawns(0), PgnScore::Centipawns(300)])
            .0;
    assert!(!text.contains("pins"), "{text}");
    let fen = "4k3/3q2pp/8/8/8/8/4BPPP/6K1 b - - 0 1";
    let scores = [PgnScore::Centipawns(0), PgnScore::Centipawns(300)];
    let text = reason_for(fen, "g5 Bb5 h5 Bxd7+ Kxd7 h3", "Kf8 h3", scores).0;
    assert!(
        text.starts_with("Allows Bb5, which pins the queen on d7 and wins the queen for a piece."),
        "{text}"
    );
    // The attacker is captured, not the piece defended.
    let fen = "6k1/5ppp/8/2n5/4P3/3N4/5PPP/6K1 w - - 0 1";
    let text = text_for(fen, "h3 Nxe4 Kf1", "Nxc5 h6");
    assert!(!text.contains("defends"), "{text}");
}

#[test]
fn purposes_need_what_they_name() {
    for (fen, better, word) in [
        // The pawn on d7 stands before it.
        ("6k1/3p1ppp/8/8/3P4/8/5PPP/6K1 w - - 0 1", "d5 h6", "passed"),
        // There is no other pawn on the file, or it is lost again.
        ("6k1/1p3ppp/2n5/1B6/8/8/5PPP/6K1 w - - 0 1", "Bxc6 bxc6", "doubles"),
        ("6k1/1pp2ppp/2n5/1B6/8/8/5PPP/2R3K1 w - - 0 1", "Bxc6 bxc6 Rxc6 h6", "doubles"),
        // The pawn is offered.
        ("6k1/2p2ppp/1p6/8/2P5/8/5PPP/6K1 w - - 0 1", "c5 bxc5", "doubles"),
        // The pawn on c7 drives the knight away.
        ("6k1/ppp2ppp/8/8/4P3/2N5/5PPP/6K1 w - - 0 1", "Nd5 h6", "outpost"),
        ("6k1/2p2ppp/p7/8/8/P7/1P3PPP/1R4K1 w - - 0 1", "Rc1 h6", "the open"),
        // The queen defends nothing that was threatened.
        ("6k1/5ppp/8/4N3/8/8/5PPP/3Q2K1 w - - 0 1", "Qd4 h6", "defends"),
        // The exchange on f6 is not over.
        (
            "r2q1bnr/ppp2kpp/3p4/4p3/3nP1b1/2NP1N2/PPP2PPP/R1BQK2R w KQ - 0 7",
            "Be3 c5 Bxd4 cxd4 Nd5 Nf6 Nxf6 Bxf3",
            "wins",
        ),
    ] {
        let text = text_for(fen, "h3 h6", better);
        let purpose = &text[text.find(better.split(' ').next().unwrap()).unwrap()..];
        assert!(!purpose.contains(word), "{fen}: {text}");
    }
}

#[test]
fn the_better_square_of_a_piece_has_more_squares() {
    let fen = "6k1/1p3ppp/8/8/8/8/3B1PPP/6K1 w - - 0 1";
    let text = |played: &str, better: &str| text_for(fen, played, better);
    assert_eq!(text("Be1 Kf8", "Bc3 Kf8"), "Bc3, which gives the bishop more squares, was best.");
    assert_eq!(text("Bc3 Kf8", "Bf4 Kf8"), "Bf4 was best.", "a square more");
    assert_eq!(text("Kf1 Kf8", "Bc3 Kf8"), "Bc3 was best.", "another piece");
    let lost = [PgnScore::Centipawns(0), PgnScore::Mate(-3)];
    let (text, _) = reason_for(fen, "Be1 Kf8", "Bc3 Kf8", lost);
    assert!(!text.contains("squares"), "{text}");
}

#[test]
fn faults_without_loss_of_material_are_shown_by_the_line() {
    let scores = |before, after| [PgnScore::Centipawns(before), PgnScore::Centipawns(after)];
    let attacked = "6k1/5ppp/3p4/4p3/8/5N2/5PPP/6K1 w - - 0 1";
    let rook_ending = "8/5k2/4r3/8/8/4R3/3K1P2/8 w - - 0 1";
    let queens = "6k1/5ppp/8/3q4/1Q6/8/5PP1/6K1 w - - 0 1";
    let castling = "6k1/5ppp/8/8/8/8/5PPP/4K2R w K - 0 1";
    let advancing = "6k1/5ppp/8/8/3p4/8/5PPP/6K1 w - - 0 1";
    let bishop = "6k1/5ppp/8/8/8/8/5PPP/5BK1 w - - 0 1";
    let knight = "6k1/5ppp/2n5/4p3/8/8/5PPP/6K1 w - - 0 1";
    let doubled = "6k1/5ppp/8/8/1b6/2N5/1PP2PPP/6K1 w - - 0 1";
    let isolated = "6k1/5ppp/4p3/3p4/2PP4/8/5PPP/6K1 w - - 0 1";
    for (fen, played, better, fault) in [
        (attacked, "h3 e4 Nd2", "Nd2 d5", "Allows e4, which drives away the knight on f3."),
        (attacked, "h3 e4 g3", "Nd2 d5", "Allows e4, which attacks the knight on f3."),
        (attacked, "h3 e4 Nd2", "g3 e4", ""),
        (queens, "Qa3 Qd1+ Kh2 Qh5+ Kg1", "Qe1 h6", "Exposes the king: Qd1+ is followed by more checks."),
        (queens, "Qa3 Qd1+ Kh2 h6", "Qe1 h6", ""),
        (castling, "Rg1 h6", "O-O h6", "Gives up castling."),
        (castling, "h3 h6", "O-O h6", ""),
        (castling, "Rg1 h6", "Rf1 h6", ""),
        (advancing, "h3 d3 Kf1", "Kf1 h6", "Allows d3, which advances the passed pawn."),
        (advancing, "h3 d3 Kf1", "Kf1 d3", "Loses a tempo: Kf1 is played only later."),
        (advancing, "h3 d3 Kh2", "Kf1 d3", ""),
        (bishop, "Bd3 h6 h3 h5 Be2", "Be2 h6", "Loses a tempo: Be2 is played only later."),
        (bishop, "h3 h6 g3 h5 Kg2 Kf8 Be2", "Be2 h6", ""),
        (knight, "h3 Nd4 Kf1", "Kf1 h6", "Allows Nd4, which puts the knight on an outpost."),
        ("6k1/5ppp/2n5/4p3/8/8/2P2PPP/6K1 w - - 0 1", "h3 Nd4 Kh2", "Kf1 h6", ""),
        (doubled, "h3 Bxc3 bxc3 h6", "Ne4 h6", "Leaves doubled pawns on the c-file."),
        (doubled, "h3 Bxc3 bxc3 h6", "Kf1 Bxc3 bxc3 h6", ""),
        (isolated, "cxd5 exd5 Kf1 Kf8", "c5 Kf8", "Leaves an isolated pawn on d4."),
        (isolated, "cxd5 exd5 Kf1 Kf8", "Kf1 Kf8 cxd5 exd5", ""),
    ] {
        let text = text_for(fen, played, better);
        let found = text
            .split_once(". ")
            .filter(|(_, rest)| rest.contains("was best"))
            .map_or("", |(fault, _)| fault);
        assert_eq!(found, fault.trim_end_matches('.'), "{fen}: {text}");
    }
    // Nothing of this explains the loss of five pawns.
    for (fen, played, better, words) in [
        (castling, "Rg1 h6", "O-O h6", "Gives up castling"),
        (knight, "h3 Nd4 Kf1", "Kf1 h6", "on an outpost"),
        (doubled, "h3 Bxc3 bxc3 h6", "Ne4 h6", "doubled pawns"),
        (isolated, "cxd5 exd5 Kf1 Kf8", "c5 Kf8", "isolated pawn"),
    ] {
        let text = |after| reason_for(fen, played, better, scores(0, after)).0;
        assert!(text(-100).contains(words) && !text(-500).contains(words), "{}", text(-500));
    }
    // The exchange is not an attack on the rook.
    let text = text_for("4r3/7p/5k2/4b3/8/2B5/5PPP/4R1K1 w - - 0 1", "Bxe5+ Rxe5 Rc1 h6", "Bd2 h6");
    assert!(!text.contains("drives away"), "{text}");
    let ending = |scores| reason_for(rook_ending, "Rxe6 Kxe6 Ke3", "Rf3+ Ke7", scores).0;
    assert!(ending(scores(0, -400)).starts_with("Leads to a pawn ending that is lost."));
    assert!(!ending(scores(-400, -600)).contains("pawn ending"));
    // Black's pawn on c7 holds the pawn on d4, but not one on e5.
    let passed = |fen: &str| reason_for(fen, "Nxe5 dxe5 Kf7 Kf2", "Nb4 Kf2", scores(0, 100)).0;
    let text = passed("6k1/2p4p/2n5/4N3/3P4/8/7P/6K1 b - - 0 1");
    assert!(text.starts_with("Allows a passed pawn on e5."), "{text}");
    let text = passed("6k1/7p/2n5/4N3/3P4/8/7P/6K1 b - - 0 1");
    assert!(!text.contains("passed"), "it was passed on d4: {text}");
    let level = |scores| reason_for("1q4k1/5ppp/8/8/8/8/5PPP/3Q2K1 w - - 0 1", "h3 h6", "g3 h6", scores).0;
    assert!(level(scores(200, 0)).starts_with("Throws away the advantage: the position is level now."));
    assert_eq!(level(scores(100, 0)), "g3, which gives the king an escape square, was best.");
}

#[test]
fn a_stalemate_is_named_before_the_tablebases_result() {
    let scores = [PgnScore::Centipawns(900), PgnScore::Centipawns(0)];
    for tablebase in [[None; 2], [Some(GameResult::WhiteWins), Some(GameResult::Draw)]] {
        let reason = data_with(tablebase, "7k/8/6K1/8/8/8/8/5Q2 w - - 0 1", "Qf7", "Qf8#", scores);
        assert_eq!(reason.fault, Some(Fault::Stalemates));
        assert!(reason.text.starts_with("Gives stalemate. Qf8#"), "{}", reason.text);
        assert_eq!(reason.arrows.len(), 1);
    }
}
