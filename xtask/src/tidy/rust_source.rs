//! A minimal lexer for Rust: separates code from comments and strings, and finds the functions.
//!
//! A full parser would be a dependency larger than this whole program, and the checks need only words and brackets.

/// Replaces the contents of comments, strings and character literals by spaces.
///
/// Line ends, quotes and `//` are kept, so that line numbers stay valid.
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

/// Splits a masked source into tokens.
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

/// A function with a body.
#[derive(PartialEq, Eq, Debug)]
pub(super) struct Function {
    pub(super) name: String,
    /// Line of the keyword `fn`, counted from 1.
    pub(super) line: usize,
    /// Number of parameters, `self` included.
    pub(super) parameters: usize,
    /// Deepest level of nested control flow (`if`, `else`, `match`, `for`, `while`, `loop`): 0 without any.
    pub(super) nesting: usize,
}

/// Returns the functions with a body in a masked source, nested ones included.
pub(super) fn functions(masked: &str) -> Vec<Function> {
    let tokens = tokens(masked);
    let starts = (0..tokens.len()).filter(|&index| tokens[index].text == "fn");
    starts.filter_map(|start| function(&tokens[start..])).collect()
}

/// Parses the function that begins with the first token, `fn`. `None` for a type such as `fn(i32) -> i32` and for a
/// declaration without a body.
fn function(tokens: &[Token<'_>]) -> Option<Function> {
    let name = tokens.get(1).filter(|token| token.is_word())?;
    let mut depth = 0_usize;
    // The first parenthesis outside angle brackets opens the parameter list. (Expressions in const generics are not
    // handled.)
    let mut angle_depth = 0_usize;
    let mut parameters = None;
    for (index, token) in tokens.iter().enumerate() {
        match token.text {
            "<" => angle_depth += 1,
            ">" if tokens[index - 1].text != "-" => angle_depth = angle_depth.saturating_sub(1),
            "(" | "[" => {
                if parameters.is_none() && token.text == "(" && angle_depth == 0 {
                    parameters = Some(count_parameters(&tokens[index..]));
                }
                depth += 1;
            }
            ")" | "]" => depth = depth.saturating_sub(1),
            ";" if depth == 0 => return None,
            "{" if depth == 0 => {
                let nesting = nesting(&tokens[index..]);
                let name = name.text.to_owned();
                return Some(Function { name, line: tokens[0].line, parameters: parameters?, nesting });
            }
            _ => {}
        }
    }
    None
}

/// Counts the parameters of the list that begins with the first token, `(`.
fn count_parameters(tokens: &[Token<'_>]) -> usize {
    let mut depth = 0_usize;
    let mut count = 0;
    // A trailing comma begins no parameter.
    let mut is_empty = true;
    for (index, token) in tokens.iter().enumerate() {
        match token.text {
            "(" | "[" | "{" | "<" => {
                is_empty &= depth == 0;
                depth += 1;
            }
            ">" if tokens[index - 1].text == "-" => {}
            ")" | "]" | "}" | ">" => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    break;
                }
            }
            "," if depth == 1 => {
                count += usize::from(!is_empty);
                is_empty = true;
            }
            _ => is_empty = false,
        }
    }
    count + usize::from(!is_empty)
}

