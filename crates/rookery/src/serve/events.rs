//! What streams: a search writes lines of JSON, a browser reads server-sent events.

use super::guard::refusal;
use super::lane::Lane;
use crate::engine::STACK;
use axum::body::{Body, Bytes};
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use futures_core::Stream;
use serde::Serialize;
use serde_json::json;
use std::convert::Infallible;
use std::future::Future;
use std::io::{self, Write};
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::task::{Context, Poll};
use std::thread;
use std::time::Duration;
use tokio::sync::mpsc::{Receiver, Sender, channel};
use tokio::time::{Instant, Sleep, sleep};

/// Events that wait to be read. A client that leaves more unread counts as gone.
const MOST_UNREAD: usize = 2048;

/// How often a sign of life is sent where there is no event: a connection on which nothing happens ends.
const SIGN_OF_LIFE: Duration = Duration::from_secs(15);

/// Answers with the events of some work, which begins on a thread of its own when the lane has a place.
pub fn answer(lane: &Arc<Lane>, work: impl FnOnce(&Events) + Send + 'static) -> Response {
    let Some(waiting) = lane.enter() else {
        return refusal(503, "the engines are busy: try again later");
    };
    let (events, response) = Events::new();
    tokio::spawn(async move {
        let place = waiting.place().await;
        if events.is_gone() {
            return;
        }
        let (told, thread) = (events.clone(), thread::Builder::new().name("serve".to_owned()));
        let run = move || {
            work(&events);
            drop(place);
        };
        if let Err(error) = thread.stack_size(STACK).spawn(run) {
            told.fail(&format!("the system gives no thread: {error}"));
        }
    });
    response
}

/// The same for a request that was checked: at last what came of the work, or why nothing did.
pub fn answer_checked<T: Send + 'static, A: Serialize>(
    lane: &Arc<Lane>,
    checked: Result<T, String>,
    work: impl FnOnce(T, &Events) -> Result<A, String> + Send + 'static,
) -> Response {
    let task = match checked {
        Ok(task) => task,
        Err(reason) => return refusal(400, &reason),
    };
    answer(lane, move |events| match work(task, events) {
        Ok(last) => events.send(&last),
        Err(reason) => events.fail(&reason),
    })
}

/// Where the events of one request are written to.
#[derive(Clone)]
pub struct Events {
    sender: Sender<String>,
    /// Set when the client is gone.
    pub gone: Arc<AtomicBool>,
}

impl Events {
    /// A stream: where it is written, and the answer that carries it.
    fn new() -> (Events, Response) {
        let (sender, receiver) = channel(MOST_UNREAD);
        let gone = Arc::new(AtomicBool::new(false));
        let reader =
            Reader { receiver, gone: Arc::clone(&gone), idle: Box::pin(sleep(SIGN_OF_LIFE)) };
        let kind = [(CONTENT_TYPE, "text/event-stream")];
        (Events { sender, gone }, (kind, Body::from_stream(reader)).into_response())
    }

    /// Whether the client is gone.
    pub fn is_gone(&self) -> bool {
        self.gone.load(Relaxed)
    }

    /// Sends an event, unless the client is gone.
    pub fn send(&self, event: &impl Serialize) {
        if let Ok(line) = serde_json::to_string(event) {
            self.send_line(line);
        }
    }

    /// Says what went wrong.
    pub fn fail(&self, reason: &str) {
        self.send(&json!({ "kind": "error", "reason": reason }));
    }

    fn send_line(&self, line: String) {
        if self.sender.try_send(line).is_err() {
            self.gone.store(true, Relaxed);
        }
    }
}

/// A session's output. What is not an event is meant for consoles.
impl Write for Events {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let text = String::from_utf8_lossy(bytes);
        text.lines()
            .filter(|line| line.starts_with('{'))
            .for_each(|line| self.send_line(line.into()));
        match self.is_gone() {
            true => Err(io::ErrorKind::BrokenPipe.into()),
            false => Ok(bytes.len()),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

struct Reader {
    receiver: Receiver<String>,
    gone: Arc<AtomicBool>,
    idle: Pin<Box<Sleep>>,
}

impl Stream for Reader {
    type Item = Result<Bytes, Infallible>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let line = match self.receiver.poll_recv(context) {
            Poll::Ready(None) => return Poll::Ready(None),
            Poll::Ready(Some(line)) => format!("data: {line}\n\n"),
            Poll::Pending if self.idle.as_mut().poll(context).is_ready() => ":\n\n".to_owned(),
            Poll::Pending => return Poll::Pending,
        };
        self.idle.as_mut().reset(Instant::now() + SIGN_OF_LIFE);
        Poll::Ready(Some(Ok(Bytes::from(line))))
    }
}

impl Drop for Reader {
    fn drop(&mut self) {
        self.gone.store(true, Relaxed);
    }
}
