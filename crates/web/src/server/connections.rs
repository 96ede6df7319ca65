//! The open HTTP connections, limited in all and for each client address.
//!
//! A new connection is never refused: where there are too many, it replaces the oldest one. So clients that open connections and do
//! nothing with them keep nobody out, not even from their own address.

use std::collections::BTreeMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::oneshot;

/// Maximum number of HTTP connections. WebSockets are limited by [`ServerOptions::max_sessions`](super::ServerOptions).
const MAX_CONNECTIONS: usize = 512;
/// Maximum number of HTTP connections of one address. Browsers open six.
const MAX_CONNECTIONS_OF_ADDRESS: usize = 64;

/// The open connections.
#[derive(Default)]
pub(super) struct Connections(Mutex<Open>);

#[derive(Default)]
struct Open {
    /// The number of the next connection.
    next: u64,
    /// The client and a channel for each connection, the oldest first. Closing the channel ends the connection.
    by_number: BTreeMap<u64, (IpAddr, oneshot::Sender<()>)>,
}

/// A place among the open connections, which is given back when it is dropped.
pub(super) struct Place {
    connections: Arc<Connections>,
    number: u64,
    replaced: oneshot::Receiver<()>,
}

impl Connections {
    /// Gives a place to a new connection, if necessary that of the oldest one.
    pub(super) fn enter(self: &Arc<Connections>, address: IpAddr) -> Place {
        let address = address.to_canonical();
        let mut open = self.open();
        let of_address: Vec<u64> = open
            .by_number
            .iter()
            .filter(|(_, (other, _))| *other == address)
            .map(|(&number, _)| number)
            .collect();
        if of_address.len() >= MAX_CONNECTIONS_OF_ADDRESS {
            open.by_number.remove(&of_address[0]);
        } else if open.by_number.len() >= MAX_CONNECTIONS {
            open.by_number.pop_first();
        }
        let number = open.next;
        open.next += 1;
        let (sender, replaced) = oneshot::channel();
        open.by_number.insert(number, (address, sender));
        Place { connections: Arc::clone(self), number, replaced }
    }

    fn open(&self) -> MutexGuard<'_, Open> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Place {
    /// Waits until a newer connection has taken this place.
    pub(super) async fn replaced(&mut self) {
        // The error is the closed channel.
        let _ = (&mut self.replaced).await;
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        self.connections.open().by_number.remove(&self.number);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_replaced(place: &mut Place) -> bool {
        place.replaced.try_recv() == Err(oneshot::error::TryRecvError::Closed)
    }

    #[test]
    fn oldest_of_an_address_is_replaced_first() {
        let connections = Arc::default();
        let enter = |address: &str| Connections::enter(&connections, address.parse().unwrap());
        let mut other = enter("10.0.0.2");
        let mut places: Vec<Place> = (0..MAX_CONNECTIONS_OF_ADDRESS).map(|_| enter("10.0.0.1")).collect();
        assert!(!places.iter_mut().any(is_replaced));
        // The same address in the form of IPv6.
        places.push(enter("::ffff:10.0.0.1"));
        let replaced: Vec<usize> =
            (0..places.len()).filter(|&index| is_replaced(&mut places[index])).collect();
        assert_eq!(replaced, [0]);
        assert!(!is_replaced(&mut other), "older, but of another address");
        drop(places);
        assert_eq!(connections.open().by_number.len(), 1, "places are given back");
    }

    #[test]
    fn oldest_of_all_is_replaced_when_there_are_too_many() {
        let connections: Arc<Connections> = Arc::default();
        let mut places: Vec<Place> = (0..MAX_CONNECTIONS)
            .map(|number| connections.enter(IpAddr::from([10, 0, 0, (number / 8) as u8])))
            .collect();
        assert!(!places.iter_mut().any(is_replaced));
        let mut newest = connections.enter(IpAddr::from([10, 0, 1, 0]));
        assert!(is_replaced(&mut places[0]) && !is_replaced(&mut places[1]) && !is_replaced(&mut newest));
        assert_eq!(connections.open().by_number.len(), MAX_CONNECTIONS);
    }
}
