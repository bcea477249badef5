use std::sync::{Arc, Mutex};
use std::time::Duration;

use client_rs_cache::{FactoryOptions, InformerFactory};
use client_rs_machinery::ObjectKey;
use http::Method;
use tokio_util::sync::CancellationToken;

use super::source::{Source, thing};
use crate::manager::{Answers, BoxFuture, Endpoint};
use crate::{
    Action, Context, Controller, ControllerOptions, Election, Manager, ManagerError, ManagerOptions,
    Prometheus, Term, Work,
};

type Log = Arc<Mutex<Vec<String>>>;

fn say(log: &Log, what: &str) {
    log.lock().unwrap().push(what.to_owned());
}

/// An election that leads after a second, for the time `lasts`.
struct Leads {
    log: Log,
    lasts: Duration,
}

impl Election for Leads {
    fn lead(&self, stop: CancellationToken, work: Work) -> BoxFuture<'_, ()> {
        Box::pin(async move {
            if stop.run_until_cancelled(tokio::time::sleep(Duration::from_secs(1))).await.is_none() {
                return;
            }
            say(&self.log, "elected");
            let term = Term::until(&stop);
            let mut work = work(term.clone());
            tokio::select! {
                () = &mut work => {}
                () = tokio::time::sleep(self.lasts) => {
                    say(&self.log, "lost");
                    term.lose();
                    work.await;
                }
            }
            say(&self.log, "released");
        })
    }

    fn healthy(&self) -> Result<(), String> {
        Err("on purpose".to_owned())
    }
}

fn manager(log: &Log, options: ManagerOptions) -> Manager {
    let source = Source::new();
    source.put(thing("a"));
    let informer = source.informer();
    let factory = InformerFactory::new();
    let own = informer.clone();
    let informer = factory.informer_for(move |_| own.clone());
    let own = Arc::clone(log);
    let controller = Controller::new("c", informer).reconcile(move |_: ObjectKey, cx: Context| {
        let own = Arc::clone(&own);
        async move {
            say(&own, "reconcile begins");
            cx.stopping().cancelled().await;
            say(&own, "reconcile ends");
            Ok(Action::done())
        }
    });
    let (began, ended) = (Arc::clone(log), Arc::clone(log));
    Manager::with_options(factory, options).controller(controller).runnable(
        "webhook",
        move |stop: CancellationToken| async move {
            say(&began, "runnable begins");
            stop.cancelled().await;
            say(&ended, "runnable ends");
            Ok::<(), std::io::Error>(())
        },
    )
}

#[tokio::test(start_paused = true)]
async fn parts_start_and_stop_in_order() {
    let log = Log::default();
    let manager = manager(&log, ManagerOptions::default())
        .election(Leads { log: Arc::clone(&log), lasts: Duration::from_hours(1) });
    let stop = CancellationToken::new();
    let stopping = stop.clone();
    let (ended, ()) = tokio::join!(manager.run(stop), async move {
        tokio::time::sleep(Duration::from_secs(10)).await;
        stopping.cancel();
    });
    ended.unwrap();
    let expected =
        ["runnable begins", "elected", "reconcile begins", "reconcile ends", "released", "runnable ends"];
    assert_eq!(*log.lock().unwrap(), expected);
}

