//! The handlers that an informer calls in its own turn.

use std::sync::Arc;

use super::threads::Job;

/// The number of notifications to deliver before other tasks get their turn.
pub(super) const AT_ONCE: usize = 128;

/// Runs the handlers that a batch has made ready, in the turn of the informer. Regardless of their number, it calls them 128 times at most:
/// each gets an equal part of the calls that are left, and what it does not use is left to the next. Where more waits, the task of the handler
/// continues, so no handler waits for another.
pub(crate) fn run_in_turn(ready: Vec<Arc<dyn Job>>) {
    let (mut left, handlers) = (AT_ONCE, ready.len());
    for (index, handler) in ready.into_iter().enumerate() {
        let part = left.div_ceil(handlers - index);
        left -= handler.run_or_abandon(part).min(part);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use super::*;

    /// Needs some calls, and notes how many it may make.
    struct Needs {
        calls: usize,
        parts: Arc<Mutex<Vec<usize>>>,
    }

    impl Job for Needs {
        fn run(&self, most: usize) -> usize {
            self.parts.lock().unwrap().push(most);
            assert_ne!(self.calls, usize::MAX, "as a test wants");
            self.calls.min(most)
        }

        fn abandon(&self) {}
    }

    fn parts(calls: impl IntoIterator<Item = usize>) -> Vec<usize> {
        let parts = Arc::<Mutex<Vec<usize>>>::default();
        let job = |calls| Arc::new(Needs { calls, parts: Arc::clone(&parts) }) as Arc<dyn Job>;
        run_in_turn(calls.into_iter().map(job).collect());
        let parts = parts.lock().unwrap();
        parts.clone()
    }

    #[test]
    fn handlers_share_the_calls_of_a_turn() {
        assert_eq!(parts([1000]), [128], "one handler has all of them");
        assert_eq!(parts([1000, 1000, 1000]), [43, 43, 42]);
        assert_eq!(parts([1, 1, 1000]), [43, 64, 126], "those that are not used are left to the next");
        assert_eq!(parts([1; 50]).iter().min(), Some(&3), "one event reaches all of them at once");
        assert_eq!(parts([100; 50]).iter().sum::<usize>(), 128);
        let many = parts([1; 200]);
        assert_eq!((&many[..128], &many[128..]), (&[1; 128][..], &[0; 72][..]));
        assert_eq!(parts([usize::MAX, 1000]), [64, 64], "a panic has used its part");
        assert!(parts([]).is_empty());
    }
}
