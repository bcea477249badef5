//! The thread of a packed store: it trains dictionaries and packs what lists bring, away from async workers.

use std::sync::{Arc, PoisonError, Weak};

use client_rs_machinery::Object;

use super::content::{Content, Ledger, Packing};
use super::packed::dictionary::{Sample, free_number};
use super::packed::packer::{Packed, encode};
use super::packed::{PackedRows, Packer};
use super::shared::Shared;
use super::stored::{Held, Stored};

/// How many slots are packed at a time. The writer waits while as many blocks are put in their places, not while they
/// are made.
const AT_A_TIME: usize = 256;
/// The most objects that a dictionary is trained on.
const SAMPLED: usize = 4096;

/// After a list: what it brought is packed elsewhere.
pub(super) fn listed<K: Object>(shared: &Arc<Shared<K>>, ledger: &mut Ledger<K>) {
    if let Some(packing) = &mut ledger.packing
        && shared.peek(|content| content.objects.packed().is_some_and(|rows| rows.fresh_len() > 0))
    {
        packing.lists += 1;
        start(shared, packing);
    }
}

/// After single changes, which are packed already: whether a new dictionary is worth it.
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
        // The objects stay as they are, and the next list or change asks again.
        Err(error) => tracing::error!(%error, "no thread to pack objects"),
    }
}

/// One walk over all slots.
struct Pass<K> {
    packer: Packer<K>,
    /// How many lists there had been when it began.
    lists: u64,
    /// Whether there is a new dictionary, so that all is to be packed again.
    trained: bool,
}

/// Packs what is not packed, with a new dictionary if one is wanted, until there is nothing to do. Ends with the store.
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

/// Trains, if that is wanted.
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
    // First it can be read, then it is written.
    edit(shared, |rows| rows.add_dictionary(dictionary));
    packing.packer.set_digest(digest.clone());
    packing.gauge.clear();
    pass.packer.set_digest(digest);
    pass.trained = true;
    Some(pass)
}

/// Packs some slots; false behind the last one.
fn step<K: Object>(shared: &Arc<Shared<K>>, pass: &mut Pass<K>, from: usize) -> bool {
    let mut packed: Vec<(u32, Stored<K>, Packed)> = Vec::new();
    {
        // Gone before the blocks are put in their places: that is then done in place.
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
    // What was decoded ends here, after the locks.
    drop(packed);
    true
}

/// Whether there is nothing more to do.
fn end<K: Object>(shared: &Arc<Shared<K>>, pass: &Pass<K>) -> bool {
    let mut ledger = shared.ledger.lock().unwrap_or_else(PoisonError::into_inner);
    let Some(packing) = &mut ledger.packing else { return true };
    if let Some(digest) = pass.packer.digest().filter(|_| pass.trained) {
        packing.gauge.trained();
        // Nothing is written meanwhile, since the writer needs the ledger.
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

/// Changes the rows. The caller has the ledger.
fn edit<K: Object>(shared: &Arc<Shared<K>>, change: impl FnOnce(&mut PackedRows<K>)) {
    let mut content = shared.content.write().unwrap_or_else(PoisonError::into_inner);
    if let Some(rows) = Arc::make_mut(&mut content).objects.packed_mut() {
        change(rows);
    }
}

/// Objects from all over the store.
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

/// A step that visits all of so many slots, and that is spread over them however early it ends: neighbours are often
/// alike, and what comes first is not what all have in common.
fn stride(slots: usize) -> usize {
    let divisor = |mut a: usize, mut b: usize| {
        while b != 0 {
            (a, b) = (b, a % b);
        }
        a
    };
    // The golden section: no other step is spread so evenly.
    let golden = u64::try_from(slots).unwrap_or(u64::MAX).saturating_mul(2_654_435_769) >> 32;
    let from = usize::try_from(golden).unwrap_or(1);
    // Among as many numbers in a row as there are slots, one has no divisor in common with that.
    (from..=from.saturating_add(slots)).find(|stride| divisor(*stride, slots.max(1)) == 1).unwrap_or(1)
}

struct OverAfterPanic<'a, K: Object>(&'a Weak<Shared<K>>);

impl<K: Object> Drop for OverAfterPanic<'_, K> {
    fn drop(&mut self) {
        if std::thread::panicking()
            && let Some(shared) = self.0.upgrade()
            && let Some(packing) = &mut shared.ledger.lock().unwrap_or_else(PoisonError::into_inner).packing
        {
            // The next list starts another.
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
        assert_eq!(early.len(), 10, "a hundredth of the walk has been everywhere");
    }
}
