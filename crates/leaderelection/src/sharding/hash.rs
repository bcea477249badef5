//! The shard of a key.

use client_rs_machinery::ObjectKey;

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
    fn keys_spread_evenly() {
        let mut counts = [0; 8];
        for number in 0..8000 {
            counts[shard_of(&ObjectKey::new("default", format!("pod-{number}")), 8) as usize] += 1;
        }
        assert!(counts.iter().all(|count| (850..1150).contains(count)), "{counts:?}");
    }
}
