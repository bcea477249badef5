//! Sequences of operations on the shared collections, held against those of the standard library.

use std::collections::BTreeMap;
use std::sync::Arc;

use client_rs_machinery::collections::list::ListBuilder;
use client_rs_machinery::{Blob, List, Map, Str};

/// So many handles are held at once: they share what they were cloned from.
const HANDLES: usize = 4;

/// The bytes of an input, one by one.
struct Choices<'d>(&'d [u8]);

impl Choices<'_> {
    fn byte(&mut self) -> u8 {
        let Some((first, rest)) = self.0.split_first() else { return 0 };
        self.0 = rest;
        *first
    }

    fn below(&mut self, end: usize) -> usize {
        usize::from(self.byte()) % end.max(1)
    }

    /// Texts around the length from which they are on the heap.
    fn text(&mut self) -> String {
        let length = self.below(40);
        let letter = char::from(b'a' + self.byte() % 26);
        let letter = if self.byte() % 16 == 0 { 'é' } else { letter };
        std::iter::repeat_n(letter, length).collect()
    }
}

type Counted = Arc<Str>;

/// Lists, maps, texts and blobs have what a vector, a tree, a string and bytes have after the same operations, clones keep
/// what they had, and every value is dropped once.
pub fn collections(data: &[u8]) {
    let mut choices = Choices(data);
    let probe: Counted = Arc::new(Str::new("probe"));
    let mut lists: Vec<(List<Counted>, Vec<Counted>)> = vec![Default::default(); HANDLES];
    let mut maps: Vec<(Map<Counted>, BTreeMap<String, Counted>)> = vec![Default::default(); HANDLES];
    let mut texts: Vec<(Str, String)> = vec![Default::default(); HANDLES];
    let mut blobs: Vec<(Blob, Vec<u8>)> = vec![Default::default(); HANDLES];
    while !choices.0.is_empty() {
        let (at, other) = (choices.below(HANDLES), choices.below(HANDLES));
        match choices.byte() % 4 {
            0 => list(&mut choices, &mut lists, at, other, &probe),
            1 => map(&mut choices, &mut maps, at, other, &probe),
            2 => string(&mut choices, &mut texts, at, other),
            _ => blob(&mut choices, &mut blobs, at, other),
        }
        // The others must not have changed either.
        for (list, model) in &lists {
            assert_eq!(list.as_slice(), model.as_slice());
            assert_eq!(list.len(), model.len());
        }
        for (map, model) in &maps {
            let found = map.iter().map(|(key, value)| (key.as_str(), value));
            assert!(found.eq(model.iter().map(|(key, value)| (key.as_str(), value))), "{map:?} {model:?}");
        }
        for (text, model) in &texts {
            assert_eq!(text.as_str(), model.as_str());
        }
        for (blob, model) in &blobs {
            assert_eq!(blob.as_slice(), model.as_slice());
        }
    }
    drop((lists, maps));
    assert_eq!(Arc::strong_count(&probe), 1, "a value was leaked, or dropped twice");
}

fn list(
    choices: &mut Choices<'_>,
    lists: &mut [(List<Counted>, Vec<Counted>)],
    at: usize,
    other: usize,
    probe: &Counted,
) {
    let copy = lists[other].clone();
    let (list, model) = &mut lists[at];
    let value = || Arc::clone(probe);
    match choices.byte() % 20 {
        0 => (*list, *model) = copy,
        1 | 2 => {
            list.push(value());
            model.push(value());
        }
        3 => assert_eq!(list.pop(), model.pop()),
        4 => {
            let index = choices.below(model.len() + 1);
            list.insert(index, value());
            model.insert(index, value());
        }
        5 if !model.is_empty() => {
            let index = choices.below(model.len());
            assert_eq!(list.remove(index), model.remove(index));
        }
        6 if !model.is_empty() => {
            let index = choices.below(model.len());
            assert_eq!(list.swap_remove(index), model.swap_remove(index));
        }
        7 => {
            let length = choices.below(8);
            list.truncate(length);
            model.truncate(length);
        }
        8 => {
            let mask = choices.byte();
            let keep = |index: &mut usize| {
                *index += 1;
                mask >> (*index % 8) & 1 == 0
            };
            let (mut ours, mut theirs) = (0, 0);
            list.retain(|_| keep(&mut ours));
            model.retain(|_| keep(&mut theirs));
        }
        9 => {
            list.extend_from_slice(&copy.0);
            model.extend_from_slice(&copy.1);
            list.truncate(64);
            model.truncate(64);
        }
        10 => {
            *list = List::from(std::mem::take(list).into_vec());
        }
        11 => {
            list.clear();
            model.clear();
        }
        12 => {
            let fresh: Counted = Arc::new(Str::new(&choices.text()));
            if let (Some(ours), Some(theirs)) = (list.make_mut().last_mut(), model.last_mut()) {
                *ours = Arc::clone(&fresh);
                *theirs = fresh;
            }
        }
        13 => {
            let mut builder = ListBuilder::from(std::mem::take(list));
            for _ in 0..choices.below(5) {
                builder.push(value());
                model.push(value());
            }
            if choices.byte() % 2 == 0 {
                assert_eq!(builder.pop(), model.pop());
            }
            let length = choices.below(16);
            builder.truncate(length);
            model.truncate(length);
            *list = builder.finish();
        }
        14 => {
            let taken = choices.below(8);
            let (mut ours, mut theirs) =
                (std::mem::take(list).into_iter(), std::mem::take(model).into_iter());
            for _ in 0..taken {
                match choices.byte() % 2 {
                    0 => assert_eq!(ours.next(), theirs.next()),
                    _ => assert_eq!(ours.next_back(), theirs.next_back()),
                }
            }
            assert_eq!(ours.len(), theirs.len());
            *list = ours.collect();
            *model = theirs.collect();
        }
        15 => {
            *list = model.iter().cloned().collect();
            assert!(list.is_unique() || list.is_empty());
        }
        16 => {
            let taken = choices.below(6);
            list.extend(std::iter::repeat_with(value).take(taken));
            model.extend(std::iter::repeat_with(value).take(taken));
        }
        17 => {
            list.reverse();
            model.reverse();
        }
        _ => assert_eq!(*list == copy.0, *model == copy.1),
    }
}

