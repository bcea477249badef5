//! `krs` at a terminal: the process there has it, and the user gets it back.

use std::os::fd::OwnedFd;
use std::process::Stdio;
use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};
use client_rs_tests::{KubeletOptions, Proxy, Stage, eventually};
use rustix::fs::OFlags;
use rustix::process::Signal;
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{LocalModes, Winsize, tcgetattr, tcsetwinsize};
use serde_json::json;
use tokio::process::{Child, Command};
use tokio::sync::mpsc;

use super::krs::{krs, signal};
use super::scene::{POD, Scene, on_kubelet};

/// A terminal, and who sits at it.
struct Desk {
    keyboard: OwnedFd,
    screen: mpsc::UnboundedReceiver<Vec<u8>>,
    terminal: std::fs::File,
    /// The terminal's settings, before.
    before: String,
    seen: Vec<u8>,
}

impl Desk {
    fn new(width: u16, height: u16) -> Result<Self> {
        let keyboard = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY)?;
        grantpt(&keyboard)?;
        unlockpt(&keyboard)?;
        let name = ptsname(&keyboard, Vec::new())?;
        // A daemon's process has no controlling terminal, and would get this one.
        let flags = OFlags::RDWR | OFlags::NOCTTY | OFlags::CLOEXEC;
        let terminal = rustix::fs::open(name.as_c_str(), flags, rustix::fs::Mode::empty())?;
        let mut desk = Self {
            screen: watch(keyboard.try_clone()?),
            keyboard,
            terminal: terminal.into(),
            before: String::new(),
            seen: Vec::new(),
        };
        desk.resize(width, height)?;
        desk.before = desk.settings()?;
        Ok(desk)
    }

    fn resize(&self, width: u16, height: u16) -> Result<()> {
        let size = Winsize { ws_row: height, ws_col: width, ws_xpixel: 0, ws_ypixel: 0 };
        Ok(tcsetwinsize(&self.terminal, size)?)
    }

    fn settings(&self) -> Result<String> {
        Ok(format!("{:?}", tcgetattr(&self.terminal)?))
    }

    /// Starts a command at the terminal.
    fn start(&self, mut command: Command) -> Result<Child> {
        let end = || -> Result<Stdio> { Ok(self.terminal.try_clone()?.into()) };
        Ok(command.stdin(end()?).stdout(end()?).stderr(end()?).spawn()?)
    }

    /// Waits until keys go where the process is.
    async fn until_raw(&self) -> Result<()> {
        eventually("the terminal is raw", || async {
            let modes = tcgetattr(&self.terminal)?.local_modes;
            ensure!(!modes.intersects(LocalModes::ICANON | LocalModes::ECHO | LocalModes::ISIG), "{modes:?}");
            Ok(())
        })
        .await
    }

    /// Types.
    fn send(&self, keys: &[u8]) -> Result<()> {
        ensure!(rustix::io::write(&self.keyboard, keys)? == keys.len(), "not all was typed");
        Ok(())
    }

    /// Reads the screen until this is on it.
    async fn until_seen(&mut self, text: &str) -> Result<()> {
        while !String::from_utf8_lossy(&self.seen).contains(text) {
            match tokio::time::timeout(Duration::from_mins(1), self.screen.recv()).await {
                Ok(Some(more)) => self.seen.extend(more),
                _ => bail!("{text:?} is not to be seen in {:?}", String::from_utf8_lossy(&self.seen)),
            }
        }
        Ok(())
    }

    /// Waits for the end, which must leave the terminal as it was.
    async fn until_over(&self, mut child: Child) -> Result<Option<i32>> {
        let code = child.wait().await?.code();
        let after = self.settings()?;
        ensure!(after == self.before, "the terminal was {}, and is {after}", self.before);
        Ok(code)
    }
}

/// Returns the output on the screen as it arrives. The thread ends with the last holder of the terminal.
fn watch(screen: OwnedFd) -> mpsc::UnboundedReceiver<Vec<u8>> {
    let (sender, receiver) = mpsc::unbounded_channel();
    std::thread::spawn(move || {
        let mut buffer = [0; 4096];
        while let Ok(length) = rustix::io::read(&screen, &mut buffer) {
            if length == 0 || sender.send(buffer[..length].to_vec()).is_err() {
                return;
            }
        }
    });
    receiver
}

