//! The encoding: a segment is a run of records that can be read without any other.
//!
//! Numbers are varints. Times and versions are differences from the last ones. A name is written in full when the segment has
//! it for the first time, and is a small number from then on.

use std::borrow::Cow;
use std::collections::HashMap;
use std::hash::BuildHasherDefault;

use super::record::{
    Cause, Coded, Event, EventKind, InformerChange, Method, Name, Names, Record, ResourceName, Run, Sent,
    Skip, Verdict, What,
};
use super::varint::{LONGEST, SCRATCH, Scratch, get, get_signed};
use crate::ReconcileOutcome;
use crate::hashed::Hashed;

/// The largest number of keys of one event, and of requests of one run, that are recorded.
pub(crate) const MOST_NAMES: usize = 1024;

/// From this size on, a segment grows by a quarter instead of being doubled.
const MUCH: usize = 128 << 10;

/// How many places there are for names that were written lately: a power of two.
const RECENT: usize = 64;

/// A source with at least this number has a byte of its own.
const MANY_SOURCES: u8 = 31;

const EVENT: u8 = 0;
const RUN: u8 = 1;
const ENQUEUED: u8 = 2;
const ENQUEUED_ALL: u8 = 3;
const SKIPPED: u8 = 4;
const HELD: u8 = 5;
const RELEASED: u8 = 6;
const PHASE: u8 = 7;
const SHARD: u8 = 8;
const INFORMER: u8 = 9;
const UNSYNCED_READ: u8 = 10;

const OWN: u8 = 0;
const REFUSED: u8 = 1;
const MAPPED: u8 = 2;
/// Mapped to one key, that of the object.
const NAMESAKE: u8 = 3;

/// A segment that grows.
#[derive(Default)]
pub(crate) struct Encoder {
    bytes: Vec<u8>,
    /// Names that were written lately: they are found without a full hash. Empty before the first name.
    recent: Vec<Recent>,
    /// The number of the name with this hash.
    numbers: HashMap<u64, u32, BuildHasherDefault<Hashed>>,
    /// The place of each name in the bytes, and the lengths of its namespace and name.
    places: Vec<(u32, u16, u16)>,
    /// The memory of `recent`, `numbers` and `places`, in bytes.
    index: usize,
    last: Last,
    /// The newest time of a record. Records that waited are written after newer ones.
    newest: i64,
    records: u64,
}

/// A name that was written lately.
#[derive(Clone, Copy, Default)]
struct Recent {
    /// Its number plus one; zero if there is no name here.
    code: u32,
    /// Its place in the bytes.
    place: u32,
    ends: Ends,
}

/// The lengths and the ends of a namespace and a name. Short names with equal ones are equal.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
struct Ends {
    lengths: u64,
    namespace: u64,
    name: u64,
}

impl Ends {
    #[inline]
    fn of(name: Name<'_>) -> Self {
        let lengths = name.namespace.len() as u64 | (name.name.len() as u64) << 32;
        Self { lengths, namespace: end_of(name.namespace.as_bytes()), name: end_of(name.name.as_bytes()) }
    }

    /// The place among the names that were written lately. Names that follow each other mostly differ in their ends.
    #[inline]
    fn place(self) -> usize {
        let mixed = (self.name ^ self.lengths).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        usize::try_from(mixed >> (u64::BITS - RECENT.trailing_zeros())).unwrap_or_default()
    }
}

/// The values from which the next ones differ by little.
#[derive(Clone, Copy, Default)]
struct Last {
    at: i64,
    version: u64,
}

impl Encoder {
    pub(crate) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    pub(crate) fn into_bytes(self) -> Box<[u8]> {
        self.bytes.into_boxed_slice()
    }

    pub(crate) fn records(&self) -> u64 {
        self.records
    }

    /// The time of the newest record.
    pub(crate) fn newest(&self) -> i64 {
        self.newest
    }

    /// The memory that it has allocated, in bytes.
    pub(crate) fn memory(&self) -> usize {
        self.bytes.capacity() + self.index
    }

    /// Makes space for a record: doubles what is allocated, or adds a quarter if it is much already. Not beyond `most` if that is enough.
    #[inline]
    pub(crate) fn reserve(&mut self, most: usize) {
        let (length, capacity) = (self.bytes.len(), self.bytes.capacity());
        if capacity - length < 256 && capacity < most {
            self.grow(most);
        }
    }

    #[cold]
    fn grow(&mut self, most: usize) {
        let (length, capacity) = (self.bytes.len(), self.bytes.capacity());
        let more = if capacity < MUCH { capacity } else { capacity / 4 };
        let wanted = (capacity + more).clamp(1024, most);
        self.bytes.reserve_exact(wanted - length);
    }

