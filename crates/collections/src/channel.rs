//! Channels as inputs.

use std::sync::Arc;

use tokio::sync::{mpsc, oneshot};

use crate::batch::stage;
use crate::{Graph, Key, LiveSet};

/// A change that arrives through a channel; see [`Graph::channel`].
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ChannelEvent<K, V> {
    /// Sets the value of a key.
    Insert(K, V),
    /// Removes a key.
    Remove(K),
    /// Replaces all entries: keys that are not named are gone. The first content is complete with it.
    Replace(Vec<(K, V)>),
    /// The first content is complete: everything that was sent before.
    Synced,
}

impl Graph {
    /// Adds the content of a channel as a collection: the end of a stream, a subscription, another system.
    ///
    /// The collection follows the channel while the graph [runs](Self::spawn).
    ///
    /// - **Order**: changes of a key take effect in the order in which they were sent. Those that arrive together are one epoch, in which the
    ///   last one of each key counts.
    /// - **Backpressure**: the channel is the caller's and bounded. The graph takes changes without waiting for an epoch; while they wait for
    ///   one, it keeps one per key.
    /// - **Sync**: the input counts as not synced until [`ChannelEvent::Synced`] or the first [`ChannelEvent::Replace`].
    /// - **End**: when all senders are dropped, the collection keeps its content. If it was not synced, it never will be, because nobody can
    ///   know whether the content is complete. When the collection ends, the channel is closed.
    ///
    /// ```
    /// use client_rs_collections::{ChannelEvent, Graph};
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let graph = Graph::new();
    /// let (sender, receiver) = tokio::sync::mpsc::channel(100);
    /// let weights = graph.channel::<&str, u32>("weights", receiver);
    /// let _running = graph.spawn();
    /// sender.send(ChannelEvent::Insert("web", 3)).await?;
    /// sender.send(ChannelEvent::Synced).await?;
    /// graph.synced().await;
    /// assert_eq!(graph.get(&weights, &"web").as_deref(), Some(&3));
    /// # Ok(())
    /// # }
    /// ```
    pub fn channel<K: Key, V: Send + Sync + 'static>(
        &self,
        name: impl Into<String>,
        mut receiver: mpsc::Receiver<ChannelEvent<K, V>>,
    ) -> LiveSet<K, V> {
        let input = self.input::<K, V>(name).awaiting_sync(self);
        let (alive, mut ended) = oneshot::channel::<()>();
        let weak = Arc::downgrade(input.inbox());
        let follow = async move {
            loop {
                let event = tokio::select! {
                    _ = &mut ended => return,
                    event = receiver.recv() => event,
                };
                let (Some(event), Some(inbox)) = (event, weak.upgrade()) else { return };
                match event {
                    ChannelEvent::Insert(key, value) => inbox.set(key, Some(Arc::new(value))),
                    ChannelEvent::Remove(key) => inbox.set(key, None),
                    ChannelEvent::Replace(entries) => {
                        let entries = entries.into_iter().map(|(key, value)| (key, Some(Arc::new(value))));
                        inbox.replace(entries.collect());
                        inbox.mark_synced();
                    }
                    ChannelEvent::Synced => inbox.mark_synced(),
                }
            }
        };
        self.shared.join(Box::pin(follow));
        let inbox = Arc::clone(input.inbox());
        stage::<K, V>(&mut self.lock(), input.handle().place(), |node| node.keep(Box::new((inbox, alive))));
        self.shared.bell.ring();
        input.live().clone()
    }
}
