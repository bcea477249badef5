//! What an evaluation has used, and may use.

use std::collections::BTreeMap;
use std::sync::Arc;

use regex::Regex;

use crate::list::Identity;
use crate::value::{Kind, Library};
use crate::{EvalError, List, Value, go};

/// What one evaluation may cost, in the real server's units: its limit of one call.
pub const CALL_COST_LIMIT: u64 = 1_000_000;
/// How many bytes the values that one evaluation makes may have, all together and whether or not they are still in use.
pub const CALL_MEMORY_LIMIT: u64 = 128 << 20;
/// How many steps one evaluation may take that the real server's units do not count: values that are compared, copied or
/// looked through, 16 bytes of text a step.
const STEP_LIMIT: u64 = 25_000_000;

const TOO_MUCH: &str = "operation cancelled: actual cost limit exceeded";
/// How many patterns that are no constants an evaluation keeps.
const PATTERNS_KEPT: usize = 16;
/// Bytes of a value in a list, with some for what holds them together.
const ITEM: u64 = 48;
/// Bytes of an entry of a map.
const ENTRY: u64 = 128;

/// A pattern, or why it is none. Shared and not cloned: a clone of a `Regex` begins without what the other has found out.
pub(crate) type Pattern = Result<Arc<Regex>, String>;
pub(crate) type Patterns = BTreeMap<String, Pattern>;

/// Counts what an evaluation uses. Each use is counted before it is made, so that what is too much is never begun.
pub(crate) struct Meter {
    cost: u64,
    steps: u64,
    bytes: u64,
    step_limit: u64,
    /// Patterns that were compiled with the program.
    constant: Arc<Patterns>,
    /// Others, the last used last.
    dynamic: Vec<(Arc<str>, Pattern)>,
}

fn too_much() -> EvalError {
    EvalError::failed(TOO_MUCH)
}

impl Meter {
    pub(crate) fn new(constant: Arc<Patterns>) -> Self {
        Self { cost: 0, steps: 0, bytes: 0, step_limit: STEP_LIMIT, constant, dynamic: Vec::new() }
    }

    /// For what is compared outside of an evaluation.
    pub(crate) fn unlimited() -> Self {
        Self { step_limit: u64::MAX, ..Self::new(Arc::default()) }
    }

    /// What it has cost so far, in the real server's units.
    pub(crate) fn cost(&self) -> u64 {
        self.cost
    }

    /// Adds to the cost, and fails if anything is too much by now: what has failed for it once does not go on.
    pub(crate) fn spend(&mut self, cost: u64) -> Result<(), EvalError> {
        self.cost = self.cost.saturating_add(cost);
        if self.cost > CALL_COST_LIMIT || self.steps > self.step_limit || self.bytes > CALL_MEMORY_LIMIT {
            return Err(too_much());
        }
        Ok(())
    }

    /// Takes steps that the cost does not count.
    pub(crate) fn step(&mut self, steps: u64) -> Result<(), EvalError> {
        self.steps = self.steps.saturating_add(steps);
        if self.steps > self.step_limit { Err(too_much()) } else { Ok(()) }
    }

    /// Goes through so many bytes of text.
    pub(crate) fn scan(&mut self, bytes: usize) -> Result<(), EvalError> {
        self.step(bytes as u64 / 16)
    }

    /// Makes a text or the like of so many bytes.
    pub(crate) fn allocate(&mut self, bytes: usize) -> Result<(), EvalError> {
        self.grow(bytes as u64)
    }

    /// Makes a list of so many items.
    pub(crate) fn items(&mut self, count: usize) -> Result<(), EvalError> {
        self.step(count as u64)?;
        self.grow((count as u64).saturating_mul(ITEM))
    }

    /// Makes a map of so many entries.
    pub(crate) fn entries(&mut self, count: usize) -> Result<(), EvalError> {
        self.step(count as u64)?;
        self.grow((count as u64).saturating_mul(ENTRY))
    }

    fn grow(&mut self, bytes: u64) -> Result<(), EvalError> {
        self.bytes = self.bytes.saturating_add(bytes);
        if self.bytes > CALL_MEMORY_LIMIT { Err(too_much()) } else { Ok(()) }
    }

    /// A compiled pattern: one of the program's, or one of the last few that the evaluation has used.
    pub(crate) fn pattern(&mut self, text: &Arc<str>) -> Result<Pattern, EvalError> {
        if let Some(compiled) = self.constant.get(&**text) {
            return Ok(compiled.clone());
        }
        if let Some(at) = self.dynamic.iter().position(|(known, _)| known == text) {
            self.dynamic[at..].rotate_left(1);
        } else {
            self.step(go::pattern_steps(text))?;
            if self.dynamic.len() == PATTERNS_KEPT {
                drop(self.dynamic.remove(0));
            }
            self.dynamic.push((Arc::clone(text), go::pattern(text).map(Arc::new)));
        }
        Ok(self.dynamic.last().map_or_else(|| Err(String::new()), |(_, compiled)| compiled.clone()))
    }

