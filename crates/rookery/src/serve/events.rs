//! What streams: a search writes lines of JSON, a browser reads server-sent events.

use axum::body::{Body, Bytes};
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use futures_core::Stream;
use serde::Serialize;
use serde_json::json;
use std::convert::Infallible;
use std::io::{self, Write};
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::task::{Context, Poll};
use tokio::sync::mpsc::{Receiver, Sender, channel};

/// Events that wait to be read. A client that leaves more unread counts as gone.
const MOST_UNREAD: usize = 2048;

/// Where the events of one request are written to.
#[derive(Clone)]
pub struct Events {
    sender: Sender<String>,
    /// Set when the client is gone.
    pub gone: Arc<AtomicBool>,
}

impl Events {
    /// A stream: where it is written, and the answer that carries it.
    pub fn new() -> (Events, Response) {
        let (sender, receiver) = channel(MOST_UNREAD);
        let gone = Arc::new(AtomicBool::new(false));
        let reader = Reader { receiver, gone: Arc::clone(&gone) };
        let kind = [(CONTENT_TYPE, "text/event-stream")];
        (Events { sender, gone }, (kind, Body::from_stream(reader)).into_response())
    }

    /// Whether nobody reads any more.
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
}

impl Stream for Reader {
    type Item = Result<Bytes, Infallible>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let line = self.receiver.poll_recv(context);
        line.map(|line| line.map(|line| Ok(Bytes::from(format!("data: {line}\n\n")))))
    }
}

impl Drop for Reader {
    fn drop(&mut self) {
        self.gone.store(true, Relaxed);
    }
}
