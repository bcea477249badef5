//! Faults that were reported for Istio's krt, as tests: here they are impossible by construction, or fast.

use client_rs_collections::{Graph, LabelSet, Selection};

/// istio/istio#56131: B and C are derived from A, and the function of C reads B. In krt, C may see an old B.
#[test]
fn a_sibling_is_read_at_the_same_epoch() {
    let graph = Graph::new();
    let a = graph.input::<u32, u32>("a");
    let b = graph.map("b", &a, |_, value, _| **value);
    let read = b.clone();
    let c = graph.map("c", &a, move |key, value, look| {
        let sibling = look.get(&read, key).map(|sibling| **sibling);
        assert_eq!(sibling, Some(**value), "it is never missing, and never old");
        **value
    });
    for epoch in 0..100 {
        graph.update(|batch| {
            for key in 0..10 {
                batch.insert(&a, key, epoch);
            }
        });
        assert_eq!(graph.get(&c, &3).as_deref(), Some(&epoch));
    }
}

/// The same with an observer: it never sees one side of a diamond without the other.
#[test]
fn an_observer_sees_both_sides_of_a_diamond() {
    let graph = Graph::new();
    let a = graph.input::<u32, u32>("a");
    let left = graph.map("left", &a, |_, value, _| **value + 1);
    let right = graph.map("right", &a, |_, value, _| **value + 2);
    let mut observer = graph.observe(&left);
    for value in 0..50 {
        graph.update(|batch| batch.insert(&a, 0, value));
        let (changes, now) = observer.take_with_snapshot().expect("the left side has changed");
        let new = changes.list[0].new.as_deref().copied().expect("it was set");
        assert_eq!(now.get(&right, &0).as_deref().copied(), Some(new + 1));
    }
}

/// istio/istio#55503: a function reads one collection by key and by index, and not all entries have an index value.
/// In krt, a change of the entry that was read by key is missed.
#[test]
fn reads_by_key_and_by_index_are_both_noted() {
    let graph = Graph::new();
    let secrets = graph.input::<&str, &str>("secrets");
    let gateways = graph.constant("gateways", [("gw", "cert")]);
    let by_label = graph.index(&secrets, |_, value| (*value == "shared").then_some("shared"));
    let read = secrets.live().clone();
    let listeners = graph.map("listeners", &gateways, move |_, name, look| {
        let named = look.get(&read, name).map(|secret| **secret);
        (named, look.indexed(&by_label, &"shared").len())
    });
    let now = || graph.get(&listeners, &"gw").as_deref().copied();
    assert_eq!(now(), Some((None, 0)));
    // It is read by key, and has no index value.
    graph.update(|batch| batch.insert(&secrets, "cert", "v1"));
    assert_eq!(now(), Some((Some("v1"), 0)));
    graph.update(|batch| batch.insert(&secrets, "cert", "v2"));
    assert_eq!(now(), Some((Some("v2"), 0)));
    // It is read by index only.
    graph.update(|batch| batch.insert(&secrets, "other", "shared"));
    assert_eq!(now(), Some((Some("v2"), 1)));
    // It is read by both.
    graph.update(|batch| batch.insert(&secrets, "cert", "shared"));
    assert_eq!(now(), Some((Some("shared"), 2)));
    graph.update(|batch| batch.remove(&secrets, &"cert"));
    assert_eq!(now(), Some((None, 1)));
}

/// istio/istio#57019: the merge of a join looked at the present state to find out about an event of the past, and
/// failed if the key was gone meanwhile. Here old and new value come with the change, and a key that comes and goes
/// before the observer looks leaves no trace.
#[test]
fn a_union_reports_the_values_that_its_observer_knows() {
    let graph = Graph::new();
    let (first, second) = (graph.input::<&str, u32>("first"), graph.input::<&str, u32>("second"));
    let union = graph.union("union", [first.live(), second.live()]);
    let mut observer = graph.observe(&union);
    let mut known = std::collections::BTreeMap::new();
    let mut deliver = |observer: &mut client_rs_collections::Observer<&'static str, u32>| {
        for change in observer.take().into_iter().flat_map(|changes| changes.list) {
            assert_eq!(known.get(change.key).copied(), change.old.as_deref().copied());
            match change.new.as_deref() {
                Some(new) => known.insert(change.key, *new),
                None => known.remove(change.key),
            };
        }
        known.clone().into_iter().collect::<Vec<_>>()
    };
    graph.update(|batch| batch.insert(&second, "k", 2));
    assert_eq!(deliver(&mut observer), [("k", 2)]);
    // An update, then a deletion, before the observer looks.
    graph.update(|batch| batch.insert(&first, "k", 1));
    graph.update(|batch| batch.remove(&second, &"k"));
    graph.update(|batch| batch.remove(&first, &"k"));
    assert_eq!(deliver(&mut observer), []);
    // Added and removed before the observer looks: there is nothing to deliver.
    graph.update(|batch| batch.insert(&first, "k", 1));
    graph.update(|batch| batch.remove(&first, &"k"));
    assert!(observer.take().is_none());
    // One of two is removed: the other counts. Nothing is deleted.
    graph.update(|batch| {
        batch.insert(&first, "k", 1);
        batch.insert(&second, "k", 2);
    });
    graph.update(|batch| batch.remove(&first, &"k"));
    assert_eq!(deliver(&mut observer), [("k", 2)]);
}

/// istio/istio#60366: 500 policies, 10,000 pods and a burst of pod events did not end within 30 minutes. The cost of an
/// event must not depend on the number of policies or pods that have nothing to do with it.
#[test]
fn a_burst_of_pod_events_computes_only_these_pods() {
    const PODS: u32 = 10_000;
    const POLICIES: u32 = 500;
    let graph = Graph::new();
    // A pod: its app, and a status that changes often.
    let pods = graph.input::<u32, (u32, u32)>("pods");
    let policies = graph.input::<u32, u32>("policies");
    let selector = |app: u32| Selection::parse(&format!("app=a{app}")).expect("it is a selector");
    let labels = |app: u32| LabelSet::new([("app", format!("a{app}"))]);
    let by_selector = graph.index_selectors(&policies, move |_, app| Some(selector(*app)));
    let rules = graph.map("rules", &pods, move |_, pod, look| {
        look.selecting(&by_selector, &labels(pod.0)).iter().map(|(policy, _)| **policy).collect::<Vec<_>>()
    });
    graph.update(|batch| {
        for pod in 0..PODS {
            batch.insert(&pods, pod, (pod % POLICIES, 0));
        }
        for policy in 0..POLICIES {
            batch.insert(&policies, policy, policy);
        }
    });
    let computed = || graph.state().collections.iter().map(|one| one.computed).sum::<u64>();
    let mut observer = graph.observe(&rules);
    observer.take();
    let before = computed();
    for pod in 0..PODS {
        graph.update(|batch| batch.insert(&pods, pod, (pod % POLICIES, 1)));
    }
    assert_eq!(computed() - before, u64::from(PODS), "one computation per event");
    assert!(observer.take().is_none(), "the status of pods does not travel");
    // A changed policy concerns the 20 pods that it selects, before and after.
    let before = computed();
    graph.update(|batch| batch.insert(&policies, 7, 8));
    assert_eq!(computed() - before, 2 * u64::from(PODS / POLICIES));
    assert_eq!(graph.get(&rules, &7).as_deref(), Some(&vec![]));
    assert_eq!(graph.get(&rules, &8).as_deref(), Some(&vec![7, 8]));
}
