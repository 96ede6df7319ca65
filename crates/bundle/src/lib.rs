#![doc = include_str!("../README.md")]

mod comments;
mod module;

use module::Module;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

/// The joined scripts: the name of each, and the modules that it has with all that they import. A module belongs to the first
/// script that has it.
///
/// The catalogues of texts use the modules of the first script, and main.js waits for a catalogue.
const SCRIPTS: [(&str, &[&str]); 2] =
    [("languages.js", &["languages.js", "reason-text.js"]), ("main.js", &["main.js"])];

/// The joined style sheet and its parts.
const STYLE: &str = "style.css";
const STYLES: [&str; 4] = ["common.css", STYLE, "train.css", "openings.css"];

/// The names of source folders in imports, as in `package.json`. The page has all files in one folder.
const FOLDERS: [&str; 3] = ["\"#page/", "\"#shared/", "\"#worker/"];

/// A module that cannot be joined with others.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum BundleError {
    /// A module imports a file that is not there.
    Missing {
        /// The module.
        module: String,
        /// The imported file.
        import: String,
    },
    /// A module imports itself through others.
    Circle {
        /// The module.
        module: String,
    },
    /// A script or style sheet is not UTF-8.
    Encoding {
        /// The file.
        file: String,
    },
    /// An import or export of a form that is not understood, or a template of several lines.
    Statement {
        /// The module.
        module: String,
        /// The line.
        line: String,
    },
}

impl std::fmt::Display for BundleError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            BundleError::Missing { module, import } => {
                write!(f, "{module} imports {import}, which is missing")
            }
            BundleError::Encoding { file } => write!(f, "{file} is not UTF-8"),
            BundleError::Circle { module } => write!(f, "{module} imports itself through other modules"),
            BundleError::Statement { module, line } => {
                write!(f, "{module}: cannot join a module with the line {line:?}")
            }
        }
    }
}

impl std::error::Error for BundleError {}

/// Returns the files of the page from those of its source folders, by name. Only scripts and style sheets are changed.
///
/// # Errors
/// If a script or style sheet is not UTF-8, or a module that belongs to a joined script cannot be joined with others.
pub fn bundle(sources: BTreeMap<String, Vec<u8>>) -> Result<BTreeMap<String, Vec<u8>>, BundleError> {
    let (sources, mut others): (BTreeMap<_, _>, BTreeMap<_, _>) =
        sources.into_iter().partition(|(name, _)| name.ends_with(".js") || name.ends_with(".css"));
    let mut texts = BTreeMap::new();
    for (name, data) in sources {
        let Ok(text) = String::from_utf8(data) else { return Err(BundleError::Encoding { file: name }) };
        let text = comments::without(&name, &text);
        let text = FOLDERS.iter().fold(text, |text, folder| text.replace(folder, "\"./"));
        texts.insert(name, text);
    }
    others.extend(join(texts)?.into_iter().map(|(name, text)| (name, text.into_bytes())));
    Ok(others)
}

/// Joins scripts and style sheets without comments.
fn join(mut files: BTreeMap<String, String>) -> Result<BTreeMap<String, String>, BundleError> {
    // Without indentation, a template of several lines would be another text.
    for (name, text) in files.iter().filter(|(name, _)| name.ends_with(".js")) {
        if let Some(line) = text.lines().find(|line| line.matches('`').count() % 2 == 1) {
            return Err(BundleError::Statement { module: name.clone(), line: line.to_owned() });
        }
    }
    if files.contains_key(STYLE) {
        let joined = STYLES.iter().filter_map(|name| files.remove(*name)).collect();
        files.insert(STYLE.to_owned(), joined);
    }
    let mut joined = Joined::default();
    for (script, roots) in SCRIPTS {
        if !files.contains_key(script) {
            continue;
        }
        joined.order.push((script, Vec::new()));
        for root in roots.iter().filter(|root| files.contains_key(**root)) {
            joined.add(root, &files, &mut BTreeSet::new())?;
        }
    }
    for name in joined.scripts.keys() {
        files.remove(name);
    }
    for text in files.values_mut() {
        *text = text.lines().map(|line| joined.redirect(line)).collect();
    }
    for (script, modules) in &joined.order {
        files.insert((*script).to_owned(), joined.script(script, modules));
    }
    Ok(files)
}

