//! Properties that a pool keeps for every input.

use std::collections::HashSet;
use std::thread;

use proptest::prelude::*;

use super::*;
use crate::meta::v1::{LabelSelector, LabelSelectorRequirement, ObjectMeta, OwnerReference};
use crate::wire::{Decoding, Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Message, TypeMeta, Wire};
use crate::{List, Shared};

/// A kind with what a pool cares for: metadata with a UID, a spec and a status.
#[derive(Clone, PartialEq)]
struct Thing {
    metadata: ObjectMeta,
    spec: Shared<LabelSelector>,
    status: Shared<LabelSelector>,
}

impl Thing {
    const EMPTY: Self = Self { metadata: ObjectMeta::EMPTY, spec: Shared::DEFAULT, status: Shared::DEFAULT };

    fn new(uid: &str, spec: LabelSelector, status: LabelSelector) -> Self {
        let metadata = ObjectMeta { name: "thing".into(), uid: uid.into(), ..ObjectMeta::default() };
        Self { metadata, spec: Shared::new(spec), status: Shared::new(status) }
    }
}

crate::message!(Thing, THING);

static THING: Descriptor = Descriptor {
    name: "Thing",
    type_meta: Some(TypeMeta { api_version: "v1", kind: "Thing", everywhere: false }),
    fields: &[
        Field::new("metadata", Flags::OMIT_EMPTY).of::<ObjectMeta>(),
        Field::new("spec", Flags::OMIT_EMPTY).of::<LabelSelector>(),
        Field::new("status", Flags::OMIT_EMPTY).of::<LabelSelector>(),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1), Wire::field(3, 2)],
};

impl Fields for Thing {
    fn descriptor(&self) -> &'static Descriptor {
        &THING
    }

    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::message(&self.metadata),
            1 => FieldRef::shared(&self.spec),
            2 => FieldRef::shared(&self.status),
            _ => FieldRef::NONE,
        }
    }

    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::message(&mut self.metadata),
            1 => FieldMut::shared(&mut self.spec),
            2 => FieldMut::shared(&mut self.status),
            _ => FieldMut::NONE,
        }
    }
}

fn decode<M: Message>(pool: &Pool, bytes: &[u8]) -> M {
    M::from_protobuf_with(bytes, &mut Decoding::with_pool(pool)).unwrap()
}

/// A pool whose hashes have only this many bits.
fn poor_pool(bits: u32) -> Pool {
    let pool = Pool::new();
    pool.lock().hasher.lost = u64::MAX << bits;
    pool
}

fn selector(text: &str) -> LabelSelector {
    LabelSelector {
        match_labels: [("app.kubernetes.io/name", text), ("app.kubernetes.io/part-of", "the-same-in-all")]
            .map(|(key, value)| (key, Str::from(value)))
            .into(),
        match_expressions: [LabelSelectorRequirement {
            key: "app.kubernetes.io/version".into(),
            operator: "NotIn".into(),
            values: [text, "another-value-of-some-length"].map(Str::from).into(),
        }]
        .into(),
    }
}

#[test]
fn a_part_is_shared_from_its_second_occurrence() {
    let pool = Pool::new();
    let bytes = Thing::new("", selector("web-frontend"), LabelSelector::default()).to_protobuf();
    // The filter may forget once or twice; that it does so each time is less likely than a fault of the machine.
    let things: Vec<Thing> = (0..20).map(|_| decode(&pool, &bytes)).collect();
    assert!(!things[0].spec.ptr_eq(&things[1].spec));
    assert!(things[18].spec.ptr_eq(&things[19].spec));
    assert!(things.iter().all(|thing| *thing == things[0]));
}

#[test]
fn unique_parts_are_not_kept() {
    let pool = Pool::new();
    let metas: Vec<ObjectMeta> = (0..100)
        .map(|i| {
            decode(&pool, &ObjectMeta { uid: format!("{i:032}").into(), ..ObjectMeta::EMPTY }.to_protobuf())
        })
        .collect();
    assert_eq!(metas.len(), 100);
    assert_eq!(pool.stats().entries, 0);
}

#[test]
fn a_status_only_update_re_uses_the_spec_and_its_metadata() {
    let pool = Pool::new();
    // Specs that no other object has: only the object's own last decode can share them.
    let things: Vec<Thing> = (0..50)
        .map(|i| {
            let thing = Thing::new(
                &format!("uid-{i:030}"),
                selector(&format!("only-in-{i:020}")),
                selector("pending"),
            );
            decode(&pool, &thing.to_protobuf())
        })
        .collect();
    for (i, thing) in things.iter().enumerate() {
        let mut update = thing.clone();
        update.metadata.resource_version = format!("{i}0000000").into();
        update.status = Shared::new(selector(&format!("running-{i:020}")));
        let decoded: Thing = decode(&pool, &update.to_protobuf());
        assert_eq!(decoded, update);
        assert!(decoded.spec.ptr_eq(&thing.spec), "{i}");
        assert!(!decoded.status.ptr_eq(&thing.status));
    }
}

