//! Whether this processor has what the program was built for.
//!
//! The programs that are given away come in two builds: one for every processor, and a faster one for those
//! with AVX2 and BMI2. The latter would end without a word ("illegal instruction") on an older processor, so it
//! looks first.

/// What this build uses and the processor lacks, if anything: a message that says what to do.
///
/// It is the first thing that the program does. Before it there is only what the compiler put around `main`,
/// which is not built with these instructions.
#[inline(never)]
pub(crate) fn complaint() -> Option<String> {
    let missing = missing();
    (!missing.is_empty()).then(|| {
        format!(
            "this build of tabiya needs a processor with {}, which this one has not: take the build without \
             \"avx2-bmi2\" in its name",
            missing.join(", ")
        )
    })
}

/// Looks for each feature that the compiler was allowed to use, if it is one that processors may lack.
#[cfg(target_arch = "x86_64")]
fn missing() -> Vec<&'static str> {
    macro_rules! lacking {
        ($($feature:tt),*) => {
            [$((
                $feature,
                cfg!(target_feature = $feature) && !std::arch::is_x86_feature_detected!($feature),
            )),*]
        };
    }
    let features = lacking!(
        "sse3", "ssse3", "sse4.1", "sse4.2", "popcnt", "avx", "avx2", "bmi1", "bmi2", "fma", "lzcnt", "f16c",
        "movbe"
    );
    features.into_iter().filter(|&(_, lacks)| lacks).map(|(name, _)| name).collect()
}

/// Elsewhere there is one build for all.
#[cfg(not(target_arch = "x86_64"))]
fn missing() -> Vec<&'static str> {
    Vec::new()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_machine_that_runs_the_tests_will_do() {
        assert_eq!(complaint(), None);
    }
}
