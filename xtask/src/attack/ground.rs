//! Where the attacks take place: a folder under the system's temporary folder, a copy of the program in
//! it, copies of the test data, and random numbers that come again with the same seed.

use super::report::Finding;
use std::fs::{self, File};
use std::os::unix::fs::{MetadataExt, PermissionsExt, chown};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The user that runs the program where we are root: `nobody`.
const UNPRIVILEGED: u32 = 65534;

/// The beginning of the folder's name; the number of the process follows.
const PREFIX: &str = "rookery-attack-";

/// The lock in the folder.
const LOCK: &str = "lock";

/// The number of findings of an attack that are shown; the others are only counted.
const TOLD: usize = 20;

/// How much is done.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Scale {
    Quick,
    Usual,
    Full,
}

/// All that the attacks have in common.
pub struct Sandbox {
    folder: PathBuf,
    scale: Scale,
    pub seed: u64,
    /// The unprivileged user, where we are root.
    user: Option<u32>,
    /// Where cases are kept that a person may want to look at.
    kept: PathBuf,
    binary: PathBuf,
    /// Locked as long as this process lives: by that others know that the folder is in use.
    _lock: File,
}

impl Sandbox {
    /// Makes the folder and copies the program and the test data into it.
    pub fn new(root: &Path, binary: &Path, scale: Scale, seed: u64) -> Result<Sandbox, String> {
        sweep(&std::env::temp_dir());
        let folder = std::env::temp_dir().join(format!("{PREFIX}{}", std::process::id()));
        let told = |path: &Path, error: std::io::Error| format!("{}: {error}", path.display());
        fs::create_dir(&folder).map_err(|error| told(&folder, error))?;
        let is_root = fs::metadata(&folder).is_ok_and(|metadata| metadata.uid() == 0);
        let kept = crate::run::target(root).join("attack");
        let (user, binary) = (is_root.then_some(UNPRIVILEGED), binary.to_path_buf());
        let lock = File::create(folder.join(LOCK)).and_then(|lock| lock.lock().map(|()| lock));
        let _lock = lock.map_err(|error| told(&folder, error))?;
        let sandbox = Sandbox { folder, scale, seed, user, kept, binary, _lock };
        // The folders of root may be closed to others.
        let stand_in = std::env::current_exe().map_err(|error| error.to_string())?;
        for (from, to) in [(&sandbox.binary, "rookery"), (&stand_in, "stand-in")] {
            let to = sandbox.folder.join(to);
            fs::copy(from, &to).map_err(|error| told(from, error))?;
            fs::set_permissions(&to, fs::Permissions::from_mode(0o755))
                .map_err(|error| told(&to, error))?;
        }
        copy_folder(&root.join("testdata"), &sandbox.folder.join("testdata"))
            .map_err(|error| format!("testdata: {error}"))?;
        fs::set_permissions(&sandbox.folder, fs::Permissions::from_mode(0o755))
            .map_err(|error| told(&sandbox.folder, error))?;
        Ok(sandbox)
    }

    /// The ground of one attack: a folder that belongs to the user who runs the program.
    pub fn ground(&self, attack: &'static str) -> Result<Ground<'_>, String> {
        let folder = self.folder.join(attack);
        let made = fs::create_dir(&folder)
            .and_then(|()| self.user.map_or(Ok(()), |user| chown(&folder, Some(user), Some(user))));
        made.map_err(|error| format!("{}: {error}", folder.display()))?;
        // The same numbers whether or not other attacks come before.
        let mixed = attack.bytes().fold(self.seed, |sum, byte| {
            (sum.rotate_left(7) ^ u64::from(byte)).wrapping_mul(0x9e37_79b9_7f4a_7c15)
        });
        let random = fastrand::Rng::with_seed(mixed);
        let (attempts, notes, findings) = (0, Vec::new(), Vec::new());
        Ok(Ground { sandbox: self, attack, folder, random, attempts, notes, findings, untold: 0 })
    }

    /// What was attacked, and how.
    pub fn describe(&self) -> String {
        let cores = std::thread::available_parallelism().map_or(1, |count| count.get());
        let user = self.user.map_or(String::new(), |user| format!(", as user {user}"));
        format!("{} on {cores} processors, seed {}{user}", self.binary.display(), self.seed)
    }

    /// The command that repeats an attack.
    pub fn again(&self, attack: &str) -> String {
        let scale = match self.scale {
            Scale::Quick => " --quick",
            Scale::Usual => "",
            Scale::Full => " --full",
        };
        format!("cargo xtask attack --only {attack} --seed {}{scale}", self.seed)
    }
}

impl Drop for Sandbox {
    fn drop(&mut self) {
        // What belongs to others now can still be removed by root.
        let _ = fs::remove_dir_all(&self.folder);
    }
}

/// Removes what attacks have left behind that were killed.
fn sweep(parent: &Path) {
    for entry in fs::read_dir(parent).into_iter().flatten().filter_map(Result::ok) {
        let name = entry.file_name();
        if name.to_str().is_some_and(|name| name.starts_with(PREFIX)) && is_abandoned(&entry.path())
        {
            let _ = fs::remove_dir_all(entry.path());
        }
    }
}

/// Whether the process of a folder is dead: its lock is there and free. The number in the name
/// says nothing where processes of several containers share a folder. A folder without a lock is one that
/// is just being made.
fn is_abandoned(folder: &Path) -> bool {
    File::open(folder.join(LOCK)).is_ok_and(|lock| lock.try_lock().is_ok())
}

fn copy_folder(from: &Path, to: &Path) -> std::io::Result<()> {
    fs::create_dir(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let target = to.join(entry.file_name());
        match entry.file_type()?.is_dir() {
            true => copy_folder(&entry.path(), &target)?,
            false => drop(fs::copy(entry.path(), target)?),
        }
    }
    Ok(())
}

/// What has come of an attack.
#[derive(Default)]
pub struct Outcome {
    pub attempts: u64,
    pub notes: Vec<String>,
    pub findings: Vec<Finding>,
    /// Findings that were only counted.
    pub untold: usize,
}

/// The place of one attack, and what has come of it.
pub struct Ground<'a> {
    sandbox: &'a Sandbox,
    attack: &'static str,
    /// A folder of its own, writable by the program.
    pub folder: PathBuf,
    pub random: fastrand::Rng,
    attempts: u64,
    notes: Vec<String>,
    findings: Vec<Finding>,
    untold: usize,
}