#[tokio::test(start_paused = true)]
async fn while_another_leads_caches_and_queues_are_warm() {
    let log = Log::default();
    let source = Source::new();
    for name in ["a", "b", "c"] {
        source.put(thing(name));
    }
    let factory = InformerFactory::new();
    let own = source.informer();
    let informer = factory.informer_for(move |_| own.clone());
    // Several controllers share one informer: one list and one watch.
    let controller = |name: &str| {
        Controller::new(name, informer.clone())
            .reconcile(|_: ObjectKey, _: Context| std::future::ready(Ok(Action::done())))
    };
    let manager = Manager::new(factory)
        .controller(controller("first"))
        .controller(controller("second"))
        .election(Leads { log: Arc::clone(&log), lasts: Duration::from_hours(1) });
    let (status, stop) = (manager.status(), CancellationToken::new());
    let stopping = stop.clone();
    let (ended, ()) = tokio::join!(manager.run(stop), async move {
        tokio::time::sleep(Duration::from_millis(900)).await;
        source.put(thing("d"));
        tokio::time::sleep(Duration::from_millis(50)).await;
        assert!(status.synced.load(std::sync::atomic::Ordering::Relaxed));
        for state in status.controllers() {
            assert_eq!((state.phase, state.ready, state.counts.total()), ("waiting", 4, 0), "{state:?}");
        }
        let informers = status.factory.state();
        assert_eq!((informers.len(), informers[0].handlers.len()), (1, 2));
        // Elected: the waiting keys are reconciled at once, without another list.
        tokio::time::sleep(Duration::from_secs(1)).await;
        for state in status.controllers() {
            assert_eq!((state.phase, state.ready, state.counts.success), ("running", 0, 4), "{state:?}");
        }
        stopping.cancel();
    });
    ended.unwrap();
}

#[tokio::test(start_paused = true)]
async fn metrics_have_the_names_of_client_go_and_controller_runtime() {
    let metrics = Prometheus::new();
    let source = Source::new();
    for name in ["done", "error", "panic", "slow", "terminal", "later"] {
        source.put(thing(name));
    }
    let factory = InformerFactory::with_options(FactoryOptions::default().with_metrics(metrics.informers()));
    let informer = factory.informer_for(|options| {
        client_rs_cache::SharedInformer::with_options(source.list_watch(), options.with_name("things"))
    });
    let options = ControllerOptions {
        workers: 2,
        reconcile_timeout: Some(Duration::from_secs(1)),
        ..ControllerOptions::default()
    };
    let controller =
        Controller::with_options("things", informer, options.with_prometheus(&metrics, "things")).reconcile(
            |key: ObjectKey, context: Context| async move {
                match (key.name.as_str(), context.failures()) {
                    ("error", 0) => Err(crate::ReconcileError::message("on purpose")),
                    ("panic", 0) => std::panic::resume_unwind(Box::new("on purpose")),
                    ("slow", 0) => std::future::pending().await,
                    ("terminal", _) => Err(crate::ReconcileError::terminal("on purpose")),
                    ("later", _) => Ok(Action::requeue_after(Duration::from_hours(2))),
                    _ => Ok(Action::done()),
                }
            },
        );
    let options = ManagerOptions::default().with_prometheus(&metrics);
    let render = options.metrics.clone().unwrap();
    let manager = Manager::with_options(factory, options).controller(controller);
    let stop = CancellationToken::new();
    let stopping = stop.clone();
    let (ended, ()) = tokio::join!(manager.run(stop), async move {
        tokio::time::sleep(Duration::from_mins(1)).await;
        stopping.cancel();
    });
    ended.unwrap();
    let text = render();
    for line in [
        "controller_runtime_reconcile_total{controller=\"things\",result=\"success\"} 4",
        "controller_runtime_reconcile_total{controller=\"things\",result=\"requeue_after\"} 1",
        "controller_runtime_reconcile_total{controller=\"things\",result=\"requeue\"} 0",
        "controller_runtime_reconcile_total{controller=\"things\",result=\"error\"} 4",
        "controller_runtime_reconcile_errors_total{controller=\"things\"} 4",
        "controller_runtime_terminal_reconcile_errors_total{controller=\"things\"} 1",
        "controller_runtime_reconcile_panics_total{controller=\"things\"} 1",
        "controller_runtime_reconcile_timeouts_total{controller=\"things\"} 1",
        "controller_runtime_reconcile_time_seconds_bucket{controller=\"things\",le=\"1\"} 9",
        "controller_runtime_reconcile_time_seconds_count{controller=\"things\"} 9",
        "controller_runtime_max_concurrent_reconciles{controller=\"things\"} 2",
        "controller_runtime_active_workers{controller=\"things\"} 0",
        "workqueue_depth{name=\"things\",priority=\"-100\"} 0",
        "workqueue_retries_total{name=\"things\"} 4",
        "workqueue_work_duration_seconds_count{name=\"things\"} 9",
        "workqueue_queue_duration_seconds_count{name=\"things\"} 9",
        "# TYPE workqueue_adds_total counter",
        "# TYPE workqueue_unfinished_work_seconds gauge",
        "# TYPE workqueue_longest_running_processor_seconds gauge",
        "informer_queued_items{name=\"PartialObjectMetadata\"} 0",
        "informer_store_resource_version{name=\"PartialObjectMetadata\"} 6",
        "# TYPE informer_processing_latency_seconds histogram",
        "reflector_lists_total{name=\"PartialObjectMetadata\"} 1",
        "reflector_list_duration_seconds_count{name=\"PartialObjectMetadata\"} 1",
        "reflector_watches_total{name=\"PartialObjectMetadata\"} 1",
        "informer_relists_total{name=\"PartialObjectMetadata\"} 0",
        "informer_watch_errors_total{name=\"PartialObjectMetadata\"} 0",
        "informer_undecodable_objects_total{name=\"PartialObjectMetadata\"} 0",
    ] {
        assert!(text.contains(line), "no {line} in:\n{text}");
    }
}