/// The modules of the joined scripts.
#[derive(Default)]
struct Joined {
    /// The joined scripts, each with its modules. A module comes after those that it imports.
    order: Vec<(&'static str, Vec<String>)>,
    modules: BTreeMap<String, Module>,
    /// The joined script of each module.
    scripts: BTreeMap<String, &'static str>,
}

impl Joined {
    /// Adds a module to the last script, after those that it imports. `importers` are the modules that import it.
    fn add(
        &mut self,
        name: &str,
        files: &BTreeMap<String, String>,
        importers: &mut BTreeSet<String>,
    ) -> Result<(), BundleError> {
        if self.scripts.contains_key(name) {
            return Ok(());
        }
        if !importers.insert(name.to_owned()) {
            return Err(BundleError::Circle { module: name.to_owned() });
        }
        let module = Module::parse(name, files.get(name).map_or("", String::as_str))?;
        for import in module.dependencies() {
            if !files.contains_key(import) {
                return Err(BundleError::Missing { module: name.to_owned(), import: import.to_owned() });
            }
            self.add(import, files, importers)?;
        }
        importers.remove(name);
        self.modules.insert(name.to_owned(), module);
        if let Some((script, modules)) = self.order.last_mut() {
            modules.push(name.to_owned());
            self.scripts.insert(name.to_owned(), script);
        }
        Ok(())
    }

    /// Returns a line of a module that is in no joined script, which imports from these.
    fn redirect(&self, line: &str) -> String {
        let redirected = line.strip_prefix("import ").and_then(|rest| {
            let (names, file) = module::named_import(rest)?;
            let (script, own) = (self.scripts.get(file)?, identifier(file));
            Some(format!("import {{ {own} }} from \"./{script}\";\n{}", constants(names, &own)))
        });
        redirected.unwrap_or_else(|| format!("{line}\n"))
    }

    /// Returns the text of a joined script.
    fn script(&self, script: &str, modules: &[String]) -> String {
        let mut body = String::new();
        let mut foreign: BTreeMap<&str, BTreeSet<String>> = BTreeMap::new();
        for name in modules {
            let Some(module) = self.modules.get(name) else { continue };
            for other in module.dependencies() {
                match self.scripts.get(other) {
                    Some(home) if *home != script => {
                        foreign.entry(home).or_default().insert(identifier(other));
                    }
                    _ => {}
                }
            }
            let own = identifier(name);
            let passed_on = module.passed_on.iter().map(|other| format!("...{}", identifier(other)));
            let _ = write!(
                body,
                "export const {own} = {{ {} }};\n{{\n",
                passed_on.collect::<Vec<_>>().join(", ")
            );
            for (names, other) in &module.imports {
                body.push_str(&constants(names, &identifier(other)));
            }
            body.push_str(&module.body);
            let _ = write!(body, "Object.assign({own}, {{ {} }});\n}}\n", module.exports.join(", "));
        }
        let head = foreign.iter().map(|(home, names)| {
            let names: Vec<_> = names.iter().map(String::as_str).collect();
            format!("import {{ {} }} from \"./{home}\";\n", names.join(", "))
        });
        head.collect::<String>() + &body
    }
}

/// The names of an import, in braces, as constants from the object that has them.
fn constants(names: &str, object: &str) -> String {
    format!("const {} = {object};\n", names.replace(" as ", ": "))
}

/// The name of the object, exported by the joined script, that has a module's exports.
fn identifier(name: &str) -> String {
    format!("${}", name.trim_end_matches(".js").replace(|c: char| !c.is_ascii_alphanumeric(), "_"))
}

#[cfg(test)]
mod tests;
