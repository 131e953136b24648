//! Puts a delegate in place of another.

use pavise_kernel::{Call, CheckRequest, Edit, EditContext, Result};

use super::support::covered::TierCover;
use super::support::people::{replace_person, require_replacement};
use crate::contract::v1::{Entitlement, EntitlementPerson, ReplaceDelegateRequest};

impl CheckRequest<ReplaceDelegateRequest> for Entitlement {
    /// Refuses a replacement whom the tier does not cover.
    async fn check_request(call: &Call, entity: Option<&Self>, request: &ReplaceDelegateRequest) -> Result<()> {
        let Some(entitlement) = entity else { return Ok(()) };
        let new = require_replacement(request.replacement.as_ref())?;
        let before = &entitlement.delegates;
        let mut after = before.clone();
        replace_person(&mut after, &request.person_id, new)?;
        TierCover::load(call, entitlement).await?.check(before, &after, call.today())
    }
}

impl Edit<ReplaceDelegateRequest> for Entitlement {
    /// Puts the replacement in the place of the person. The replacement is added today.
    fn edit(&mut self, request: &ReplaceDelegateRequest, context: &EditContext) -> Result<()> {
        let new = require_replacement(request.replacement.as_ref())?;
        let new = EntitlementPerson { added_on: Some(context.today()), ..new.clone() };
        replace_person(&mut self.delegates, &request.person_id, &new)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pavise_kernel::common::v1::Date;

    #[test]
    fn the_replacement_is_added_today() {
        let person = |id: &str| EntitlementPerson { id: id.to_owned(), ..Default::default() };
        let mut entitlement = Entitlement { delegates: vec![person("a"), person("b")], ..Default::default() };
        let replace = |with: Option<EntitlementPerson>| ReplaceDelegateRequest {
            person_id: "b".to_owned(),
            replacement: with,
            ..Default::default()
        };
        assert!(entitlement.edit(&replace(None), &EditContext::at(0)).is_err());
        entitlement.edit(&replace(Some(person("c"))), &EditContext::at(0)).unwrap();
        let added_on = Some(Date { year: 1970, month: 1, day: 1 });
        assert_eq!(entitlement.delegates, [person("a"), EntitlementPerson { added_on, ..person("c") }]);
    }
}
