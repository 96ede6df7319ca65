//! Reading regular files, with a size limit.

use std::fs::{self, File, FileType, Metadata};
use std::io::{self, ErrorKind, Read};
use std::path::Path;

/// Checks that a path names a regular file, following symbolic links.
///
/// Nothing is opened, because opening a named pipe blocks until a writer appears.
///
/// # Errors
/// If there is no such file, or if it is a directory, a named pipe, a socket or a device.
pub fn check_regular(path: &Path) -> io::Result<Metadata> {
    let metadata = fs::metadata(path)?;
    if metadata.is_file() {
        return Ok(metadata);
    }
    let message = format!("it is {}, not a regular file", describe(metadata.file_type()));
    Err(io::Error::new(ErrorKind::InvalidInput, message))
}

/// Opens a regular file for reading.
///
/// # Errors
/// As [`check_regular`], or if the file cannot be opened.
pub fn open(path: &Path) -> io::Result<File> {
    check_regular(path)?;
    File::open(path)
}

/// Opens a file of any kind but a directory, such as a named pipe. `-` is standard input.
///
/// # Errors
/// If it is a directory, or cannot be opened.
pub fn open_stream(path: &Path) -> io::Result<Box<dyn Read + Send>> {
    if path == Path::new("-") {
        return Ok(Box::new(io::stdin()));
    }
    if path.is_dir() {
        return Err(io::Error::new(ErrorKind::IsADirectory, "it is a directory"));
    }
    Ok(Box::new(File::open(path)?))
}

/// Reads a regular file of at most `limit` bytes.
///
/// # Errors
/// As [`open`], if the file is larger, or if it cannot be read.
pub fn read(path: &Path, limit: u64) -> io::Result<Vec<u8>> {
    let file = open(path)?;
    if file.metadata()?.len() > limit {
        return Err(too_large(limit));
    }
    read_to_limit(file, limit)
}

/// Reads what [`open_stream`] opens up to its end, but at most `limit` bytes.
///
/// # Errors
/// As [`open_stream`], if the file cannot be read, or if it has more bytes.
pub fn read_stream(path: &Path, limit: u64) -> io::Result<Vec<u8>> {
    read_to_limit(open_stream(path)?, limit)
}

fn read_to_limit(stream: impl Read, limit: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    stream.take(limit.saturating_add(1)).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > limit { Err(too_large(limit)) } else { Ok(bytes) }
}

/// Fills a buffer unless the input ends before, and returns the number of bytes read.
///
/// # Errors
/// If the input cannot be read.
pub fn read_up_to(input: &mut impl Read, buffer: &mut [u8]) -> io::Result<usize> {
    let mut length = 0;
    while length < buffer.len() {
        match input.read(&mut buffer[length..]) {
            Ok(0) => break,
            Ok(count) => length += count,
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(length)
}

/// Reads a text file, as [`read`] does.
///
/// # Errors
/// As [`read`], or if the contents are not UTF-8.
pub fn read_text(path: &Path, limit: u64) -> io::Result<String> {
    let bytes = read(path, limit)?;
    String::from_utf8(bytes).map_err(|_| io::Error::new(ErrorKind::InvalidData, "it is not UTF-8 text"))
}

fn too_large(limit: u64) -> io::Error {
    let limit = if limit >= 1 << 20 { format!("{} MiB", limit >> 20) } else { format!("{limit} bytes") };
    io::Error::new(ErrorKind::FileTooLarge, format!("it is larger than {limit}"))
}

/// The name of a kind of file, with its article.
fn describe(file_type: FileType) -> &'static str {
    #[cfg(unix)]
    {
        use std::os::unix::fs::FileTypeExt;
        if file_type.is_fifo() {
            return "a named pipe";
        }
        if file_type.is_socket() {
            return "a socket";
        }
        if file_type.is_char_device() || file_type.is_block_device() {
            return "a device";
        }
    }
    if file_type.is_dir() { "a directory" } else { "a special file" }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message<T: std::fmt::Debug>(result: io::Result<T>) -> String {
        result.unwrap_err().to_string()
    }

    #[test]
    fn reads_up_to_the_limit() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("book");
        fs::write(&path, "12345").unwrap();
        assert_eq!(read(&path, 5).unwrap(), b"12345");
        assert_eq!(message(read(&path, 4)), "it is larger than 4 bytes");
        assert_eq!(read_text(&path, 5).unwrap(), "12345");
        fs::write(&path, b"\xff").unwrap();
        assert_eq!(message(read_text(&path, 5)), "it is not UTF-8 text");
        assert_eq!(too_large(1 << 30).to_string(), "it is larger than 1024 MiB");
    }

    #[test]
    fn fills_a_buffer_from_short_reads() {
        let mut input = (&b"ab"[..]).chain(&b"cde"[..]);
        let mut buffer = [0; 4];
        assert_eq!((read_up_to(&mut input, &mut buffer).unwrap(), &buffer), (4, b"abcd"));
        assert_eq!(read_up_to(&mut input, &mut buffer).unwrap(), 1);
        assert_eq!(read_up_to(&mut input, &mut buffer).unwrap(), 0);
    }

    #[test]
    fn rejects_a_directory() {
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(message(open(folder.path())), "it is a directory, not a regular file");
        assert_eq!(message(read_stream(folder.path(), 5)), "it is a directory");
    }

    #[cfg(unix)]
    #[test]
    fn rejects_pipes_and_devices_without_opening_them() {
        let folder = tempfile::tempdir().unwrap();
        let pipe = folder.path().join("pipe");
        rustix::fs::mkfifoat(rustix::fs::CWD, &pipe, 0o600.into()).unwrap();
        assert_eq!(message(read(&pipe, 5)), "it is a named pipe, not a regular file");
        assert_eq!(message(read(Path::new("/dev/null"), 5)), "it is a device, not a regular file");
        let link = folder.path().join("link");
        std::os::unix::fs::symlink(&pipe, &link).unwrap();
        assert_eq!(message(open(&link)), "it is a named pipe, not a regular file");
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn endless_device_ends_at_the_limit() {
        assert_eq!(message(read_stream(Path::new("/dev/zero"), 1 << 20)), "it is larger than 1 MiB");
    }
}
