//! Ends a cluster, or a build, when the process that started it is gone, however it went.
//!
//! A shell waits at the other end of a pipe. The kernel closes the pipe when our process ends, also by
//! SIGKILL; then the shell ends the cluster's programs and removes its folder. A parent-death signal won't
//! do: it is sent when the *thread* that started the program ends, and tests are threads.
//!
//! The programs are members of the shell's process group and are signalled as "my group": a group's number
//! can't be given to others while a member lives, and the shell is one. So no other process can be hit.

use std::io::Write;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};

use crate::error::{Context, Result};

/// SIGQUIT ends a Go program at once, and unlike SIGKILL the shell itself can ignore it to clean up after.
/// The PIDs passed to it only serve to wait, for 10 s at most; they get no signal.
const SCRIPT: &str = r#"
trap '' HUP INT QUIT TERM
pids=
while IFS= read -r word; do
    case $word in
        dismiss) exit 0 ;;
        *) pids="$pids $word" ;;
    esac
done
kill -QUIT 0
kill -CONT 0
left=200
for pid in $pids; do
    while [ "$left" -gt 0 ] && kill -0 "$pid" 2>/dev/null; do
        left=$((left - 1))
        sleep 0.05
    done
done
rm -rf -- "$1"
rmdir -- "${1%/*}" 2>/dev/null && rmdir -- "$2" 2>/dev/null
kill -KILL 0
"#;

/// The shell that watches over one cluster.
#[derive(Debug)]
pub(crate) struct Watchdog {
    shell: Child,
    pipe: ChildStdin,
}

impl Watchdog {
    /// Starts watching: when we are gone, `folder` is removed, and the two above it if they are empty.
    pub(crate) fn start(folder: &Path) -> Result<Self> {
        let what = || "start `sh` to watch over the cluster".to_owned();
        let base = folder.parent().and_then(Path::parent).unwrap_or(folder);
        let mut shell = Command::new("/bin/sh")
            .args(["-c", SCRIPT, "sh"])
            .args([folder, base])
            .current_dir("/")
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .process_group(0)
            .spawn()
            .context(what)?;
        let pipe = shell.stdin.take().ok_or_else(|| std::io::Error::other("no pipe")).context(what)?;
        Ok(Self { shell, pipe })
    }

    /// The process group that the cluster's programs join.
    pub(crate) fn group(&self) -> i32 {
        i32::try_from(self.shell.id()).unwrap_or_default()
    }

    /// Waits for this process, too, before it removes the folder.
    pub(crate) fn watch(&mut self, pid: u32) -> Result<()> {
        writeln!(self.pipe, "{pid}").context(|| "reach the shell that watches over the cluster".into())
    }

    /// Ends the watch; the processes keep running.
    pub(crate) fn dismiss(mut self) {
        // A shell that is gone needs no word.
        let _ = writeln!(self.pipe, "dismiss");
        drop(self.pipe);
        let _ = self.shell.wait();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A folder with a file in it, and a process in the watchdog's group that waits for its input to close.
    fn scene(base: &Path) -> (std::path::PathBuf, Watchdog, Child) {
        let folder = base.join("client-rs-7/data/one");
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(folder.join("file"), "").unwrap();
        let mut watchdog = Watchdog::start(&folder).unwrap();
        let program =
            Command::new("cat").stdin(Stdio::piped()).process_group(watchdog.group()).spawn().unwrap();
        watchdog.watch(program.id()).unwrap();
        (folder, watchdog, program)
    }

    #[test]
    fn when_the_pipe_closes_programs_end_and_files_go() {
        let temp = tempfile::tempdir().unwrap();
        let (folder, watchdog, mut program) = scene(temp.path());
        let Watchdog { mut shell, pipe } = watchdog;
        // Held open: `wait` would close it, and the program would end by itself.
        let _open = program.stdin.take();
        // The kernel does the same when a process dies.
        drop(pipe);
        assert!(!program.wait().unwrap().success());
        shell.wait().unwrap();
        assert!(!folder.exists());
        assert!(temp.path().exists() && !temp.path().join("client-rs-7").exists());
    }

    #[test]
    fn a_dismissed_watchdog_leaves_all_as_it_is() {
        let temp = tempfile::tempdir().unwrap();
        let (folder, watchdog, mut program) = scene(temp.path());
        watchdog.dismiss();
        assert!(folder.join("file").exists());
        assert_eq!(program.try_wait().unwrap(), None);
        drop(program.stdin.take());
        assert!(program.wait().unwrap().success());
    }
}
