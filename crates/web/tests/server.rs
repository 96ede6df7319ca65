//! The server from outside: files, host and origin checks, limits, and hostile clients.

use serde_json::{Value, json};
use std::io::{ErrorKind, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::thread::{self, JoinHandle};
use std::time::Duration;
use tabiya_core::SplitMix64;
use tabiya_web::SessionOptions;
use tabiya_web::server::{AllowedHosts, ServerOptions, serve};
use tokio::sync::oneshot;
use tungstenite::handshake::client::generate_key;
use tungstenite::http::Request;
use tungstenite::protocol::frame::coding::CloseCode;
use tungstenite::{Error, Message, WebSocket};

/// A server on a free port.
struct Server {
    address: SocketAddr,
    shutdown: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Server {
    fn start(max_sessions: usize) -> Server {
        let (shutdown, ends) = oneshot::channel();
        let (sender, address) = std::sync::mpsc::channel();
        let thread = thread::spawn(move || {
            let runtime =
                tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
            runtime.block_on(async {
                let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
                sender.send(listener.local_addr().unwrap()).unwrap();
                let options = ServerOptions {
                    session: SessionOptions { threads: 1, hash_mb: 1, ..SessionOptions::default() },
                    max_sessions,
                    hosts: AllowedHosts::new("127.0.0.1".parse().unwrap(), &[]),
                };
                let ends = async { drop(ends.await) };
                serve(listener, options, ends).await;
            });
        });
        Server { address: address.recv().unwrap(), shutdown: Some(shutdown), thread: Some(thread) }
    }

    fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(self.address).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(30))).unwrap();
        stream.set_write_timeout(Some(Duration::from_secs(30))).unwrap();
        stream
    }

    /// Sends a request's head and returns the reply.
    fn http(&self, method: &str, path: &str, headers: &str) -> String {
        let mut stream = self.connect();
        write!(stream, "{method} {path} HTTP/1.1\r\n{headers}Connection: close\r\n\r\n").unwrap();
        let mut reply = Vec::new();
        stream.read_to_end(&mut reply).unwrap();
        String::from_utf8_lossy(&reply).into_owned()
    }

    fn get(&self, path: &str) -> String {
        self.http("GET", path, &format!("Host: {}\r\n", self.address))
    }

    /// Opens a WebSocket as a page of `origin` would.
    fn socket(&self, host: &str, origin: Option<&str>) -> Result<WebSocket<TcpStream>, Box<Error>> {
        let mut request = Request::builder()
            .uri(format!("ws://{}/socket", self.address))
            .header("Host", host)
            .header("Connection", "Upgrade")
            .header("Upgrade", "websocket")
            .header("Sec-WebSocket-Version", "13")
            .header("Sec-WebSocket-Key", generate_key());
        if let Some(origin) = origin {
            request = request.header("Origin", origin);
        }
        match tungstenite::client(request.body(()).unwrap(), self.connect()) {
            Ok((socket, _)) => Ok(socket),
            Err(tungstenite::HandshakeError::Failure(error)) => Err(Box::new(error)),
            Err(other) => panic!("{other}"),
        }
    }

    fn page(&self) -> Page {
        let host = self.address.to_string();
        Page(self.socket(&host, Some(&format!("http://{host}"))).unwrap())
    }

    fn stop(&mut self) {
        if let Some(shutdown) = self.shutdown.take() {
            let _ = shutdown.send(());
        }
        if let Some(thread) = self.thread.take() {
            thread.join().unwrap();
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        if !thread::panicking() {
            self.stop();
        }
    }
}

/// A connected page.
struct Page(WebSocket<TcpStream>);

impl Page {
    fn send(&mut self, request: &Value) {
        self.0.send(Message::text(request.to_string())).unwrap();
    }

    /// The next reply, or the close code.
    fn receive(&mut self) -> Result<Value, Option<CloseCode>> {
        loop {
            match self.0.read() {
                Ok(Message::Text(text)) => return Ok(serde_json::from_str(&text).unwrap()),
                Ok(Message::Close(frame)) => return Err(frame.map(|frame| frame.code)),
                Ok(_) => {}
                Err(_) => return Err(None),
            }
        }
    }

    /// The next reply of a type.
    fn next(&mut self, kind: &str) -> Value {
        loop {
            let reply = self.receive().unwrap_or_else(|code| panic!("closed with {code:?} before {kind}"));
            if reply["type"] == kind {
                return reply;
            }
        }
    }
}

