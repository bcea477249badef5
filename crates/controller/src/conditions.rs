//! Status conditions.

use client_rs_machinery::meta::v1::Condition;
use client_rs_machinery::{List, Object, Str, Time};

/// The status of a condition: `True`, `False` or `Unknown`. A `bool` converts into it.
///
/// ```
/// use client_rs_controller::ConditionStatus;
///
/// assert_eq!(ConditionStatus::from(true).as_str(), "True");
/// assert_eq!(ConditionStatus::Unknown.as_str(), "Unknown");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ConditionStatus {
    /// The condition holds.
    True,
    /// The condition does not hold.
    False,
    /// The controller does not know yet.
    Unknown,
}

impl ConditionStatus {
    /// The value of the field `status`.
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

/// Builds a condition of an object. `observedGeneration` is the generation of `object`.
///
/// The reason is one word for programs, `LikeThis`; the message is for people. [`Conditions::set`] fills in
/// `lastTransitionTime`.
///
/// ```
/// use client_rs_api::core::v1::Pod;
/// use client_rs_controller::condition;
///
/// let mut pod = Pod::EMPTY;
/// pod.metadata.generation = 7;
/// let ready = condition(&pod, "Ready", false, "Pulling", "2 of 3 images");
/// assert_eq!((ready.status.as_str(), ready.observed_generation), ("False", 7));
/// ```
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

/// A list of conditions with at most one per type: `Vec<Condition>` and `List<Condition>` of a status.
///
/// ```
/// use client_rs_api::core::v1::Pod;
/// use client_rs_controller::{Conditions, condition};
///
/// let pod = Pod::EMPTY;
/// let mut conditions = Vec::new();
/// assert!(conditions.set(condition(&pod, "Ready", false, "Waiting", "no replica is ready")));
/// // The same again changes nothing, so there is nothing to write.
/// assert!(!conditions.set(condition(&pod, "Ready", false, "Waiting", "no replica is ready")));
/// assert!(conditions.set(condition(&pod, "Ready", true, "AllReady", "")));
/// assert!(conditions.is_true("Ready") && conditions.is_current("Ready", &pod));
/// assert!(conditions.unset("Ready") && conditions.is_empty());
/// ```
pub trait Conditions {
    /// The condition of a type.
    fn condition(&self, condition_type: &str) -> Option<&Condition>;

    /// Adds or replaces the condition of this type, at a time. Returns whether anything changed; if not, there is nothing
    /// to write.
    ///
    /// `lastTransitionTime` changes only with the status: a new reason or message keeps it. If the status changes and the
    /// given condition has a `lastTransitionTime`, that one is used instead of `now`.
    fn set_at(&mut self, condition: Condition, now: Time) -> bool;

    /// Removes the condition of a type. Returns whether there was one.
    fn unset(&mut self, condition_type: &str) -> bool;

    /// Like [`set_at`](Self::set_at), with the current time.
    fn set(&mut self, condition: Condition) -> bool {
        self.set_at(condition, Time::now())
    }

    /// Whether the condition of a type has the status `True`.
    fn is_true(&self, condition_type: &str) -> bool {
        self.condition(condition_type).is_some_and(|condition| condition.status == "True")
    }

    /// Whether the condition of a type has the status `False`. A missing or unknown condition is neither true nor false.
    fn is_false(&self, condition_type: &str) -> bool {
        self.condition(condition_type).is_some_and(|condition| condition.status == "False")
    }

    /// Whether the condition of a type was observed for the object's newest spec.
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
    fn a_condition_is_current_until_the_generation_changes() {
        let mut object = Unstructured::new("v1", "Thing", "a");
        let mut conditions = vec![];
        conditions.set(condition(&object, "Ready", ConditionStatus::Unknown, "New", ""));
        assert!(conditions.is_current("Ready", &object));
        object.object.insert("metadata", client_rs_machinery::json!({"name": "a", "generation": 2}));
        assert!(!conditions.is_current("Ready", &object));
    }
}
