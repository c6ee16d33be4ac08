//! `POST /api/search`: a search, streamed as it goes.

use super::events::{self, Events};
use super::formatter::EventFormatter;
use super::guard::refusal;
use super::lane::{Lane, Player};
use super::request::{Purpose, SearchRequest, read};
use super::{REFRESH, Site};
use crate::session::{Event, GoRequest, Output};
use axum::body::Bytes;
use axum::extract::State;
use axum::response::Response;
use board::{History, Position};
use std::io;
use std::sync::Arc;
use std::sync::mpsc::RecvTimeoutError;
use std::time::Instant;

/// Time that is lost between the engine and the board, in milliseconds.
const OVERHEAD_MS: i64 = 50;

/// What is to be searched, and for whom.
struct StreamedSearch {
    root: (Position, History),
    go: GoRequest,
    request: SearchRequest,
    events: Events,
}

/// Answers with the events of a search.
pub async fn answer(State(site): State<Arc<Site>>, body: Bytes) -> Response {
    let checked = read(&body).and_then(|request: SearchRequest| {
        let (root, go) = (request.position()?, request.go_request(site.most_time)?);
        Ok((root, go, request))
    });
    let (root, go, request) = match checked {
        Ok(checked) => checked,
        Err(reason) => return refusal(400, &reason),
    };
    let lane = match request.purpose {
        Purpose::Play => Arc::clone(&site.play),
        Purpose::Analyse => Arc::clone(&site.analysis),
    };
    events::answer(&Arc::clone(&lane), move |events| {
        let events = events.clone();
        StreamedSearch { root, go, request, events }.run(&lane);
    })
}

impl StreamedSearch {
    fn run(self, lane: &Lane) {
        let events = self.events.clone();
        match lane.take(&self.request.game) {
            Ok(mut player) => {
                if let Err(reason) = self.search(&mut player, lane) {
                    events.fail(&reason);
                }
                // The stream ends when its last writer is gone.
                player.session.output = Output::new(io::sink());
                lane.put_back(player);
            }
            Err(reason) => events.fail(&reason),
        }
    }

    fn search(self, player: &mut Player, lane: &Lane) -> Result<(), String> {
        let StreamedSearch { root, go, request, events } = self;
        player.set("Skill Level", &request.level().to_string())?;
        let session = &mut player.session;
        session.options.multi_pv = request.lines();
        session.options.overhead_ms = OVERHEAD_MS;
        session.options.analyse_mode = request.purpose == Purpose::Analyse;
        session.output = Output::new(events.clone());
        let (begun, formatter) = (Instant::now(), EventFormatter { position: root.0 });
        let launched = session.launch(root, go, Box::new(formatter), begun);
        launched.map_err(|error| error.to_string())?;
        loop {
            match player.events.recv_timeout(REFRESH) {
                Ok(Event::Finished(number)) => {
                    player.session.finished(number);
                    return Ok(());
                }
                Ok(_) => (),
                Err(RecvTimeoutError::Disconnected) => return Err("the search failed".to_owned()),
                Err(RecvTimeoutError::Timeout) => {
                    if events.is_gone() || lane.is_over(begun.elapsed()) {
                        player.session.stop();
                    }
                }
            }
        }
    }
}
