//! `POST /api/known`: what the book, the endgame tables and the recognisers know about a position.

use super::Site;
use super::guard::{self, refusal};
use super::request::{Place, read};
use crate::arguments::ServeArguments;
use crate::book::OwnBook;
use crate::endgame::Sources;
use axum::body::Bytes;
use axum::extract::State;
use axum::response::Response;
use board::Position;
use serde_json::json;
use std::sync::{Arc, Mutex, PoisonError};

/// Who is asked. Files are opened once, when the server starts.
pub struct Knowledge {
    book: Option<Mutex<OwnBook>>,
    endings: Sources,
}

impl Knowledge {
    /// What the arguments name; or a line that says what cannot be used.
    pub fn open(arguments: &ServeArguments) -> Result<Knowledge, String> {
        let book = arguments.book.as_deref().map(OwnBook::open).transpose()?.map(Mutex::new);
        let endings = Sources::new(arguments.tables.as_deref(), arguments.syzygy.as_deref())?;
        Ok(Knowledge { book, endings })
    }

    /// A JSON object; fields about which nothing is known are left out or empty.
    fn ask(&self, position: &Position) -> String {
        let mut moves = Vec::new();
        if let Some(book) = &self.book {
            let found = book.lock().unwrap_or_else(PoisonError::into_inner).moves(position);
            // A book that cannot be read any more knows nothing.
            let found = found.unwrap_or_default().into_iter();
            moves.extend(
                found.map(|(mv, share)| json!({ "move": position.san(mv), "share": share })),
            );
        }
        json!({ "book": moves, "ending": self.endings.report(position) }).to_string()
    }
}

/// Answers with what is known. Files are read beside the other requests.
pub async fn answer(State(site): State<Arc<Site>>, body: Bytes) -> Response {
    let position = match read(&body).and_then(|place: Place| place.read()) {
        Ok((position, _)) => position,
        Err(reason) => return refusal(400, &reason),
    };
    let asked = tokio::task::spawn_blocking(move || site.knowledge.ask(&position)).await;
    asked.map_or_else(|_| refusal(500, "this cannot be looked up"), guard::answer)
}
