use super::{super::raw::Draining, List};
use std::{fmt, iter::FusedIterator, ops::Range, slice};

/// The elements of a [`List`] by value: moved out if no other handle shared them when it began, else cloned one by one.
pub struct IntoIter<T>(State<T>);

enum State<T> {
    Alone(Draining<T>),
    Shared(List<T>, Range<usize>),
}

impl<T> IntoIter<T> {
    /// The elements that are left.
    pub fn as_slice(&self) -> &[T] {
        match &self.0 {
            State::Alone(rest) => rest.as_slice(),
            State::Shared(list, rest) => &list[rest.clone()],
        }
    }
}

impl<T: Clone> IntoIterator for List<T> {
    type Item = T;
    type IntoIter = IntoIter<T>;

    #[inline]
    fn into_iter(self) -> IntoIter<T> {
        IntoIter(match self.0.into_filling() {
            Ok(alone) => State::Alone(alone.drain()),
            Err(shared) => {
                let rest = 0..shared.as_slice().len();
                State::Shared(List(shared), rest)
            }
        })
    }
}

impl<'a, T> IntoIterator for &'a List<T> {
    type Item = &'a T;
    type IntoIter = slice::Iter<'a, T>;

    #[inline]
    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl<'a, T: Clone> IntoIterator for &'a mut List<T> {
    type Item = &'a mut T;
    type IntoIter = slice::IterMut<'a, T>;

    #[inline]
    fn into_iter(self) -> Self::IntoIter {
        self.make_mut().iter_mut()
    }
}

impl<T: Clone> Iterator for IntoIter<T> {
    type Item = T;

    #[inline]
    fn next(&mut self) -> Option<T> {
        match &mut self.0 {
            State::Alone(rest) => rest.next(),
            State::Shared(list, rest) => rest.next().map(|at| list[at].clone()),
        }
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = match &self.0 {
            State::Alone(rest) => rest.len(),
            State::Shared(_, rest) => rest.len(),
        };
        (left, Some(left))
    }
}

impl<T: Clone> DoubleEndedIterator for IntoIter<T> {
    #[inline]
    fn next_back(&mut self) -> Option<T> {
        match &mut self.0 {
            State::Alone(rest) => rest.next_back(),
            State::Shared(list, rest) => rest.next_back().map(|at| list[at].clone()),
        }
    }
}

impl<T: Clone> ExactSizeIterator for IntoIter<T> {}
impl<T: Clone> FusedIterator for IntoIter<T> {}

impl<T: fmt::Debug> fmt::Debug for IntoIter<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("IntoIter").field(&self.as_slice()).finish()
    }
}