    pub(crate) fn write(&mut self, record: &Record<'_>) {
        match &record.what {
            What::Event(event) => return self.write_event(record.at, record.controller, event),
            What::Run(run, requests) => {
                return self.write_run(record.at, record.controller, run, requests.iter().copied());
            }
            _ => {}
        }
        let mut space = [0; SCRATCH];
        let mut out = Scratch::new(&mut space);
        self.begin(&mut out, tag(&record.what), record.at, record.controller);
        match &record.what {
            What::Event(_) | What::Run(..) => {}
            What::Enqueued { key, cause } => {
                self.rare_name(&mut out, *key);
                out.push(*cause as u8);
            }
            What::EnqueuedAll { cause, count } => {
                out.push(*cause as u8);
                out.put(*count);
            }
            What::Skipped { key, why } => {
                self.rare_name(&mut out, *key);
                let (code, number) = match why {
                    Skip::OtherShard(shard) => (0, u64::from(*shard)),
                    Skip::Settling(left) => (1, *left),
                };
                out.push(code);
                out.put(number);
            }
            What::Held { key } => self.rare_name(&mut out, *key),
            What::Released { key, waited, .. } => {
                self.rare_name(&mut out, *key);
                out.put(*waited);
            }
            What::UnsyncedRead { key, informer } => {
                self.rare_name(&mut out, *key);
                self.rare_name(&mut out, Name::text(informer));
            }
            What::Phase(phase) => out.push(*phase),
            What::Shard { shard, .. } => out.put(u64::from(*shard)),
            What::Informer { source, count, .. } => {
                out.push(*source);
                out.put(*count);
            }
        }
        out.move_to(&mut self.bytes);
    }

    /// The beginning of each record.
    #[allow(clippy::inline_always)] // As all that has a scratch: it stays in registers.
    #[inline(always)]
    fn begin(&mut self, out: &mut Scratch<'_>, tag: u8, at: i64, controller: u32) {
        // Times may be negative: the first one counts as it is.
        self.newest = if self.records == 0 { at } else { self.newest.max(at) };
        self.records += 1;
        out.push(tag);
        out.put_signed(at.wrapping_sub(self.last.at));
        self.last.at = at;
        out.put(u64::from(controller));
    }

    /// Writes an event.
    pub(crate) fn write_event(&mut self, at: i64, controller: u32, event: &Event<'_>) {
        let mut space = [0; SCRATCH];
        let mut scratch = Scratch::new(&mut space);
        let out = &mut scratch;
        let verdict = match &event.verdict {
            Verdict::Own => OWN,
            Verdict::Refused { .. } => REFUSED,
            // As many owned objects are: the key is not written then.
            Verdict::Mapped { keys: Names::One(key), total: 1 } if is_same_name(*key, event.object) => {
                NAMESAKE
            }
            Verdict::Mapped { .. } => MAPPED,
        };
        self.begin(out, EVENT | verdict << 4 | u8::from(event.panicked) << 6, at, controller);
        // Most controllers have few sources: one byte for both.
        let source = event.source.min(MANY_SOURCES);
        out.push(event.kind as u8 | source << 3);
        if source == MANY_SOURCES {
            out.push(event.source);
        }
        self.name(out, event.object);
        self.version(out, event.version);
        if event.kind == EventKind::Updated {
            out.push(event.changed);
        }
        match &event.verdict {
            Verdict::Refused { part } => out.push(*part),
            Verdict::Mapped { keys, total } if verdict == MAPPED => {
                let keys = &keys[..keys.len().min(MOST_NAMES)];
                out.put(keys.len() as u64);
                out.put(total - (keys.len() as u64).min(*total));
                for key in keys {
                    self.make_space(out, LONGEST);
                    self.rare_name(out, *key);
                }
            }
            _ => {}
        }
        scratch.move_to(&mut self.bytes);
    }