#[test]
fn an_update_of_the_spec_is_not_missed() {
    let pool = Pool::new();
    let uid = "f".repeat(36);
    let mut thing: Thing =
        decode(&pool, &Thing::new(&uid, selector("first-of-them"), selector("s")).to_protobuf());
    for round in 0..20 {
        let next = Thing::new(&uid, selector(&format!("round-number-{}", round % 3)), selector("s"));
        thing = decode(&pool, &next.to_protobuf());
        assert_eq!(thing, next);
    }
    drop(thing);
    pool.sweep();
    assert_eq!(pool.stats().entries, 0);
}

#[test]
fn parts_of_an_object_are_dropped_with_it() {
    let pool = Pool::new();
    let uid = "0".repeat(36);
    let thing: Thing =
        decode(&pool, &Thing::new(&uid, selector("some-content"), selector("s")).to_protobuf());
    pool.sweep();
    assert!(pool.stats().entries > 0);
    drop(thing);
    pool.sweep();
    assert_eq!(pool.stats().entries, 0);
}

#[test]
fn stripped_and_whole_decodes_share_no_part_that_differs() {
    /// Holds metadata in a part.
    #[derive(Clone, PartialEq)]
    struct Template {
        inner: Shared<Thing>,
    }
    impl Template {
        const EMPTY: Self = Self { inner: Shared::DEFAULT };
    }
    crate::message!(Template, TEMPLATE);
    static TEMPLATE: Descriptor = Descriptor {
        name: "Template",
        type_meta: None,
        fields: &[Field::new("inner", Flags::NONE).of::<Thing>()],
        wire: &[Wire::field(1, 0)],
    };
    impl Fields for Template {
        fn descriptor(&self) -> &'static Descriptor {
            &TEMPLATE
        }
        fn field(&self, index: usize) -> FieldRef<'_> {
            if index == 0 { FieldRef::shared(&self.inner) } else { FieldRef::NONE }
        }
        fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
            if index == 0 { FieldMut::shared(&mut self.inner) } else { FieldMut::NONE }
        }
    }
    let pool = Pool::new();
    let mut thing = Thing::new("", selector("some-content"), selector("s"));
    thing.metadata.managed_fields = [crate::meta::v1::ManagedFieldsEntry {
        manager: "kube-controller-manager".into(),
        ..crate::meta::v1::ManagedFieldsEntry::EMPTY
    }]
    .into();
    let whole = Template { inner: Shared::new(thing.clone()) };
    thing.metadata.managed_fields = List::EMPTY;
    let stripped = Template { inner: Shared::new(thing) };
    let bytes = whole.to_protobuf();
    for _ in 0..4 {
        let mut cx = Decoding::with_pool(&pool).stripped();
        assert_eq!(Template::from_protobuf_with(&bytes, &mut cx).unwrap(), stripped);
        drop(cx);
        assert_eq!(decode::<Template>(&pool, &bytes), whole);
    }
}

#[test]
fn bytes_that_are_not_text_are_an_error_however_often_they_come() {
    let pool = Pool::new();
    let mut bytes = ObjectMeta { name: "a-name-of-some-length".into(), ..ObjectMeta::EMPTY }.to_protobuf();
    bytes[5] = 0xff;
    for _ in 0..4 {
        let error = ObjectMeta::from_protobuf_with(&bytes, &mut Decoding::with_pool(&pool)).unwrap_err();
        assert_eq!(*error.kind(), crate::wire::DecodeErrorKind::InvalidUtf8);
    }
}

