//! One object in two versions.

use client_rs_machinery::Unstructured;

/// How a version that is served differs from the one that is stored: fields at the top have other names.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Conversion {
    stored: &'static str,
    served: &'static str,
    /// What is stored, and as what it is served.
    renames: &'static [(&'static str, &'static str)],
}

/// `events.k8s.io/v1`, which is stored as an event of the core group.
pub(crate) const EVENTS: Conversion = Conversion {
    stored: "v1",
    served: "events.k8s.io/v1",
    renames: &[
        ("involvedObject", "regarding"),
        ("message", "note"),
        ("source", "deprecatedSource"),
        ("firstTimestamp", "deprecatedFirstTimestamp"),
        ("lastTimestamp", "deprecatedLastTimestamp"),
        ("count", "deprecatedCount"),
        ("reportingComponent", "reportingController"),
    ],
};

impl Conversion {
    /// The object as it is stored.
    pub(crate) fn to_stored(self, mut object: Unstructured) -> Unstructured {
        object.set_api_version(self.stored);
        for (stored, served) in self.renames {
            rename(&mut object, served, stored);
        }
        object
    }

    /// The object as it is served.
    pub(crate) fn to_served(self, mut object: Unstructured) -> Unstructured {
        object.set_api_version(self.served);
        for (stored, served) in self.renames {
            rename(&mut object, stored, served);
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
        let stored = EVENTS.to_stored(served.clone());
        assert_eq!((stored.api_version(), stored.nested_str(&["message"])), ("v1", Ok(Some("n"))));
        assert_eq!(EVENTS.to_served(stored), served);
    }
}
