//! A Rust source file as `syn` and `proc-macro2` read it: its tokens with their lines, and its functions.

use proc_macro2::{Delimiter, Spacing, TokenStream, TokenTree};
use syn::visit::{self, Visit};

/// A parsed source file.
pub(super) struct RustSource {
    /// All tokens, those of tests and macros included.
    pub(super) stream: TokenStream,
    /// The same tokens in order, without comments.
    pub(super) tokens: Vec<Token>,
}

/// A word or a symbol.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Token {
    /// An identifier or keyword, `::`, a bracket or one other character; empty for a literal.
    pub(super) text: String,
    /// Line number, counted from 1.
    pub(super) line: usize,
}

impl Token {
    /// True for identifiers and keywords.
    pub(super) fn is_word(&self) -> bool {
        self.text.starts_with(is_word)
    }
}

impl RustSource {
    /// Splits a source file into tokens.
    ///
    /// # Errors
    /// If the text is no Rust: the position and the reason.
    pub(super) fn parse(text: &str) -> syn::Result<RustSource> {
        let stream: TokenStream = text.parse()?;
        let tokens = tokens(stream.clone());
        Ok(RustSource { stream, tokens })
    }

    /// Returns the functions with a body, nested ones included and those written by macros excluded.
    ///
    /// # Errors
    /// If the tokens are no source file: the position and the reason.
    pub(super) fn functions(&self) -> syn::Result<Vec<Function>> {
        let mut reader = FunctionReader::default();
        reader.visit_file(&syn::parse2(self.stream.clone())?);
        Ok(reader.functions)
    }
}

/// Returns the tokens in order, those in brackets included.
pub(super) fn tokens(stream: TokenStream) -> Vec<Token> {
    let mut tokens = Vec::new();
    add_tokens(stream, &mut tokens);
    tokens
}

fn add_tokens(stream: TokenStream, tokens: &mut Vec<Token>) {
    let mut after_colon = false;
    for tree in stream {
        let line = tree.span().start().line;
        let mut add = |text: &str, line: usize| tokens.push(Token { text: text.to_owned(), line });
        let is_joint_colon = matches!(&tree, TokenTree::Punct(punct) if punct.as_char() == ':' && punct.spacing() == Spacing::Joint);
        match tree {
            TokenTree::Group(group) => {
                let (open, close) = match group.delimiter() {
                    Delimiter::Parenthesis => ("(", ")"),
                    Delimiter::Brace => ("{", "}"),
                    Delimiter::Bracket => ("[", "]"),
                    Delimiter::None => ("", ""),
                };
                add(open, line);
                add_tokens(group.stream(), tokens);
                tokens.push(Token { text: close.to_owned(), line: group.span_close().start().line });
            }
            TokenTree::Ident(ident) => add(&ident.to_string(), line),
            TokenTree::Literal(_) => add("", line),
            TokenTree::Punct(_) if after_colon => add("::", line),
            TokenTree::Punct(_) if is_joint_colon => {}
            TokenTree::Punct(punct) => add(punct.as_char().encode_utf8(&mut [0; 4]), line),
        }
        after_colon = is_joint_colon && !after_colon;
    }
}

/// A function with a body.
#[derive(PartialEq, Eq, Debug)]
pub(super) struct Function {
    pub(super) name: String,
    /// Line of the name, counted from 1.
    pub(super) line: usize,
    /// Deepest level of nested control flow (`if`, `match`, `for`, `while`, `loop`): 0 without any.
    pub(super) nesting: usize,
}

#[derive(Default)]
struct FunctionReader {
    functions: Vec<Function>,
    /// Level of nested control flow in the current function.
    level: usize,
    deepest: usize,
}

impl FunctionReader {
    fn read(&mut self, signature: &syn::Signature, body: &syn::Block) {
        let outer = (std::mem::take(&mut self.level), std::mem::take(&mut self.deepest));
        self.visit_block(body);
        self.functions.push(Function {
            name: signature.ident.to_string(),
            line: signature.ident.span().start().line,
            nesting: self.deepest,
        });
        (self.level, self.deepest) = outer;
    }

