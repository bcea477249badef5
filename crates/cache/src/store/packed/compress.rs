//! zstd, behind the feature `packed`.
//!
//! Without the feature there is no value of [`Enabled`], and so none of the packed types: the compiler drops
//! every branch that handles one, and the rest of the crate needs no `cfg`.

/// Proof that this crate was built with the feature `packed`.
#[cfg(feature = "packed")]
#[derive(Clone, Copy, Debug)]
pub(crate) struct Enabled(());

#[cfg(feature = "packed")]
impl Enabled {
    pub(crate) const YES: Self = Self(());
}

#[cfg(feature = "packed")]
pub(super) use zstd::dict::from_continuous;
#[cfg(feature = "packed")]
pub(super) use zstd::zstd_safe::{CCtx, CDict, DCtx, DDict, compress_bound, get_error_name};

#[cfg(not(feature = "packed"))]
pub(crate) use absent::Enabled;
#[cfg(not(feature = "packed"))]
pub(super) use absent::{CCtx, CDict, DCtx, DDict, compress_bound, from_continuous, get_error_name};

/// The same names, as types without values.
#[cfg(not(feature = "packed"))]
mod absent {
    use std::io;
    use std::marker::PhantomData;

    #[derive(Clone, Copy, Debug)]
    pub(crate) enum Enabled {}

    pub(crate) struct CDict<'a>(Enabled, PhantomData<&'a ()>);
    pub(crate) struct DDict<'a>(Enabled, PhantomData<&'a ()>);
    pub(crate) struct CCtx<'a>(Enabled, PhantomData<&'a ()>);
    pub(crate) struct DCtx<'a>(Enabled, PhantomData<&'a ()>);

    impl CDict<'_> {
        pub(crate) fn try_create(_: &[u8], _: i32) -> Option<Self> {
            None
        }

        pub(crate) fn sizeof(&self) -> usize {
            match self.0 {}
        }
    }

    impl DDict<'_> {
        pub(crate) fn try_create(_: &[u8]) -> Option<Self> {
            None
        }

        pub(crate) fn sizeof(&self) -> usize {
            match self.0 {}
        }
    }

    impl CCtx<'_> {
        pub(crate) fn try_create() -> Option<Self> {
            None
        }

        pub(crate) fn compress(&mut self, _: &mut Vec<u8>, _: &[u8], _: i32) -> Result<usize, usize> {
            match self.0 {}
        }

        pub(crate) fn compress_using_cdict(
            &mut self,
            _: &mut Vec<u8>,
            _: &[u8],
            _: &CDict<'_>,
        ) -> Result<usize, usize> {
            match self.0 {}
        }
    }

    impl DCtx<'_> {
        pub(crate) fn try_create() -> Option<Self> {
            None
        }

        pub(crate) fn decompress(&mut self, _: &mut Vec<u8>, _: &[u8]) -> Result<usize, usize> {
            match self.0 {}
        }

        pub(crate) fn decompress_using_ddict(
            &mut self,
            _: &mut Vec<u8>,
            _: &[u8],
            _: &DDict<'_>,
        ) -> Result<usize, usize> {
            match self.0 {}
        }
    }

    pub(crate) fn compress_bound(len: usize) -> usize {
        len
    }

    pub(crate) fn get_error_name(_: usize) -> &'static str {
        "built without the feature `packed`"
    }

    pub(crate) fn from_continuous(_: &[u8], _: &[usize], _: usize) -> io::Result<Vec<u8>> {
        Err(io::ErrorKind::Unsupported.into())
    }
}