    /// Writes a run with its requests, which may be made one by one.
    pub(crate) fn write_run<'r>(
        &mut self,
        at: i64,
        controller: u32,
        run: &Run<'_>,
        requests: impl ExactSizeIterator<Item = Sent<'r>>,
    ) {
        let mut space = [0; SCRATCH];
        let mut scratch = Scratch::new(&mut space);
        let out = &mut scratch;
        self.begin(out, RUN, at, controller);
        self.name(out, run.key);
        out.put(run.took);
        let has = |bit: u8, is: bool| u8::from(is) << bit;
        let failed = run.code > 0 || run.error > 0;
        let count = requests.len().min(MOST_NAMES);
        let more = run.more + (requests.len() - count) as u64;
        out.push(
            outcome_code(run.outcome)
                | has(3, run.waited.is_some())
                | has(4, run.failures > 0)
                | has(5, run.again.is_some())
                | has(6, failed)
                | has(7, count > 0 || more > 0),
        );
        if let Some(waited) = run.waited {
            out.put(waited);
        }
        if run.failures > 0 {
            out.put(u64::from(run.failures));
        }
        if let Some(again) = run.again {
            out.put(again);
        }
        if failed {
            out.put(u64::from(run.code));
            out.put(u64::from(run.error));
        }
        out.put(run.versions.len() as u64);
        for version in run.versions.iter() {
            self.make_space(out, LONGEST);
            self.version(out, *version);
        }
        if count > 0 || more > 0 {
            self.make_space(out, 2 * LONGEST);
            out.put(count as u64);
            out.put(more);
            for sent in requests.take(count) {
                self.request(out, run.key, &sent);
            }
        }
        scratch.move_to(&mut self.bytes);
    }

    #[allow(clippy::inline_always)]
    #[inline(always)]
    fn request(&mut self, out: &mut Scratch<'_>, key: Name<'_>, sent: &Sent<'_>) {
        // Eight fields, none longer than a number.
        self.make_space(out, 8 * LONGEST);
        let own = is_same_name(sent.object, key);
        let ResourceName { group, resource, subresource } = sent.resource;
        let of_part = !subresource.is_empty();
        let has = |bit: u8, is: bool| u8::from(is) << bit;
        out.push(sent.verb as u8 | has(3, own) | has(4, sent.version > 0) | has(5, of_part));
        self.name(out, Name { namespace: group, name: resource });
        if of_part {
            self.rare_name(out, Name::text(subresource));
        }
        if !own {
            self.rare_name(out, sent.object);
        }
        out.put(u64::from(sent.status));
        out.put(sent.after);
        out.put(sent.took);
        if sent.version > 0 {
            self.version(out, sent.version);
        }
    }

    /// Makes space for so many bytes.
    #[inline]
    fn make_space(&mut self, out: &mut Scratch<'_>, bytes: usize) {
        if !out.has_space(bytes) {
            out.move_to(&mut self.bytes);
        }
    }

    /// A version as the difference from the last one; zero, which means unknown, as zero.
    #[inline]
    #[allow(clippy::cast_possible_wrap, reason = "differences wrap")]
    fn version(&mut self, out: &mut Scratch<'_>, version: u64) {
        if version == 0 {
            return out.put(0);
        }
        let difference = version.wrapping_sub(self.last.version) as i64;
        self.last.version = version;
        // One more than the signed form, so that zero is free. The difference of two versions is not that large.
        let folded = ((difference << 1) ^ (difference >> 63)).cast_unsigned();
        out.put(folded.saturating_add(1));
    }

    /// The number of a name plus one; zero, and the name, if it is new.
    #[allow(clippy::inline_always)]
    #[inline(always)]
    fn name(&mut self, out: &mut Scratch<'_>, name: Name<'_>) {
        let code = self.recent_code(name);
        self.coded_name(out, name, code);
    }

    /// The same for a name that few records have. With a call instead of the code in place.
    #[allow(clippy::inline_always)]
    #[inline(always)]
    fn rare_name(&mut self, out: &mut Scratch<'_>, name: Name<'_>) {
        let code = self.rare_code(name);
        self.coded_name(out, name, code);
    }

    #[allow(clippy::inline_always)]
    #[inline(always)]
    fn coded_name(&mut self, out: &mut Scratch<'_>, name: Name<'_>, mut code: u32) {
        if code == 0 {
            code = self.other_code(name);
        }
        if code > 0 {
            return out.put(code.into());
        }
        out.move_to(&mut self.bytes);
        self.new_name(name);
    }

    /// The number plus one of a name that was written lately; zero if it was not.
    #[allow(clippy::inline_always)]
    #[inline(always)]
    fn recent_code(&self, name: Name<'_>) -> u32 {
        let ends = Ends::of(name);
        let place = ends.place();
        let Some(mut known) = self.recent.get(place) else { return 0 };
        if known.ends != ends {
            known = &self.recent[place ^ 1];
        }
        if known.ends != ends || known.code == 0 {
            return 0;
        }
        let (namespace, name) = (name.namespace.as_bytes(), name.name.as_bytes());
        if namespace.len().max(name.len()) <= 8 {
            return known.code;
        }
        let texts = &self.bytes[known.place as usize..];
        let (known_namespace, texts) = texts.split_at(namespace.len());
        let is_it = begins_same(&texts[..name.len()], name) && begins_same(known_namespace, namespace);
        if is_it { known.code } else { 0 }
    }

    #[inline(never)]
    fn rare_code(&self, name: Name<'_>) -> u32 {
        self.recent_code(name)
    }

    /// The same for a name that was not written lately.
    #[inline(never)]
    fn other_code(&mut self, name: Name<'_>) -> u32 {
        match self.numbers.get(&hash(name)).copied() {
            Some(number) if self.has(self.places[number as usize], name) => self.remember(name, number),
            _ => 0,
        }
    }

    /// Writes a name in full.
    #[inline(never)]
    fn new_name(&mut self, name: Name<'_>) {
        let mut space = [0; SCRATCH];
        let mut out = Scratch::new(&mut space);
        out.put(0);
        out.put(name.namespace.len() as u64);
        out.put(name.name.len() as u64);
        out.move_to(&mut self.bytes);
        let place = (u32::try_from(self.bytes.len()), u32::try_from(self.places.len()));
        let lengths = (u16::try_from(name.namespace.len()), u16::try_from(name.name.len()));
        self.bytes.extend_from_slice(name.namespace.as_bytes());
        self.bytes.extend_from_slice(name.name.as_bytes());
        // The reader counts every name, so a name that can't be found again has a number too.
        let (Ok(place), Ok(number)) = place else { return };
        if let (Ok(namespace), Ok(length)) = lengths {
            self.places.push((place, namespace, length));
            self.numbers.insert(hash(name), number);
            self.remember(name, number);
        } else {
            self.places.push((place, 0, 0));
        }
        // A hash map has one byte of its own per bucket, and is at most seven eighths full.
        let buckets = self.numbers.capacity() * 8 / 7;
        self.index = buckets * (size_of::<(u64, u32)>() + 1)
            + self.places.capacity() * size_of::<(u32, u16, u16)>()
            + self.recent.capacity() * size_of::<Recent>();
    }

    /// Keeps a name as one that was written lately, and returns its number plus one.
    fn remember(&mut self, name: Name<'_>, number: u32) -> u32 {
        let (place, ends) = (self.places[number as usize].0, Ends::of(name));
        let new = ends.place();
        if self.recent.is_empty() {
            self.recent.resize(RECENT, Recent::default());
        }
        // The one before goes to the neighbor, so that two names with one place do not push each other out.
        self.recent[new ^ 1] = self.recent[new];
        self.recent[new] = Recent { code: number + 1, place, ends };
        number + 1
    }

    /// Whether a name is at a place in the bytes.
    fn has(&self, (place, namespace, length): (u32, u16, u16), name: Name<'_>) -> bool {
        let (place, namespace, length) = (place as usize, usize::from(namespace), usize::from(length));
        if namespace != name.namespace.len() || length != name.name.len() {
            return false;
        }
        let text = &self.bytes[place..place + namespace + length];
        let (namespace, text) = text.split_at(namespace);
        // Names differ more often than namespaces do.
        is_same(text, name.name.as_bytes()) && is_same(namespace, name.namespace.as_bytes())
    }
}

