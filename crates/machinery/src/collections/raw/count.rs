//! The reference count and its memory ordering.

use std::sync::atomic::{AtomicU32, Ordering};

/// A count of references, at least 1 while anyone can reach it.
///
/// Generic over the atomic so that the loom test below checks this code, not a copy of it.
pub(super) struct Count<A = AtomicU32>(A);

impl<A: Atomic> Count<A> {
    /// A reference was made from one that the caller holds.
    #[inline]
    pub(super) fn retain(&self) {
        // As for `Arc`: past half the range no number of racing threads can wrap the count before one of them aborts.
        if self.0.add(1, Ordering::Relaxed) > i32::MAX.unsigned_abs() {
            std::process::abort();
        }
    }

    /// The caller gives up its reference. Returns true if it was the last: then the caller owns the counted value,
    /// and everything that other threads did with it has happened before.
    #[inline]
    pub(super) fn release(&self) -> bool {
        // A count of 1 can't change under its only holder, so most drops need no read-modify-write.
        if self.is_unique() {
            return true;
        }
        if self.0.sub(1, Ordering::Release) != 1 {
            return false;
        }
        // Pairs with the `Release` of every earlier holder (a load and not a fence: thread sanitizers understand it).
        self.0.load(Ordering::Acquire);
        true
    }

    /// How many references there were a moment ago, at least the caller's own.
    #[inline]
    pub(super) fn get(&self) -> u32 {
        self.0.load(Ordering::Relaxed)
    }

    /// True if the caller's reference is the only one. With exclusive access to that reference it stays so.
    #[inline]
    pub(super) fn is_unique(&self) -> bool {
        self.0.load(Ordering::Acquire) == 1
    }
}

impl Count {
    #[inline]
    pub(super) const fn one() -> Self {
        Self(AtomicU32::new(1))
    }
}

pub(super) trait Atomic {
    fn load(&self, order: Ordering) -> u32;
    fn add(&self, n: u32, order: Ordering) -> u32;
    fn sub(&self, n: u32, order: Ordering) -> u32;
}

macro_rules! atomic {
    ($($atomic:ty),*) => {$(
        impl Atomic for $atomic {
            #[inline]
            fn load(&self, order: Ordering) -> u32 {
                self.load(order)
            }

            #[inline]
            fn add(&self, n: u32, order: Ordering) -> u32 {
                self.fetch_add(n, order)
            }

            #[inline]
            fn sub(&self, n: u32, order: Ordering) -> u32 {
                self.fetch_sub(n, order)
            }
        }
    )*};
}

atomic!(AtomicU32);

#[cfg(test)]
mod tests {
    use super::*;
    use loom::{cell::UnsafeCell, sync::Arc, thread};
    use std::process::Command;

    atomic!(loom::sync::atomic::AtomicU32);

    /// A counted value. Its cell is read under a count, and written only by the holder of the last count. Loom fails
    /// the model when a write is not ordered after every read.
    struct Model {
        count: Count<loom::sync::atomic::AtomicU32>,
        value: UnsafeCell<u32>,
        frees: loom::sync::atomic::AtomicU32,
    }

    impl Model {
        fn new(count: u32) -> Arc<Self> {
            Arc::new(Self {
                count: Count(loom::sync::atomic::AtomicU32::new(count)),
                value: UnsafeCell::new(0),
                frees: loom::sync::atomic::AtomicU32::new(0),
            })
        }

        fn read(&self) {
            self.value.with(|_| ());
        }

        fn drop_handle(&self) {
            if self.count.release() {
                self.value.with_mut(|_| ());
                self.frees.fetch_add(1, Ordering::Relaxed);
            }
        }

        fn edit_if_alone(&self) {
            if self.count.is_unique() {
                self.value.with_mut(|_| ());
            }
        }
    }

    fn run(handles: u32, f: impl Fn(&Model) + Copy + Send + Sync + 'static) {
        loom::model(move || {
            let model = Model::new(handles);
            let others: Vec<_> = (1..handles)
                .map(|_| {
                    let model = model.clone();
                    thread::spawn(move || f(&model))
                })
                .collect();
            f(&model);
            for thread in others {
                thread.join().unwrap();
            }
            assert_eq!(model.frees.load(Ordering::Relaxed), 1, "freed once, by the last handle");
        });
    }

    #[test]
    fn loom_last_of_three_drops_frees_after_all_reads() {
        run(3, |model| {
            model.read();
            model.drop_handle();
        });
    }

    #[test]
    fn loom_clones_and_their_drops_race() {
        run(2, |model| {
            model.count.retain();
            model.read();
            model.drop_handle();
            model.read();
            model.drop_handle();
        });
    }

    #[test]
    fn loom_edits_only_after_the_others_are_gone() {
        run(2, |model| {
            model.read();
            model.edit_if_alone();
            model.drop_handle();
        });
    }

    /// Abort can only be seen from outside: this test runs itself again, in a process that overflows a count.
    #[test]
    fn overflow_aborts() {
        const CHILD: &str = "CLIENT_RS_TEST_OVERFLOW_COUNT";
        if std::env::var_os(CHILD).is_some() {
            let count = Count(AtomicU32::new(i32::MAX.unsigned_abs()));
            count.retain();
            println!("at the limit");
            count.retain();
            println!("past the limit");
            return;
        }
        let name = std::thread::current().name().expect("the test's name").to_owned();
        let child = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", &name, "--nocapture"])
            .env(CHILD, "1")
            .output()
            .unwrap();
        let output = String::from_utf8_lossy(&child.stdout);
        assert!(!child.status.success());
        assert!(output.contains("at the limit") && !output.contains("past the limit"), "{output}");
    }
}
