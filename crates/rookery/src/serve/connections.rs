//! Connections, limited in number and in time.
//!
//! A client that opens connections and sends nothing, or a byte now and then, must not keep others out. A
//! request must be whole [`REQUEST_TIME`] after its first byte, and where all places are taken, a new client
//! gets that of the connection that has waited longest for a whole request. A connection whose answer is
//! under way keeps its place.

use axum::Router;
use axum::body::{Body, BodyDataStream, Bytes, HttpBody};
use axum::extract::Request;
use axum::extract::connect_info::{ConnectInfo, Connected};
use axum::http::header::CONTENT_LENGTH;
use axum::middleware::{Next, from_fn};
use axum::response::Response;
use axum::serve::{IncomingStream, Listener};
use futures_core::Stream;
use std::collections::VecDeque;
use std::future::Future;
use std::io;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::mpsc::{Receiver, Sender, channel};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::{Instant, Sleep, sleep, timeout};

/// Connections at a time; below the files that a process may usually have open.
const MOST_CONNECTIONS: usize = 512;
/// The time of a whole request, of a rest between two requests, and of a client that does not read. A search
/// shows a sign of life more often.
const REQUEST_TIME: Duration = Duration::from_secs(60);
/// How often a client for which there is no place looks for one.
const REFRESH: Duration = Duration::from_millis(50);

/// Accepts connections while there is room.
pub struct Connections {
    listener: TcpListener,
    room: Arc<Semaphore>,
    waiting: Arc<Waiting>,
    request_time: Duration,
}

impl Connections {
    /// The connections that a listener accepts.
    pub fn new(listener: TcpListener) -> Connections {
        Connections::limited(listener, MOST_CONNECTIONS, REQUEST_TIME)
    }

    fn limited(listener: TcpListener, most: usize, request_time: Duration) -> Connections {
        let room = Arc::new(Semaphore::new(most));
        Connections { listener, room, waiting: Arc::default(), request_time }
    }

    /// A place for a client that is there. The semaphore is never closed, so a place comes at last.
    async fn place(&self) -> Option<OwnedSemaphorePermit> {
        let place = || Arc::clone(&self.room).acquire_owned();
        while self.room.available_permits() == 0 {
            if self.waiting.close_oldest() {
                break;
            }
            // All are answered at present. One that has its answer waits for the next request.
            if let Ok(place) = timeout(REFRESH, place()).await {
                return place.ok();
            }
        }
        place().await.ok()
    }
}

impl Listener for Connections {
    type Io = Connection;
    type Addr = SocketAddr;

    async fn accept(&mut self) -> (Connection, SocketAddr) {
        let (stream, address) = Listener::accept(&mut self.listener).await;
        let place = self.place().await;
        // Lines of a search are short and wanted at once; where that cannot be had they come a bit later.
        let _ = stream.set_nodelay(true);
        let (close, closed) = channel(1);
        let client = Client { close, waiting: Arc::clone(&self.waiting) };
        client.begin_waiting();
        let (request_time, limit) = (self.request_time, Box::pin(sleep(self.request_time)));
        let is_resting = true;
        (
            Connection { stream, closed, client, request_time, limit, is_resting, _place: place },
            address,
        )
    }

    fn local_addr(&self) -> io::Result<SocketAddr> {
        self.listener.local_addr()
    }
}

/// Answers the requests of these connections.
pub async fn serve(connections: Connections, router: Router) -> io::Result<()> {
    let answer = |ConnectInfo(client): ConnectInfo<Client>, request: Request, next: Next| async {
        client.answer(next.run(request).await)
    };
    let router = router.layer(from_fn(answer));
    axum::serve(connections, router.into_make_service_with_connect_info::<Client>()).await
}

/// The connections that wait for a whole request, the one that has waited longest first.
#[derive(Default)]
struct Waiting(Mutex<VecDeque<Sender<()>>>);

impl Waiting {
    fn list(&self) -> MutexGuard<'_, VecDeque<Sender<()>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Closes the connection that has waited longest; false where none waits.
    fn close_oldest(&self) -> bool {
        let oldest = self.list().pop_front();
        oldest.is_some_and(|connection| connection.try_send(()).is_ok())
    }
}

