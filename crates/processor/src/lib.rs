#![doc = include_str!("../README.md")]

use std::io::{self, Write};

/// Calls a macro with the features that a processor may lack: the compiler's name, and the register and bit
/// of [`Cpuid`].
macro_rules! with_features {
    ($macro:ident) => {
        $macro!(
            "sse3" basic 0, "ssse3" basic 9, "fma" basic 12, "sse4.1" basic 19, "sse4.2" basic 20,
            "movbe" basic 22, "popcnt" basic 23, "avx" basic 28, "f16c" basic 29, "bmi1" extended 3,
            "avx2" extended 5, "bmi2" extended 8, "avx512f" extended 16, "avx512dq" extended 17,
            "avx512cd" extended 28, "avx512bw" extended 30, "avx512vl" extended 31, "lzcnt" amd 5
        )
    };
}

/// Reports features that the build uses and the processor lacks on standard error. Returns true if there are
/// any.
///
/// This runs first (see `before_main`) and uses only plain integers and bytes: for larger values, formatting
/// or collections the compiler may emit the very instructions that are missing.
#[inline(never)]
pub fn report_missing_features() -> bool {
    let missing = missing();
    if missing != 0 {
        report(missing, print);
    }
    missing != 0
}

/// Runs the check before Rust's start-up code. Link-time optimisation inlines that code into one function
/// with the new instructions, which would crash an old processor before `main`.
#[cfg(all(target_arch = "x86_64", target_feature = "avx"))]
mod before_main {
    #![allow(unsafe_code, reason = "functions for the loader to call have no safe declaration")]

    // SAFETY: the section is a list of pointers to functions without result. Adding one is sound if it
    // neither unwinds nor depends on Rust's start-up code.
    #[used]
    #[cfg_attr(target_os = "linux", unsafe(link_section = ".init_array"))]
    #[cfg_attr(target_os = "macos", unsafe(link_section = "__DATA,__mod_init_func"))]
    #[cfg_attr(windows, unsafe(link_section = ".CRT$XCU"))]
    static CHECK: extern "C" fn() = exit_if_features_are_missing;

    extern "C" fn exit_if_features_are_missing() {
        if super::report_missing_features() {
            std::process::exit(1);
        }
    }
}

/// Hands the parts of the error message to `print`.
#[cold]
#[inline(never)]
fn report(missing: u32, mut print: impl FnMut(&str)) {
    print("error: this build of Tabiya needs a processor with");
    macro_rules! list {
        ($($feature:tt $register:ident $bit:tt),*) => {{
            let mut number = 0;
            $(
                if missing & (1 << number) != 0 {
                    print(concat!(" ", $feature));
                }
                number += 1;
            )*
            let _ = number;
        }};
    }
    with_features!(list);
    print(", which this one lacks; use a build for older processors\n");
}

#[inline(never)]
fn print(text: &str) {
    // If standard error is closed, the message cannot be delivered.
    let _ = io::stderr().write_all(text.as_bytes());
}

/// The features that the compiler may use and the processor lacks, one bit each.
#[cfg(target_arch = "x86_64")]
#[inline(never)]
fn missing() -> u32 {
    /// The features that the compiler may use.
    macro_rules! required {
        ($($feature:tt $register:ident $bit:tt),*) => {{
            let (mut required, mut number) = (0, 0);
            $(
                if cfg!(target_feature = $feature) {
                    required |= 1 << number;
                }
                number += 1;
            )*
            let _ = number;
            required
        }};
    }
    with_features!(required) & !cpuid().features()
}

/// Feature bits of the processor.
#[cfg(target_arch = "x86_64")]
struct Cpuid {
    /// ECX of leaf 1.
    basic: u32,
    /// EBX of leaf 7.
    extended: u32,
    /// ECX of leaf 8000_0001h.
    amd: u32,
}

#[cfg(target_arch = "x86_64")]
impl Cpuid {
    /// The features that the processor has, one bit each.
    fn features(&self) -> u32 {
        macro_rules! present {
            ($($feature:tt $register:ident $bit:tt),*) => {{
                let (mut present, mut number) = (0, 0);
                $(
                    present |= (self.$register >> $bit & 1) << number;
                    number += 1;
                )*
                let _ = number;
                present
            }};
        }
        with_features!(present)
    }
}

/// Reads the feature bits of the processor.
///
/// Uses `cpuid`, because `is_x86_feature_detected!` assumes the features that the compiler was told.
#[cfg(target_arch = "x86_64")]
#[inline(never)]
#[allow(unsafe_code, unused_unsafe, reason = "before Rust 1.95, cpuid was unsafe to call")]
fn cpuid() -> Cpuid {
    use std::arch::x86_64::{__cpuid, __cpuid_count};

    // SAFETY: every x86-64 processor has the instruction.
    unsafe {
        let extended = if __cpuid(0).eax >= 7 { __cpuid_count(7, 0).ebx } else { 0 };
        let amd = if __cpuid(0x8000_0000).eax > 0x8000_0000 { __cpuid(0x8000_0001).ecx } else { 0 };
        Cpuid { basic: __cpuid(1).ecx, extended, amd }
    }
}

/// On other architectures there is one build for all processors.
#[cfg(not(target_arch = "x86_64"))]
fn missing() -> u32 {
    0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn test_machine_has_all_features() {
        assert!(!report_missing_features());
    }

    #[test]
    #[cfg(target_arch = "x86_64")]
    fn features_that_an_old_processor_lacks_are_named() {
        // A Nehalem of 2008 has SSE3 to SSE4.2 and POPCNT.
        let nehalem = Cpuid { basic: 1 << 0 | 1 << 9 | 1 << 19 | 1 << 20 | 1 << 23, extended: 0, amd: 1 };
        let haswell = Cpuid { basic: !0, extended: 1 << 3 | 1 << 5 | 1 << 8, amd: 1 << 5 };
        let mut text = String::new();
        report(haswell.features() & !nehalem.features(), |part| text.push_str(part));
        let expected = "error: this build of Tabiya needs a processor with fma movbe avx f16c bmi1 avx2 bmi2 lzcnt, \
            which this one lacks; use a build for older processors\n";
        assert_eq!(text, expected);
    }

    #[test]
    #[cfg(target_arch = "x86_64")]
    fn feature_bits_agree_with_std() {
        let cpuid = cpuid();
        macro_rules! compare {
            ($($feature:tt $register:ident $bit:tt),*) => {
                $(assert_eq!(
                    cpuid.$register >> $bit & 1 == 1,
                    std::arch::is_x86_feature_detected!($feature),
                    $feature
                );)*
            };
        }
        with_features!(compare);
    }
}
