//! [`in_scope`]: a value that a thread has while it polls a future.

use std::future::{Future, poll_fn};
use std::pin::pin;

/// Runs a future. Whenever it is polled, `exchange` exchanges `value` with that of the thread, and exchanges both again after the poll.
///
/// This makes a variable of a task from one of the thread, without a lookup for tasks that have none. Scopes can be nested. The future
/// is dropped outside of the scope.
///
/// ```
/// # use std::future::Future;
/// # use std::task::{Context, Poll, Waker};
/// use std::cell::Cell;
/// use std::pin::pin;
///
/// use client_rs_machinery::in_scope;
///
/// thread_local! {
///     static NUMBER: Cell<u32> = const { Cell::new(0) };
/// }
///
/// # let mut context = Context::from_waker(Waker::noop());
/// let exchange = |number: &mut u32| NUMBER.with(|current| *number = current.replace(*number));
/// let future = pin!(in_scope(7, exchange, async { NUMBER.get() }));
/// assert_eq!(future.poll(&mut context), Poll::Ready(7));
/// assert_eq!(NUMBER.get(), 0);
/// ```
pub async fn in_scope<T, F: Future>(mut value: T, exchange: impl Fn(&mut T), future: F) -> F::Output {
    let mut future = pin!(future);
    poll_fn(|context| {
        let _entered = Entered::new(&mut value, &exchange);
        future.as_mut().poll(context)
    })
    .await
}

/// While it lives, the value is that of the thread. A panic ends that, too.
struct Entered<'a, T, E: Fn(&mut T)> {
    value: &'a mut T,
    exchange: &'a E,
}

impl<'a, T, E: Fn(&mut T)> Entered<'a, T, E> {
    #[inline]
    fn new(value: &'a mut T, exchange: &'a E) -> Self {
        exchange(value);
        Self { value, exchange }
    }
}

impl<T, E: Fn(&mut T)> Drop for Entered<'_, T, E> {
    #[inline]
    fn drop(&mut self) {
        (self.exchange)(self.value);
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;
    use std::future::{Future, ready};
    use std::panic::{AssertUnwindSafe, catch_unwind};
    use std::pin::pin;
    use std::task::{Context, Waker};

    use super::in_scope;

    thread_local! {
        static NUMBER: Cell<u32> = const { Cell::new(0) };
    }

    fn exchange(number: &mut u32) {
        NUMBER.with(|current| *number = current.replace(*number));
    }

    #[test]
    fn the_value_is_that_of_the_innermost_scope_and_of_nobody_after_a_panic() {
        let mut context = Context::from_waker(Waker::noop());
        let nested = in_scope(1, exchange, async {
            assert_eq!(NUMBER.get(), 1);
            in_scope(2, exchange, async { assert_eq!(NUMBER.get(), 2) }).await;
            assert_eq!(NUMBER.get(), 1);
            ready(()).await;
        });
        assert!(pin!(nested).poll(&mut context).is_ready());
        assert_eq!(NUMBER.get(), 0);
        let mut panics = pin!(in_scope(3, exchange, async { panic!("as it should") }));
        let poll = AssertUnwindSafe(|| panics.as_mut().poll(&mut context).is_ready());
        catch_unwind(poll).unwrap_err();
        assert_eq!(NUMBER.get(), 0);
    }
}
