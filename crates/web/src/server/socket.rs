//! A page's WebSocket and the thread of its session.

use super::{Client, Shared, memory, refuse};
use crate::protocol::{Envelope, MAX_MESSAGE, Message, Reply};
use crate::reply_sender::{Disconnected, ReplySender};
use crate::session::Session;
use axum::Extension;
use axum::extract::State;
use axum::extract::ws::{CloseFrame, Message as Frame, Utf8Bytes, WebSocket, WebSocketUpgrade, close_code};
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use crossbeam_channel::{Sender, TrySendError, bounded};
use std::error::Error as _;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::thread;
use std::time::Duration;
use tokio::sync::mpsc::{self, error::TrySendError as FullOrClosed};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, watch};
use tokio::time::{Instant, interval_at, timeout};
use tungstenite::error::CapacityError;

/// Replies that wait for a page that reads slowly. The session then waits, too.
const MAX_REPLIES: usize = 32;
/// Requests that wait for a busy session.
const MAX_REQUESTS: usize = 64;
/// Bytes of these requests.
const MAX_WAITING: usize = 2 * MAX_MESSAGE;
/// Time between two pings, by which a dead connection is noticed.
const PING_INTERVAL: Duration = Duration::from_secs(20);
/// Time for a page to receive a message, and to send anything, such as the answer to a ping or a part of a message.
const PAGE_TIMEOUT: Duration = Duration::from_secs(60);
/// The refusal of a message that is longer than [`MAX_MESSAGE`].
const TOO_LONG: &str = "a message is longer than 16 MiB";
const _: () = assert!(MAX_MESSAGE == 16 << 20);

/// Answers the request for a WebSocket.
pub(super) async fn upgrade(
    State(shared): State<Arc<Shared>>,
    Extension(client): Extension<Arc<Client>>,
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
            Ok(permit) => serve(socket, &shared, &client, permit).await,
            Err(_) => refuse_page(socket, shared.options.max_sessions).await,
        }
    })
}

/// Tells a page that too many are open.
async fn refuse_page(mut socket: WebSocket, sessions: usize) {
    let message =
        format!("{sessions} pages are open already. Close one, or start the server with more --sessions.");
    send_error(&mut socket, message).await;
    close(&mut socket, close_code::AGAIN, "too many pages").await;
}

/// Sends an error that belongs to no request. The page shows it when the connection closes.
async fn send_error(socket: &mut WebSocket, message: impl ToString) {
    if let Some(frame) = frame(&Envelope { id: None, reply: Reply::error(message) }) {
        let _ = timeout(PAGE_TIMEOUT, socket.send(frame)).await;
    }
}

async fn serve(mut socket: WebSocket, shared: &Shared, client: &Client, permit: OwnedSemaphorePermit) {
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
        Ok(_) => exchange(&mut socket, client, &requests, replies, shared.shutdown.clone()).await,
        Err(_) => (close_code::ERROR, "no thread can be started"),
    };
    if code == close_code::SIZE {
        // The rest of the message may still arrive.
        client.is_draining.store(true, Ordering::Relaxed);
        send_error(&mut socket, reason).await;
    }
    // The session ends when its channels close.
    drop(requests);
    close(&mut socket, code, reason).await;
    drop(permit);
}

/// Passes messages between page and session until one of them ends. Returns the reason for the page.
async fn exchange(
    socket: &mut WebSocket,
    client: &Client,
    requests: &Sender<WaitingRequest>,
    mut replies: mpsc::Receiver<Envelope>,
    mut shutdown: watch::Receiver<bool>,
) -> (u16, &'static str) {
    let mut ping = interval_at(Instant::now() + PING_INTERVAL, PING_INTERVAL);
    let mut last_heard = Instant::now();
    let budget = Arc::new(Semaphore::new(MAX_WAITING));
    loop {
        let outgoing = tokio::select! {
            // A page that closes its connection is noticed first.
            biased;
            _ = shutdown.wait_for(|&ends| ends) => return (close_code::AWAY, "the server ends"),
            incoming = socket.recv() => {
                let text = match incoming {
                    Some(Ok(Frame::Text(text))) => text,
                    Some(Ok(Frame::Binary(_))) => return (close_code::UNSUPPORTED, "messages are texts"),
                    Some(Ok(Frame::Ping(_) | Frame::Pong(_))) => continue,
                    Some(Err(error)) if is_too_long(&error) => return (close_code::SIZE, TOO_LONG),
                    Some(Ok(Frame::Close(_)) | Err(_)) | None => return (close_code::NORMAL, ""),
                };
                match request(text, &budget, requests) {
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
                if client.has_sent.swap(false, Ordering::Relaxed) {
                    last_heard = Instant::now();
                }
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

/// Returns true if a message has exceeded the size limit of the socket.
fn is_too_long(error: &axum::Error) -> bool {
    let error = error.source().and_then(|source| source.downcast_ref());
    matches!(error, Some(tungstenite::Error::Capacity(CapacityError::MessageTooLong { .. })))
}

/// A request that has not been read yet, for the session's thread: reading a long one takes a while.
struct WaitingRequest {
    text: Utf8Bytes,
    /// Its bytes.
    _place: OwnedSemaphorePermit,
}

impl AsRef<str> for WaitingRequest {
    fn as_ref(&self) -> &str {
        &self.text
    }
}

/// Passes a request to the session. Returns the reply to one that comes too fast, or `None` if the session has ended.
fn request(
    text: Utf8Bytes,
    budget: &Arc<Semaphore>,
    requests: &Sender<WaitingRequest>,
) -> Result<(), Option<Envelope>> {
    let too_fast = |text: &str| Envelope {
        id: Message::read_id(text),
        reply: Reply::error("too many requests at once"),
    };
    let size = u32::try_from(text.len()).unwrap_or(u32::MAX);
    let Ok(place) = Arc::clone(budget).try_acquire_many_owned(size) else {
        return Err(Some(too_fast(&text)));
    };
    requests.try_send(WaitingRequest { text, _place: place }).map_err(|error| match error {
        TrySendError::Full(request) => Some(too_fast(&request.text)),
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waiting_requests_are_limited_in_number_and_size() {
        let (budget, (requests, received)) = (Arc::new(Semaphore::new(100)), bounded(3));
        let send = |length: usize| {
            let text = format!(r#"{{"id":{length}{}"#, " ".repeat(length)).replacen(' ', "}", 1);
            request(text.into(), &budget, &requests).map_err(|reply| reply.unwrap().id)
        };
        assert_eq!(send(50), Ok(()));
        assert_eq!(send(60), Err(Some(60)), "60 of the 100 bytes are used");
        for length in [5, 6] {
            assert_eq!(send(length), Ok(()));
        }
        assert_eq!(send(7), Err(Some(7)), "three requests wait");
        // A request that the session has read makes place.
        drop(received.recv());
        assert_eq!(send(50), Ok(()));
    }
}
