//! `tabiya completions` and `tabiya man`: shell completions and manual pages, generated from the command-line
//! declaration.

use crate::args::ForceArgs;
use crate::web;
use anyhow::{Context, Result};
use clap::{Args, Command};
use clap_complete::Shell;
use std::fs;
use std::io::Write;
use std::path::PathBuf;
use tabiya_files::output;

/// Print a shell completion script.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  dir=~/.local/share/bash-completion/completions; mkdir -p $dir; tabiya completions bash > $dir/tabiya
  dir=~/.zfunc; mkdir -p $dir; tabiya completions zsh > $dir/_tabiya
  dir=~/.config/fish/completions; mkdir -p $dir; tabiya completions fish > $dir/tabiya.fish

zsh reads ~/.zfunc if .zshrc has fpath+=~/.zfunc before compinit.")]
pub struct CompletionsArgs {
    /// Shell to complete in.
    #[arg(value_enum)]
    shell: Shell,
}

/// Print the manual page, or write the pages of all commands to a directory.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  tabiya man | man -l -
  tabiya man --dir ~/.local/share/man/man1 --force")]
pub struct ManArgs {
    /// Write a page for each command to this directory.
    #[arg(long, value_name = "DIRECTORY")]
    dir: Option<PathBuf>,
    #[command(flatten)]
    force: ForceArgs,
}

/// Runs `tabiya completions`.
///
/// # Errors
/// If output fails.
pub fn completions(cli: Command, args: &CompletionsArgs, out: &mut impl Write) -> Result<()> {
    // Generated in memory, because `generate` panics on write errors.
    let mut script = Vec::new();
    let mut cli = web::with_options(cli);
    clap_complete::generate(args.shell, &mut cli, "tabiya", &mut script);
    Ok(out.write_all(&script)?)
}

/// Runs `tabiya man`.
///
/// # Errors
/// If output fails.
pub fn man(cli: Command, args: &ManArgs, out: &mut impl Write) -> Result<()> {
    let pages = pages(cli)?;
    let Some(dir) = &args.dir else {
        // The program's own page is the last.
        return pages.last().map_or(Ok(()), |(_, page)| Ok(out.write_all(page)?));
    };
    fs::create_dir_all(dir).with_context(|| format!("cannot create {}", dir.display()))?;
    // All or none.
    for (name, _) in &pages {
        output::check(&dir.join(name), args.force.existing(), &[])?;
    }
    for (name, page) in &pages {
        output::write(&dir.join(name), page, args.force.existing(), &[])?;
    }
    Ok(())
}

/// The program and its version, in the footer of every manual page.
const SOURCE: &str = concat!("tabiya ", env!("CARGO_PKG_VERSION"));

/// The file names and the pages of a command and its subcommands, which precede it.
fn pages(cli: Command) -> Result<Vec<(String, Vec<u8>)>> {
    fn add(command: Command, pages: &mut Vec<(String, Vec<u8>)>) -> Result<()> {
        for subcommand in command.get_subcommands().filter(|subcommand| !subcommand.is_hide_set()) {
            add(subcommand.clone(), pages)?;
        }
        let page = clap_mangen::Man::new(command).source(SOURCE);
        let mut text = Vec::new();
        page.render(&mut text)?;
        pages.push((page.get_filename(), text));
        Ok(())
    }
    let mut cli = web::with_options(cli.disable_help_subcommand(true));
    cli.build();
    let mut all = Vec::new();
    add(cli, &mut all)?;
    Ok(all)
}
