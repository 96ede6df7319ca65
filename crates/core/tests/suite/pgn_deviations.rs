//! Deviations from PGN in texts that people type and copy: nothing of the game is lost.

use super::events::{Chunks, Events};
use tabiya_core::notation::{GameResult, San};

/// The events of a text, joined by spaces, however the text is split into reads.
fn events(text: impl AsRef<[u8]>) -> String {
    let text = text.as_ref();
    let whole = Events::of(text);
    for size in [1, 2, 5] {
        let chunked = Events::of(Chunks { text, size });
        assert_eq!((chunked.log, chunked.errors), (whole.log.clone(), whole.errors.clone()), "{text:?}");
    }
    whole.log.join(" ")
}

#[test]
fn promotions_in_parentheses_belong_to_the_move() {
    for (text, expected) in [
        ("1. a8=Q Kb6 2. b8(Q)+ *", "a8=Q Kb6 b8(Q) =*"),
        ("5. gxh8=(Q) Kd7 6.a1(n)! *", "gxh8=(Q) Kd7 a1(n) $1 =*"),
        ("b8(Q)+- ♙a8(R)", "b8(Q) $18 ♙a8(R)"),
        ("b8(Q)", "b8(Q)"),
        // Variations, which may begin directly after a move.
        ("e4(d4)e5", "e4 ( d4 ) e5"),
        ("Rb8(Rc8)Ka7", "Rb8 ( Rc8 ) Ka7"),
        ("Rb8(N)", "Rb8 ( $146 )"),
        ("b8=Q(b8=R)", "b8=Q ( b8=R )"),
        ("Rb8(", "Rb8 ( !1:4 )"),
    ] {
        assert_eq!(events(text), format!("< | {expected} >"), "{text}");
    }
}

#[test]
fn text_after_a_result_belongs_to_the_game() {
    for (text, expected) in [
        ("e4 1-0 1-0", "< | e4 =1-0 =1-0 >"),
        ("e4 1-0 *", "< | e4 =1-0 >"),
        ("e4 * 1-0", "< | e4 =* =1-0 >"),
        ("e4 1-0.\n\ne5", "< | e4 =1-0 > < | e5 >"),
        ("e4 1-0 White resigns", "< | e4 =1-0 !1:8 !1:14 >"),
        ("e4 1-0 (mate) {a}\n1. d4 *", "< | e4 =1-0 !1:8 !1:13 {a} > < | d4 =* >"),
        (
            "e4 1-0 in 5 [x]\u{a0}♘f3\n[White \"x\"] *",
            "< | e4 =1-0 !1:8 !1:11 !1:13 !1:15 !1:18 > < [White=x] | =* >",
        ),
        ("e4 draw agreed 2. Nf3 *", "< | e4 =1/2-1/2 !1:9 !1:16 Nf3 =* >"),
        ("e4 1-0 won 1. d4 0-1", "< | e4 =1-0 !1:8 > < | d4 =0-1 >"),
        ("e4 1-0 won [White \"x\"] 1. d4 0-1", "< | e4 =1-0 !1:8 > < [White=x] | d4 =0-1 >"),
        ("e4 1-0\u{feff}[White \"x\"] d4", "< | e4 =1-0 > < [White=x] | d4 >"),
        ("e4 1-0 won\rd4", "< | e4 =1-0 !1:8 > < | d4 >"),
    ] {
        assert_eq!(events(text), expected, "{text:?}");
    }
    let long = format!("e4 1-0 {}\n\ne5", "x".repeat(100_000));
    assert_eq!(Events::of(long.as_bytes()).log.join(" "), "< | e4 =1-0 !1:8 > < | e5 >");
}

#[test]
fn spaces_around_the_dash_of_a_result_are_read() {
    for (text, result) in [
        ("1/2 - 1/2", "1/2-1/2"),
        ("1 - 0", "1-0"),
        ("0 – 1\n", "0-1"),
        ("1 : 0 {a}", "1-0"),
        ("½ - ½", "1/2-1/2"),
        ("0.5 - 0.5\n\n", "1/2-1/2"),
    ] {
        let comment = if text.contains('{') { " {a}" } else { "" };
        assert_eq!(events(format!("e4 {text}")), format!("< | e4 ={result}{comment} >"), "{text}");
        let tag = text.trim_end_matches(" {a}").trim_end();
        assert_eq!(tag.parse::<GameResult>().unwrap().as_str(), result);
    }
    assert_eq!(events("1 -- 1 e5 1 e4 0 - 0"), "< | -- e5 e4 !1:18 >");
}

#[test]
fn ellipses_and_invisible_marks_separate_words() {
    for text in [
        "1. e4 {a} 1…e5 2. Nf3 Nc6 1-0",
        "1. e4… {a} e5 2.… Nf3 … Nc6 1-0",
        "1. e4\u{200e} {a} e5\u{200f} \u{202a}2. Nf3\u{202c} Nc6\u{feff} 1-0",
    ] {
        assert_eq!(events(text), "< | e4 {a} e5 Nf3 Nc6 =1-0 >", "{text:?}");
    }
    assert_eq!(events(b"1. e4 1\x85e5 *"), "< | e4 e5 =* >");
    assert_eq!(events("[Wh…ite \"x\"]\n[Wh\u{feff}ite"), "< !1:1 !2:1 | >");
    assert_eq!(events("1. e4 e5 2. Nf3 Nf6 (2…Nc6) *"), "< | e4 e5 Nf3 Nf6 ( Nc6 ) =* >");
}

#[test]
fn punctuation_after_moves_is_ignored() {
    for text in ["1. e4, e5 2. Nf3, Nc6 *", "1. e4. e5. 2. Nf3 , Nc6. *", "1.e4: e5, 2.Nf3,Nc6:*"] {
        assert_eq!(events(text), "< | e4 e5 Nf3 Nc6 =* >", "{text}");
    }
    assert_eq!(events("e4 (d4 1-0.\n) e5 *"), "< | e4 ( d4 ) e5 =* >");
    assert_eq!(events("e4+-, e2:d3, exd6e.p., Nf3±."), "< | e4 $18 e2:d3 exd6e.p. Nf3 $16 >");
    assert_eq!(events("e4 0.5-0.5.\n"), "< | e4 =1/2-1/2 >");
}

#[test]
fn movetext_is_decoded_as_windows_1252() {
    for (text, expected) in [
        (&b"2. Nf3\xb1 N\xd7d4 \xb1 1-0"[..], "Nf3 $16 N×d4 $16 =1-0"),
        (b"Nc6 \xbd-\xbd", "Nc6 =1/2-1/2"),
        (b"Nc6 1\x960", "Nc6 =1-0"),
        (b"O\x96O \xbd", "O–O =1/2-1/2"),
    ] {
        assert_eq!(events(text), format!("< | {expected} >"), "{text:?}");
    }
    assert_eq!(San::from_bytes(b"N\xd7d4").unwrap().to_string(), "Nxd4");
}