fn map(
    choices: &mut Choices<'_>,
    maps: &mut [(Map<Counted>, BTreeMap<String, Counted>)],
    at: usize,
    other: usize,
    probe: &Counted,
) {
    let copy = maps[other].clone();
    let (map, model) = &mut maps[at];
    let key = choices.text();
    match choices.byte() % 10 {
        0 => (*map, *model) = copy,
        1..=3 => assert_eq!(map.insert(key.as_str(), probe.clone()), model.insert(key, probe.clone())),
        4 => assert_eq!(map.remove(&key), model.remove(&key)),
        5 => {
            assert_eq!(map.get(&key), model.get(&key));
            assert_eq!(map.contains_key(&key), model.contains_key(&key));
            assert_eq!(map.first().map(|(key, _)| key.as_str()), model.keys().next().map(String::as_str));
            assert_eq!(map.last().map(|(key, _)| key.as_str()), model.keys().last().map(String::as_str));
        }
        6 => {
            let mask = choices.byte();
            map.retain(|key, _| mask >> (key.len() % 8) & 1 == 0);
            model.retain(|key, _| mask >> (key.len() % 8) & 1 == 0);
        }
        7 => {
            map.extend(copy.0.iter().map(|(key, value)| (key.clone(), value.clone())));
            model.extend(copy.1);
        }
        8 => {
            *map = model.iter().rev().map(|(key, value)| (key.as_str(), value.clone())).collect();
        }
        _ => {
            let ours = map.get_or_insert_with(key.as_str(), || probe.clone()).clone();
            assert_eq!(ours, *model.entry(key).or_insert_with(|| probe.clone()));
        }
    }
}

fn string(choices: &mut Choices<'_>, texts: &mut [(Str, String)], at: usize, other: usize) {
    let copy = texts[other].clone();
    let (text, model) = &mut texts[at];
    match choices.byte() % 7 {
        0 => (*text, *model) = copy,
        1 | 2 => {
            *model = choices.text();
            *text = Str::new(model);
        }
        3 => {
            *model = format!("{model}{}", copy.1).chars().take(100).collect();
            *text = Str::from(model.clone());
        }
        4 => assert_eq!(Str::cmp(text, &copy.0), model.as_str().cmp(copy.1.as_str())),
        5 => {
            let bytes: Vec<u8> = (0..choices.below(32)).map(|_| choices.byte()).collect();
            let (ours, theirs) = (Str::from_utf8(&bytes), std::str::from_utf8(&bytes));
            assert_eq!(ours.is_ok(), theirs.is_ok());
            if let (Ok(ours), Ok(theirs)) = (ours, theirs) {
                (*text, *model) = (ours, theirs.to_owned());
            }
        }
        _ => {
            assert_eq!(String::from(text.clone()), *model);
            assert_eq!(*text == copy.0, *model == copy.1);
            assert_eq!(format!("{text:?}"), format!("{model:?}"));
        }
    }
}

fn blob(choices: &mut Choices<'_>, blobs: &mut [(Blob, Vec<u8>)], at: usize, other: usize) {
    let copy = blobs[other].clone();
    let (blob, model) = &mut blobs[at];
    match choices.byte() % 5 {
        0 => (*blob, *model) = copy,
        1 => {
            *model = (0..choices.below(64)).map(|_| choices.byte()).collect();
            *blob = Blob::from(model.as_slice());
        }
        2 => {
            let byte = choices.byte();
            blob.make_mut().fill(byte);
            model.fill(byte);
        }
        3 => *blob = Blob::from(bytes::Bytes::from(blob.clone())),
        _ => *blob = Blob::from(std::mem::take(blob).into_vec()),
    }
}