#[tokio::test(start_paused = true)]
async fn metrics_show_lagging_handlers_and_failing_watches() {
    use client_rs_cache::{
        Delivery, FetchError, HandlerOptions, Incoming, InformerOptions, Notification, Page, SharedInformer,
        Undecodable, WatchStream, list_watch,
    };
    use client_rs_machinery::ApiError;
    use client_rs_machinery::wire::{DecodeError, DecodeErrorKind, WatchEvent};
    use futures_util::stream::{self, StreamExt};

    use super::source::Thing;

    let changed = |version: usize| {
        let mut changed = thing("a");
        changed.metadata.resource_version = version.to_string().into();
        changed
    };
    let list = move |_| async move {
        Ok(Page { items: vec![changed(1)], resource_version: "1".into(), continue_token: "".into() })
    };
    let watches = Arc::new(std::sync::atomic::AtomicUsize::new(0));
    // The first watch: some changes, an object that can't be decoded, the end. The second one fails, the third one stays
    // open.
    let watch = move |_| {
        let number = watches.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        let error = DecodeError::new(DecodeErrorKind::Truncated);
        let bad = Undecodable { key: ObjectKey::new("n", "b"), resource_version: "50".into(), error };
        let events = (2..40).map(move |version| WatchEvent::Modified(Incoming::Object(changed(version))));
        let ends = [
            WatchEvent::Added(Incoming::Undecodable(bad)),
            WatchEvent::Error(ApiError::resource_expired("old")),
        ];
        let events = stream::iter(events.chain(ends).filter(move |_| number == 0)).map(Ok::<_, FetchError>);
        let stream = events.chain(stream::once(std::future::pending()));
        async move {
            if number == 1 {
                return Err(FetchError::other("on purpose"));
            }
            Ok(Box::pin(stream) as WatchStream<Thing>)
        }
    };
    let metrics = Prometheus::new();
    let options = InformerOptions::default().with_name("things").with_metrics(metrics.informer("things"));
    let informer = SharedInformer::with_options(list_watch(list, watch).without_watch_list(), options);
    let gate = Arc::new(tokio::sync::Semaphore::new(0));
    let slow = Arc::clone(&gate);
    let handler = move |_: Notification<Thing>| {
        let slow = Arc::clone(&slow);
        async move { slow.acquire().await.unwrap().forget() }
    };
    let options = HandlerOptions::default().with_name("slow").with_delivery(Delivery::Coalesced { limit: 8 });
    let registration = informer.add_async_handler_with(handler, options).unwrap();
    let running = informer.spawn();
    tokio::time::sleep(Duration::from_mins(1)).await;
    let value = |name: &str, labels: &str| -> f64 {
        let (text, line) = (metrics.render(), format!("{name}{{name=\"things\"{labels}}} "));
        let line = text
            .lines()
            .find_map(|text| text.strip_prefix(&line))
            .unwrap_or_else(|| panic!("{name}: {text}"));
        line.parse().unwrap()
    };
    let of_handler = |name: &str| value(&format!("informer_handler_{name}"), ",handler=\"slow\"");
    let whole = |value: f64| value.round().to_string();
    assert_eq!(whole(value("reflector_lists_total", "")), "3");
    assert_eq!(whole(value("reflector_watches_total", "")), "2");
    assert_eq!(whole(value("informer_watch_errors_total", "")), "1");
    assert_eq!(whole(value("informer_relists_total", "")), "2");
    assert_eq!(whole(value("informer_relists_total", "")), "2", "rendering again adds nothing");
    assert_eq!(whole(value("informer_undecodable_objects_total", "")), "1");
    assert!(of_handler("lag_seconds") > 50.0 && of_handler("pending_notifications") > 1.0);
    assert_eq!(whole(of_handler("notifications_total")), "0");
    assert!(of_handler("coalesced_notifications_total") > 20.0);
    gate.add_permits(1_000);
    tokio::time::sleep(Duration::from_secs(1)).await;
    assert_eq!(whole(of_handler("lag_seconds")), "0");
    assert!(of_handler("notifications_total") > 1.0);
    // A handler that is gone, and an informer that is gone.
    informer.remove_handler(&registration);
    assert_eq!(whole(of_handler("pending_notifications")), "0");
    running.shutdown().await.unwrap();
    drop(informer);
    assert!(metrics.render().contains("informer_relists_total{name=\"things\"} 2"));
}

