//! One object in two versions.

use client_rs_machinery::Unstructured;

use super::autoscaling;

/// How a version that is served differs from the one that is stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Conversion {
    /// `events.k8s.io/v1`, which is stored as an event of the core group.
    Events,
    /// `autoscaling/v1`, which is stored as `autoscaling/v2`.
    Autoscaling,
}

/// What is stored, and as what it is served.
const EVENTS: &[(&str, &str)] = &[
    ("involvedObject", "regarding"),
    ("message", "note"),
    ("source", "deprecatedSource"),
    ("firstTimestamp", "deprecatedFirstTimestamp"),
    ("lastTimestamp", "deprecatedLastTimestamp"),
    ("count", "deprecatedCount"),
    ("reportingComponent", "reportingController"),
];

impl Conversion {
    /// Of a resource, by group, version and plural name; `None` for one that is stored as it is served.
    pub(crate) fn of(group: &str, version: &str, plural: &str) -> Option<Self> {
        match (group, version, plural) {
            ("events.k8s.io", "v1", "events") => Some(Self::Events),
            ("autoscaling", "v1", "horizontalpodautoscalers") => Some(Self::Autoscaling),
            _ => None,
        }
    }

    /// The group that the resource is stored in.
    pub(crate) fn stored_group(self) -> &'static str {
        match self {
            Self::Events => "",
            Self::Autoscaling => "autoscaling",
        }
    }

    /// The object as it is stored.
    pub(crate) fn to_stored(self, mut object: Unstructured) -> Unstructured {
        match self {
            Self::Events => {
                object.set_api_version("v1");
                for (stored, served) in EVENTS {
                    rename(&mut object, served, stored);
                }
            }
            Self::Autoscaling => {
                object.set_api_version("autoscaling/v2");
                autoscaling::to_second(&mut object);
            }
        }
        object
    }

    /// The object as it is served.
    pub(crate) fn to_served(self, mut object: Unstructured) -> Unstructured {
        match self {
            Self::Events => {
                object.set_api_version("events.k8s.io/v1");
                for (stored, served) in EVENTS {
                    rename(&mut object, stored, served);
                }
            }
            Self::Autoscaling => {
                object.set_api_version("autoscaling/v1");
                autoscaling::to_first(&mut object);
            }
        }
        object
    }
}

fn rename(object: &mut Unstructured, from: &str, to: &str) {
    if let Some(value) = object.object.remove(from) {
        object.object.insert(to, value);
    }
}

#[cfg(test)]
mod tests {
    use client_rs_machinery::json;

    use super::*;

    #[test]
    fn there_and_back_is_the_same() {
        let served: Unstructured = json!({
            "apiVersion": "events.k8s.io/v1", "kind": "Event", "regarding": {"name": "a"}, "note": "n",
            "deprecatedCount": 3, "reportingController": "c", "reason": "r",
        })
        .try_into()
        .unwrap();
        let stored = Conversion::Events.to_stored(served.clone());
        assert_eq!((stored.api_version(), stored.nested_str(&["message"])), ("v1", Ok(Some("n"))));
        assert_eq!(Conversion::Events.to_served(stored), served);
    }
}
