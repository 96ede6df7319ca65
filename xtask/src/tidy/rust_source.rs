//! Just enough reading of Rust to tell code from comments and strings, and one function from the next.
//!
//! A real parser would be a dependency larger than this whole tool; what is needed is where braces
//! open and close.

/// The source with the contents of comments, strings and character literals replaced by spaces.
/// Line ends stay, so line numbers hold; so do quotes and `//`.
pub(super) fn mask(source: &str) -> String {
    let mut rest: Vec<char> = source.chars().collect();
    rest.reverse();
    let mut masked = String::with_capacity(source.len());
    let mut previous = ' ';
    while let Some(c) = rest.pop() {
        let next = rest.last().copied();
        masked.push(c);
        match c {
            '/' if next == Some('/') => {
                masked.push('/');
                rest.pop();
                skip(&mut rest, &mut masked, |rest| rest.last() == Some(&'\n'));
            }
            '/' if next == Some('*') => skip_block_comment(&mut rest, &mut masked),
            '"' => {
                let hashes = hashes_before(&masked);
                skip_string(&mut rest, &mut masked, hashes);
            }
            // A lifetime has no second quote right after its first character (or escape).
            '\'' if !is_word(previous) || previous == 'b' => skip_char(&mut rest, &mut masked),
            _ => {}
        }
        previous = c;
    }
    masked
}

/// A word or a symbol of a masked source.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Token<'a> {
    /// An identifier, keyword or number, `::`, or one other character.
    pub(super) text: &'a str,
    /// Line number, counted from 1.
    pub(super) line: usize,
}

impl Token<'_> {
    /// True for identifiers, keywords and numbers.
    pub(super) fn is_word(&self) -> bool {
        self.text.starts_with(is_word)
    }
}

/// The tokens of a masked source.
pub(super) fn tokens(masked: &str) -> Vec<Token<'_>> {
    let mut tokens = Vec::new();
    for (index, line) in masked.lines().enumerate() {
        let mut rest = line.trim_start();
        while let Some(first) = rest.chars().next() {
            let length = match first {
                _ if is_word(first) => rest.find(|c| !is_word(c)).unwrap_or(rest.len()),
                _ if rest.starts_with("::") => 2,
                // The rest of the line is a comment.
                _ if rest.starts_with("//") => break,
                _ => first.len_utf8(),
            };
            let (text, after) = rest.split_at(length);
            tokens.push(Token { text, line: index + 1 });
            rest = after.trim_start();
        }
    }
    tokens
}

/// Where a function stands and how long it is.
#[derive(PartialEq, Eq, Debug)]
pub(super) struct Function {
    pub(super) name: String,
    /// The line of the word `fn`, counted from 1.
    pub(super) line: usize,
    /// From there to the closing brace, both included.
    pub(super) lines: usize,
}

/// The functions with a body in a masked source, those inside others too.
pub(super) fn functions(masked: &str) -> Vec<Function> {
    words(masked).filter(|&(_, word)| word == "fn").filter_map(|(start, _)| function(masked, start)).collect()
}

/// The words (identifiers, keywords, numbers) of a text and where each begins.
pub(super) fn words(text: &str) -> impl Iterator<Item = (usize, &str)> {
    text.split(|c| !is_word(c))
        .filter(|word| !word.is_empty())
        // The words are parts of the text, so the difference of addresses is the place.
        .map(|word| (word.as_ptr() as usize - text.as_ptr() as usize, word))
}

/// The number, counted from 1, of the line that the byte at `place` is on.
pub(super) fn line_of(text: &str, place: usize) -> usize {
    1 + text.as_bytes().iter().take(place).filter(|&&byte| byte == b'\n').count()
}

