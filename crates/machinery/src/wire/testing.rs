//! A small kind and its list, written by hand, for the tests of this module.

use std::sync::LazyLock;

use super::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Message, TypeMeta, Wire};
use crate::{List, Map, StaticDefault, Str};

macro_rules! message {
    ($name:ident, $kind:expr, { $($index:literal: $field:ident: $type:ty, $json:literal, $number:literal;)* }) => {
        #[derive(Clone, Debug, Default, PartialEq)]
        pub(crate) struct $name {
            $(pub(crate) $field: $type,)*
        }

        impl StaticDefault for $name {
            fn static_default() -> &'static Self {
                static DEFAULT: LazyLock<$name> = LazyLock::new($name::default);
                &DEFAULT
            }
        }

        crate::payload!($name);

        impl Message for $name {
            const DESCRIPTOR: &'static Descriptor = &Descriptor {
                name: stringify!($name),
                type_meta: $kind,
                fields: &[$(Field::new($json, Flags::OMIT_EMPTY),)*],
                wire: &[$(Wire::field($number, $index),)*],
            };
        }

        impl Fields for $name {
            fn descriptor(&self) -> &'static Descriptor {
                Self::DESCRIPTOR
            }

            fn field(&self, index: usize) -> FieldRef<'_> {
                match index {
                    $($index => FieldRef::value(&self.$field),)*
                    _ => FieldRef::NONE,
                }
            }

            fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
                match index {
                    $($index => FieldMut::value(&mut self.$field),)*
                    _ => FieldMut::NONE,
                }
            }
        }
    };
}

message!(ProbeMeta, None, {
    0: name: Str, "name", 1;
    1: namespace: Str, "namespace", 3;
    2: uid: Str, "uid", 5;
    3: resource_version: Str, "resourceVersion", 6;
    4: labels: Map<Str>, "labels", 11;
    5: annotations: Map<Str>, "annotations", 12;
});

message!(Probe, Some(TypeMeta { api_version: "v1", kind: "Probe", everywhere: false }), {
    0: metadata: ProbeMeta, "metadata", 1;
    1: text: Str, "text", 2;
    2: count: i32, "count", 3;
});

message!(ProbeListMeta, None, {
    0: resource_version: Str, "resourceVersion", 2;
    1: continue_token: Str, "continue", 3;
    2: remaining_item_count: Option<i64>, "remainingItemCount", 4;
});

message!(ProbeList, Some(TypeMeta { api_version: "v1", kind: "ProbeList", everywhere: false }), {
    0: metadata: ProbeListMeta, "metadata", 1;
    1: items: List<Probe>, "items", 2;
});

impl Probe {
    pub(crate) fn named(namespace: &str, name: &str) -> Self {
        Self {
            metadata: ProbeMeta {
                name: name.into(),
                namespace: namespace.into(),
                uid: "0b5a5b4e-0001".into(),
                resource_version: "42".into(),
                labels: [("app", Str::from("web")), ("tier", Str::from("front"))].into_iter().collect(),
                annotations: Map::new(),
            },
            text: "braces } ] and \"quotes\" \\ in text".into(),
            count: 3,
        }
    }
}
