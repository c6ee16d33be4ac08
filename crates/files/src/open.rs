//! Opening files that a user names: a pipe or a device never makes us wait.

use std::fs::{self, File, FileType, OpenOptions};
use std::io::{self, ErrorKind};
use std::path::Path;

/// Opens a plain file, or a link to one, for reading. Pipes, devices, sockets and folders are errors,
/// and none of them is waited for.
pub fn open(path: &Path) -> io::Result<File> {
    open_with(OpenOptions::new().read(true), path)
}

/// Opens a plain file, or a link to one, for appending; makes it where there is none.
pub fn append(path: &Path) -> io::Result<File> {
    open_with(OpenOptions::new().append(true).create(true), path)
}

/// Makes writing to a pipe that is full an error of the kind `WouldBlock` instead of a wait. Where the
/// system has no such thing, writing waits.
#[cfg(unix)]
pub fn never_wait(pipe: &impl std::os::fd::AsFd) -> io::Result<()> {
    let flags = rustix::fs::fcntl_getfl(pipe)?;
    Ok(rustix::fs::fcntl_setfl(pipe, flags | rustix::fs::OFlags::NONBLOCK)?)
}

/// Opens a plain file for reading and writing as it is; makes it where there is none. Never through a
/// link: the names of files beside a user's can be guessed, and a link planted there must not lead us
/// elsewhere.
pub fn edit(path: &Path) -> io::Result<File> {
    refuse_special(path)?;
    let mut options = OpenOptions::new();
    options.read(true).write(true).create(true).truncate(false);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt;
        let flags = rustix::fs::OFlags::NONBLOCK | rustix::fs::OFlags::NOFOLLOW;
        options.custom_flags(flags.bits() as i32);
    }
    let file = options.open(path)?;
    let kind = file.metadata()?.file_type();
    if kind.is_file() { Ok(file) } else { Err(special(kind)) }
}

/// Opens a pipe or a device for writing. A pipe without a reader is an error and is not waited for.
pub fn stream(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.write(true);
    #[cfg(unix)]
    {
        use rustix::fs::OFlags;
        use std::os::unix::fs::OpenOptionsExt;
        options.custom_flags((OFlags::NONBLOCK | OFlags::NOCTTY).bits() as i32);
        let file = options.open(path).map_err(|error| match error.raw_os_error() {
            Some(code) if code == rustix::io::Errno::NXIO.raw_os_error() => {
                io::Error::new(error.kind(), "no process reads the pipe")
            }
            _ => error,
        })?;
        // Writing waits for a slow reader, as it should.
        let flags = rustix::fs::fcntl_getfl(&file)?;
        rustix::fs::fcntl_setfl(&file, flags - OFlags::NONBLOCK)?;
        Ok(file)
    }
    #[cfg(not(unix))]
    options.open(path)
}

/// Opens a plain file, or a link to one, in any way that does not empty it.
///
/// It is opened first and looked at then: between a look and an opening the name could come to mean
/// another file.
pub fn open_with(options: &mut OpenOptions, path: &Path) -> io::Result<File> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt;
        // A pipe without a writer would be waited for; on plain files the flag does nothing.
        options.custom_flags(rustix::fs::OFlags::NONBLOCK.bits() as i32);
    }
    match options.open(path) {
        Ok(file) => {
            let kind = file.metadata()?.file_type();
            if kind.is_file() { Ok(file) } else { Err(special(kind)) }
        }
        // Some special files cannot even be opened: say what they are rather than why.
        Err(error) => match fs::metadata(path) {
            Ok(found) if !found.is_file() => Err(special(found.file_type())),
            _ => Err(error),
        },
    }
}

/// An error where a name does not belong to a plain file or to a link to one. Opens nothing.
pub fn require_plain(path: &Path) -> io::Result<()> {
    let kind = fs::metadata(path)?.file_type();
    if kind.is_file() { Ok(()) } else { Err(special(kind)) }
}

