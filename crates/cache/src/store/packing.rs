//! The thread of a packed store: it trains dictionaries and packs the objects of lists, away from async
//! workers.

use std::sync::{Arc, PoisonError, Weak};

use client_rs_machinery::Object;

use super::content::{Content, Ledger, Packing};
use super::packed::dictionary::{Sample, free_number};
use super::packed::packer::{Packed, encode};
use super::packed::{PackedRows, Packer};
use super::shared::Shared;
use super::stored::{Held, Stored};

/// The number of slots to pack at a time. The writer waits while that many blocks are stored, not while they
/// are made.
const AT_A_TIME: usize = 256;
/// The largest number of objects to train a dictionary on.
const SAMPLED: usize = 4096;

/// Called after a list: starts the thread that packs its objects.
pub(super) fn listed<K: Object>(shared: &Arc<Shared<K>>, ledger: &mut Ledger<K>) {
    if let Some(packing) = &mut ledger.packing
        && shared.peek(|content| content.objects.packed().is_some_and(|rows| rows.fresh_len() > 0))
    {
        packing.lists += 1;
        start(shared, packing);
    }
}

/// Called after single changes, which are already packed: checks whether a new dictionary is worth it.
pub(super) fn look<K: Object>(shared: &Arc<Shared<K>>, ledger: &mut Ledger<K>) {
    if let Some(packing) = &mut ledger.packing
        && !packing.running
        && packing.gauge.wants_training(shared.peek(Content::len))
    {
        packing.wants_training = true;
        start(shared, packing);
    }
}

fn start<K: Object>(shared: &Arc<Shared<K>>, packing: &mut Packing<K>) {
    if packing.running {
        return;
    }
    let store = Arc::downgrade(shared);
    let thread = std::thread::Builder::new().name("packed-store".to_owned());
    match thread.spawn(move || run(&store)) {
        Ok(_) => packing.running = true,
        // The objects stay unpacked, and the next list or change tries again.
        Err(error) => tracing::error!(%error, "no thread to pack objects"),
    }
}

/// One walk over all slots.
struct Pass<K> {
    packer: Packer<K>,
    /// The number of lists when it began.
    lists: u64,
    /// Whether there is a new dictionary, so that all objects must be repacked.
    trained: bool,
}

/// Packs unpacked objects, with a new dictionary if needed, until there is nothing to do. Ends with the store.
fn run<K: Object>(store: &Weak<Shared<K>>) {
    let _over = OverAfterPanic(store);
    loop {
        let Some(mut pass) = store.upgrade().and_then(|shared| begin(&shared)) else { return };
        let mut slot = 0;
        loop {
            let Some(shared) = store.upgrade() else { return };
            if !step(&shared, &mut pass, slot) {
                break;
            }
            slot += AT_A_TIME;
        }
        let Some(shared) = store.upgrade() else { return };
        if end(&shared, &pass) {
            return;
        }
    }
}

/// Trains a dictionary, if needed.
fn begin<K: Object>(shared: &Arc<Shared<K>>) -> Option<Pass<K>> {
    let content = shared.snapshot();
    let rows = content.objects.packed()?;
    let mut pass = {
        let mut ledger = shared.ledger.lock().unwrap_or_else(PoisonError::into_inner);
        let packing = ledger.packing.as_mut()?;
        let packer = Packer::new(
            rows.unpacker().codec().clone(),
            packing.packer.digest().cloned(),
            packing.packer.enabled(),
        );
        let pass = Pass { packer, lists: packing.lists, trained: false };
        let wanted = std::mem::take(&mut packing.wants_training);
        if !(packing.gauge.wants_training(rows.len()) || wanted) {
            return Some(pass);
        }
        pass
    };
    let objects = rows.len();
    let number = free_number(rows.unpacker().dictionaries());
    let trained = number.and_then(|number| sample(rows).train(number));
    drop(content);
    let mut ledger = shared.ledger.lock().unwrap_or_else(PoisonError::into_inner);
    let packing = ledger.packing.as_mut()?;
    let Some((dictionary, digest)) = trained else {
        packing.gauge.gave_up(objects);
        return Some(pass);
    };
    // Readers get the dictionary before the first object is packed with it.
    edit(shared, |rows| rows.add_dictionary(dictionary));
    packing.packer.set_digest(digest.clone());
    packing.gauge.clear();
    pass.packer.set_digest(digest);
    pass.trained = true;
    Some(pass)
}

