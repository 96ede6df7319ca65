//! `tabiya completions` and `tabiya man`: shell completions and manual pages, generated from the command-line
//! declaration.

use anyhow::{Context, Result};
use clap::{Args, Command};
use clap_complete::Shell;
use std::fs;
use std::io::Write;
use std::path::PathBuf;

/// Print a shell completion script.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  tabiya completions bash > ~/.local/share/bash-completion/completions/tabiya
  tabiya completions zsh > ~/.zfunc/_tabiya
  tabiya completions fish > ~/.config/fish/completions/tabiya.fish")]
pub(crate) struct CompletionsArgs {
    /// Shell to complete in.
    #[arg(value_enum)]
    shell: Shell,
}

/// Print the manual page, or write the pages of all commands to a directory.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  tabiya man | man -l -
  tabiya man --dir ~/.local/share/man/man1")]
pub(crate) struct ManArgs {
    /// Write a page for each command to this directory.
    #[arg(long, value_name = "DIRECTORY")]
    dir: Option<PathBuf>,
}

/// Runs `tabiya completions`.
///
/// # Errors
/// If output fails.
pub(crate) fn completions(mut cli: Command, args: &CompletionsArgs, out: &mut impl Write) -> Result<()> {
    // Generated in memory, because `generate` panics on write errors.
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut cli, "tabiya", &mut script);
    Ok(out.write_all(&script)?)
}

/// Runs `tabiya man`.
///
/// # Errors
/// If output fails.
pub(crate) fn man(cli: Command, args: &ManArgs, out: &mut impl Write) -> Result<()> {
    match &args.dir {
        None => Ok(clap_mangen::Man::new(cli).render(out)?),
        Some(dir) => {
            fs::create_dir_all(dir).with_context(|| format!("{} cannot be created", dir.display()))?;
            clap_mangen::generate_to(cli, dir)
                .with_context(|| format!("{} cannot be written to", dir.display()))
        }
    }
}
