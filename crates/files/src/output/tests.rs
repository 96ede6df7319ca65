//! Tests of files that appear when they are complete.

use super::*;
use std::error::Error;

/// The error with its source.
fn message<T: fmt::Debug>(result: io::Result<T>) -> String {
    let error = result.unwrap_err();
    format!("{error}: {}", error.source().unwrap())
}

fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<_> = (fs::read_dir(folder).unwrap())
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

#[test]
fn file_appears_on_commit_only() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("out");
    let mut file = OutputFile::create(&path, Existing::Refuse, &[]).unwrap();
    file.write_all(b"half").unwrap();
    assert!(!path.exists());
    drop(file);
    assert_eq!(names(folder.path()), [""; 0]);
    write(&path, b"whole", Existing::Refuse, &[]).unwrap();
    assert_eq!(fs::read(&path).unwrap(), b"whole");
    assert_eq!(names(folder.path()), ["out"]);
}

#[test]
fn overwrites_with_force_only() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("out");
    fs::write(&path, "games").unwrap();
    let expected = format!("cannot write {}: the file exists (--force overwrites it)", path.display());
    assert_eq!(message(write(&path, b"book", Existing::Refuse, &[])), expected);
    assert_eq!(message(check(&path, Existing::Refuse, &[])), expected);
    assert_eq!(fs::read(&path).unwrap(), b"games");
    // Dropped without a commit, it leaves the old contents.
    let mut file = OutputFile::create(&path, Existing::from_force(true), &[]).unwrap();
    file.write_all(b"half").unwrap();
    drop(file);
    assert_eq!(fs::read(&path).unwrap(), b"games");
    write(&path, b"book", Existing::Replace, &[]).unwrap();
    assert_eq!(fs::read(&path).unwrap(), b"book");
}

#[test]
fn files_left_over_are_removed_unless_they_are_being_written() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("out");
    for name in [".out.aB3xY9.partial", ".other.aB3xY9.partial", ".out.partial", ".out.b.c.partial"] {
        fs::write(folder.path().join(name), "half").unwrap();
    }
    let writing = OutputFile::create(&path, Existing::Refuse, &[]).unwrap();
    write(&path, b"whole", Existing::Refuse, &[]).unwrap();
    let others = [".other.aB3xY9.partial", ".out.b.c.partial", ".out.partial"];
    let names_without_random = || {
        let mut names = names(folder.path());
        names.retain(|name| others.contains(&name.as_str()) || name == "out");
        names
    };
    assert_eq!(names_without_random(), [&others[..], &["out"]].concat());
    // The file of the live process is still there.
    assert_eq!(names(folder.path()).len(), 5);
    drop(writing);
    assert_eq!(names(folder.path()).len(), 4);
}

#[test]
fn names_may_be_as_long_as_the_system_allows() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["a".repeat(255), "é".repeat(127)] {
        let path = folder.path().join(name);
        // Some systems allow less.
        if fs::write(&path, "old").is_ok() {
            write(&path, b"new", Existing::Replace, &[]).unwrap();
            assert_eq!(fs::read(&path).unwrap(), b"new");
        }
    }
}

#[test]
fn keeps_the_contents_if_the_file_appears_meanwhile() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("out");
    let mut file = OutputFile::create(&path, Existing::Refuse, &[]).unwrap();
    file.write_all(b"mine").unwrap();
    fs::write(&path, "theirs").unwrap();
    let message = message(file.commit());
    assert!(message.contains("the file exists (--force overwrites it); the contents are in "), "{message}");
    assert_eq!(fs::read(&path).unwrap(), b"theirs");
    let names = names(folder.path());
    assert!(names[0].starts_with(".out.") && names[0].ends_with(".complete"), "{names:?}");
    // The next run does not take them for those of a killed one.
    write(&path, b"new", Existing::Replace, &[]).unwrap();
    assert_eq!(self::names(folder.path()), names);
    assert_eq!(fs::read(folder.path().join(&names[0])).unwrap(), b"mine");
}

#[test]
fn a_new_file_appears_also_where_renaming_may_replace() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("new");
    let failed = |kind: ErrorKind| {
        let file = NamedTempFile::new_in(&folder).unwrap();
        fs::write(file.path(), "contents").unwrap();
        PersistError { error: kind.into(), file }
    };
    persist_reserved(failed(ErrorKind::Unsupported), &path).unwrap();
    assert_eq!(fs::read_to_string(&path).unwrap(), "contents");
    // The file that appeared meanwhile stays, whether or not the system could tell.
    for kind in [ErrorKind::Unsupported, ErrorKind::AlreadyExists] {
        fs::write(&path, "other").unwrap();
        let error = persist_reserved(failed(kind), &path).unwrap_err().error;
        assert_eq!(error.kind(), ErrorKind::AlreadyExists);
        assert_eq!(fs::read_to_string(&path).unwrap(), "other");
    }
    let missing = folder.path().join("missing/new");
    let error = persist_reserved(failed(ErrorKind::Unsupported), &missing).unwrap_err().error;
    assert_eq!(error.kind(), ErrorKind::Unsupported);
}

