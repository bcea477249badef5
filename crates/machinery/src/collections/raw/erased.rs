//! Blocks whose element type is known only at run time.
//!
//! A generated API has a thousand message types, and nearly each is somewhere in a list or behind a pointer. What reads and
//! writes them needs no type, only a view of each element, such as a trait object; a copy of the code for each type would be
//! most of what such a crate compiles. So there is one copy here, over a table for each type.
//!
//! # Why this is sound
//!
//! The invariants are those of [`super`], with one more. (I5) A word and a table that stand together ([`Handle`],
//! [`SlotRef`], [`SlotMut`], [`OptionRef`], [`OptionMut`], [`Pile`]) are of the same `T`. They are made together only from a
//! `Slot<T>` and the table of this `T`, and a word is replaced only by a word that came with the same table, or with one of
//! the same [`TypeId`]. The functions of a table are therefore called with places of elements of their own `T`.
//!
//! **Aliasing, lifetimes.** As for `Slot<T>`: a `SlotRef` borrows the slot, and so keeps its count; a `SlotMut` borrows it
//! mutably and lets an element be edited only after it saw a count of 1. A [`Pile`] owns its block alone (I3).
//!
//! **Send and Sync.** A table is made only for `T: Send + Sync`, so all of these may go wherever a `Slot<T>` of it may.
//!
//! **Options.** `Shared<T>`, `Slot<T>` and `Word` are transparent wrappers of a `NonNull`, for which the size and the
//! representation of an `Option` are guaranteed: the word of a `Some`, and null for `None`. So a reference to an
//! `Option<Shared<T>>` is one to an `Option<Word>`.

use super::{
    super::Shared,
    Slot,
    memory::{Freeing, Header, Memory, Shape},
    slot::Word,
};
use std::{
    any::TypeId,
    mem,
    ptr::{self, NonNull},
};

/// An element type that can be viewed as a `V`, for example as a trait object, after its type is erased.
pub(crate) trait Erase<V: ?Sized>: Clone + Default + Send + Sync + 'static {
    /// The view of a default element, which is always the same.
    fn view_default() -> &'static V;
    fn view(&self) -> &V;
    fn view_mut(&mut self) -> &mut V;
}

/// How elements of one type are freed.
pub(super) struct Glue {
    shape: Shape,
    /// Drops the element at this place.
    drop: unsafe fn(*mut u8),
}

impl Glue {
    pub(super) const fn of<T>() -> &'static Self {
        const { &Self { shape: Shape::of::<T>(), drop: drop_element::<T> } }
    }
}

/// The facts about an element type that a [`Handle`] needs.
struct Kind {
    id: TypeId,
    glue: &'static Glue,
}

impl Kind {
    const fn of<T: Send + Sync + 'static>() -> &'static Self {
        const { &Self { id: TypeId::of::<T>(), glue: Glue::of::<T>() } }
    }
}

/// The table of an element type that is seen as a `V`.
struct Element<V: ?Sized + 'static> {
    kind: &'static Kind,
    shape: Shape,
    /// Writes a default element to a place without one, and views it.
    make: unsafe fn(*mut u8) -> *mut V,
    /// Writes a clone of the element at the first place to the second, which is uninitialized.
    copy: unsafe fn(*const u8, *mut u8),
    view: unsafe fn(*const u8) -> *const V,
    view_mut: unsafe fn(*mut u8) -> *mut V,
    default: fn() -> &'static V,
}

impl<V: ?Sized + 'static> Element<V> {
    const fn of<T: Erase<V>>() -> &'static Self {
        const {
            &Self {
                kind: Kind::of::<T>(),
                shape: Shape::of::<T>(),
                make: make::<T, V>,
                copy: copy::<T>,
                view: view::<T, V>,
                view_mut: view_mut::<T, V>,
                default: T::view_default,
            }
        }
    }
}

/// # Safety
///
/// At `place` there is a `T`, which is not used after.
unsafe fn drop_element<T>(place: *mut u8) {
    // SAFETY: promised by the caller.
    unsafe { ptr::drop_in_place(place as *mut T) }
}

