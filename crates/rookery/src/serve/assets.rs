//! The page, embedded: `web/src`, with what `cargo xtask web` builds of it in `web/dist`.

use super::guard::refusal;
use axum::extract::Path;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};

/// A file of the page: its name, its type, its content.
type Asset = (&'static str, &'static str, &'static [u8]);

const PAGE: Asset =
    ("index.html", "text/html; charset=utf-8", include_bytes!("../../../../web/src/index.html"));
const FILES: [Asset; 3] = [
    ("app.js", "text/javascript; charset=utf-8", include_bytes!("../../../../web/dist/app.js")),
    ("app.css", "text/css; charset=utf-8", include_bytes!("../../../../web/dist/app.css")),
    ("icon.svg", "image/svg+xml", include_bytes!("../../../../web/src/icon.svg")),
];

/// The page itself.
pub async fn page() -> Response {
    serve(&PAGE)
}

/// One of its files: names are looked up in the list, nowhere else.
pub async fn file(Path(name): Path<String>) -> Response {
    match FILES.iter().find(|file| file.0 == name) {
        Some(file) => serve(file),
        None => refusal(404, "there is nothing here"),
    }
}

fn serve(&(_, kind, content): &Asset) -> Response {
    ([(CONTENT_TYPE, kind)], content).into_response()
}
