//! A source whose watch events arrive late.

use std::time::Duration;

use client_rs_cache::{BoxFuture, Collection, FetchContext, FetchError, ItemSink, ListWatch, WatchStream};
use client_rs_machinery::Object;
use client_rs_machinery::meta::v1::ListOptions;
use client_rs_machinery::wire::ListSummary;
use futures_util::{StreamExt, stream};
use tokio::sync::mpsc;
use tokio::time::Instant;

/// Passes lists on at once, and each event of a watch after a lag.
pub(super) struct Lagging<L>(pub(super) L, pub(super) Duration);

impl<K: Object, L: ListWatch<K>> ListWatch<K> for Lagging<L> {
    fn list<'a>(
        &'a self,
        options: ListOptions,
        cx: &'a FetchContext<K>,
        items: ItemSink<'a, K>,
    ) -> BoxFuture<'a, Result<ListSummary, FetchError>> {
        self.0.list(options, cx, items)
    }

    fn watch<'a>(
        &'a self,
        options: ListOptions,
        cx: &'a FetchContext<K>,
    ) -> BoxFuture<'a, Result<WatchStream<K>, FetchError>> {
        Box::pin(async move {
            let mut watch = self.0.watch(options, cx).await?;
            let (sender, receiver) = mpsc::unbounded_channel();
            let lag = self.1;
            tokio::spawn(async move {
                while let Some(event) = watch.next().await {
                    if sender.send((Instant::now() + lag, event)).is_err() {
                        return;
                    }
                }
            });
            let late = stream::unfold(receiver, |mut receiver| async {
                let (due, event) = receiver.recv().await?;
                tokio::time::sleep_until(due).await;
                Some((event, receiver))
            });
            Ok(Box::pin(late) as WatchStream<K>)
        })
    }

    fn supports_watch_list(&self) -> bool {
        false
    }

    fn collection(&self) -> Option<Collection> {
        self.0.collection()
    }
}
