//! Selection of the parameters to tune by name.

use super::schedule::Parameter;
use anyhow::{Result, bail};
use tabiya_search::tuning::Tunable;
use tabiya_uci_engine::{EngineOption, Identity, OptionType};

/// Part of an option's range that is its step, if nothing declares a step. In fishtest, c_end is this part of the
/// range by default.
const DEFAULT_STEP: f64 = 1.0 / 20.0;

/// Returns true if the name matches a glob pattern: `*` matches any characters, `?` one character. Case is
/// ignored, as in names of UCI options.
fn matches(pattern: &[u8], name: &[u8]) -> bool {
    match (pattern.split_first(), name.split_first()) {
        (None, None) => true,
        (Some((b'*', rest)), _) => {
            matches(rest, name) || name.split_first().is_some_and(|(_, tail)| matches(pattern, tail))
        }
        (Some((b'?', pattern)), Some((_, name))) => matches(pattern, name),
        (Some((expected, pattern)), Some((actual, name))) => {
            expected.eq_ignore_ascii_case(actual) && matches(pattern, name)
        }
        _ => false,
    }
}

/// Returns, as parameters to tune, the tunables that match one of the patterns, or all of them if there are no
/// patterns.
///
/// # Errors
/// If a pattern matches no name.
pub(super) fn select(
    tunables: &[Tunable],
    patterns: &[String],
    c_scale: f64,
    r_end: f64,
) -> Result<Vec<Parameter>> {
    let all = tunables.iter().map(|tunable| Parameter {
        name: tunable.name.to_owned(),
        start: f64::from(tunable.default),
        min: f64::from(tunable.min),
        max: f64::from(tunable.max),
        c_end: c_scale * f64::from(tunable.step),
        r_end,
    });
    by_name(all.collect(), patterns, "search parameter")
}

/// Returns, as parameters to tune, the engine's spin options that match one of the patterns. The step of an option
/// is that of the tunable with its name and range, if there is one, otherwise a fixed part of its range.
///
/// # Errors
/// If there are no patterns, a pattern matches no spin option, or an option has no limits.
pub(super) fn select_options(
    engine: &Identity,
    tunables: &[Tunable],
    patterns: &[String],
    (c_scale, r_end): (f64, f64),
) -> Result<Vec<Parameter>> {
    let all: Vec<Parameter> = engine.options.iter().filter_map(spin).collect();
    if patterns.is_empty() {
        bail!("name the options to tune; the engine has the spin options {}", names(&all));
    }
    let mut selected = by_name(all, patterns, "spin option of the engine")?;
    for parameter in &mut selected {
        let Parameter { name, start, min, max, .. } = parameter;
        // A missing limit is the largest number.
        if *min <= i64::MIN as f64 || *max >= i64::MAX as f64 {
            bail!("the option {name} has no limits; give its range and step with --parameters");
        }
        if !(*min..=*max).contains(start) || min == max {
            bail!("the option {name} has the default {start} and the range {min}..={max}");
        }
        let declared = tunables.iter().find(|tunable| {
            tunable.name == name && (f64::from(tunable.min), f64::from(tunable.max)) == (*min, *max)
        });
        let step = declared.map_or((*max - *min) * DEFAULT_STEP, |tunable| f64::from(tunable.step));
        (parameter.c_end, parameter.r_end) = (c_scale * step, r_end);
    }
    Ok(selected)
}

/// Checks that every parameter is a spin option of the engine and its range part of that of the option, and
/// replaces its name by the engine's spelling.
///
/// # Errors
/// If one is not; the message names it.
pub(super) fn check_options(engine: &Identity, parameters: &mut [Parameter]) -> Result<()> {
    for parameter in parameters {
        let name = &parameter.name;
        let Some(option) = engine.option(name) else {
            bail!("the engine has no option {name}");
        };
        let OptionType::Spin { min, max, .. } = option.kind else {
            bail!("the option {name} is not a spin option");
        };
        if parameter.min < min as f64 || parameter.max > max as f64 {
            let (low, high) = (parameter.min, parameter.max);
            bail!("{name}: the range {low}..={high} is not part of the option's range {min}..={max}");
        }
        parameter.name.clone_from(&option.name);
    }
    Ok(())
}

/// The parameters with names that match one of the patterns, or all of them if there are no patterns.
fn by_name(mut all: Vec<Parameter>, patterns: &[String], kind: &str) -> Result<Vec<Parameter>> {
    let is_match =
        |pattern: &String, parameter: &Parameter| matches(pattern.as_bytes(), parameter.name.as_bytes());
    for pattern in patterns {
        if !all.iter().any(|parameter| is_match(pattern, parameter)) {
            bail!("no {kind} matches {pattern:?}; there are {}", names(&all));
        }
    }
    all.retain(|parameter| {
        patterns.is_empty() || patterns.iter().any(|pattern| is_match(pattern, parameter))
    });
    Ok(all)
}

fn names(parameters: &[Parameter]) -> String {
    let names: Vec<&str> = parameters.iter().map(|parameter| parameter.name.as_str()).collect();
    names.join(", ")
}

/// A spin option as a parameter without gains; `None` for options of other types.
pub(super) fn spin(option: &EngineOption) -> Option<Parameter> {
    let OptionType::Spin { default, min, max } = option.kind else { return None };
    let (start, min, max) = (default as f64, min as f64, max as f64);
    Some(Parameter { name: option.name.clone(), start, min, max, c_end: 0.0, r_end: 0.0 })
}

#[cfg(test)]
mod tests {
    use super::*;

