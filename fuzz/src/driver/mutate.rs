//! New inputs from old ones.

use std::collections::BTreeSet;

/// Inputs are no longer than this, unless a seed is.
const MAX_LENGTH: usize = 16 * 1024;
/// How many words of the seeds are used.
const MAX_WORDS: usize = 2000;
/// Texts that many parsers treat specially. They are used in addition to the words of the seeds.
const WORDS: &[&[u8]] = &[
    b"",
    b"\0",
    b"\n",
    b"\r\n",
    b"\r\n\r\n",
    b"\t",
    b" ",
    b"\"",
    b"'",
    b"\\",
    b"\\u0000",
    b"\\ud800",
    b"{",
    b"}",
    b"[",
    b"]",
    b"[[[[[[[[[[[[[[[[",
    b"{\"a\":{\"a\":",
    b"((((((((",
    b"null",
    b"true",
    b"false",
    b"{}",
    b"[]",
    b"0",
    b"-0",
    b"-1",
    b"1e999",
    b"1e-999",
    b"9223372036854775807",
    b"9223372036854775808",
    b"-9223372036854775808",
    b"18446744073709551615",
    b"4294967296",
    b"2147483648",
    b"0.1",
    b"NaN",
    b"\xff",
    b"\xff\xff\xff\xff",
    b"\x7f\xff\xff\xff",
    b"\xc3\xa9",
    b"\xe2\x80\xa8",
    b"\xf0\x9f\x98\x80",
    b"\xed\xa0\x80",
    b"\x1b[31m",
    b"../",
    b"/",
    b"~1",
    b"~0",
    b"*",
    b"**",
    b"?",
    b"+",
    b"\xef\xbb\xbf",
    b"---\n",
    b"&a ",
    b"*a",
    b"<<: ",
    b"$patch",
    b"\n%%\n",
];

/// A source of numbers that depends on its seed alone.
pub struct Numbers(u64);

impl Numbers {
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// The next number: one step of `SplitMix64`.
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number below `end`; 0 if there is none.
    pub fn below(&mut self, end: usize) -> usize {
        if end == 0 { 0 } else { usize::try_from(self.next() % end as u64).unwrap_or(0) }
    }
}

/// Changes inputs: bits, numbers, parts that go, come and are copied, words of the seeds, parts of other inputs.
pub struct Mutator {
    pub numbers: Numbers,
    words: Vec<Vec<u8>>,
}

impl Mutator {
    /// With the words of these seeds.
    pub fn new(seed: u64, seeds: &[Vec<u8>]) -> Self {
        let mut words: BTreeSet<Vec<u8>> = BTreeSet::new();
        for seed in seeds {
            let is_letter = |byte: &u8| byte.is_ascii_alphanumeric() || b"-_.$/".contains(byte);
            let found = seed.split(|byte| !is_letter(byte)).filter(|word| (2..=40).contains(&word.len()));
            for word in found {
                words.insert(word.to_vec());
                words.insert([b"\"", word, b"\":"].concat());
            }
            if words.len() > MAX_WORDS {
                break;
            }
        }
        let words = WORDS.iter().map(|word| word.to_vec()).chain(words).collect();
        Self { numbers: Numbers::new(seed), words }
    }

    /// A new input from one of a corpus that has at least one.
    pub fn next(&mut self, corpus: &[Vec<u8>]) -> Vec<u8> {
        // The youngest are what is new: they get half of the tries.
        let young = corpus.len().min(16);
        let at = if self.numbers.below(2) == 0 {
            corpus.len() - 1 - self.numbers.below(young)
        } else {
            self.numbers.below(corpus.len())
        };
        let mut input = corpus[at].clone();
        let longest = MAX_LENGTH.max(input.len());
        for _ in 0..=self.numbers.below(5) {
            self.change(&mut input, corpus);
        }
        input.truncate(longest);
        input
    }

