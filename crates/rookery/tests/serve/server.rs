//! A real server, and a client of it.

use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

/// A server, ended with the test.
pub struct Server {
    child: Child,
    pub address: String,
    /// What it printed.
    pub greeting: String,
}

impl Server {
    pub fn start(arguments: &[&str]) -> Server {
        let mut child = Command::new(env!("CARGO_BIN_EXE_rookery"))
            .args(["serve", "--hash", "4"])
            .args(arguments)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let mut greeting = String::new();
        let mut stdout = BufReader::new(child.stdout.take().expect("stdout is piped"));
        stdout.read_line(&mut greeting).expect("it says where it is");
        let rest = greeting.split("http://").nth(1).expect("an address");
        let address = rest.split('/').next().unwrap_or_default().to_owned();
        Server { child, address, greeting }
    }

    pub fn new() -> Server {
        Server::start(&["--port", "0"])
    }

    /// Sends bytes, says no more, and reads until the server has answered.
    pub fn send(&self, bytes: &[u8]) -> Vec<u8> {
        let mut stream = self.connect();
        // A server that refuses may hang up before it has read everything.
        let _ = stream.write_all(bytes);
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        answer
    }

    pub fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(&self.address).expect("it listens");
        stream.set_read_timeout(Some(Duration::from_secs(300))).expect("a limit");
        stream
    }

    /// The status and the rest of the answer to a request with these lines in its head.
    pub fn ask(&self, first: &str, head: &[&str], body: &str) -> (u16, String) {
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

    pub fn get(&self, path: &str) -> (u16, String) {
        self.ask(&format!("GET {path}"), &[], "")
    }

    pub fn post(&self, path: &str, body: &str) -> (u16, String) {
        self.ask(&format!("POST {path}"), &["Content-Type: application/json"], body)
    }

    /// The events of an answer.
    pub fn events(&self, path: &str, body: &Value) -> Vec<Value> {
        let (status, answer) = self.post(path, &body.to_string());
        assert_eq!(status, 200, "{answer}");
        let lines = answer.lines().filter_map(|line| line.strip_prefix("data: "));
        lines.map(|line| serde_json::from_str(line).expect("an event")).collect()
    }

    /// A search that goes on until its client leaves.
    pub fn begin_search(&self, purpose: &str, milliseconds: u64) -> TcpStream {
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
