//! Tabiya's page without a server: a session for a web worker.
//!
//! The worker passes the page's messages to [`Worker::handle`], which posts the replies; both are the JSON messages of [`tabiya_web`].
//! `cargo xtask web` builds the page with it. On other platforms than WebAssembly the crate compiles but does nothing useful.

#![deny(missing_docs)]

use std::time::Duration;
use tabiya_eval::Evaluation;
use tabiya_search::TimeSource;
use tabiya_web::{BlockingSession, Envelope, Message, Resources, SessionOptions};
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen::{JsError, throw_str};

#[wasm_bindgen]
extern "C" {
    /// Milliseconds since the worker was started; never goes back.
    #[wasm_bindgen(js_namespace = performance, js_name = now)]
    fn performance_now() -> f64;

    /// Sends a reply to the page.
    #[wasm_bindgen(js_name = postMessage)]
    fn post_message(reply: &str);
}

fn now() -> Duration {
    Duration::try_from_secs_f64(performance_now() / 1000.0).unwrap_or_default()
}

/// The engine of a web worker.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Worker {
    session: BlockingSession,
}

#[wasm_bindgen]
impl Worker {
    /// Creates a worker's engine with a transposition table of this size in MiB. `evaluation` is `nnue`, `handcrafted` or `classic`;
    /// `seed` decides on the choice among equal moves of the book and at limited strength.
    ///
    /// # Errors
    /// If there is no such evaluation.
    #[wasm_bindgen(constructor)]
    pub fn new(hash_mb: usize, evaluation: &str, seed: f64) -> Result<Worker, JsError> {
        std::panic::set_hook(Box::new(|panic| throw_str(&panic.to_string())));
        let evaluation =
            Evaluation::named(evaluation, None).map_err(|error| JsError::new(&error.to_string()))?;
        let resources = Resources { evaluation, ..Resources::default() };
        let options = SessionOptions { hash_mb, resources, ..SessionOptions::default() };
        Ok(Worker { session: BlockingSession::new(options, TimeSource::Function(now), seed.to_bits()) })
    }

    /// Answers a message and posts each reply to the page. Throws an error if the engine has panicked; it cannot be used any more then.
    pub fn handle(&mut self, message: &str) {
        match Message::read(message) {
            Ok(message) => self.session.handle(message, &mut |reply| post(&reply)),
            Err(reply) => post(&reply),
        }
    }
}

fn post(reply: &Envelope) {
    match serde_json::to_string(reply) {
        Ok(text) => post_message(&text),
        Err(error) => throw_str(&error.to_string()),
    }
}