    fn nested(&mut self, visit: impl FnOnce(&mut FunctionReader)) {
        self.level += 1;
        self.deepest = self.deepest.max(self.level);
        visit(self);
        self.level -= 1;
    }
}

impl<'ast> Visit<'ast> for FunctionReader {
    fn visit_item_fn(&mut self, function: &'ast syn::ItemFn) {
        self.read(&function.sig, &function.block);
    }

    fn visit_impl_item_fn(&mut self, function: &'ast syn::ImplItemFn) {
        self.read(&function.sig, &function.block);
    }

    fn visit_trait_item_fn(&mut self, function: &'ast syn::TraitItemFn) {
        if let Some(body) = &function.default {
            self.read(&function.sig, body);
        }
    }

    fn visit_expr_if(&mut self, expression: &'ast syn::ExprIf) {
        self.visit_expr(&expression.cond);
        self.nested(|reader| reader.visit_block(&expression.then_branch));
        match expression.else_branch.as_ref().map(|(_, branch)| &**branch) {
            // `else if` counts once.
            Some(syn::Expr::If(next)) => self.visit_expr_if(next),
            Some(branch) => self.nested(|reader| reader.visit_expr(branch)),
            None => {}
        }
    }

    fn visit_expr_match(&mut self, expression: &'ast syn::ExprMatch) {
        self.nested(|reader| visit::visit_expr_match(reader, expression));
    }

    fn visit_expr_for_loop(&mut self, expression: &'ast syn::ExprForLoop) {
        self.nested(|reader| visit::visit_expr_for_loop(reader, expression));
    }

    fn visit_expr_while(&mut self, expression: &'ast syn::ExprWhile) {
        self.nested(|reader| visit::visit_expr_while(reader, expression));
    }

    fn visit_expr_loop(&mut self, expression: &'ast syn::ExprLoop) {
        self.nested(|reader| visit::visit_expr_loop(reader, expression));
    }
}

/// Returns true for the characters of identifiers, keywords and numbers.
fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

#[cfg(test)]
mod tests {
    use super::*;

    fn functions(text: &str) -> Vec<Function> {
        RustSource::parse(text).unwrap().functions().unwrap()
    }

    #[test]
    fn tokens_have_lines_and_no_comments() {
        let tokens = RustSource::parse("// a\nb::c(\n\"d\", e: 'f'\n);").unwrap().tokens;
        let expected = [
            ("b", 2),
            ("::", 2),
            ("c", 2),
            ("(", 2),
            ("", 3),
            (",", 3),
            ("e", 3),
            (":", 3),
            ("", 3),
            (")", 4),
            (";", 4),
        ];
        assert_eq!(tokens, expected.map(|(text, line)| Token { text: text.to_owned(), line }));
    }

    #[test]
    fn finds_functions_with_a_body() {
        let text = "fn one() {}\ntrait T {\n    fn declared(&self) -> [u8; 3];\n    fn two(&self, x: (u8, u8)) {}\n}\n\
                    fn three<F: Fn(u8, u8)>(f: F,) {\n    fn inner() {}\n}\n";
        let found = functions(text);
        let found: Vec<_> = found.iter().map(|function| (function.name.as_str(), function.line)).collect();
        assert_eq!(found, [("one", 1), ("two", 4), ("inner", 7), ("three", 6)]);
    }

    #[test]
    fn measures_nested_control_flow() {
        for (body, expected) in [
            ("a();", 0),
            ("if a { b } else if c { d } else { e }", 1),
            ("for a in b { while let Some(c) = d { e } }", 2),
            ("match a { S { b, .. } if c => d, _ => { if e { f } } }", 2),
            ("if let S { a, b } = c && let 1..=2 = d { loop { match e { _ => f } } }", 3),
            ("if a.iter().any(|b| { b.is_empty() }) { c }", 1),
            ("impl A for B { fn f() { if c { d } } }", 0),
        ] {
            let found = functions(&format!("fn outer() {{ {body} }}"));
            assert_eq!(found.last().unwrap().nesting, expected, "{body}");
        }
    }
}
