//! Declarations, imports and paths of one source file, for the module graph.

use crate::tidy::rust_source::{self, Token};
use std::collections::{BTreeMap, BTreeSet};

/// The parts of a source file that matter for the module graph. Code compiled only for tests is ignored.
#[derive(Default, PartialEq, Eq, Debug)]
pub(super) struct Source {
    /// Names of the modules declared by `mod name;`.
    pub(super) children: Vec<String>,
    /// Names of the items defined at the top level of the file.
    pub(super) definitions: BTreeSet<String>,
    /// Imported names, one entry for each leaf of each `use` tree.
    pub(super) imports: Vec<Import>,
    /// Paths of two and more segments in the code outside `use`.
    pub(super) paths: Vec<Path>,
    /// Every identifier with its first line; tells which names of a glob import are used.
    pub(super) words: BTreeMap<String, usize>,
}

/// One imported name.
#[derive(PartialEq, Eq, Debug)]
pub(super) struct Import {
    pub(super) path: Path,
    /// The bound name, or `None` for a glob import of `path`.
    pub(super) name: Option<String>,
}

/// A path as written, such as `super::node::Node`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Path {
    pub(super) segments: Vec<String>,
    /// Line number, counted from 1.
    pub(super) line: usize,
}

impl Source {
    /// Parses a source file.
    pub(super) fn parse(text: &str) -> Source {
        let masked = rust_source::mask(text);
        let tokens = without_tests(&rust_source::tokens(&masked));
        let mut source = Source::default();
        let mut depth = 0_usize;
        let mut next = 0;
        while let Some(token) = tokens.get(next) {
            next += 1;
            match token.text {
                "{" => depth += 1,
                "}" => depth = depth.saturating_sub(1),
                // `use<'a>` is a list of captured parameters.
                "use" if tokens.get(next).is_some_and(|token| token.text != "<") => {
                    next = source.read_use_tree(&tokens, next, &[]);
                    continue;
                }
                // `const` also opens `const fn`.
                "mod" | "fn" | "struct" | "enum" | "union" | "trait" | "type" | "const" | "static"
                    if depth == 0 =>
                {
                    let name = tokens[next..].iter().find(|token| token.text != "mut");
                    if let Some(name) = name.filter(|name| name.is_word()) {
                        if token.text == "mod" && tokens.get(next + 1).is_some_and(|after| after.text == ";")
                        {
                            source.children.push(name.text.to_owned());
                        } else if !matches!(name.text, "fn" | "unsafe" | "extern") {
                            source.definitions.insert(name.text.to_owned());
                        }
                    }
                }
                "macro_rules" => {
                    source.definitions.extend(tokens.get(next + 1).map(|name| name.text.to_owned()));
                }
                _ => {}
            }
            if token.is_word() {
                source.words.entry(token.text.to_owned()).or_insert(token.line);
                let before = next.checked_sub(2).map_or("", |before| tokens[before].text);
                if before != "::" && before != "." {
                    source.paths.extend(path_at(&tokens[next - 1..]));
                }
            }
        }
        source
    }

    /// Reads the `use` tree that begins at `next`, below `prefix`, and returns the index of the token after it.
    fn read_use_tree(&mut self, tokens: &[Token<'_>], mut next: usize, prefix: &[String]) -> usize {
        let mut segments = prefix.to_vec();
        let mut alias = None;
        // False for a group, a glob, and the empty tree after a trailing comma.
        let mut is_leaf = false;
        let line = tokens.get(next).map_or(0, |token| token.line);
        while let Some(token) = tokens.get(next) {
            next += 1;
            match token.text {
                ";" => break,
                "," | "}" => {
                    // Left to the caller.
                    next -= 1;
                    break;
                }
                // A leading `::` names an external crate.
                "::" if segments.is_empty() => segments.push(String::new()),
                "::" => {}
                "{" => {
                    is_leaf = false;
                    loop {
                        next = self.read_use_tree(tokens, next, &segments);
                        match tokens.get(next).map(|token| token.text) {
                            Some(",") => next += 1,
                            Some("}") => {
                                next += 1;
                                break;
                            }
                            _ => break,
                        }
                    }
                }
                "*" => {
                    is_leaf = false;
                    let path = Path { segments: segments.clone(), line };
                    self.imports.push(Import { path, name: None });
                }
                "as" => {
                    alias = tokens.get(next).map(|token| token.text.to_owned());
                    next += 1;
                }
                "self" if !segments.is_empty() => is_leaf = true,
                word => {
                    segments.push(word.to_owned());
                    is_leaf = true;
                }
            }
        }
        if is_leaf {
            let name = alias.or_else(|| segments.last().cloned());
            self.imports.push(Import { path: Path { segments, line }, name });
        }
        next
    }
}

/// Returns the path at the start of the tokens, if it has at least two segments.
fn path_at(tokens: &[Token<'_>]) -> Option<Path> {
    let first = tokens.first()?;
    let mut segments = vec![first.text.to_owned()];
    for pair in tokens[1..].chunks_exact(2) {
        if pair[0].text != "::" || !pair[1].is_word() {
            break;
        }
        segments.push(pair[1].text.to_owned());
    }
    (segments.len() > 1).then_some(Path { segments, line: first.line })
}

/// Removes the items and fields with `#[cfg(test)]` or a similar attribute.
fn without_tests<'a>(tokens: &[Token<'a>]) -> Vec<Token<'a>> {
    let mut kept = Vec::with_capacity(tokens.len());
    let mut next = 0;
    while next < tokens.len() {
        let after = attribute_end(tokens, next);
        if after > next && is_test_only(&tokens[next..after]) {
            next = item_end(tokens, after);
        } else {
            kept.push(tokens[next]);
            next += 1;
        }
    }
    kept
}

