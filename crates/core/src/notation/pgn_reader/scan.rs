use super::source::{LONGEST_TOKEN, Window, find};
use super::visitor::Origin;
use super::{CommentToken, Next, PgnError, PgnErrorKind, PgnVisitor, Place, SanToken};
use crate::notation::{GameResult, Nag};

/// A word that is longer is not a move, whatever it is.
pub(super) const LONGEST_WORD: usize = 255;

/// How far ahead is looked for the rest of what may be a tag, or a blank line.
const LOOK_AHEAD: usize = 512;

/// Why a scan stopped.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Step {
    /// The window ends, perhaps inside a token.
    More,
    /// The visitor is to be changed for the silent one, or the other way round.
    Switch,
    /// The game is over.
    End,
}

/// Which part of a game is being read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Stage {
    Tags,
    Moves,
    /// Between the result and the end of its line.
    AfterResult,
}

/// Whether, and how far, the visitor has asked to leave things out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Silence {
    Off,
    /// Until the depth of variations is this again.
    Variation(u32),
    Game,
}

/// Inside what the last window ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Inside {
    Nothing,
    BraceComment,
    LineComment,
    /// A line, or a word, that is left out.
    Line,
    Word,
}

/// All that is remembered of a game from one window to the next: a fixed amount.
#[derive(Debug)]
pub(super) struct State {
    pub(super) stage: Stage,
    pub(super) silence: Silence,
    /// The number of variations that are open.
    pub(super) depth: u32,
    /// Where the outermost of them began.
    opened: u64,
    opened_place: Option<Place>,
    /// Has the current line a move that a variation could replace?
    move_seen: bool,
    inside: Inside,
    comment_place: Option<Place>,
    /// How many bytes of a comment are known to have no end in them.
    searched: usize,
    /// Line ends since the last tag.
    pub(super) line_ends: u32,
    /// The tags of the roster that have been read, a bit for each.
    pub(super) roster_seen: u8,
    /// A hash of the name of the first tag.
    pub(super) first_tag: Option<u64>,
}

impl State {
    pub(super) fn new() -> State {
        State {
            stage: Stage::Tags,
            silence: Silence::Off,
            depth: 0,
            opened: 0,
            opened_place: None,
            move_seen: false,
            inside: Inside::Nothing,
            comment_place: None,
            searched: 0,
            line_ends: 0,
            roster_seen: 0,
            first_tag: None,
        }
    }

    /// Works out the places that are in the window and may be wanted when it is gone.
    pub(super) fn before_refill(&mut self, window: &Window<'_>) {
        if self.depth > 0 && self.opened_place.is_none() {
            self.opened_place = window.index(self.opened).map(|at| window.place(at));
        }
    }

    /// Where the outermost open variation began.
    pub(super) fn opened_place(&self, window: &Window<'_>) -> Option<Place> {
        if self.depth == 0 {
            return None;
        }
        self.opened_place.or_else(|| window.index(self.opened).map(|at| window.place(at)))
    }
}

/// One run over a window with one visitor.
pub(super) struct Scan<'a, V> {
    pub(super) state: &'a mut State,
    pub(super) window: &'a Window<'a>,
    pub(super) at: usize,
    pub(super) visitor: &'a mut V,
}

/// The bytes that end a word: blanks and control characters, and the signs that are tokens.
static ENDS_WORD: [bool; 256] = {
    let mut table = [false; 256];
    let mut byte = 0;
    while byte <= b' ' as usize {
        table[byte] = true;
        byte += 1;
    }
    let signs = b"{}()[];$!?<>\"*";
    let mut index = 0;
    while index < signs.len() {
        table[signs[index] as usize] = true;
        index += 1;
    }
    table
};

