//! The HTTP server: the page's files and one WebSocket for each page.
//!
//! It assumes that any website may send requests to it. A page of another website cannot use it, because every request must name
//! this server as its `Host`, which defeats DNS rebinding, and a WebSocket must come from a page of this server (`Origin`). The
//! content security policy keeps the page from loading anything else.
//!
//! A connection ends when its client takes too long to send the head of a request, the next one included, or to read a reply.

mod assets;
mod connections;
mod draining_stream;
mod hosts;
mod memory;
mod socket;
mod timed_stream;

pub use hosts::AllowedHosts;

use self::connections::Connections;
use self::draining_stream::DrainingStream;
use self::timed_stream::TimedStream;
use crate::session_options::SessionOptions;
use axum::extract::Request;
use axum::http::{HeaderName, HeaderValue, StatusCode, header};
use axum::middleware::{Next, from_fn, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use axum::{Extension, Router};
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use std::io;
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use tokio::net::TcpListener;
use tokio::sync::{Semaphore, watch};

/// Time for a browser to send the head of a request, from the connection or the previous reply on.
const HEAD_TIMEOUT: Duration = Duration::from_secs(15);
/// Time for a browser to read anything of a reply.
const WRITE_TIMEOUT: Duration = Duration::from_secs(15);
/// Time for the closing handshakes when the server ends.
const SHUTDOWN_TIMEOUT: Duration = Duration::from_secs(5);

/// The content security policy of every reply.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; \
    base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// The settings of a server.
#[derive(Clone, Debug)]
pub struct ServerOptions {
    /// The settings of each page's session.
    pub session: SessionOptions,
    /// Maximum number of pages that are open at once.
    pub max_sessions: usize,
    /// The names by which pages may address the server.
    pub hosts: AllowedHosts,
}

/// The state that all requests share.
struct Shared {
    options: ServerOptions,
    /// A permit for each open page.
    sessions: Arc<Semaphore>,
    /// Becomes true when the server ends.
    shutdown: watch::Receiver<bool>,
}

/// The state that a connection and its requests share.
#[derive(Default)]
struct Client {
    /// Makes the connection read on when it is closed.
    is_draining: AtomicBool,
    /// Becomes true when anything has been received.
    has_sent: AtomicBool,
}

/// Serves pages until `shutdown` is ready. Open pages are then told, and their searches end.
/// Failures to accept a connection, such as too many open files, are retried.
pub async fn serve(listener: TcpListener, options: ServerOptions, shutdown: impl Future<Output = ()> + Send) {
    memory::return_large_blocks();
    let (ending, shutdown_receiver) = watch::channel(false);
    let sessions = Arc::new(Semaphore::new(options.max_sessions));
    let permits = u32::try_from(options.max_sessions).unwrap_or(u32::MAX);
    let shared = Arc::new(Shared { options, sessions: Arc::clone(&sessions), shutdown: shutdown_receiver });
    let router = router(Arc::clone(&shared));
    let connections: Arc<Connections> = Arc::default();
    let mut shutdown = pin!(shutdown);
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            () = &mut shutdown => break,
        };
        let (stream, client) = match accepted {
            Ok(accepted) => accepted,
            Err(error) if is_connection_error(&error) => continue,
            Err(_) => {
                // Such as too many open files, which passes when connections close.
                tokio::time::sleep(Duration::from_millis(200)).await;
                continue;
            }
        };
        let mut place = connections.enter(client.ip());
        let client: Arc<Client> = Arc::default();
        let service = TowerToHyperService::new(router.clone().layer(Extension(Arc::clone(&client))));
        let mut ends = shared.shutdown.clone();
        tokio::spawn(async move {
            // Nagle's algorithm would delay small messages.
            let _ = stream.set_nodelay(true);
            let is_http = Arc::new(AtomicBool::new(true));
            let stream = DrainingStream::new(stream, client);
            let stream = TimedStream::new(stream, WRITE_TIMEOUT, Arc::clone(&is_http));
            let connection = http1::Builder::new()
                .timer(TokioTimer::new())
                .header_read_timeout(HEAD_TIMEOUT)
                .serve_connection(TokioIo::new(stream), service)
                .with_upgrades();
            let mut connection = pin!(connection);
            tokio::select! {
                // The connection has ended, or it has become a WebSocket, for which `socket` has other limits.
                _ = &mut connection => return is_http.store(false, Ordering::Relaxed),
                () = place.replaced() => return,
                _ = ends.wait_for(|&ends| ends) => {}
            }
            connection.as_mut().graceful_shutdown();
            let _ = tokio::time::timeout(SHUTDOWN_TIMEOUT, connection).await;
        });
    }
    let _ = ending.send(true);
    // Each session gives its permit back when its engine has stopped.
    let _ = tokio::time::timeout(SHUTDOWN_TIMEOUT, sessions.acquire_many(permits)).await;
}

/// Errors of a single connection, after which the listener goes on at once.
fn is_connection_error(error: &io::Error) -> bool {
    use io::ErrorKind::{ConnectionAborted, ConnectionRefused, ConnectionReset};
    matches!(error.kind(), ConnectionAborted | ConnectionRefused | ConnectionReset)
}

fn router(shared: Arc<Shared>) -> Router {
    let hosts = Arc::new(shared.options.hosts.clone());
    Router::new()
        .route("/socket", get(socket::upgrade))
        .fallback(assets::serve)
        .with_state(shared)
        .layer(from_fn_with_state(hosts, hosts::check))
        .layer(from_fn(add_headers))
}

/// Adds the security headers to a reply.
async fn add_headers(request: Request, next: Next) -> Response {
    let mut response = next.run(request).await;
    let headers = response.headers_mut();
    for (name, value) in [
        (header::CONTENT_SECURITY_POLICY, POLICY),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "no-referrer"),
        (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
        (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
    response
}

/// A reply of plain text.
fn refuse(status: StatusCode, text: &'static str) -> Response {
    (status, text).into_response()
}
