//! Where the processes of a scenario write to: it lets in what a fence lets in, and remembers the rest.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use client_rs_leaderelection::{Fence, FencingToken};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Notify;
use tokio::task::JoinHandle;

/// The received messages.
#[derive(Default)]
pub(super) struct Heard {
    /// The token of each term that was reported to begin, in order, and the time.
    pub(super) led: Vec<(FencingToken, Instant)>,
    /// The token of each term that was reported as lost, the reason, and the time.
    pub(super) lost: Vec<(FencingToken, String, Instant)>,
    /// The releases, each with its replica.
    pub(super) released: Vec<String>,
    /// Writes let in and refused, by holder.
    pub(super) accepted: BTreeMap<String, u64>,
    pub(super) refused: BTreeMap<String, u64>,
    /// The one fence of an election, or one of each shard.
    fences: BTreeMap<u32, Fence>,
    /// When each key was last worked, by a write that was let in.
    pub(super) worked: BTreeMap<u32, Instant>,
    /// The number of shards that each replica reported last.
    pub(super) held: BTreeMap<String, usize>,
    /// When each process wrote last.
    last: BTreeMap<String, Instant>,
    /// The processes whose connection has ended, and why.
    ended: Vec<String>,
}

impl Heard {
    /// Whether a write gets in.
    fn admit(&mut self, shard: u32, token: &FencingToken) -> bool {
        let before = self.fences.get(&shard).and_then(|fence| fence.newest().cloned());
        let admitted = self.fences.entry(shard).or_default().admit(token).is_ok();
        // The promise of the fence, checked from outside: an admitted token never goes back.
        if admitted && let Some(before) = before {
            assert!(token.transitions >= before.transitions, "{token} got in after {before}");
        }
        let counts = if admitted { &mut self.accepted } else { &mut self.refused };
        *counts.entry(token.holder.to_string()).or_default() += 1;
        admitted
    }

    /// The state, for a failure: a process that ended or is silent is its first explanation.
    fn summary(&self) -> String {
        let silent: Vec<String> = self
            .last
            .iter()
            .map(|(process, at)| format!("{process} {:.1} s ago", at.elapsed().as_secs_f64()))
            .collect();
        format!(
            "shards held: {:?}; last messages: {silent:?}; ended connections: {:?}",
            self.held, self.ended
        )
    }

    /// The newest term that has written.
    pub(super) fn newest(&self) -> Option<&FencingToken> {
        self.fences.get(&0)?.newest()
    }
}

/// Listens for the processes.
pub(super) struct Sink {
    pub(super) address: SocketAddr,
    heard: Arc<Mutex<Heard>>,
    end: Arc<Notify>,
    task: JoinHandle<()>,
}

impl Sink {
    pub(super) async fn start() -> Result<Self> {
        let listener = TcpListener::bind("127.0.0.1:0").await?;
        let address = listener.local_addr()?;
        let (heard, end) = (Arc::<Mutex<Heard>>::default(), Arc::new(Notify::new()));
        let task = tokio::spawn({
            let (heard, end) = (Arc::clone(&heard), Arc::clone(&end));
            async move {
                while let Ok((stream, _)) = listener.accept().await {
                    let (heard, end) = (Arc::clone(&heard), Arc::clone(&end));
                    tokio::spawn(async move {
                        let mut identity = String::new();
                        // A process that was killed ends in the middle of a line.
                        let ended = listen(stream, &heard, &end, &mut identity).await;
                        let why = ended.map_or_else(|error| format!("{error:#}"), |()| "closed".to_owned());
                        lock(&heard).ended.push(format!("{identity}: {why}"));
                    });
                }
            }
        });
        Ok(Self { address, heard, end, task })
    }

    pub(super) fn heard(&self) -> MutexGuard<'_, Heard> {
        lock(&self.heard)
    }

    /// Requests an orderly end of all processes.
    pub(super) fn end_all(&self) {
        self.end.notify_waiters();
    }

    /// Waits until something has been heard, for at most this long.
    pub(super) async fn until<T>(
        &self,
        what: &str,
        patience: Duration,
        mut holds: impl FnMut(&Heard) -> Option<T>,
    ) -> Result<T> {
        let give_up = Instant::now() + patience;
        loop {
            if let Some(found) = holds(&self.heard()) {
                return Ok(found);
            }
            if Instant::now() > give_up {
                bail!("not within {patience:?}: {what} ({})", self.heard().summary());
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    }
}

impl Drop for Sink {
    fn drop(&mut self) {
        self.task.abort();
    }
}

fn lock(heard: &Mutex<Heard>) -> MutexGuard<'_, Heard> {
    heard.lock().unwrap_or_else(PoisonError::into_inner)
}

async fn listen(stream: TcpStream, heard: &Mutex<Heard>, end: &Notify, identity: &mut String) -> Result<()> {
    let (reader, mut writer) = stream.into_split();
    let mut lines = BufReader::new(reader).lines();
    let ending = end.notified();
    tokio::pin!(ending);
    let mut asked = false;
    loop {
        let line = tokio::select! {
            line = lines.next_line() => line?,
            () = &mut ending, if !asked => {
                asked = true;
                writer.write_all(b"!").await?;
                continue;
            }
        };
        let Some(line) = line else { return Ok(()) };
        let mut heard = lock(heard);
        hear(&mut heard, identity, &line).with_context(|| format!("after {line:?}"))?;
        heard.last.insert(identity.clone(), Instant::now());
    }
}

fn hear(heard: &mut Heard, identity: &mut String, line: &str) -> Result<()> {
    let words: Vec<&str> = line.split(' ').collect();
    match words[..] {
        ["hello", who] => who.clone_into(identity),
        ["lead", token] => heard.led.push((token.parse()?, Instant::now())),
        ["write", token] => {
            heard.admit(0, &token.parse()?);
        }
        ["lost", token, why] => heard.lost.push((token.parse()?, why.to_owned(), Instant::now())),
        ["released", _, how] => heard.released.push(format!("{identity} {how}")),
        ["work", key, shard, token] => {
            if heard.admit(shard.parse()?, &token.parse()?) {
                heard.worked.insert(key.parse()?, Instant::now());
            }
        }
        ["held", shards] => {
            heard.held.insert(identity.clone(), shards.parse()?);
        }
        ["left"] => {
            heard.held.remove(identity);
        }
        _ => bail!("not understood"),
    }
    Ok(())
}