/// The other end of a connection.
#[derive(Clone)]
pub struct Client {
    close: Sender<()>,
    waiting: Arc<Waiting>,
}

impl Client {
    fn begin_waiting(&self) {
        // The last answer may outlive its connection.
        if !self.close.is_closed() {
            self.waiting.list().push_back(self.close.clone());
        }
    }

    fn end_waiting(&self) {
        self.waiting.list().retain(|other| !other.same_channel(&self.close));
    }

    /// An answer to a whole request: until it is sent, the connection keeps its place.
    fn answer(self, response: Response) -> Response {
        self.end_waiting();
        // A stream does not know its length; clients want it.
        let length = response.body().size_hint().exact();
        let mut response = response
            .map(|body| Body::from_stream(Answer { body: body.into_data_stream(), client: self }));
        if let Some(length) = length {
            response.headers_mut().entry(CONTENT_LENGTH).or_insert(length.into());
        }
        response
    }
}

impl Connected<IncomingStream<'_, Connections>> for Client {
    fn connect_info(stream: IncomingStream<'_, Connections>) -> Client {
        stream.io().client.clone()
    }
}

/// The body of an answer. When it is dropped, the connection waits for the next request.
struct Answer {
    body: BodyDataStream,
    client: Client,
}

impl Stream for Answer {
    type Item = Result<Bytes, axum::Error>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        Pin::new(&mut self.body).poll_next(context)
    }
}

impl Drop for Answer {
    fn drop(&mut self) {
        self.client.begin_waiting();
    }
}

/// A connection that ends when its time is over or another client needs its place.
pub struct Connection {
    stream: TcpStream,
    closed: Receiver<()>,
    client: Client,
    request_time: Duration,
    /// When the request must be whole or the next byte of an answer be taken.
    limit: Pin<Box<Sleep>>,
    /// No byte of the next request has come.
    is_resting: bool,
    _place: Option<OwnedSemaphorePermit>,
}

impl Connection {
    fn restart_limit(&mut self, is_resting: bool) {
        self.is_resting = is_resting;
        self.limit.as_mut().reset(Instant::now() + self.request_time);
    }

    /// Wakes the task when it is over, as both of its parts do.
    fn is_over(&mut self, context: &mut Context<'_>) -> bool {
        self.closed.poll_recv(context).is_ready() || self.limit.as_mut().poll(context).is_ready()
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        self.client.end_waiting();
    }
}

impl AsyncRead for Connection {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        if self.is_over(context) {
            return Poll::Ready(Err(io::ErrorKind::TimedOut.into()));
        }
        let outcome = Pin::new(&mut self.stream).poll_read(context, buffer);
        if outcome.is_ready() && self.is_resting {
            self.restart_limit(false);
        }
        outcome
    }
}

impl AsyncWrite for Connection {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let outcome = Pin::new(&mut self.stream).poll_write(context, bytes);
        if outcome.is_ready() {
            self.restart_limit(true);
        } else if self.is_over(context) {
            return Poll::Ready(Err(io::ErrorKind::TimedOut.into()));
        }
        outcome
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::routing::{get, post};
    use std::io::{Read, Write};
    use std::net::TcpStream as Socket;
    use std::thread;

    /// Long enough to show a connection that is never closed as a failure.
    const DEADLINE: Duration = Duration::from_secs(300);

    /// An answer that never ends: one byte and then nothing.
    struct Endless(bool);

    impl Stream for Endless {
        type Item = Result<Bytes, axum::Error>;

        fn poll_next(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Option<Self::Item>> {
            match std::mem::replace(&mut self.0, true) {
                true => Poll::Pending,
                false => Poll::Ready(Some(Ok(Bytes::from_static(b"x")))),
            }
        }
    }