fn function(masked: &str, start: usize) -> Option<Function> {
    let after = &masked[start + "fn".len()..];
    // `fn(i32) -> i32` is a type: it has no name.
    let name: String = after.trim_start().chars().take_while(|&c| is_word(c)).collect();
    if name.is_empty() {
        return None;
    }
    // The body opens at the first brace outside the parameter list; a semicolon there means none.
    let mut nesting = 0i32;
    let open = after.char_indices().find_map(|(index, c)| {
        match c {
            '(' | '[' => nesting += 1,
            ')' | ']' => nesting -= 1,
            '{' | ';' if nesting == 0 => return Some((index, c)),
            _ => {}
        }
        None
    });
    let (open, '{') = open? else { return None };
    let close = after[open..].char_indices().find_map(|(index, c)| {
        match c {
            '{' => nesting += 1,
            '}' => nesting -= 1,
            _ => {}
        }
        (nesting == 0).then_some(open + index)
    })?;
    let line = line_of(masked, start);
    Some(Function { name, line, lines: line_of(after, close) })
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// Replaces characters until `done` says, of what is left (in reverse), that the end has come.
fn skip(rest: &mut Vec<char>, masked: &mut String, done: impl Fn(&[char]) -> bool) {
    while !rest.is_empty() && !done(rest) {
        blank(rest.pop(), masked);
    }
}

fn blank(c: Option<char>, masked: &mut String) {
    masked.extend(c.map(|c| if c == '\n' { '\n' } else { ' ' }));
}

fn skip_block_comment(rest: &mut Vec<char>, masked: &mut String) {
    let mut open = 0;
    loop {
        match (rest.pop(), rest.last()) {
            (None, _) => return,
            (Some('*'), Some('/')) => {
                rest.pop();
                masked.push_str("  ");
                if open <= 1 {
                    return;
                }
                open -= 1;
            }
            (Some('/'), Some('*')) => {
                rest.pop();
                masked.push_str("  ");
                open += 1;
            }
            (Some('*'), _) if open == 0 => {
                // The star of the opening itself, whose slash the caller has taken.
                masked.push(' ');
                open = 1;
            }
            (c, _) => blank(c, masked),
        }
    }
}

/// How many `#` stand between an `r` and the quote just written: `None` for an ordinary string.
fn hashes_before(masked: &str) -> Option<usize> {
    let before = masked.strip_suffix('"')?;
    let trimmed = before.trim_end_matches('#');
    let prefix = trimmed.strip_suffix('r')?;
    let prefix = prefix.strip_suffix(['b', 'c']).unwrap_or(prefix);
    (!prefix.ends_with(is_word)).then_some(before.len() - trimmed.len())
}

fn skip_string(rest: &mut Vec<char>, masked: &mut String, hashes: Option<usize>) {
    while let Some(c) = rest.pop() {
        match (c, hashes) {
            ('\\', None) => {
                masked.push(' ');
                blank(rest.pop(), masked);
            }
            ('"', hashes) if rest.iter().rev().take_while(|&&c| c == '#').count() >= hashes.unwrap_or(0) => {
                masked.push('"');
                return;
            }
            _ => blank(Some(c), masked),
        }
    }
}

fn skip_char(rest: &mut Vec<char>, masked: &mut String) {
    match (rest.last(), rest.len().checked_sub(2).map(|index| rest[index])) {
        (Some('\\'), _) => {
            rest.pop();
            masked.push(' ');
            // Whatever is escaped, a quote too, is no end.
            blank(rest.pop(), masked);
            skip(rest, masked, |rest| rest.last() == Some(&'\''));
            masked.extend(rest.pop());
        }
        (Some(_), Some('\'')) => {
            blank(rest.pop(), masked);
            masked.extend(rest.pop());
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_and_literals_are_masked() {
        for (source, expected) in [
            ("a // b {\nc", "a //    \nc"),
            ("a /* b { /* c */ } */ d", "a /                   d"),
            ("a \"b { \\\" c\" d", "a \"        \" d"),
            ("a r\"b\\\" d", "a r\"  \" d"),
            ("a r#\"b\"c\"# d", "a r#\"   \"# d"),
            ("br##\"}\"#\"## x", "br##\"   \"## x"),
            ("'{' 'a '\\'' '\\u{7b}'", "' ' 'a '  ' '      '"),
            ("b'{' fn f<'a>(x: &'a str) {}", "b' ' fn f<'a>(x: &'a str) {}"),
            ("\"a\nb\" c", "\" \n \" c"),
            ("/* unclosed {", "/            "),
            ("\"unclosed {", "\"          "),
        ] {
            assert_eq!(mask(source), expected, "{source}");
        }
    }

    #[test]
    fn functions_are_found_with_their_lengths() {
        let source = "\
fn one() {}
trait T {
    fn without_body(&self) -> [u8; 3];
    fn two(&self) -> bool {
        let f: fn(u8) = |_| {};
        true
    }
}
pub const fn three<const N: usize>(x: [u8; N]) -> &'static str
where
    u8: Copy,
{
    fn inner() {
    }
    \"}\"
}
";
        let found: Vec<_> = functions(&mask(source))
            .into_iter()
            .map(|function| (function.name, function.line, function.lines))
            .collect();
        let expected = [("one", 1, 1), ("two", 4, 4), ("three", 9, 8), ("inner", 13, 2)];
        assert_eq!(found, expected.map(|(name, line, lines)| (name.to_owned(), line, lines)));
    }

    #[test]
    fn this_file_can_be_read() {
        let functions = functions(&mask(include_str!("rust_source.rs")));
        assert!(functions.iter().any(|function| function.name == "skip_block_comment"));
        assert!(functions.iter().all(|function| function.lines < 60));
    }
}
