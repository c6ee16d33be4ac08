//! `POST /api/annotate`: a whole game looked at, with progress, as `rookery analyse` does it.

use super::Site;
use super::events::Events;
use super::guard::refusal;
use super::request::read;
use crate::analyse::annotated;
use crate::engine::{Engine, STACK};
use axum::body::Bytes;
use axum::extract::State;
use axum::response::Response;
use board::pgn::{Game, Games};
use search::Profile;
use serde::Deserialize;
use serde_json::json;
use std::ops::RangeInclusive;
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::thread;
use std::time::{Duration, Instant};

/// Nodes for each position that can be asked for.
const NODES: RangeInclusive<u64> = 1_000..=2_000_000;
/// Half-moves of the longest game that is annotated.
const MOST_PLIES: usize = 1_000;
/// A game that takes longer is given up.
const MOST_TIME: Duration = Duration::from_secs(1800);
/// Megabytes of the table, as for files.
const HASH_MB: u64 = 32;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct AnnotateRequest {
    pgn: String,
    nodes: u64,
}

/// Answers with the progress, and at last the game.
pub async fn answer(State(site): State<Arc<Site>>, body: Bytes) -> Response {
    let request: AnnotateRequest = match read(&body) {
        Ok(request) => request,
        Err(refused) => return refused,
    };
    let game = match first_game(&request.pgn) {
        Ok(game) => game,
        Err(reason) => return refusal(400, &reason),
    };
    let place = match site.annotation.enter().await {
        Ok(place) => place,
        Err(refused) => return refused,
    };
    let (events, response) = Events::new();
    let nodes = request.nodes.clamp(*NODES.start(), *NODES.end());
    let work = move || {
        match work(game, nodes, &events) {
            Ok(pgn) => events.send(&json!({ "kind": "game", "pgn": pgn })),
            Err(reason) => events.fail(&reason),
        }
        drop(place);
    };
    match thread::Builder::new().name("annotate".to_owned()).stack_size(STACK).spawn(work) {
        Ok(_) => response,
        Err(error) => refusal(503, &format!("the system gives no thread: {error}")),
    }
}

fn work(mut game: Game, nodes: u64, events: &Events) -> Result<String, String> {
    let (engine, begun) = (Engine::new(Profile::Modern, HASH_MB)?, Instant::now());
    annotated(&mut game, engine, nodes, &events.gone, |done, all| {
        events.send(&json!({ "kind": "progress", "done": done, "all": all }));
        if begun.elapsed() > MOST_TIME {
            events.gone.store(true, Relaxed);
        }
    })?;
    Ok(game.to_string())
}

fn first_game(pgn: &str) -> Result<Game, String> {
    match Games::new(pgn.as_bytes()).next() {
        Some(Ok(game)) if game.main_line().count() > MOST_PLIES => {
            Err(format!("the game has more than {MOST_PLIES} half-moves"))
        }
        Some(Ok(game)) => Ok(game),
        Some(Err(error)) => Err(error.to_string()),
        None => Err("there is no game".to_owned()),
    }
}
