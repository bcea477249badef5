// Made by `cargo xtask codegen` from schema: change those, not this.
use super::EventSeries;
use crate::core::v1::EventSource;
use crate::core::v1::ObjectReference;
use client_rs_machinery::meta::v1::ObjectMeta;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, TypeMeta, Wire};
use client_rs_machinery::{MicroTime, Shared, Str, Time};

/// [`Event`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#event-v1-events-k8s-io) of `events.k8s.io/v1`. Served as `events`, namespaced. Since 1.19.
#[derive(Clone, PartialEq)]
pub struct Event {
    /// [`metadata`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#event-v1-events-k8s-io): optional. The name, labels and other metadata.
    pub metadata: ObjectMeta,
    /// [`eventTime`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#event-v1-events-k8s-io): required.
    pub event_time: Option<MicroTime>,
    /// [`series`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#event-v1-events-k8s-io): optional.
    pub series: Option<Shared<EventSeries>>,
    /// [`reportingController`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#event-v1-events-k8s-io): optional.
    pub reporting_controller: Str,
    /// [`reportingInstance`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#event-v1-events-k8s-io): optional.
    pub reporting_instance: Str,
    /// [`action`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#event-v1-events-k8s-io): optional.
    pub action: Str,
    /// [`reason`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#event-v1-events-k8s-io): optional.
    pub reason: Str,
    /// [`regarding`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#event-v1-events-k8s-io): optional.
    pub regarding: Shared<ObjectReference>,
    /// [`related`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#event-v1-events-k8s-io): optional.
    pub related: Option<Shared<ObjectReference>>,
    /// [`note`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#event-v1-events-k8s-io): optional.
    pub note: Str,
    /// [`type`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#event-v1-events-k8s-io): optional.
    pub type_: Str,
    /// [`deprecatedSource`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#event-v1-events-k8s-io): optional, deprecated.
    pub deprecated_source: EventSource,
    /// [`deprecatedFirstTimestamp`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#event-v1-events-k8s-io): optional, deprecated.
    pub deprecated_first_timestamp: Option<Time>,
    /// [`deprecatedLastTimestamp`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#event-v1-events-k8s-io): optional, deprecated.
    pub deprecated_last_timestamp: Option<Time>,
    /// [`deprecatedCount`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#event-v1-events-k8s-io): optional, deprecated.
    pub deprecated_count: i32,
}

impl Event {
    /// Every field empty.
    pub const EMPTY: Self = Self {
        metadata: ObjectMeta::EMPTY,
        event_time: None,
        series: None,
        reporting_controller: Str::EMPTY,
        reporting_instance: Str::EMPTY,
        action: Str::EMPTY,
        reason: Str::EMPTY,
        regarding: Shared::DEFAULT,
        related: None,
        note: Str::EMPTY,
        type_: Str::EMPTY,
        deprecated_source: EventSource::EMPTY,
        deprecated_first_timestamp: None,
        deprecated_last_timestamp: None,
        deprecated_count: 0,
    };
}

client_rs_machinery::message!(Event, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "Event",
    type_meta: Some(TypeMeta { api_version: "events.k8s.io/v1", kind: "Event", everywhere: false }),
    fields: &[
        Field::new("metadata", Flags::NONE).of::<ObjectMeta>(),
        Field::new("eventTime", Flags::NONE),
        Field::new("series", Flags::OMIT_EMPTY).of::<EventSeries>(),
        Field::new("reportingController", Flags::OMIT_EMPTY),
        Field::new("reportingInstance", Flags::OMIT_EMPTY),
        Field::new("action", Flags::OMIT_EMPTY),
        Field::new("reason", Flags::OMIT_EMPTY),
        Field::new("regarding", Flags::OMIT_EMPTY).of::<ObjectReference>(),
        Field::new("related", Flags::OMIT_EMPTY).of::<ObjectReference>(),
        Field::new("note", Flags::OMIT_EMPTY),
        Field::new("type", Flags::OMIT_EMPTY),
        Field::new("deprecatedSource", Flags::OMIT_EMPTY).of::<EventSource>(),
        Field::new("deprecatedFirstTimestamp", Flags::NONE),
        Field::new("deprecatedLastTimestamp", Flags::NONE),
        Field::new("deprecatedCount", Flags::OMIT_EMPTY),
    ],
    wire: &[
        Wire::field(1, 0),
        Wire::always(2, 1),
        Wire::field(3, 2),
        Wire::field(4, 3),
        Wire::field(5, 4),
        Wire::field(6, 5),
        Wire::field(7, 6),
        Wire::field(8, 7),
        Wire::field(9, 8),
        Wire::field(10, 9),
        Wire::field(11, 10),
        Wire::field(12, 11),
        Wire::always(13, 12),
        Wire::always(14, 13),
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
            1 => FieldRef::value(&self.event_time),
            2 => FieldRef::optional(&self.series),
            3 => FieldRef::value(&self.reporting_controller),
            4 => FieldRef::value(&self.reporting_instance),
            5 => FieldRef::value(&self.action),
            6 => FieldRef::value(&self.reason),
            7 => FieldRef::shared(&self.regarding),
            8 => FieldRef::optional(&self.related),
            9 => FieldRef::value(&self.note),
            10 => FieldRef::value(&self.type_),
            11 => FieldRef::message(&self.deprecated_source),
            12 => FieldRef::value(&self.deprecated_first_timestamp),
            13 => FieldRef::value(&self.deprecated_last_timestamp),
            14 => FieldRef::value(&self.deprecated_count),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::message(&mut self.metadata),
            1 => FieldMut::value(&mut self.event_time),
            2 => FieldMut::optional(&mut self.series),
            3 => FieldMut::value(&mut self.reporting_controller),
            4 => FieldMut::value(&mut self.reporting_instance),
            5 => FieldMut::value(&mut self.action),
            6 => FieldMut::value(&mut self.reason),
            7 => FieldMut::shared(&mut self.regarding),
            8 => FieldMut::optional(&mut self.related),
            9 => FieldMut::value(&mut self.note),
            10 => FieldMut::value(&mut self.type_),
            11 => FieldMut::message(&mut self.deprecated_source),
            12 => FieldMut::value(&mut self.deprecated_first_timestamp),
            13 => FieldMut::value(&mut self.deprecated_last_timestamp),
            14 => FieldMut::value(&mut self.deprecated_count),
            _ => FieldMut::NONE,
        }
    }
}

client_rs_machinery::object!(Event, "events.k8s.io/v1", "Event");

impl client_rs_machinery::Resource for Event {
    type Scope = client_rs_machinery::Namespaced;

    const INFO: &'static client_rs_machinery::ResourceInfo = &client_rs_machinery::ResourceInfo {
        group: "events.k8s.io",
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
