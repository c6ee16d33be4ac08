//! `rookery serve`: the board in the browser.
//!
//! The page is embedded ([`assets`], built from `web/`) and holds the game; the server holds engines and
//! nothing about its clients. A request passes [`guard`] (who may ask), becomes a position and limits in
//! [`request`], waits in a [`lane`] for an engine, and its answer is a stream of events ([`events`]) that
//! ends with the search; a reader who leaves ends the search.
//!
//! **Invariant: a request names no file.** What is served is compiled in, and requests hold positions, moves
//! and numbers only.

mod activity_chart;
mod annotate;
mod assets;
mod connections;
mod events;
mod formatter;
mod guard;
mod known;
mod lane;
mod live;
mod reports;
mod request;
mod search;
mod simulate;

use crate::arguments::{ServeArguments, USUAL_PORT};
use crate::failure::Failure;
use crate::interrupt;
use crate::plain;
use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::middleware::from_fn_with_state;
use axum::response::Response;
use axum::routing::{get, post};
use connections::Connections;
use endgame::Oracle;
use guard::Guard;
use known::Knowledge;
use lane::{Lane, Settings};
use live::SearchRules;
use parallel::StrategyKind;
use parallel::sim::Model;
use serde_json::json;
use std::io::{self, Write};
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::process::{Command, ExitCode, Stdio};
use std::sync::Arc;
use std::time::Duration;
use tokio::net::TcpListener;

/// The largest request. A game of a thousand moves with comments fits in.
const LARGEST_BODY: usize = 1 << 20;
/// How often Ctrl-C is looked for.
const REFRESH: Duration = Duration::from_millis(50);
/// What a search of a game, or an analysis, may take while others wait for their turn.
const PLAY_SHARE: Duration = Duration::from_millis(500);
const ANALYSIS_SHARE: Duration = Duration::from_secs(2);

/// What all requests share.
pub struct Site {
    guard: Guard,
    settings: Settings,
    /// Games do not wait for analysis, nor either for whole games that are annotated.
    play: Arc<Lane>,
    analysis: Arc<Lane>,
    annotation: Arc<Lane>,
    /// The longest search.
    most_time: Duration,
    /// What the engines search by.
    rules: SearchRules,
    knowledge: Knowledge,
    /// What games are annotated by: the same tables, and the recognisers.
    oracle: Option<Arc<Oracle>>,
}

/// Runs the command.
pub fn run(arguments: &ServeArguments, out: &mut impl Write) -> Result<ExitCode, Failure> {
    let site = Site::new(arguments)?;
    // One thread is enough for all that is not search.
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.map_err(|error| Failure::Work(error.to_string()))?;
    interrupt::listen();
    runtime.block_on(async {
        let listener = bind(arguments).await?;
        let address = listener.local_addr()?;
        let page = page_address(address, arguments.token.as_deref());
        writeln!(out, "Rookery is at {page} (Ctrl-C ends it)")?;
        out.flush()?;
        if arguments.open {
            open_browser(&page);
        }
        let server = tokio::spawn(connections::serve(Connections::new(listener), site.router()));
        while !interrupt::requested() && !server.is_finished() {
            tokio::time::sleep(REFRESH).await;
        }
        Err(Failure::Interrupted)
    })
}

impl Site {
    /// The engines are tried before the first client comes: what is wrong with the arguments is told now.
    fn new(arguments: &ServeArguments) -> Result<Arc<Site>, Failure> {
        let settings = Settings::new(arguments);
        let searches = usize::from(arguments.searches);
        let lane = |places, share| Arc::new(Lane::new(places, share, settings.clone()));
        let play = lane(searches, PLAY_SHARE);
        let rules = play.warm_up().map_err(Failure::Usage)?;
        let (own, syzygy) = (arguments.tables.as_deref(), arguments.syzygy.as_deref());
        let endings = crate::analyse::Knowledge::of_folders(own, syzygy).map_err(Failure::Usage)?;
        Ok(Arc::new(Site {
            guard: Guard::new(arguments.token.clone()),
            play,
            analysis: lane(searches, ANALYSIS_SHARE),
            annotation: lane(1, Duration::MAX),
            most_time: Duration::from_secs(u64::from(arguments.most_seconds)),
            settings,
            rules,
            knowledge: Knowledge::open(arguments).map_err(Failure::Usage)?,
            oracle: endings.oracle,
        }))
    }

