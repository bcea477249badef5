//! Short names.

use client_rs_machinery::{GroupResource, GroupVersionResource};

use super::RestMapper;

/// What a name stands for.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Expansion {
    /// The resource: what was asked for, unless that was a short name.
    pub resource: GroupVersionResource,
    /// What else the short name could stand for, each once. A tool warns of these.
    pub also: Vec<GroupResource>,
}

impl RestMapper {
    /// What a name stands for, if it is a short one.
    ///
    /// A resource's full name, plural or singular, is never taken for a short name. Of several resources with the same
    /// short name the one that the server lists first is meant. A group that has no such short name is tried as the
    /// beginning of one.
    pub fn expand(&self, wanted: &GroupVersionResource) -> Expansion {
        let unchanged = || Expansion { resource: wanted.clone(), also: Vec::new() };
        let is_full = self.mappings().any(|mapping| {
            (wanted.group.is_empty() || wanted.group == mapping.resource.group)
                && (wanted.resource == mapping.resource.resource || wanted.resource == mapping.singular)
        });
        if is_full {
            return unchanged();
        }
        let exact = |group: &str| wanted.group.is_empty() || group == wanted.group;
        let begins = |group: &str| !wanted.group.is_empty() && group.starts_with(wanted.group.as_str());
        self.stands_for(wanted, exact).or_else(|| self.stands_for(wanted, begins)).unwrap_or_else(unchanged)
    }

    fn stands_for(
        &self,
        wanted: &GroupVersionResource,
        of_group: impl Fn(&str) -> bool,
    ) -> Option<Expansion> {
        let candidates = self
            .short_names
            .iter()
            .filter(|(short, _)| short.resource == wanted.resource && of_group(&short.group));
        let mut long: Vec<&GroupResource> = Vec::new();
        for (_, candidate) in candidates {
            // Several versions of a resource are the same resource.
            if !long.contains(&candidate) {
                long.push(candidate);
            }
        }
        let (first, also) = long.split_first()?;
        Some(Expansion {
            resource: first.with_version(wanted.version.clone()),
            also: also.iter().map(|other| (*other).clone()).collect(),
        })
    }
}
