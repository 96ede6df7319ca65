//! The check of target `epd`.

use super::is_valid_position;
use tabiya_core::{Board, Epd, EpdError, EpdErrorKind, EpdOperand, EpdOperation};

/// Any text is rejected with a valid error position, or is a record that round-trips.
pub fn epd(data: &[u8]) {
    let Ok(text) = str::from_utf8(data) else { return };
    check_record(text, text.parse());
    if let Ok(board) = Board::from_fen(text) {
        assert_eq!(text.parse(), Ok(Epd::new(board)), "a FEN is an EPD record");
    }

    let lines: Vec<&str> = text.strip_prefix('\u{feff}').unwrap_or(text).lines().collect();
    let mut next = 0;
    for (number, record) in Epd::parse_lines(text) {
        let is_skipped = |line: &&str| line.trim().is_empty() || line.trim_start().starts_with('#');
        assert!(lines[next..number - 1].iter().all(is_skipped), "a record before line {number} is missing");
        assert_eq!(lines[number - 1].parse(), record, "line {number}");
        check_record(lines[number - 1], record);
        next = number;
    }
}

fn check_record(text: &str, record: Result<Epd, EpdError>) {
    match record {
        Ok(epd) => check_epd(&epd),
        Err(error) => {
            assert!(is_valid_position(text, error.position), "{error:?}");
            assert!(!error.to_string().is_empty());
            if let EpdErrorKind::Fen(inner) = error.kind {
                assert!(inner.position <= error.position, "{error:?}");
            }
        }
    }
}

fn check_epd(epd: &Epd) {
    for operation in &epd.operations {
        assert!(epd.operation(&operation.opcode()).is_some());
        assert!(operation.to_string().starts_with(&*operation.opcode()));
    }
    assert!(epd.with_counters().to_string().starts_with(&epd.to_string()));
    for written in [epd.with_counters().to_string(), format!("{:#}", epd.with_counters())] {
        assert!(!written.contains(['\n', '\r']), "{written:?} is not one line");
        let reread: Epd = written.parse().unwrap_or_else(|error| panic!("{written:?}: {error}"));
        assert_eq!(reread.board, epd.board, "{written:?}");
        assert_eq!(reread.to_string(), epd.to_string());
        assert_eq!(epd.to_string().parse::<Epd>().map(|epd| epd.board.epd()), Ok(epd.board.epd()));
        if !epd.operations.iter().any(has_control_character) {
            assert_eq!(reread.operations, epd.operations, "{written:?}");
        }
    }
}

/// Returns true if a text of this operation contains a control character, which is written as a space.
fn has_control_character(operation: &EpdOperation) -> bool {
    let control = |text: &str| text.contains(char::is_control);
    match operation {
        EpdOperation::Comment(_, text) => text.as_deref().is_some_and(control),
        EpdOperation::Id(text) => control(text),
        EpdOperation::Other { operands, .. } => operands.iter().any(|operand| match operand {
            EpdOperand::Word(text) | EpdOperand::String(text) => control(text),
        }),
        _ => false,
    }
}