/// # Safety
///
/// `place` is valid for the write of a `T`, and uninitialized.
unsafe fn make<T: Erase<V>, V: ?Sized>(place: *mut u8) -> *mut V {
    let place = place as *mut T;
    // SAFETY: promised by the caller, and written before it is borrowed.
    unsafe {
        ptr::write(place, T::default());
        (*place).view_mut()
    }
}

/// # Safety
///
/// At `from` there is a `T`, which nobody edits; `to` is valid for the write of one, and uninitialized.
unsafe fn copy<T: Clone>(from: *const u8, to: *mut u8) {
    // SAFETY: promised by the caller.
    unsafe { ptr::write(to as *mut T, (*(from as *const T)).clone()) }
}

/// # Safety
///
/// At `place` there is a `T`, which nobody edits while the view is used.
unsafe fn view<T: Erase<V>, V: ?Sized>(place: *const u8) -> *const V {
    // SAFETY: promised by the caller.
    unsafe { (*(place as *const T)).view() }
}

/// # Safety
///
/// At `place` there is a `T`, which nobody else uses while the view is used.
unsafe fn view_mut<T: Erase<V>, V: ?Sized>(place: *mut u8) -> *mut V {
    // SAFETY: promised by the caller.
    unsafe { (*(place as *mut T)).view_mut() }
}

/// Elements to be dropped one by one: the rest of them also while the panic of one passes, as those of a slice.
struct Dropping<'a> {
    at: *mut u8,
    left: usize,
    glue: &'a Glue,
}

impl Dropping<'_> {
    fn run(&mut self) {
        while self.left > 0 {
            let place = self.at;
            self.at = place.wrapping_add(self.glue.shape.size());
            self.left -= 1;
            // SAFETY: one of the elements that `drop_elements` was given, and no longer counted: dropped once.
            unsafe { (self.glue.drop)(place) };
        }
    }
}

impl Drop for Dropping<'_> {
    fn drop(&mut self) {
        self.run();
    }
}

/// Drops elements of one type; also all others if the drop of one panics.
///
/// # Safety
///
/// From `first` on there are `len` elements of this type, which are not used after.
pub(super) unsafe fn drop_elements(first: *mut u8, len: usize, glue: &Glue) {
    // If a panic ends this loop, the loop in `drop` continues at the same place.
    Dropping { at: first, left: len, glue }.run();
}

/// Releases a share of a block. The last release frees the block with its elements, also if the drop of one panics.
///
/// # Safety
///
/// (I2) holds for `block`, whose elements have this type, and the caller gives up a count that it owns.
#[inline(never)]
pub(super) unsafe fn release(block: NonNull<Header>, glue: &Glue) {
    let Some(len) = Word::of_block(block).release() else { return };
    // SAFETY: (I2), and ours was the last count, so the block is ours alone.
    let memory = unsafe { Memory::from_raw(block, len) };
    let first = memory.place(glue.shape, 0);
    let _free = Freeing { memory, shape: glue.shape };
    // SAFETY: initialised (I2), of the type of this table (I5), and not used after.
    unsafe { drop_elements(first, len, glue) };
}

/// A share of a block of any element type, for code that keeps blocks of many types.
pub(crate) struct Handle {
    word: Word,
    kind: &'static Kind,
}

// SAFETY: a kind is of elements that are `Send` and `Sync`; as for `Slot<T>`.
unsafe impl Send for Handle {}
// SAFETY: as above.
unsafe impl Sync for Handle {}

impl Handle {
    /// How many share the block, as of a moment ago; 1 without one.
    pub(crate) fn holders(&self) -> usize {
        self.word.holders()
    }

    /// The type of the elements.
    pub(crate) fn element(&self) -> TypeId {
        self.kind.id
    }
}

impl Drop for Handle {
    fn drop(&mut self) {
        if !self.word.is_immediate() {
            // SAFETY: (I2), of this kind (I5), and the count of `self` is given up: its word is not used after.
            unsafe { release(self.word.block(), self.kind.glue) };
        }
    }
}

