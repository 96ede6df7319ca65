//! Parameters as lines of text in the format of OpenBench: `name, int, value, min, max, c_end, r_end`.

use super::schedule::Parameter;
use anyhow::{Context, Result, bail};
use std::fmt::Write as _;

/// Formats parameters, one per line.
pub(super) fn format(parameters: &[Parameter]) -> String {
    let mut text = String::new();
    for Parameter { name, start, min, max, c_end, r_end } in parameters {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{name}, int, {start}, {min}, {max}, {c_end}, {r_end}");
    }
    text
}

/// Parses lines of parameters. Blank lines and lines that begin with `#` are ignored.
///
/// # Errors
/// If a line is malformed, its value is outside its range, or a name occurs twice. The message has the line's
/// number.
pub(super) fn parse(text: &str) -> Result<Vec<Parameter>> {
    let mut parameters: Vec<Parameter> = Vec::new();
    let lines = (1..).zip(text.lines().map(str::trim));
    for (number, line) in lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('#')) {
        let parameter = parse_line(line).with_context(|| format!("line {number}"))?;
        if parameters.iter().any(|other| other.name.eq_ignore_ascii_case(&parameter.name)) {
            bail!("line {number}: {} occurs twice", parameter.name);
        }
        parameters.push(parameter);
    }
    if parameters.is_empty() {
        bail!("there are no parameters (expected lines such as `name, int, value, min, max, c_end, r_end`)");
    }
    Ok(parameters)
}

fn parse_line(line: &str) -> Result<Parameter> {
    let fields: Vec<&str> = line.split(',').map(str::trim).collect();
    let [name, kind, value, min, max, c_end, r_end] = fields[..] else {
        bail!("{} fields (expected 7: name, int, value, min, max, c_end, r_end)", fields.len());
    };
    if name.is_empty() {
        bail!("the name is empty");
    }
    if kind != "int" {
        bail!("type {kind:?} (expected int: UCI options are integers)");
    }
    let integer = |field: &str, text: &str| -> Result<f64> {
        // OpenBench stores integers as floating-point numbers and shows them as such.
        match text.parse::<f64>() {
            Ok(number) if number.fract() == 0.0 && number.abs() < 1e15 => Ok(number),
            _ => bail!("{field} {text:?} is not an integer"),
        }
    };
    let positive = |field: &str, text: &str| -> Result<f64> {
        match text.parse::<f64>() {
            Ok(number) if number > 0.0 && number.is_finite() => Ok(number),
            _ => bail!("{field} {text:?} is not a number above 0"),
        }
    };
    let parameter = Parameter {
        name: name.to_owned(),
        start: integer("value", value)?,
        min: integer("min", min)?,
        max: integer("max", max)?,
        c_end: positive("c_end", c_end)?,
        r_end: positive("r_end", r_end)?,
    };
    if !(parameter.min..=parameter.max).contains(&parameter.start) {
        bail!("value {value} is outside of {min}..={max}");
    }
    Ok(parameter)
}

#[cfg(test)]
mod tests {
    use super::super::schedule::tests::schedule;
    use super::*;

    #[test]
    fn formatted_parameters_are_read_again() {
        let parameters = schedule(10, 0.002).parameters;
        let text = format(&parameters);
        assert!(text.starts_with("razoring_base, int, 100, 0, 300, 10, 0.002\n"), "{text}");
        assert_eq!(parse(&format!("# comment\n\n{text}")).unwrap(), parameters);
        // The site of OpenBench copies its inputs in this form.
        let copied = parse("Move Overhead,int, 10.0, 0.0, 5000.0, 20.5, 0.002").unwrap();
        assert_eq!(
            (copied[0].name.as_str(), copied[0].start, copied[0].c_end),
            ("Move Overhead", 10.0, 20.5)
        );
    }

    #[test]
    fn errors_name_line_and_field() {
        for (text, expected) in [
            ("", "there are no parameters"),
            ("a, int, 1, 0, 2, 1, 0.1\nb, int, 1", "line 2: 3 fields (expected 7"),
            ("a, float, 1, 0, 2, 1, 0.1", "line 1: type \"float\" (expected int"),
            ("a, int, 1.5, 0, 2, 1, 0.1", "line 1: value \"1.5\" is not an integer"),
            ("a, int, 1, 0, x, 1, 0.1", "line 1: max \"x\" is not an integer"),
            ("a, int, 3, 0, 2, 1, 0.1", "line 1: value 3 is outside of 0..=2"),
            ("a, int, 1, 2, 0, 1, 0.1", "line 1: value 1 is outside of 2..=0"),
            ("a, int, 1, 0, 2, 0, 0.1", "line 1: c_end \"0\" is not a number above 0"),
            ("a, int, 1, 0, 2, 1, nan", "line 1: r_end \"nan\" is not a number above 0"),
            (", int, 1, 0, 2, 1, 0.1", "line 1: the name is empty"),
            ("a, int, 1, 0, 2, 1, 0.1\nA, int, 1, 0, 2, 1, 0.1", "line 2: A occurs twice"),
        ] {
            let error = format!("{:#}", parse(text).unwrap_err());
            assert!(error.starts_with(expected), "{text}: {error}");
        }
    }
}