/// An error where a name belongs to something that must not be replaced: anything but a plain file.
pub fn refuse_special(path: &Path) -> io::Result<()> {
    match fs::symlink_metadata(path) {
        Ok(found) if !found.is_file() => Err(special(found.file_type())),
        Err(error) if error.kind() != ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

/// Whether the file that is open is the one of this name: another may have taken its place.
pub fn is_at(file: &File, path: &Path) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        match (file.metadata(), fs::symlink_metadata(path)) {
            (Ok(ours), Ok(there)) => ours.dev() == there.dev() && ours.ino() == there.ino(),
            _ => false,
        }
    }
    #[cfg(not(unix))]
    {
        let _ = file;
        path.exists()
    }
}

/// Whether two names mean one file, by links of any kind too, or would if it were made.
pub fn same(one: &Path, two: &Path) -> bool {
    let place = |path: &Path| {
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
        let folder = fs::canonicalize(folder.unwrap_or(Path::new("."))).ok()?;
        Some((folder, path.file_name()?.to_owned()))
    };
    is_one(one, two) || place(one).is_some_and(|one| place(two) == Some(one))
}

/// Whether two names mean one file that is there.
fn is_one(one: &Path, two: &Path) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        let identity = |path| fs::metadata(path).map(|found| (found.dev(), found.ino()));
        matches!((identity(one), identity(two)), (Ok(one), Ok(two)) if one == two)
    }
    #[cfg(not(unix))]
    matches!((fs::canonicalize(one), fs::canonicalize(two)), (Ok(one), Ok(two)) if one == two)
}

/// Whether an output is one of the files that are read, of which `-` is the standard input.
pub fn is_read(output: &Path, inputs: impl IntoIterator<Item = impl AsRef<Path>>) -> bool {
    inputs.into_iter().any(|input| match input.as_ref() {
        input if input.as_os_str() == "-" => is_standard_input(output),
        input => same(input, output),
    })
}

/// Whether a name belongs to the file that is the standard input.
fn is_standard_input(path: &Path) -> bool {
    #[cfg(unix)]
    {
        use std::os::fd::AsFd;
        let input = io::stdin().as_fd().try_clone_to_owned();
        input.is_ok_and(|input| is_at(&File::from(input), path))
    }
    #[cfg(not(unix))]
    {
        let _ = path;
        false
    }
}

fn special(kind: FileType) -> io::Error {
    io::Error::new(ErrorKind::InvalidInput, format!("it is {}, not a plain file", word(kind)))
}