impl<T: Send + Sync + 'static> Slot<T> {
    /// Another share, whose type is forgotten.
    pub(in super::super) fn handle(&self) -> Handle {
        Handle { word: self.word.retain(), kind: Kind::of::<T>() }
    }

    /// Shares what the handle shares instead, if that is of the same type.
    pub(in super::super) fn share(&mut self, other: &Handle) -> bool {
        set(&mut self.word, Kind::of::<T>(), other)
    }
}

impl<T> Slot<T> {
    /// A view of the elements that forgets their type.
    #[inline]
    pub(in super::super) fn erased<V: ?Sized + 'static>(&self) -> SlotRef<'_, V>
    where
        T: Erase<V>,
    {
        SlotRef { word: &self.word, of: Element::of::<T>() }
    }

    /// The same, to edit them.
    #[inline]
    pub(in super::super) fn erased_mut<V: ?Sized + 'static>(&mut self) -> SlotMut<'_, V>
    where
        T: Erase<V>,
    {
        SlotMut { word: &mut self.word, of: Element::of::<T>() }
    }
}

impl<T> Shared<T> {
    /// A value that may be absent, seen as a `V`.
    #[allow(clippy::ref_option)] // The option is looked at when the view is, and not before.
    #[inline]
    pub(crate) fn erased_option<V: ?Sized + 'static>(shared: &Option<Self>) -> OptionRef<'_, V>
    where
        T: Erase<V>,
    {
        // SAFETY: the same representation; see the head of this module.
        let word = unsafe { &*ptr::from_ref(shared).cast::<Option<Word>>() };
        OptionRef { word, of: Element::of::<T>() }
    }

    /// A value that may be absent, to be edited as a `V`.
    #[inline]
    pub(crate) fn erased_option_mut<V: ?Sized + 'static>(shared: &mut Option<Self>) -> OptionMut<'_, V>
    where
        T: Erase<V>,
    {
        // SAFETY: the same representation; see the head of this module. `OptionMut` writes words of this `T` only (I5).
        let word = unsafe { &mut *ptr::from_mut(shared).cast::<Option<Word>>() };
        OptionMut { word, of: Element::of::<T>() }
    }
}

const _: () = assert!(size_of::<Option<Shared<u64>>>() == size_of::<Option<Word>>());

/// Lets `word`, of this kind, share what `other` does, if that is of the same type.
fn set(word: &mut Word, kind: &'static Kind, other: &Handle) -> bool {
    let same = kind.id == other.kind.id;
    if same {
        replace(word, kind, other.word.retain());
    }
    same
}

/// Replaces a word by another word of this kind (I5), and releases the share of the old one.
fn replace(word: &mut Word, kind: &'static Kind, with: Word) {
    drop(Handle { word: mem::replace(word, with), kind });
}

/// The elements of a slot, seen as `V`s.
pub(crate) struct SlotRef<'a, V: ?Sized + 'static> {
    word: &'a Word,
    of: &'static Element<V>,
}

impl<V: ?Sized + 'static> Clone for SlotRef<'_, V> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<V: ?Sized + 'static> Copy for SlotRef<'_, V> {}

impl<'a, V: ?Sized + 'static> SlotRef<'a, V> {
    #[inline]
    pub(crate) fn len(self) -> usize {
        self.word.elements(self.of.shape).1
    }

    #[inline]
    pub(crate) fn is_empty(self) -> bool {
        self.word.is_immediate()
    }

    /// The element at this place.
    pub(crate) fn get(self, at: usize) -> Option<&'a V> {
        if at >= self.len() {
            return None;
        }
        let place = self.of.shape.place(self.word.block(), at);
        // SAFETY: there are more than `at` elements (I2), of this type (I5), which live while the slot that is borrowed for
        // `'a` holds its count; nobody edits them meanwhile.
        Some(unsafe { &*(self.of.view)(place) })
    }

    /// The first element; a default one without any.
    pub(crate) fn first(self) -> &'a V {
        match self.get(0) {
            Some(first) => first,
            None => (self.of.default)(),
        }
    }
}

