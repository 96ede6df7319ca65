//! The page's files, embedded in the program.

use super::refuse;
use axum::body::Body;
use axum::extract::Request;
use axum::http::{HeaderValue, Method, StatusCode, header};
use axum::response::{IntoResponse, Response};
use rust_embed::RustEmbed;
use std::borrow::Cow;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use tabiya_review::report::{PIECES, SHARED_FILES};

/// The files of `page/`. A debug build reads them at run time.
#[derive(RustEmbed)]
#[folder = "page"]
struct Files;

/// The packed set of puzzles.
#[cfg(feature = "puzzles")]
const PUZZLES: Option<&str> = Some(include_str!("../../puzzles/puzzles.txt"));
#[cfg(not(feature = "puzzles"))]
const PUZZLES: Option<&str> = None;

/// The place of the drawings of the pieces in the page, which it shares with the HTML reports.
const PIECES_PLACE: &str = "@@pieces@@";

/// The beginnings of imports from other folders, by the names that `package.json` gives these. In the page, all files are in one folder.
const IMPORTS: [&str; 2] = ["\"#shared/", "\"#worker/"];

/// Answers a request for a file.
pub(super) async fn serve(request: Request) -> Response {
    if request.method() != Method::GET && request.method() != Method::HEAD {
        return refuse(StatusCode::METHOD_NOT_ALLOWED, "Only GET and HEAD are answered here.\n");
    }
    let path = match request.uri().path().trim_start_matches('/') {
        "" => "index.html",
        path => path,
    };
    let Some((kind, body)) = content(path) else {
        return refuse(StatusCode::NOT_FOUND, "There is no such file.\n");
    };
    let tag = entity_tag(&body);
    let is_known =
        request.headers().get(header::IF_NONE_MATCH).is_some_and(|known| known.as_bytes() == tag.as_bytes());
    // Files may change with the program at the same address, so browsers must ask each time.
    let mut response = if is_known {
        StatusCode::NOT_MODIFIED.into_response()
    } else {
        ([(header::CONTENT_TYPE, kind)], Body::from(body.into_owned())).into_response()
    };
    response.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    if let Ok(tag) = HeaderValue::from_str(&tag) {
        response.headers_mut().insert(header::ETAG, tag);
    }
    response
}

/// The media type and the contents of a file.
fn content(path: &str) -> Option<(String, Cow<'static, [u8]>)> {
    if let Some((name, text)) = SHARED_FILES.iter().find(|(name, _)| *name == path) {
        let kind = if name.ends_with(".css") { "text/css" } else { "text/javascript" };
        return Some((format!("{kind}; charset=utf-8"), text.as_bytes().into()));
    }
    if path == "puzzles.txt" {
        return Some(("text/plain; charset=utf-8".to_owned(), PUZZLES?.as_bytes().into()));
    }
    let file = Files::get(path)?;
    let kind = file.metadata.mimetype();
    let kind = if kind.starts_with("text/") { format!("{kind}; charset=utf-8") } else { kind.to_owned() };
    let body = if path == "index.html" {
        String::from_utf8_lossy(&file.data).replace(PIECES_PLACE, PIECES).into_bytes().into()
    } else if path.ends_with(".js") {
        let text = String::from_utf8_lossy(&file.data).into_owned();
        IMPORTS.iter().fold(text, |text, folder| text.replace(folder, "\"./")).into_bytes().into()
    } else {
        file.data
    };
    Some((kind, body))
}

/// An entity tag: a hash of the contents.
fn entity_tag(body: &[u8]) -> String {
    let mut hasher = DefaultHasher::new();
    body.hash(&mut hasher);
    // Other versions of the standard library may use another hash function.
    format!("\"{}-{:016x}\"", env!("CARGO_PKG_VERSION"), hasher.finish())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::position::GameLine;

    #[test]
    fn page_has_a_place_for_the_pieces() {
        let page = Files::get("index.html").unwrap();
        assert_eq!(String::from_utf8_lossy(&page.data).matches(PIECES_PLACE).count(), 1);
    }

    #[test]
    fn scripts_import_from_one_folder() {
        let scripts = Files::iter().filter(|path| path.ends_with(".js"));
        for path in scripts {
            let (_, body) = content(&path).unwrap();
            let text = String::from_utf8_lossy(&body);
            assert!(
                !IMPORTS.iter().any(|folder| text.contains(folder)),
                "{path} imports from another folder"
            );
            let imports = text.lines().filter_map(|line| line.strip_prefix("import ")?.split('"').nth(1));
            for import in imports {
                let name = import.strip_prefix("./").unwrap();
                assert!(content(name).is_some(), "{path} imports {import}");
            }
        }
    }

    #[test]
    fn page_weighs_less_than_its_limit() {
        let own: usize = Files::iter().filter_map(|path| Files::get(&path)).map(|file| file.data.len()).sum();
        let bytes = own + PIECES.len() + SHARED_FILES.iter().map(|(_, text)| text.len()).sum::<usize>();
        assert!(bytes < 400_000, "{bytes} bytes");
    }

    #[test]
    fn puzzles_are_legal_and_weigh_less_than_their_limit() {
        let Some(puzzles) = PUZZLES else { return };
        assert!(puzzles.len() <= 1_000_000, "{} bytes", puzzles.len());
        for line in puzzles.lines() {
            let [start, moves, rating, themes] = line.split(';').collect::<Vec<_>>()[..] else {
                panic!("{line}")
            };
            let moves = moves.split(' ').map(str::to_owned).collect::<Vec<_>>();
            assert!(moves.len() % 2 == 0 && rating.parse::<u16>().is_ok() && !themes.is_empty(), "{line}");
            let game = GameLine { start: Some(start.to_owned()), moves };
            assert!(game.play().is_ok(), "{line}");
        }
    }

    #[test]
    fn files_outside_are_unreachable() {
        for path in ["../Cargo.toml", "/etc/passwd", "..%2fCargo.toml", "./../src/main.rs"] {
            assert!(Files::get(path).is_none(), "{path}");
        }
    }
}
