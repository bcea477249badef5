//! Short names.

use client_rs_machinery::{GroupResource, GroupVersionResource};

use super::RestMapper;

/// The resource that a short name means.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Expansion {
    /// The resource. The given name, unless that was a short name.
    pub resource: GroupVersionResource,
    /// Other resources with the same short name, each once. A tool should print a warning.
    pub also: Vec<GroupResource>,
}

impl RestMapper {
    /// Expands a short name.
    ///
    /// The full name of a resource, plural or singular, is never treated as a short name. If several resources have the same short name,
    /// the one that the server lists first wins. A group without such a short name is tried as the prefix of a group.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # use client_rs_client::discovery::{Discovery, DiscoveryClient, RestMapper};
    /// # use client_rs_client::testing::Canned;
    /// # let served = DiscoveryClient::from_rest(Canned::new().with_discovery().client()).server_resources().await?;
    /// # let mapper = RestMapper::new(&served);
    /// use client_rs_machinery::GroupVersionResource;
    ///
    /// let expansion = mapper.expand(&GroupVersionResource::new("", "", "cm"));
    /// assert_eq!(expansion.resource.resource, "configmaps");
    /// assert!(expansion.also.is_empty());
    /// # Ok(())
    /// # }
    /// ```
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
