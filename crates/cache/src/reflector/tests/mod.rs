//! The reflector with a server in memory: its requests, and the deltas in the queue.

mod lists;
mod streams;
mod watches;

use client_rs_machinery::{ApiError, ErrorStatus, GroupVersionKind, ObjectKey, StatusReason, Unstructured};
use std::sync::Mutex;

use super::core::{stage, unfit};
use super::staging::Staging;
use super::*;
use crate::fake_server::{FakeServer, GARBAGE, ListFault, WatchFault, expired};
use crate::fixtures::{TestObject, plain};
use crate::{FetchContext, InOrderFifo, InOrderFifoOptions, Page, Random, Stored, Transform, list_watch};

/// A running reflector.
struct Running {
    queue: Arc<InOrderFifo<TestObject>>,
    handle: ReflectorHandle,
    cancel: CancellationToken,
    task: tokio::task::JoinHandle<()>,
    errors: Arc<Mutex<Vec<String>>>,
}

fn quiet() -> ReflectorOptions<TestObject> {
    ReflectorOptions {
        backoff: Box::new(ExponentialBackoff::new(BackoffOptions::default(), Random::from_fn(|| 0.0))),
        random: Random::from_fn(|| 0.0),
        consistency_check: None,
        watch_list: true,
        ..ReflectorOptions::default()
    }
}

fn plain_lists() -> ReflectorOptions<TestObject> {
    ReflectorOptions { watch_list: false, ..quiet() }
}

fn start(server: &FakeServer, options: ReflectorOptions<TestObject>) -> Running {
    start_with(Arc::new(server.clone()), options, None)
}

fn start_with(
    source: Arc<dyn ListWatch<TestObject>>,
    options: ReflectorOptions<TestObject>,
    transform: Option<Transform<TestObject>>,
) -> Running {
    let queue = Arc::new(fifo(transform));
    let errors = Arc::new(Mutex::new(Vec::new()));
    let told = errors.clone();
    let on_error: WatchErrorHandler = Arc::new(move |error| told.lock().unwrap().push(error.to_string()));
    let options = ReflectorOptions { on_error: Some(on_error), ..options };
    let reflector = Reflector::new(source, queue.clone(), options);
    let (handle, cancel) = (reflector.handle(), CancellationToken::new());
    let task = tokio::spawn(reflector.run(cancel.clone()));
    Running { queue, handle, cancel, task, errors }
}

/// A queue.
fn fifo(transform: Option<Transform<TestObject>>) -> InOrderFifo<TestObject> {
    InOrderFifo::new(InOrderFifoOptions { transform, ..InOrderFifoOptions::default() })
}

/// Lets all tasks run until they wait, with almost no time passing.
async fn settle() {
    tokio::time::sleep(Duration::from_millis(1)).await;
}

impl Running {
    fn deltas(&self) -> Vec<String> {
        let mut deltas = Vec::new();
        let take = |batch: &mut crate::Batch<TestObject>| {
            deltas.extend(batch.deltas.drain(..).map(|delta| format!("{delta:?}")));
            Ok::<_, std::convert::Infallible>(())
        };
        let mut take = take;
        while self.queue.try_pop(&mut take).is_some() {}
        deltas
    }

    fn errors(&self) -> Vec<String> {
        std::mem::take(&mut *self.errors.lock().unwrap())
    }

    /// Checks the requests and the deltas, and stops.
    async fn comes_to(self, server: &FakeServer, requests: &[&str], deltas: &[&str]) {
        settle().await;
        assert_eq!(server.requests(), requests);
        assert_eq!(self.deltas(), deltas);
        self.stop().await;
    }

    async fn stop(self) {
        self.cancel.cancel();
        self.task.await.unwrap();
        assert_eq!(self.handle.status().phase, "stopped");
    }
}

mod consistency {
    use super::*;

    fn checked() -> ReflectorOptions<TestObject> {
        ReflectorOptions { consistency_check: Some(ConsistencyCheck::of_objects()), ..quiet() }
    }