/// The elements of a slot, to be edited as `V`s.
pub(crate) struct SlotMut<'a, V: ?Sized + 'static> {
    word: &'a mut Word,
    of: &'static Element<V>,
}

impl<'a, V: ?Sized + 'static> SlotMut<'a, V> {
    /// The same for a shorter time.
    pub(crate) fn reborrow(&mut self) -> SlotMut<'_, V> {
        SlotMut { word: &mut *self.word, of: self.of }
    }

    #[inline]
    pub(crate) fn is_empty(&self) -> bool {
        self.word.is_immediate()
    }

    /// The type of the elements.
    pub(crate) fn element(&self) -> TypeId {
        self.of.kind.id
    }

    /// Another share.
    pub(crate) fn handle(&self) -> Handle {
        Handle { word: self.word.retain(), kind: self.of.kind }
    }

    /// Shares what the handle shares instead, if that is of the same type.
    pub(crate) fn share(&mut self, other: &Handle) -> bool {
        set(self.word, self.of.kind, other)
    }

    /// Gives up all elements.
    pub(crate) fn clear(&mut self) {
        replace(self.word, self.of.kind, Word::NONE);
    }

    /// Takes the elements out to add some, with room for `extra` more. Copies them if another slot shares them.
    pub(crate) fn take(&mut self, extra: usize) -> Pile<V> {
        let len = self.word.elements(self.of.shape).1;
        let mut pile = if self.word.is_unique() && len != 0 {
            let block = mem::replace(self.word, Word::NONE).block();
            // SAFETY: allocated for `cap == len` with all elements initialised (I2); ours alone, as ours was the only
            // count and the slot has forgotten it.
            Pile { memory: unsafe { Memory::from_raw(block, len) }, len, of: self.of }
        } else {
            let mut pile = Pile::new(self.of, len.saturating_add(extra));
            for at in 0..len {
                let from = self.of.shape.place(self.word.block(), at);
                // SAFETY: an element of this type (I2, I5), which nobody edits while the slot has its count; and room for
                // `len` of them in a block of its own.
                unsafe { (self.of.copy)(from, pile.memory.place(self.of.shape, at)) };
                pile.len = at + 1;
            }
            self.clear();
            pile
        };
        pile.memory.reserve_exact(self.of.shape, pile.len, extra);
        pile
    }

    /// Puts elements back that came from [`take`](Self::take) of this slot.
    pub(crate) fn put(&mut self, pile: Pile<V>) {
        assert!(ptr::eq(pile.of.kind, self.of.kind) || pile.of.kind.id == self.of.kind.id);
        replace(self.word, self.of.kind, pile.finish());
    }

    /// Returns the first element for editing. Creates it if it is missing, and copies it first if another slot shares
    /// it.
    pub(crate) fn make_mut(self) -> &'a mut V {
        let Self { word, of } = self;
        if word.is_immediate() {
            let mut pile = Pile::new(of, 1);
            pile.push();
            *word = pile.finish();
        } else if !word.is_unique() {
            let mut slot = SlotMut { word: &mut *word, of };
            let pile = slot.take(0);
            slot.put(pile);
        }
        let place = of.shape.place(word.block(), 0);
        // SAFETY: an element of this type (I2, I5). Exclusive: ours is the only count, and the slot is borrowed mutably
        // for `'a`.
        unsafe { &mut *(of.view_mut)(place) }
    }
}

/// A slot that may be absent.
pub(crate) struct OptionRef<'a, V: ?Sized + 'static> {
    word: &'a Option<Word>,
    of: &'static Element<V>,
}

impl<V: ?Sized + 'static> Clone for OptionRef<'_, V> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<V: ?Sized + 'static> Copy for OptionRef<'_, V> {}

impl<'a, V: ?Sized + 'static> OptionRef<'a, V> {
    #[inline]
    pub(crate) fn get(self) -> Option<SlotRef<'a, V>> {
        self.word.as_ref().map(|word| SlotRef { word, of: self.of })
    }
}

/// A slot that may be absent, to be edited.
pub(crate) struct OptionMut<'a, V: ?Sized + 'static> {
    word: &'a mut Option<Word>,
    of: &'static Element<V>,
}