#[test]
fn never_overwrites_an_input() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    fs::write(path("a"), "games").unwrap();
    fs::hard_link(path("a"), path("hard")).unwrap();
    fs::create_dir(path("sub")).unwrap();
    let mut names = vec!["a", "hard", "sub/../a"];
    if cfg!(unix) {
        #[cfg(unix)]
        std::os::unix::fs::symlink("a", path("soft")).unwrap();
        names.push("soft");
    }
    for name in names {
        for existing in [Existing::Refuse, Existing::Replace] {
            let message = message(OutputFile::create(&path(name), existing, &[&path("a")]));
            assert!(
                message.ends_with(&format!("same file as the input {}", path("a").display())),
                "{message}"
            );
        }
    }
    assert_eq!(fs::read(path("a")).unwrap(), b"games");
}

#[test]
fn one_file_under_two_names_is_found() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    fs::create_dir(path("sub")).unwrap();
    let check = |a: &str, b: &str| check_distinct(&[("--out", &path(a)), ("--valid", &path(b))]);
    for exists in [false, true] {
        if exists {
            fs::write(path("a"), "").unwrap();
        }
        for spelling in ["a", "./a", "sub/../a"] {
            let error = check("a", spelling).unwrap_err().to_string();
            assert!(error.starts_with("--out and --valid are the same file, "), "{error}");
        }
        assert!(check("a", "b").is_ok() && check("a", "sub/a").is_ok());
        assert_eq!(check("a", "A").is_err(), cfg!(any(windows, target_vendor = "apple")));
    }
    let null = Path::new("/dev/null");
    assert!(!null.exists() || check_distinct(&[("--out", null), ("--valid", null)]).is_ok());
}

#[test]
fn rejects_a_directory_and_a_missing_folder() {
    let folder = tempfile::tempdir().unwrap();
    let refused = message(check(folder.path(), Existing::Replace, &[]));
    assert!(refused.ends_with("it is a directory"), "{refused}");
    let path = folder.path().join("none/out");
    assert!(message(check(&path, Existing::Replace, &[])).starts_with("cannot write "));
}

#[cfg(unix)]
#[test]
fn replaces_the_target_of_a_symbolic_link() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    fs::write(path("file"), "old").unwrap();
    fs::set_permissions(path("file"), fs::Permissions::from_mode(0o640)).unwrap();
    symlink("file", path("link")).unwrap();
    write(&path("link"), b"new", Existing::Replace, &[]).unwrap();
    assert!(path("link").is_symlink());
    assert_eq!(fs::read(path("file")).unwrap(), b"new");
    assert_eq!(fs::metadata(path("file")).unwrap().permissions().mode() & 0o777, 0o640);
    symlink("nothing", path("dangling")).unwrap();
    let message = message(check(&path("dangling"), Existing::Replace, &[]));
    assert!(message.contains("a symbolic link to a file that does not exist"), "{message}");
}

#[cfg(unix)]
#[test]
fn umask_restricts_new_files() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    let mode = |name: &str| fs::metadata(folder.path().join(name)).unwrap().permissions().mode();
    write(&folder.path().join("ours"), b"", Existing::Refuse, &[]).unwrap();
    fs::write(folder.path().join("other"), "").unwrap();
    assert_eq!(mode("ours"), mode("other"));
}

#[cfg(unix)]
#[test]
fn writes_pipes_and_devices_directly() {
    write(Path::new("/dev/null"), b"x", Existing::Refuse, &[]).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let pipe = folder.path().join("pipe");
    rustix::fs::mkfifoat(rustix::fs::CWD, &pipe, 0o600.into()).unwrap();
    let reader = std::thread::spawn({
        let pipe = pipe.clone();
        move || fs::read(pipe).unwrap()
    });
    write(&pipe, b"through", Existing::Refuse, &[&pipe]).unwrap();
    assert_eq!(reader.join().unwrap(), b"through");
    assert_eq!(names(folder.path()), ["pipe"]);
}

#[test]
fn streams_and_devices_are_not_replaced() {
    let folder = tempfile::tempdir().unwrap();
    assert!(is_replaced(&folder.path().join("new")));
    for path in ["/dev/stdout", "/dev/fd/1"] {
        assert!(!is_replaced(Path::new(path)), "{path}");
    }
    if cfg!(unix) {
        assert!(!is_replaced(Path::new("/dev/null")));
    }
}

#[cfg(target_os = "linux")]
#[test]
fn full_disk_names_the_file() {
    let full = Path::new("/dev/full");
    let expected = "cannot write /dev/full: No space left on device";
    let written = message(write(full, b"x", Existing::Refuse, &[]));
    assert!(written.starts_with(expected), "{written}");
    let mut file = OutputFile::create(full, Existing::Refuse, &[]).unwrap();
    let written = message(file.write_all(&[0; 1 << 16]));
    assert!(written.starts_with(expected), "{written}");
}