fn word(kind: FileType) -> &'static str {
    #[cfg(unix)]
    {
        use std::os::unix::fs::FileTypeExt;
        if kind.is_fifo() {
            return "a pipe";
        }
        if kind.is_char_device() || kind.is_block_device() {
            return "a device";
        }
        if kind.is_socket() {
            return "a socket";
        }
    }
    if kind.is_dir() {
        "a folder"
    } else if kind.is_symlink() {
        "a symbolic link"
    } else {
        "something special"
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::io::Write;

    fn pipe(path: &Path) {
        let mode = rustix::fs::Mode::from(0o600);
        rustix::fs::mknodat(rustix::fs::CWD, path, rustix::fs::FileType::Fifo, mode, 0)
            .expect("a pipe can be made in a temporary folder");
    }

    #[test]
    fn a_pipe_is_refused_and_not_waited_for() -> io::Result<()> {
        let folder = tempfile::tempdir()?;
        let path = folder.path().join("pipe");
        pipe(&path);
        for error in [open(&path).err(), append(&path).err(), refuse_special(&path).err()] {
            let error = error.map(|error| error.to_string());
            assert_eq!(error.as_deref(), Some("it is a pipe, not a plain file"));
        }
        Ok(())
    }

    #[test]
    fn devices_and_folders_are_refused() {
        let error = |path: &str| open(Path::new(path)).err().map(|error| error.to_string());
        assert_eq!(error("/dev/null").as_deref(), Some("it is a device, not a plain file"));
        assert_eq!(error("/").as_deref(), Some("it is a folder, not a plain file"));
    }

    #[test]
    fn links_are_followed_for_reading_and_not_replaced() -> io::Result<()> {
        let folder = tempfile::tempdir()?;
        let (file, link) = (folder.path().join("file"), folder.path().join("link"));
        fs::write(&file, "text")?;
        std::os::unix::fs::symlink(&file, &link)?;
        open(&link)?;
        append(&link)?.write_all(b"!")?;
        assert_eq!(fs::read_to_string(&file)?, "text!");
        let error = refuse_special(&link).err().map(|error| error.to_string());
        assert_eq!(error.as_deref(), Some("it is a symbolic link, not a plain file"));
        Ok(())
    }

    #[test]
    fn one_file_of_several_names_is_known() -> io::Result<()> {
        let folder = tempfile::tempdir()?;
        let name = |name: &str| folder.path().join(name);
        fs::write(name("file"), "text")?;
        fs::write(name("other"), "text")?;
        fs::hard_link(name("file"), name("hard"))?;
        std::os::unix::fs::symlink(name("file"), name("soft"))?;
        for known in ["file", "hard", "soft", "./file"] {
            assert!(same(&name("file"), &name(known)), "{known}");
        }
        assert!(!same(&name("file"), &name("other")) && !same(&name("none"), &name("nothing")));
        // What is not there yet would be one file.
        assert!(same(&name("none"), &name("./none")));
        assert!(!same(&name("no/folder"), &name("no/folder")));
        Ok(())
    }

    #[test]
    fn a_file_that_was_replaced_is_no_longer_the_one_of_its_name() -> io::Result<()> {
        let folder = tempfile::tempdir()?;
        let path = folder.path().join("file");
        crate::write(&path, b"old")?;
        let old = open(&path)?;
        assert!(is_at(&old, &path));
        crate::write(&path, b"new")?;
        assert!(!is_at(&old, &path) && is_at(&open(&path)?, &path));
        Ok(())
    }

    #[test]
    fn links_and_pipes_are_not_edited() -> io::Result<()> {
        let folder = tempfile::tempdir()?;
        let name = |name: &str| folder.path().join(name);
        std::os::unix::fs::symlink(name("target"), name("link"))?;
        pipe(&name("pipe"));
        assert!(edit(&name("link")).is_err() && edit(&name("pipe")).is_err());
        assert!(!name("target").exists());
        edit(&name("file"))?.write_all(b"text")?;
        edit(&name("file"))?.write_all(b"T")?;
        assert_eq!(fs::read_to_string(name("file"))?, "Text");
        Ok(())
    }

    #[test]
    fn a_pipe_without_a_reader_is_not_waited_for() -> io::Result<()> {
        let folder = tempfile::tempdir()?;
        let path = folder.path().join("pipe");
        pipe(&path);
        let error = stream(&path).err().map(|error| error.to_string());
        assert_eq!(error.as_deref(), Some("no process reads the pipe"));
        let (reader, name) = (path.clone(), path);
        let reader = std::thread::spawn(move || fs::read_to_string(reader));
        let mut writer = loop {
            match stream(&name) {
                Ok(writer) => break writer,
                Err(_) => std::thread::yield_now(),
            }
        };
        writer.write_all(b"text")?;
        drop(writer);
        assert_eq!(reader.join().ok().transpose()?.as_deref(), Some("text"));
        Ok(())
    }

    #[test]
    fn a_missing_file_is_missing() {
        let error = open(Path::new("/no/such/file")).err().map(|error| error.kind());
        assert_eq!(error, Some(ErrorKind::NotFound));
        assert!(refuse_special(Path::new("/no/such/file")).is_ok());
    }
}