impl<'a, V: ?Sized + 'static> OptionMut<'a, V> {
    /// The slot; without elements if it was absent.
    pub(crate) fn get_or_default(self) -> SlotMut<'a, V> {
        SlotMut { word: self.word.get_or_insert(Word::NONE), of: self.of }
    }

    /// Makes it absent.
    pub(crate) fn clear(&mut self) {
        if let Some(word) = self.word.take() {
            drop(Handle { word, kind: self.of.kind });
        }
    }
}

/// Elements under construction, as [`Filling`](super::Filling). Drop drops them.
pub(crate) struct Pile<V: ?Sized + 'static> {
    memory: Memory,
    len: usize,
    of: &'static Element<V>,
}

impl<V: ?Sized + 'static> Pile<V> {
    fn new(of: &'static Element<V>, capacity: usize) -> Self {
        Self { memory: Memory::with_capacity(of.shape, capacity), len: 0, of }
    }

    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// Adds a default element, to be edited.
    pub(crate) fn push(&mut self) -> &mut V {
        if self.len == self.memory.cap() {
            self.memory.grow(self.of.shape);
        }
        let place = self.memory.place(self.of.shape, self.len);
        // SAFETY: `len < cap`, and that place is not initialised. The memory is ours alone (I3), and borrowed with `self`.
        let made = unsafe { &mut *(self.of.make)(place) };
        self.len += 1;
        made
    }

    fn finish(mut self) -> Word {
        let shape = self.of.shape;
        let memory = mem::replace(&mut self.memory, Memory::none(shape));
        let len = mem::replace(&mut self.len, 0);
        if len == 0 {
            drop(Freeing { memory, shape });
            return Word::NONE;
        }
        // SAFETY: `len >= 1` elements are initialised, and `self` has forgotten them together with the memory.
        Word::of_block(unsafe { memory.finish(shape, len) })
    }
}