#[tokio::test(start_paused = true)]
async fn a_lost_leadership_ends_the_manager() {
    let log = Log::default();
    let manager = manager(&log, ManagerOptions::default())
        .election(Leads { log: Arc::clone(&log), lasts: Duration::from_secs(5) });
    let ended = manager.run(CancellationToken::new()).await;
    assert!(matches!(ended, Err(ManagerError::LeadershipLost)), "{ended:?}");
    // The run is dropped, not drained.
    let expected = ["runnable begins", "elected", "reconcile begins", "lost", "released", "runnable ends"];
    assert_eq!(*log.lock().unwrap(), expected);
}

#[tokio::test(start_paused = true)]
async fn a_part_that_fails_ends_all_others() {
    let log = Log::default();
    let manager = manager(&log, ManagerOptions::default()).runnable("broken", |_| async {
        tokio::time::sleep(Duration::from_secs(3)).await;
        Err::<(), _>("on purpose")
    });
    let ended = manager.run(CancellationToken::new()).await;
    assert!(matches!(&ended, Err(ManagerError::Runnable { name, .. }) if name == "broken"), "{ended:?}");
    let log = log.lock().unwrap();
    assert_eq!(log.last().unwrap(), "runnable ends");
    assert!(log.contains(&"reconcile ends".to_owned()));
}

#[tokio::test(start_paused = true)]
async fn the_error_names_informers_without_their_first_list() {
    let factory = InformerFactory::new();
    let informer = client_rs_cache::SharedInformer::with_options(
        client_rs_cache::list_watch::<super::source::Thing, _, _, _, _>(
            |_| std::future::pending(),
            |_| std::future::pending(),
        ),
        client_rs_cache::InformerOptions::default().with_name("slow"),
    );
    factory.informer_for(move |_| informer.clone());
    let ended = Manager::new(factory).run(CancellationToken::new()).await;
    let text = ended.unwrap_err().to_string();
    let expected =
        "informers without their first list after 120s: slow: the server has not responded to its list yet";
    assert_eq!(text, expected);
}

