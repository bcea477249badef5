//! Amounts of resources by name, such as the requests of a container or the usage of a quota.

use std::mem;

use client_rs_machinery::{Json, Map, Quantity, collections::VecMap};

use super::checks::quantity;

/// Amounts by resource name, in the order of the names.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Amounts(VecMap<String, Quantity>);

impl Amounts {
    /// Reads a resource list. Malformed amounts are left out.
    pub(crate) fn of(list: &Json) -> Self {
        let entries = list.as_map().into_iter().flatten();
        Self(entries.filter_map(|(name, amount)| Some((name.to_string(), quantity(amount)?))).collect())
    }

    pub(crate) fn get(&self, name: &str) -> Option<&Quantity> {
        self.0.get(name)
    }

    pub(crate) fn has(&self, name: &str) -> bool {
        self.0.contains_key(name)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = (&str, &Quantity)> {
        self.0.iter().map(|(name, amount)| (name.as_str(), amount))
    }

    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.0.keys().map(String::as_str)
    }

    pub(crate) fn set(&mut self, name: impl Into<String>, amount: Quantity) {
        self.0.insert(name.into(), amount);
    }

    /// Replaces the amounts of all resources of another list.
    pub(crate) fn set_all(&mut self, others: &Self) {
        self.combine(others, |_, amount| amount.clone());
    }

    /// Adds to the amount of one resource.
    pub(crate) fn add(&mut self, name: &str, amount: &Quantity) {
        match self.0.get_mut(name) {
            Some(sum) => *sum += amount,
            None => self.set(name, amount.clone()),
        }
    }

    /// Adds all amounts.
    pub(crate) fn add_all(&mut self, others: &Self) {
        self.combine(others, |own, amount| own.map_or_else(|| amount.clone(), |own| &own + amount));
    }

    /// Keeps the larger amount of each resource.
    pub(crate) fn raise_to(&mut self, others: &Self) {
        self.combine(others, |own, amount| own.filter(|own| own >= amount).unwrap_or_else(|| amount.clone()));
    }

    /// Gives each resource of another list a new amount. Linear: both lists are in the order of their names.
    fn combine(&mut self, others: &Self, new: fn(Option<Quantity>, &Quantity) -> Quantity) {
        let mut own = mem::take(&mut self.0).into_iter().peekable();
        for (name, amount) in &others.0 {
            while let Some((name, own)) = own.next_if(|(own, _)| own < name) {
                self.0.insert(name, own);
            }
            let before = own.next_if(|(own, _)| own == name).map(|(_, before)| before);
            self.0.insert(name.clone(), new(before, amount));
        }
        self.0.extend(own);
    }

    /// The increase since an earlier state: amounts that fell are left out.
    pub(crate) fn increase_since(&self, earlier: &Self) -> Self {
        let increase = |(name, amount): (&str, &Quantity)| {
            let difference = earlier.get(name).map_or_else(|| amount.clone(), |before| amount - before);
            (difference.sign() > 0).then(|| (name.to_owned(), difference))
        };
        Self(self.iter().filter_map(increase).collect())
    }

    /// The amounts whose names satisfy a condition.
    pub(crate) fn filtered(&self, keeps: impl Fn(&str, &Quantity) -> bool) -> Self {
        let kept = self.iter().filter(|(name, amount)| keeps(name, amount));
        Self(kept.map(|(name, amount)| (name.to_owned(), amount.clone())).collect())
    }

    /// The amounts as a resource list.
    pub(crate) fn to_json(&self) -> Json {
        let mut list: Map<Json> = Map::new();
        for (name, amount) in self.iter() {
            list.insert(name, amount.as_str().into());
        }
        list.into()
    }

    /// The amounts as error messages show them.
    pub(crate) fn shown(&self) -> String {
        let shown: Vec<String> = self.iter().map(|(name, amount)| format!("{name}={amount}")).collect();
        shown.join(",")
    }
}

#[cfg(test)]
mod tests {
    use client_rs_machinery::json;

    use super::*;

    #[test]
    fn amounts_are_added_compared_and_shown() {
        let mut sum = Amounts::of(&json!({"cpu": "500m", "memory": "1Gi"}));
        sum.add_all(&Amounts::of(&json!({"cpu": 1, "pods": "1"})));
        assert_eq!(sum.shown(), "cpu=1500m,memory=1Gi,pods=1");
        let increase = sum.increase_since(&Amounts::of(&json!({"cpu": "2", "memory": "512Mi"})));
        assert_eq!(increase.shown(), "memory=512Mi,pods=1");
        sum.raise_to(&Amounts::of(&json!({"cpu": "2", "memory": "1Mi"})));
        assert_eq!(sum.to_json(), json!({"cpu": "2", "memory": "1Gi", "pods": "1"}));
    }
}
