//! `POST /api/annotate`: a whole game looked at, with progress, as `rookery analyse` does it.

use super::Site;
use super::events::{self, Events};
use super::request::read;
use crate::analyse::annotated;
use crate::engine::Engine;
use axum::body::Bytes;
use axum::extract::State;
use axum::response::Response;
use board::pgn::{Game, Games};
use endgame::Oracle;
use search::Profile;
use serde::Deserialize;
use serde_json::json;
use std::ops::RangeInclusive;
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
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
    let checked = read(&body).and_then(|request: AnnotateRequest| {
        Ok((first_game(&request.pgn)?, request.nodes.clamp(*NODES.start(), *NODES.end())))
    });
    let oracle = site.oracle.clone();
    events::answer_checked(&site.annotation, checked, move |(game, nodes), events| {
        Ok(json!({ "kind": "game", "pgn": work(game, oracle, nodes, events)? }))
    })
}

fn work(
    mut game: Game,
    oracle: Option<Arc<Oracle>>,
    nodes: u64,
    events: &Events,
) -> Result<String, String> {
    let (mut engine, begun) = (Engine::new(Profile::Modern, HASH_MB)?, Instant::now());
    engine.set_oracle(oracle);
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
