//! EPD parsing and writing.

use super::text;
use proptest::prelude::*;
use tabiya_core::EpdErrorKind as Kind;
use tabiya_core::EpdOperation as Op;
use tabiya_core::notation::{ParseSanError, San};
use tabiya_core::{Board, Epd, EpdError, EpdOperand, EpdRegister, FenErrorKind};

const KINGS: &str = "8/8/3k4/8/8/3K4/8/8 w - -";

fn epd(operations: &str) -> Epd {
    let line = format!("{KINGS} {operations}");
    line.parse().unwrap_or_else(|error| panic!("{line}: {error}"))
}

fn operations(text: &str) -> Vec<Op> {
    epd(text).operations
}

fn san(text: &str) -> San {
    text.parse().unwrap()
}

fn register(number: u8) -> EpdRegister {
    EpdRegister::new(number).unwrap()
}

/// The opcodes with variants of their own, and others, of the standard or not.
#[test]
fn all_opcodes_round_trip() {
    let mixed = vec![word("a"), EpdOperand::String("b c".into()), word("1")];
    let list = [
        ("am Nf3 e4;", Op::AvoidMoves(vec![san("Nf3"), san("e4")])),
        ("bm O-O Qxd5+ a8=Q#;", Op::BestMoves(vec![san("O-O"), san("Qxd5+"), san("a8=Q#")])),
        ("bm;", Op::BestMoves(vec![])),
        ("c0 \"best move; of all\";", Op::Comment(register(0), Some("best move; of all".into()))),
        ("c9 \"1/2-1/2\";", Op::Comment(register(9), Some("1/2-1/2".into()))),
        ("c3;", Op::Comment(register(3), None)),
        ("ce -32765;", Op::CentipawnEvaluation(-32765)),
        ("dm 3;", Op::DirectMate(3)),
        ("draw_offer;", other("draw_offer", &[])),
        ("id \"WAC.001\";", Op::Id("WAC.001".into())),
        ("noop a \"b c\" 1;", Op::Other { opcode: "noop".into(), operands: mixed }),
        ("pv e4 e5 Nf3;", other("pv", &["e4", "e5", "Nf3"])),
        ("D1 20;", other("D1", &["20"])),
        ("c10 x;", other("c10", &["x"])),
    ];
    for (text, operation) in &list {
        assert_eq!(operations(text), std::slice::from_ref(operation), "{text}");
        assert_eq!(operation.to_string(), *text);
        assert_eq!(text.split([' ', ';']).next(), Some(&*operation.opcode()));
    }
    let all: String = list.iter().map(|(text, _)| format!(" {text}")).collect();
    let line = format!("{KINGS}{all}");
    let record: Epd = line.parse().unwrap();
    assert!(record.operations.iter().eq(list.iter().map(|(_, operation)| operation)));
    assert_eq!(record.to_string(), line);
}

fn other(opcode: &str, operands: &[&str]) -> Op {
    Op::Other { opcode: opcode.into(), operands: operands.iter().copied().map(word).collect() }
}

fn word(text: &str) -> EpdOperand {
    EpdOperand::Word(text.into())
}

#[test]
fn counter_opcodes_set_the_board() {
    let record = epd("fmvn 57; hmvc 12;");
    assert_eq!((record.board.halfmove_clock(), record.board.fullmove_number()), (12, 57));
    assert_eq!(record.operations, []);
    assert_eq!(record.to_string(), KINGS);
    assert_eq!(record.with_counters().to_string(), format!("{KINGS} hmvc 12; fmvn 57;"));
    assert_eq!(epd("hmvc 0; fmvn 1;").with_counters().to_string(), KINGS);
    assert_eq!(epd("fmvn 70000;").board.fullmove_number(), u16::MAX);

    // The counters of a six-field FEN, with and without operations.
    for (line, expected) in [
        (format!("{KINGS} 3 9"), (3, 9)),
        (format!("{KINGS} 3 9;"), (3, 9)),
        (format!("{KINGS} 3 9 ;D1 20 ;D2 400"), (3, 9)),
        (format!("{KINGS} 3 ; bm e4;"), (3, 1)),
        (format!("{KINGS} 3 9; hmvc 4"), (4, 9)),
    ] {
        let board = line.parse::<Epd>().unwrap_or_else(|error| panic!("{line}: {error}")).board;
        assert_eq!((board.halfmove_clock(), board.fullmove_number()), expected, "{line}");
    }
}

