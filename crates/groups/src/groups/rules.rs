//! Rules of every stored group, and the fields that follow from others.

use pavise_kernel::common::v1::{CountryCode, Date};
use pavise_kernel::time::{self, to_days};
use pavise_kernel::{Common, Derive, Error, Invariants, Result, email};
use prost_types::Timestamp;

use super::support::complete::incomplete_error;
use super::support::lists::{check_day, check_distinct, check_span};
use crate::contract::v1::{
    AssociateRole, BillingDeliveryPreference, CommissionModel, CommissionPayout, CommissionStrategy, ContactType,
    Group, GroupAssociate, GroupCommission, GroupStatus, PayType, RestrictedEffectiveDateStatus,
};

impl Derive for Group {
    /// A group is its own scope. People whose role is gone are noted, until the platform took it from them.
    fn derive(&mut self, before: Option<&Self>, at: &Timestamp) -> Result<()> {
        self.group_id.clone_from(&self.id);
        self.division_ids = self.divisions.iter().map(|division| division.id.clone()).collect();
        self.name = self.name.trim().to_owned();
        self.fill_defaults(at);
        if let Some(before) = before {
            self.keep_identities(before);
        }
        self.note_invitations(before, at);
        let had = before.iter().flat_map(|before| &before.authorized_identities).map(|person| &person.identity_id);
        let gone: Vec<String> = had.filter(|id| !id.is_empty() && !self.has_role(id)).cloned().collect();
        self.former_identity_ids.extend(gone);
        self.former_identity_ids.sort();
        self.former_identity_ids.dedup();
        let people: Vec<String> = self.authorized_identities.iter().map(|person| person.identity_id.clone()).collect();
        self.former_identity_ids.retain(|id| !people.contains(id));
        let is_changed = before.is_none_or(|before| before.original_creation_date != self.original_creation_date);
        match self.original_creation_date {
            Some(day) if is_changed && time::is_real(day) && time::start_of(day) > time::to_micros(at) => {
                Err(Error::field("original_creation_date", "must not lie in the future"))
            }
            _ => Ok(()),
        }
    }
}

impl Group {
    fn fill_defaults(&mut self, at: &Timestamp) {
        if self.original_creation_date.is_none() {
            self.original_creation_date = Some(time::to_date(time::to_micros(at)));
        }
        if self.pay_type() == PayType::Unspecified {
            self.set_pay_type(PayType::None);
        }
        if self.billing_delivery_preference() == BillingDeliveryPreference::Unspecified {
            self.set_billing_delivery_preference(BillingDeliveryPreference::Online);
        }
        for period in &mut self.restricted_periods {
            if period.status() == RestrictedEffectiveDateStatus::Unspecified {
                period.set_status(RestrictedEffectiveDateStatus::Active);
            }
        }
    }

    /// An address is invited once. Another address is another invitation.
    fn note_invitations(&mut self, before: Option<&Self>, at: &Timestamp) {
        let known = before.map_or(&[][..], |before| &before.authorized_identities);
        for person in self.authorized_identities.iter_mut().filter(|person| person.identity_id.is_empty()) {
            let earlier = known.iter().find(|known| known.id == person.id);
            let same = earlier.filter(|known| email::is_same(&known.email, &person.email));
            person.invited_at = same.and_then(|known| known.invited_at).or(Some(*at));
        }
    }

    /// A role or a contact that is replaced without an identity keeps the one that it has. A role does not if another
    /// address is to be invited.
    fn keep_identities(&mut self, before: &Self) {
        for contact in self.contacts.iter_mut().filter(|contact| contact.identity_id.is_empty()) {
            let known = before.contacts.iter().find(|known| known.id == contact.id);
            contact.identity_id = known.map_or_else(String::new, |known| known.identity_id.clone());
        }
        for person in self.authorized_identities.iter_mut().filter(|person| person.identity_id.is_empty()) {
            let known = before.authorized_identities.iter().find(|known| known.id == person.id);
            let same = known.filter(|known| person.email.is_empty() || email::is_same(&known.email, &person.email));
            if let Some(known) = same {
                person.identity_id.clone_from(&known.identity_id);
                person.email.clone_from(&known.email);
            }
        }
    }

