//! [`Pools`]: decode pools that informers of several factories share.

use std::any::TypeId;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use client_rs_machinery::pool::{Pool, PoolStats};

/// Decode pools by type, for factories that cache alike objects: those of several clusters. Clones are the same pools.
///
/// Objects of one type from all of these factories share their equal parts, so that the pods of a hundred clusters that run the same programs cost little
/// more than those of one. Give it to each factory with [`FactoryOptions::with_pools`](crate::FactoryOptions::with_pools).
///
/// - **Contention**: a decode holds the lock of its type's pool. Informers of different types do not disturb each other; those of one type decode one
///   after the other. The default, a pool per informer, is faster if they have much to decode at once and little in common.
/// - **Memory**: parts that no cache has any more are swept, as in any pool. The pools end with their last factory and handle.
///
/// ```
/// use client_rs_cache::{FactoryOptions, Pools};
/// use client_rs_machinery::meta::v1::PartialObjectMetadata;
///
/// let pools = Pools::new();
/// let [one, two] = ["edge-1", "edge-2"].map(|_| FactoryOptions::default().with_pools(pools.clone()));
/// let pool = |options: &FactoryOptions| options.informer_options::<PartialObjectMetadata>().pool.unwrap();
/// assert!(std::sync::Arc::ptr_eq(&pool(&one), &pool(&two)));
/// ```
#[derive(Clone, Default)]
pub struct Pools(Arc<Mutex<Known>>);

/// A program caches few types.
type Known = Vec<(TypeId, Arc<Pool>)>;

impl Pools {
    /// No pools; each type gets one with its first informer.
    pub fn new() -> Self {
        Self::default()
    }

    /// Returns the pool of a type.
    pub fn of<K: 'static>(&self) -> Arc<Pool> {
        self.of_type(TypeId::of::<K>())
    }

    pub(crate) fn of_type(&self, of: TypeId) -> Arc<Pool> {
        let mut known = self.lock();
        if let Some((_, pool)) = known.iter().find(|(other, _)| *other == of) {
            return Arc::clone(pool);
        }
        let pool = Arc::<Pool>::default();
        known.push((of, Arc::clone(&pool)));
        pool
    }

    /// The size and the use of the pool of a type.
    pub fn stats<K: 'static>(&self) -> PoolStats {
        self.of::<K>().stats()
    }

    fn lock(&self) -> MutexGuard<'_, Known> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Debug for Pools {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Pools(of {} types)", self.lock().len())
    }
}
