//! Sessions that can do no more than complete their owner's sign-in: set up a second factor, or prove an e-mail address.

use std::collections::BTreeMap;

use pavise_kernel::caller::APPLICATION;
use pavise_kernel::store::Filter;
use pavise_kernel::{Aggregate as _, Call, Caller, Result};

use crate::contract::v1::{Factor, FactorSet, Identity, IdentityRealm, Session};
use crate::sessions::Sessions;
use crate::shared::addresses;

/// The ways of a sign-in that are as good as two factors: with a passkey, its owner shows a device and themselves.
const PASSKEY: &str = "passkey";
/// The permission with which an identity sets up its own factors.
const SET_UP: &str = "identity.factors.change";
/// How many factors are read; an identity has fewer.
const MOST_FACTORS: u32 = 50;

/// The things that a session lacks.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Lacks {
    /// The realm needs a second factor, and none was proved in the session.
    pub(crate) second_factor: bool,
    /// Staff, partners and group administrators need a proved address if they have one at all.
    pub(crate) proved_email: bool,
}

impl Lacks {
    pub(crate) fn has_any(self) -> bool {
        self.second_factor || self.proved_email
    }

    /// The caller as far as the session goes: without permissions and scopes, they reach what is their own.
    pub(crate) fn confine_caller(self, caller: Caller) -> Caller {
        if !self.has_any() {
            return caller;
        }
        let mut permissions = BTreeMap::new();
        if !caller.permissions.is_empty() {
            permissions.insert(APPLICATION.to_owned(), vec![SET_UP.to_owned()]);
        }
        Caller { permissions, scopes: Caller::default().scopes, ..caller }
    }
}

impl Sessions {
    /// Whether the realm needs a second factor that the method does not have.
    pub(crate) fn needs_second_factor(&self, realm: IdentityRealm, method: &str) -> bool {
        self.config.second_factor_realms.contains(&realm) && !is_second(method)
    }

    /// Tells what a session lacks. A second factor counts as proved in it if the method says so.
    ///
    /// # Errors
    /// When the database does not answer.
    pub(crate) async fn find_lacks(&self, call: &Call, identity: &Identity, method: &str) -> Result<Lacks> {
        let realm = identity.realm();
        let second_factor = self.needs_second_factor(realm, method);
        let is_staff = matches!(realm, IdentityRealm::Internal | IdentityRealm::Partner | IdentityRealm::GroupAdmin);
        let proved_email =
            is_staff && identity.emails.is_empty() && !addresses::load_claims(call, &identity.id).await?.is_empty();
        Ok(Lacks { second_factor, proved_email })
    }

    /// The method of a session that is renewed: with the factor that was set up or proved in it since.
    ///
    /// # Errors
    /// When the database does not answer.
    pub(crate) async fn method_now(&self, call: &Call, identity: &Identity, session: &Session) -> Result<String> {
        let wanted = self.config.second_factor_realms.contains(&identity.realm());
        if !wanted || is_second(&session.method) {
            return Ok(session.method.clone());
        }
        let filter = Filter { owner: Some(identity.id.clone()), limit: MOST_FACTORS, ..Filter::default() };
        let rows = call.kernel().store().list(Factor::TABLE, &filter).await?;
        let ids: Vec<String> = rows.into_iter().map(|row| row.id).collect();
        let factors = call.find_many::<Factor>(&ids).await?;
        let used = |factor: &&Factor| {
            factor.signs_in() && factor.last_proof.as_ref().is_some_and(|proof| proof.session_id == session.id)
        };
        if let Some(factor) = factors.iter().find(used) {
            return Ok(format!("{}+{}", session.method, factor.r#type().method()));
        }
        let set = call.find_unscoped::<FactorSet>(&identity.id).await?.unwrap_or_default();
        let with_passkey = set.last_proof.is_some_and(|proof| proof.session_id == session.id);
        Ok(if with_passkey { format!("{}+{PASSKEY}", session.method) } else { session.method.clone() })
    }
}

fn is_second(method: &str) -> bool {
    method.contains('+') || method == PASSKEY
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_session_that_lacks_something_has_no_permission_but_to_set_up_a_factor() {
        let all = [("pavise".to_owned(), vec!["*".to_owned()])].into();
        let caller = Caller { identity: "ada".into(), permissions: all, ..Caller::default() };
        assert_eq!(Lacks::default().confine_caller(caller.clone()).permissions, caller.permissions);
        let confined = Lacks { second_factor: true, proved_email: false }.confine_caller(caller);
        assert_eq!(confined.identity, "ada");
        assert_eq!(confined.permissions.get("pavise"), Some(&vec!["identity.factors.change".to_owned()]));
    }

    #[test]
    fn a_second_factor_is_told_by_the_method() {
        assert!(is_second("password+totp") && is_second("passkey") && is_second("password+recovery"));
        assert!(!is_second("password"));
    }
}