/// `krs exec -it` of this command.
fn exec(stage: &Stage, scene: &Scene, command: &[&str]) -> Result<Command> {
    krs(stage, scene, &[&["exec", "-it", POD, "-c", "app", "--"], command].concat())
}

pub(super) async fn given(stage: &Stage) -> Result<()> {
    on_kubelet(stage, KubeletOptions::default(), async |scene: &Scene| {
        // Control-C is for the process there.
        let mut desk = Desk::new(80, 24)?;
        let child = desk.start(exec(stage, scene, &["sh", "-c", "head -c 1 | od -An -tx1; exit 3"])?)?;
        desk.until_raw().await?;
        desk.send(b"\x03")?;
        desk.until_seen(" 03").await?;
        let code = desk.until_over(child).await?;
        ensure!(code == Some(3), "{code:?}");
        desk.until_seen("command terminated with exit code 3").await?;

        let mut desk = Desk::new(100, 40)?;
        let child = desk.start(exec(stage, scene, &["terminal-sizes"])?)?;
        desk.until_seen("100x40").await?;
        desk.resize(120, 50)?;
        // The kernel notifies only the terminal's own session.
        signal(&child, Signal::WINCH)?;
        desk.until_seen("120x50").await?;
        signal(&child, Signal::TERM)?;
        desk.until_over(child).await?;
        Ok(())
    })
    .await
}

pub(super) async fn put_back(stage: &Stage) -> Result<()> {
    on_kubelet(stage, KubeletOptions::default(), async |scene: &Scene| {
        for end in [Signal::INT, Signal::TERM, Signal::HUP, Signal::QUIT] {
            let mut desk = Desk::new(80, 24)?;
            let child = desk.start(exec(stage, scene, &["sh", "-c", "echo begun; exec cat"])?)?;
            desk.until_seen("begun").await?;
            desk.until_raw().await?;
            signal(&child, end)?;
            let code = desk.until_over(child).await?;
            ensure!(code == Some(1), "{end:?}: {code:?}");
        }
        // With success, with an exit code, without a command, and with a missing container.
        for (command, expected, said) in [
            (&["echo", "hello"][..], 0, "hello"),
            (&["false"], 1, "command terminated with exit code 1"),
            (&["/no/such/command"], 1, "error:"),
        ] {
            let mut desk = Desk::new(80, 24)?;
            let child = desk.start(exec(stage, scene, command)?)?;
            desk.until_seen(said).await?;
            let code = desk.until_over(child).await?;
            ensure!(code == Some(expected), "{command:?}: {code:?}");
        }
        // A connection that is lost.
        let proxy = Proxy::start(stage.config()).await?;
        let server = proxy.config(stage.config())?.server.to_string();
        let words =
            ["--server", &server, "exec", "-it", POD, "-c", "app", "--", "sh", "-c", "echo begun; exec cat"];
        let mut desk = Desk::new(80, 24)?;
        let child = desk.start(krs(stage, scene, &words)?)?;
        desk.until_seen("begun").await?;
        desk.until_raw().await?;
        proxy.cut();
        let code = desk.until_over(child).await?;
        ensure!(code == Some(1), "{code:?}");
        desk.until_seen("error:").await?;
        Ok(())
    })
    .await
}

pub(super) async fn detached(stage: &Stage) -> Result<()> {
    on_kubelet(stage, KubeletOptions::default(), async |scene: &Scene| {
        let metadata = json!({"name": "shell", "namespace": scene.namespace});
        let container = json!({"name": "app", "image": "none", "stdin": true, "tty": true});
        scene.kubelet.pod_of(&scene.client, &metadata, &[container]).await?;
        let mut desk = Desk::new(80, 24)?;
        let child = desk.start(krs(stage, scene, &["attach", "-it", "shell"])?)?;
        desk.until_seen("If you don't see a command prompt, try pressing enter.").await?;
        desk.until_seen("attached").await?;
        desk.until_raw().await?;
        desk.send(b"said\n\x10")?;
        desk.until_seen("said").await?;
        desk.send(b"\x11")?;
        desk.until_seen(&format!(
            "Session ended, resume using 'krs attach shell -c app -n {} -i -t' command",
            scene.namespace
        ))
        .await?;
        let code = desk.until_over(child).await?;
        ensure!(code == Some(0), "{code:?}");
        Ok(())
    })
    .await
    .context("an attachment")
}
