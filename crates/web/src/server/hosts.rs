//! The names by which pages may address the server.

use super::refuse;
use axum::extract::{Request, State};
use axum::http::uri::Authority;
use axum::http::{HeaderMap, StatusCode, header};
use axum::middleware::Next;
use axum::response::Response;
use std::net::IpAddr;
use std::sync::Arc;

/// The host names and addresses that requests may name in `Host`.
///
/// A website that lets its name point to this machine (DNS rebinding) would otherwise count as this server's own page.
///
/// ```
/// use tabiya_web::server::AllowedHosts;
///
/// let local = AllowedHosts::new("127.0.0.1".parse()?, &[]);
/// assert!(local.allows("localhost:8960") && local.allows("[::1]:8960") && !local.allows("evil.example:8960"));
/// # Ok::<(), std::net::AddrParseError>(())
/// ```
#[derive(Clone, Debug)]
pub struct AllowedHosts {
    address: IpAddr,
    names: Vec<String>,
}

impl AllowedHosts {
    /// The hosts of a server bound to `address`: `localhost`, loopback addresses, `address` itself (any address if it is
    /// unspecified, such as `0.0.0.0`), and `names`, which may be addresses, too.
    pub fn new(address: IpAddr, names: &[String]) -> AllowedHosts {
        let normalized = |name: &String| without_brackets(name.trim_end_matches('.')).to_ascii_lowercase();
        AllowedHosts { address, names: names.iter().map(normalized).collect() }
    }

    /// Returns true if the value of a `Host` header names this server.
    pub fn allows(&self, host: &str) -> bool {
        let Ok(authority) = host.parse::<Authority>() else { return false };
        if host.contains('@') {
            return false;
        }
        let name = authority.host().to_ascii_lowercase();
        match without_brackets(&name).parse::<IpAddr>() {
            // An IP address is not resolved, so DNS rebinding cannot forge it.
            Ok(address) => {
                address.is_loopback()
                    || self.address.is_unspecified()
                    || address == self.address
                    || self.names.iter().any(|name| name.parse() == Ok(address))
            }
            Err(_) => name == "localhost" || self.names.contains(&name),
        }
    }

    /// Returns true if a WebSocket with these headers comes from a page of this server.
    pub(super) fn allows_socket(&self, headers: &HeaderMap) -> bool {
        let text = |name| headers.get(name).and_then(|value| value.to_str().ok());
        let (Some(host), Some(origin)) = (text(header::HOST), text(header::ORIGIN)) else { return false };
        // A proxy in front of the server may have added TLS.
        let site = origin.strip_prefix("http://").or_else(|| origin.strip_prefix("https://"));
        site.is_some_and(|site| site.eq_ignore_ascii_case(host)) && self.allows(host)
    }
}

/// The address or name of a host, without the brackets of an IPv6 address.
fn without_brackets(host: &str) -> &str {
    host.trim_start_matches('[').trim_end_matches(']')
}

/// Refuses requests that do not name this server as their host.
pub(super) async fn check(State(hosts): State<Arc<AllowedHosts>>, request: Request, next: Next) -> Response {
    let mut values = request.headers().get_all(header::HOST).iter();
    let is_allowed = match (values.next(), values.next()) {
        (Some(host), None) => host.to_str().is_ok_and(|host| hosts.allows(host)),
        _ => false,
    };
    if is_allowed {
        next.run(request).await
    } else {
        let text =
            "This server does not answer to that host name. Start it with --allow-host NAME to allow one.\n";
        refuse(StatusCode::MISDIRECTED_REQUEST, text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hosts(address: &str) -> AllowedHosts {
        AllowedHosts::new(address.parse().unwrap(), &["Chess.local".to_owned()])
    }

    #[test]
    fn names_must_be_declared() {
        let local = hosts("127.0.0.1");
        for host in
            ["localhost", "LOCALHOST:80", "127.0.0.1:8960", "127.0.0.2", "[::1]:1", "chess.local:8960"]
        {
            assert!(local.allows(host), "{host}");
        }
        let bad = [
            "", "evil.example", "localhost.evil.example", "192.168.0.2", "a@localhost", "localhost:x/",
            "127.0.0.1.evil.example", "chess.local.",
        ];
        for host in bad {
            assert!(!local.allows(host), "{host}");
        }
    }

    #[test]
    fn addresses_can_be_declared() {
        let names = ["192.168.0.5", "[fe80::A]", "nb.local."].map(str::to_owned);
        let local = AllowedHosts::new("127.0.0.1".parse().unwrap(), &names);
        for host in ["192.168.0.5:8960", "[fe80::a]:8960", "[FE80:0::a]", "nb.local"] {
            assert!(local.allows(host), "{host}");
        }
        assert!(!local.allows("192.168.0.6:8960") && !local.allows("[fe80::b]"));
    }

    #[test]
    fn any_address_is_allowed_on_all_interfaces() {
        let open = hosts("0.0.0.0");
        assert!(open.allows("192.168.0.2:8960") && open.allows("[fe80::1]") && !open.allows("evil.example"));
    }

    #[test]
    fn sockets_must_come_from_the_page() {
        let local = hosts("127.0.0.1");
        let is_allowed = |host: Option<&str>, origin: Option<&str>| {
            let mut headers = HeaderMap::new();
            host.map(|host| headers.insert(header::HOST, host.parse().unwrap()));
            origin.map(|origin| headers.insert(header::ORIGIN, origin.parse().unwrap()));
            local.allows_socket(&headers)
        };
        assert!(is_allowed(Some("localhost:8960"), Some("http://localhost:8960")));
        for origin in [
            "null", "http://localhost:8961", "http://localhost", "http://evil.example", "file://",
            "ws://localhost:8960",
        ] {
            assert!(!is_allowed(Some("localhost:8960"), Some(origin)), "{origin}");
        }
        assert!(!is_allowed(Some("localhost:8960"), None));
        assert!(!is_allowed(Some("evil.example"), Some("http://evil.example")));
    }
}