/// Packs some slots; returns false after the last one.
fn step<K: Object>(shared: &Arc<Shared<K>>, pass: &mut Pass<K>, from: usize) -> bool {
    let mut packed: Vec<(u32, Stored<K>, Packed)> = Vec::new();
    {
        // Drop the snapshot before the blocks are stored, so that the writes are in place.
        let content = shared.snapshot();
        let Some(rows) = content.objects.packed().filter(|rows| from < rows.slots()) else { return false };
        for slot in from..rows.slots().min(from + AT_A_TIME) {
            let Ok(slot) = u32::try_from(slot) else { return false };
            let Some(held) = rows.get(slot) else { continue };
            let again = match held {
                Held::Decoded(object) => pass.packer.pack(object),
                Held::Packed(block, unpacker, _) if pass.trained => pass.packer.repack(block, unpacker),
                Held::Packed(..) => None,
            };
            packed.extend(again.map(|again| (slot, held.to_stored(), again)));
        }
    }
    let mut ledger = shared.ledger.lock().unwrap_or_else(PoisonError::into_inner);
    let Some(packing) = &mut ledger.packing else { return false };
    for (_, _, packed) in &packed {
        packing.gauge.note(packed.raw, packed.block.heap_size());
    }
    edit(shared, |rows| {
        for (slot, was, packed) in &packed {
            rows.pack(*slot, was, packed.block.clone());
        }
    });
    drop(ledger);
    // Decoded objects are dropped here, after the locks are released.
    drop(packed);
    true
}

/// Returns whether there is nothing more to do.
fn end<K: Object>(shared: &Arc<Shared<K>>, pass: &Pass<K>) -> bool {
    let mut ledger = shared.ledger.lock().unwrap_or_else(PoisonError::into_inner);
    let Some(packing) = &mut ledger.packing else { return true };
    if let Some(digest) = pass.packer.digest().filter(|_| pass.trained) {
        packing.gauge.trained();
        // There are no writes in between, because the writer needs the ledger.
        let content = shared.snapshot();
        let needed = content.objects.packed().map(|rows| rows.needed_dictionaries(digest.number()));
        drop(content);
        edit(shared, |rows| rows.set_dictionaries(needed.unwrap_or_default()));
    }
    if packing.lists != pass.lists {
        return false;
    }
    packing.running = false;
    drop(ledger);
    if let Some(notify) = shared.on_packed.get() {
        notify();
    }
    true
}

/// Changes the rows. The caller holds the ledger.
fn edit<K: Object>(shared: &Arc<Shared<K>>, change: impl FnOnce(&mut PackedRows<K>)) {
    let mut content = shared.content.write().unwrap_or_else(PoisonError::into_inner);
    if let Some(rows) = Arc::make_mut(&mut content).objects.packed_mut() {
        change(rows);
    }
}

/// Returns objects from all parts of the store.
fn sample<K: Object>(rows: &PackedRows<K>) -> Sample {
    let (slots, mut sample) = (rows.slots(), Sample::default());
    let stride = stride(slots);
    for number in 0..slots.min(SAMPLED) {
        let Ok(slot) = u32::try_from(number * stride % slots) else { break };
        let more = match rows.get(slot) {
            Some(Held::Decoded(object)) => {
                encode(&**rows.unpacker().codec(), object).is_none_or(|bytes| sample.add(&bytes))
            }
            Some(Held::Packed(block, unpacker, _)) => {
                unpacker.read(block, |bytes| Ok(sample.add(bytes))).unwrap_or(true)
            }
            None => true,
        };
        if !more {
            break;
        }
    }
    sample
}

/// Returns a step that visits all slots and is spread over them, even if the walk ends early: neighbours are
/// often similar, and the first objects are not representative.
fn stride(slots: usize) -> usize {
    let divisor = |mut a: usize, mut b: usize| {
        while b != 0 {
            (a, b) = (b, a % b);
        }
        a
    };
    // The golden ratio spreads the steps most evenly.
    let golden = u64::try_from(slots).unwrap_or(u64::MAX).saturating_mul(2_654_435_769) >> 32;
    let from = usize::try_from(golden).unwrap_or(1);
    // Among as many consecutive numbers as there are slots, one is coprime to the number of slots.
    (from..=from.saturating_add(slots)).find(|stride| divisor(*stride, slots.max(1)) == 1).unwrap_or(1)
}

struct OverAfterPanic<'a, K: Object>(&'a Weak<Shared<K>>);

impl<K: Object> Drop for OverAfterPanic<'_, K> {
    fn drop(&mut self) {
        if std::thread::panicking()
            && let Some(shared) = self.0.upgrade()
            && let Some(packing) = &mut shared.ledger.lock().unwrap_or_else(PoisonError::into_inner).packing
        {
            // The next list starts another thread.
            packing.running = false;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn a_sample_is_spread_over_all_slots() {
        for slots in [1, 2, 3, 10, 255, 256, 1_000, 4_099] {
            let stride = stride(slots);
            let visited: BTreeSet<usize> = (0..slots).map(|number| number * stride % slots).collect();
            assert_eq!(visited.len(), slots);
        }
        let early: BTreeSet<usize> =
            (0..100).map(|number| number * stride(10_000) % 10_000 / 1_000).collect();
        assert_eq!(early.len(), 10, "a hundredth of the walk touches every part");
    }
}
