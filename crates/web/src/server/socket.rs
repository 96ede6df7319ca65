//! A page's WebSocket and the thread of its session.

use super::{Shared, memory, refuse};
use crate::protocol::{Envelope, MAX_MESSAGE, Message, Reply};
use crate::reply_sender::{Disconnected, ReplySender};
use crate::session::Session;
use axum::extract::State;
use axum::extract::ws::{CloseFrame, Message as Frame, Utf8Bytes, WebSocket, WebSocketUpgrade, close_code};
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use crossbeam_channel::{Sender, TrySendError, bounded};
use std::sync::Arc;
use std::thread;
use std::time::Duration;
use tokio::sync::mpsc::{self, error::TrySendError as FullOrClosed};
use tokio::sync::{OwnedSemaphorePermit, watch};
use tokio::time::{Instant, interval_at, timeout};

/// Replies that wait for a page that reads slowly. The session then waits, too.
const MAX_REPLIES: usize = 32;
/// Requests that wait for a busy session.
const MAX_REQUESTS: usize = 64;
/// Time between two pings, by which a dead connection is noticed.
const PING_INTERVAL: Duration = Duration::from_secs(20);
/// Time for a page to receive a message, and to answer a ping.
const PAGE_TIMEOUT: Duration = Duration::from_secs(60);

/// Answers the request for a WebSocket.
pub(super) async fn upgrade(
    State(shared): State<Arc<Shared>>,
    headers: HeaderMap,
    upgrade: Result<WebSocketUpgrade, axum::extract::ws::rejection::WebSocketUpgradeRejection>,
) -> Response {
    if !shared.options.hosts.allows_socket(&headers) {
        return refuse(StatusCode::FORBIDDEN, "Only this server's own page may connect.\n");
    }
    let Ok(upgrade) = upgrade else {
        return refuse(StatusCode::UPGRADE_REQUIRED, "This is the address of a WebSocket.\n");
    };
    upgrade.max_message_size(MAX_MESSAGE).max_frame_size(MAX_MESSAGE).on_upgrade(move |socket| async move {
        let permit = Arc::clone(&shared.sessions).try_acquire_owned();
        match permit {
            Ok(permit) => serve(socket, &shared, permit).await,
            Err(_) => refuse_page(socket, shared.options.max_sessions).await,
        }
    })
}

/// Tells a page that too many are open.
async fn refuse_page(mut socket: WebSocket, sessions: usize) {
    let message =
        format!("{sessions} pages are open already. Close one, or start the server with more --sessions.");
    let reply = Envelope { id: None, reply: Reply::Error { message } };
    if let Some(frame) = frame(&reply) {
        let _ = timeout(PAGE_TIMEOUT, socket.send(frame)).await;
    }
    close(&mut socket, close_code::AGAIN, "too many pages").await;
}

async fn serve(mut socket: WebSocket, shared: &Shared, permit: OwnedSemaphorePermit) {
    let (requests, received) = bounded(MAX_REQUESTS);
    let (sender, replies) = mpsc::channel(MAX_REPLIES);
    let session = Session::new(shared.options.session.clone(), Replies(sender));
    // Another page may take this one's place when both the engine and the connection have ended.
    let permit = Arc::new(permit);
    let session_permit = Arc::clone(&permit);
    let spawned = thread::Builder::new().name("session".into()).spawn(move || {
        session.run(&received);
        memory::return_unused();
        drop(session_permit);
    });
    let (code, reason) = match spawned {
        Ok(_) => exchange(&mut socket, &requests, replies, shared.shutdown.clone()).await,
        Err(_) => (close_code::ERROR, "no thread can be started"),
    };
    // The session ends when its channels close.
    drop(requests);
    close(&mut socket, code, reason).await;
    drop(permit);
}

/// Passes messages between page and session until one of them ends. Returns the reason for the page.
async fn exchange(
    socket: &mut WebSocket,
    requests: &Sender<Message>,
    mut replies: mpsc::Receiver<Envelope>,
    mut shutdown: watch::Receiver<bool>,
) -> (u16, &'static str) {
    let mut ping = interval_at(Instant::now() + PING_INTERVAL, PING_INTERVAL);
    let mut last_heard = Instant::now();
    loop {
        let outgoing = tokio::select! {
            // A page that closes its connection is noticed first.
            biased;
            _ = shutdown.wait_for(|&ends| ends) => return (close_code::AWAY, "the server ends"),
            incoming = socket.recv() => {
                last_heard = Instant::now();
                let text = match incoming {
                    Some(Ok(Frame::Text(text))) => text,
                    Some(Ok(Frame::Binary(_))) => return (close_code::UNSUPPORTED, "messages are texts"),
                    Some(Ok(Frame::Ping(_) | Frame::Pong(_))) => continue,
                    Some(Ok(Frame::Close(_)) | Err(_)) | None => return (close_code::NORMAL, ""),
                };
                match request(&text, requests) {
                    Ok(()) => continue,
                    Err(Some(reply)) => frame(&reply),
                    Err(None) => return (close_code::ERROR, "the session has ended"),
                }
            }
            reply = replies.recv() => match reply {
                Some(reply) => frame(&reply),
                None => return (close_code::ERROR, "the session has ended"),
            },
            _ = ping.tick() => {
                if last_heard.elapsed() > PAGE_TIMEOUT {
                    return (close_code::AWAY, "the page does not answer");
                }
                Some(Frame::Ping(Vec::new().into()))
            }
        };
        let Some(outgoing) = outgoing else { return (close_code::ERROR, "a reply cannot be written") };
        match timeout(PAGE_TIMEOUT, socket.send(outgoing)).await {
            Ok(Ok(())) => {}
            Ok(Err(_)) | Err(_) => return (close_code::AWAY, "the page does not read"),
        }
    }
}

/// Passes a request to the session. Returns the reply to one that cannot be read or that comes too fast, or `None` if the session
/// has ended.
fn request(text: &Utf8Bytes, requests: &Sender<Message>) -> Result<(), Option<Envelope>> {
    let message = Message::read(text).map_err(Some)?;
    requests.try_send(message).map_err(|error| match error {
        TrySendError::Full(message) => {
            Some(Envelope { id: Some(message.id), reply: Reply::error("too many requests at once") })
        }
        TrySendError::Disconnected(_) => None,
    })
}

fn frame(reply: &Envelope) -> Option<Frame> {
    serde_json::to_string(reply).ok().map(|text| Frame::Text(text.into()))
}

async fn close(socket: &mut WebSocket, code: u16, reason: &'static str) {
    let frame = CloseFrame { code, reason: Utf8Bytes::from_static(reason) };
    let _ = timeout(Duration::from_secs(1), socket.send(Frame::Close(Some(frame)))).await;
}

/// The session's way to the socket.
struct Replies(mpsc::Sender<Envelope>);

impl ReplySender for Replies {
    fn send(&self, envelope: Envelope) -> Result<(), Disconnected> {
        self.0.blocking_send(envelope).map_err(|_| Disconnected)
    }

    fn try_send(&self, envelope: Envelope) -> Result<bool, Disconnected> {
        match self.0.try_send(envelope) {
            Ok(()) => Ok(true),
            Err(FullOrClosed::Full(_)) => Ok(false),
            Err(FullOrClosed::Closed(_)) => Err(Disconnected),
        }
    }
}
