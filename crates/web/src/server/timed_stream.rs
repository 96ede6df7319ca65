//! A stream with a time limit for its reader.

use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::{Sleep, sleep};

/// A stream whose writes fail when the other side has read nothing for some time.
pub(super) struct TimedStream<S> {
    stream: S,
    limit: Duration,
    is_limited: Arc<AtomicBool>,
    /// The time limit of a write in progress.
    wait: Option<Pin<Box<Sleep>>>,
}

impl<S> TimedStream<S> {
    /// Adds a limit to a stream, which holds as long as `is_limited` is true.
    pub(super) fn new(stream: S, limit: Duration, is_limited: Arc<AtomicBool>) -> TimedStream<S> {
        TimedStream { stream, limit, is_limited, wait: None }
    }

    /// Turns the result of a write that waits for too long into an error.
    fn limited<T>(&mut self, context: &mut Context<'_>, result: Poll<io::Result<T>>) -> Poll<io::Result<T>> {
        if result.is_ready() || !self.is_limited.load(Ordering::Relaxed) {
            self.wait = None;
            return result;
        }
        let limit = self.limit;
        let wait = self.wait.get_or_insert_with(|| Box::pin(sleep(limit)));
        wait.as_mut().poll(context).map(|()| Err(io::ErrorKind::TimedOut.into()))
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for TimedStream<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(context, buffer)
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for TimedStream<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let result = Pin::new(&mut self.stream).poll_write(context, bytes);
        self.limited(context, result)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let result = Pin::new(&mut self.stream).poll_write_vectored(context, slices);
        self.limited(context, result)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
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
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _, duplex};
    use tokio::time::{advance, timeout};

    const LIMIT: Duration = Duration::from_secs(15);

    #[tokio::test(start_paused = true)]
    async fn writing_to_a_client_that_does_not_read_fails_in_time() {
        let (server, mut client) = duplex(8);
        let mut stream = TimedStream::new(server, LIMIT, Arc::new(AtomicBool::new(true)));
        // Half is read in time, which allows for more time.
        let write = tokio::spawn(async move { stream.write_all(&[0; 24]).await });
        tokio::task::yield_now().await;
        advance(LIMIT / 2).await;
        client.read_exact(&mut [0; 12]).await.unwrap();
        advance(LIMIT / 2).await;
        tokio::task::yield_now().await;
        assert!(!write.is_finished(), "the limit begins again");
        let error = timeout(2 * LIMIT, write).await.expect("in time").unwrap().unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::TimedOut);
    }

    #[tokio::test(start_paused = true)]
    async fn there_is_no_limit_after_an_upgrade() {
        let (server, _client) = duplex(8);
        let is_limited = Arc::new(AtomicBool::new(true));
        let mut stream = TimedStream::new(server, LIMIT, Arc::clone(&is_limited));
        is_limited.store(false, Ordering::Relaxed);
        assert!(timeout(4 * LIMIT, stream.write_all(&[0; 24])).await.is_err(), "still waiting");
    }
}
