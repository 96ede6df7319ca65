//! Comments, which browsers need not load.

/// Returns a script or style sheet without comments, indentation and empty lines. A comment that begins with `/*!` is a licence and
/// stays, and so does one after code, unless it is a type.
pub(crate) fn without(name: &str, text: &str) -> String {
    let is_script = name.ends_with(".js");
    let mut kept = String::with_capacity(text.len());
    // The end of the comment that the line is in, and whether it stays.
    let mut comment = None;
    for line in text.lines() {
        let mut line = line.trim();
        if comment.is_none() && line.starts_with("/*") {
            comment = Some(line.starts_with("/*!"));
        }
        if let Some(stays) = comment {
            let (inside, after) =
                line.split_once("*/").map_or((line, None), |(inside, after)| (inside, Some(after)));
            if after.is_some() {
                comment = None;
            }
            if stays {
                kept.push_str(inside);
                kept.push_str(if after.is_some() { "*/\n" } else { "\n" });
            }
            line = after.unwrap_or_default().trim_start();
        }
        if line.is_empty() || (is_script && line.starts_with("//")) {
            continue;
        }
        kept.push_str(&without_types(line));
        kept.push('\n');
    }
    kept
}

/// Returns a line of code without the comments that are types.
fn without_types(line: &str) -> String {
    let mut kept = String::with_capacity(line.len());
    let mut rest = line;
    while let Some((code, (_, after))) =
        rest.split_once("/** @").and_then(|(code, comment)| Some((code, comment.split_once("*/")?)))
    {
        kept.push_str(code);
        rest = after.strip_prefix(' ').unwrap_or(after);
    }
    kept.push_str(rest);
    kept
}
