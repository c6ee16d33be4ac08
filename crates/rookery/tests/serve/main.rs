//! `rookery serve` over real connections: what it serves, whom it refuses, and what it survives.
#![cfg(feature = "web")]

mod hostile;
#[path = "../support/mod.rs"]
mod support;

use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use support::{Folder, HANGS, program, refused};

/// A server, ended with the test.
struct Server {
    child: Child,
    address: String,
    /// What it printed.
    greeting: String,
}

impl Server {
    fn start(arguments: &[&str]) -> Server {
        Server::launch(program(&[&["serve", "--hash", "4"], arguments].concat()))
    }

    fn launch(mut command: Command) -> Server {
        command.stdin(Stdio::null()).stderr(Stdio::inherit());
        let mut child = command.spawn().expect("the program starts");
        let mut greeting = String::new();
        let mut stdout = BufReader::new(child.stdout.take().expect("stdout is piped"));
        stdout.read_line(&mut greeting).expect("it says where it is");
        let rest = greeting.split("http://").nth(1).expect("an address");
        let address = rest.split('/').next().unwrap_or_default().to_owned();
        Server { child, address, greeting }
    }

    fn new() -> Server {
        Server::start(&["--port", "0"])
    }

    /// Sends bytes, says no more, and reads until the server has answered.
    fn send(&self, bytes: &[u8]) -> Vec<u8> {
        let mut stream = self.connect();
        // A server that refuses may hang up before it has read everything.
        let _ = stream.write_all(bytes);
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        answer
    }

    fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(&self.address).expect("it listens");
        stream.set_read_timeout(Some(HANGS)).expect("a limit");
        stream
    }

    /// The status and the rest of the answer to a request with these lines in its head.
    fn ask(&self, first: &str, head: &[&str], body: &str) -> (u16, String) {
        let mut text = format!("{first} HTTP/1.1\r\nConnection: close\r\n");
        if !head.iter().any(|line| line.starts_with("Host")) {
            text += &format!("Host: {}\r\n", self.address);
        }
        head.iter().for_each(|line| text += &format!("{line}\r\n"));
        if !body.is_empty() {
            text += &format!("Content-Length: {}\r\n", body.len());
        }
        text += &format!("\r\n{body}");
        let answer = String::from_utf8_lossy(&self.send(text.as_bytes())).into_owned();
        let status = answer.split(' ').nth(1).and_then(|status| status.parse().ok());
        (status.unwrap_or_else(|| panic!("no answer to {first}: {answer:?}")), answer)
    }

    fn get(&self, path: &str) -> (u16, String) {
        self.ask(&format!("GET {path}"), &[], "")
    }

    fn post(&self, path: &str, body: &str) -> (u16, String) {
        self.ask(&format!("POST {path}"), &["Content-Type: application/json"], body)
    }

    /// The events of an answer.
    fn events(&self, path: &str, body: &Value) -> Vec<Value> {
        let (status, answer) = self.post(path, &body.to_string());
        assert_eq!(status, 200, "{answer}");
        let lines = answer.lines().filter_map(|line| line.strip_prefix("data: "));
        lines.map(|line| serde_json::from_str(line).expect("an event")).collect()
    }

    /// A search that goes on until its client leaves.
    fn begin_search(&self, purpose: &str, milliseconds: u64) -> TcpStream {
        let body = json!({ "place": {}, "purpose": purpose, "timeMs": milliseconds }).to_string();
        let mut stream = self.connect();
        write!(
            stream,
            "POST /api/search HTTP/1.1\r\nHost: {}\r\nContent-Type: application/json\r\n\
             Content-Length: {}\r\n\r\n{body}",
            self.address,
            body.len()
        )
        .expect("it reads");
        stream
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn quick_search() -> Value {
    json!({ "place": { "moves": ["e2e4"] }, "purpose": "play", "depth": 4, "level": 20 })
}

/// What opens pages may be there and fail, as on a machine without a screen.
#[cfg(target_os = "linux")]
#[test]
fn a_browser_that_cannot_be_opened_is_told() {
    use std::os::unix::fs::PermissionsExt;
    let folder = Folder::new("opener");
    let mut said = Vec::new();
    for has_opener in [false, true] {
        if has_opener {
            let opener = folder.write("xdg-open", "#!/bin/sh\nexit 3\n");
            let mode = std::fs::Permissions::from_mode(0o755);
            std::fs::set_permissions(opener, mode).expect("it can be made a program");
        }
        let mut command = program(&["serve", "--hash", "4", "--port", "0", "--open"]);
        let mut child = command.env("PATH", folder.name()).spawn().expect("the program starts");
        let mut line = String::new();
        let mut errors = BufReader::new(child.stderr.take().expect("stderr is piped"));
        errors.read_line(&mut line).expect("it complains");
        child.kill().and_then(|()| child.wait()).expect("it can be ended");
        said.push(line);
    }
    let start = "rookery: --open: no browser was opened; the address above can be opened in any (xdg-open: ";
    assert!(said.iter().all(|line| line.starts_with(start)), "{said:?}");
    assert!(said[1].contains("exit status: 3"), "{said:?}");
}

#[test]
fn the_page_and_its_files_are_served_and_nothing_else() {
    let server = Server::new();
    assert!(server.address.starts_with("127.0.0.1:"), "{}", server.greeting);
    let (status, page) = server.get("/");
    assert!(status == 200 && page.contains("<title>Rookery</title>"));
    for header in ["content-security-policy: default-src 'self'", "x-frame-options: DENY"] {
        assert!(page.contains(header), "{header}");
    }
    for (file, kind) in [
        ("app.js", "text/javascript"),
        ("app.css", "text/css"),
        ("icon.svg", "image/svg+xml"),
        ("lab/ybw.md", "text/markdown"),
        ("lab/threads.svg", "image/svg+xml"),
    ] {
        let (status, answer) = server.get(&format!("/{file}"));
        assert!(status == 200 && answer.contains(kind), "{file}");
    }
    let (status, info) = server.get("/api/info");
    assert!(status == 200 && info.contains("\"levels\":[[0.0,415.0]"), "{info}");
    for path in [
        "/Cargo.toml",
        "/../Cargo.toml",
        "/../../../../../../etc/passwd",
        "/%2e%2e%2f%2e%2e%2fetc%2fpasswd",
        "/..%5c..%5cCargo.toml",
        "//etc/passwd",
        "/lab/../../Cargo.toml",
        "/lab/..%2f..%2fCargo.toml",
        "/lab/",
        "/api/../../etc/passwd",
        "/app.js/../../etc/passwd",
        "/app.js%00.html",
        "/file:///etc/passwd",
    ] {
        let (status, answer) = server.get(path);
        assert!(status == 404 || status == 400, "{path}: {status}");
        assert!(!answer.contains("root:") && !answer.contains("[workspace]"), "{path}");
    }
}

#[test]
fn a_search_streams_its_lines_and_ends_with_a_legal_move() {
    let server = Server::new();
    let events = server.events("/api/search", &quick_search());
    let last = events.last().expect("an answer");
    assert_eq!(last["kind"], "best");
    assert!(last["move"].as_str().is_some_and(|mv| mv.len() == 4), "{last}");
    let line = events.iter().find(|event| event["kind"] == "line").expect("a line");
    assert!(line["score"]["cp"].is_i64() && line["moves"][0].is_string(), "{line}");
    assert_eq!(line["chances"].as_array().map(Vec::len), Some(3));
    // White's score, although Black is to move.
    let body = json!({ "place": { "fen": "3qk3/8/8/8/8/8/8/4K3 b - - 0 1" }, "purpose": "analyse", "depth": 6, "lines": 3 });
    let events = server.events("/api/search", &body);
    let ranks = events.iter().filter_map(|event| event["rank"].as_u64()).max();
    assert_eq!(ranks, Some(3));
    let score = |event: &Value| event["score"]["cp"].as_i64().or(event["score"]["mate"].as_i64());
    assert!(events.iter().filter_map(score).all(|score| score < 0), "{events:?}");
    // Chess960, where a king takes its rook.
    let place = json!({ "fen": "1k6/8/8/8/8/8/8/RK5R w KQ - 0 1", "moves": ["b1h1"] });
    let events =
        server.events("/api/search", &json!({ "place": place, "purpose": "play", "depth": 2 }));
    assert_eq!(events.last().expect("an answer")["kind"], "best");
    // A position in which the game is over has no move.
    let place = json!({ "moves": ["f2f3", "e7e5", "g2g4", "d8h4"] });
    let events = server.events("/api/search", &json!({ "place": place, "purpose": "play" }));
    assert_eq!(events.last().expect("an answer")["move"], Value::Null);
}

#[test]
fn a_game_is_annotated_with_progress() {
    let server = Server::new();
    let pgn = "[White \"A\"]\n\n1. e4 e5 2. Qh5 Ke7 3. Qxe5# 1-0";
    let events = server.events("/api/annotate", &json!({ "pgn": pgn, "nodes": 2000 }));
    let done: Vec<u64> = events.iter().filter_map(|event| event["done"].as_u64()).collect();
    assert_eq!(done, [1, 2, 3, 4, 5, 6]);
    let last = events.last().expect("the game");
    let text = last["pgn"].as_str().expect("a text");
    assert!(
        last["kind"] == "game" && text.contains("[%eval") && text.contains("[WhiteAccuracy"),
        "{text}"
    );
    assert!(text.contains("Ke7 $4"), "{text}");
    for pgn in ["", "1. e4 e4", "[FEN \"x\"]\n\n1. e4"] {
        let (status, answer) =
            server.post("/api/annotate", &json!({ "pgn": pgn, "nodes": 1 }).to_string());
        assert!(status == 400 && answer.contains("error"), "{pgn}: {answer}");
    }
}

#[test]
fn a_simulated_search_is_shown_column_by_column() {
    let server = Server::new();
    let mut body =
        json!({ "place": {}, "strategy": "ybw", "machine": "t805", "processors": 16, "depth": 4 });
    let events = server.events("/api/simulate", &body);
    let run = events.last().expect("a run");
    assert_eq!((&run["kind"], &run["processors"]), (&json!("simulation"), &json!(16)));
    let rows = run["rows"].as_array().expect("rows");
    assert!(
        rows.len() == 16 && rows.iter().all(|row| row.as_str().is_some_and(|row| row.len() == 480))
    );
    assert!(run["speedup"].as_f64().is_some_and(|speedup| speedup > 1.0), "{run}");
    let owners = run["owners"].as_array().expect("owners");
    let helps = |row: &Value| {
        row.as_array().is_some_and(|row| row.iter().any(|owner| owner.as_i64() > Some(-1)))
    };
    assert!(owners.iter().filter(|row| helps(row)).count() > 8, "most processors help");
    assert_eq!(
        server.events("/api/simulate", &body).last(),
        Some(run),
        "the same search, the same run"
    );
    body["depth"] = json!(12);
    let refused = server.events("/api/simulate", &body);
    assert!(refused[0]["reason"].as_str().is_some_and(|reason| reason.contains("too long")));
    for (field, value) in
        [("machine", json!("/etc/passwd")), ("processors", json!(1025)), ("strategy", json!("x"))]
    {
        let mut wrong = body.clone();
        wrong[field] = value;
        assert_eq!(server.post("/api/simulate", &wrong.to_string()).0, 400, "{field}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_machine_for_which_there_is_no_memory_is_an_error_of_its_request_alone() {
    let arguments = ["serve", "--hash", "4", "--port", "0"];
    let server = Server::launch(support::limited("-v 1000000", &arguments));
    let body = |processors: u32| json!({ "place": {}, "strategy": "lazy", "machine": "t805", "processors": processors, "depth": 2 });
    let refused = server.events("/api/simulate", &body(1024));
    let reason = refused[0]["reason"].as_str().unwrap_or_default();
    assert!(reason.contains(" MB are asked for, but only "), "{refused:?}");
    let events = server.events("/api/simulate", &body(64));
    assert_eq!(events.last().expect("a run")["kind"], "simulation", "{events:?}");
}

#[test]
fn a_search_by_real_threads_is_shown_while_it_goes_on() {
    let server = Server::new();
    let body = json!({ "place": {}, "strategy": "ybw", "threads": 3, "depth": 6 });
    let events = server.events("/api/threads", &body);
    let kinds: Vec<_> = events.iter().filter_map(|event| event["kind"].as_str()).collect();
    assert_eq!((kinds[0], kinds.last()), ("alone", Some(&"simulation")), "{kinds:?}");
    assert!(kinds.len() > 2 && kinds[1..kinds.len() - 1].iter().all(|&kind| kind == "running"));
    let run = events.last().expect("a run");
    for picture in &events[1..] {
        let columns = picture["columns"].as_u64().expect("columns") as usize;
        assert!((1..=480).contains(&columns));
        let rows = picture["rows"].as_array().expect("rows");
        let is_whole = |row: &Value| row.as_str().is_some_and(|row| row.len() == columns);
        assert!(rows.len() == 3 && rows.iter().all(is_whole), "{picture}");
    }
    // What multiplies to the speedup does.
    let number = |name: &str| run[name].as_f64().unwrap_or_else(|| panic!("{name}: {run}"));
    let product = 3.0 * number("load") * number("performance") * number("rate");
    let expected = number("speedup") * (1.0 + number("overhead"));
    assert!((product / expected - 1.0).abs() < 0.05, "{product} {expected}");
    assert!(number("nodes") > 100.0 && number("seconds") > 0.0);
    for (field, value) in [
        ("threads", json!(65)),
        ("threads", json!(1)),
        ("depth", json!(41)),
        ("strategy", json!("x")),
    ] {
        let mut wrong = body.clone();
        wrong[field] = value;
        assert_eq!(server.post("/api/threads", &wrong.to_string()).0, 400, "{field}");
    }
}

#[test]
fn answers_say_that_they_are_json_refusals_too() {
    let server = Server::new();
    for (wanted, (status, answer)) in [
        (200, server.get("/api/info")),
        (200, server.post("/api/evaluate", "{}")),
        (400, server.post("/api/evaluate", "{")),
        (405, server.get("/api/evaluate")),
        (413, server.post("/api/evaluate", &" ".repeat(2 << 20))),
    ] {
        assert!(status == wanted && answer.contains(": application/json\r\n"), "{answer}");
    }
}

#[test]
fn an_argument_that_cannot_be_used_is_named_as_it_was_given() {
    let (folder, gone) =
        (Folder::new("arguments"), "--book: book \"no-such.bin\" cannot be read: ");
    for (argument, value, reason) in [
        ("--book", "no-such.bin", gone),
        ("--tables", "no-such-folder", "--tables: no-such-folder: "),
        ("--tables", folder.name(), "--tables: no tables in "),
        ("--syzygy", folder.name(), "--syzygy: no tables in "),
        ("--hash", "33000000", "--hash: "),
    ] {
        let said = refused(&["serve", argument, value], 2, &format!("rookery: {reason}"));
        assert_eq!(said.lines().count(), 1, "{said}");
        let is_plain =
            !said.contains("nothing has changed") && !said.contains("MB for each search");
        assert!(is_plain, "{said}");
    }
}

#[test]
fn a_port_that_was_asked_for_must_be_free() {
    let server = Server::new();
    let port = server.address.rsplit(':').next().expect("a port");
    refused(&["serve", "--hash", "4", "--port", port], 1, "cannot listen");
    // The usual one may be taken: both find a place.
    let (one, other) = (Server::start(&[]), Server::start(&[]));
    assert_ne!(one.address, other.address);
    assert_eq!((one.get("/").0, other.get("/").0), (200, 200));
}
