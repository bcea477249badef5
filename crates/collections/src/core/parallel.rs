//! Rows of one node on several threads, if there is enough to compute.
//!
//! Functions are pure and read what is final in this epoch, so the order in which they are computed can't be observed.
//! Their results are taken over by one thread, in the order of rows.

use std::num::NonZero;
use std::thread;

use super::node::Work;

/// The most rows that are computed before their results are taken over. It limits the memory of results.
pub(crate) const AT_ONCE: usize = 16 * 1024;

/// Fewer rows than this are never worth a thread.
const FEWEST: usize = 256;

/// The least work that is shared, in nanoseconds: starting and joining threads takes about a tenth of a millisecond.
const LEAST: u64 = 2_000_000;

/// The most threads.
const MOST_THREADS: usize = 8;

/// Whether rows are computed on several threads.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Parallel {
    /// If it pays, by the time that the rows of the node have taken so far.
    #[default]
    IfItPays,
    /// Always if there are two rows: for tests.
    #[cfg(any(test, feature = "sim"))]
    Always,
}

/// Returns how many threads should compute `rows` rows of a node; `None` for the current one alone.
pub(crate) fn threads(rows: usize, work: Work, when: Parallel) -> Option<NonZero<usize>> {
    match when {
        Parallel::IfItPays => {
            let expected = work.nanos.checked_div(work.computed)?.saturating_mul(rows as u64);
            if rows < FEWEST || expected < LEAST {
                return None;
            }
            let cores = thread::available_parallelism().ok()?;
            NonZero::new(cores.get().min(MOST_THREADS)).filter(|threads| threads.get() > 1)
        }
        #[cfg(any(test, feature = "sim"))]
        Parallel::Always => NonZero::new(2).filter(|_| rows > 1),
    }
}

/// Computes all rows, and returns the results in the order of the rows. A panic of `one` continues in the caller.
pub(crate) fn map<T: Send>(rows: &[u32], threads: NonZero<usize>, one: &(dyn Fn(u32) -> T + Sync)) -> Vec<T> {
    let each = rows.len().div_ceil(threads.get()).max(1);
    let (mine, others) = rows.split_at(each.min(rows.len()));
    thread::scope(|scope| {
        let spawned: Vec<_> = others
            .chunks(each)
            .map(|some| scope.spawn(move || some.iter().map(|row| one(*row)).collect::<Vec<_>>()))
            .collect();
        let mut results = Vec::with_capacity(rows.len());
        results.extend(mine.iter().map(|row| one(*row)));
        for thread in spawned {
            match thread.join() {
                Ok(some) => results.extend(some),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
        results
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_have_the_order_of_rows() {
        let rows: Vec<u32> = (0..1001).collect();
        for threads in 1..5 {
            let doubled = map(&rows, NonZero::new(threads).unwrap(), &|row| 2 * row);
            assert_eq!(doubled, rows.iter().map(|row| 2 * row).collect::<Vec<_>>());
        }
        assert!(map(&[], NonZero::new(3).unwrap(), &|row| row).is_empty());
    }

    #[test]
    fn little_work_is_not_shared() {
        let work = |nanos| Work { computed: 1000, nanos, ..Work::default() };
        assert_eq!(threads(100_000, Work::default(), Parallel::IfItPays), None, "its cost is not known");
        assert_eq!(threads(300, work(500_000), Parallel::IfItPays), None, "150 microseconds");
        assert_eq!(threads(200, work(1_000_000_000), Parallel::IfItPays), None, "few rows");
        let shared = threads(100_000, work(500_000), Parallel::IfItPays);
        let cores = thread::available_parallelism().map_or(1, NonZero::get);
        assert_eq!(shared.is_some(), cores > 1, "50 milliseconds");
    }
}