#[test]
fn parses_leniently() {
    for (text, canonical) in [
        ("bm e4", "bm e4;"),
        ("bm e4 ; id \"x\" ", "bm e4; id \"x\";"),
        (";; bm e4;; ;", "bm e4;"),
        ("bm e4, Nf3!", "bm e4 Nf3;"),
        ("bm 0-0", "bm O-O;"),
        ("id WAC.001;", "id \"WAC.001\";"),
        ("c0 Nf3=10 and   e4=5;", "c0 \"Nf3=10 and e4=5\";"),
        ("ce +31", "ce 31;"),
        ("id\"x\";bm e4;", "id \"x\"; bm e4;"),
        ("\t bm\te4;\r", "bm e4;"),
    ] {
        let written = epd(text).to_string();
        assert_eq!(written, format!("{KINGS} {canonical}"), "{text}");
    }
    assert_eq!(format!("  {KINGS}").parse::<Epd>().unwrap().operations, []);
}

#[test]
fn quotes_and_backslashes_round_trip() {
    for (text, value) in [
        (r#"id "say \"e4\"";"#, r#"say "e4""#),
        (r#"id "C:\\suite";"#, r"C:\suite"),
        (r#"id "a \ alone";"#, r"a \ alone"),
        (r#"id "";"#, ""),
        // A literal backslash before the closing quote.
        (r#"id "C:\";"#, r"C:\"),
        (r#"id "Ångström ½";"#, "Ångström ½"),
        // Control characters, which could write lines of their own, become spaces.
        ("id \"a\rbestmove e2e4\u{1b}[2J\";", "a bestmove e2e4 [2J"),
        ("id a\u{7}b;", "a b"),
    ] {
        let record = epd(text);
        assert_eq!(record.id(), Some(value), "{text}");
        assert_eq!(record.to_string().parse(), Ok(record));
    }
    let mut record = Epd::new(Board::startpos());
    record.operations.push(Op::Id("a\nb".into()));
    record.operations.push(Op::Other { opcode: "x".into(), operands: vec![word("not a word")] });
    assert!(record.to_string().ends_with("id \"a b\"; x \"not a word\";"));
}

/// Every error with its byte position. The operations start at byte 26.
#[test]
fn reports_errors_with_position() {
    let number = Kind::InvalidNumber;
    let max = i64::from(u32::MAX);
    for (text, position, kind) in [
        ("1st e4;", 26, Kind::InvalidOpcode),
        ("\"bm\" e4;", 26, Kind::InvalidOpcode),
        ("bm e4; é;", 33, Kind::InvalidOpcode),
        ("bm e4; a\x1b[31mb x;", 33, Kind::InvalidOpcode),
        ("id;", 28, Kind::MissingOperand("id")),
        ("dm", 28, Kind::MissingOperand("dm")),
        ("dm 3 4;", 31, Kind::UnexpectedOperand("dm")),
        ("dm 4294967296;", 29, number("dm", 0, max)),
        ("bm e4 zz;", 32, Kind::InvalidMove("bm", ParseSanError::Piece)),
        ("am e4 e9;", 32, Kind::InvalidMove("am", ParseSanError::Target)),
        ("dm three;", 29, number("dm", 0, max)),
        ("dm -3;", 29, number("dm", 0, max)),
        ("ce 1.5;", 29, number("ce", i64::from(i32::MIN), i64::from(i32::MAX))),
        ("hmvc 65536;", 31, number("hmvc", 0, 65535)),
        ("id \"x;", 29, Kind::UnterminatedString),
    ] {
        let line = format!("{KINGS} {text}");
        let error = line.parse::<Epd>().expect_err(&line);
        assert_eq!(error, EpdError { position, kind }, "{text}");
        assert!(error.to_string().starts_with(&format!("invalid EPD, byte {position}: ")), "{error}");
    }

    let error = "  8/8/3k4/9/8/3K4/8/8 w - - bm e4;".parse::<Epd>().unwrap_err();
    assert_eq!(error.position, 10);
    assert!(matches!(error.kind, Kind::Fen(fen) if fen.kind == FenErrorKind::InvalidPiece('9')));
    assert!(std::error::Error::source(&error).is_none(), "the text holds the error beneath");
    // If a field is missing, the first operation is read as that field.
    assert!(matches!("8/8/3k4/8/8/3K4/8/8 w - bm e4;".parse::<Epd>().unwrap_err().kind, Kind::Fen(_)));
}

#[test]
fn accessors_find_operations() {
    let record = epd("bm e4; am d4 c4; id \"a\"; c0 \"zero\"; c1; dm 2; ce 7; mine 1;");
    assert_eq!((record.best_moves(), record.avoid_moves()), (&[san("e4")][..], &[san("d4"), san("c4")][..]));
    assert_eq!((record.id(), record.comment(0), record.comment(1)), (Some("a"), Some("zero"), None));
    assert_eq!((record.direct_mate(), record.centipawn_evaluation()), (Some(2), Some(7)));
    let again = epd("c0 \"a\"; c0 \"b\"; c1 \"a\"; c1;");
    assert_eq!((again.comment(0), again.comment(1)), (Some("b"), None));
    assert!(record.operation("mine").is_some() && record.operation("yours").is_none());
    let empty = Epd::new(Board::startpos());
    assert_eq!((empty.best_moves(), empty.avoid_moves(), empty.id()), (&[][..], &[][..], None));
    assert_eq!((empty.direct_mate(), empty.centipawn_evaluation(), empty.comment(0)), (None, None, None));
    assert_eq!(EpdRegister::new(10), None);
}

#[test]
fn test_suites_round_trip() {
    for (path, count) in [
        ("epd/wac.epd", 300),
        ("epd/bk.epd", 24),
        ("epd/sbd.epd", 134),
        ("epd/kaufman.epd", 25),
        ("epd/eet.epd", 100),
        ("epd/zugts.epd", 30),
        ("epd/null_move.epd", 5),
        ("epd/sts_v3.epd", 1500),
    ] {
        let file = text(path);
        let mut read = 0;
        for (number, record) in Epd::parse_lines(&file) {
            let record = record.unwrap_or_else(|error| panic!("{path}:{number}: {error}"));
            let (line, written) = (file.lines().nth(number - 1).unwrap().trim(), record.to_string());
            // The en-passant field may differ: squares that no pawn attacks are dropped.
            let fields = |line: &str| {
                line.split(' ')
                    .enumerate()
                    .filter(|(index, _)| *index != 3)
                    .map(|(_, field)| field.to_owned())
                    .collect::<Vec<_>>()
            };
            assert_eq!(fields(line), fields(&written), "{path}:{number}");
            assert_eq!(written.parse(), Ok(record));
            read += 1;
        }
        assert_eq!(read, count, "{path}");
    }
}

proptest! {
    /// Any text yields a record or an error within the text, and records round-trip.
    #[test]
    fn any_text_is_parsed_or_rejected(line in ".*") {
        check_any(&line);
    }

    #[test]
    fn any_operations_are_parsed_or_rejected(text in "([a-z]{1,4}[0-9]?| |;|\"|\\\\|e4|Nf3|-?[0-9]{1,5}|bm |id |c0 |[^\\n]){0,30}") {
        check_any(&format!("{KINGS} {text}"));
    }
}

fn check_any(line: &str) {
    match line.parse::<Epd>() {
        Ok(record) => {
            let written = record.with_counters().to_string();
            // Control characters in strings become spaces, so only the second text is stable.
            let again: Epd =
                written.parse().unwrap_or_else(|error| panic!("{line:?} as {written:?}: {error}"));
            assert_eq!(again.with_counters().to_string(), written, "{line:?}");
            if !line.contains(char::is_control) {
                assert_eq!(again, record, "{line:?}");
            }
        }
        Err(error) => {
            assert!(error.position <= line.len() && line.is_char_boundary(error.position), "{line:?}");
            assert!(!error.to_string().is_empty());
        }
    }
}
