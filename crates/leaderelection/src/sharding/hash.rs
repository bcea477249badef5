//! The shard of a key.

use client_rs_machinery::{ObjectKey, ShardField, ShardSelector};

/// The part of a key that decides about its shard. All replicas of a group must have the same; one that differs is
/// [refused](super::Replica::refused).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ShardBy {
    /// Namespace and name: keys are spread evenly.
    #[default]
    Key,
    /// The namespace: all keys of a namespace are in one shard, by the hash with which API servers select shards of lists and watches
    /// (KEP-5866). So the caches of a replica need only the objects of its shards: see [`Shards::selector`](super::Shards::selector). Use it if there
    /// are many more namespaces than shards, and none has most of the objects. Cluster-scoped objects are all in one shard.
    Namespace,
}

/// Marks the number of shards in Leases of a group by namespace. It is a part of the number, so that programs that do not know of it see
/// another number, and are refused as well.
const BY_NAMESPACE: u32 = 1 << 31;

impl ShardBy {
    /// The shard of a key.
    pub fn shard_of(self, key: &ObjectKey, shards: u32) -> u32 {
        match self {
            Self::Key => shard_of(key, shards),
            Self::Namespace => ShardSelector::part_of(&key.namespace, shards),
        }
    }

    /// The number that Leases have for a number of shards.
    pub(super) fn announced(self, shards: u32) -> u32 {
        match self {
            Self::Key => shards,
            Self::Namespace => shards | BY_NAMESPACE,
        }
    }

    /// The number of shards that a Lease announces, and what decides about them.
    pub(super) fn read(announced: u32) -> (Self, u32) {
        if announced & BY_NAMESPACE == 0 {
            (Self::Key, announced)
        } else {
            (Self::Namespace, announced & !BY_NAMESPACE)
        }
    }

    /// Selects the objects of shards on the server. `None` if the server can't select them.
    pub(super) fn selector(self, shards: impl IntoIterator<Item = u32>, count: u32) -> Option<ShardSelector> {
        match self {
            Self::Key => None,
            Self::Namespace => ShardSelector::parts(ShardField::Namespace, shards, count),
        }
    }
}

/// The shard of a key, less than `shards`. It is the same in every process and every version of this crate, because replicas
/// of different versions must agree. `shards` of 0 counts as 1.
///
/// ```
/// use client_rs_leaderelection::sharding::shard_of;
/// use client_rs_machinery::ObjectKey;
///
/// assert_eq!(shard_of(&ObjectKey::new("default", "web"), 16), 2);
/// assert_eq!(shard_of(&ObjectKey::new("default", "web"), 1), 0);
/// ```
pub fn shard_of(key: &ObjectKey, shards: u32) -> u32 {
    // The text form is unique: a namespace has no slash.
    let hash = hash(key.namespace.bytes().chain([b'/']).chain(key.name.bytes()));
    // Less than `shards`, so it fits.
    u32::try_from(hash % u64::from(shards.max(1))).unwrap_or(0)
}

/// FNV-1a, then mixed so that the low bits depend on all others.
pub(super) fn hash(bytes: impl Iterator<Item = u8>) -> u64 {
    let mut hash = bytes.fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    });
    hash = (hash ^ (hash >> 33)).wrapping_mul(0xff51_afd7_ed55_8ccd);
    hash = (hash ^ (hash >> 33)).wrapping_mul(0xc4ce_b9fe_1a85_ec53);
    hash ^ (hash >> 33)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shard_of_a_key_never_changes() {
        // Recorded: another value would split a running group of replicas.
        let of = |namespace: &str, name: &str| shard_of(&ObjectKey::new(namespace, name), 16);
        assert_eq!([of("default", "web"), of("kube-system", "dns"), of("", "node-1")], [2, 3, 7]);
        assert_eq!(shard_of(&ObjectKey::EMPTY, 0), 0);
    }

    #[test]
    fn shards_by_namespace_are_those_that_the_server_selects() {
        use client_rs_machinery::meta::v1::PartialObjectMetadata;
        for number in 0..100 {
            let mut object = PartialObjectMetadata::default();
            object.metadata.namespace = format!("team-{number}").into();
            object.metadata.name = "web".into();
            let key = ObjectKey::new(object.metadata.namespace.clone(), "web");
            let shard = ShardBy::Namespace.shard_of(&key, 16);
            assert_eq!(shard, ShardBy::Namespace.shard_of(&ObjectKey::new(key.namespace.clone(), "db"), 16));
            for other in 0..16 {
                let selector = ShardBy::Namespace.selector([other], 16).unwrap();
                assert_eq!(selector.matches(&object), other == shard, "{number}");
            }
        }
        assert_eq!(ShardBy::Key.selector([1], 16), None);
        for by in [ShardBy::Key, ShardBy::Namespace] {
            assert_eq!(ShardBy::read(by.announced(16)), (by, 16));
        }
        assert_ne!(ShardBy::Key.announced(16), ShardBy::Namespace.announced(16));
    }

    #[test]
    fn keys_spread_evenly() {
        let mut counts = [0; 8];
        for number in 0..8000 {
            counts[shard_of(&ObjectKey::new("default", format!("pod-{number}")), 8) as usize] += 1;
        }
        assert!(counts.iter().all(|count| (850..1150).contains(count)), "{counts:?}");
    }
}