    fn has_role(&self, identity_id: &str) -> bool {
        self.authorized_identities.iter().any(|person| person.identity_id == identity_id)
    }

    /// The same checks, with the place of the fields within a request.
    pub(crate) fn check_below(&self, place: &str) -> Result<()> {
        let Err(error) = self.check() else { return Ok(()) };
        match error.violations() {
            [wrong] if error.is(Common::InvalidField) => {
                Err(Error::field(format!("{place}{}", wrong.field), wrong.description.clone()))
            }
            _ => Err(error),
        }
    }
}

impl Invariants for Group {
    fn check(&self) -> Result<()> {
        self.check_days()?;
        self.check_lists()?;
        self.check_divisions()?;
        self.check_addresses()?;
        check_splits(&self.associates)?;
        check_commission(self.commission.as_ref())?;
        self.check_shares()?;
        match incomplete_error(self) {
            Some(error) if self.status() == GroupStatus::Active => Err(error),
            _ => Ok(()),
        }
    }
}

impl Group {
    fn check_days(&self) -> Result<()> {
        check_day("effective_date", self.effective_date)?;
        check_day("original_creation_date", self.original_creation_date)?;
        check_day("last_invoice_date", self.last_invoice_date)?;
        check_day("last_production_date", self.last_production_date)?;
        for (at, one) in self.associates.iter().enumerate() {
            check_span(&format!("associates[{at}]"), ("starts_on", one.starts_on), ("ends_on", one.ends_on))?;
        }
        for (at, one) in self.amendments.iter().enumerate() {
            check_span(&format!("amendments[{at}]"), ("starts_on", one.starts_on), ("ends_on", one.ends_on))?;
        }
        for (at, one) in self.pay_periods.iter().enumerate() {
            check_day(&format!("pay_periods[{at}].first_pay_date"), one.first_pay_date)?;
        }
        let Some(window) = &self.open_enrollment_info else { return Ok(()) };
        let place = "open_enrollment_info";
        check_span(place, ("opens_on", window.opens_on), ("closes_on", window.closes_on))?;
        check_span(place, ("opens_on", window.opens_on), ("effective_on", window.effective_on))
    }

