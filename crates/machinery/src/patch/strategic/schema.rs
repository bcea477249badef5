//! The patch strategies of the lists and objects in a type.

use crate::wire::{Descriptor, Flags};

/// A type, or nothing known: then objects merge and lists are replaced.
#[derive(Clone, Copy)]
pub(super) struct Schema(Option<&'static Descriptor>);

/// How a field's content is patched.
#[derive(Clone, Copy)]
pub(super) struct Rules {
    /// The type of the field, or of its list's elements.
    pub(super) schema: Schema,
    /// A list that is merged.
    pub(super) merge: bool,
    /// An object that is replaced.
    pub(super) replace: bool,
    /// A created patch names the keys to keep.
    pub(super) retain_keys: bool,
    /// The key to merge a list's elements by; empty for plain values.
    pub(super) merge_key: &'static str,
}

impl Schema {
    pub(super) fn of(descriptor: &'static Descriptor) -> Self {
        Self(Some(descriptor))
    }

    /// How a field is patched.
    pub(super) fn field(self, name: &str) -> Rules {
        let field = self.0.and_then(|descriptor| descriptor.field_named(name));
        let Some(field) = field else {
            return Rules {
                schema: Self(None),
                merge: false,
                replace: false,
                retain_keys: false,
                merge_key: "",
            };
        };
        Rules {
            schema: Self(field.message()),
            merge: field.flags.has(Flags::PATCH_MERGE),
            replace: field.flags.has(Flags::PATCH_REPLACE),
            retain_keys: field.flags.has(Flags::PATCH_RETAIN_KEYS),
            merge_key: field.merge_key,
        }
    }
}
