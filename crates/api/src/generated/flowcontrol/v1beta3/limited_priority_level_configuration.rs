// Made by `cargo xtask codegen` from schema: change those, not this.
use super::LimitResponse;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};

/// `LimitedPriorityLevelConfiguration` of `flowcontrol.apiserver.k8s.io/v1beta3`.
#[derive(Clone, PartialEq)]
pub struct LimitedPriorityLevelConfiguration {
    /// `nominalConcurrencyShares`: optional. Defaults to `30`.
    pub nominal_concurrency_shares: i32,
    /// `limitResponse`: required.
    pub limit_response: LimitResponse,
    /// `lendablePercent`: optional.
    pub lendable_percent: Option<i32>,
    /// `borrowingLimitPercent`: optional.
    pub borrowing_limit_percent: Option<i32>,
}

impl LimitedPriorityLevelConfiguration {
    /// Every field empty.
    pub const EMPTY: Self = Self {
        nominal_concurrency_shares: 0,
        limit_response: LimitResponse::EMPTY,
        lendable_percent: None,
        borrowing_limit_percent: None,
    };
}

client_rs_machinery::message!(LimitedPriorityLevelConfiguration, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "LimitedPriorityLevelConfiguration",
    type_meta: None,
    fields: &[
        Field::new("nominalConcurrencyShares", Flags::NONE),
        Field::new("limitResponse", Flags::OMIT_EMPTY).of::<LimitResponse>(),
        Field::new("lendablePercent", Flags::OMIT_EMPTY),
        Field::new("borrowingLimitPercent", Flags::OMIT_EMPTY),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1), Wire::field(3, 2), Wire::field(4, 3)],
};

impl Fields for LimitedPriorityLevelConfiguration {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.nominal_concurrency_shares),
            1 => FieldRef::message(&self.limit_response),
            2 => FieldRef::value(&self.lendable_percent),
            3 => FieldRef::value(&self.borrowing_limit_percent),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.nominal_concurrency_shares),
            1 => FieldMut::message(&mut self.limit_response),
            2 => FieldMut::value(&mut self.lendable_percent),
            3 => FieldMut::value(&mut self.borrowing_limit_percent),
            _ => FieldMut::NONE,
        }
    }
}