/// The first byte of a record: its kind, and what fits into the other bits.
fn tag(what: &What<'_>) -> u8 {
    match what {
        What::Event(_) => EVENT,
        What::Run(..) => RUN,
        What::Enqueued { .. } => ENQUEUED,
        What::EnqueuedAll { .. } => ENQUEUED_ALL,
        What::Skipped { .. } => SKIPPED,
        What::Held { .. } => HELD,
        What::Released { caught_up, .. } => RELEASED | u8::from(*caught_up) << 4,
        What::UnsyncedRead { .. } => UNSYNCED_READ,
        What::Phase(_) => PHASE,
        What::Shard { held, .. } => SHARD | u8::from(*held) << 4,
        What::Informer { change, .. } => INFORMER | (*change as u8) << 4,
    }
}

fn outcome_code(outcome: ReconcileOutcome) -> u8 {
    let place = ReconcileOutcome::ALL.iter().position(|other| *other == outcome);
    place.and_then(|place| u8::try_from(place).ok()).unwrap_or_default()
}

/// A hash of eight bytes at a time. Names with equal hashes only cost space.
fn hash(name: Name<'_>) -> u64 {
    let mut hash = 0x9e37_79b9_7f4a_7c15_u64 ^ name.namespace.len() as u64;
    let mut mix = |word: u64| hash = (hash.rotate_left(23) ^ word).wrapping_mul(0xff51_afd7_ed55_8ccd);
    for text in [name.namespace.as_bytes(), name.name.as_bytes()] {
        for word in text.as_chunks::<8>().0 {
            mix(u64::from_le_bytes(*word));
        }
        mix(end_of(text));
    }
    hash ^ (hash >> 29)
}

/// Whether two names are equal. Those of one key are equal by address.
#[inline]
fn is_same_name(one: Name<'_>, other: Name<'_>) -> bool {
    std::ptr::eq(one.name, other.name) && std::ptr::eq(one.namespace, other.namespace)
        || has_same_texts(one, other)
}

fn has_same_texts(one: Name<'_>, other: Name<'_>) -> bool {
    is_same_text(one.name, other.name) && is_same_text(one.namespace, other.namespace)
}

/// Whether two short texts are equal.
#[inline]
pub(super) fn is_same_text(one: &str, other: &str) -> bool {
    // Texts that are shared are equal by address.
    std::ptr::eq(one, other) || one.len() == other.len() && is_same(one.as_bytes(), other.as_bytes())
}