    fn change(&mut self, input: &mut Vec<u8>, corpus: &[Vec<u8>]) {
        let at = self.numbers.below(input.len());
        match self.numbers.below(12) {
            0 if !input.is_empty() => input[at] ^= 1 << self.numbers.below(8),
            1 if !input.is_empty() => input[at] = self.numbers.next().to_le_bytes()[0],
            2 if !input.is_empty() => {
                let by = self.numbers.next().to_le_bytes()[0] % 32;
                input[at] = if by % 2 == 0 { input[at].wrapping_add(by) } else { input[at].wrapping_sub(by) };
            }
            3 => {
                let part = self.part(input, 32);
                input.drain(part);
            }
            4 => {
                let part = self.part(input, 256);
                input.drain(part);
            }
            5 => {
                let part = self.part(input, 64);
                let copied = input[part].to_vec();
                let times = 1 + if self.numbers.below(8) == 0 { self.numbers.below(64) } else { 0 };
                let to = self.numbers.below(input.len() + 1);
                input.splice(to..to, copied.repeat(times));
            }
            6 | 7 => {
                let word = self.numbers.below(self.words.len());
                let word = self.words[word].clone();
                let to = self.numbers.below(input.len() + 1);
                let gone = if self.numbers.below(2) == 0 { word.len().min(input.len() - to) } else { 0 };
                input.splice(to..to + gone, word);
            }
            8 => {
                let other = &corpus[self.numbers.below(corpus.len())];
                let part = self.part(other, 512);
                let to = self.part(input, 512);
                input.splice(to, other[part].to_vec());
            }
            9 => self.change_number(input),
            10 => self.exchange_word(input),
            _ => {
                let bytes = self.numbers.next().to_le_bytes();
                let length = 1 + self.numbers.below(8);
                let to = self.numbers.below(input.len() + 1);
                input.splice(to..to, bytes[..length].iter().copied());
            }
        }
    }

    /// A part of a slice, of at most so many bytes.
    fn part(&mut self, of: &[u8], most: usize) -> std::ops::Range<usize> {
        let start = self.numbers.below(of.len() + 1);
        let length = self.numbers.below(most.min(of.len() - start) + 1);
        start..start + length
    }

    /// A number in the text, or one of four bytes, becomes another.
    fn change_number(&mut self, input: &mut Vec<u8>) {
        let start = self.numbers.below(input.len() + 1);
        let Some(start) = input[start..].iter().position(u8::is_ascii_digit).map(|at| at + start) else {
            if input.len() >= 4 {
                let at = self.numbers.below(input.len() - 3);
                let value = [0, 1, u32::MAX, 1 << 31, 1 << 16, 1 << 24][self.numbers.below(6)];
                input[at..at + 4].copy_from_slice(&u32::to_be_bytes(value));
            }
            return;
        };
        let length = input[start..].iter().take_while(|byte| byte.is_ascii_digit()).count();
        let number: u64 = std::str::from_utf8(&input[start..start + length])
            .ok()
            .and_then(|text| text.parse().ok())
            .unwrap_or(u64::MAX);
        let number = match self.numbers.below(7) {
            0 => number.wrapping_add(1),
            1 => number.wrapping_sub(1),
            2 => number.wrapping_mul(10),
            3 => 0,
            4 => u64::MAX >> self.numbers.below(64),
            5 => 1 << self.numbers.below(64),
            _ => self.numbers.next() >> self.numbers.below(64),
        };
        input.splice(start..start + length, number.to_string().into_bytes());
    }

    /// A word of the text becomes another, or the word of another place in it.
    fn exchange_word(&mut self, input: &mut Vec<u8>) {
        let is_letter = |byte: &u8| byte.is_ascii_alphanumeric() || b"-_.".contains(byte);
        let start = self.numbers.below(input.len() + 1);
        let Some(start) = input[start..].iter().position(is_letter).map(|at| at + start) else { return };
        let length = input[start..].iter().take_while(|byte| is_letter(byte)).count();
        let word = self.numbers.below(self.words.len());
        let word = self.words[word].clone();
        input.splice(start..start + length, word);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_seed_makes_the_same_inputs_and_another_seed_others() {
        let corpus = vec![b"{\"replicas\": 12, \"name\": \"web\"}".to_vec(), b"".to_vec(), vec![0xff; 64]];
        let made = |seed| {
            let mut mutator = Mutator::new(seed, &corpus);
            (0..5000).map(|_| mutator.next(&corpus)).collect::<Vec<_>>()
        };
        let inputs = made(1);
        assert_eq!(inputs, made(1));
        assert_ne!(inputs, made(2));
        assert!(inputs.iter().all(|input| input.len() <= MAX_LENGTH));
        let different: BTreeSet<_> = inputs.iter().collect();
        assert!(different.len() > 4000, "{}", different.len());
    }

    #[test]
    fn an_empty_corpus_entry_is_a_start_too() {
        let mut mutator = Mutator::new(7, &[]);
        let corpus = vec![Vec::new()];
        assert!((0..200).map(|_| mutator.next(&corpus)).any(|input| !input.is_empty()));
    }
}
