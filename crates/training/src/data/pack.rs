//! `data pack` and `data unpack`: files of games in a third of the bytes, so that a set can travel.

use super::output_args::{Force, Threads};
use anyhow::{Context, Result};
use std::io::{BufReader, Write as _};
use std::path::{Path, PathBuf};
use tabiya_files::input;
use tabiya_lab_common::counted::counted;
use tabiya_lab_common::games::{
    BLOCK_GAMES, Block, Damage, GameFile, GamesOutput, PackedFile, RawGame, packed,
};
use tabiya_lab_common::ordered::map_in_order;
use tabiya_lab_common::progress::Progress;

/// Command-line arguments of `data pack` and `data unpack`.
#[derive(clap::Args)]
#[command(after_help = "\
A packed file has whole games and their scores, each byte as it was. It does not have the settings of datagen, FILE.toml.")]
pub(super) struct PackArgs {
    /// The file to read
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// The file to write
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    #[command(flatten)]
    threads: Threads,
    #[command(flatten)]
    force: Force,
}

/// Runs `data pack`.
///
/// # Errors
/// If the file cannot be read or is not one of games, or the other one cannot be written.
pub(super) fn pack(args: &PackArgs) -> Result<()> {
    let mut file = GameFile::open(&args.file, Damage::Refused)?;
    let mut output = args.output()?;
    output.write_all(&packed::file_header())?;
    let (mut games, mut bytes) = (0, 0);
    let mut progress = Progress::new("MiB", 0, file.size() >> 20, "");
    let next = || {
        let mut block = Vec::new();
        while block.len() < BLOCK_GAMES
            && let Some(batch) = file.next_batch()?
        {
            block.extend(batch);
        }
        Ok((!block.is_empty()).then_some((block, file.offset())))
    };
    let worker =
        || Ok(|(block, end): (Vec<RawGame>, u64)| Ok((block.len() as u64, packed::pack(&block)?, end)));
    map_in_order(args.threads.count(), next, worker, |(count, block, end)| {
        output.write_all(&block)?;
        (games, bytes) = (games + count, end);
        progress.show(end >> 20, || format!("{games} games"));
        Ok(())
    })?;
    progress.finish();
    output.write_all(&packed::file_end(games))?;
    output.commit()?;
    args.summarise(games, bytes)
}

/// Runs `data unpack`.
///
/// # Errors
/// If the file cannot be read, is not a packed one or is damaged, or the other one cannot be written.
pub(super) fn unpack(args: &PackArgs) -> Result<()> {
    let mut output = args.output()?;
    let (mut games, mut bytes) = (0, 0);
    for_each_block(&args.file, args.threads.count(), |block| {
        for game in block {
            output.write_all(&game)?;
            games += 1;
            bytes += game.len() as u64;
        }
        Ok(games)
    })?;
    output.commit()?;
    args.summarise(games, bytes)
}

/// Unpacks a file on several threads and passes the games of each block, in order, to `sink`, which returns the number of games so
/// far.
///
/// # Errors
/// If the file cannot be read, is not a packed one or is damaged, and those of `sink`.
pub(super) fn for_each_block(
    path: &Path,
    threads: usize,
    mut sink: impl FnMut(Vec<Vec<u8>>) -> Result<u64>,
) -> Result<()> {
    let name = || format!("cannot unpack {}", path.display());
    let input = input::open(path).with_context(name)?;
    let size = input.metadata().with_context(name)?.len();
    let mut file = PackedFile::new(BufReader::new(input)).with_context(name)?;
    let mut progress = Progress::new("MiB", 0, size >> 20, "");
    let next = || {
        let at = file.offset();
        Ok(file.next().with_context(name)?.map(|block| (block, at)))
    };
    let worker = || {
        Ok(|(block, at): (Block, u64)| {
            let games = block.unpack().with_context(|| format!("{}: byte {at}", name()))?;
            Ok((games, at))
        })
    };
    map_in_order(threads, next, worker, |(block, at)| {
        let games = sink(block)?;
        progress.show(at >> 20, || format!("{games} games"));
        Ok(())
    })?;
    progress.finish();
    Ok(())
}

impl PackArgs {
    fn output(&self) -> Result<GamesOutput> {
        let input: &Path = &self.file;
        GamesOutput::create(&self.out, self.force.existing(), &[input])
    }

    /// Prints the numbers of games and of bytes, unpacked and packed or the other way round.
    fn summarise(&self, games: u64, unpacked: u64) -> Result<()> {
        let size = std::fs::metadata(&self.out)?.len();
        let games = counted(games, "game");
        println!("{}: {games}, {size} bytes ({unpacked} unpacked)", self.out.display());
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tabiya_lab_common::games::GameRecord;
    use tabiya_lab_common::games::test_games::random_games;
    use tabiya_lab_common::test_arguments::parse;

    #[test]
    fn files_round_trip_and_a_damaged_one_leaves_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name).display().to_string();
        let args = |file: &str, out: &str| parse([path(file), "--out".to_owned(), path(out)]).unwrap();
        let games: Vec<u8> = random_games(25, 66).iter().flat_map(GameRecord::to_bytes).collect();
        // An incomplete game, as in a file that is being written, is left out.
        let last = random_games(1, 67)[0].to_bytes();
        std::fs::write(path("a.vf"), [&games, &last[..40]].concat()).unwrap();
        pack(&args("a.vf", "a.packed")).unwrap();
        unpack(&args("a.packed", "b.vf")).unwrap();
        assert!(std::fs::read(path("b.vf")).unwrap() == games);
        let packed = std::fs::read(path("a.packed")).unwrap();
        std::fs::write(path("cut.packed"), &packed[..packed.len() - 1]).unwrap();
        let error = format!("{:#}", unpack(&args("cut.packed", "c.vf")).unwrap_err());
        assert!(
            error.contains("cut.packed: byte ") && error.ends_with("the file has been cut off"),
            "{error}"
        );
        assert!(!std::fs::exists(path("c.vf")).unwrap());
        let error = format!("{:#}", unpack(&args("a.vf", "c.vf")).unwrap_err());
        assert!(error.contains("a.vf: byte 0: not a packed file of games"), "{error}");
        let error = format!("{:#}", pack(&args("a.packed", "c.packed")).unwrap_err());
        assert!(error.contains("a.packed, byte 0: not a game in viriformat"), "{error}");
    }
}
