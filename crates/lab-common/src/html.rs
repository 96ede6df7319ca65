//! Self-contained HTML pages for reports.

use std::fmt::Write as _;

/// Inline style sheet. Pages load no external script, font or image.
const STYLE: &str = "
body { font: 15px/1.5 system-ui, sans-serif; max-width: 82rem; margin: 2rem auto; padding: 0 1rem; color: #222; background: #fff; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.15rem; margin-top: 2rem; }
table { border-collapse: collapse; margin: 0.5rem 0; } th, td { padding: 0.2rem 0.7rem; text-align: right; border-bottom: 1px solid #ddd; }
th:first-child, td:first-child { text-align: left; } td.text { text-align: left; }
pre { background: #f5f5f5; padding: 0.7rem; overflow-x: auto; font-size: 13px; }
.plots { display: flex; flex-wrap: wrap; gap: 1rem; } .plots svg { width: 640px; max-width: 100%; height: auto; }
";

/// Returns a complete page with this title and body.
pub fn page(title: &str, body: &str) -> String {
    let title = escape(title);
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>{title}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n<h1>{title}</h1>\n\
         {body}</body>\n</html>\n"
    )
}

/// Returns a section with these SVG plots.
pub fn plots(svgs: impl IntoIterator<Item = String>) -> String {
    let mut html = "<h2>Plots</h2>\n<div class=\"plots\">\n".to_owned();
    for svg in svgs {
        // Writing to a string cannot fail.
        let _ = writeln!(html, "{svg}");
    }
    html + "</div>\n"
}

/// Escapes the characters that HTML treats as markup.
pub fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