#[test]
fn serves_the_page_with_security_headers() {
    let server = Server::start(1);
    let page = server.get("/");
    assert!(page.starts_with("HTTP/1.1 200") && page.contains("<title>Tabiya</title>"), "{page}");
    assert!(page.contains("id=\"piece-k\""), "the pieces are in the page");
    let head = page.split("\r\n\r\n").next().unwrap().to_ascii_lowercase();
    for header in [
        "content-security-policy: default-src 'none'; script-src 'self'; style-src 'self';",
        "x-content-type-options: nosniff",
        "referrer-policy: no-referrer",
        "content-type: text/html; charset=utf-8",
        "cache-control: no-cache",
    ] {
        assert!(head.contains(header), "{header} in {head}");
    }
    assert!(!head.contains("unsafe"), "{head}");
    assert!(server.get("/main.js").to_ascii_lowercase().contains("content-type: text/javascript"));
}

#[test]
fn unchanged_files_are_not_sent_again() {
    let server = Server::start(1);
    let page = server.get("/style.css");
    let tag = page.lines().find_map(|line| line.strip_prefix("etag: ")).unwrap().trim();
    let again =
        server.http("GET", "/style.css", &format!("Host: {}\r\nIf-None-Match: {tag}\r\n", server.address));
    assert!(again.starts_with("HTTP/1.1 304"), "{again}");
}

#[test]
fn other_paths_and_methods_are_refused() {
    let server = Server::start(1);
    for path in ["/nothing", "/../Cargo.toml", "/..%2f..%2fCargo.toml", "//etc/passwd"] {
        assert!(server.get(path).starts_with("HTTP/1.1 404"), "{path}");
    }
    assert!(
        server
            .http("POST", "/", &format!("Host: {}\r\nContent-Length: 0\r\n", server.address))
            .starts_with("HTTP/1.1 405")
    );
    assert!(server.get("/socket").starts_with("HTTP/1.1 403"));
}

#[test]
fn other_hosts_are_refused() {
    let server = Server::start(1);
    let port = server.address.port();
    for headers in
        [format!("Host: evil.example:{port}\r\n"), "Host: evil.example\r\n".to_owned(), String::new()]
    {
        let reply = server.http("GET", "/", &headers);
        assert!(reply.starts_with("HTTP/1.1 4") && !reply.contains("<title>"), "{headers}: {reply}");
    }
    assert!(server.http("GET", "/", &format!("Host: localhost:{port}\r\n")).starts_with("HTTP/1.1 200"));
}

#[test]
fn sockets_of_other_sites_are_refused() {
    let server = Server::start(1);
    let host = server.address.to_string();
    for origin in [None, Some("http://evil.example"), Some("null"), Some("http://127.0.0.1:1")] {
        let Err(error) = server.socket(&host, origin) else { panic!("{origin:?} is accepted") };
        assert!(matches!(*error, Error::Http(ref reply) if reply.status() == 403), "{origin:?}: {error}");
    }
    assert!(server.socket("evil.example", Some("http://evil.example")).is_err());
}

#[test]
fn page_gets_positions_and_searches() {
    let server = Server::start(1);
    let mut page = server.page();
    page.send(&json!({"id": 1, "type": "hello", "version": tabiya_web::VERSION}));
    assert_eq!(page.next("welcome")["threads"], 1);
    page.send(&json!({"id": 2, "type": "position", "game": {"moves": ["e2e4"]}}));
    let position = page.next("position");
    assert_eq!((&position["id"], position["legal"].as_array().map(Vec::len)), (&json!(2), Some(20)));
    page.send(&json!({"id": 3, "type": "search", "limit": {"depth": 4}}));
    assert!(page.next("best")["san"].is_string());
}

