//! The tenants that have a key in the queue: their names, weights and numbers.

use std::collections::HashMap;
use std::sync::Arc;

/// The cost of a turn for a tenant of weight one. A tenant of weight `w` pays a `w`th of it.
const TURN: u64 = 1 << 20;

#[derive(Debug)]
struct Tenant {
    name: Arc<str>,
    /// The number of its slots; at zero the tenant is removed.
    keys: usize,
    stride: u64,
}

/// Maps names to numbers, for as long as the queue holds a key of that tenant.
#[derive(Debug, Default)]
pub(crate) struct Tenants {
    numbers: HashMap<Arc<str>, u32>,
    table: Vec<Option<Tenant>>,
    free: Vec<u32>,
}

impl Tenants {
    /// Counts a key of a tenant and returns the tenant's number.
    pub(crate) fn enter(&mut self, name: &str, weight: u32) -> u32 {
        if let Some(&number) = self.numbers.get(name) {
            if let Some(tenant) = &mut self.table[number as usize] {
                tenant.keys += 1;
            }
            return number;
        }
        let name: Arc<str> = name.into();
        let stride = (TURN / u64::from(weight.max(1))).max(1);
        let tenant = Some(Tenant { name: Arc::clone(&name), keys: 1, stride });
        let number = if let Some(number) = self.free.pop() {
            self.table[number as usize] = tenant;
            number
        } else {
            self.table.push(tenant);
            u32::try_from(self.table.len() - 1).expect("no more tenants than slots")
        };
        self.numbers.insert(name, number);
        number
    }

    /// Removes a key of this tenant.
    pub(crate) fn leave(&mut self, number: u32) {
        let Some(entry) = self.table.get_mut(number as usize) else { return };
        let Some(tenant) = entry else { return };
        tenant.keys -= 1;
        if tenant.keys == 0 {
            self.numbers.remove(&tenant.name);
            *entry = None;
            self.free.push(number);
        }
    }

    /// Returns the cost of a turn for this tenant.
    pub(crate) fn stride(&self, number: u32) -> u64 {
        self.table.get(number as usize).and_then(Option::as_ref).map_or(TURN, |tenant| tenant.stride)
    }

    #[cfg(test)]
    pub(crate) fn len(&self) -> usize {
        self.numbers.len()
    }
}