#[test]
fn endpoints_report_health_metrics_and_state() {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let _entered = runtime.enter();
    let log = Log::default();
    let manager = manager(&log, ManagerOptions::default())
        .election(Leads { log: Arc::clone(&log), lasts: Duration::from_secs(5) })
        .health_check("disk", || Ok(()));
    let answers = Answers { status: manager.status(), metrics: Some(Arc::new(|| "up 1\n".to_owned())) };
    let ask = |path: &str| {
        let (path, query) = path.split_once('?').unwrap_or((path, ""));
        let endpoint = match path {
            "/metrics" => Endpoint::Metrics,
            "/debug/state" => Endpoint::Debug,
            _ => Endpoint::Health,
        };
        let answer = answers.answer(endpoint, &Method::GET, path, query);
        let code = answer.status().as_u16();
        let body = runtime.block_on(http_body_util::BodyExt::collect(answer.into_body())).unwrap().to_bytes();
        (code, String::from_utf8(body.to_vec()).unwrap())
    };
    assert_eq!(ask("/healthz"), (500, "[+]disk ok\n[-]leaderElection failed: on purpose\n".to_owned()));
    let (code, body) = ask("/readyz");
    assert_eq!(
        (code, body.as_str()),
        (500, "[-]informers failed: the informers do not have their first list\n")
    );
    assert_eq!(ask("/metrics"), (200, "up 1\n".to_owned()));
    assert_eq!(ask("/nothing").0, 404);
    let (code, state) = ask("/debug/state");
    let state: serde_json::Value = serde_json::from_str(&state).unwrap();
    assert_eq!((code, &state["controllers"][0]["phase"]), (200, &"waiting".into()));
    assert_eq!(state["informers"][0]["run"], "created");
    assert_eq!(answers.answer(Endpoint::Health, &Method::POST, "/healthz", "").status(), 405);
}

#[tokio::test(start_paused = true)]
async fn an_informer_that_panics_ends_the_manager_with_an_error_that_names_it() {
    use client_rs_cache::{
        FetchError, Incoming, InformerOptions, Page, SharedInformer, WatchStream, list_watch,
    };
    use client_rs_machinery::ApiError;
    use client_rs_machinery::wire::WatchEvent;

    use super::source::Thing;

    let lists = Arc::new(std::sync::atomic::AtomicUsize::new(0));
    let list = move |_| {
        let number = lists.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        assert_eq!(number, 0, "the panic of this test");
        let page = Page { items: vec![thing("a")], resource_version: "1".into(), continue_token: "".into() };
        async move { Ok(page) }
    };
    let watch = |_| {
        // After a minute the version has expired, and the informer relists.
        let stream = futures_util::stream::once(async {
            tokio::time::sleep(Duration::from_mins(1)).await;
            Ok::<_, FetchError>(WatchEvent::<Incoming<Thing>, _>::Error(ApiError::resource_expired(
                "too old",
            )))
        });
        async move { Ok(Box::pin(stream) as WatchStream<Thing>) }
    };
    let options = InformerOptions::default().with_name("things");
    let informer = SharedInformer::with_options(list_watch(list, watch).without_watch_list(), options);
    let factory = InformerFactory::new();
    let informer = factory.informer_for(move |_| informer);
    let controller = Controller::new("c", informer)
        .reconcile(|_: ObjectKey, _: Context| std::future::ready(Ok(Action::done())));
    let manager = Manager::new(factory).controller(controller);
    let answers = Answers { status: manager.status(), metrics: None };
    let ready = || answers.answer(Endpoint::Health, &Method::GET, "/readyz", "").status().as_u16();
    let (ended, was_ready) = tokio::join!(manager.run(CancellationToken::new()), async {
        tokio::time::sleep(Duration::from_secs(30)).await;
        ready()
    });
    let error = ended.unwrap_err();
    assert!(matches!(&error, ManagerError::Informer(failed) if failed.name == "things"), "{error:?}");
    assert!(error.to_string().contains("informer things"), "{error}");
    assert_eq!((was_ready, ready()), (200, 500));
}