    /// A server with this number of places, which ends with the test's process; its address.
    fn server(most: usize, request_time: Duration) -> SocketAddr {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a port is free");
        let address = listener.local_addr().expect("it is bound");
        listener.set_nonblocking(true).expect("tokio asks for it");
        thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
            runtime.expect("a runtime").block_on(async {
                let listener = TcpListener::from_std(listener).expect("a listener");
                let router = Router::new()
                    .route("/", get(|| async { "whole" }))
                    .route("/echo", post(|body: String| async { body }))
                    .route("/endless", get(|| async { Body::from_stream(Endless(false)) }));
                serve(Connections::limited(listener, most, request_time), router).await
            })
        });
        address
    }

    fn connect(address: SocketAddr) -> Socket {
        let socket = Socket::connect(address).expect("it listens");
        socket.set_read_timeout(Some(DEADLINE)).expect("a limit");
        socket
    }

    fn ask(socket: &mut Socket, path: &str) {
        write!(socket, "GET {path} HTTP/1.1\r\nHost: x\r\n\r\n").expect("it reads");
    }

    /// Reads until the answer ends with these bytes.
    fn is_answered(socket: &mut Socket, end: &[u8]) -> bool {
        let (mut answer, mut byte) = (Vec::new(), [0]);
        while !answer.ends_with(end) {
            match socket.read(&mut byte) {
                Ok(1) => answer.push(byte[0]),
                _ => return false,
            }
        }
        true
    }

    fn is_closed(socket: &mut Socket) -> bool {
        match socket.read(&mut [0]) {
            Ok(count) => count == 0,
            Err(error) => error.kind() == io::ErrorKind::ConnectionReset,
        }
    }

    #[test]
    fn a_new_client_gets_the_place_of_the_one_that_has_waited_longest() {
        let address = server(2, DEADLINE * 4);
        let (mut first, mut second) = (connect(address), connect(address));
        // An answered client waits again, behind those that were answered before.
        for client in [&mut second, &mut first] {
            ask(client, "/");
            assert!(is_answered(client, b"whole"));
        }
        let mut third = connect(address);
        ask(&mut third, "/");
        assert!(is_answered(&mut third, b"whole"));
        assert!(is_closed(&mut second));
        for client in [&mut first, &mut third] {
            ask(client, "/");
            assert!(is_answered(client, b"whole"));
        }
    }

    #[test]
    fn a_client_that_is_being_answered_keeps_its_place() {
        let address = server(2, DEADLINE * 4);
        let (mut first, mut second) = (connect(address), connect(address));
        for client in [&mut first, &mut second] {
            ask(client, "/endless");
            assert!(is_answered(client, b"x\r\n"));
        }
        let mut third = connect(address);
        ask(&mut third, "/");
        // Some rounds of looking for a place.
        third.set_read_timeout(Some(REFRESH * 4)).expect("a limit");
        assert!(third.read(&mut [0]).is_err(), "there is no place");
        third.set_read_timeout(Some(DEADLINE)).expect("a limit");
        drop(first);
        assert!(is_answered(&mut third, b"whole"));
        ask(&mut third, "/");
        assert!(is_answered(&mut third, b"whole"));
        second.set_nonblocking(true).expect("it can be asked");
        let left = second.read(&mut [0]).expect_err("it is open and nothing more has come");
        assert_eq!(left.kind(), io::ErrorKind::WouldBlock);
    }

    #[test]
    fn a_request_that_comes_byte_by_byte_is_ended() {
        let address = server(2, Duration::from_millis(300));
        let head = "POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: 100000\r\n\r\n";
        // In the head, and in the body.
        for begin in [&head[..20], head] {
            let mut client = connect(address);
            let begun = std::time::Instant::now();
            let mut sent = client.write_all(begin.as_bytes());
            while sent.is_ok() && begun.elapsed() < DEADLINE {
                thread::sleep(Duration::from_millis(20));
                sent = client.write_all(b"x");
            }
            assert!(sent.is_err(), "it is still read");
        }
    }

    #[test]
    fn a_client_that_sends_nothing_is_ended() {
        assert!(is_closed(&mut connect(server(2, Duration::from_millis(50)))));
    }
}
