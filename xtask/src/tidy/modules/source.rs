//! Declarations, imports and paths of one source file, for the module graph.

use crate::tidy::rust_source::{self, RustSource};
use proc_macro2::{Delimiter, TokenStream, TokenTree};
use std::collections::BTreeSet;
use syn::visit::{self, Visit};

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
    /// Every identifier outside `use`; tells which names of a glob import are used.
    pub(super) words: BTreeSet<String>,
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
    /// Reads a source file. One that is no Rust has no parts; the check of sizes reports it.
    pub(super) fn read(source: &RustSource) -> Source {
        let Ok(file) = syn::parse2::<syn::File>(without_tests(source.stream.clone())) else {
            return Source::default();
        };
        let mut source = Source::default();
        file.items.iter().for_each(|item| source.read_definition(item));
        source.visit_file(&file);
        source
    }

    fn read_definition(&mut self, item: &syn::Item) {
        let name = match item {
            syn::Item::Mod(module) if module.content.is_none() => {
                self.children.push(module.ident.to_string());
                return;
            }
            syn::Item::Mod(item) => &item.ident,
            syn::Item::Fn(item) => &item.sig.ident,
            syn::Item::Struct(item) => &item.ident,
            syn::Item::Enum(item) => &item.ident,
            syn::Item::Union(item) => &item.ident,
            syn::Item::Trait(item) => &item.ident,
            syn::Item::Type(item) => &item.ident,
            syn::Item::Const(item) => &item.ident,
            syn::Item::Static(item) => &item.ident,
            syn::Item::Macro(syn::ItemMacro { ident: Some(ident), .. }) => ident,
            _ => return,
        };
        self.definitions.insert(name.to_string());
    }

    /// Reads a `use` tree below `prefix`.
    fn read_use_tree(&mut self, tree: &syn::UseTree, prefix: &[String]) {
        let below = |ident: &syn::Ident| [prefix, &[ident.to_string()]].concat();
        let mut import = |segments: Vec<String>, name: Option<String>, line: usize| {
            self.imports.push(Import { path: Path { segments, line }, name });
        };
        match tree {
            syn::UseTree::Path(path) => self.read_use_tree(&path.tree, &below(&path.ident)),
            syn::UseTree::Group(group) => {
                group.items.iter().for_each(|tree| self.read_use_tree(tree, prefix))
            }
            syn::UseTree::Glob(glob) => import(prefix.to_vec(), None, glob.star_token.span.start().line),
            syn::UseTree::Name(name) if name.ident == "self" => {
                import(prefix.to_vec(), prefix.last().cloned(), name.ident.span().start().line);
            }
            syn::UseTree::Name(name) => {
                import(below(&name.ident), Some(name.ident.to_string()), name.ident.span().start().line);
            }
            syn::UseTree::Rename(rename) => {
                let path = if rename.ident == "self" { prefix.to_vec() } else { below(&rename.ident) };
                import(path, Some(rename.rename.to_string()), rename.ident.span().start().line);
            }
        }
    }

    fn add_path(&mut self, segments: Vec<String>, line: usize) {
        if segments.len() > 1 {
            self.paths.push(Path { segments, line });
        }
    }
}

impl<'ast> Visit<'ast> for Source {
    fn visit_item_use(&mut self, item: &'ast syn::ItemUse) {
        // A leading `::` names an external crate.
        let prefix = item.leading_colon.as_ref().map(|_| String::new());
        self.read_use_tree(&item.tree, prefix.as_slice());
    }

    fn visit_ident(&mut self, ident: &'ast syn::Ident) {
        self.words.insert(ident.to_string());
    }

    fn visit_path(&mut self, path: &'ast syn::Path) {
        let line = path.segments.first().map_or(0, |first| first.ident.span().start().line);
        if path.leading_colon.is_none() {
            self.add_path(path.segments.iter().map(|segment| segment.ident.to_string()).collect(), line);
        }
        visit::visit_path(self, path);
    }

