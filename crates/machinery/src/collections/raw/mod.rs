//! The one place where the collections are unsafe: a reference-counted block of a header and a slice, owned by one word.
//!
//! ```text
//! word, low bit 0: ──▶ ┌ count: u32 ┬ len: u32 ┬ padding to T's alignment ┬ T × len ┐   (one allocation)
//! word, low bit 1: no block; the other bits are the owner's (inline text in `Text`, nothing elsewhere)
//! ```
//!
//! | type | owns | unsafe because it |
//! |---|---|---|
//! | [`Count`](count::Count) | a reference count | is safe code; it states the ordering that the others rely on |
//! | [`Memory`](memory::Memory) | uninitialised room for a header and `cap` elements | allocates and frees |
//! | [`Shape`](memory::Shape) | nothing: the size and the place of a type's elements | is safe code; the others rely on it |
//! | [`Filling`] | a `Memory` and its `len` initialised elements, alone | reads and writes elements |
//! | [`Draining`] | a `Memory` and the elements of a range of it, alone | moves elements out |
//! | [`Slot`] | one count of a finished block, or none | shares elements |
//! | [`erased`] | the same with a table in the place of the type | calls the functions of a table |
//! | [`Text`] | a `Slot<u8>` that holds UTF-8 | skips the UTF-8 check |
//!
//! # Why this is sound
//!
//! **Invariants.** (I1) Address and layout: a block comes from the global allocator with `Shape::of::<T>().layout(cap)`, whose
//! alignment is at least the header's (4), so that the low bit of its address is 0. (I2) A `Slot` with a block points to a
//! block with `cap == len >= 1`, a written header and `len` initialised elements, and holds one of the `count` references.
//! (I3) `Filling`, `Draining` and `Memory` are never shared: the owner of the value is the only one with access to
//! the block, and the header is not read. (I4) A word with low bit 1 is never dereferenced.
//!
//! **Aliasing.** Elements are reached only through the pointer that the allocator gave (never through a reference to the
//! header, which would not cover them). A `Slot` hands out `&[T]` bound to `&self`, which keeps its count. It lets elements be
//! edited only after it saw a count of 1: by `Slot::get_mut` and `Slot::first_mut`, bound to `&mut self`, or by `Slot::into_filling`, which takes
//! the word by value. There are no weak references, so with a count of 1 and `&mut self` (or `self`)
//! in hand nobody else can reach the block, nor start to.
//!
//! **Ordering.** As in `Arc`. A new reference is made from an existing one, so the increment is `Relaxed`. A
//! decrement is `Release`: everything that a thread did with the block happens before it. A thread that sees the
//! count at 1 (to edit) or takes it to 0 (to free) loads with `Acquire`, so all of that happens before the edit or
//! the free. `drop` may skip the decrement when it loads a 1 (with `Acquire`): the only reference left is its own.
//! The loom test in `count.rs` runs every interleaving.
//!
//! **Overflow.** A count past `i32::MAX` aborts the process (as `Arc` does past `isize::MAX`), with room for two billion
//! threads to race past the check. Lengths are checked against `u32::MAX` and layouts against `isize::MAX` when memory is
//! reserved, and never grow elsewhere.
//!
//! **Send and Sync.** A `Slot<T>` sent to another thread gives it `&T`, and, when it ends up the last one, `T` itself: both
//! bounds ask for `T: Send + Sync`, as `Arc` does. `Memory`, `Filling` and `Draining` own their `T`s like a `Vec`, and take
//! the bounds of `Vec`: `Memory` is `Send` and `Sync` by itself, and their `PhantomData<T>` takes away what `T` is not.
//!
//! **Drop check.** Each type has a `PhantomData<T>`, so dropck knows that it drops `T`s. Variance is covariant, which is
//! right as no `T` can be written through a shared handle.
//!
//! **One copy of the code.** `Memory`, `Shape` and the word of a `Slot` know no `T`: a thousand element types would mean
//! a thousand copies. A `Filling<T>`, `Draining<T>` or `Slot<T>` brings `Shape::of::<T>()` to each call, a constant, so that
//! a block always meets the shape that it was made with. Only they, and the functions of the tables of [`erased`], cast a
//! place to `*mut T`.
//!
//! **Panics.** User code that can panic (`T::clone`, `T::drop`, iterators) never runs while an invariant is broken: `len`
//! grows after an element is written, and shrinks before one is dropped or moved out. When `T::drop` panics, the other
//! elements are still dropped (as for any slice) and the block is still freed, by a guard on the stack.
//!
//! **Zero-sized T.** A block of them is its header alone; `len` still counts them. The same code serves, with no
//! special case: pointer steps are no-ops and the layout never has size 0.
#![allow(unsafe_code)]
#![allow(clippy::ptr_as_ptr)] // A method call a cast is one more function for each element type.
#![deny(clippy::undocumented_unsafe_blocks, unsafe_op_in_unsafe_fn)]

mod count;
mod draining;
mod erased;
mod filling;
mod memory;
mod slot;
mod text;

pub(super) use draining::Draining;
pub(crate) use erased::{Erase, Handle, OptionMut, OptionRef, SlotMut, SlotRef};
pub(super) use filling::Filling;
pub use memory::TooLong;
pub(super) use slot::Slot;
pub(super) use text::Text;
