//! The transitions between statuses that a call makes.

use super::{Aggregate, Behavior, Contract, Method};
use crate::error::ContractError;
use crate::step::Step;

impl Method {
    /// The steps that a call names.
    pub(super) fn named_steps(&self) -> Result<Vec<Step>, ContractError> {
        let place = self.descriptor.full_name();
        let package = self.descriptor.parent_service().package_name();
        let about = self.about();
        let (made, removed, transitions) = match &self.behavior {
            Behavior::Change(change) => (&[][..], &[][..], &change.steps),
            Behavior::Delete(delete) => (&[][..], &[][..], &delete.steps),
            Behavior::Custom(custom) => (custom.makes.as_slice(), custom.removes.as_slice(), &custom.steps),
            _ => return Ok(Vec::new()),
        };
        let step = |from: Option<&String>, to: Option<&String>| Step {
            aggregate: about.clone(),
            from: from.cloned(),
            to: to.cloned(),
        };
        let mut found: Vec<Step> = made.iter().map(|status| step(None, Some(status))).collect();
        found.extend(removed.iter().map(|status| step(Some(status), None)));
        for transition in transitions {
            let aggregate = match transition.aggregate.as_str() {
                "" => about.clone(),
                named => format!("{package}.{named}"),
            };
            let steps = Step::of(&aggregate, transition);
            if steps.is_empty() {
                return Err(ContractError::new(
                    place,
                    "a step names statuses that it leads from, or other ones that it leads to",
                ));
            }
            found.extend(steps);
        }
        Ok(found)
    }

    /// The steps that it names for its own aggregate.
    fn own(&self) -> impl Iterator<Item = &Step> {
        let about = self.about();
        self.steps.iter().filter(move |step| step.aggregate == about)
    }

    /// The pairs of statuses that it names for its own aggregate. If there are any, it leads to no other status.
    pub fn pairs(&self) -> impl Iterator<Item = (&str, &str)> {
        self.own().filter_map(|step| Some((step.from.as_deref()?, step.to.as_deref()?)))
    }

    /// The statuses of its aggregate that it is allowed from, each spelt out. None for a read, or a call that only
    /// creates.
    #[must_use]
    pub fn from(&self, contract: &Contract) -> Vec<String> {
        let Some(aggregate) = contract.aggregates.get(&self.about()) else { return Vec::new() };
        let named = match &self.behavior {
            Behavior::Change(change) => &change.from,
            Behavior::Create(create) if create.upsert.is_some() => &Vec::new(),
            Behavior::Delete(delete) if delete.from.is_empty() => &aggregate.statuses,
            Behavior::Delete(delete) => &delete.from,
            Behavior::Custom(custom) if !custom.reads => &custom.from,
            _ => return Vec::new(),
        };
        if !named.is_empty() {
            return named.clone();
        }
        let says = matches!(self.behavior, Behavior::Custom(_)) && self.own().next().is_some();
        let allows = |status: &&String| match says {
            true => self.own().any(|step| step.from.as_ref() == Some(status)),
            false => !aggregate.options.terminal.contains(status),
        };
        aggregate.statuses.iter().filter(allows).cloned().collect()
    }

    /// The statuses that it may lead its aggregate to. None if it keeps the status.
    #[must_use]
    pub fn to(&self) -> Vec<String> {
        let mut to = match &self.behavior {
            Behavior::Change(change) if !change.to.is_empty() => vec![change.to.clone()],
            Behavior::Custom(custom) => custom.to.clone(),
            _ => Vec::new(),
        };
        if matches!(self.behavior, Behavior::Change(_)) {
            for (_, status) in self.pairs() {
                if !to.iter().any(|known| known == status) {
                    to.push(status.to_owned());
                }
            }
        }
        to
    }

    /// Every transition that it can make. A call that keeps the status has no steps.
    #[must_use]
    pub fn leads(&self, contract: &Contract) -> Vec<Step> {
        let about = self.about();
        let step = |from: Option<String>, to: Option<String>| Step { aggregate: about.clone(), from, to };
        let mut found = self.steps.clone();
        let aggregate = contract.aggregates.get(&about);
        let to: &[String] = match &self.behavior {
            Behavior::Create(_) => {
                found
                    .extend(aggregate.map(|aggregate: &Aggregate| step(None, Some(aggregate.options.initial.clone()))));
                &[]
            }
            Behavior::Delete(_) => {
                found.extend(self.from(contract).into_iter().map(|from| step(Some(from), None)));
                &[]
            }
            Behavior::Change(change) => std::slice::from_ref(&change.to),
            Behavior::Custom(custom) if !custom.reads && self.pairs().next().is_none() => &custom.to,
            _ => &[],
        };
        for from in self.from(contract) {
            let others = to.iter().filter(|to| !to.is_empty() && **to != from);
            found.extend(others.map(|to| step(Some(from.clone()), Some(to.clone()))));
        }
        found
    }
}
