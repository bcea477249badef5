use super::*;
use std::sync::atomic::AtomicUsize;

/// Counts the errors logged while `run` runs.
fn errors_logged<T>(run: impl FnOnce() -> T) -> (T, usize) {
    struct Count(Arc<AtomicUsize>);

    impl tracing::Subscriber for Count {
        fn enabled(&self, _: &tracing::Metadata<'_>) -> bool {
            true
        }

        fn new_span(&self, _: &tracing::span::Attributes<'_>) -> tracing::span::Id {
            tracing::span::Id::from_u64(1)
        }

        fn record(&self, _: &tracing::span::Id, _: &tracing::span::Record<'_>) {}

        fn record_follows_from(&self, _: &tracing::span::Id, _: &tracing::span::Id) {}

        fn event(&self, event: &tracing::Event<'_>) {
            if *event.metadata().level() == tracing::Level::ERROR {
                self.0.fetch_add(1, Ordering::Relaxed);
            }
        }

        fn enter(&self, _: &tracing::span::Id) {}

        fn exit(&self, _: &tracing::span::Id) {}
    }

    let count = Arc::new(AtomicUsize::new(0));
    let result = tracing::subscriber::with_default(Count(count.clone()), run);
    (result, count.load(Ordering::Relaxed))
}

fn gates(env: &'static [(&'static str, &'static str)]) -> FeatureGates {
    FeatureGates::with_env(move |name| {
        env.iter().find(|(known, _)| *known == name).map(|(_, value)| (*value).to_owned())
    })
}

#[test]
fn t0_01_env_values_take_effect_and_garbage_leaves_the_default_with_a_log() {
    let on = gates(&[("KUBE_FEATURE_ClientsAllowCBOR", "true")]);
    assert_eq!(errors_logged(|| on.enabled(Feature::ClientsAllowCbor)), (true, 0));
    let off = gates(&[("KUBE_FEATURE_WatchListClient", "false")]);
    assert_eq!(errors_logged(|| off.enabled(Feature::WatchListClient)), (false, 0));
    for garbage in ["yes", "", "TrUe", " true", "2"] {
        let env: &'static str = garbage;
        let gates = FeatureGates::with_env(move |name| {
            (name == "KUBE_FEATURE_WatchListClient").then(|| env.to_owned())
        });
        assert_eq!(errors_logged(|| gates.enabled(Feature::WatchListClient)), (true, 1), "{garbage:?}");
    }
    // A locked feature ignores the other value.
    let locked = gates(&[("KUBE_FEATURE_InOrderInformers", "false")]);
    assert_eq!(errors_logged(|| locked.enabled(Feature::InOrderInformers)), (true, 1));
    let locked = gates(&[("KUBE_FEATURE_InOrderInformers", "true")]);
    assert_eq!(errors_logged(|| locked.enabled(Feature::InOrderInformers)), (true, 0));
}

#[test]
fn t0_02_a_set_value_wins_over_the_environment() {
    let gates =
        gates(&[("KUBE_FEATURE_WatchListClient", "true"), ("KUBE_FEATURE_ClientsAllowCBOR", "false")]);
    gates.set(Feature::WatchListClient, false).unwrap();
    gates.set_by_name("ClientsAllowCBOR", true).unwrap();
    assert!(!gates.enabled(Feature::WatchListClient));
    assert!(gates.enabled(Feature::ClientsAllowCbor));
    gates.set(Feature::WatchListClient, true).unwrap();
    assert!(gates.clone().enabled(Feature::WatchListClient), "a clone is the same gates");
}

/// client-go panics when an unknown gate is queried; here that is an error, and typed code cannot name one.
#[test]
fn t0_03_an_unknown_gate_is_an_error_to_ask_and_to_set() {
    let gates = gates(&[]);
    let unknown = FeatureError::Unknown("NoSuchGate".into());
    assert_eq!(gates.enabled_by_name("NoSuchGate"), Err(unknown.clone()));
    assert_eq!(gates.set_by_name("NoSuchGate", true), Err(unknown.clone()));
    assert_eq!(gates.enabled_by_name("atomicfifo"), Err(FeatureError::Unknown("atomicfifo".into())));
    assert_eq!(unknown.to_string(), r#"feature "NoSuchGate" is not registered"#);
    assert_eq!(gates.enabled_by_name("AtomicFIFO"), Ok(true));
}

#[test]
fn t0_04_a_locked_gate_takes_its_default_only() {
    let gates = gates(&[]);
    let error = gates.set(Feature::InOrderInformers, false).unwrap_err();
    assert_eq!(error, FeatureError::Locked { feature: Feature::InOrderInformers, locked_to: true });
    assert_eq!(
        error.to_string(),
        r#"cannot set feature gate "InOrderInformers" to false, feature is locked to true"#
    );
    assert_eq!(gates.set(Feature::InOrderInformers, true), Ok(()));
    assert_eq!(gates.set_ignoring_lock(Feature::InOrderInformers, false), Ok(()));
    assert!(!gates.enabled(Feature::InOrderInformers));
}

#[test]
fn t0_05_the_environment_counts_as_read_after_the_first_question_only() {
    let reads = Arc::new(AtomicUsize::new(0));
    let counter = reads.clone();
    let gates = FeatureGates::with_env(move |_| {
        counter.fetch_add(1, Ordering::Relaxed);
        None
    });
    gates.set(Feature::AtomicFifo, false).unwrap();
    assert!(!gates.has_read_env() && reads.load(Ordering::Relaxed) == 0);
    assert!(!gates.enabled(Feature::AtomicFifo));
    assert!(gates.has_read_env());
    assert!(gates.enabled(Feature::WatchListClient));
    assert_eq!(reads.load(Ordering::Relaxed), Feature::ALL.len(), "once for each feature");
}

struct AllOff;

impl Gates for AllOff {
    fn enabled(&self, _: Feature) -> bool {
        false
    }
}

#[test]
fn t0_06_replacing_gates_that_have_been_used_warns() {
    let slot = Slot(RwLock::new(gates(&[])));
    assert_eq!(errors_logged(|| slot.replace(gates(&[]))), (false, 0));
    assert!(slot.get().enabled(Feature::AtomicFifo));
    assert_eq!(errors_logged(|| slot.replace(FeatureGates::provided_by(AllOff))), (true, 1));
    assert!(!slot.get().enabled(Feature::AtomicFifo));
    // Another provider keeps no such record.
    assert_eq!(errors_logged(|| slot.replace(gates(&[]))), (false, 0));
}

#[test]
fn t0_07_every_gate_has_its_whole_history() {
    let shown: Vec<String> = Feature::ALL
        .iter()
        .map(|feature| {
            let specs = feature.history().iter().map(|spec| {
                let locked = if spec.locked { " locked" } else { "" };
                format!("{} {:?} {}{locked}", spec.since.unwrap(), spec.stage, spec.default)
            });
            format!("{feature}: {}", specs.collect::<Vec<_>>().join(", "))
        })
        .collect();
    assert_eq!(
        shown,
        [
            "AtomicFIFO: 1.36 Beta true",
            "ClientsAllowCARotation: 1.36 Beta true",
            "ClientsAllowCBOR: 1.32 Alpha false",
            "ClientsAllowTLSCacheGC: 1.36 Beta true",
            "ClientsPreferCBOR: 1.32 Alpha false",
            "InOrderInformers: 1.33 Beta true, 1.36 Ga true locked",
            "InOrderInformersBatchProcess: 1.35 Beta true",
            "InformerResourceVersion: 1.30 Alpha false, 1.35 Ga true",
            "UnlockWhileProcessingFIFO: 1.36 Beta true",
            "WatchListClient: 1.30 Beta false, 1.35 Beta true",
        ]
    );
    for feature in Feature::ALL {
        assert_eq!(feature.spec().since, None);
        assert_eq!(feature.spec().default, feature.history().last().unwrap().default);
        assert_eq!(feature.name().parse(), Ok(feature));
        assert_eq!(Feature::ALL[feature as usize], feature);
    }
}

#[test]
fn provided_gates_are_not_ours_to_set() {
    let gates = FeatureGates::provided_by(AllOff);
    assert_eq!(gates.set(Feature::AtomicFifo, true), Err(FeatureError::Provided));
    assert!(!gates.enabled(Feature::InOrderInformers) && !gates.has_read_env());
    assert_eq!(format!("{gates:?}"), "FeatureGates(provided)");
}

#[test]
fn the_default_is_the_global_one() {
    let (Source::Own(a), Source::Own(b)) = (FeatureGates::default().0, FeatureGates::global().0) else {
        panic!()
    };
    assert!(Arc::ptr_eq(&a, &b));
}

#[test]
fn debug_shows_set_values_and_does_not_read_the_environment() {
    let gates = gates(&[]);
    gates.set(Feature::AtomicFifo, false).unwrap();
    assert_eq!(format!("{gates:?}"), "{AtomicFifo: false}");
    assert!(!gates.has_read_env());
}
