//! Those who mean no good, or too much of it: other sites, garbage, crowds.

use super::support::{noise, refused};
use super::{Server, quick_search};
use serde_json::{Value, json};
use std::io::{Read, Write};
use std::net::{Shutdown, TcpStream};
use std::thread;

#[test]
fn foreign_hosts_other_sites_and_forms_are_refused() {
    let server = Server::new();
    let body = quick_search().to_string();
    let own = format!("Origin: http://{}", server.address);
    let json = "Content-Type: application/json";
    let post = |head: &[&str]| server.ask("POST /api/search", head, &body).0;
    assert_eq!(post(&[json, &own, "Sec-Fetch-Site: same-origin"]), 200);
    assert_eq!(post(&[json, "Origin: http://evil.example"]), 403);
    assert_eq!(post(&[json, "Origin: null"]), 403);
    assert_eq!(post(&[json, "Sec-Fetch-Site: cross-site"]), 403);
    assert_eq!(post(&["Content-Type: text/plain"]), 415);
    assert_eq!(post(&["Content-Type: application/x-www-form-urlencoded"]), 415);
    assert_eq!(post(&[json, "Host: evil.example"]), 421);
    assert_eq!(server.ask("GET /", &["Host: evil.example:80"], "").0, 421);
    assert_eq!(server.ask("GET http://evil.example/", &[], "").0, 421);
    assert_eq!(server.ask(&format!("GET http://{}/", server.address), &[], "").0, 200);
    assert_eq!(server.ask("OPTIONS /api/search", &["Origin: http://evil.example"], "").0, 403);
    let (status, answer) = server.ask("GET /api/search", &[], "");
    assert!(status == 405 && !answer.to_lowercase().contains("access-control"), "{answer}");
}

#[test]
fn what_is_malformed_or_too_large_is_refused_with_a_reason() {
    let server = Server::new();
    for (body, reason) in [
        ("", "EOF"),
        ("{", "EOF"),
        ("null", "invalid type"),
        (r#"{"place":{"fen":"9/8/8"},"purpose":"play"}"#, "FEN"),
        (r#"{"place":{"moves":["e2e9"]},"purpose":"play"}"#, "move 1"),
        (r#"{"place":{"file":"/etc/passwd"},"purpose":"play"}"#, "unknown field"),
        (r#"{"place":{},"purpose":"play","nodes":0}"#, "nodes"),
    ] {
        let (status, answer) = server.post("/api/search", body);
        assert!(status == 400 && answer.contains(reason), "{body}: {answer}");
    }
    let large = format!(r#"{{"pgn":"{}","nodes":1}}"#, "e4 ".repeat(1 << 19));
    assert_eq!(server.post("/api/annotate", &large).0, 413);
    assert_eq!(server.post("/api/evaluate", r#"{"moves":["e2e4"]}"#).0, 200);
}

#[test]
fn a_client_that_leaves_takes_its_search_with_it() {
    let server = Server::start(&["--port", "0", "--searches", "1", "--most-seconds", "3000"]);
    let mut stream = server.begin_search("analyse", 3_000_000);
    let mut begun = [0; 64];
    stream.read_exact(&mut begun).expect("the search has begun");
    stream.shutdown(Shutdown::Both).expect("it is left");
    drop(stream);
    // There is one place only: this is answered because the search has ended.
    let body = json!({ "place": {}, "purpose": "analyse", "depth": 2 });
    assert_eq!(server.events("/api/search", &body).last().expect("an answer")["kind"], "best");
}

#[test]
fn a_hundred_clients_do_not_stop_a_game() {
    let server = Server::start(&["--port", "0", "--searches", "1"]);
    let crowd: Vec<TcpStream> = (0..100).map(|_| server.begin_search("analyse", 300_000)).collect();
    for _ in 0..3 {
        let events = server.events("/api/search", &quick_search());
        assert_eq!(events.last().expect("an answer")["kind"], "best");
    }
    // Those who wait for the same engine are answered too: a search ends early where others wait.
    thread::scope(|scope| {
        let ask = || {
            server.events(
                "/api/search",
                &json!({ "place": {}, "purpose": "play", "timeMs": 300_000 }),
            )
        };
        let games: Vec<_> = (0..6).map(|_| scope.spawn(ask)).collect();
        // The last one has the engine for itself: another request must come after it.
        let answered = |game: thread::ScopedJoinHandle<'_, Vec<Value>>| {
            while !game.is_finished() {
                let _ = server.events("/api/search", &quick_search());
            }
            game.join().expect("no panic").last().is_some_and(|last| last["kind"] == "best")
        };
        assert!(games.into_iter().all(answered));
    });
    drop(crowd);
}

#[test]
fn garbage_never_ends_it() {
    let server = Server::new();
    for seed in 1..=200_u64 {
        let bytes = noise(1 + seed as usize % 400, seed * 0x9e37_79b9);
        let mut stream = server.connect();
        let _ = stream.write_all(&bytes);
        let _ = stream.shutdown(Shutdown::Write);
        let _ = stream.read_to_end(&mut Vec::new());
    }
    // Good heads with damaged bodies; `cargo xtask web --requests N` sends more.
    let body = quick_search().to_string();
    for seed in 1..=300_u64 {
        let mut bytes = body.clone().into_bytes();
        for (place, value) in noise(4, seed * 77).chunks(2).map(|pair| (pair[0], pair[1])) {
            let index = usize::from(place) % bytes.len();
            bytes[index] = value;
        }
        let (status, answer) = server.post("/api/search", &String::from_utf8_lossy(&bytes));
        assert!(status == 200 || status == 400, "{answer}");
    }
    assert_eq!(server.get("/").0, 200);
}

#[test]
fn other_machines_need_the_token() {
    refused(&["serve", "--bind", "127.0.0.1"], 2, "--token");
    let token = "a-secret-of-0123456789";
    let server = Server::start(&["--port", "0", "--bind", "127.0.0.1", "--token", token]);
    assert!(server.greeting.contains(&format!("/?token={token}")), "{}", server.greeting);
    assert_eq!(server.get("/").0, 401);
    assert_eq!(server.get("/app.js").0, 401);
    assert_eq!(server.post("/api/search", &quick_search().to_string()).0, 401);
    assert_eq!(server.get("/?token=a-secret-of-0123456780").0, 401);
    let (status, answer) = server.get(&format!("/?token={token}"));
    assert!(status == 303 && answer.contains("HttpOnly; SameSite=Strict"), "{answer}");
    let cookie = format!("Cookie: rookery_token={token}");
    assert_eq!(server.ask("GET /", &[&cookie], "").0, 200);
}
