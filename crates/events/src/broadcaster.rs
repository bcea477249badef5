//! A broadcaster of items to any number of watchers.

use std::collections::VecDeque;
use std::fmt;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll};

use futures_core::Stream;
use tokio::sync::mpsc::error::TrySendError;
use tokio::sync::{Notify, mpsc};
use tokio::task::JoinHandle;

use crate::drops::Drops;

/// The behaviour if a watcher does not keep up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum FullChannel {
    /// Backpressure: the distribution waits for it, so all other watchers wait too, and in the end the senders.
    Wait,
    /// The item is dropped for this watcher only. Drops are counted, and logged at most once in ten seconds.
    #[default]
    Drop,
}

client_rs_machinery::options! {
    /// The queues of a [`Broadcaster`].
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct BroadcasterOptions {
        /// How many items may wait to be distributed. Default: 25. At least 1.
        pub incoming: usize => with_incoming,
        /// How many items may wait for each watcher. Default: 1,000. At least 1.
        pub queue: usize => with_queue,
        /// The behaviour if a watcher's queue is full. Default: [`FullChannel::Drop`].
        pub full: FullChannel => with_full,
    }
}

impl Default for BroadcasterOptions {
    fn default() -> Self {
        Self { incoming: 25, queue: 1000, full: FullChannel::Drop }
    }
}

/// The broadcaster has been shut down.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the broadcaster has been shut down")]
pub struct Stopped;

/// Delivers every item to every watcher, in the order in which they were sent.
///
/// [`EventBroadcaster`](crate::EventBroadcaster) is built on it. Use it directly for other items; if a slow watcher may lose
/// old items instead of new ones, `tokio::sync::broadcast` is simpler.
///
/// - A watcher sees every item that is sent after [`watch`](Self::watch) returned, and none from before.
/// - One task distributes. Memory is bounded by [`BroadcasterOptions`].
/// - After [`shutdown`](Self::shutdown) no item is accepted. Items that were accepted are still distributed, and then each
///   watcher's stream ends. Dropping the broadcaster does the same without waiting.
///
/// ```
/// use client_rs_events::{Broadcaster, BroadcasterOptions, Stopped};
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Stopped> {
/// let broadcaster = Broadcaster::new(BroadcasterOptions::default());
/// let (mut first, mut second) = (broadcaster.watch()?, broadcaster.watch()?);
/// broadcaster.action("hello").await?;
/// broadcaster.shutdown().await;
/// assert_eq!((first.next().await, second.next().await), (Some("hello"), Some("hello")));
/// assert_eq!(first.next().await, None);
/// assert_eq!(broadcaster.action("late").await, Err(Stopped));
/// # Ok(())
/// # }
/// ```
pub struct Broadcaster<T> {
    shared: Arc<Shared<T>>,
    task: Mutex<Option<JoinHandle<()>>>,
}

impl<T: Clone + Send + 'static> Broadcaster<T> {
    /// Starts distributing, on the current tokio runtime.
    pub fn new(options: BroadcasterOptions) -> Self {
        let shared = Arc::new(Shared {
            options: BroadcasterOptions {
                incoming: options.incoming.max(1),
                queue: options.queue.max(1),
                ..options
            },
            state: Mutex::new(State {
                incoming: VecDeque::new(),
                taken: 0,
                watchers: Vec::new(),
                stopped: false,
            }),
            arrived: Notify::new(),
            room: Notify::new(),
            drops: Arc::default(),
        });
        let task = tokio::spawn(distribute(Arc::clone(&shared)));
        Self { shared, task: Mutex::new(Some(task)) }
    }

    /// Sends an item. Waits for room in the incoming queue.
    ///
    /// Cancellation: an item whose future is dropped before it returned was not sent.
    pub async fn action(&self, item: T) -> Result<(), Stopped> {
        let mut item = Some(item);
        loop {
            let room = self.shared.room.notified();
            tokio::pin!(room);
            // Enabled before the check, so that room that appears in between is not missed.
            room.as_mut().enable();
            if self.shared.offer(&mut item)? {
                return Ok(());
            }
            room.await;
        }
    }

    /// Sends an item, or drops it and returns `Ok(false)` if the incoming queue is full. Never waits.
    ///
    /// ```
    /// use client_rs_events::{Broadcaster, BroadcasterOptions};
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() {
    /// let broadcaster = Broadcaster::new(BroadcasterOptions::default().with_incoming(1_usize));
    /// // Nothing was distributed yet, so the queue of one item is full.
    /// assert_eq!(broadcaster.action_or_drop(1), Ok(true));
    /// assert_eq!(broadcaster.action_or_drop(2), Ok(false));
    /// assert_eq!(broadcaster.dropped(), 1);
    /// # }
    /// ```
    pub fn action_or_drop(&self, item: T) -> Result<bool, Stopped> {
        let sent = self.shared.offer(&mut Some(item))?;
        if !sent {
            self.shared.drops.add("the incoming queue is full");
        }
        Ok(sent)
    }

    /// The number of items that were dropped so far, because the incoming queue was full or a watcher did not keep up. An
    /// item that is dropped for two watchers counts twice.
    pub fn dropped(&self) -> u64 {
        self.shared.drops.total()
    }

    pub(crate) fn drops(&self) -> Arc<Drops> {
        Arc::clone(&self.shared.drops)
    }

    /// A new watcher of all items that are sent from now on.
    pub fn watch(&self) -> Result<Watcher<T>, Stopped> {
        self.watch_with_prefix(std::iter::empty())
    }

    /// A new watcher that sees these items first. Its queue has room for all of them.
    ///
    /// ```
    /// use client_rs_events::{Broadcaster, BroadcasterOptions};
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), client_rs_events::Stopped> {
    /// let broadcaster = Broadcaster::new(BroadcasterOptions::default());
    /// let mut late = broadcaster.watch_with_prefix(["the state so far"])?;
    /// broadcaster.action("a change").await?;
    /// assert_eq!(late.next().await, Some("the state so far"));
    /// assert_eq!(late.next().await, Some("a change"));
    /// # Ok(())
    /// # }
    /// ```
    pub fn watch_with_prefix(&self, prefix: impl IntoIterator<Item = T>) -> Result<Watcher<T>, Stopped> {
        let prefix: Vec<T> = prefix.into_iter().collect();
        let (sender, receiver) = mpsc::channel(self.shared.options.queue.max(prefix.len() + 1));
        for item in prefix {
            // There is room: the queue was sized for them.
            let _ = sender.try_send(item);
        }
        let mut state = self.shared.lock();
        if state.stopped {
            return Err(Stopped);
        }
        let from = state.taken + state.incoming.len() as u64;
        state.watchers.push(Slot { from, sender });
        Ok(Watcher { receiver })
    }

    /// How many items wait to be distributed.
    pub fn pending(&self) -> usize {
        self.shared.lock().incoming.len()
    }

    /// Accepts no more items, and returns when all accepted items are in the watchers' queues. A second call returns at
    /// once.
    pub async fn shutdown(&self) {
        self.close();
        let task = self.task.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(task) = task {
            // The task ends by itself; it can only fail by a panic of an item's `clone`.
            let _ = task.await;
        }
    }

    /// Accepts no more items. Does not wait.
    pub fn close(&self) {
        self.shared.lock().stopped = true;
        self.shared.arrived.notify_one();
        self.shared.room.notify_waiters();
    }
}

impl<T> Drop for Broadcaster<T> {
    fn drop(&mut self) {
        self.shared.lock().stopped = true;
        self.shared.arrived.notify_one();
        self.shared.room.notify_waiters();
    }
}

impl<T> fmt::Debug for Broadcaster<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let state = self.shared.lock();
        f.debug_struct("Broadcaster")
            .field("options", &self.shared.options)
            .field("pending", &state.incoming.len())
            .field("watchers", &state.watchers.len())
            .field("stopped", &state.stopped)
            .field("dropped", &self.shared.drops)
            .finish_non_exhaustive()
    }
}

