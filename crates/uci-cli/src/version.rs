//! The name of the engine and information about the build.

use std::env::consts::{ARCH, OS};

pub(crate) use tabiya_terminal::NAME;

/// The authors, as in `id author`.
pub(crate) const AUTHORS: &str = env!("CARGO_PKG_AUTHORS");

/// The compiler's version, set by the build script.
const COMPILER: &str = env!("TABIYA_RUSTC");

/// Name, compiler, platform and instruction sets, on several lines.
pub(crate) fn report() -> String {
    let instructions = instructions();
    let instructions = if instructions.is_empty() { "baseline" } else { &instructions };
    let build = if cfg!(debug_assertions) { "debug" } else { "release" };
    format!(
        "{NAME} by {AUTHORS}\n\
         Compiled by {COMPILER}\n\
         for {ARCH}, {OS}, {bits} bits; {build}; instructions: {instructions}",
        bits = usize::BITS
    )
}

/// The enabled instruction sets that matter for speed.
fn instructions() -> String {
    let all = [
        (cfg!(target_feature = "popcnt"), "popcnt"),
        (cfg!(target_feature = "bmi1"), "bmi1"),
        (cfg!(target_feature = "bmi2"), "bmi2"),
        (cfg!(target_feature = "avx2"), "avx2"),
        (cfg!(target_feature = "neon"), "neon"),
    ];
    all.iter().filter(|(used, _)| *used).map(|&(_, name)| name).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    #[test]
    fn names_program_and_compiler() {
        let text = super::report();
        assert!(text.starts_with("Tabiya ") && text.contains("rustc ") && text.contains("bits"), "{text}");
    }
}
