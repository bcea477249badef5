//! [`Slots`]: memory for large futures of one type, used again and again.

use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll};

use client_rs_cache::BoxFuture;

/// Futures up to this size are allocated one by one: allocators keep lists of free blocks of such sizes.
const SMALL: usize = 1024;

type Slot<F> = Pin<Box<Option<F>>>;

/// Boxes futures of one type. It keeps the memory of those that have ended, so there is as much as was in use at once.
pub(crate) struct Slots<F> {
    free: Mutex<Vec<Slot<F>>>,
}

impl<F> Default for Slots<F> {
    fn default() -> Self {
        Self { free: Mutex::default() }
    }
}

impl<F> Slots<F> {
    fn free(&self) -> MutexGuard<'_, Vec<Slot<F>>> {
        self.free.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<F: Future + Send + 'static> Slots<F> {
    /// Boxes a future.
    pub(crate) fn boxed(self: &Arc<Self>, future: F) -> BoxFuture<'static, F::Output> {
        if size_of::<F>() <= SMALL {
            return Box::pin(future);
        }
        let free = self.free().pop();
        let mut slot = free.unwrap_or_else(|| Box::pin(None));
        slot.set(Some(future));
        Box::pin(Held { slots: Arc::clone(self), slot: Some(slot) })
    }
}

/// A future in its slot.
struct Held<F> {
    slots: Arc<Slots<F>>,
    /// `None` while it is dropped.
    slot: Option<Slot<F>>,
}

impl<F: Future> Future for Held<F> {
    type Output = F::Output;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<F::Output> {
        match self.slot.as_mut().and_then(|slot| slot.as_mut().as_pin_mut()) {
            Some(future) => future.poll(context),
            None => Poll::Pending,
        }
    }
}

impl<F> Drop for Held<F> {
    fn drop(&mut self) {
        let Some(mut slot) = self.slot.take() else { return };
        // Before the slot is free: what the future owns may panic when it is dropped.
        slot.set(None);
        self.slots.free().push(slot);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn memory_is_used_again_after_a_future_has_ended_or_was_dropped() {
        let owned = Arc::new(());
        let large = |number: u8| {
            let owned = Arc::clone(&owned);
            async move {
                let bytes = [number; 2 * SMALL];
                tokio::task::yield_now().await;
                drop(owned);
                bytes.iter().map(|byte| usize::from(*byte)).sum::<usize>()
            }
        };
        let slots = Arc::new(Slots::default());
        let (one, two) = (slots.boxed(large(1)), slots.boxed(large(2)));
        assert_eq!(tokio::join!(one, two), (2 * SMALL, 4 * SMALL));
        assert_eq!(slots.free().len(), 2);
        let mut unfinished = slots.boxed(large(3));
        assert_eq!(slots.free().len(), 1);
        assert!(
            std::future::poll_fn(|context| Poll::Ready(unfinished.as_mut().poll(context))).await.is_pending()
        );
        drop(unfinished);
        assert_eq!((slots.free().len(), Arc::strong_count(&owned)), (2, 1));
        assert_eq!(slots.boxed(large(4)).await, 8 * SMALL);
    }

    #[tokio::test]
    async fn small_futures_have_no_slots() {
        let slots = Arc::new(Slots::default());
        assert_eq!(slots.boxed(async { 7 }).await, 7);
        assert!(slots.free().is_empty());
    }
}