    /// The arguments of a macro can be anything; they are searched for words joined by `::`.
    fn visit_macro(&mut self, call: &'ast syn::Macro) {
        self.visit_path(&call.path);
        let tokens = rust_source::tokens(call.tokens.clone());
        for (index, token) in tokens.iter().enumerate().filter(|(_, token)| token.is_word()) {
            self.words.insert(token.text.clone());
            if index == 0 || tokens[index - 1].text != "::" {
                let rest = tokens[index + 1..].chunks_exact(2);
                let rest = rest.take_while(|pair| pair[0].text == "::" && pair[1].is_word());
                let segments = std::iter::once(token).chain(rest.map(|pair| &pair[1]));
                self.add_path(segments.map(|token| token.text.clone()).collect(), token.line);
            }
        }
    }
}

/// Removes the items, fields and statements with `#[cfg(test)]` or a similar attribute.
fn without_tests(stream: TokenStream) -> TokenStream {
    let mut kept = Vec::new();
    let mut trees = stream.into_iter().peekable();
    while let Some(tree) = trees.next() {
        match tree {
            TokenTree::Punct(ref hash)
                if hash.as_char() == '#' && trees.peek().is_some_and(is_test_condition) =>
            {
                skip_item(&mut trees);
            }
            TokenTree::Group(group) => {
                let mut inner = proc_macro2::Group::new(group.delimiter(), without_tests(group.stream()));
                inner.set_span(group.span());
                kept.push(TokenTree::Group(inner));
            }
            tree => kept.push(tree),
        }
    }
    kept.into_iter().collect()
}

/// Returns true for the brackets of `#[cfg(test)]` and `#[cfg(all(test, ...))]`, or `doctest` instead of `test`.
fn is_test_condition(tree: &TokenTree) -> bool {
    let TokenTree::Group(brackets) = tree else { return false };
    let tokens = rust_source::tokens(brackets.stream());
    let words: Vec<_> = tokens.iter().map(|token| token.text.as_str()).collect();
    matches!(
        words.as_slice(),
        ["cfg", "(", "test" | "doctest", ..] | ["cfg", "(", "all", "(", "test" | "doctest", ..]
    )
}

/// Skips the rest of an attribute and the item, field or statement after it.
fn skip_item(trees: &mut impl Iterator<Item = TokenTree>) {
    const ITEMS: [&str; 11] =
        ["mod", "fn", "struct", "enum", "union", "trait", "impl", "type", "const", "static", "macro_rules"];
    // Only the words before the first symbol tell what it is.
    let mut in_head = true;
    let mut is_item = false;
    let mut is_use = false;
    for tree in trees {
        match tree {
            TokenTree::Ident(word) if in_head => {
                is_item |= ITEMS.iter().any(|&item| word == item);
                is_use |= word == "use";
            }
            TokenTree::Group(group) if group.delimiter() == Delimiter::Brace && !is_use => return,
            TokenTree::Punct(symbol) => match symbol.as_char() {
                ';' => return,
                ',' if !is_item && !is_use => return,
                '#' => {}
                _ => in_head = false,
            },
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Source {
        Source::read(&RustSource::parse(text).unwrap())
    }

    fn imports(text: &str) -> Vec<String> {
        let written = |import: Import| {
            let path = import.path.segments.join("::");
            format!("{path} as {}", import.name.as_deref().unwrap_or("*"))
        };
        read(text).imports.into_iter().map(written).collect()
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
        let source = read(
            "// crate::a::B\nfn f() { \"crate::c\"; x.y(crate::d::E::new()); g::<u8>(); h!(i, super::j()) }",
        );
        let paths: Vec<_> = source.paths.iter().map(|path| (path.segments.join("::"), path.line)).collect();
        assert_eq!(paths, [("crate::d::E::new".to_owned(), 2), ("super::j".to_owned(), 2)]);
    }

    #[test]
    fn reads_declarations_of_the_top_level() {
        let text = "mod a;\npub const fn b() { const C: u8 = 1; }\nstatic mut D: u8 = 0;\nmod e { fn f() {} }\n\
                    macro_rules! g { () => {} }\nconst H: u8 = 1;";
        let source = read(text);
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
            let source = read(text);
            assert_eq!(imports(text), ["x::Y as Y"], "{text}");
            assert!(source.paths.is_empty() && source.children.is_empty(), "{text}");
        }
        assert_eq!(imports("#[cfg(any(test, unix))]\nuse x::Y;"), ["x::Y as Y"]);
    }
}