#[test]
fn broken_messages_get_errors_and_the_session_goes_on() {
    let server = Server::start(1);
    let mut page = server.page();
    let deep = "[".repeat(100_000);
    for (text, id) in [
        ("", None),
        ("{", None),
        ("null", None),
        (r#"{"id":1,"type":"quit"}"#, Some(1)),
        ("\u{0}", None),
        (&deep, None),
    ] {
        page.0.send(Message::text(text)).unwrap();
        let error = page.next("error");
        assert!(error["id"] == json!(id) && error["message"].as_str().unwrap().len() < 300, "{error}");
    }
    page.send(&json!({"id": 9, "type": "position", "game": {"start": "x"}}));
    assert_eq!(page.next("error")["id"], 9);
}

#[test]
fn oversized_messages_close_the_connection() {
    let server = Server::start(1);
    let mut page = server.page();
    // The server does not wait for the end of the message.
    page.0.send(Message::text("x".repeat(40 << 20))).unwrap();
    let error = page.receive().unwrap();
    assert_eq!((&error["id"], &error["type"]), (&Value::Null, &json!("error")));
    assert!(error["message"].as_str().unwrap().contains("16 MiB"), "{error}");
    match page.0.read().unwrap() {
        Message::Close(Some(frame)) => {
            assert_eq!(frame.code, CloseCode::Size);
            assert!(frame.reason.contains("16 MiB"), "{}", frame.reason);
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn too_many_pages_are_refused_until_one_closes() {
    let server = Server::start(2);
    let welcome = json!({"id": 1, "type": "hello", "version": tabiya_web::VERSION});
    let [mut first, mut second] = [server.page(), server.page()];
    for page in [&mut first, &mut second] {
        page.send(&welcome);
        page.next("welcome");
    }
    let mut third = server.page();
    assert!(third.next("error")["message"].as_str().unwrap().contains("2 pages"));
    assert_eq!(third.receive(), Err(Some(CloseCode::Again)));
    // A running search ends with its page and frees its place.
    first.send(&json!({"id": 1, "type": "search"}));
    first.next("info");
    drop(first);
    let is_free = (0..200).any(|_| {
        thread::sleep(Duration::from_millis(20));
        let mut page = server.page();
        page.send(&welcome);
        page.receive().is_ok_and(|reply| reply["type"] == "welcome")
    });
    assert!(is_free);
}

#[test]
fn page_that_does_not_read_stops_nobody_else() {
    let server = Server::start(2);
    let mut slow = server.page();
    for id in 0..60 {
        slow.send(&json!({"id": id, "type": "explain", "game": {}}));
    }
    slow.send(&json!({"id": 99, "type": "search"}));
    let mut other = server.page();
    other.send(&json!({"id": 1, "type": "search", "limit": {"depth": 3}}));
    assert!(other.next("best")["san"].is_string());
}

#[test]
fn server_survives_many_connections_and_random_bytes() {
    let server = Server::start(4);
    let mut random = SplitMix64::new(7);
    let mut idle = Vec::new();
    for number in 0..200 {
        let mut stream = server.connect();
        let bytes: Vec<u8> = (0..random.below(300)).map(|_| random.below(256) as u8).collect();
        // The server closes some of them at once.
        let _ = match number % 4 {
            0 => stream.write_all(&bytes),
            1 => stream.write_all(b"GET / HTTP/1.1\r\nHost: "),
            2 => stream.write_all(b"GET /socket HTTP/1.1\r\nUpgrade: websocket\r\n\r\n"),
            _ => Ok(()),
        };
        idle.push(stream);
    }
    assert!(server.get("/").starts_with("HTTP/1.1 200"));
    let mut page = server.page();
    // Random frames after the handshake.
    let bytes: Vec<u8> = (0..2000).map(|_| random.below(256) as u8).collect();
    let _ = page.0.get_mut().write_all(&bytes);
    let mut page = server.page();
    page.send(&json!({"id": 1, "type": "position", "game": {}}));
    assert_eq!(page.next("position")["legal"].as_array().map(Vec::len), Some(20));
}

#[test]
fn clients_that_read_nothing_keep_nobody_out() {
    let server = Server::start(1);
    let host = server.address;
    // More than the server serves at once, and all from one address. Their replies do not fit into the buffers of the system.
    let requests = format!("GET /main.js HTTP/1.1\r\nHost: {host}\r\n\r\n").repeat(400);
    let mut oldest = server.connect();
    let mut idle = Vec::new();
    for _ in 0..100 {
        let mut stream = server.connect();
        stream.set_write_timeout(Some(Duration::from_millis(50))).unwrap();
        let _ = stream.write_all(requests.as_bytes());
        idle.push(stream);
    }
    assert!(server.get("/").starts_with("HTTP/1.1 200"));
    let mut page = server.page();
    page.send(&json!({"id": 1, "type": "ping"}));
    assert_eq!(page.next("done")["id"], 1);
    // A newer connection has replaced the oldest one, long before its time for a request is over.
    oldest.set_read_timeout(Some(Duration::from_secs(10))).unwrap();
    let end = oldest.read(&mut [0]);
    assert!(matches!(&end, Ok(0)) || end.is_err_and(|error| error.kind() == ErrorKind::ConnectionReset));
}

#[test]
fn shutdown_tells_pages_and_ends_their_searches() {
    let mut server = Server::start(2);
    let mut page = server.page();
    page.send(&json!({"id": 1, "type": "search"}));
    page.next("info");
    server.stop();
    let code = loop {
        if let Err(code) = page.receive() {
            break code;
        }
    };
    assert_eq!(code, Some(CloseCode::Away));
}