impl<V: ?Sized + 'static> Drop for Pile<V> {
    fn drop(&mut self) {
        let shape = self.of.shape;
        let first = self.memory.place(shape, 0);
        let memory = mem::replace(&mut self.memory, Memory::none(shape));
        let len = mem::replace(&mut self.len, 0);
        let _free = Freeing { memory, shape };
        if len != 0 {
            // SAFETY: initialised, of this type (I5), and dropped once: `self` has forgotten them. A panic still frees the
            // memory, after this.
            unsafe { drop_elements(first, len, self.of.kind.glue) };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::{
        List, Shared, StaticDefault, Str,
        testing::{Lab, Probe},
    };
    use super::*;

    /// An element with something on the heap, seen as its text.
    #[derive(Clone, Debug, Default, PartialEq)]
    struct Note {
        text: Str,
        more: List<Note>,
    }

    impl StaticDefault for Note {
        fn static_default() -> &'static Self {
            static DEFAULT: Note = Note { text: Str::EMPTY, more: List::EMPTY };
            &DEFAULT
        }
    }

    impl Erase<Note> for Note {
        fn view_default() -> &'static Note {
            Note::static_default()
        }
        fn view(&self) -> &Note {
            self
        }
        fn view_mut(&mut self) -> &mut Note {
            self
        }
    }

    const LONG: &str = "longer than a word";

    fn note(text: &str) -> Note {
        Note { text: text.into(), more: List::EMPTY }
    }

    fn push(list: &mut List<Note>, texts: &[&str]) {
        let mut slot = list.erased_mut::<Note>();
        let mut pile = slot.take(texts.len());
        for text in texts {
            let before = pile.len();
            pile.push().text = (*text).into();
            assert_eq!(pile.len(), before + 1);
        }
        slot.put(pile);
    }

    #[test]
    fn elements_are_added_in_place_and_read_back() {
        let mut list = List::new();
        push(&mut list, &[]);
        assert!(list.is_empty() && list.erased::<Note>().is_empty());
        push(&mut list, &[LONG, "b", "c", "d", "e"]);
        assert_eq!(list.heap_size(), 8 + 5 * size_of::<Note>());
        let other = list.clone();
        push(&mut list, &["f"]);
        assert_eq!((other.len(), list.len()), (5, 6));
        assert!(!list.ptr_eq(&other));
        let seen = list.erased::<Note>();
        assert_eq!(seen.len(), 6);
        assert_eq!(seen.first().text, LONG);
        assert!(seen.get(6).is_none() && seen.get(5).is_some_and(|last| last.text == "f"));
        drop(other);
        let place = list.as_ptr();
        list.erased_mut::<Note>().clear();
        assert!(list.is_empty() && !place.is_null());
    }

    #[test]
    fn elements_that_are_not_put_back_are_dropped() {
        let mut list = List::from([note(LONG)]);
        let inner = List::from([note(LONG)]);
        list[0].more = inner.clone();
        let pile = list.erased_mut::<Note>().take(3);
        assert!(list.is_empty() && inner.holders() == 2);
        drop(pile);
        assert_eq!(inner.holders(), 1);
    }

    #[test]
    fn a_pointer_is_edited_alone() {
        let mut shared = Shared::<Note>::DEFAULT;
        assert!(shared.erased::<Note>().first().text.is_empty());
        shared.erased_mut::<Note>().make_mut().text = LONG.into();
        assert_eq!(*shared, note(LONG));
        let other = shared.clone();
        shared.erased_mut::<Note>().make_mut().text = "b".into();
        assert_eq!((&*shared, &*other), (&note("b"), &note(LONG)));
        let place = std::ptr::from_ref(&*shared);
        shared.erased_mut::<Note>().make_mut().text = "c".into();
        assert!(std::ptr::eq(place, &raw const *shared));
    }

    #[test]
    fn an_option_is_made_and_given_up() {
        let mut option: Option<Shared<Note>> = None;
        assert!(Shared::erased_option::<Note>(&option).get().is_none());
        Shared::erased_option_mut::<Note>(&mut option).clear();
        assert!(Shared::erased_option_mut::<Note>(&mut option).get_or_default().is_empty());
        assert_eq!(option, Some(Shared::DEFAULT));
        Shared::erased_option_mut::<Note>(&mut option).get_or_default().make_mut().text = LONG.into();
        let kept = option.clone();
        assert_eq!(Shared::erased_option::<Note>(&option).get().unwrap().first(), &note(LONG));
        Shared::erased_option_mut::<Note>(&mut option).clear();
        assert_eq!(option, None);
        assert!(kept.is_some_and(|kept| kept.is_unique() && *kept == note(LONG)));
    }

    #[test]
    fn a_handle_keeps_a_block_and_is_shared_by_its_own_type_alone() {
        let list = List::from([note(LONG), note("b")]);
        let handle = list.handle();
        assert_eq!((handle.holders(), handle.element()), (2, TypeId::of::<Note>()));
        drop(list);
        assert_eq!(handle.holders(), 1);
        let mut other = List::from([note("other")]);
        assert!(other.share(&handle) && other == [note(LONG), note("b")]);
        let mut erased = List::from([note("other")]);
        assert!(erased.erased_mut::<Note>().share(&handle) && erased.ptr_eq(&other));
        assert_eq!(erased.erased_mut::<Note>().handle().holders(), 4);
        let mut strings = List::from([Str::from(LONG)]);
        assert!(!strings.share(&handle) && strings == [LONG]);
        assert!(!List::from([0_u8]).share(&handle));
        drop((other, erased));
        assert_eq!(handle.holders(), 1);
        assert_eq!(List::<Note>::EMPTY.handle().holders(), 1);
    }

    /// The last share frees the block, also if its type is erased.
    #[test]
    fn the_last_share_drops_the_elements() {
        let lab = Lab::default();
        let list: List<Probe> = lab.probes(3).collect();
        assert_eq!(lab.live(), 3);
        drop(list);
        assert_eq!(lab.live(), 0);
        std::thread::scope(|scope| {
            let list = List::from([note(LONG)]);
            for _ in 0..4 {
                let handle = list.handle();
                scope.spawn(move || assert!(handle.holders() >= 1));
            }
        });
    }
}