impl<V: PgnVisitor> Scan<'_, V> {
    /// Reads until the game ends, the window ends or the visitor is to be changed.
    pub(super) fn run(&mut self) -> Step {
        loop {
            let step = match self.state.inside {
                Inside::Nothing => match self.state.stage {
                    Stage::Tags => self.tags(),
                    Stage::Moves => Some(self.moves()),
                    Stage::AfterResult => self.after_result(),
                },
                Inside::BraceComment => self.brace_comment(self.at, self.at),
                Inside::LineComment => self.line_comment(self.at),
                Inside::Line => self.rest_of_line(),
                Inside::Word => self.rest_of_word(),
            };
            if let Some(step) = step {
                return step;
            }
        }
    }

    /// Moves and what stands between them, until something needs more than a look at the next
    /// word.
    fn moves(&mut self) -> Step {
        let data = self.window.data;
        let mut at = self.at;
        loop {
            let Some(&byte) = data.get(at) else {
                self.at = at;
                return self.end_of_window();
            };
            match byte {
                0..=b' ' => at += 1,
                b'A'..=b'Z' | b'a'..=b'z' | b'@' => {
                    let end = word_end(data, at);
                    if (end == data.len() && !self.window.at_end) || end - at > LONGEST_WORD {
                        self.at = at;
                        match self.unfinished_word(end) {
                            Some(step) => return step,
                            None => at = self.at,
                        }
                        continue;
                    }
                    let bytes = &data[at..end];
                    if let Some(nag) = special_word(bytes) {
                        if let Some(nag) = nag {
                            self.visitor.nag(nag);
                        }
                    } else if self.san(bytes, at) == Next::Skip {
                        self.at = end;
                        return self.skip_game();
                    }
                    at = end;
                }
                b'0'..=b'9' => {
                    let mut end = at + 1;
                    while data.get(end).is_some_and(u8::is_ascii_digit) {
                        end += 1;
                    }
                    if data.get(end) == Some(&b'.') {
                        at = end + 1;
                        continue;
                    }
                    self.at = at;
                    match self.number(end) {
                        Some(step) => return step,
                        None => at = self.at,
                    }
                    if self.state.stage != Stage::Moves {
                        return Step::Switch;
                    }
                }
                b'.' => at += 1,
                _ => {
                    self.at = at;
                    match self.sign(byte) {
                        Some(step) => return step,
                        None => at = self.at,
                    }
                    if self.state.inside != Inside::Nothing || self.state.stage != Stage::Moves {
                        return Step::Switch;
                    }
                }
            }
        }
    }

    fn end_of_window(&self) -> Step {
        if self.window.at_end { Step::End } else { Step::More }
    }

    #[inline]
    fn san(&mut self, bytes: &[u8], at: usize) -> Next {
        self.state.move_seen = true;
        self.visitor.san(SanToken { bytes, origin: Origin { window: self.window, at } })
    }

    /// The visitor has had enough of this game.
    pub(super) fn skip_game(&mut self) -> Step {
        self.state.silence = Silence::Game;
        Step::Switch
    }

    /// Reports an error; a step if the rest of the game is to be left out.
    #[cold]
    pub(super) fn error(&mut self, at: usize, kind: PgnErrorKind) -> Option<Step> {
        self.error_at(self.window.place(at), kind)
    }

    #[cold]
    fn error_at(&mut self, place: Place, kind: PgnErrorKind) -> Option<Step> {
        match self.visitor.error(PgnError { place, kind }) {
            Next::Read => None,
            Next::Skip => Some(self.skip_game()),
        }
    }

    /// A word that goes to the end of the window, or is too long to be a move.
    #[cold]
    fn unfinished_word(&mut self, end: usize) -> Option<Step> {
        let at = self.at;
        if end - at <= LONGEST_WORD {
            return Some(Step::More);
        }
        self.at = end;
        self.state.inside = Inside::Word;
        Some(self.error(at, PgnErrorKind::UnexpectedText).unwrap_or(Step::Switch))
    }

    fn rest_of_word(&mut self) -> Option<Step> {
        self.at = word_end(self.window.data, self.at);
        if self.at == self.window.data.len() {
            return Some(self.end_of_window());
        }
        self.state.inside = Inside::Nothing;
        None
    }

    /// Leaves the rest of the line out.
    pub(super) fn skip_line(&mut self) {
        self.state.inside = Inside::Line;
    }

    fn rest_of_line(&mut self) -> Option<Step> {
        match line_end(self.window.data, self.at) {
            Some(end) => {
                self.at = end;
                self.state.inside = Inside::Nothing;
                None
            }
            None => {
                self.at = self.window.data.len();
                Some(self.end_of_window())
            }
        }
    }

    /// A number that ends before `end` and has no dot behind it: a move number all the same, a
    /// result, castling with zeros, or a null move.
    fn number(&mut self, end: usize) -> Option<Step> {
        let (data, at) = (self.window.data, self.at);
        let Some(&next) = data.get(end) else {
            if self.window.at_end || end - at > LONGEST_WORD {
                self.at = end;
                return None;
            }
            return Some(Step::More);
        };
        if !matches!(next, b'-' | b'/' | 0x80..) {
            self.at = end;
            if &data[at..end] == b"0000" && self.san(b"--", at) == Next::Skip {
                return Some(self.skip_game());
            }
            return None;
        }
        let end = word_end(data, end);
        if (end == data.len() && !self.window.at_end) || end - at > LONGEST_WORD {
            return self.unfinished_word(end);
        }
        let bytes = &data[at..end];
        if let Some(result) = GameResult::from_bytes(bytes) {
            return self.result(result, end);
        }
        self.at = end;
        if bytes.starts_with(b"0-0") {
            return match self.san(bytes, at) {
                Next::Read => None,
                Next::Skip => Some(self.skip_game()),
            };
        }
        self.error(at, PgnErrorKind::UnexpectedText)
    }

    /// A result that ends before `end`. In a variation it says how the variation would end and
    /// means nothing to us, unless the game ends here.
    fn result(&mut self, result: GameResult, end: usize) -> Option<Step> {
        if self.state.depth > 0 {
            match game_ends(self.window, end) {
                None => return Some(Step::More),
                Some(false) => {
                    self.at = end;
                    return None;
                }
                Some(true) => {}
            }
        }
        self.at = end;
        self.visitor.result(result);
        self.state.stage = Stage::AfterResult;
        None
    }

    /// Comments on the line of the result still belong to the game.
    fn after_result(&mut self) -> Option<Step> {
        loop {
            let Some(&byte) = self.window.data.get(self.at) else { return Some(self.end_of_window()) };
            match byte {
                b' ' | b'\t' => self.at += 1,
                b'{' => return self.brace_comment(self.at + 1, self.at),
                b';' => {
                    self.at += 1;
                    return self.line_comment(self.at);
                }
                _ => return Some(Step::End),
            }
        }
    }

    /// Whatever starts with a sign.
    fn sign(&mut self, byte: u8) -> Option<Step> {
        let at = self.at;
        match byte {
            b'{' => self.brace_comment(at + 1, at),
            b';' => {
                self.at = at + 1;
                self.line_comment(at + 1)
            }
            b'(' => self.open_variation(),
            b')' => self.close_variation(),
            b'$' => self.numbered_glyph(),
            b'!' | b'?' => self.annotation_marks(),
            b'*' => self.result(GameResult::Unknown, at + 1),
            b'%' if at_line_start(self.window.data, at) => {
                self.skip_line();
                None
            }
            b'[' => match starts_tag(self.window, at) {
                None => Some(Step::More),
                Some(true) => Some(Step::End),
                Some(false) => self.unexpected_word(),
            },
            b'}' => {
                self.at = at + 1;
                self.error(at, PgnErrorKind::UnexpectedClosingBrace)
            }
            b'+' | b'-' | b'=' | b'~' | b'#' | 0x80.. => self.symbol(),
            _ => self.unexpected_word(),
        }
    }

    fn open_variation(&mut self) -> Option<Step> {
        let at = self.at;
        self.at = at + 1;
        let mut next = Next::Skip;
        if self.state.silence == Silence::Off {
            if self.state.move_seen {
                next = self.visitor.begin_variation();
            } else if let Some(step) = self.error(at, PgnErrorKind::VariationBeforeMove) {
                return Some(step);
            }
        }
        if self.state.depth == 0 {
            self.state.opened = self.window.offset(at);
            self.state.opened_place = None;
        }
        let outside = self.state.depth;
        self.state.depth = outside.saturating_add(1);
        self.state.move_seen = false;
        if self.state.silence == Silence::Off && next == Next::Skip {
            self.state.silence = Silence::Variation(outside);
            return Some(Step::Switch);
        }
        None
    }

    fn close_variation(&mut self) -> Option<Step> {
        let at = self.at;
        self.at = at + 1;
        if self.state.depth == 0 {
            return self.error(at, PgnErrorKind::UnexpectedClosingParenthesis);
        }
        self.state.depth -= 1;
        // There is a move that the variation was an alternative to, or it would have been refused;
        // at least in the lines that are reported.
        self.state.move_seen = true;
        if self.state.silence == Silence::Variation(self.state.depth) {
            self.state.silence = Silence::Off;
            return Some(Step::Switch);
        }
        self.visitor.end_variation();
        None
    }

    /// `$` and a number.
    fn numbered_glyph(&mut self) -> Option<Step> {
        let (data, at) = (self.window.data, self.at);
        let mut end = at + 1;
        let mut number = Some(0u8);
        while let Some(digit) = data.get(end).filter(|byte| byte.is_ascii_digit()) {
            number = number.and_then(|number| number.checked_mul(10)?.checked_add(digit - b'0'));
            end += 1;
        }
        if end == data.len() && !self.window.at_end && end - at <= LONGEST_WORD {
            return Some(Step::More);
        }
        self.at = end;
        match number.filter(|_| end > at + 1) {
            Some(number) => {
                self.visitor.nag(Nag(number));
                None
            }
            None => self.error(at, PgnErrorKind::InvalidNag),
        }
    }

    /// `!`, `?` and their pairs.
    fn annotation_marks(&mut self) -> Option<Step> {
        let (data, at) = (self.window.data, self.at);
        let mut end = at + 1;
        while matches!(data.get(end), Some(b'!' | b'?')) {
            end += 1;
        }
        if end == data.len() && !self.window.at_end && end - at <= LONGEST_WORD {
            return Some(Step::More);
        }
        self.at = end;
        match std::str::from_utf8(&data[at..end]).ok().and_then(Nag::from_symbol) {
            Some(nag) => {
                self.visitor.nag(nag);
                None
            }
            None => self.error(at, PgnErrorKind::InvalidNag),
        }
    }

    /// A printed sign for a glyph, a null move, a piece's picture that begins a move, or a mark of
    /// check that has come off its move.
    fn symbol(&mut self) -> Option<Step> {
        let (data, at) = (self.window.data, self.at);
        let end = word_end(data, at);
        if (end == data.len() && !self.window.at_end) || end - at > LONGEST_WORD {
            return self.unfinished_word(end);
        }
        let bytes = &data[at..end];
        self.at = end;
        if bytes == b"--" || is_figurine(bytes) {
            return match self.san(bytes, at) {
                Next::Read => None,
                Next::Skip => Some(self.skip_game()),
            };
        }
        if matches!(bytes, b"+" | b"++" | b"#" | BYTE_ORDER_MARK) {
            return None;
        }
        if let Some(result) = GameResult::from_bytes(bytes) {
            return self.result(result, end);
        }
        match std::str::from_utf8(bytes).ok().and_then(Nag::from_symbol) {
            Some(nag) => {
                self.visitor.nag(nag);
                None
            }
            None => self.error(at, PgnErrorKind::UnexpectedText),
        }
    }

    /// Something that is no part of a game: up to the next blank or sign, and from `<` to `>`,
    /// which the standard keeps for the future.
    pub(super) fn unexpected_word(&mut self) -> Option<Step> {
        let (data, at) = (self.window.data, self.at);
        let mut end = word_end(data, at + 1);
        if data[at] == b'<' {
            let near = &data[..data.len().min(at + LONGEST_WORD)];
            match near[at..].iter().position(|byte| matches!(byte, b'>' | b'\n')) {
                Some(length) if near[at + length] == b'>' => end = at + length + 1,
                None if near.len() == data.len() && !self.window.at_end => return Some(Step::More),
                _ => {}
            }
        }
        if end == data.len() && !self.window.at_end {
            return self.unfinished_word(end);
        }
        self.at = end;
        self.error(at, PgnErrorKind::UnexpectedText)
    }

    /// A comment whose text, or what is left of it, begins at `start`. `token` is where the brace
    /// is, or the same as `start` where the brace has gone from sight.
    pub(super) fn brace_comment(&mut self, start: usize, token: usize) -> Option<Step> {
        let data = self.window.data;
        match find(data, start + self.state.searched, b'}') {
            Some(end) => match first_tag_line(data, start, end) {
                None => {
                    self.comment(start, end, false);
                    self.at = end + 1;
                    None
                }
                Some(cut) => Some(self.unterminated_comment(start, cut, token)),
            },
            None if self.window.at_end => {
                let cut = first_tag_line(data, start, data.len()).unwrap_or(data.len());
                Some(self.unterminated_comment(start, cut, token))
            }
            None if data.len() - start < LONGEST_TOKEN => {
                self.state.searched = data.len() - start;
                self.at = token;
                Some(Step::More)
            }
            None => {
                // Break it at the end of a line, so that the next piece can be seen to begin one.
                let cut = match data[start + 1..].iter().rposition(|&byte| byte == b'\n') {
                    Some(last) => start + 1 + last,
                    None => character_start(data, data.len()),
                };
                if let Some(cut) = first_tag_line(data, start, cut) {
                    return Some(self.unterminated_comment(start, cut, token));
                }
                if self.state.inside == Inside::Nothing {
                    self.state.comment_place = Some(self.window.place(token));
                }
                self.comment(start, cut, true);
                self.state.inside = Inside::BraceComment;
                self.at = cut;
                Some(Step::Switch)
            }
        }
    }

    #[cold]
    fn unterminated_comment(&mut self, start: usize, cut: usize, token: usize) -> Step {
        let place = match self.state.inside {
            Inside::BraceComment => self.state.comment_place,
            _ => None,
        };
        let place = place.unwrap_or_else(|| self.window.place(token));
        self.comment(start, cut, false);
        self.at = cut;
        // The game is over either way.
        let _ = self.error_at(place, PgnErrorKind::UnterminatedComment);
        Step::End
    }

    /// A comment to the end of the line, or what is left of it.
    pub(super) fn line_comment(&mut self, start: usize) -> Option<Step> {
        let data = self.window.data;
        let end = match line_end(data, start) {
            Some(end) => end,
            None if self.window.at_end => data.len(),
            None if data.len() - start < LONGEST_TOKEN => {
                self.state.inside = Inside::LineComment;
                self.at = start;
                return Some(Step::More);
            }
            None => {
                let cut = character_start(data, data.len());
                self.comment(start, cut, true);
                self.state.inside = Inside::LineComment;
                self.at = cut;
                return Some(Step::More);
            }
        };
        self.comment(start, end, false);
        self.at = end;
        None
    }

    fn comment(&mut self, start: usize, end: usize, continues: bool) {
        self.state.searched = 0;
        self.state.inside = Inside::Nothing;
        self.visitor.comment(CommentToken {
            bytes: &self.window.data[start..end],
            continues,
            origin: Origin { window: self.window, at: start },
        });
    }
}

