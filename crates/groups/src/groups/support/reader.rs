//! A group as somebody sees it who has a role in one of its divisions.

use pavise_kernel::table::{Realm, ScopeKind};
use pavise_kernel::{Caller, Show};

use crate::contract::v1::Group;

impl Show for Group {
    /// Somebody with a role in the whole group sees all of it. Others see their divisions, the roles in these divisions,
    /// and those for the whole group.
    fn show(mut self, caller: &Caller) -> Self {
        let has_role =
            |kind: ScopeKind, id: &str| caller.scopes.iter().any(|scope| scope.kind == kind && scope.id == id);
        if caller.realm != Realm::GroupAdmin || has_role(ScopeKind::Group, &self.id) {
            return self;
        }
        let is_theirs = |division: &String| has_role(ScopeKind::Division, division);
        self.division_ids.retain(is_theirs);
        self.divisions.retain(|division| is_theirs(&division.id));
        self.authorized_identities
            .retain(|person| person.division_ids.iter().any(is_theirs) || person.division_ids.is_empty());
        for person in &mut self.authorized_identities {
            person.division_ids.retain(is_theirs);
        }
        self.pay_periods.retain(|period| period.division_id.is_empty() || is_theirs(&period.division_id));
        self
    }
}

#[cfg(test)]
mod tests {
    use pavise_kernel::{Scope, Scopes};

    use super::*;
    use crate::contract::v1::{AuthorizedIdentity, GroupDivision, GroupPayPeriod};

    fn group() -> Group {
        let ids = ["west", "east"].map(str::to_owned).to_vec();
        let person = |id: &str, division_ids: &[&str]| AuthorizedIdentity {
            id: id.into(),
            division_ids: division_ids.iter().map(|id| (*id).to_owned()).collect(),
            ..AuthorizedIdentity::default()
        };
        Group {
            id: "acme".into(),
            divisions: ids.iter().map(|id| GroupDivision { id: id.clone(), ..GroupDivision::default() }).collect(),
            authorized_identities: vec![
                person("head", &[]),
                person("west", &["west"]),
                person("east", &["east"]),
                person("both", &["west", "east"]),
            ],
            pay_periods: ids
                .iter()
                .map(|id| GroupPayPeriod { division_id: id.clone(), ..GroupPayPeriod::default() })
                .collect(),
            division_ids: ids,
            ..Group::default()
        }
    }

    fn seen_with(scope: Scope) -> Vec<String> {
        let scopes: Scopes = [scope].into_iter().collect();
        let caller = Caller { realm: Realm::GroupAdmin, scopes, ..Caller::default() };
        let seen = group().show(&caller);
        assert_eq!(seen.divisions.len(), seen.pay_periods.len());
        seen.authorized_identities.into_iter().map(|person| person.id).collect()
    }

    #[test]
    fn a_role_in_a_division_shows_that_division_alone() {
        let roles = ["CUSTOMER_SERVICE_REPRESENTATIVE"];
        let west = seen_with(Scope::new(ScopeKind::Division, "west", &roles).within("acme"));
        assert_eq!(west, ["head", "west", "both"]);
        assert_eq!(seen_with(Scope::new(ScopeKind::Group, "acme", &roles)).len(), 4);
        assert_eq!(seen_with(Scope::new(ScopeKind::Group, "other", &roles)), ["head"]);
    }
}
