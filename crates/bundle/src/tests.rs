use super::*;

fn bundled(sources: &[(&str, &str)]) -> Result<BTreeMap<String, String>, BundleError> {
    let sources = sources.iter().map(|(name, text)| ((*name).to_owned(), text.as_bytes().to_vec()));
    let files = bundle(sources.collect())?.into_iter();
    Ok(files.map(|(name, data)| (name, String::from_utf8(data).unwrap())).collect())
}

#[test]
fn modules_are_joined_in_the_order_of_their_imports() {
    let files = bundled(&[
        ("main.js", "import { b as c } from \"./b.js\";\nimport \"./side.js\";\n\nexport class Main {\n  c = c;\n}\n"),
        ("b.js", "export * from \"#shared/a.js\";\nexport async function b() {}\nexport { x, y };\nconst x = 1, y = 2;\n"),
        ("a.js", "import { word } from \"#page/languages.js\";\nexport const a = word;\n"),
        ("side.js", "globalThis.side = await 1;\n"),
        ("languages.js", "export const word = \"\";\n"),
        ("later.js", "import { a, b as d } from \"./b.js\";\nconst load = () => import(\"#worker/w.js\");\n"),
    ])
    .unwrap();
    assert_eq!(files.keys().collect::<Vec<_>>(), ["languages.js", "later.js", "main.js"]);
    assert_eq!(
        files["main.js"],
        "import { $languages } from \"./languages.js\";\n\
         export const $a = {  };\n{\nconst { word } = $languages;\nconst a = word;\nObject.assign($a, { a });\n}\n\
         export const $b = { ...$a };\n{\nasync function b() {}\nconst x = 1, y = 2;\nObject.assign($b, { b, x, y });\n}\n\
         export const $side = {  };\n{\nglobalThis.side = await 1;\nObject.assign($side, {  });\n}\n\
         export const $main = {  };\n{\nconst { b: c } = $b;\nclass Main {\nc = c;\n}\nObject.assign($main, { Main });\n}\n"
    );
    // No export may be a name in all of the script: a module may mean a global one by it, such as scrollTo.
    assert_eq!(
        files["later.js"],
        "import { $b } from \"./main.js\";\nconst { a, b: d } = $b;\nconst load = () => import(\"./w.js\");\n"
    );
}

#[test]
fn comments_are_left_out_but_for_licences() {
    let script = "/*! A licence\n * of two lines. */\n// A comment.\n\n/**\n * @param {string} a\n */\nfunction f(a) {\n  \
        /** @type {string} */ (a).at(/** @type {any} */ (0)); // No path: https://example.com\n  return `${a} // a`;\n}\n";
    let style = "/* A comment. */\n* {\n  margin: 0;\n}\n/* Another\n   one. */ a { color: red; }\n";
    let files = bundled(&[("worker.js", script), ("style.css", style), ("train.css", "b {}\n")]).unwrap();
    assert_eq!(
        files["worker.js"],
        "/*! A licence\n* of two lines. */\nfunction f(a) {\n(a).at((0)); // No path: https://example.com\nreturn `${a} // a`;\n}\n"
    );
    assert_eq!(files["style.css"], "* {\nmargin: 0;\n}\na { color: red; }\nb {}\n");
    assert!(!files.contains_key("train.css"));
}

#[test]
fn what_cannot_be_joined_is_named() {
    let error = |sources: &[(&str, &str)]| bundled(sources).unwrap_err().to_string();
    assert_eq!(
        error(&[("main.js", "import { a } from \"./a.js\";\n")]),
        "main.js imports a.js, which is missing"
    );
    let circle =
        [("main.js", "import { a } from \"./a.js\";\n"), ("a.js", "import { m } from \"./main.js\";\n")];
    assert_eq!(error(&circle), "main.js imports itself through other modules");
    for line in [
        "import a from \"./a.js\";",
        "import * as a from \"./a.js\";",
        "import {",
        "export default 1;",
        "export let a;",
        "export const { a } = b;",
        "export { a as b };",
        "const a = `first",
    ] {
        assert_eq!(
            error(&[("main.js", line)]),
            format!("main.js: cannot join a module with the line {line:?}")
        );
    }
}

#[test]
fn other_files_stay_as_they_are() {
    let files = BTreeMap::from([("icon.svg".to_owned(), b"/* \xff".to_vec())]);
    assert_eq!(bundle(files.clone()), Ok(files));
    let error = bundle(BTreeMap::from([("main.js".to_owned(), vec![0xff])])).unwrap_err();
    assert_eq!(error.to_string(), "main.js is not UTF-8");
}
