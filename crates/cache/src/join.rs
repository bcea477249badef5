//! [`join`]: several futures on one task, each polled only when something has woken it.

use std::array;
use std::future::poll_fn;
use std::sync::{Arc, PoisonError};
use std::task::{Context, Poll, Wake, Waker};

use crate::BoxFuture;
use crate::sync::Mutex;

/// Runs the futures on one task, in their order, until all of them have ended.
///
/// - A future is polled once at first, then only when its own waker was called. A wake-up of one costs the others nothing.
/// - A future that an earlier one wakes is polled in the same turn: the task is not scheduled again for it.
/// - A future that a later one or itself wakes is polled in the next turn, so other tasks get theirs.
/// - A panic of a future is passed on.
pub(crate) async fn join<T, const N: usize>(mut futures: [BoxFuture<'_, T>; N]) -> [T; N] {
    let turns = Arc::new(Turns(Mutex::new(State { task: None, polling: false, woken: [true; N] })));
    let wakers: [Waker; N] =
        array::from_fn(|index| Waker::from(Arc::new(Part { turns: Arc::clone(&turns), index })));
    let mut outputs: [Option<T>; N] = array::from_fn(|_| None);
    poll_fn(|cx| {
        turns.begin(cx.waker());
        for (index, (future, output)) in futures.iter_mut().zip(&mut outputs).enumerate() {
            // In this order: a late wake-up of a future that has ended is over, too.
            if turns.is_due(index)
                && output.is_none()
                && let Poll::Ready(ended) = future.as_mut().poll(&mut Context::from_waker(&wakers[index]))
            {
                *output = Some(ended);
            }
        }
        turns.end();
        if outputs.iter().all(Option::is_some) { Poll::Ready(()) } else { Poll::Pending }
    })
    .await;
    outputs.map(|output| output.expect("every future has ended"))
}

/// The futures that were woken.
struct Turns<const N: usize>(Mutex<State<N>>);

struct State<const N: usize> {
    task: Option<Waker>,
    /// Whether the task polls the futures now. It looks for those that were woken before it ends its turn.
    polling: bool,
    woken: [bool; N],
}

/// The waker of one future.
struct Part<const N: usize> {
    turns: Arc<Turns<N>>,
    index: usize,
}

impl<const N: usize> Turns<N> {
    fn begin(&self, task: &Waker) {
        self.with(|state| {
            state.polling = true;
            if !state.task.as_ref().is_some_and(|known| known.will_wake(task)) {
                state.task = Some(task.clone());
            }
        });
    }

    fn is_due(&self, index: usize) -> bool {
        self.with(|state| std::mem::take(&mut state.woken[index]))
    }

    fn end(&self) {
        let task = self.with(|state| {
            state.polling = false;
            state.woken.contains(&true).then(|| state.task.clone()).flatten()
        });
        task.iter().for_each(Waker::wake_by_ref);
    }

    fn wake(&self, index: usize) {
        let task = self.with(|state| {
            let first = !std::mem::replace(&mut state.woken[index], true);
            (first && !state.polling).then(|| state.task.clone()).flatten()
        });
        task.into_iter().for_each(Waker::wake);
    }

    fn with<R>(&self, f: impl FnOnce(&mut State<N>) -> R) -> R {
        f(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl<const N: usize> Wake for Part<N> {
    fn wake(self: Arc<Self>) {
        self.turns.wake(self.index);
    }

    fn wake_by_ref(self: &Arc<Self>) {
        self.turns.wake(self.index);
    }
}

#[cfg(test)]
mod tests {
    use std::future::Future;
    use std::pin::{Pin, pin};
    use std::sync::atomic::{AtomicUsize, Ordering};

    use tokio::sync::Notify;

    use super::*;

    #[derive(Default)]
    struct Count(AtomicUsize);

    impl Count {
        fn get(&self) -> usize {
            self.0.load(Ordering::Relaxed)
        }

        fn increase(&self) {
            self.0.fetch_add(1, Ordering::Relaxed);
        }
    }

    impl Wake for Count {
        fn wake(self: Arc<Self>) {
            self.increase();
        }
    }

    /// Counts the polls of a future.
    fn counted<'a, T>(polls: &'a Count, future: impl Future<Output = T> + Send + 'a) -> BoxFuture<'a, T> {
        let mut future = Box::pin(future);
        Box::pin(poll_fn(move |cx| {
            polls.increase();
            future.as_mut().poll(cx)
        }))
    }

    fn poll<F: Future>(future: Pin<&mut F>, woken: &Arc<Count>) -> Poll<F::Output> {
        future.poll(&mut Context::from_waker(&Waker::from(Arc::clone(woken))))
    }

    #[test]
    fn a_future_is_polled_only_when_it_was_woken() {
        let (polls, woken) = ([Count::default(), Count::default()], Arc::new(Count::default()));
        let notify = [Notify::new(), Notify::new()];
        let wait = |index: usize| counted(&polls[index], notify[index].notified());
        let mut joined = pin!(join([wait(0), wait(1)]));
        assert!(poll(joined.as_mut(), &woken).is_pending());
        notify[1].notify_one();
        notify[1].notify_one();
        assert_eq!(woken.get(), 1, "the second wake-up finds it awake");
        assert!(poll(joined.as_mut(), &woken).is_pending());
        assert_eq!((polls[0].get(), polls[1].get()), (1, 2));
        assert!(poll(joined.as_mut(), &woken).is_pending(), "nothing was woken");
        assert_eq!((polls[0].get(), polls[1].get()), (1, 2));
        notify[0].notify_one();
        assert!(poll(joined.as_mut(), &woken).is_ready());
        assert_eq!((polls[0].get(), polls[1].get(), woken.get()), (2, 2, 2));
    }

    #[test]
    fn a_later_future_is_polled_in_the_same_turn_and_an_earlier_one_in_the_next() {
        let (polls, woken) = ([Count::default(), Count::default()], Arc::new(Count::default()));
        let (first, second, outside) = (Notify::new(), Notify::new(), Notify::new());
        let mut joined = pin!(join([
            counted(&polls[0], async {
                outside.notified().await;
                second.notify_one();
                first.notified().await;
            }),
            counted(&polls[1], async {
                second.notified().await;
                first.notify_one();
            }),
        ]));
        assert!(poll(joined.as_mut(), &woken).is_pending());
        outside.notify_one();
        assert_eq!(woken.get(), 1);
        assert!(poll(joined.as_mut(), &woken).is_pending());
        assert_eq!((polls[0].get(), polls[1].get()), (2, 2), "the second one had its turn, too");
        assert_eq!(woken.get(), 2, "the first one was woken after its turn");
        assert!(poll(joined.as_mut(), &woken).is_ready());
        assert_eq!((polls[0].get(), polls[1].get(), woken.get()), (3, 2, 2));
    }

    #[test]
    fn a_future_that_wakes_itself_gives_others_their_turn() {
        let (polls, woken) = (Count::default(), Arc::new(Count::default()));
        let mut left = 3;
        let yields = poll_fn(move |cx| {
            left -= 1;
            cx.waker().wake_by_ref();
            if left == 0 { Poll::Ready(()) } else { Poll::Pending }
        });
        let mut joined = pin!(join([counted(&polls, yields)]));
        for turn in 1..3 {
            assert!(poll(joined.as_mut(), &woken).is_pending());
            assert_eq!((polls.get(), woken.get()), (turn, turn));
        }
        assert!(poll(joined.as_mut(), &woken).is_ready());
    }

    #[test]
    fn a_late_wake_up_of_a_future_that_has_ended_costs_one_turn() {
        let (woken, left, waker) = (Arc::new(Count::default()), Notify::new(), Mutex::new(None));
        let ends = poll_fn(|cx: &mut Context<'_>| {
            *waker.lock().unwrap() = Some(cx.waker().clone());
            Poll::Ready(())
        });
        let mut joined = pin!(join([Box::pin(ends) as BoxFuture<'_, ()>, Box::pin(left.notified())]));
        assert!(poll(joined.as_mut(), &woken).is_pending());
        waker.lock().unwrap().take().unwrap().wake();
        assert_eq!(woken.get(), 1);
        for _ in 0..3 {
            assert!(poll(joined.as_mut(), &woken).is_pending());
            assert_eq!(woken.get(), 1, "nothing asks for another turn");
        }
        left.notify_one();
        assert!(poll(joined.as_mut(), &woken).is_ready());
    }

    #[test]
    fn the_task_may_change() {
        let (woken, later, notify) = (Arc::new(Count::default()), Arc::new(Count::default()), Notify::new());
        let mut joined = pin!(join([Box::pin(notify.notified()) as BoxFuture<'_, ()>]));
        assert!(poll(joined.as_mut(), &woken).is_pending());
        assert!(poll(joined.as_mut(), &later).is_pending());
        notify.notify_one();
        assert_eq!((woken.get(), later.get()), (0, 1));
        assert!(poll(joined.as_mut(), &later).is_ready());
    }
}
