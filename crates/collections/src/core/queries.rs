//! [`Queries`]: the reads of an index, found by the entries that match them.

use std::hash::BuildHasher;

use client_rs_machinery::hash::RandomState;
use hashbrown::HashTable;

use super::postings::{Buckets, Postings};
use super::reader::{Reader, Readers};
use super::scratch::emptied;
use super::table::{low, spread};

/// Queries by dense numbers ("tokens"), each with its readers. A token exists while it has readers. All that belongs to one token lies
/// together, because a change of an entry needs all of it.
pub(crate) struct Queries<W> {
    waiting: W,
    /// The hash of a query, and its token.
    tokens: HashTable<(u32, u32)>,
    hasher: RandomState,
    /// The number of tokens ever used.
    used: u32,
    free: Vec<u32>,
    /// Tokens that may have no readers any more.
    idle: Vec<u32>,
    edges: usize,
}

impl<W: Postings<Readers>> Queries<W> {
    pub(crate) fn find(&self, query: &W::Item) -> Option<u32> {
        self.find_hash(low(self.hasher.hash_one(query)), query)
    }

    fn find_hash(&self, hash: u32, query: &W::Item) -> Option<u32> {
        let is = |known: &(u32, u32)| known.0 == hash && self.get(known.1) == Some(query);
        self.tokens.find(spread(hash), is).map(|(_, token)| *token)
    }

    pub(crate) fn get(&self, token: u32) -> Option<&W::Item> {
        self.waiting.get(token)
    }

    /// Returns the token of a query, which has no readers if it is new.
    pub(crate) fn intern(&mut self, buckets: &mut Buckets, query: &W::Item) -> u32 {
        let hash = low(self.hasher.hash_one(query));
        if let Some(token) = self.find_hash(hash, query) {
            return token;
        }
        let token = self.free.pop().unwrap_or_else(|| {
            self.used += 1;
            self.used - 1
        });
        self.tokens.insert_unique(spread(hash), (hash, token), |(hash, _)| spread(*hash));
        self.waiting.insert(buckets, token, query.clone());
        self.idle.push(token);
        token
    }

    pub(crate) fn link(&mut self, token: u32, reader: Reader) {
        if let Some(readers) = self.waiting.attached_mut(token) {
            readers.add(reader);
            self.edges += 1;
        }
    }

    pub(crate) fn unlink(&mut self, token: u32, reader: Reader) {
        let Some(readers) = self.waiting.attached_mut(token) else { return };
        self.edges -= usize::from(readers.remove(reader));
        if readers.is_empty() {
            self.idle.push(token);
        }
    }

    /// Calls `found` with the readers of each query that an entry matches.
    pub(crate) fn matching(&self, buckets: &Buckets, entry: &W::Query, mut found: impl FnMut(&Readers)) {
        self.waiting
            .matching(buckets, entry, |token| self.waiting.attached(token).into_iter().for_each(&mut found));
    }

    /// Returns how many reads are noted.
    pub(crate) fn edges(&self) -> usize {
        self.edges
    }

    /// Frees the tokens without readers. Their numbers may be used again.
    pub(crate) fn sweep(&mut self, buckets: &mut Buckets) {
        let mut idle = std::mem::take(&mut self.idle);
        for token in idle.drain(..) {
            if self.waiting.attached(token).is_none_or(|readers| !readers.is_empty()) {
                continue;
            }
            if let Some(query) = self.waiting.get(token) {
                let hash = low(self.hasher.hash_one(query));
                if let Ok(entry) = self.tokens.find_entry(spread(hash), |(_, its)| *its == token) {
                    entry.remove();
                }
            }
            self.waiting.remove(buckets, token);
            self.free.push(token);
        }
        self.idle = emptied(idle);
    }
}

impl<W: Default> Default for Queries<W> {
    fn default() -> Self {
        Self {
            waiting: W::default(),
            tokens: HashTable::new(),
            hasher: RandomState::default(),
            used: 0,
            free: Vec::new(),
            idle: Vec::new(),
            edges: 0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::postings::SelectorPostings;
    use crate::labels::{LabelSet, Selection};

    #[test]
    fn a_query_lives_while_it_has_a_reader() {
        let (mut queries, mut buckets) =
            (Queries::<SelectorPostings<Readers>>::default(), Buckets::default());
        let (web, db) = (Selection::parse("app=web").unwrap(), Selection::parse("app=db").unwrap());
        let pod = LabelSet::new([("app", "web")]);
        let token = queries.intern(&mut buckets, &web);
        assert_eq!(queries.intern(&mut buckets, &web), token);
        for row in 0..3 {
            queries.link(token, Reader::new(0, row, false));
        }
        queries.sweep(&mut buckets);
        let mut found = 0;
        queries.matching(&buckets, &pod, |readers| found += readers.len());
        assert_eq!(
            (queries.find(&web), queries.find(&db), found, queries.edges()),
            (Some(token), None, 3, 3)
        );
        for row in 0..3 {
            queries.unlink(token, Reader::new(0, row, false));
        }
        queries.sweep(&mut buckets);
        assert_eq!((queries.find(&web), queries.get(token).is_none(), queries.edges()), (None, true, 0));
        queries.matching(&buckets, &pod, |_| panic!("it has ended"));
        assert_eq!(queries.intern(&mut buckets, &db), token, "the number is used again");
    }
}
