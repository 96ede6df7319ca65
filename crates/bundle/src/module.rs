//! One module: its imports, its exports, and its code without either.

use crate::BundleError;

/// The names of an import, with their braces, and the file.
pub(crate) fn named_import(statement: &str) -> Option<(&str, &str)> {
    let (names, file) = statement.split_once(" from \"./")?;
    (names.starts_with('{') && names.ends_with('}')).then_some((names, file.strip_suffix("\";")?))
}

/// A parsed module.
#[derive(Debug, Default)]
pub(crate) struct Module {
    /// The imports: the names in braces, and the file.
    pub(crate) imports: Vec<(String, String)>,
    /// The files whose exports the module exports, too.
    pub(crate) passed_on: Vec<String>,
    /// Files that are imported without a name.
    bare: Vec<String>,
    /// The names that the module declares and exports.
    pub(crate) exports: Vec<String>,
    /// The other lines.
    pub(crate) body: String,
}

impl Module {
    /// Reads a module whose comments and indentation have been removed.
    pub(crate) fn parse(name: &str, text: &str) -> Result<Module, BundleError> {
        let mut module = Module::default();
        for line in text.lines() {
            let understood = if let Some(import) = line.strip_prefix("import ") {
                module.import(import)
            } else if let Some(export) = line.strip_prefix("export ") {
                module.export(export)
            } else {
                module.code(line);
                Some(())
            };
            understood
                .ok_or_else(|| BundleError::Statement { module: name.to_owned(), line: line.to_owned() })?;
        }
        Ok(module)
    }

    /// The files that must be evaluated before this one.
    pub(crate) fn dependencies(&self) -> impl Iterator<Item = &str> {
        let named = self.imports.iter().map(|(_, file)| file);
        named.chain(&self.passed_on).chain(&self.bare).map(String::as_str)
    }

    fn import(&mut self, statement: &str) -> Option<()> {
        if let Some(file) = statement.strip_prefix("\"./") {
            self.bare.push(file.strip_suffix("\";")?.to_owned());
        } else {
            let (names, file) = named_import(statement)?;
            self.imports.push((names.to_owned(), file.to_owned()));
        }
        Some(())
    }

    fn export(&mut self, statement: &str) -> Option<()> {
        if let Some(file) = statement.strip_prefix("* from \"./") {
            self.passed_on.push(file.strip_suffix("\";")?.to_owned());
        } else if let Some(names) = statement.strip_prefix("{ ") {
            let names = names.strip_suffix(" };").filter(|names| !names.contains(" as "))?;
            self.exports.extend(names.split(", ").map(str::to_owned));
        } else {
            let declared = statement.strip_prefix("async ").unwrap_or(statement);
            let (_, rest) =
                declared.split_once(' ').filter(|(kind, _)| ["class", "const", "function"].contains(kind))?;
            let end = rest.find(|c: char| !(c.is_alphanumeric() || c == '_' || c == '$'))?;
            let name = rest.get(..end).filter(|name| !name.is_empty())?;
            self.exports.push(name.to_owned());
            self.code(statement);
        }
        Some(())
    }

    fn code(&mut self, line: &str) {
        self.body.push_str(line);
        self.body.push('\n');
    }
}
