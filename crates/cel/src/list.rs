//! Lists, and the equality of lists.

use std::ops::Deref;
use std::sync::Arc;

use crate::Value;
use crate::meter::Meter;

/// A list: its items, and how its items are identified.
#[derive(Clone, Debug)]
pub struct List {
    items: Vec<Value>,
    identity: Identity,
}

/// The identity of the items of a list, which Kubernetes calls the list type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Identity {
    /// By their index: `atomic`.
    Place,
    /// By their value: `set`.
    Own,
    /// By the values of some fields: `map`.
    Fields(Arc<[Arc<str>]>),
}

impl List {
    pub(crate) fn new(items: Vec<Value>, identity: Identity) -> Self {
        Self { items, identity }
    }

    pub(crate) fn identity(&self) -> &Identity {
        &self.identity
    }
}

impl Deref for List {
    type Target = Vec<Value>;

    fn deref(&self) -> &Vec<Value> {
        &self.items
    }
}

/// The first list determines how the items of both are identified.
impl PartialEq for List {
    fn eq(&self, other: &Self) -> bool {
        Meter::unlimited().equal_lists(self, other) == Ok(true)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbers(items: &[i64]) -> Vec<Value> {
        items.iter().copied().map(Value::Int).collect()
    }

    #[test]
    fn a_set_has_no_order_and_a_map_has_keys() {
        let set = |items: &[i64]| Value::set(numbers(items));
        assert_eq!(set(&[1, 2]), set(&[2, 1]));
        assert_ne!(set(&[1, 2]), set(&[1, 1]));
        assert_ne!(Value::list(numbers(&[1, 2])), set(&[2, 1]), "the first decides");
        let item = |key: &str, value: i64| Value::object([("k", Value::text(key)), ("v", Value::Int(value))]);
        let map =
            |items: &[(&str, i64)]| Value::keyed(["k"], items.iter().map(|(key, value)| item(key, *value)));
        assert_eq!(map(&[("a", 1), ("b", 2)]), map(&[("b", 2), ("a", 1)]));
        assert_ne!(map(&[("a", 1), ("b", 2)]), map(&[("b", 2), ("a", 2)]));
        let (Value::List(a), Value::List(b)) = (map(&[("a", 1), ("b", 2)]), map(&[("b", 3), ("c", 4)]))
        else {
            panic!()
        };
        let sum = Meter::unlimited().plus(&a, &b).unwrap();
        assert_eq!(Value::List(Arc::new(sum)), map(&[("a", 1), ("b", 3), ("c", 4)]));
    }
}