/// The stream of items of one watcher of a [`Broadcaster`]. Dropping it ends the watch.
#[derive(Debug)]
#[must_use = "the watch ends when this is dropped"]
pub struct Watcher<T> {
    receiver: mpsc::Receiver<T>,
}

impl<T> Watcher<T> {
    /// The next item; `None` after a shutdown, when all items were returned. Cancel safe.
    pub async fn next(&mut self) -> Option<T> {
        self.receiver.recv().await
    }
}

impl<T> Stream for Watcher<T> {
    type Item = T;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<T>> {
        self.receiver.poll_recv(cx)
    }
}

struct Shared<T> {
    options: BroadcasterOptions,
    state: Mutex<State<T>>,
    arrived: Notify,
    room: Notify,
    drops: Arc<Drops>,
}

struct State<T> {
    incoming: VecDeque<T>,
    /// How many items have left `incoming`: the number of its front item.
    taken: u64,
    watchers: Vec<Slot<T>>,
    stopped: bool,
}

struct Slot<T> {
    /// The number of the first item that is for it.
    from: u64,
    sender: mpsc::Sender<T>,
}

impl<T> Shared<T> {
    fn lock(&self) -> MutexGuard<'_, State<T>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Enqueues the item. Returns whether there was room.
    fn offer(&self, item: &mut Option<T>) -> Result<bool, Stopped> {
        let mut state = self.lock();
        if state.stopped {
            return Err(Stopped);
        }
        if state.incoming.len() >= self.options.incoming {
            return Ok(false);
        }
        state.incoming.extend(item.take());
        drop(state);
        self.arrived.notify_one();
        Ok(true)
    }
}

