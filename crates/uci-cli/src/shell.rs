//! `tabiya completions` and `tabiya man`: what a shell and its user get from the declaration of the command
//! line.

use crate::cli::Cli;
use anyhow::{Context, Result};
use clap::{Args, CommandFactory};
use clap_complete::Shell;
use std::fs;
use std::io::Write;
use std::path::PathBuf;

/// Print a script that has a shell complete tabiya's commands and options.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  tabiya completions bash > ~/.local/share/bash-completion/completions/tabiya
  tabiya completions zsh > ~/.zfunc/_tabiya
  tabiya completions fish > ~/.config/fish/completions/tabiya.fish")]
pub(crate) struct CompletionsArgs {
    /// Which shell.
    #[arg(value_enum)]
    shell: Shell,
}

/// Print the manual page, or write those of all commands into a directory.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  tabiya man | man -l -
  tabiya man --dir ~/.local/share/man/man1")]
pub(crate) struct ManArgs {
    /// Write a page for each command into this directory.
    #[arg(long, value_name = "DIRECTORY")]
    dir: Option<PathBuf>,
}

/// Runs `tabiya completions`.
///
/// # Errors
/// If nothing can be written.
pub(crate) fn completions(args: &CompletionsArgs, out: &mut impl Write) -> Result<()> {
    // It panics where it cannot write, so it writes where it always can.
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "tabiya", &mut script);
    Ok(out.write_all(&script)?)
}

/// Runs `tabiya man`.
///
/// # Errors
/// If nothing can be written.
pub(crate) fn man(args: &ManArgs, out: &mut impl Write) -> Result<()> {
    match &args.dir {
        None => Ok(clap_mangen::Man::new(Cli::command()).render(out)?),
        Some(dir) => {
            fs::create_dir_all(dir).with_context(|| format!("{} cannot be made", dir.display()))?;
            clap_mangen::generate_to(Cli::command(), dir)
                .with_context(|| format!("{} cannot be written to", dir.display()))
        }
    }
}