/// Returns the deepest level of nested control flow in the block that begins with the first token, `{`.
fn nesting(tokens: &[Token<'_>]) -> usize {
    // For each open bracket, true if it opens the block of a control-flow keyword.
    let mut open = Vec::new();
    // Bracket depths of the keywords whose block has not begun yet.
    let mut keywords: Vec<usize> = Vec::new();
    // In a pattern, a brace opens a list of fields.
    let mut in_pattern = false;
    let mut deepest = 0;
    for (index, token) in tokens.iter().enumerate() {
        let before = index.checked_sub(1).map_or("", |before| tokens[before].text);
        match token.text {
            "if" | "else" | "match" | "while" | "loop" | "for" => {
                // `else if` counts once.
                if before != "else" {
                    keywords.push(open.len());
                }
                in_pattern = token.text == "for";
            }
            "let" => in_pattern = keywords.last() == Some(&open.len()),
            "in" => in_pattern = false,
            // Not `..=`.
            "=" if before != "." => in_pattern = false,
            // The end of a match guard.
            ">" if before == "=" && keywords.last() == Some(&open.len()) => {
                keywords.pop();
            }
            "{" | "(" | "[" => {
                let is_block = token.text == "{" && !in_pattern && keywords.last() == Some(&open.len());
                if is_block {
                    keywords.pop();
                }
                open.push(is_block);
                deepest = deepest.max(open.iter().filter(|&&is_block| is_block).count());
            }
            "}" | ")" | "]" => {
                open.pop();
                // Drops keywords without a block, as in `for<'a> fn(&'a str)`.
                keywords.retain(|&depth| depth <= open.len());
                if open.is_empty() {
                    break;
                }
            }
            _ => {}
        }
    }
    deepest
}

/// Returns the words (identifiers, keywords, numbers) of a text with the position of each.
pub(super) fn words(text: &str) -> impl Iterator<Item = (usize, &str)> {
    text.split(|c| !is_word(c))
        .filter(|word| !word.is_empty())
        // Each word is a slice of the text, so the difference of the addresses is its position.
        .map(|word| (word.as_ptr() as usize - text.as_ptr() as usize, word))
}

/// Returns the number of the line, counted from 1, that contains a byte position.
pub(super) fn line_of(text: &str, position: usize) -> usize {
    1 + text.as_bytes().iter().take(position).filter(|&&byte| byte == b'\n').count()
}

/// Returns true for the characters of identifiers, keywords and numbers.
pub(super) fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// Blanks characters until `done` returns true for the remaining ones, which are in reverse order.
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
                // The star of the opening `/*`, whose slash the caller has consumed.
                masked.push(' ');
                open = 1;
            }
            (c, _) => blank(c, masked),
        }
    }
}

/// Counts the `#` between the `r` of a raw string and the quote just written. `None` for an ordinary string.
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
            // An escaped quote does not end the literal.
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
    fn masks_comments_and_literals() {
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
    fn finds_functions() {
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
        let functions: Vec<_> =
            functions(&mask(source)).into_iter().map(|function| (function.name, function.line)).collect();
        let expected = [("one", 1), ("two", 4), ("three", 9), ("inner", 13)];
        assert_eq!(functions, expected.map(|(name, line)| (name.to_owned(), line)));
    }

    #[test]
    fn counts_parameters() {
        for (list, expected) in [
            ("()", 0),
            ("(&self)", 1),
            ("(a: u8,)", 1),
            ("((a, b): (u8, u8), c: [u8; 2])", 2),
            ("(a: Vec<(u8, u8)>, b: &mut dyn Fn(u8, u8) -> HashMap<u8, u8>, c: u8)", 3),
            ("<F: Fn(u8, u8) -> bool>(a: F, b: u8)", 2),
        ] {
            assert_eq!(functions(&format!("fn f{list} {{}}"))[0].parameters, expected, "{list}");
        }
    }

    #[test]
    fn measures_nested_control_flow() {
        for (body, expected) in [
            ("a();", 0),
            ("if a { b } else if c { d } else { e }", 1),
            ("for a in b { while let Some(c) = d { e } }", 2),
            ("let x = S { a, b: T { c } }; { { f() } }", 0),
            ("match a { S { b, .. } if c => d, _ => { if e { f } } }", 2),
            ("if let S { a, b } = c && let 1..=2 = d { loop { match e { _ => f } } }", 3),
            ("if a.iter().any(|b| { b.is_empty() }) { c }", 1),
            ("let Some(a) = b else { return };", 1),
            ("impl A for B { fn f() { if c { d } } } if e { f }", 1),
            ("let f: for<'a> fn(&'a str) = g; h(|x| { x });", 0),
        ] {
            assert_eq!(functions(&mask(&format!("fn f() {{ {body} }}")))[0].nesting, expected, "{body}");
        }
    }

    #[test]
    fn parses_this_file() {
        let functions = functions(&mask(include_str!("rust_source.rs")));
        assert!(functions.iter().any(|function| function.name == "skip_block_comment"));
        assert!(functions.iter().all(|function| function.parameters <= 3 && function.nesting <= 4));
    }
}