    /// Whether two values are equal, each step counted.
    pub(crate) fn equal(&mut self, a: &Value, b: &Value) -> Result<bool, EvalError> {
        self.step(1)?;
        match (a, b) {
            (Value::Text(a), Value::Text(b)) => {
                Ok(a.len() == b.len() && self.same(a.as_bytes(), b.as_bytes())?)
            }
            (Value::Bytes(a), Value::Bytes(b)) => Ok(a.len() == b.len() && self.same(a, b)?),
            (Value::List(a), Value::List(b)) => self.equal_lists(a, b),
            (Value::Map(a), Value::Map(b)) => {
                if a.len() != b.len() {
                    return Ok(false);
                }
                for ((key, value), (other_key, other)) in a.iter().zip(b.iter()) {
                    if key != other_key || !self.equal(value, other)? {
                        return Ok(false);
                    }
                }
                Ok(true)
            }
            (Value::Optional(Some(a)), Value::Optional(Some(b))) => self.equal(a, b),
            (Value::Library(Library(Kind::Url(url))), _) => {
                self.scan(url.len())?;
                Ok(a == b)
            }
            _ => Ok(a == b),
        }
    }

    fn same(&mut self, a: &[u8], b: &[u8]) -> Result<bool, EvalError> {
        self.scan(a.len())?;
        Ok(a == b)
    }

    pub(crate) fn equal_lists(&mut self, a: &List, b: &List) -> Result<bool, EvalError> {
        if a.len() != b.len() {
            return Ok(false);
        }
        if *a.identity() == Identity::Place {
            for (a, b) in a.iter().zip(b.iter()) {
                if !self.equal(a, b)? {
                    return Ok(false);
                }
            }
            return Ok(true);
        }
        let mut seen = vec![false; a.len()];
        for (at, item) in b.iter().enumerate() {
            let Some(found) = self.among(a, item, at)? else { return Ok(false) };
            if !self.equal(&a[found], item)? {
                return Ok(false);
            }
            seen[found] = true;
        }
        for at in 0..seen.len() {
            if !seen[at] && self.first_among(a, &a[at])?.is_none_or(|first| first >= at) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Where an item of another list is in a set or a map: most likely at the same place.
    fn among(&mut self, list: &List, item: &Value, likely: usize) -> Result<Option<usize>, EvalError> {
        if self.same_item(list, &list[likely], item)? {
            return Ok(Some(likely));
        }
        self.first_among(list, item)
    }

    fn first_among(&mut self, list: &List, item: &Value) -> Result<Option<usize>, EvalError> {
        for (at, known) in list.iter().enumerate() {
            if self.same_item(list, known, item)? {
                return Ok(Some(at));
            }
        }
        Ok(None)
    }

    /// Whether two items are one, in a set or a map.
    fn same_item(&mut self, list: &List, a: &Value, b: &Value) -> Result<bool, EvalError> {
        let (Identity::Fields(keys), Value::Map(fields), Value::Map(others)) = (list.identity(), a, b) else {
            return self.equal(a, b);
        };
        for key in keys.iter() {
            let key = crate::Key::Text(Arc::clone(key));
            let same = match (fields.get(&key), others.get(&key)) {
                (Some(a), Some(b)) => self.equal(a, b)?,
                (None, None) => true,
                _ => false,
            };
            if !same {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Where a list has an item.
    pub(crate) fn position(&mut self, list: &[Value], item: &Value) -> Result<Option<usize>, EvalError> {
        for (at, known) in list.iter().enumerate() {
            if self.equal(known, item)? {
                return Ok(Some(at));
            }
        }
        Ok(None)
    }

    /// The items of both. In a set, or a map, what is known is there once: as it is in the other.
    pub(crate) fn plus(&mut self, a: &List, b: &List) -> Result<List, EvalError> {
        self.items(a.len() + b.len())?;
        let mut items = Vec::with_capacity(a.len() + b.len());
        items.extend(a.iter().cloned());
        for item in b.iter() {
            if *a.identity() == Identity::Place {
                items.push(item.clone());
                continue;
            }
            let mut known = None;
            for (at, other) in items.iter().enumerate() {
                if self.same_item(a, other, item)? {
                    known = Some(at);
                    break;
                }
            }
            match known {
                Some(at) => items[at] = item.clone(),
                None => items.push(item.clone()),
            }
        }
        Ok(List::new(items, a.identity().clone()))
    }
}