/// U+FEFF, which some programs put at the start of each file, and so also between files that were
/// joined.
pub(super) const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// The end of the word that starts at `at`: the next blank or sign, or the end.
#[inline]
pub(super) fn word_end(data: &[u8], at: usize) -> usize {
    let mut end = at;
    while let Some(&byte) = data.get(end) {
        if ENDS_WORD[byte as usize] {
            break;
        }
        end += 1;
    }
    end
}

/// Where the line ends that `from` is in: at a line feed, or a carriage return.
fn line_end(data: &[u8], from: usize) -> Option<usize> {
    match find(data, from, b'\n') {
        // Most text has line feeds; look for a return only in front of one.
        Some(end) => Some(find(&data[..end], from, b'\r').unwrap_or(end)),
        None => find(data, from, b'\r'),
    }
}

/// Is this the first byte of a line?
pub(super) fn at_line_start(data: &[u8], at: usize) -> bool {
    match &data[..at] {
        // The bytes before the next one are always kept, so this is the start of the text.
        [] => true,
        before => matches!(before, [.., b'\n' | b'\r']) || before.ends_with(BYTE_ORDER_MARK),
    }
}

/// The last place up to `at` that is not inside a character of UTF-8.
fn character_start(data: &[u8], at: usize) -> usize {
    let is_continuation = |at: usize| data.get(at).is_some_and(|&byte| byte & 0xc0 == 0x80);
    (at.saturating_sub(3)..=at)
        .rev()
        .find(|&start| {
            let whole = start == data.len() && data.last().is_none_or(|&byte| byte < 0x80);
            whole || (start < data.len() && !is_continuation(start))
        })
        .unwrap_or(at)
}

