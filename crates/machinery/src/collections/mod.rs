//! One-word, copy-on-write building blocks of every object.
//!
//! An object in a cache is read a thousand times and written once, and most of its fields are empty. So every field
//! that needs the heap is one word here, empty values need no heap at all, and a clone of any size only increments a
//! count:
//!
//! | type | for | empty / default | heap |
//! |---|---|---|---|
//! | [`Str`] | text | no heap, also for up to 7 bytes | 8 bytes + the text |
//! | [`List<T>`] | a `[]T` of Go | no heap | 8 bytes + the elements |
//! | [`Map<V>`] | a `map[string]V` | no heap | 8 bytes + the entries, sorted by key |
//! | [`Shared<T>`] | a sub-message | no heap: reads a `static` | 8 bytes + the value |
//! | [`Blob`] | `[]byte` | no heap | 8 bytes + the bytes |
//!
//! Reads go through `Deref`. Writes go through `DerefMut` and the usual methods, which first copy the block if
//! another handle shares it. So each handle behaves like a plain value: an edit is never visible through another
//! handle. A write to the only handle copies nothing.
//!
//! ```
//! use client_rs_machinery::{List, Map, Str};
//!
//! let finalizers: List<Str> = ["example.com/a".into(), "example.com/b".into()].into();
//! let mut rest = finalizers.clone();
//! assert!(rest.ptr_eq(&finalizers));
//! rest.retain(|name| name != "example.com/a");
//! assert_eq!((finalizers.len(), rest.len()), (2, 1));
//!
//! let labels: Map<Str> = [("app", "web")].into();
//! assert_eq!(serde_json::to_string(&labels).unwrap(), r#"{"app":"web"}"#);
//! ```
//!
//! All are `Send + Sync` if their content is; handles may be cloned and dropped on any thread. A count that passes
//! `i32::MAX` aborts the process, as `Arc` does at its own limit.
//!
//! In human-readable formats `null` reads as the empty value, as in Go.
//!
//! [`VecMap`], [`VecSet`] and [`sort_by_key`] are not for fields of objects: they are maps and sets of a few entries, and a
//! sort, that compile fast and to little code.

pub mod list;
pub mod map;
pub mod vec_map;

mod blob;
mod raw;
mod shared;
mod sort;
mod str;
#[cfg(test)]
mod testing;
mod vec_set;

pub use blob::Blob;
pub use list::{List, ListBuilder};
pub use map::{Map, MapBuilder};
pub use raw::TooLong;
pub(crate) use raw::{Erase, Handle, OptionMut, OptionRef, SlotMut, SlotRef};
pub use shared::{Shared, StaticDefault};
pub use sort::sort_by_key;
pub use str::Str;
pub use vec_map::VecMap;
pub use vec_set::VecSet;
