//! How the program was built.

use crate::output::{AUTHORS, NAME};
use std::env::consts::{ARCH, OS};

/// The compiler, as it calls itself; the build script asks it.
const COMPILER: &str = env!("TABIYA_RUSTC");

/// Name, compiler, system and the instructions that the build counts on, in some lines.
pub(crate) fn report() -> String {
    let instructions = instructions();
    let instructions = if instructions.is_empty() { "no more than the baseline" } else { &instructions };
    let build = if cfg!(debug_assertions) { "with assertions" } else { "release" };
    format!(
        "{NAME} by {AUTHORS}\n\
         Compiled by {COMPILER}\n\
         for {ARCH}, {OS}, {bits} bits; {build}; instructions: {instructions}",
        bits = usize::BITS
    )
}

/// The instructions beyond the baseline that the build uses and that matter here.
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
    fn says_what_and_by_what() {
        let text = super::report();
        assert!(text.starts_with("Tabiya ") && text.contains("rustc ") && text.contains("bits"), "{text}");
    }
}
