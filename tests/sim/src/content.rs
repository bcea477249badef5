//! The content of a simulated object: a few bits that selectors, filters and mappings decide by.

use std::sync::Arc;

use client_rs_machinery::meta::v1::ObjectMeta;
use client_rs_machinery::{Metadata, Object, ObjectKey, Str};

/// Passes the filter of a handler.
pub const PASSES: u8 = 1;
/// The owner, 0 to 3, in the bits above.
const OWNER_SHIFT: u8 = 1;
/// Matches the selector of the collection.
pub const SELECTED: u8 = 1 << 3;
/// Does not decode.
pub const UNREADABLE: u8 = 1 << 4;

/// The number of keys in a history.
pub const KEYS: u8 = 4;
/// The number of owners.
pub const OWNERS: u8 = 4;

/// Returns the owner that this content names.
pub fn owner(content: u8) -> u8 {
    (content >> OWNER_SHIFT) & 3
}

/// Returns content with these parts.
pub fn content(passes: bool, owner: u8, selected: bool, unreadable: bool) -> u8 {
    let bit = |set: bool, bit: u8| if set { bit } else { 0 };
    bit(passes, PASSES) | ((owner & 3) << OWNER_SHIFT) | bit(selected, SELECTED) | bit(unreadable, UNREADABLE)
}

/// An object in a simulation.
#[derive(Clone, Debug)]
pub struct Thing {
    metadata: ObjectMeta,
    /// The content.
    pub content: u8,
}

impl Object for Thing {
    fn meta(&self) -> &dyn Metadata {
        &self.metadata
    }

    fn api_version(&self) -> &'static str {
        "sim/v1"
    }

    fn kind(&self) -> &'static str {
        "Thing"
    }
}

impl Thing {
    /// Makes an object.
    pub fn new(key: u8, uid: u32, version: u32, content: u8) -> Self {
        let metadata = ObjectMeta {
            namespace: namespace(key).into(),
            name: NAMES[usize::from(key)].into(),
            uid: text(uid),
            resource_version: text(version),
            ..ObjectMeta::EMPTY
        };
        Self { metadata, content }
    }
}

const NAMES: [&str; KEYS as usize] = ["w", "x", "y", "z"];

fn namespace(key: u8) -> &'static str {
    if key < 2 { "a" } else { "b" }
}

/// Returns the key of an object.
pub fn object_key(key: u8) -> ObjectKey {
    ObjectKey::new(namespace(key), NAMES[usize::from(key)])
}

/// Returns namespace and name.
pub fn names(key: u8) -> (&'static str, &'static str) {
    (namespace(key), NAMES[usize::from(key)])
}

/// Returns the number of a key.
pub fn key_number(key: &ObjectKey) -> u8 {
    NAMES.iter().zip(0..).find(|(name, _)| key.name == **name).map_or(u8::MAX, |(_, number)| number)
}

/// Returns a version or UID as text.
pub fn text(number: u32) -> Str {
    let mut digits = [0_u8; 10];
    let (mut rest, mut at) = (number, digits.len());
    loop {
        at -= 1;
        digits[at] = b'0' + u8::try_from(rest % 10).unwrap_or_default();
        rest /= 10;
        if rest == 0 {
            break;
        }
    }
    std::str::from_utf8(&digits[at..]).unwrap_or_default().into()
}

/// Returns a text as a number; 0 if it is not one.
pub fn number(text: &str) -> u32 {
    text.bytes()
        .fold(0_u32, |sum, digit| sum.saturating_mul(10).saturating_add(u32::from(digit.wrapping_sub(b'0'))))
}

/// The state of one object, as histories record it. Version 0 means that it does not exist.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
pub struct State {
    /// The version of the object.
    pub version: u32,
    /// The UID.
    pub uid: u32,
    /// The content.
    pub content: u8,
}

impl State {
    /// Returns the state of an object.
    pub fn of(object: &Arc<Thing>) -> Self {
        Self {
            version: number(object.resource_version()),
            uid: number(object.uid()),
            content: object.content,
        }
    }

    /// Returns whether the object exists.
    pub fn exists(self) -> bool {
        self.version > 0
    }
}
