// Made by `cargo xtask codegen` from schema: change those, not this.
use crate::Str;
use crate::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, TypeMeta, Wire};

/// [`ListOptions`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#listoptions-v1-meta) of `meta.k8s.io/v1`.
#[derive(Clone, PartialEq)]
pub struct ListOptions {
    /// [`labelSelector`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#listoptions-v1-meta): optional.
    pub label_selector: Str,
    /// [`fieldSelector`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#listoptions-v1-meta): optional.
    pub field_selector: Str,
    /// [`watch`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#listoptions-v1-meta): optional.
    pub watch: bool,
    /// [`allowWatchBookmarks`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#listoptions-v1-meta): optional.
    pub allow_watch_bookmarks: bool,
    /// [`resourceVersion`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#listoptions-v1-meta): optional.
    pub resource_version: Str,
    /// [`resourceVersionMatch`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#listoptions-v1-meta): optional, since 1.19. Known values: `Exact`, `NotOlderThan`.
    pub resource_version_match: Str,
    /// [`timeoutSeconds`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#listoptions-v1-meta): optional.
    pub timeout_seconds: Option<i64>,
    /// [`limit`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#listoptions-v1-meta): optional.
    pub limit: i64,
    /// [`continue`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#listoptions-v1-meta): optional.
    pub continue_: Str,
    /// [`sendInitialEvents`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#listoptions-v1-meta): optional, since 1.27.
    pub send_initial_events: Option<bool>,
    /// [`shardSelector`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#listoptions-v1-meta): optional, since 1.36. Feature gate `ShardedListAndWatch`.
    pub shard_selector: Str,
}

impl ListOptions {
    /// Every field empty.
    pub const EMPTY: Self = Self {
        label_selector: Str::EMPTY,
        field_selector: Str::EMPTY,
        watch: false,
        allow_watch_bookmarks: false,
        resource_version: Str::EMPTY,
        resource_version_match: Str::EMPTY,
        timeout_seconds: None,
        limit: 0,
        continue_: Str::EMPTY,
        send_initial_events: None,
        shard_selector: Str::EMPTY,
    };
}

crate::message!(ListOptions, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "ListOptions",
    type_meta: Some(TypeMeta { api_version: "v1", kind: "ListOptions", everywhere: true }),
    fields: &[
        Field::new("labelSelector", Flags::OMIT_EMPTY),
        Field::new("fieldSelector", Flags::OMIT_EMPTY),
        Field::new("watch", Flags::OMIT_EMPTY),
        Field::new("allowWatchBookmarks", Flags::OMIT_EMPTY),
        Field::new("resourceVersion", Flags::OMIT_EMPTY),
        Field::new("resourceVersionMatch", Flags::OMIT_EMPTY),
        Field::new("timeoutSeconds", Flags::OMIT_EMPTY),
        Field::new("limit", Flags::OMIT_EMPTY),
        Field::new("continue", Flags::OMIT_EMPTY),
        Field::new("sendInitialEvents", Flags::OMIT_EMPTY),
        Field::new("shardSelector", Flags::OMIT_EMPTY),
    ],
    wire: &[
        Wire::field(1, 0),
        Wire::field(2, 1),
        Wire::field(3, 2),
        Wire::field(4, 4),
        Wire::field(5, 6),
        Wire::field(7, 7),
        Wire::field(8, 8),
        Wire::field(9, 3),
        Wire::field(10, 5),
        Wire::field(11, 9),
        Wire::field(15, 10),
    ],
};

impl Fields for ListOptions {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.label_selector),
            1 => FieldRef::value(&self.field_selector),
            2 => FieldRef::value(&self.watch),
            3 => FieldRef::value(&self.allow_watch_bookmarks),
            4 => FieldRef::value(&self.resource_version),
            5 => FieldRef::value(&self.resource_version_match),
            6 => FieldRef::value(&self.timeout_seconds),
            7 => FieldRef::value(&self.limit),
            8 => FieldRef::value(&self.continue_),
            9 => FieldRef::value(&self.send_initial_events),
            10 => FieldRef::value(&self.shard_selector),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.label_selector),
            1 => FieldMut::value(&mut self.field_selector),
            2 => FieldMut::value(&mut self.watch),
            3 => FieldMut::value(&mut self.allow_watch_bookmarks),
            4 => FieldMut::value(&mut self.resource_version),
            5 => FieldMut::value(&mut self.resource_version_match),
            6 => FieldMut::value(&mut self.timeout_seconds),
            7 => FieldMut::value(&mut self.limit),
            8 => FieldMut::value(&mut self.continue_),
            9 => FieldMut::value(&mut self.send_initial_events),
            10 => FieldMut::value(&mut self.shard_selector),
            _ => FieldMut::NONE,
        }
    }
}
