//! [`ApplyField`](super::ApplyField) for the types that fields are made of.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::rc::Rc;
use std::sync::Arc;

use super::Apply;
use crate::time::{Duration, MicroTime, Time};
use crate::{Blob, IntOrString, Json, List, Map, Quantity, RawExtension, RawJson, Shared, Str};

macro_rules! taken {
    ($($configuration:ty: $($ty:ty),+;)*) => {$($(
        impl Apply for $ty {
            type Configuration = $configuration;
        }
    )+)*};
}

taken! {
    Str: String, str, Str, char, Box<str>, Arc<str>, Rc<str>;
    Json: Json, RawJson, serde_json::Value, serde_json::Map<String, serde_json::Value>, RawExtension;
}

macro_rules! itself {
    ($($ty:ty),*) => {$(
        impl Apply for $ty {
            type Configuration = $ty;
        }
    )*};
}

itself!(bool, i8, i16, i32, i64, isize, u8, u16, u32, u64, usize, f32, f64);
itself!(Blob, Duration, IntOrString, MicroTime, Quantity, Time);

macro_rules! inner {
    ($($ty:ident),*) => {$(
        impl<T: Apply> Apply for $ty<T> {
            type Configuration = T::Configuration;
        }
    )*};
}

inner!(Option, Box, Arc, Rc, Shared);

impl<T: Apply + ToOwned> Apply for Cow<'_, T> {
    type Configuration = T::Configuration;
}

macro_rules! lists {
    ($([$($generics:tt)*] $ty:ty;)*) => {$(
        impl<T: Apply, $($generics)*> Apply for $ty {
            type Configuration = Vec<T::Configuration>;
        }
    )*};
}

lists! {
    [] Vec<T>;
    [] List<T>;
    [] BTreeSet<T>;
    [S] HashSet<T, S>;
    [const N: usize] [T; N];
}

impl<K, V: Apply<Configuration: Clone>> Apply for BTreeMap<K, V> {
    type Configuration = Map<V::Configuration>;
}

impl<K, V: Apply<Configuration: Clone>, S> Apply for HashMap<K, V, S> {
    type Configuration = Map<V::Configuration>;
}

impl<V: Apply<Configuration: Clone>> Apply for Map<V> {
    type Configuration = Map<V::Configuration>;
}