/// Whether two texts of one length are equal. They are short: words are compared here, without a call. Most that differ do so in
/// their ends.
#[inline]
fn is_same(one: &[u8], other: &[u8]) -> bool {
    end_of(one) == end_of(other) && begins_same(one, other)
}

/// Whether two texts of one length with equal ends are equal.
#[inline]
fn begins_same(one: &[u8], other: &[u8]) -> bool {
    one.first_chunk::<8>() == other.first_chunk::<8>()
        && (one.len() <= 16 || one.as_chunks::<8>().0.iter().eq(other.as_chunks::<8>().0))
}

/// The last eight bytes of a text, or all bytes of a shorter one.
#[inline]
fn end_of(text: &[u8]) -> u64 {
    if let Some(last) = text.last_chunk::<8>() {
        return u64::from_le_bytes(*last);
    }
    if let (Some(first), Some(last)) = (text.first_chunk::<4>(), text.last_chunk::<4>()) {
        return u64::from(u32::from_le_bytes(*first)) | u64::from(u32::from_le_bytes(*last)) << 32;
    }
    text.iter().fold(0, |word, byte| word << 8 | u64::from(*byte))
}

/// The records of a segment, in the order in which they were written. It ends at the first byte that it does not understand.
pub(crate) struct Decoder<'a> {
    bytes: &'a [u8],
    position: usize,
    names: Vec<Name<'a>>,
    last: Last,
}

impl<'a> Decoder<'a> {
    pub(crate) fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, position: 0, names: Vec::new(), last: Last::default() }
    }

    fn record(&mut self) -> Option<Record<'a>> {
        let tag = self.byte()?;
        let at = self.last.at.wrapping_add(get_signed(self.bytes, &mut self.position)?);
        self.last.at = at;
        let controller = u32::try_from(self.number()?).ok()?;
        let bits = tag >> 4;
        let what = match tag & 0xf {
            EVENT => What::Event(self.event(bits & 3, bits & 4 != 0)?),
            RUN => {
                let (run, requests) = self.run()?;
                What::Run(run, requests)
            }
            ENQUEUED => What::Enqueued { key: self.name()?, cause: Cause::of(self.byte()?.into())? },
            ENQUEUED_ALL => {
                What::EnqueuedAll { cause: Cause::of(self.byte()?.into())?, count: self.number()? }
            }
            SKIPPED => {
                let (key, code, number) = (self.name()?, self.byte()?, self.number()?);
                let why = match code {
                    0 => Skip::OtherShard(u32::try_from(number).ok()?),
                    _ => Skip::Settling(number),
                };
                What::Skipped { key, why }
            }
            HELD => What::Held { key: self.name()? },
            RELEASED => {
                What::Released { key: self.name()?, waited: self.number()?, caught_up: bits & 1 != 0 }
            }
            UNSYNCED_READ => What::UnsyncedRead { key: self.name()?, informer: self.name()?.name },
            PHASE => What::Phase(self.byte()?),
            SHARD => What::Shard { shard: u32::try_from(self.number()?).ok()?, held: bits & 1 != 0 },
            INFORMER => What::Informer {
                source: self.byte()?,
                change: InformerChange::of(bits.into())?,
                count: self.number()?,
            },
            _ => return None,
        };
        Some(Record { at, controller, what })
    }

    fn event(&mut self, verdict: u8, panicked: bool) -> Option<Event<'a>> {
        let byte = self.byte()?;
        let kind = EventKind::of((byte & 7).into())?;
        let source = if byte >> 3 == MANY_SOURCES { self.byte()? } else { byte >> 3 };
        let (object, version) = (self.name()?, self.version()?);
        let changed = if kind == EventKind::Updated { self.byte()? } else { 0 };
        let verdict = match verdict {
            OWN => Verdict::Own,
            REFUSED => Verdict::Refused { part: self.byte()? },
            NAMESAKE => Verdict::Mapped { keys: Names::One(object), total: 1 },
            _ => {
                let (count, more) = (self.number()?, self.number()?);
                let keys = (0..count.min(MOST_NAMES as u64)).map(|_| self.name());
                let keys = Names::Several(keys.collect::<Option<_>>()?);
                Verdict::Mapped { keys, total: count.checked_add(more)? }
            }
        };
        Some(Event { source, object, version, kind, changed, verdict, panicked })
    }

    fn run(&mut self) -> Option<(Run<'a>, Vec<Sent<'a>>)> {
        let (key, took, bits) = (self.name()?, self.number()?, self.byte()?);
        let has = |bit: u8| bits & (1 << bit) != 0;
        let waited = if has(3) { Some(self.number()?) } else { None };
        let failures = if has(4) { u32::try_from(self.number()?).ok()? } else { 0 };
        let again = if has(5) { Some(self.number()?) } else { None };
        let (code, error) = if has(6) {
            (u16::try_from(self.number()?).ok()?, u32::try_from(self.number()?).ok()?)
        } else {
            (0, 0)
        };
        let count = self.number()?.min(256);
        let versions = (0..count).map(|_| self.version()).collect::<Option<Vec<_>>>()?;
        let (mut requests, mut more) = (Vec::new(), 0);
        if has(7) {
            let count = self.number()?.min(MOST_NAMES as u64);
            more = self.number()?;
            requests = (0..count).map(|_| self.sent(key)).collect::<Option<Vec<_>>>()?;
        }
        let outcome = ReconcileOutcome::of((bits & 7).into())?;
        let versions = Cow::Owned(versions);
        let run = Run { key, took, waited, failures, outcome, again, code, error, versions, more };
        Some((run, requests))
    }

    fn sent(&mut self, key: Name<'a>) -> Option<Sent<'a>> {
        let bits = self.byte()?;
        let verb = Method::of((bits & 7).into())?;
        let of = self.name()?;
        let subresource = if bits & 32 != 0 { self.name()?.name } else { "" };
        let resource = ResourceName { group: of.namespace, resource: of.name, subresource };
        let object = if bits & 8 != 0 { key } else { self.name()? };
        let status = u16::try_from(self.number()?).ok()?;
        let (after, took) = (self.number()?, self.number()?);
        let version = if bits & 16 != 0 { self.version()? } else { 0 };
        Some(Sent { verb, resource, object, status, after, took, version })
    }

    fn byte(&mut self) -> Option<u8> {
        let byte = *self.bytes.get(self.position)?;
        self.position += 1;
        Some(byte)
    }

    fn number(&mut self) -> Option<u64> {
        get(self.bytes, &mut self.position)
    }

    fn version(&mut self) -> Option<u64> {
        let folded = self.number()?;
        if folded == 0 {
            return Some(0);
        }
        let folded = folded - 1;
        let difference = (folded >> 1) ^ (folded & 1).wrapping_neg();
        self.last.version = self.last.version.wrapping_add(difference);
        Some(self.last.version)
    }

    fn name(&mut self) -> Option<Name<'a>> {
        let number = self.number()?;
        if number > 0 {
            return self.names.get(usize::try_from(number - 1).ok()?).copied();
        }
        let (namespace, name) =
            (usize::try_from(self.number()?).ok()?, usize::try_from(self.number()?).ok()?);
        let name = Name { namespace: self.text(namespace)?, name: self.text(name)? };
        self.names.push(name);
        Some(name)
    }

    fn text(&mut self, length: usize) -> Option<&'a str> {
        let end = self.position.checked_add(length)?;
        let text = std::str::from_utf8(self.bytes.get(self.position..end)?).ok()?;
        self.position = end;
        Some(text)
    }
}