/// Words that are no moves although they look like the beginning of one: `Some(Some(_))` for those
/// that stand for a glyph, `Some(None)` for those that say nothing new.
#[inline]
fn special_word(bytes: &[u8]) -> Option<Option<Nag>> {
    match bytes {
        b"N" => Some(Some(Nag::NOVELTY)),
        b"e.p." | b"ep" | b"ep." => Some(None),
        _ => None,
    }
}

/// Do these bytes start with the picture of a chess piece, U+2654 to U+265F?
fn is_figurine(bytes: &[u8]) -> bool {
    matches!(bytes, [0xe2, 0x99, 0x94..=0x9f, ..])
}

/// Does a tag begin at the bracket at `at`? `None` if more of the text is needed to tell.
fn starts_tag(window: &Window<'_>, at: usize) -> Option<bool> {
    let ahead = &window.data[at + 1..window.data.len().min(at + LOOK_AHEAD)];
    let whole = ahead.len() + 1 == LOOK_AHEAD || window.at_end;
    let undecided = if whole { Some(false) } else { None };
    let Some(name) = ahead.iter().position(|byte| !byte.is_ascii_whitespace()) else { return undecided };
    let ends_name = |byte: &u8| matches!(byte, b'"' | b'[' | b']') || byte.is_ascii_whitespace();
    let Some(length) = ahead[name..].iter().position(ends_name) else { return undecided };
    let after = &ahead[name + length..];
    match after.iter().find(|byte| !byte.is_ascii_whitespace()) {
        None => undecided,
        Some(&byte) => Some(byte == b'"' && length > 0),
    }
}

