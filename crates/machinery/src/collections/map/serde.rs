use super::{
    super::{Str, list::cautious},
    Map, MapBuilder,
};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use std::{fmt, marker::PhantomData};

impl<V: Serialize> Serialize for Map<V> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self)
    }
}

/// The last of equal keys wins, as in Go.
impl<'de, V: Deserialize<'de>> Deserialize<'de> for Map<V> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let visitor = MapVisitor(PhantomData);
        if deserializer.is_human_readable() {
            deserializer.deserialize_option(visitor)
        } else {
            deserializer.deserialize_map(visitor)
        }
    }
}

struct MapVisitor<V>(PhantomData<V>);

impl<'de, V: Deserialize<'de>> de::Visitor<'de> for MapVisitor<V> {
    type Value = Map<V>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a map")
    }

    fn visit_map<A: de::MapAccess<'de>>(self, mut map: A) -> Result<Map<V>, A::Error> {
        let mut builder = MapBuilder::with_capacity(cautious::<(Str, V)>(map.size_hint()));
        while let Some((key, value)) = map.next_entry::<Str, V>()? {
            builder.insert(key, value);
        }
        Ok(builder.finish())
    }

    fn visit_none<E: de::Error>(self) -> Result<Map<V>, E> {
        Ok(Map::EMPTY)
    }

    fn visit_unit<E: de::Error>(self) -> Result<Map<V>, E> {
        Ok(Map::EMPTY)
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<Map<V>, D::Error> {
        deserializer.deserialize_map(self)
    }
}