    async fn passes(names: &[&str]) {
        let server = FakeServer::with(names);
        // The version must not be 0, for which there is no check.
        server.put("x", "");
        server.delete("x");
        let running = start(&server, checked());
        settle().await;
        let version = names.len() + 2;
        assert_eq!(server.requests(), ["STREAM rv=".into(), format!("LIST rv={version} limit=0 Exact")]);
        assert_eq!(running.deltas(), [format!("ReplacedAll({} objects@{version})", names.len())]);
        assert!(running.errors().is_empty());
        running.stop().await;
    }

    #[tokio::test(start_paused = true)]
    async fn t1_3_01_equal_data_passes() {
        passes(&["a", "b"]).await;
    }

    #[tokio::test(start_paused = true)]
    async fn t1_3_04_two_empty_lists_pass() {
        passes(&[]).await;
    }

    #[tokio::test(start_paused = true)]
    async fn t1_3_02_dynamic_objects_are_compared_too() {
        let object = |value: i64| {
            let mut object = Unstructured::new("v1", "Thing", "a");
            object.object.insert("spec", client_rs_machinery::json!({"value": value}));
            Arc::new(object)
        };
        let check = ConsistencyCheck::<Unstructured>::of_objects();
        let source = list_watch(
            move |_| {
                let items = vec![(*object(1)).clone()];
                std::future::ready(Ok(Page {
                    items,
                    resource_version: "1".into(),
                    continue_token: Str::EMPTY,
                }))
            },
            |_| std::future::pending::<Result<WatchStream<Unstructured>, _>>(),
        );
        for (value, same) in [(1, true), (2, false)] {
            let fetch = FetchContext::default();
            let request = ListOptions::EMPTY;
            let checked = check
                .check(
                    &source,
                    &fetch,
                    |object| Some(Arc::new(object)),
                    &request,
                    "1",
                    &[object(value).into()],
                )
                .await;
            assert_eq!(checked.is_ok(), same);
        }
    }

    /// Lists from one server, watches another.
    struct TwoFaced(FakeServer, FakeServer);
    impl ListWatch<TestObject> for TwoFaced {
        fn list<'a>(
            &'a self,
            options: ListOptions,
            cx: &'a FetchContext<TestObject>,
            items: crate::ItemSink<'a, TestObject>,
        ) -> crate::BoxFuture<'a, Result<client_rs_machinery::wire::ListSummary, FetchError>> {
            self.0.list(options, cx, items)
        }

        fn watch<'a>(
            &'a self,
            options: ListOptions,
            cx: &'a FetchContext<TestObject>,
        ) -> crate::BoxFuture<'a, Result<WatchStream<TestObject>, FetchError>> {
            self.1.watch(options, cx)
        }
    }

    #[tokio::test(start_paused = true)]
    async fn t1_3_07_a_difference_is_reported_and_the_plain_list_counts() {
        let server = FakeServer::with(&["a"]);
        // The streamed list lacks an object of the plain list.
        let streamed = FakeServer::with(&["x", "a"]);
        streamed.delete("x");
        server.put("b", "");
        server.put("c", "");
        let source = TwoFaced(server.clone(), streamed.clone());
        let running = start_with(Arc::new(source), checked(), None);
        settle().await;
        let errors = running.errors();
        assert!(errors.len() == 1 && errors[0].contains("ns/b, ns/c"), "{errors:?}");
        assert_eq!(server.requests(), ["LIST rv=3 limit=0 Exact", "LIST rv=0 limit=500"]);
        assert_eq!(running.deltas(), ["ReplacedAll(3 objects@3)"]);
        running.stop().await;
    }

    #[tokio::test(start_paused = true)]
    async fn t1_3_08_a_list_that_fails_is_repeated() {
        let server = FakeServer::with(&["a"]);
        server.list_fault(ListFault::Fails(expired()));
        server.list_fault(ListFault::CutAfter(0));
        let running = start(&server, checked());
        tokio::time::sleep(Duration::from_millis(1999)).await;
        assert!(running.deltas().is_empty());
        tokio::time::sleep(Duration::from_millis(10)).await;
        assert_eq!(running.deltas(), ["ReplacedAll(1 objects@1)"]);
        running.stop().await;
    }
}