#[tokio::test(start_paused = true)]
async fn duplicate_names_are_refused() {
    let informer = Source::new().informer();
    let controller = |name: &str| {
        Controller::new(name, informer.clone())
            .reconcile(|_: ObjectKey, _: Context| std::future::ready(Ok(Action::done())))
    };
    let manager = || Manager::new(InformerFactory::default());
    let fine = || Ok(());
    for (manager, what) in [
        (manager().controller(controller("a")).controller(controller("a")), "the controller \"a\""),
        (manager().health_check("disk", fine).health_check("disk", fine), "the health check \"disk\""),
        (manager().ready_check("disk", fine).ready_check("disk", fine), "the ready check \"disk\""),
    ] {
        let error = manager.run(CancellationToken::new()).await.unwrap_err();
        assert_eq!(error.to_string(), format!("{what} was set twice"));
    }
}

#[tokio::test(start_paused = true)]
async fn a_runnable_of_the_leader_runs_in_its_term_only() {
    let log = Log::default();
    let leads = Leads { log: Arc::clone(&log), lasts: Duration::from_secs(5) };
    let options = ManagerOptions::default().with_lost_leadership(crate::LostLeadership::CampaignAgain);
    let own = Arc::clone(&log);
    let manager = Manager::with_options(InformerFactory::new(), options)
        .election(leads)
        .leader_runnable("ends", |_: Term| async { Ok::<(), std::io::Error>(()) })
        .leader_runnable("report", move |term: Term| {
            say(&own, if term.is_later() { "begins again" } else { "begins" });
            let own = Arc::clone(&own);
            async move {
                term.stopping().cancelled().await;
                tokio::time::sleep(Duration::from_secs(1)).await;
                say(&own, "ends");
                Ok::<(), std::io::Error>(())
            }
        });
    let stop = CancellationToken::new();
    let stopping = stop.clone();
    tokio::spawn(async move {
        tokio::time::sleep(Duration::from_secs(10)).await;
        stopping.cancel();
    });
    manager.run(stop).await.unwrap();
    let expected = ["elected", "begins", "lost", "released", "elected", "begins again", "ends", "released"];
    assert_eq!(*log.lock().unwrap(), expected, "a lost term drops it, a stop lets it end");
}

#[tokio::test(start_paused = true)]
async fn a_runnable_of_the_leader_that_fails_ends_the_manager_and_one_that_hangs_is_dropped() {
    let manager = Manager::new(InformerFactory::new())
        .leader_runnable("report", |_: Term| async { Err::<(), _>(std::io::Error::other("disk is full")) });
    let error = manager.run(CancellationToken::new()).await.unwrap_err();
    assert_eq!(error.to_string(), "report failed: disk is full");
    let options = ManagerOptions::default().with_stop_timeout(Duration::from_secs(7));
    let manager = Manager::with_options(InformerFactory::new(), options)
        .leader_runnable("hangs", |_: Term| std::future::pending::<std::io::Result<()>>());
    let stop = CancellationToken::new();
    let (begin, stopping) = (tokio::time::Instant::now(), stop.clone());
    tokio::spawn(async move {
        tokio::time::sleep(Duration::from_secs(1)).await;
        stopping.cancel();
    });
    manager.run(stop).await.unwrap();
    assert_eq!(begin.elapsed().as_secs(), 8);
}

#[tokio::test(start_paused = true)]
async fn a_path_of_the_user_must_be_free() {
    let page = |_| async { http::Response::new("mine") };
    for (path, taken) in [("/mine", false), ("/metrics/", true)] {
        let manager = Manager::new(InformerFactory::new()).metrics_handler(path, page);
        let stop = CancellationToken::new();
        stop.cancel();
        let ended = manager.run(stop).await;
        assert_eq!(matches!(&ended, Err(ManagerError::Duplicate { .. })), taken, "{path} {ended:?}");
    }
    let twice = Manager::new(InformerFactory::new()).debug_handler("/a", page).debug_handler("/a", page);
    let error = twice.run(CancellationToken::new()).await.unwrap_err();
    assert_eq!(error.to_string(), r#"the path "/a" of the debug listener was set twice"#);
}
