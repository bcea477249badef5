//! A control plane of several etcd and several kube-apiservers, whose programs can be killed, paused and started again.

use std::fs::OpenOptions;
use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::os::unix::fs::OpenOptionsExt as _;
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};

use crate::binaries::Binaries;
use crate::error::{Context, Error, Result};
use crate::flags;
use crate::folders::remove_if_empty;
use crate::kubeconfig::{self, Kubeconfig};
use crate::launch::{APISERVER, ETCD, data_folder};
use crate::layout::Layout;
use crate::options::Options;
use crate::pki::Pki;
use crate::probe::Probe;
use crate::watchdog::Watchdog;

const POLL: Duration = Duration::from_millis(100);

/// A program of an [`Ensemble`], by its number from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// A member of the etcd cluster.
    Etcd(usize),
    /// A kube-apiserver. All of them use all members.
    Apiserver(usize),
}

/// A control plane of several etcd and several kube-apiservers on loopback, for tests of what happens when some of them fail.
///
/// It has no controllers. Objects are stored as JSON. etcd serves its clients on loopback without TLS and without a password:
/// there must be no secrets in it. Its history is never compacted by kube-apiserver. Dropping the value ends all programs and removes
/// their files; so does a watchdog when this process ends in another way. Methods block.
#[derive(Debug)]
pub struct Ensemble {
    layout: Layout,
    binaries: Binaries,
    options: Options,
    pki: Pki,
    watchdog: Option<Watchdog>,
    etcds: Vec<Member>,
    apiservers: Vec<Member>,
    /// The addresses of the members for each other.
    peers: Vec<SocketAddr>,
}

#[derive(Debug)]
struct Member {
    /// Where it listens for clients.
    address: SocketAddr,
    /// Where it listens for other members.
    peer: SocketAddr,
    child: Option<Child>,
}

impl Ensemble {
    /// Starts the programs and waits until all kube-apiservers are ready. `way` returns the address at which the other members
    /// reach a member that listens at the given one: a proxy, or the same address.
    pub fn start(
        etcds: usize,
        apiservers: usize,
        options: Options,
        mut way: impl FnMut(SocketAddr) -> SocketAddr,
    ) -> Result<Self> {
        let binaries = Binaries::of(&options)?;
        let folder = data_folder(&options.folders, "ensemble")?;
        let watchdog = Some(Watchdog::start(&folder)?);
        let layout = Layout::new(&folder)?;
        let pki = Pki::create(&layout)?;
        let ports = free_ports(2 * etcds + apiservers)?;
        let local = |place: usize| SocketAddr::from((Ipv4Addr::LOCALHOST, ports[place]));
        let member = |client, peer| Member { address: local(client), peer: local(peer), child: None };
        let etcds: Vec<_> = (0..etcds).map(|number| member(2 * number, 2 * number + 1)).collect();
        let first = 2 * etcds.len();
        let apiservers = (first..first + apiservers).map(|place| member(place, place)).collect();
        let peers = etcds.iter().map(|member| way(member.peer)).collect();
        let mut ensemble = Self { layout, binaries, options, pki, watchdog, etcds, apiservers, peers };
        for number in 0..ensemble.etcds.len() {
            ensemble.run(Part::Etcd(number))?;
        }
        // One after the other: the first one creates what all of them need.
        for number in 0..ensemble.apiservers.len() {
            ensemble.run(Part::Apiserver(number))?;
            ensemble.wait_for(number)?;
        }
        Ok(ensemble)
    }

    /// Returns the addresses at which the members of etcd serve clients, over plain HTTP.
    pub fn etcds(&self) -> Vec<SocketAddr> {
        self.etcds.iter().map(|member| member.address).collect()
    }

    /// Returns the addresses of the kube-apiservers.
    pub fn apiservers(&self) -> Vec<SocketAddr> {
        self.apiservers.iter().map(|member| member.address).collect()
    }

    /// Writes a kubeconfig of an administrator that reaches the control plane at an address of loopback, such as that of a balancer.
    /// Returns its path, which is removed with the control plane.
    pub fn kubeconfig(&self, address: SocketAddr) -> Result<PathBuf> {
        let name = format!("kubeconfig-{}", address.port());
        self.layout.write(&name, &kubeconfig::admin(&format!("https://{address}"), &self.pki))?;
        Ok(self.layout.file(&name))
    }

