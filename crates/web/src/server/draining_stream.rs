//! The connection to a client: whether it has sent anything, and an end while it is still sending.

use super::Client;
use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::task::{Context, Poll};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite, AsyncWriteExt as _, ReadBuf, copy, sink};
use tokio::net::TcpStream;
use tokio::runtime::Handle;
use tokio::time::timeout;

/// Time to discard what a client sends, in which it can read the reason for the end.
const DRAIN_TIME: Duration = Duration::from_secs(5);

/// A TCP connection that notes what is read from it, and may read on for some time after it was dropped.
///
/// A system resets a connection that is closed with unread data. The client may then lose what was sent to it last.
pub(super) struct DrainingStream {
    /// `None` only while it is dropped.
    stream: Option<TcpStream>,
    client: Arc<Client>,
}

impl DrainingStream {
    /// Wraps a connection. It is drained when it is dropped if `client.is_draining` is true then.
    pub(super) fn new(stream: TcpStream, client: Arc<Client>) -> DrainingStream {
        DrainingStream { stream: Some(stream), client }
    }

    fn stream(&mut self) -> io::Result<Pin<&mut TcpStream>> {
        self.stream.as_mut().map(Pin::new).ok_or_else(|| io::ErrorKind::NotConnected.into())
    }
}

impl Drop for DrainingStream {
    fn drop(&mut self) {
        if !self.client.is_draining.load(Ordering::Relaxed) {
            return;
        }
        if let (Some(mut stream), Ok(runtime)) = (self.stream.take(), Handle::try_current()) {
            runtime.spawn(timeout(DRAIN_TIME, async move {
                stream.shutdown().await?;
                copy(&mut stream, &mut sink()).await
            }));
        }
    }
}

impl AsyncRead for DrainingStream {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let filled = buffer.filled().len();
        let result = self.stream()?.poll_read(context, buffer);
        if buffer.filled().len() > filled {
            self.client.has_sent.store(true, Ordering::Relaxed);
        }
        result
    }
}

impl AsyncWrite for DrainingStream {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        self.stream()?.poll_write(context, bytes)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        self.stream()?.poll_write_vectored(context, slices)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.as_ref().is_some_and(AsyncWrite::is_write_vectored)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.stream()?.poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.stream()?.poll_shutdown(context)
    }
}