    fn check_lists(&self) -> Result<()> {
        let text = |text: &String| (!text.is_empty()).then(|| text.clone());
        let people = &self.authorized_identities;
        for (at, person) in people.iter().enumerate() {
            if person.identity_id.is_empty() && person.email.is_empty() {
                let field = format!("authorized_identities[{at}].identity_id");
                return Err(Error::field(field, "name an identity, or an e-mail address to invite"));
            }
        }
        check_distinct("authorized_identities", "identity_id", people.iter().map(|one| text(&one.identity_id)))?;
        let addresses = people.iter().map(|one| text(&one.email).map(|address| email::fold_address(&address)));
        check_distinct("authorized_identities", "email", addresses)?;
        let is_primary = |kind: ContactType| (kind == ContactType::Primary).then_some(kind);
        check_distinct("contacts", "type", self.contacts.iter().map(|one| is_primary(one.r#type())))?;
        check_distinct("divisions", "name", self.divisions.iter().map(|one| Some(one.name.to_lowercase())))?;
        check_distinct("divisions", "code", self.divisions.iter().map(|one| text(&one.code)))?;
        check_distinct("pay_periods", "name", self.pay_periods.iter().map(|one| Some(one.name.to_lowercase())))?;
        let counts = |status: RestrictedEffectiveDateStatus| status == RestrictedEffectiveDateStatus::Active;
        let sources = self.restricted_periods.iter().map(|one| counts(one.status()).then_some(one.source));
        check_distinct("restricted_periods", "source", sources)
    }

    /// A division that something names is there.
    fn check_divisions(&self) -> Result<()> {
        let is_there = |id: &String| self.divisions.iter().any(|division| division.id == *id);
        for (at, person) in self.authorized_identities.iter().enumerate() {
            if !person.division_ids.iter().all(is_there) {
                return Err(no_division_error(format!("authorized_identities[{at}].division_ids")));
            }
        }
        for (at, period) in self.pay_periods.iter().enumerate() {
            if !period.division_id.is_empty() && !is_there(&period.division_id) {
                return Err(no_division_error(format!("pay_periods[{at}].division_id")));
            }
        }
        Ok(())
    }

    fn check_addresses(&self) -> Result<()> {
        check_distinct("addresses", "type", self.addresses.iter().map(|one| Some(one.r#type)))?;
        for (at, one) in self.addresses.iter().enumerate() {
            let country = one.address.as_ref().map_or(CountryCode::Unspecified, |address| address.country());
            if country != CountryCode::Unspecified && country != self.country_identifier() {
                let field = format!("addresses[{at}].address.country");
                return Err(Error::field(field, "lies in another country than the group"));
            }
        }
        Ok(())
    }

    /// Only an employer who pays has shares: of each tier a percent or an amount.
    fn check_shares(&self) -> Result<()> {
        let pays = matches!(self.pay_type(), PayType::Fringe | PayType::PartialFringe);
        if !pays && !self.employer_shares.is_empty() {
            return Err(Error::field("employer_shares", "only a FRINGE or PARTIAL_FRINGE group has shares"));
        }
        if self.pay_type() == PayType::PartialFringe && self.employer_shares.is_empty() {
            return Err(Error::field("employer_shares", "a PARTIAL_FRINGE group has at least one"));
        }
        for (at, share) in self.employer_shares.iter().enumerate() {
            let is_amount = share.amount.is_some_and(|amount| amount.amount > 0);
            if is_amount == (share.percent > 0) {
                let field = format!("employer_shares[{at}].percent");
                return Err(Error::field(field, "either a percent or an amount is set, and it is above zero"));
            }
        }
        check_distinct("employer_shares", "tier_id", self.employer_shares.iter().map(|one| Some(one.tier_id.clone())))
    }
}

fn no_division_error(field: String) -> Error {
    Error::field(field, "names a division that the group does not have")
}

/// NONE goes with NONE.
fn check_commission(commission: Option<&GroupCommission>) -> Result<()> {
    let Some(commission) = commission else { return Ok(()) };
    let none = commission.model() == CommissionModel::None;
    let fits = (commission.payout() == CommissionPayout::None) == none
        && (commission.strategy() == CommissionStrategy::None) == none;
    if fits { Ok(()) } else { Err(Error::field("commission.model", "NONE goes with a payout and a strategy of NONE")) }
}

/// The splits of writing agents make 100 % on each day on which there is one. Nobody else has a split.
fn check_splits(associates: &[GroupAssociate]) -> Result<()> {
    let is_agent = |one: &GroupAssociate| one.role() == AssociateRole::WritingAgent;
    for (at, one) in associates.iter().enumerate() {
        if is_agent(one) == (one.split_percent == 0) {
            let field = format!("associates[{at}].split_percent");
            return Err(Error::field(field, "a WRITING_AGENT has a split above zero, and nobody else has one"));
        }
    }
    let agents: Vec<&GroupAssociate> = associates.iter().filter(|one| is_agent(one)).collect();
    let is_in_force = |one: &GroupAssociate, day: i64| {
        one.starts_on.is_some_and(|first| to_days(first) <= day) && one.ends_on.is_none_or(|last| day <= to_days(last))
    };
    // The sum changes only on a first day, and on the day after a last day.
    let first_days = agents.iter().filter_map(|one| one.starts_on).map(to_days);
    let free_days = agents.iter().filter_map(|one| one.ends_on).map(|last: Date| to_days(last) + 1);
    for day in first_days.chain(free_days) {
        let sum: i32 = agents.iter().filter(|one| is_in_force(one, day)).map(|one| one.split_percent).sum();
        if sum != 0 && sum != 100 {
            let on = time::from_days(day);
            let why = format!(
                "the splits of WRITING_AGENT make {sum} % on {:04}-{:02}-{:02}, not 100 %",
                on.year, on.month, on.day
            );
            return Err(Error::field("associates", why));
        }
    }
    Ok(())
}

#[cfg(test)]
#[path = "support/rules_tests.rs"]
mod tests;
