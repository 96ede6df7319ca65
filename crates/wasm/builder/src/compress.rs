//! Compressed forms of files, which many web hosts send instead of the files themselves.

use anyhow::{Context, Result};
use std::fs;
use std::path::Path;

/// Files below this size, in bytes, fit into one packet as they are.
const MIN_SIZE: usize = 1200;
/// Files above this size, in bytes, take most of the time.
const LARGE: usize = 1 << 18;
/// The best deflate level that is worth its time.
const DEFLATE_LEVEL: u8 = 9;
/// The best Brotli quality, and the logarithm of its window's size.
const BROTLI_QUALITY: i32 = 11;
const BROTLI_WINDOW: i32 = 22;

/// Writes the gzip form (`.gz`) and the Brotli form (`.br`) of each file of a folder beside it. Large ones get this Brotli quality, the
/// others the best.
///
/// # Errors
/// If a file cannot be read or written.
pub(crate) fn folder(folder: &Path, quality_of_large: i32) -> Result<()> {
    let entries = fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))?;
    for entry in entries {
        let path = entry.with_context(|| format!("cannot read {}", folder.display()))?.path();
        let data = fs::read(&path).with_context(|| format!("cannot read {}", path.display()))?;
        if data.len() < MIN_SIZE {
            continue;
        }
        let quality = if data.len() > LARGE { quality_of_large } else { BROTLI_QUALITY };
        for (extension, compressed) in [("gz", gzip(&data)), ("br", brotli(&data, quality)?)] {
            let mut name = path.clone().into_os_string();
            name.push(".");
            name.push(extension);
            fs::write(&name, compressed)
                .with_context(|| format!("cannot write {}", Path::new(&name).display()))?;
        }
    }
    Ok(())
}

/// A gzip file (RFC 1952) without name and time, so that builds are reproducible.
fn gzip(data: &[u8]) -> Vec<u8> {
    let mut file = vec![0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 2, 255];
    file.extend(miniz_oxide::deflate::compress_to_vec(data, DEFLATE_LEVEL));
    file.extend(crc32fast::hash(data).to_le_bytes());
    // The format has the size modulo 2^32.
    file.extend((data.len() as u32).to_le_bytes());
    file
}

fn brotli(mut data: &[u8], quality: i32) -> Result<Vec<u8>> {
    let mut compressed = Vec::new();
    let params = brotli::enc::BrotliEncoderParams {
        quality,
        lgwin: BROTLI_WINDOW,
        ..brotli::enc::BrotliEncoderParams::default()
    };
    brotli::BrotliCompress(&mut data, &mut compressed, &params).context("cannot compress")?;
    Ok(compressed)
}