async fn distribute<T: Clone + Send>(shared: Arc<Shared<T>>) {
    loop {
        let next = {
            let mut state = shared.lock();
            state.watchers.retain(|watcher| !watcher.sender.is_closed());
            match state.incoming.pop_front() {
                Some(item) => {
                    let number = state.taken;
                    state.taken += 1;
                    let due = state.watchers.iter().filter(|watcher| watcher.from <= number);
                    Some((item, due.map(|watcher| watcher.sender.clone()).collect::<Vec<_>>()))
                }
                None if state.stopped => {
                    state.watchers.clear();
                    return;
                }
                None => None,
            }
        };
        let Some((item, watchers)) = next else {
            shared.arrived.notified().await;
            continue;
        };
        shared.room.notify_one();
        for watcher in watchers {
            match shared.options.full {
                // An error means that the watcher was dropped.
                FullChannel::Wait => drop(watcher.send(item.clone()).await),
                FullChannel::Drop => {
                    if let Err(TrySendError::Full(_)) = watcher.try_send(item.clone()) {
                        shared.drops.add("a watcher does not keep up");
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn broadcaster(incoming: usize, queue: usize, full: FullChannel) -> Broadcaster<u32> {
        Broadcaster::new(BroadcasterOptions { incoming, queue, full })
    }

    async fn rest(mut watcher: Watcher<u32>) -> Vec<u32> {
        let mut seen = Vec::new();
        while let Some(item) = watcher.next().await {
            seen.push(item);
        }
        seen
    }

    #[tokio::test(start_paused = true)]
    async fn every_watcher_sees_later_items_in_order() {
        let broadcaster = broadcaster(25, 100, FullChannel::Wait);
        let first = broadcaster.watch().unwrap();
        broadcaster.action(1).await.unwrap();
        let second = broadcaster.watch_with_prefix([10, 11]).unwrap();
        broadcaster.action(2).await.unwrap();
        drop(broadcaster.watch().unwrap());
        assert!(broadcaster.action_or_drop(3).unwrap());
        broadcaster.shutdown().await;
        assert_eq!(rest(first).await, [1, 2, 3]);
        assert_eq!(rest(second).await, [10, 11, 2, 3]);
    }

    #[tokio::test(start_paused = true)]
    async fn a_slow_watcher_loses_items_alone_or_holds_everybody() {
        let dropping = broadcaster(25, 2, FullChannel::Drop);
        let (slow, mut quick) = (dropping.watch().unwrap(), dropping.watch().unwrap());
        for item in 0..5 {
            dropping.action(item).await.unwrap();
            assert_eq!(quick.next().await, Some(item));
        }
        dropping.shutdown().await;
        assert_eq!(dropping.dropped(), 3);
        assert_eq!(rest(slow).await, [0, 1]);
        assert_eq!(quick.next().await, None);

        let waiting = broadcaster(1, 1, FullChannel::Wait);
        let mut slow = waiting.watch().unwrap();
        // One in its queue, one with the distributor, one incoming: then there is no room.
        let mut sent = 0;
        while tokio::time::timeout(std::time::Duration::from_secs(1), waiting.action(sent)).await.is_ok() {
            sent += 1;
        }
        assert_eq!(sent, 3);
        assert!(!waiting.action_or_drop(9).unwrap());
        assert_eq!(slow.next().await, Some(0));
        waiting.action(3).await.unwrap();
        waiting.close();
        assert_eq!(rest(slow).await, [1, 2, 3]);
    }

    #[tokio::test(start_paused = true)]
    async fn after_shutdown_nothing_is_taken() {
        let broadcaster = broadcaster(1, 1, FullChannel::Drop);
        broadcaster.shutdown().await;
        broadcaster.shutdown().await;
        assert_eq!(broadcaster.action(1).await, Err(Stopped));
        assert_eq!(broadcaster.action_or_drop(1), Err(Stopped));
        assert_eq!(broadcaster.watch().err(), Some(Stopped));
    }

    #[tokio::test(start_paused = true)]
    async fn a_sender_that_waits_for_room_returns_at_the_shutdown() {
        let broadcaster = Arc::new(broadcaster(1, 1, FullChannel::Wait));
        let _watcher = broadcaster.watch().unwrap();
        let sender = tokio::spawn({
            let broadcaster = Arc::clone(&broadcaster);
            async move {
                for item in 0..10 {
                    broadcaster.action(item).await?;
                }
                Ok(())
            }
        });
        tokio::time::sleep(std::time::Duration::from_secs(1)).await;
        broadcaster.close();
        assert_eq!(sender.await.unwrap(), Err(Stopped));
    }
}
