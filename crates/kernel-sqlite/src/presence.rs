//! Shows other processes with the same file that this process runs: it locks a file of its own beside the database. The
//! system releases the lock with the process, however the process ends.

use std::fs::{File, TryLockError};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use tempfile::NamedTempFile;

/// The suffix of the files' names.
const SUFFIX: &str = ".alive";

/// The file of this process. It is created when it is first needed, and removed when the store is closed or dropped.
#[derive(Debug)]
pub(crate) struct Presence {
    database: PathBuf,
    file: Mutex<Option<NamedTempFile>>,
}

impl Presence {
    pub(crate) fn new(database: &Path) -> Self {
        Self { database: database.to_owned(), file: Mutex::default() }
    }

    /// The name of this process's file; `None` if it cannot be created.
    pub(crate) fn name(&self) -> Option<String> {
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        if file.is_none() {
            *file = self
                .make()
                .inspect_err(|error| tracing::warn!(%error, "nobody will see when this process is gone"))
                .ok();
        }
        Some(file.as_ref()?.path().file_name()?.to_str()?.to_owned())
    }

    /// Removes the file, after the process has released its leases.
    pub(crate) fn end(&self) {
        self.file.lock().unwrap_or_else(PoisonError::into_inner).take();
    }

    fn make(&self) -> std::io::Result<NamedTempFile> {
        let prefix = format!("{}-", self.database.file_name().unwrap_or_default().to_string_lossy());
        // The files of other processes are removed: a process that ended in order has released its leases, so no lease
        // names them.
        for entry in std::fs::read_dir(self.folder())?.flatten() {
            if let Some(name) = entry.file_name().to_str().filter(|name| name.starts_with(&prefix)) {
                self.is_gone(name);
            }
        }
        let make = || {
            let file = tempfile::Builder::new().prefix(&prefix).suffix(SUFFIX).tempfile_in(self.folder())?;
            file.as_file().try_lock()?;
            // No other process removes a locked file, but one may have removed it before the lock.
            std::fs::metadata(file.path())?;
            Ok(file)
        };
        // Another process may have removed the file in that moment.
        make().or_else(|_: std::io::Error| make())
    }

    /// Whether the process whose file has that name has certainly ended.
    pub(crate) fn is_gone(&self, name: &str) -> bool {
        if !name.ends_with(SUFFIX) || Path::new(name).file_name().is_none_or(|file| file != name) {
            return false;
        }
        let path = self.folder().join(name);
        match File::open(&path).map(|file| file.try_lock().map(|()| file)) {
            // The process ended without removing its file.
            Ok(Ok(file)) => {
                let _ = std::fs::remove_file(&path);
                drop(file);
                true
            }
            Ok(Err(TryLockError::WouldBlock | TryLockError::Error(_))) => false,
            Err(error) => error.kind() == std::io::ErrorKind::NotFound,
        }
    }

    fn folder(&self) -> &Path {
        self.database.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_processes_left_behind_is_cleared_away() {
        let folder = tempfile::tempdir().unwrap();
        let presence = || Presence::new(&folder.path().join("p.db"));
        let left = folder.path().join("p.db-left.alive");
        for other in ["p.db-left.alive", "p.db-wal", "q.db-left.alive"] {
            File::create(folder.path().join(other)).unwrap();
        }
        let (here, there) = (presence(), presence());
        let names = [here.name().unwrap(), there.name().unwrap()];
        assert!(
            !left.exists() && folder.path().join("p.db-wal").exists() && folder.path().join("q.db-left.alive").exists()
        );
        assert!(!here.is_gone(&names[1]) && !there.is_gone(&names[0]), "both are there");
        drop(there);
        assert!(here.is_gone(&names[1]));
        assert!(!here.is_gone("../p.db-x.alive") && !here.is_gone("p.db"), "no name of such a file");
    }
}