    /// The folder with the logs and the data.
    pub fn folder(&self) -> &Path {
        self.layout.folder()
    }

    /// Returns whether a program runs, or is paused.
    pub fn is_running(&mut self, part: Part) -> bool {
        self.member(part).child.as_mut().is_some_and(|child| matches!(child.try_wait(), Ok(None)))
    }

    /// Starts a program that does not run. It is not waited for.
    pub fn run(&mut self, part: Part) -> Result<()> {
        if self.is_running(part) {
            return Ok(());
        }
        let (program, name, flags) = match part {
            Part::Etcd(number) => (ETCD, format!("{ETCD}-{number}"), self.etcd_flags(number)),
            Part::Apiserver(number) => {
                (APISERVER, format!("{APISERVER}-{number}"), self.apiserver_flags(number))
            }
        };
        let what = || format!("start {name}");
        let log = OpenOptions::new().create(true).append(true).mode(0o600).open(self.layout.log(&name));
        let log = log.context(what)?;
        let also = log.try_clone().context(what)?;
        let mut command = Command::new(self.binaries.path(program));
        command.args(flags).current_dir(self.layout.folder()).stdin(Stdio::null()).stdout(log).stderr(also);
        if let Some(watchdog) = &self.watchdog {
            command.process_group(watchdog.group());
        }
        let child = command.spawn().context(what)?;
        if let Some(watchdog) = &mut self.watchdog {
            watchdog.watch(child.id())?;
        }
        self.member(part).child = Some(child);
        Ok(())
    }

    /// Ends a program at once, with SIGKILL.
    pub fn kill(&mut self, part: Part) -> Result<()> {
        let Some(mut child) = self.member(part).child.take() else { return Ok(()) };
        // An error means that it has ended.
        let _ = child.kill();
        child.wait().context(|| format!("wait for {part:?}"))?;
        Ok(())
    }

    /// Pauses a program with SIGSTOP: its connections stay open, and nobody answers.
    pub fn pause(&mut self, part: Part) -> Result<()> {
        self.signal(part, Signal::STOP)
    }

    /// Lets a paused program continue.
    pub fn resume(&mut self, part: Part) -> Result<()> {
        self.signal(part, Signal::CONT)
    }

    /// Waits until a kube-apiserver is ready.
    pub fn wait_for(&mut self, number: usize) -> Result<()> {
        let deadline = Instant::now() + self.options.start_timeout;
        let path = self.kubeconfig(self.apiservers[number].address)?;
        let probe = Probe::new(&Kubeconfig::read(&path)?.access(None)?)?;
        loop {
            if !self.is_running(Part::Apiserver(number)) {
                let what = format!("kube-apiserver {number} has ended: see {}", self.folder().display());
                return Err(Error::Component { component: APISERVER, what, log: None });
            }
            let answer = match probe.get("/readyz") {
                Ok(answer) if answer.status == 200 => return Ok(()),
                Ok(answer) => format!("status {}", answer.status),
                Err(error) => error.to_string(),
            };
            if Instant::now() > deadline {
                let what = format!("kube-apiserver {number} did not get ready in time ({answer})");
                return Err(Error::Component { component: APISERVER, what, log: None });
            }
            thread::sleep(POLL);
        }
    }

    /// Copies the data of all members of etcd. None of them may run.
    pub fn back_up(&mut self) -> Result<()> {
        self.copy("etcd", "backup")
    }

    /// Sets the data of all members of etcd back to the last copy. None of them may run. Revisions are used again.
    pub fn restore(&mut self) -> Result<()> {
        self.copy("backup", "etcd")
    }

    fn copy(&mut self, from: &str, to: &str) -> Result<()> {
        for number in 0..self.etcds.len() {
            if self.is_running(Part::Etcd(number)) {
                let what = format!("its data can't be copied while member {number} runs");
                return Err(Error::Component { component: ETCD, what, log: None });
            }
            let (from, to) =
                (self.layout.file(&format!("{from}-{number}")), self.layout.file(&format!("{to}-{number}")));
            if to.exists() {
                std::fs::remove_dir_all(&to).context(|| format!("remove {}", to.display()))?;
            }
            copy_folder(&from, &to).context(|| format!("copy {} to {}", from.display(), to.display()))?;
        }
        Ok(())
    }

