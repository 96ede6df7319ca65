//! Whether this processor has what the program was built for.
//!
//! The programs that are given away come in two builds: one for every processor, and a faster one for those
//! with AVX2 and BMI2. The latter would end without a word ("illegal instruction") on an older processor, so it
//! looks first.

use std::io::{self, Write};

/// The features that processors may lack: their names for the compiler, and where the processor tells of them
/// (a bit of one of the words of [`words`]).
macro_rules! with_features {
    ($macro:ident) => {
        $macro!(
            "sse3" basic 0, "ssse3" basic 9, "fma" basic 12, "sse4.1" basic 19, "sse4.2" basic 20,
            "movbe" basic 22, "popcnt" basic 23, "avx" basic 28, "f16c" basic 29, "bmi1" extended 3,
            "avx2" extended 5, "bmi2" extended 8, "lzcnt" amd 5
        )
    };
}

/// Says on the standard error what this build uses and the processor lacks, if anything; does it lack
/// something?
///
/// It is the first thing that the program does (see `before_main`), and does it in plain numbers and bytes: whatever
/// is larger, or formatted, or kept in a list, the compiler may move with the very instructions that are missing.
#[inline(never)]
pub(crate) fn complains() -> bool {
    let missing = missing();
    if missing != 0 {
        complain(missing);
    }
    missing != 0
}

/// Has the system look before Rust prepares for `main`: all that is inlined into one function when the program is
/// linked, and there the compiler uses the new instructions, which kills an old processor before `main` begins.
#[cfg(all(target_arch = "x86_64", target_feature = "avx"))]
mod before_main {
    #![allow(unsafe_code, reason = "a list of functions for the loader to call has no safe declaration")]

    // SAFETY: the section is a list of pointers to functions without results; it is sound to add one that
    // neither unwinds nor needs what Rust prepares.
    #[used]
    #[cfg_attr(target_os = "linux", unsafe(link_section = ".init_array"))]
    #[cfg_attr(target_os = "macos", unsafe(link_section = "__DATA,__mod_init_func"))]
    #[cfg_attr(windows, unsafe(link_section = ".CRT$XCU"))]
    static CHECK: extern "C" fn() = leave_if_it_complains;

    extern "C" fn leave_if_it_complains() {
        if super::complains() {
            std::process::exit(1);
        }
    }
}

#[cold]
#[inline(never)]
fn complain(missing: u32) {
    say("error: this build of tabiya needs a processor with");
    macro_rules! list {
        ($($feature:tt $word:ident $bit:tt),*) => {{
            let mut number = 0;
            $(
                if missing & (1 << number) != 0 {
                    say(concat!(" ", $feature));
                }
                number += 1;
            )*
            let _ = number;
        }};
    }
    with_features!(list);
    say(", which this one has not: take the build without \"avx2-bmi2\" in its name\n");
}

#[inline(never)]
fn say(text: &str) {
    // If there is no standard error, there is nobody left to tell.
    let _ = io::stderr().write_all(text.as_bytes());
}

/// Which of the features the compiler was allowed to use and the processor lacks: a bit for each.
///
/// The processor itself is asked: `is_x86_feature_detected!` takes for granted what the compiler was told.
#[cfg(target_arch = "x86_64")]
#[inline(never)]
fn missing() -> u32 {
    let words = words();
    macro_rules! lacking {
        ($($feature:tt $word:ident $bit:tt),*) => {{
            let (mut missing, mut number) = (0, 0);
            $(
                if cfg!(target_feature = $feature) && words.$word >> $bit & 1 == 0 {
                    missing |= 1 << number;
                }
                number += 1;
            )*
            let _ = number;
            missing
        }};
    }
    with_features!(lacking)
}

#[cfg(target_arch = "x86_64")]
struct Words {
    basic: u32,
    extended: u32,
    amd: u32,
}

/// What the processor says of itself (the instruction `cpuid`).
#[cfg(target_arch = "x86_64")]
#[inline(never)]
fn words() -> Words {
    use std::arch::x86_64::{__cpuid, __cpuid_count};

    let extended = if __cpuid(0).eax >= 7 { __cpuid_count(7, 0).ebx } else { 0 };
    let amd = if __cpuid(0x8000_0000).eax > 0x8000_0000 { __cpuid(0x8000_0001).ecx } else { 0 };
    Words { basic: __cpuid(1).ecx, extended, amd }
}

/// Elsewhere there is one build for all.
#[cfg(not(target_arch = "x86_64"))]
fn missing() -> u32 {
    0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_machine_that_runs_the_tests_will_do() {
        assert!(!complains());
    }

    #[test]
    #[cfg(target_arch = "x86_64")]
    fn the_processor_says_what_the_system_says() {
        let words = words();
        macro_rules! compare {
            ($($feature:tt $word:ident $bit:tt),*) => {
                $(assert_eq!(
                    words.$word >> $bit & 1 == 1,
                    std::arch::is_x86_feature_detected!($feature),
                    $feature
                );)*
            };
        }
        with_features!(compare);
    }
}
