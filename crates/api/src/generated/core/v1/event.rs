// Made by `cargo xtask codegen` from schema: change those, not this.
use super::EventSeries;
use super::EventSource;
use super::ObjectReference;
use client_rs_machinery::meta::v1::ObjectMeta;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, TypeMeta, Wire};
use client_rs_machinery::{MicroTime, Shared, Str, Time};

/// [`Event`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#event-v1-core) of `core/v1`. Served as `events`, namespaced. Since 1.0.
#[derive(Clone, PartialEq)]
pub struct Event {
    /// [`metadata`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#event-v1-core): required. The name, labels and other metadata.
    pub metadata: ObjectMeta,
    /// [`involvedObject`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#event-v1-core): required.
    pub involved_object: Shared<ObjectReference>,
    /// [`reason`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#event-v1-core): optional.
    pub reason: Str,
    /// [`message`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#event-v1-core): optional.
    pub message: Str,
    /// [`source`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#event-v1-core): optional.
    pub source: EventSource,
    /// [`firstTimestamp`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#event-v1-core): optional.
    pub first_timestamp: Option<Time>,
    /// [`lastTimestamp`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#event-v1-core): optional.
    pub last_timestamp: Option<Time>,
    /// [`count`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#event-v1-core): optional.
    pub count: i32,
    /// [`type`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#event-v1-core): optional.
    pub type_: Str,
    /// [`eventTime`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#event-v1-core): optional.
    pub event_time: Option<MicroTime>,
    /// [`series`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#event-v1-core): optional.
    pub series: Option<Shared<EventSeries>>,
    /// [`action`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#event-v1-core): optional.
    pub action: Str,
    /// [`related`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#event-v1-core): optional.
    pub related: Option<Shared<ObjectReference>>,
    /// [`reportingComponent`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#event-v1-core): optional.
    pub reporting_component: Str,
    /// [`reportingInstance`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#event-v1-core): optional.
    pub reporting_instance: Str,
}

impl Event {
    /// Every field empty.
    pub const EMPTY: Self = Self {
        metadata: ObjectMeta::EMPTY,
        involved_object: Shared::DEFAULT,
        reason: Str::EMPTY,
        message: Str::EMPTY,
        source: EventSource::EMPTY,
        first_timestamp: None,
        last_timestamp: None,
        count: 0,
        type_: Str::EMPTY,
        event_time: None,
        series: None,
        action: Str::EMPTY,
        related: None,
        reporting_component: Str::EMPTY,
        reporting_instance: Str::EMPTY,
    };
}

client_rs_machinery::message!(Event, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "Event",
    type_meta: Some(TypeMeta { api_version: "v1", kind: "Event", everywhere: false }),
    fields: &[
        Field::new("metadata", Flags::NONE).of::<ObjectMeta>(),
        Field::new("involvedObject", Flags::NONE).of::<ObjectReference>(),
        Field::new("reason", Flags::OMIT_EMPTY),
        Field::new("message", Flags::OMIT_EMPTY),
        Field::new("source", Flags::OMIT_EMPTY).of::<EventSource>(),
        Field::new("firstTimestamp", Flags::NONE),
        Field::new("lastTimestamp", Flags::NONE),
        Field::new("count", Flags::OMIT_EMPTY),
        Field::new("type", Flags::OMIT_EMPTY),
        Field::new("eventTime", Flags::NONE),
        Field::new("series", Flags::OMIT_EMPTY).of::<EventSeries>(),
        Field::new("action", Flags::OMIT_EMPTY),
        Field::new("related", Flags::OMIT_EMPTY).of::<ObjectReference>(),
        Field::new("reportingComponent", Flags::NONE),
        Field::new("reportingInstance", Flags::NONE),
    ],
    wire: &[
        Wire::field(1, 0),
        Wire::field(2, 1),
        Wire::field(3, 2),
        Wire::field(4, 3),
        Wire::field(5, 4),
        Wire::always(6, 5),
        Wire::always(7, 6),
        Wire::field(8, 7),
        Wire::field(9, 8),
        Wire::always(10, 9),
        Wire::field(11, 10),
        Wire::field(12, 11),
        Wire::field(13, 12),
        Wire::field(14, 13),
        Wire::field(15, 14),
    ],
};

impl Fields for Event {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::message(&self.metadata),
            1 => FieldRef::shared(&self.involved_object),
            2 => FieldRef::value(&self.reason),
            3 => FieldRef::value(&self.message),
            4 => FieldRef::message(&self.source),
            5 => FieldRef::value(&self.first_timestamp),
            6 => FieldRef::value(&self.last_timestamp),
            7 => FieldRef::value(&self.count),
            8 => FieldRef::value(&self.type_),
            9 => FieldRef::value(&self.event_time),
            10 => FieldRef::optional(&self.series),
            11 => FieldRef::value(&self.action),
            12 => FieldRef::optional(&self.related),
            13 => FieldRef::value(&self.reporting_component),
            14 => FieldRef::value(&self.reporting_instance),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::message(&mut self.metadata),
            1 => FieldMut::shared(&mut self.involved_object),
            2 => FieldMut::value(&mut self.reason),
            3 => FieldMut::value(&mut self.message),
            4 => FieldMut::message(&mut self.source),
            5 => FieldMut::value(&mut self.first_timestamp),
            6 => FieldMut::value(&mut self.last_timestamp),
            7 => FieldMut::value(&mut self.count),
            8 => FieldMut::value(&mut self.type_),
            9 => FieldMut::value(&mut self.event_time),
            10 => FieldMut::optional(&mut self.series),
            11 => FieldMut::value(&mut self.action),
            12 => FieldMut::optional(&mut self.related),
            13 => FieldMut::value(&mut self.reporting_component),
            14 => FieldMut::value(&mut self.reporting_instance),
            _ => FieldMut::NONE,
        }
    }
}

client_rs_machinery::object!(Event, "v1", "Event");

impl client_rs_machinery::Resource for Event {
    type Scope = client_rs_machinery::Namespaced;

    const INFO: &'static client_rs_machinery::ResourceInfo = &client_rs_machinery::ResourceInfo {
        group: "",
        version: "v1",
        kind: "Event",
        plural: "events",
        singular: "event",
        namespaced: true,
        short_names: &["ev"],
        categories: &[],
        verbs: &["create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"],
        subresources: &[],
    };
}

client_rs_machinery::verbs!(Event: Create, Delete, DeleteCollection, Get, List, Patch, Update, Watch);
