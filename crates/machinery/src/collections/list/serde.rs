use super::{List, ListBuilder};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use std::{fmt, marker::PhantomData};

/// The most memory that a length from outside may reserve before an element has come.
const CAUTIOUS_BYTES: usize = 64 << 10;

/// Returns the capacity to reserve for the number of `T` that the input announces.
pub(in super::super) fn cautious<T>(hint: Option<usize>) -> usize {
    hint.unwrap_or(0).min(CAUTIOUS_BYTES / size_of::<T>().max(1))
}

impl<T: Serialize> Serialize for List<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self)
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for List<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let visitor = ListVisitor(PhantomData);
        if deserializer.is_human_readable() {
            deserializer.deserialize_option(visitor)
        } else {
            deserializer.deserialize_seq(visitor)
        }
    }
}

struct ListVisitor<T>(PhantomData<T>);

impl<'de, T: Deserialize<'de>> de::Visitor<'de> for ListVisitor<T> {
    type Value = List<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a sequence")
    }

    fn visit_seq<A: de::SeqAccess<'de>>(self, mut seq: A) -> Result<List<T>, A::Error> {
        let mut builder = ListBuilder::with_capacity(cautious::<T>(seq.size_hint()));
        while let Some(value) = seq.next_element()? {
            builder.push(value);
        }
        Ok(builder.finish())
    }

    fn visit_none<E: de::Error>(self) -> Result<List<T>, E> {
        Ok(List::EMPTY)
    }

    fn visit_unit<E: de::Error>(self) -> Result<List<T>, E> {
        Ok(List::EMPTY)
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<List<T>, D::Error> {
        deserializer.deserialize_seq(self)
    }
}