/// Is there, behind a result at `end`, nothing more of the game: a blank line, a tag, or the end
/// of the text? `None` if more of the text is needed to tell.
fn game_ends(window: &Window<'_>, end: usize) -> Option<bool> {
    let ahead = &window.data[end..window.data.len().min(end + LOOK_AHEAD)];
    let blank = ahead.iter().position(|byte| !byte.is_ascii_whitespace());
    let lines = ahead[..blank.unwrap_or(ahead.len())].iter().filter(|&&byte| byte == b'\n').count();
    match blank {
        _ if lines > 1 => Some(true),
        Some(next) if ahead[next] == b'[' => starts_tag(window, end + next),
        Some(_) => Some(false),
        None if window.at_end || ahead.len() == LOOK_AHEAD => Some(true),
        None => None,
    }
}

/// The first line within a comment that is a tag and nothing else. Nobody writes that into a
/// comment; it means that the closing brace is missing and the next game has begun.
fn first_tag_line(data: &[u8], start: usize, end: usize) -> Option<usize> {
    let mut from = start;
    while let Some(at) = find(&data[..end], from, b'\n') {
        from = at + 1;
        if is_tag_line(&data[from..]) {
            return Some(from);
        }
    }
    None
}

/// Does the text start with `[Name "value"]` on a line of its own?
fn is_tag_line(text: &[u8]) -> bool {
    let [b'[', b'A'..=b'Z', rest @ ..] = text else { return false };
    let is_name = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
    let Some(length) = rest.iter().position(|byte| !is_name(byte)) else { return false };
    let line = match find(rest, length, b'\n') {
        Some(end) => &rest[length..end],
        None => &rest[length..],
    };
    let line = line.trim_ascii_end();
    line.starts_with(b" ") && line.trim_ascii_start().starts_with(b"\"") && line.ends_with(b"\"]")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tag_lines() {
        for line in ["[Event \"x\"]", "[Event \"x\"]\r\nmore", "[Event_2  \"a] b\"]  \n[", "[E \"\"]"] {
            assert!(is_tag_line(line.as_bytes()), "{line}");
        }
        for line in ["", "[", "[%clk 1:00]", "['x']", "[Event", "[Event \"x\"] and", "[Event]", "[e \"x\"]"] {
            assert!(!is_tag_line(line.as_bytes()), "{line}");
        }
    }

    #[test]
    fn characters_are_not_cut() {
        let text = "aé€𝄞b".as_bytes();
        let starts = [0, 1, 3, 6, 10];
        for at in 0..text.len() {
            let expected = starts.into_iter().rfind(|&start| start <= at).unwrap();
            assert_eq!(character_start(text, at), expected, "{at}");
        }
        assert_eq!(character_start(text, text.len()), text.len());
        // Cut off inside the last character.
        assert_eq!(character_start(&text[..9], 9), 6);
        // Four continuation bytes are no UTF-8.
        assert_eq!(character_start(&[0x80; 8], 8), 8);
    }
}