#[test]
fn churn_of_ten_times_the_content_leaves_at_most_twice_the_live_content() {
    const LIVE: usize = 200;
    let pool = Pool::new();
    let mut live: Vec<Thing> = Vec::new();
    let mut most = 0;
    for generation in 0..10 {
        for i in 0..LIVE {
            let uid = format!("uid-{generation}-{i:030}");
            let thing =
                Thing::new(&uid, selector(&format!("{generation}-{i:020}")), selector("the-same-status"));
            let bytes = thing.to_protobuf();
            // Twice, so that all of it is kept.
            decode::<Thing>(&pool, &bytes);
            let thing = decode::<Thing>(&pool, &bytes);
            if generation == 0 {
                live.push(thing);
            } else {
                live[i] = thing;
            }
            if generation > 0 {
                most = most.max(pool.stats().entries);
            }
        }
    }
    pool.sweep();
    let held = pool.stats().entries;
    assert!(held >= LIVE, "{held}: nothing was kept");
    assert!(most <= 2 * held + SMALLEST_SWEEP.0, "{most} at worst, {held} live");
    let bytes = pool.lock().bytes;
    drop(live);
    pool.sweep();
    assert!(bytes > 0);
    assert_eq!((pool.stats().entries, pool.lock().bytes), (0, 0));
}

#[test]
fn threads_share_one_pool() {
    let pool = Pool::new();
    thread::scope(|scope| {
        for thread in 0..4 {
            let pool = &pool;
            scope.spawn(move || {
                let mut kept = Vec::new();
                for i in 0..200 {
                    let thing = Thing::new(
                        &format!("uid-{thread}-{:030}", i % 20),
                        selector(&format!("content-{:020}", i % 7)),
                        selector(&format!("status-{:020}", i % 3)),
                    );
                    let decoded: Thing = decode(pool, &thing.to_protobuf());
                    assert_eq!(decoded, thing);
                    kept.push(decoded);
                    if i % 50 == 49 {
                        kept.clear();
                        pool.sweep();
                    }
                }
            });
        }
    });
    pool.sweep();
    assert_eq!(pool.stats().entries, 0);
}

fn any_selector() -> impl Strategy<Value = LabelSelector> {
    // Few texts, so that parts are often equal, or differ in only one text.
    let text = || prop_oneof!["[ab]{0,2}", "(web|api)-frontend-(eu|us)", "\\PC{0,30}"];
    let labels = prop::collection::btree_map(text(), text(), 0..4);
    let requirement =
        (text(), text(), prop::collection::vec(text(), 0..3)).prop_map(|(key, operator, values)| {
            let values = values.into_iter().map(Str::from).collect();
            LabelSelectorRequirement { key: key.into(), operator: operator.into(), values }
        });
    (labels, prop::collection::vec(requirement, 0..3)).prop_map(|(labels, expressions)| LabelSelector {
        match_labels: labels.into_iter().map(|(key, value)| (key, Str::from(value))).collect(),
        match_expressions: expressions.into(),
    })
}

fn any_thing() -> impl Strategy<Value = Thing> {
    let owner = (0..3u8, any::<bool>()).prop_map(|(uid, controller)| OwnerReference {
        uid: format!("owner-uid-{uid}").into(),
        controller: controller.then_some(true),
        ..OwnerReference::EMPTY
    });
    (0..4u8, any_selector(), any_selector(), prop::collection::vec(owner, 0..3)).prop_map(
        |(uid, spec, status, owners)| {
            let mut thing = Thing::new(&format!("object-uid-{uid}"), spec, status);
            thing.metadata.owner_references = owners.into();
            thing
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// A decode with a pool has the same result as one without, also when every hash collides.
    #[test]
    fn only_equal_content_is_shared(
        things in prop::collection::vec(any_thing(), 1..40),
        bits in prop_oneof![Just(0u32), Just(1), Just(4), Just(63)],
        sweep_every in 1..10usize,
    ) {
        let pool = poor_pool(bits);
        let mut kept = Vec::new();
        for (i, thing) in things.iter().cycle().take(things.len() * 3).enumerate() {
            let decoded: Thing = decode(&pool, &thing.to_protobuf());
            prop_assert!(decoded == *thing, "{decoded:?} is not {thing:?}");
            kept.push(decoded);
            if i % sweep_every == 0 {
                kept.swap_remove(i % kept.len());
                pool.sweep();
            }
        }
        drop(kept);
        pool.sweep();
        prop_assert_eq!(pool.stats().entries, 0);
    }

    /// No more distinct strings are held than there are.
    #[test]
    fn equal_strings_are_one(texts in prop::collection::vec("[ab]{8,9}", 1..60)) {
        let pool = Pool::new();
        let mut decoded = Vec::new();
        for text in texts.iter().chain(&texts).chain(&texts) {
            decoded.push(Decoding::with_pool(&pool).text(text));
        }
        let distinct: HashSet<&String> = texts.iter().collect();
        prop_assert!(pool.stats().entries <= distinct.len());
        for (text, decoded) in texts.iter().cycle().zip(&decoded) {
            prop_assert_eq!(text, decoded);
        }
    }
}
