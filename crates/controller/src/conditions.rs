//! Conditions of a status.

use client_rs_machinery::meta::v1::Condition;
use client_rs_machinery::{List, Object, Str, Time};

/// What a condition says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ConditionStatus {
    /// It holds.
    True,
    /// It does not.
    False,
    /// Nobody knows.
    Unknown,
}

impl ConditionStatus {
    /// As it stands in a status.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::True => "True",
            Self::False => "False",
            Self::Unknown => "Unknown",
        }
    }
}

impl From<bool> for ConditionStatus {
    fn from(holds: bool) -> Self {
        if holds { Self::True } else { Self::False }
    }
}

/// A condition of an object, as far as its newest spec was seen. The reason is one word, `LikeThis`; the message is for
/// people. When it last changed is for [`Conditions::set`] to say.
pub fn condition(
    object: &dyn Object,
    condition_type: impl Into<Str>,
    status: impl Into<ConditionStatus>,
    reason: impl Into<Str>,
    message: impl Into<Str>,
) -> Condition {
    Condition {
        type_: condition_type.into(),
        status: status.into().as_str().into(),
        observed_generation: object.meta().generation(),
        reason: reason.into(),
        message: message.into(),
        ..Condition::EMPTY
    }
}

/// The conditions of a status, known by their types.
pub trait Conditions {
    /// The condition of a type.
    fn condition(&self, condition_type: &str) -> Option<&Condition>;

    /// Sets a condition, at a time. Whether anything of it is new: if not, there is nothing to write.
    ///
    /// `lastTransitionTime` is that of the last change of its status alone: another reason or message does not move it. A
    /// time that the given condition says itself is taken where the status changes.
    fn set_at(&mut self, condition: Condition, now: Time) -> bool;

    /// Takes a condition away; whether there was one.
    fn unset(&mut self, condition_type: &str) -> bool;

    /// Sets a condition, now: see [`set_at`](Self::set_at).
    fn set(&mut self, condition: Condition) -> bool {
        self.set_at(condition, Time::now())
    }

    /// Whether the condition of a type holds.
    fn is_true(&self, condition_type: &str) -> bool {
        self.condition(condition_type).is_some_and(|condition| condition.status == "True")
    }

    /// Whether the condition of a type is said not to hold.
    fn is_false(&self, condition_type: &str) -> bool {
        self.condition(condition_type).is_some_and(|condition| condition.status == "False")
    }

    /// Whether the condition of a type is about the object's newest spec.
    fn is_current(&self, condition_type: &str, object: &dyn Object) -> bool {
        let generation = object.meta().generation();
        self.condition(condition_type).is_some_and(|condition| condition.observed_generation >= generation)
    }
}

macro_rules! conditions {
    ($($list:ty),*) => {$(
        impl Conditions for $list {
            fn condition(&self, condition_type: &str) -> Option<&Condition> {
                self.iter().find(|condition| condition.type_ == condition_type)
            }

            fn set_at(&mut self, mut condition: Condition, now: Time) -> bool {
                let at = self.iter().position(|known| known.type_ == condition.type_);
                let known = at.map(|at| &self[at]);
                if known.is_some_and(|known| known.status == condition.status) {
                    condition.last_transition_time = known.and_then(|known| known.last_transition_time);
                }
                condition.last_transition_time.get_or_insert(now);
                match at {
                    Some(at) if self[at] == condition => return false,
                    Some(at) => self[at] = condition,
                    None => self.push(condition),
                }
                true
            }

            fn unset(&mut self, condition_type: &str) -> bool {
                let before = self.len();
                self.retain(|condition| condition.type_ != condition_type);
                self.len() < before
            }
        }
    )*};
}

conditions!(Vec<Condition>, List<Condition>);

#[cfg(test)]
mod tests {
    use client_rs_machinery::Unstructured;

    use super::*;

    #[test]
    fn a_condition_keeps_the_time_of_its_last_change() {
        let object = Unstructured::new("v1", "Thing", "a");
        let (early, late) = (Time::new(1, 0).unwrap(), Time::new(2, 0).unwrap());
        let mut conditions = List::EMPTY;
        assert!(conditions.set_at(condition(&object, "Ready", false, "Waiting", "for one"), early));
        assert!(!conditions.set_at(condition(&object, "Ready", false, "Waiting", "for one"), late));
        assert!(conditions.set_at(condition(&object, "Ready", false, "Waiting", "for two"), late));
        assert_eq!(conditions.condition("Ready").unwrap().last_transition_time, Some(early));
        assert!(conditions.is_false("Ready") && !conditions.is_true("Ready"));
        assert!(conditions.set_at(condition(&object, "Ready", true, "Done", ""), late));
        assert_eq!(conditions.condition("Ready").unwrap().last_transition_time, Some(late));
        assert!(conditions.unset("Ready") && !conditions.unset("Ready"));
    }

    #[test]
    fn a_condition_is_of_the_generation_that_was_seen() {
        let mut object = Unstructured::new("v1", "Thing", "a");
        let mut conditions = vec![];
        conditions.set(condition(&object, "Ready", ConditionStatus::Unknown, "New", ""));
        assert!(conditions.is_current("Ready", &object));
        object.object.insert("metadata", client_rs_machinery::json!({"name": "a", "generation": 2}));
        assert!(!conditions.is_current("Ready", &object));
    }
}