impl<'a> Iterator for Decoder<'a> {
    type Item = Record<'a>;

    fn next(&mut self) -> Option<Record<'a>> {
        let record = self.record();
        if record.is_none() {
            self.position = self.bytes.len();
        }
        record
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn name() -> impl Strategy<Value = (String, String)> {
        ("[a-c]{0,3}", "[a-c]{1,3}")
    }

    fn named((namespace, name): &(String, String)) -> Name<'_> {
        Name { namespace, name }
    }

    /// Data from which records borrow.
    #[derive(Clone, Debug)]
    struct Raw {
        kind: u8,
        names: Vec<(String, String)>,
        numbers: [u64; 6],
        small: u8,
        yes: bool,
    }

    fn raw() -> impl Strategy<Value = Raw> {
        let numbers = proptest::array::uniform6(prop_oneof![0_u64..300, 0..u64::from(u32::MAX)]);
        (0_u8..11, proptest::collection::vec(name(), 1..5), numbers, 0_u8..8, any::<bool>())
            .prop_map(|(kind, names, numbers, small, yes)| Raw { kind, names, numbers, small, yes })
    }

    fn record(raw: &Raw, at: i64) -> Record<'_> {
        let (key, numbers, small, yes) = (named(&raw.names[0]), raw.numbers, raw.small, raw.yes);
        let names: Vec<Name<'_>> = raw.names.iter().map(named).collect();
        let what = match raw.kind {
            0 => {
                let verdict = match small % 3 {
                    0 => Verdict::Own,
                    1 => Verdict::Refused { part: small },
                    _ => Verdict::Mapped {
                        total: names.len() as u64 + numbers[2],
                        keys: names.into_iter().collect(),
                    },
                };
                let kind = EventKind::ALL[usize::from(small) % 5];
                let changed = if kind == EventKind::Updated { small } else { 0 };
                What::Event(Event {
                    source: if yes { small } else { small * 30 },
                    object: key,
                    version: numbers[0],
                    kind,
                    changed,
                    verdict,
                    panicked: yes,
                })
            }
            1 => {
                let requests: Vec<Sent<'_>> = names
                    .iter()
                    .zip(numbers)
                    .map(|(object, number)| Sent {
                        verb: Method::ALL[usize::from(small) % Method::ALL.len()],
                        resource: ResourceName {
                            group: if yes { "apps" } else { "" },
                            resource: "secrets",
                            subresource: ["", "status"][usize::from(small) % 2],
                        },
                        object: *object,
                        status: 200 + u16::from(small),
                        after: number,
                        took: number / 2,
                        version: if yes { number } else { 0 },
                    })
                    .collect();
                let run = Run {
                    key,
                    took: numbers[0],
                    waited: yes.then_some(numbers[1]),
                    failures: u32::from(small),
                    outcome: ReconcileOutcome::ALL[usize::from(small)],
                    again: (!yes).then_some(numbers[2]),
                    code: u16::from(small) * 50,
                    error: u32::from(small),
                    versions: vec![numbers[3], 0, numbers[4]].into(),
                    more: u64::from(small / 2),
                };
                What::Run(run, if small > 3 { requests } else { Vec::new() })
            }
            2 => What::Enqueued { key, cause: Cause::ALL[usize::from(small) % 5] },
            3 => What::EnqueuedAll { cause: Cause::LaterTerm, count: numbers[0] },
            4 if yes => What::Skipped { key, why: Skip::OtherShard(u32::from(small)) },
            4 => What::Skipped { key, why: Skip::Settling(numbers[0]) },
            5 => What::Held { key },
            6 => What::Released { key, waited: numbers[0], caught_up: yes },
            7 => What::Phase(small),
            8 => What::Shard { shard: u32::from(small), held: yes },
            9 => What::UnsyncedRead { key, informer: key.name },
            _ => What::Informer {
                source: small,
                change: if yes { InformerChange::Failed } else { InformerChange::Relisted },
                count: numbers[0],
            },
        };
        Record { at, controller: u32::from(small), what }
    }

    proptest! {
        #[test]
        fn records_come_back(raws in proptest::collection::vec((raw(), -5_000_i64..5_000_000), 0..60)) {
            let mut encoder = Encoder::default();
            let records: Vec<Record<'_>> = raws.iter().map(|(raw, at)| record(raw, *at)).collect();
            for record in &records {
                encoder.write(record);
            }
            prop_assert_eq!(encoder.records(), records.len() as u64);
            let read: Vec<Record<'_>> = Decoder::new(encoder.bytes()).collect();
            prop_assert_eq!(read, records);
        }

        #[test]
        fn no_bytes_make_the_decoder_panic(bytes: Vec<u8>) {
            let count = Decoder::new(&bytes).count();
            prop_assert!(count <= bytes.len());
        }

        #[test]
        fn a_segment_that_is_cut_has_a_prefix_of_its_records(
            raws in proptest::collection::vec((raw(), 0_i64..5_000), 1..20),
            cut in 0.0_f64..1.0,
        ) {
            let mut encoder = Encoder::default();
            let records: Vec<Record<'_>> = raws.iter().map(|(raw, at)| record(raw, *at)).collect();
            for record in &records {
                encoder.write(record);
            }
            #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, clippy::cast_precision_loss)]
            let length = (encoder.bytes().len() as f64 * cut) as usize;
            let read: Vec<Record<'_>> = Decoder::new(&encoder.bytes()[..length]).collect();
            prop_assert_eq!(&read[..], &records[..read.len()]);
        }
    }

    fn event(object: Name<'_>, version: u64) -> Record<'_> {
        let event = Event {
            source: 0,
            object,
            version,
            kind: EventKind::Updated,
            changed: 1,
            verdict: Verdict::Own,
            panicked: false,
        };
        Record { at: i64::try_from(version).unwrap() * 1_000, controller: 1, what: What::Event(event) }
    }

    #[test]
    fn an_event_of_a_known_object_takes_nine_bytes() {
        let mut encoder = Encoder::default();
        let names: Vec<String> = (0..200).map(|number| format!("name-{number}")).collect();
        for (version, name) in names.iter().enumerate() {
            encoder.write(&event(Name { namespace: "shop", name }, version as u64 + 1));
        }
        let before = encoder.bytes().len();
        encoder.write(&event(Name { namespace: "shop", name: &names[150] }, 201));
        let size = encoder.bytes().len() - before;
        // Tag, time, controller, source with kind, name, version and change.
        assert_eq!(size, 1 + 2 + 1 + 1 + 2 + 1 + 1);
    }

    #[test]
    fn an_object_that_is_mapped_to_a_key_of_its_name_takes_no_more_space() {
        let (own, other) = (Name { namespace: "shop", name: "web" }, Name { namespace: "shop", name: "db" });
        let with = |keys: &[Name<'static>], total: u64| {
            let mut record = event(own, 7);
            if let What::Event(event) = &mut record.what {
                event.verdict = Verdict::Mapped { keys: keys.iter().copied().collect(), total };
            }
            record
        };
        let records = [event(own, 7), with(&[own], 1), with(&[own], 2), with(&[other], 1), with(&[], 0)];
        let mut encoder = Encoder::default();
        encoder.write(&records[0]);
        let sizes = records.each_ref().map(|record| {
            let before = encoder.bytes().len();
            encoder.write(record);
            encoder.bytes().len() - before
        });
        assert_eq!(sizes[0], sizes[1]);
        assert!(sizes[2..].iter().all(|size| *size > sizes[0]));
        let read: Vec<Record<'_>> = Decoder::new(encoder.bytes()).skip(1).collect();
        assert_eq!(read, records);
    }

    #[test]
    fn the_largest_records_come_back() {
        let names: Vec<String> = (0..100).map(|number| format!("a-name-that-is-long-{number}")).collect();
        let name = |number: usize| Name { namespace: &names[number], name: &names[99 - number] };
        let sent = |number: usize| Sent {
            verb: Method::Patch,
            resource: ResourceName {
                group: &names[0],
                resource: &names[number],
                subresource: &names[number / 2],
            },
            object: name(number),
            status: u16::MAX,
            after: u64::MAX,
            took: u64::MAX,
            version: 1 << 62,
        };
        let run = |key| Run {
            key,
            took: u64::MAX,
            waited: Some(u64::MAX),
            failures: u32::MAX,
            outcome: ReconcileOutcome::Cancelled,
            again: Some(u64::MAX),
            code: u16::MAX,
            error: u32::MAX,
            versions: vec![1 << 62, 1, 0, 1 << 62, 1, 1 << 62, 1, 1 << 62, 1, 1 << 62].into(),
            more: u64::MAX,
        };
        let mut encoder = Encoder::default();
        let records = [i64::MIN, i64::MAX, 0].map(|at| Record {
            at,
            controller: u32::MAX,
            what: What::Run(run(name(50)), (0..100).map(sent).collect()),
        });
        for record in &records {
            encoder.write(record);
        }
        assert_eq!(Decoder::new(encoder.bytes()).collect::<Vec<_>>(), records);
    }

    #[test]
    fn texts_are_equal_only_if_all_their_bytes_are() {
        let text = b"0123456789abcdefghijklmnopq";
        for length in 0..text.len() {
            let one = &text[..length];
            assert!(is_same(one, one));
            for place in 0..length {
                let mut other = one.to_vec();
                other[place] ^= 1;
                assert!(!is_same(one, &other), "byte {place} of {length}");
            }
        }
    }

    #[test]
    fn names_with_the_same_text_and_another_border_differ() {
        let mut encoder = Encoder::default();
        let names = [("a", "bc"), ("ab", "c"), ("", "abc"), ("a", "bc")];
        for (namespace, name) in names {
            encoder.write(&event(Name { namespace, name }, 1));
        }
        let read: Vec<_> = Decoder::new(encoder.bytes())
            .filter_map(|record| match record.what {
                What::Event(event) => Some((event.object.namespace, event.object.name)),
                _ => None,
            })
            .collect();
        assert_eq!(read, names);
    }

    #[test]
    fn a_name_that_is_longer_than_the_index_allows_is_written_each_time() {
        let long = "x".repeat(70_000);
        let mut encoder = Encoder::default();
        for version in 1..3 {
            encoder.write(&event(Name { namespace: "a", name: &long }, version));
            encoder.write(&event(Name { namespace: "a", name: "short" }, version));
        }
        let names = Decoder::new(encoder.bytes()).filter_map(|record| match record.what {
            What::Event(event) => Some(event.object.name.len()),
            _ => None,
        });
        assert_eq!(names.collect::<Vec<_>>(), [70_000, 5, 70_000, 5]);
        assert!(encoder.bytes().len() > 140_000);
    }

    #[test]
    fn more_names_than_the_limit_are_counted() {
        let names: Vec<String> = (0..2_000).map(|number| number.to_string()).collect();
        let keys: Vec<Name<'_>> = names.iter().map(|name| Name::text(name)).collect();
        let mut record = event(Name::text("a"), 1);
        if let What::Event(event) = &mut record.what {
            event.verdict = Verdict::Mapped { total: 2_000, keys: keys.into_iter().collect() };
        }
        let mut encoder = Encoder::default();
        encoder.write(&record);
        let read = Decoder::new(encoder.bytes()).next().unwrap();
        let What::Event(event) = read.what else { panic!() };
        let Verdict::Mapped { keys, total } = event.verdict else { panic!() };
        assert_eq!((keys.len(), total), (MOST_NAMES, 2_000));
    }
}
