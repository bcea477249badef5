//! Lists, and what makes two of them the same.

use std::ops::Deref;
use std::sync::Arc;

use crate::Value;

/// A list: its items, and how they are known from each other.
#[derive(Clone, Debug)]
pub struct List {
    items: Vec<Value>,
    identity: Identity,
}

/// How the items of a list are known from each other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Identity {
    /// By where they are.
    Place,
    /// By what they are: a set.
    Own,
    /// By some of their fields: a map.
    Fields(Arc<[Arc<str>]>),
}

impl List {
    pub(crate) fn new(items: Vec<Value>, identity: Identity) -> Self {
        Self { items, identity }
    }

    /// The items of both. In a set, or a map, what is known is there once: as it is in the other.
    pub(crate) fn plus(&self, other: &Self) -> Self {
        let mut items = self.items.clone();
        for item in &other.items {
            let known = match self.identity {
                Identity::Place => None,
                _ => items.iter().position(|known| self.is_same(known, item)),
            };
            match known {
                Some(at) => items[at] = item.clone(),
                None => items.push(item.clone()),
            }
        }
        Self { items, identity: self.identity.clone() }
    }

    /// Whether two items are one, in a set or a map.
    fn is_same(&self, a: &Value, b: &Value) -> bool {
        match (&self.identity, a, b) {
            (Identity::Fields(keys), Value::Map(a), Value::Map(b)) => keys.iter().all(|key| {
                let key = crate::Key::Text(Arc::clone(key));
                a.get(&key) == b.get(&key)
            }),
            _ => a == b,
        }
    }
}

impl Deref for List {
    type Target = Vec<Value>;

    fn deref(&self) -> &Vec<Value> {
        &self.items
    }
}

/// The first says by what the items of both are known.
impl PartialEq for List {
    fn eq(&self, other: &Self) -> bool {
        if self.identity == Identity::Place {
            return self.items == other.items;
        }
        let among = |item: &Value| self.items.iter().position(|known| self.is_same(known, item));
        let mut seen = vec![false; self.items.len()];
        self.items.len() == other.items.len()
            && other.items.iter().all(|item| {
                let found = among(item).filter(|at| self.items[*at] == *item);
                if let Some(at) = found {
                    seen[at] = true;
                }
                found.is_some()
            })
            && (0..seen.len()).all(|at| seen[at] || among(&self.items[at]).is_some_and(|first| first < at))
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
        assert_eq!(Value::List(Arc::new(a.plus(&b))), map(&[("a", 1), ("b", 3), ("c", 4)]));
    }
}