    fn member(&mut self, part: Part) -> &mut Member {
        match part {
            Part::Etcd(number) => &mut self.etcds[number],
            Part::Apiserver(number) => &mut self.apiservers[number],
        }
    }

    fn signal(&mut self, part: Part, signal: Signal) -> Result<()> {
        // It is not reaped before `kill`, so no other process has its number.
        let pid = self.member(part).child.as_ref().and_then(|child| i32::try_from(child.id()).ok());
        let Some(pid) = pid.and_then(Pid::from_raw) else { return Ok(()) };
        kill_process(pid, signal)
            .map_err(std::io::Error::from)
            .context(|| format!("send a signal to {part:?}"))
    }

    fn etcd_flags(&self, number: usize) -> Vec<String> {
        let member = &self.etcds[number];
        let cluster: Vec<String> = self
            .peers
            .iter()
            .enumerate()
            .map(|(other, peer)| format!("member-{other}=http://{peer}"))
            .collect();
        vec![
            format!("--name=member-{number}"),
            format!("--data-dir={}", self.layout.text(&format!("etcd-{number}"))),
            format!("--listen-client-urls=http://{}", member.address),
            format!("--advertise-client-urls=http://{}", member.address),
            format!("--listen-peer-urls=http://{}", member.peer),
            format!("--initial-advertise-peer-urls=http://{}", self.peers[number]),
            format!("--initial-cluster={}", cluster.join(",")),
            "--unsafe-no-fsync=true".into(),
            "--log-level=warn".into(),
        ]
    }

    fn apiserver_flags(&self, number: usize) -> Vec<String> {
        let mut flags = flags::apiserver(&self.layout, &self.options, self.apiservers[number].address.port());
        let etcds: Vec<String> =
            self.etcds.iter().map(|member| format!("http://{}", member.address)).collect();
        // The last of a repeated flag wins, except for lists.
        flags.retain(|flag| !flag.starts_with("--etcd-servers="));
        flags.push(format!("--etcd-servers={}", etcds.join(",")));
        flags.push("--storage-media-type=application/json".into());
        flags.push("--etcd-compaction-interval=0".into());
        flags
    }
}

impl Drop for Ensemble {
    fn drop(&mut self) {
        for member in self.apiservers.iter_mut().chain(&mut self.etcds) {
            if let Some(mut child) = member.child.take() {
                let _ = child.kill();
                let _ = child.wait();
            }
        }
        let Some(watchdog) = self.watchdog.take() else { return };
        if let Err(error) = std::fs::remove_dir_all(self.layout.folder()) {
            eprintln!("warning: can't remove {}: {error}", self.layout.folder().display());
        }
        if let Some(data) = self.layout.folder().parent() {
            remove_if_empty(data);
        }
        watchdog.dismiss();
    }
}

/// Returns ports of loopback that nobody uses now.
fn free_ports(count: usize) -> Result<Vec<u16>> {
    let listeners: std::io::Result<Vec<_>> =
        (0..count).map(|_| TcpListener::bind((Ipv4Addr::LOCALHOST, 0))).collect();
    let ports = listeners.and_then(|listeners| {
        listeners
            .iter()
            .map(|listener| Ok(listener.local_addr()?.port()))
            .collect::<std::io::Result<Vec<_>>>()
    });
    ports.context(|| "find free ports of 127.0.0.1".into())
}

fn copy_folder(from: &Path, to: &Path) -> std::io::Result<()> {
    std::fs::create_dir_all(to)?;
    for entry in std::fs::read_dir(from)? {
        let entry = entry?;
        let target = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            copy_folder(&entry.path(), &target)?;
        } else {
            std::fs::copy(entry.path(), target)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_are_copied_with_all_that_is_in_them() {
        let temp = tempfile::tempdir().unwrap();
        let (from, to) = (temp.path().join("a"), temp.path().join("b"));
        std::fs::create_dir_all(from.join("member/wal")).unwrap();
        std::fs::write(from.join("member/wal/0.wal"), "log").unwrap();
        copy_folder(&from, &to).unwrap();
        assert_eq!(std::fs::read_to_string(to.join("member/wal/0.wal")).unwrap(), "log");
    }

    #[test]
    fn free_ports_differ() {
        let mut ports = free_ports(9).unwrap();
        ports.sort_unstable();
        ports.dedup();
        assert_eq!(ports.len(), 9);
    }
}
