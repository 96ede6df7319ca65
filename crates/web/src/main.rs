//! `tabiya-web`: serves Tabiya's page on this machine.

use anyhow::{Context, Result};
use axum::http::uri::Authority;
use clap::Parser;
use std::ffi::OsString;
use std::io::{self, Write};
use std::net::{IpAddr, SocketAddr};
use std::num::NonZero;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use tabiya_eval::Evaluation;
use tabiya_search::{MAX_HASH_MB, MAX_THREADS, MIN_HASH_MB};
use tabiya_syzygy::Tablebases;
use tabiya_web::server::{AllowedHosts, ServerOptions, serve};
use tabiya_web::{Resources, SessionOptions, check_options};
use tokio::net::TcpListener;
use tokio::sync::oneshot;

/// Largest transposition table that a page on this machine may ask for in MiB, unless `--hash` is larger.
const LOCAL_MAX_HASH_MB: usize = 1024;

/// Play, analyse, review and understand chess games in the browser.
///
/// Starts a server on this machine, prints its address and opens it.
#[derive(Parser, Debug)]
#[command(version)]
struct Args {
    /// Address to listen on. 0.0.0.0 serves the local network, too, without any access control.
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1")]
    host: IpAddr,
    /// Port to listen on; 0 for any that is free.
    #[arg(long, default_value_t = 8960)]
    port: u16,
    /// Further host name or address by which browsers may address the server.
    #[arg(long, value_name = "NAME", value_parser = host_name)]
    allow_host: Vec<String>,
    /// Search threads of each page, and of a review on it [default: half of the processors].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=MAX_THREADS as i64))]
    threads: Option<u16>,
    /// Transposition table of each page, and of a review on it, in MiB.
    #[arg(long, value_name = "MIB", default_value_t = 64, value_parser = clap::value_parser!(u32).range(MIN_HASH_MB as i64..=MAX_HASH_MB as i64))]
    hash: u32,
    /// Directories of Syzygy tablebases, separated as in PATH.
    #[arg(long, value_name = "DIRECTORIES")]
    syzygy: Option<OsString>,
    /// Evaluation: nnue, handcrafted or classic.
    #[arg(long, value_name = "NAME")]
    evaluation: Option<String>,
    /// Maximum number of pages open at once.
    #[arg(long, value_name = "N", default_value_t = 16, value_parser = clap::value_parser!(u16).range(1..))]
    sessions: u16,
    /// Do not open a browser.
    #[arg(long)]
    no_open: bool,
}

/// Checks the value of `--allow-host`: a `Host` header is compared without its port.
fn host_name(text: &str) -> std::result::Result<String, &'static str> {
    let is_host = text.parse::<Authority>().is_ok_and(|authority| authority.host() == text);
    if is_host || text.parse::<IpAddr>().is_ok() {
        Ok(text.to_owned())
    } else {
        Err("expected a name or an address, without scheme, port and path")
    }
}

fn main() -> ExitCode {
    if tabiya_processor::report_missing_features() {
        return ExitCode::FAILURE;
    }
    start()
}

/// Runs the program after the processor check. Separate from `main`, which must not contain instructions that
/// the processor may lack.
#[inline(never)]
fn start() -> ExitCode {
    match start_server(&Args::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            // If standard error is closed, the message cannot be delivered.
            let _ = writeln!(io::stderr(), "error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn start_server(args: &Args) -> Result<()> {
    let session = session_options(args)?;
    check_options(&session)?;
    let options = ServerOptions {
        session,
        max_sessions: usize::from(args.sessions),
        hosts: AllowedHosts::new(args.host, &args.allow_host),
    };
    let runtime = tokio::runtime::Builder::new_multi_thread()
        // Messages are small; the processors are for the searches.
        .worker_threads(2)
        .enable_all()
        .build()
        .context("cannot start the server's threads")?;
    runtime.block_on(run(args, options))
}

fn session_options(args: &Args) -> Result<SessionOptions> {
    let processors = std::thread::available_parallelism().map_or(1, NonZero::get);
    let evaluation = match &args.evaluation {
        Some(name) => Evaluation::named(name, None)?,
        None => Evaluation::default(),
    };
    let tablebases = match &args.syzygy {
        Some(path) => {
            let directories: Vec<PathBuf> = std::env::split_paths(path).collect();
            Some(Arc::new(Tablebases::open(&directories)?))
        }
        None => None,
    };
    let threads = args.threads.map_or(processors.div_ceil(2), usize::from);
    let hash_mb = args.hash as usize;
    // On a network, a page of someone else gets no more than the options say.
    let is_local = args.host.is_loopback();
    Ok(SessionOptions {
        threads,
        hash_mb,
        max_threads: if is_local { processors.max(threads) } else { threads },
        max_hash_mb: if is_local { hash_mb.max(LOCAL_MAX_HASH_MB) } else { hash_mb },
        resources: Resources { tablebases, evaluation },
    })
}

async fn run(args: &Args, options: ServerOptions) -> Result<()> {
    let (stop, stopped) = oneshot::channel();
    // The receiver exists until the server has ended.
    tabiya_signals::handle_first(move || _ = stop.send(())).context("cannot handle Ctrl+C")?;
    let address = SocketAddr::new(args.host, args.port);
    let listener = TcpListener::bind(address).await.with_context(|| {
        format!("cannot listen on {address} (--port selects another port, 0 any free one)")
    })?;
    let address = listener.local_addr().context("cannot find the server's address")?;
    announce(args, &url(address), &mut io::stdout()).context("cannot write to standard output")?;
    serve(listener, options, async { _ = stopped.await }).await;
    Ok(())
}

/// Says where the page is, and opens it in a browser.
fn announce(args: &Args, url: &str, out: &mut impl Write) -> io::Result<()> {
    writeln!(out, "Tabiya is at {url}\nPress Ctrl+C to stop it.")?;
    if !args.host.is_loopback() {
        writeln!(out, "Everyone who can reach this address can use it.")?;
    }
    if !args.no_open
        && let Err(error) = open::that_detached(url)
    {
        writeln!(out, "No browser could be started ({error}): open the address yourself.")?;
    }
    Ok(())
}

/// The address for a browser on this machine.
fn url(address: SocketAddr) -> String {
    let port = address.port();
    if address.ip().is_unspecified() {
        format!("http://localhost:{port}/")
    } else {
        format!("http://{address}/")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn allowed_hosts_are_names_and_addresses() {
        for host in ["nb.local", "nb.local.", "NB", "192.168.0.5", "::1", "[::1]"] {
            assert!(host_name(host).is_ok(), "{host}");
        }
        for bad in ["", "http://nb", "nb:8960", "192.168.0.5:8960", "[::1]:8960", "nb/", "a@nb", "a b"] {
            assert!(host_name(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn arguments_are_consistent() {
        Args::command().debug_assert();
        assert_eq!(url("0.0.0.0:8960".parse().unwrap()), "http://localhost:8960/");
        assert_eq!(url("[::1]:80".parse().unwrap()), "http://[::1]:80/");
    }
}
