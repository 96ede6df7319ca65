//! Selection of the parameters to tune by name.

use super::schedule::Parameter;
use anyhow::{Result, bail};
use tabiya_search::tuning::Tunable;

/// Returns true if the name matches a glob pattern: `*` matches any characters, `?` one character.
fn matches(pattern: &[u8], name: &[u8]) -> bool {
    match (pattern.split_first(), name.split_first()) {
        (None, None) => true,
        (Some((b'*', rest)), _) => {
            matches(rest, name) || name.split_first().is_some_and(|(_, tail)| matches(pattern, tail))
        }
        (Some((b'?', pattern)), Some((_, name))) => matches(pattern, name),
        (Some((expected, pattern)), Some((actual, name))) => expected == actual && matches(pattern, name),
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
    let is_match = |pattern: &String, tunable: &Tunable| matches(pattern.as_bytes(), tunable.name.as_bytes());
    for pattern in patterns {
        if !tunables.iter().any(|tunable| is_match(pattern, tunable)) {
            let names: Vec<&str> = tunables.iter().map(|tunable| tunable.name).collect();
            bail!("no search parameter matches {pattern:?}; the parameters are {}", names.join(", "));
        }
    }
    let selected = tunables
        .iter()
        .filter(|tunable| patterns.is_empty() || patterns.iter().any(|pattern| is_match(pattern, tunable)));
    Ok(selected
        .map(|tunable| Parameter {
            name: tunable.name.to_owned(),
            start: f64::from(tunable.default),
            min: f64::from(tunable.min),
            max: f64::from(tunable.max),
            c_end: c_scale * f64::from(tunable.step),
            r_end,
        })
        .collect())
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
        assert!(
            error.starts_with("no search parameter matches \"razor\"; the parameters are aspiration"),
            "{error}"
        );
    }

    #[test]
    fn steps_and_ranges_come_from_the_declaration() {
        let tunable = TUNABLES[0];
        let parameter = &select(&[tunable], &[], 0.5, 0.01).unwrap()[0];
        assert_eq!(parameter.start, f64::from(tunable.default));
        assert_eq!((parameter.min, parameter.max), (f64::from(tunable.min), f64::from(tunable.max)));
        assert_eq!((parameter.c_end, parameter.r_end), (0.5 * f64::from(tunable.step), 0.01));
    }
}
