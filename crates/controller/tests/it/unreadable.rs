//! Objects that the cache has only in an older version, because the newer one can't be decoded.
#![allow(clippy::unwrap_used, reason = "tests may panic")]

use std::time::Duration;

use client_rs_api::core::v1::ConfigMap;
use client_rs_apiserver::{Server, ServerOptions};
use client_rs_cache::{
    BoxFuture, Collection, FetchContext, FetchError, Incoming, ItemSink, ListWatch, SharedInformer,
    Undecodable, WatchStream,
};
use client_rs_client::Api;
use client_rs_controller::{Action, Context, Controller};
use client_rs_informers::RestListWatch;
use client_rs_machinery::meta::v1::ListOptions;
use client_rs_machinery::wire::{ListSummary, WatchEvent};
use client_rs_machinery::{Json, Object, ObjectKey, json};
use futures_util::StreamExt as _;
use tokio_util::sync::CancellationToken;

/// A source whose type can't decode objects with the label `unreadable`.
struct Strict(RestListWatch<ConfigMap>);

impl ListWatch<ConfigMap> for Strict {
    fn list<'a>(
        &'a self,
        options: ListOptions,
        cx: &'a FetchContext<ConfigMap>,
        items: ItemSink<'a, ConfigMap>,
    ) -> BoxFuture<'a, Result<ListSummary, FetchError>> {
        self.0.list(options, cx, items)
    }

    fn watch<'a>(
        &'a self,
        options: ListOptions,
        cx: &'a FetchContext<ConfigMap>,
    ) -> BoxFuture<'a, Result<WatchStream<ConfigMap>, FetchError>> {
        Box::pin(async move {
            let watch = self.0.watch(options, cx).await?;
            Ok(Box::pin(watch.map(|event| event.map(strict))) as WatchStream<ConfigMap>)
        })
    }

    fn supports_watch_list(&self) -> bool {
        false
    }

    fn collection(&self) -> Option<Collection> {
        self.0.collection()
    }
}

fn strict<E>(event: WatchEvent<Incoming<ConfigMap>, E>) -> WatchEvent<Incoming<ConfigMap>, E> {
    let WatchEvent::Modified(Incoming::Object(map)) = event else { return event };
    if map.label("unreadable").is_none() {
        return WatchEvent::Modified(Incoming::Object(map));
    }
    WatchEvent::Modified(Incoming::Undecodable(Undecodable {
        key: map.key(),
        resource_version: map.resource_version().into(),
        error: Json::parse(b"{").unwrap_err(),
    }))
}

#[tokio::test(start_paused = true)]
async fn a_write_of_an_object_whose_newest_version_is_unreadable_is_sent() {
    let server = Server::start_with(ServerOptions::default().with_listen(None)).await.unwrap();
    let rest = server.rest_client().unwrap();
    let api = Api::<ConfigMap>::namespaced(&rest, "default");
    let document = || json!({"metadata": {"name": "a"}, "data": {"a": "1"}});
    api.apply(document(), "writer").await.unwrap();
    let maps = SharedInformer::new(Strict(RestListWatch::new(rest.clone()).namespace("default")));
    let _running = maps.spawn();
    let (store, writer) = (maps.indexer().clone(), api.clone());
    let controller = Controller::new("writer", maps.clone()).reconcile(move |key: ObjectKey, _: Context| {
        let (map, api) = (store.get(&key), writer.clone());
        async move {
            if let Some(map) = map {
                // Both equal what the cache has; the second one is refused if that is outdated.
                api.apply(document(), "writer").await?;
                api.update((*map).clone()).await?;
            }
            Ok(Action::requeue_after(Duration::from_secs(5)))
        }
    });
    let sent = || server.controls().requests().iter().filter(|request| request.method != "GET").count();
    let stop = CancellationToken::new();
    let (ended, ()) = tokio::join!(controller.run(stop.clone()), async {
        tokio::time::sleep(Duration::from_mins(1)).await;
        server.controls().clear_requests();
        tokio::time::sleep(Duration::from_mins(1)).await;
        assert_eq!(sent(), 0, "nothing has changed");
        assert!(controller.state().suppressed_writes > 20);
        let other = Api::<ConfigMap>::namespaced(&server.rest_client().unwrap(), "default");
        let change = json!({"metadata": {"name": "a", "labels": {"unreadable": "true"}}, "data": {"a": "2"}});
        other.apply(change, "other").force().await.unwrap();
        tokio::time::sleep(Duration::from_mins(1)).await;
        stop.cancel();
    });
    ended.unwrap();
    assert!(sent() > 1, "the server was not asked");
    let map = api.get("a").await.unwrap();
    assert_eq!((map.data.get("a").unwrap().as_str(), map.label("unreadable")), ("2", Some("true")));
    assert!(controller.state().counts.errors > 0, "{:?}", controller.state());
}
