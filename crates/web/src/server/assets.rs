//! The page's files, embedded in the program.

use super::refuse;
use axum::body::{Body, Bytes};
use axum::extract::Request;
use axum::http::{HeaderValue, Method, StatusCode, header};
use axum::response::{IntoResponse, Response};
use rust_embed::RustEmbed;
use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::sync::{LazyLock, PoisonError, RwLock};
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

/// The page itself.
const INDEX: &str = "index.html";

/// A file of the page.
#[derive(Clone)]
struct Asset {
    /// The media type.
    kind: &'static str,
    body: Bytes,
    /// A hash of the contents.
    tag: HeaderValue,
}

/// The files of the page by path, prepared for the first request.
static ASSETS: LazyLock<RwLock<BTreeMap<String, Asset>>> = LazyLock::new(|| RwLock::new(prepare()));

fn prepare() -> BTreeMap<String, Asset> {
    let assets = assets().into_iter().filter_map(|(path, body)| Some((Asset::new(&path, body)?, path)));
    assets.map(|(asset, path)| (path, asset)).collect()
}

/// Answers a request for a file.
pub(super) async fn serve(request: Request) -> Response {
    if request.method() != Method::GET && request.method() != Method::HEAD {
        return refuse(StatusCode::METHOD_NOT_ALLOWED, "Only GET and HEAD are answered here.\n");
    }
    let path = match request.uri().path().trim_start_matches('/') {
        "" => INDEX,
        path => path,
    };
    let Some(Asset { kind, body, tag }) = Asset::find(path) else {
        return refuse(StatusCode::NOT_FOUND, "There is no such file.\n");
    };
    let is_known = request.headers().get(header::IF_NONE_MATCH).is_some_and(|known| *known == tag);
    // Files may change with the program at the same address, so browsers must ask each time.
    let mut response = if is_known {
        StatusCode::NOT_MODIFIED.into_response()
    } else {
        ([(header::CONTENT_TYPE, kind)], Body::from(body)).into_response()
    };
    response.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    response.headers_mut().insert(header::ETAG, tag);
    response
}

/// The contents of the page's files, by path.
fn assets() -> BTreeMap<String, Vec<u8>> {
    let own = Files::iter().filter_map(|path| Some((path.to_string(), Files::get(&path)?.data.into_owned())));
    let shared = SHARED_FILES.iter().map(|(path, text)| ((*path).to_owned(), text.as_bytes().to_vec()));
    let mut files = tabiya_bundle::bundle(own.chain(shared).collect()).unwrap_or_else(|error| {
        // The tests exclude this for the files in the program.
        eprintln!("error: the page's scripts cannot be joined: {error}");
        BTreeMap::new()
    });
    if let Some(index) = files.get_mut(INDEX) {
        *index = String::from_utf8_lossy(index).replace(PIECES_PLACE, PIECES).into_bytes();
    }
    files.extend(PUZZLES.map(|text| ("puzzles.txt".to_owned(), text.as_bytes().to_vec())));
    files
}

impl Asset {
    /// The file of a path. A debug build prepares all files again with the page itself, so that a reload in the browser shows a change.
    fn find(path: &str) -> Option<Asset> {
        if cfg!(debug_assertions) && path == INDEX {
            *ASSETS.write().unwrap_or_else(PoisonError::into_inner) = prepare();
        }
        ASSETS.read().unwrap_or_else(PoisonError::into_inner).get(path).cloned()
    }

    fn new(path: &str, body: Vec<u8>) -> Option<Asset> {
        let kind = match path.rsplit_once('.')?.1 {
            "html" => "text/html; charset=utf-8",
            "js" => "text/javascript; charset=utf-8",
            "css" => "text/css; charset=utf-8",
            "txt" => "text/plain; charset=utf-8",
            "svg" => "image/svg+xml",
            _ => return None,
        };
        let mut hasher = DefaultHasher::new();
        body.hash(&mut hasher);
        // Other versions of the standard library may use another hash function.
        let tag = format!("\"{}-{:016x}\"", env!("CARGO_PKG_VERSION"), hasher.finish());
        Some(Asset { kind, body: body.into(), tag: HeaderValue::from_str(&tag).ok()? })
    }
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
    fn page_has_few_files_that_are_all_there() {
        let assets = assets();
        let text = |path: &str| String::from_utf8(assets[path].clone()).unwrap();
        assert!(prepare().keys().eq(assets.keys()), "each file has a media type");
        for path in assets.keys().filter(|path| path.ends_with(".js")) {
            for import in
                text(path).lines().filter_map(|line| line.strip_prefix("import ")?.split('"').nth(1))
            {
                assert!(assets.contains_key(import.strip_prefix("./").unwrap()), "{path} imports {import}");
            }
        }
        let index = text(INDEX);
        let loaded = ["href=\"", "src=\""].into_iter().flat_map(|mark| index.split(mark).skip(1));
        let loaded: Vec<_> = loaded
            .map(|rest| rest.split('"').next().unwrap())
            .filter(|path| !path.starts_with('#'))
            .collect();
        assert!(loaded.iter().all(|path| assets.contains_key(*path)), "{loaded:?}");
        // A browser asks for each file by itself.
        assert!(loaded.len() <= 6, "{loaded:?}");
        for later in ["texts-en.js", "texts-de.js", "train.js", "explain.js", "setup.js", "games.js"] {
            assert!(assets.contains_key(later) && !loaded.contains(&later), "{later}");
        }
    }

    #[test]
    fn page_weighs_less_than_its_limit() {
        let bytes: usize =
            assets().iter().filter(|(path, _)| *path != "puzzles.txt").map(|(_, body)| body.len()).sum();
        assert!(bytes < 320_000, "{bytes} bytes");
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