impl Ground<'_> {
    /// How often something is done.
    pub fn times(&self, quick: u64, usual: u64, full: u64) -> u64 {
        match self.sandbox.scale {
            Scale::Quick => quick,
            Scale::Usual => usual,
            Scale::Full => full,
        }
    }

    /// The program.
    pub fn program(&self) -> PathBuf {
        self.sandbox.folder.join("rookery")
    }

    /// An engine that misbehaves: arguments say how.
    pub fn stand_in(&self) -> PathBuf {
        self.sandbox.folder.join("stand-in")
    }

    /// A file of the test data.
    pub fn data(&self, name: &str) -> PathBuf {
        self.sandbox.folder.join("testdata").join(name)
    }

    /// The program with arguments, as an unprivileged user, in the attack's folder.
    pub fn command<S: AsRef<std::ffi::OsStr>>(&self, arguments: &[S]) -> Command {
        let mut command = Command::new(self.program());
        command.args(arguments).current_dir(&self.folder);
        if let Some(user) = self.sandbox.user {
            command.uid(user).gid(user);
        }
        command
    }

    /// Writes a file that the program may read and change.
    pub fn write(&self, name: &str, bytes: &[u8]) -> Result<PathBuf, String> {
        let path = self.folder.join(name);
        fs::write(&path, bytes).map_err(|error| format!("{}: {error}", path.display()))?;
        self.give(&path)?;
        Ok(path)
    }

    /// A new empty folder for a case; one that is there is emptied.
    pub fn fresh(&self, name: &str) -> Result<PathBuf, String> {
        let path = self.folder.join(name);
        let _ = fs::remove_dir_all(&path);
        fs::create_dir(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        self.give(&path)?;
        Ok(path)
    }

    /// Hands a file or folder to the user who runs the program.
    pub fn give(&self, path: &Path) -> Result<(), String> {
        let Some(user) = self.sandbox.user else { return Ok(()) };
        std::os::unix::fs::lchown(path, Some(user), Some(user))
            .map_err(|error| format!("{}: {error}", path.display()))
    }

    /// Counts attempts.
    pub fn attempted(&mut self, times: u64) {
        self.attempts += times;
    }

    /// Something for the last column of the table.
    pub fn note(&mut self, note: String) {
        self.notes.push(note);
    }

    /// Reports what should not have happened, and what reproduces it.
    pub fn found(&mut self, what: String, case: String) {
        if self.findings.len() >= TOLD {
            self.untold += 1;
            return;
        }
        let finding = Finding { attack: self.attack, what, case, again: String::new() };
        self.findings.push(finding);
    }

    /// Whether enough was found: more would tell nothing new.
    pub fn is_lost(&self) -> bool {
        self.findings.len() >= TOLD
    }

    /// Keeps the bytes of a finding, to be looked into; where they are.
    pub fn keep(&self, bytes: &[u8]) -> String {
        let name = format!("{}-{}-{}", self.attack, self.sandbox.seed, self.findings.len() + 1);
        let path = self.sandbox.kept.join(name);
        match fs::create_dir_all(&self.sandbox.kept).and_then(|()| fs::write(&path, bytes)) {
            Ok(()) => path.display().to_string(),
            Err(error) => format!("(cannot be kept: {error})"),
        }
    }

    /// Ends it. The folder is removed.
    pub fn leave(self) -> Outcome {
        let _ = fs::remove_dir_all(&self.folder);
        let Ground { attempts, notes, findings, untold, .. } = self;
        Outcome { attempts, notes, findings, untold }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_folders_of_dead_processes_are_swept() {
        let parent = std::env::temp_dir().join(format!("rookery-sweep-{}", std::process::id()));
        let folder = |name: &str| parent.join(format!("{PREFIX}{name}"));
        for name in ["dead", "alive", "new"] {
            fs::create_dir_all(folder(name)).expect("a folder can be made");
        }
        fs::create_dir_all(parent.join("other")).expect("a folder can be made");
        let locks = ["dead", "alive"].map(|name| {
            let lock = File::create(folder(name).join(LOCK)).expect("a file can be made");
            lock.lock().expect("it can be locked");
            lock
        });
        let [dead, _alive] = locks;
        drop(dead);
        sweep(&parent);
        assert!(!folder("dead").exists() && folder("alive").exists());
        assert!(folder("new").exists() && parent.join("other").exists());
        fs::remove_dir_all(&parent).expect("it is ours");
    }
}