    const TUNABLES: [Tunable; 3] = [
        Tunable { name: "aspiration_width", default: 12, min: 5, max: 40, step: 3 },
        Tunable { name: "razoring_base", default: 200, min: 0, max: 500, step: 40 },
        Tunable { name: "razoring_slope", default: 150, min: -50, max: 400, step: 30 },
    ];

    fn names(patterns: &[&str]) -> Result<Vec<String>, String> {
        let patterns: Vec<String> = patterns.iter().map(|&pattern| pattern.to_owned()).collect();
        let parameters = select(&TUNABLES, &patterns, 1.0, 0.002).map_err(|error| error.to_string())?;
        Ok(parameters.into_iter().map(|parameter| parameter.name).collect())
    }

    #[test]
    fn patterns_select_by_name() {
        assert_eq!(names(&[]).unwrap().len(), TUNABLES.len());
        assert_eq!(names(&["razoring_*"]).unwrap(), ["razoring_base", "razoring_slope"]);
        assert_eq!(names(&["*_width", "razoring_bas?"]).unwrap(), ["aspiration_width", "razoring_base"]);
        assert_eq!(names(&["razoring_base", "razoring*base"]).unwrap(), ["razoring_base"]);
        assert_eq!(names(&["*"]).unwrap().len(), TUNABLES.len());
    }

    #[test]
    fn pattern_without_match_is_an_error() {
        let error = names(&["razoring_base", "razor"]).unwrap_err();
        assert!(error.starts_with("no search parameter matches \"razor\"; there are aspiration"), "{error}");
    }

    #[test]
    fn steps_and_ranges_come_from_the_declaration() {
        let tunable = TUNABLES[0];
        let parameter = &select(&[tunable], &[], 0.5, 0.01).unwrap()[0];
        assert_eq!(parameter.start, f64::from(tunable.default));
        assert_eq!((parameter.min, parameter.max), (f64::from(tunable.min), f64::from(tunable.max)));
        assert_eq!((parameter.c_end, parameter.r_end), (0.5 * f64::from(tunable.step), 0.01));
    }

    fn engine() -> Identity {
        let lines = [
            "option name Hash type spin default 16 min 1 max 4096",
            "option name Ponder type check default false",
            "option name Move Overhead type spin default 10 min 0 max 5000",
            "option name razoring_base type spin default 210 min 0 max 500",
            "option name Unlimited type spin default 1",
            "option name Fixed type spin default 1 min 1 max 1",
        ];
        let options = lines.map(|line| EngineOption::parse(line).unwrap()).to_vec();
        Identity { options, ..Identity::default() }
    }

    fn options(patterns: &[&str]) -> Result<Vec<Parameter>, String> {
        let patterns: Vec<String> = patterns.iter().map(|&pattern| pattern.to_owned()).collect();
        select_options(&engine(), &TUNABLES, &patterns, (2.0, 0.01)).map_err(|error| error.to_string())
    }

    #[test]
    fn options_of_any_engine_can_be_tuned() {
        let parameters = options(&["move*", "razoring_base"]).unwrap();
        let [overhead, razoring] = &parameters[..] else { panic!("{parameters:?}") };
        assert_eq!((overhead.name.as_str(), overhead.start, overhead.max), ("Move Overhead", 10.0, 5000.0));
        assert_eq!((overhead.c_end, overhead.r_end), (500.0, 0.01));
        // The start value is the engine's, the step that of the declared parameter with the same range.
        assert_eq!((razoring.start, razoring.c_end), (210.0, 80.0));
    }

    #[test]
    fn options_must_be_named_and_have_limits() {
        for (patterns, expected) in [
            (
                &[][..],
                "name the options to tune; the engine has the spin options Hash, Move Overhead, razoring_base",
            ),
            (&["Ponder"], "no spin option of the engine matches \"Ponder\"; there are Hash"),
            (&["Unlimited"], "the option Unlimited has no limits; give its range and step with --parameters"),
            (&["Fixed"], "the option Fixed has the default 1 and the range 1..=1"),
        ] {
            let error = options(patterns).unwrap_err();
            assert!(error.starts_with(expected), "{patterns:?}: {error}");
        }
    }

    #[test]
    fn parameters_are_checked_against_the_options() {
        let parameter = |name: &str, max: f64| Parameter {
            name: name.to_owned(),
            start: 5.0,
            min: 1.0,
            max,
            c_end: 1.0,
            r_end: 0.01,
        };
        let mut parameters = [parameter("hash", 64.0), parameter("Unlimited", 1e9)];
        check_options(&engine(), &mut parameters).unwrap();
        assert_eq!(parameters[0].name, "Hash");
        for (parameter, expected) in [
            (parameter("Bash", 9.0), "the engine has no option Bash"),
            (parameter("Ponder", 9.0), "the option Ponder is not a spin option"),
            (
                parameter("Hash", 9999.0),
                "Hash: the range 1..=9999 is not part of the option's range 1..=4096",
            ),
        ] {
            assert_eq!(check_options(&engine(), &mut [parameter]).unwrap_err().to_string(), expected);
        }
    }

    #[test]
    fn printed_inputs_agree_with_the_options() {
        use super::super::check_inputs;
        assert_eq!(check_inputs("Move Overhead, int, 10, 0, 500, 20, 0.002\n", &engine()).unwrap(), 1);
        let error = check_inputs("Move Overhead, int, 30, 0, 500, 20, 0.002", &engine()).unwrap_err();
        assert_eq!(error.to_string(), "Move Overhead: value 30 is not the option's default");
    }
}
