//! Elements that count themselves and panic on demand.

use std::{
    cell::Cell,
    hash::{DefaultHasher, Hash, Hasher},
    rc::Rc,
};

/// Makes [`Probe`]s, and counts those alive.
#[derive(Clone, Default)]
pub(super) struct Lab(Rc<State>);

#[derive(Default)]
struct State {
    live: Cell<isize>,
    clones_left: Cell<Option<usize>>,
}

impl Lab {
    pub(super) fn probe(&self, value: u32) -> Probe {
        self.0.live.set(self.0.live.get() + 1);
        // On the heap, so that a sanitizer sees a value that is used after its drop, or never dropped.
        Probe { value: Box::new(value), panics_on_drop: false, lab: self.clone() }
    }

    pub(super) fn bomb(&self, value: u32) -> Probe {
        let mut probe = self.probe(value);
        probe.panics_on_drop = true;
        probe
    }

    pub(super) fn probes(&self, n: u32) -> impl Iterator<Item = Probe> {
        (0..n).map(|value| self.probe(value))
    }

    /// From now on `n` clones succeed, and the next one panics.
    pub(super) fn panic_after_clones(&self, n: usize) {
        self.0.clones_left.set(Some(n));
    }

    /// Probes that were made and not yet dropped.
    pub(super) fn live(&self) -> isize {
        self.0.live.get()
    }
}

pub(super) struct Probe {
    pub(super) value: Box<u32>,
    panics_on_drop: bool,
    lab: Lab,
}

impl Clone for Probe {
    fn clone(&self) -> Self {
        let left = &self.lab.0.clones_left;
        match left.get() {
            Some(0) => {
                left.set(None);
                panic!("clone");
            }
            Some(n) => left.set(Some(n - 1)),
            None => {}
        }
        self.lab.probe(*self.value)
    }
}

impl Drop for Probe {
    fn drop(&mut self) {
        self.lab.0.live.set(self.lab.0.live.get() - 1);
        assert!(!self.panics_on_drop, "drop");
    }
}

/// The panic message of `f`, which must panic.
pub(super) fn panics<R>(f: impl FnOnce() -> R) -> String {
    let Err(panic) = std::panic::catch_unwind(std::panic::AssertUnwindSafe(f)) else {
        panic!("did not panic")
    };
    match panic.downcast::<String>() {
        Ok(text) => *text,
        Err(panic) => (*panic.downcast::<&str>().expect("a text")).to_owned(),
    }
}

pub(super) fn hash<T: Hash + ?Sized>(value: &T) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}

pub(super) const fn send_sync<T: Send + Sync>() {}
