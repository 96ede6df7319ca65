//! `tabiya spsa`: the search parameters in the format in which OpenBench reads those of an SPSA session.

use anyhow::{Result, bail};
use clap::Args;
use std::io::Write;
use tabiya_search::tuning::{TUNABLES, Tunable};

/// Print the search parameters as inputs of an SPSA session on OpenBench.
///
/// Each line is `name, int, value, min, max, c_end, r_end`. The names are those of the UCI options.
#[derive(Args, Debug)]
#[command(after_help = "\
c_end is the perturbation in the last iteration, r_end the fraction of it by which one win then moves a
parameter. OpenBench rejects inputs that end with an empty line.

Examples:
  tabiya spsa
  tabiya spsa lmr_base lmr_factor
  tabiya spsa --r-end 0.01 | grep ^nmp_")]
pub(crate) struct SpsaArgs {
    /// Names of the parameters [default: all]
    #[arg(value_name = "NAME")]
    names: Vec<String>,
    /// Perturbation in the last iteration (c_end), as a multiple of the declared step
    #[arg(long, value_name = "X", default_value_t = 1.0, value_parser = positive)]
    c_scale: f64,
    /// Learning rate in the last iteration (r_end)
    #[arg(long, value_name = "X", default_value_t = 0.002, value_parser = positive)]
    r_end: f64,
}

fn positive(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(number) if number > 0.0 && f64::is_finite(number) => Ok(number),
        _ => Err("expected a number above 0".to_owned()),
    }
}

/// Runs `tabiya spsa`.
///
/// # Errors
/// If there is no parameter of a given name, or output fails.
pub(crate) fn run(args: &SpsaArgs, out: &mut impl Write) -> Result<()> {
    if let Some(unknown) =
        args.names.iter().find(|name| TUNABLES.iter().all(|tunable| tunable.name != **name))
    {
        bail!("there is no search parameter {unknown:?}; tabiya spsa lists all");
    }
    let selected =
        |tunable: &&Tunable| args.names.is_empty() || args.names.iter().any(|name| name == tunable.name);
    for Tunable { name, default, min, max, step } in TUNABLES.iter().filter(selected) {
        let c_end = args.c_scale * f64::from(*step);
        writeln!(out, "{name}, int, {default}, {min}, {max}, {c_end}, {}", args.r_end)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(names: &[&str], c_scale: f64) -> Result<Vec<String>> {
        let args =
            SpsaArgs { names: names.iter().map(|&name| name.to_owned()).collect(), c_scale, r_end: 0.002 };
        let mut out = Vec::new();
        run(&args, &mut out)?;
        Ok(String::from_utf8(out)?.lines().map(str::to_owned).collect())
    }

    #[test]
    fn line_has_the_seven_fields_of_openbench() {
        let all = lines(&[], 1.0).unwrap();
        assert_eq!(all.len(), TUNABLES.len());
        for (line, tunable) in all.iter().zip(TUNABLES) {
            let fields: Vec<&str> = line.split(", ").collect();
            let [name, "int", value, min, max, c_end, "0.002"] = fields[..] else { panic!("{line}") };
            assert_eq!((name, value.parse()), (tunable.name, Ok(tunable.default)));
            assert_eq!(
                (min.parse(), max.parse(), c_end.parse()),
                (Ok(tunable.min), Ok(tunable.max), Ok(tunable.step))
            );
        }
    }

    #[test]
    fn names_select_parameters() {
        let Tunable { name, default, min, max, step } = TUNABLES[1];
        let half = f64::from(step) / 2.0;
        assert_eq!(
            lines(&[name], 0.5).unwrap(),
            [format!("{name}, int, {default}, {min}, {max}, {half}, 0.002")]
        );
        let error = lines(&["lmr"], 1.0).unwrap_err().to_string();
        assert!(error.starts_with("there is no search parameter \"lmr\""), "{error}");
    }

    #[test]
    fn step_sizes_are_positive() {
        assert_eq!(positive("0.5"), Ok(0.5));
        for text in ["0", "-1", "inf", "nan", "x"] {
            assert!(positive(text).is_err(), "{text}");
        }
    }
}