/// Returns the index after the attribute that begins at `start`, or `start` if there is none.
fn attribute_end(tokens: &[Token<'_>], start: usize) -> usize {
    let text = |index: usize| tokens.get(index).map_or("", |token| token.text);
    if text(start) != "#" || text(start + 1) != "[" {
        return start;
    }
    let mut depth = 0;
    for index in start + 1..tokens.len() {
        match text(index) {
            "[" => depth += 1,
            "]" => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return index + 1;
        }
    }
    tokens.len()
}

fn is_test_only(attribute: &[Token<'_>]) -> bool {
    let texts: Vec<_> = attribute.iter().map(|token| token.text).collect();
    let condition = match texts.as_slice() {
        ["#", "[", "cfg", "(", "all", "(", condition, ..] | ["#", "[", "cfg", "(", condition, ..] => {
            *condition
        }
        _ => "",
    };
    matches!(condition, "test" | "doctest")
}

/// Returns the index after the item, field or statement that begins at `start`, with its attributes.
fn item_end(tokens: &[Token<'_>], mut start: usize) -> usize {
    while attribute_end(tokens, start) > start {
        start = attribute_end(tokens, start);
    }
    let head = tokens[start..].iter().take_while(|token| token.is_word() || "()".contains(token.text));
    let is_use = head.clone().any(|token| token.text == "use");
    let is_item = head.clone().any(|token| {
        matches!(
            token.text,
            "mod"
                | "fn"
                | "struct"
                | "enum"
                | "union"
                | "trait"
                | "impl"
                | "type"
                | "const"
                | "static"
                | "macro_rules"
        )
    });
    let mut depth = 0;
    for (index, token) in tokens.iter().enumerate().skip(start) {
        match token.text {
            "{" | "(" | "[" => depth += 1,
            "}" if depth == 0 => return index,
            "}" | ")" | "]" => {
                depth -= 1;
                if depth == 0 && token.text == "}" && !is_use {
                    return index + 1;
                }
            }
            ";" if depth == 0 => return index + 1,
            "," if depth == 0 && !is_item && !is_use => return index + 1,
            _ => {}
        }
    }
    tokens.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn imports(text: &str) -> Vec<String> {
        let written = |import: Import| {
            let path = import.path.segments.join("::");
            format!("{path} as {}", import.name.as_deref().unwrap_or("*"))
        };
        Source::parse(text).imports.into_iter().map(written).collect()
    }

    #[test]
    fn reads_use_trees() {
        assert_eq!(imports("use crate::a::B;"), ["crate::a::B as B"]);
        assert_eq!(imports("pub(crate) use super::B as C;"), ["super::B as C"]);
        assert_eq!(
            imports("use a::{self, b::{C, D}, e::*};"),
            ["a as a", "a::b::C as C", "a::b::D as D", "a::e as *"]
        );
        assert_eq!(imports("use {a::B, c::D,};"), ["a::B as B", "c::D as D"]);
        assert_eq!(imports("use ::a::B;"), ["::a::B as B"]);
        assert_eq!(imports("use super::*;"), ["super as *"]);
    }

    #[test]
    fn reads_paths_outside_comments_and_strings() {
        let source =
            Source::parse("// crate::a::B\nfn f() { \"crate::c\"; x.y(crate::d::E::new()); g::<u8>() }");
        let paths: Vec<_> = source.paths.iter().map(|path| (path.segments.join("::"), path.line)).collect();
        assert_eq!(paths, [("crate::d::E::new".to_owned(), 2)]);
    }

    #[test]
    fn reads_declarations_of_the_top_level() {
        let text = "mod a;\npub const fn b() { const C: u8 = 1; }\nstatic mut D: u8 = 0;\nmod e { fn f() {} }\n\
                    macro_rules! g { () => {} }\nconst H: u8 = 1;";
        let source = Source::parse(text);
        assert_eq!(source.children, ["a"]);
        assert_eq!(source.definitions.into_iter().collect::<Vec<_>>(), ["D", "H", "b", "e", "g"]);
    }

    #[test]
    fn ignores_tests() {
        for text in [
            "#[cfg(test)]\nmod tests { use crate::a::B; }\nuse x::Y;",
            "#[cfg(all(test, unix))]\n#[rustfmt::skip]\npub(crate) use crate::{a::B, c};\nuse x::Y;",
            "struct S { #[cfg(test)] field: crate::a::B, }\nuse x::Y;",
            "#[cfg(test)]\nmod tests;\nuse x::Y;",
            "#[cfg(test)]\nfn f<A, B>() -> crate::C { }\nuse x::Y;",
        ] {
            let source = Source::parse(text);
            assert_eq!(imports(text), ["x::Y as Y"], "{text}");
            assert!(source.paths.is_empty() && source.children.is_empty(), "{text}");
        }
        assert_eq!(imports("#[cfg(any(test, unix))]\nuse x::Y;"), ["x::Y as Y"]);
    }
}