    fn router(self: Arc<Site>) -> Router {
        Router::new()
            .route("/", get(assets::page))
            .route("/{name}", get(assets::file))
            .route("/lab/{name}", get(reports::file))
            .route("/api/info", get(info))
            .route("/api/search", post(search::answer))
            .route("/api/annotate", post(annotate::answer))
            .route("/api/simulate", post(simulate::answer))
            .route("/api/threads", post(live::answer))
            .route("/api/known", post(known::answer))
            .route("/api/evaluate", post(request::evaluate))
            .fallback(|| async { guard::refusal(404, "there is nothing here") })
            .method_not_allowed_fallback(|| async { guard::refusal(405, "not in this way") })
            .layer(DefaultBodyLimit::max(LARGEST_BODY))
            .layer(from_fn_with_state(Arc::clone(&self), guard::check))
            .with_state(self)
    }
}

/// What the page must know before it asks for anything.
async fn info(site: axum::extract::State<Arc<Site>>) -> Response {
    let levels = crate::session::strength::RATING_OF_LEVEL;
    let info = json!({
        "name": "Rookery",
        "version": env!("CARGO_PKG_VERSION"),
        "levels": levels,
        "machines": Model::all().map(|model| model.name).collect::<Vec<_>>(),
        "strategies": StrategyKind::ALL.map(StrategyKind::name),
        "reports": reports::names(),
        "mostLines": request::MOST_LINES,
        "mostSeconds": site.most_time.as_secs(),
        "threads": site.settings.threads,
        "cores": std::thread::available_parallelism().map_or(1, usize::from),
        "hash": site.settings.hash_mb,
    });
    guard::answer(info.to_string())
}

/// The usual port may be taken by another board; a port that was asked for must be had.
async fn bind(arguments: &ServeArguments) -> Result<TcpListener, Failure> {
    let host = arguments.bind.unwrap_or(IpAddr::V4(Ipv4Addr::LOCALHOST));
    let bind = |port| TcpListener::bind(SocketAddr::new(host, port));
    let port = arguments.port.unwrap_or(USUAL_PORT);
    let bound = match (bind(port).await, arguments.port) {
        (Err(error), None) if error.kind() == io::ErrorKind::AddrInUse => bind(0).await,
        (bound, _) => bound,
    };
    bound.map_err(|error| Failure::Work(format!("cannot listen at {host}, port {port}: {error}")))
}

fn page_address(address: SocketAddr, token: Option<&str>) -> String {
    match token {
        None => format!("http://{address}/"),
        Some(token) => format!("http://{address}/?token={token}"),
    }
}

/// Where there is no browser the address has been printed.
fn open_browser(page: &str) {
    let (program, arguments): (&str, &[&str]) = match std::env::consts::OS {
        "windows" => ("rundll32", &["url.dll,FileProtocolHandler"]),
        "macos" => ("open", &[]),
        _ => ("xdg-open", &[]),
    };
    let mut command = Command::new(program);
    command.args(arguments).arg(page);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let say = move |reason: String| {
        let words = "no browser was opened; the address above can be opened in any";
        plain::say(format_args!("--open: {words} ({program}: {reason})"));
    };
    match command.spawn() {
        Err(error) => say(error.to_string()),
        // It may go on for as long as the browser does. Without a thread to wait for it nothing is said.
        Ok(mut opener) => {
            let _ = std::thread::Builder::new().spawn(move || match opener.wait() {
                Ok(status) if !status.success() => say(status.to_string()),
                _ => {}
            });
        }
    }
}
