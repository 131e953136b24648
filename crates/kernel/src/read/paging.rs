//! The page tokens of a call.

use crate::call::{Call, access};
use crate::error::Result;
use crate::read::page_token::of_no_list;

impl Call {
    /// The token with which this caller goes on with this call at a place. `filter` says what the list holds.
    pub(crate) fn page_token(&self, filter: &str, place: &str) -> String {
        self.with_context(filter, |context| self.kernel().page_tokens().seal(context, place))
    }

    /// The place of a token that this call made for this caller and this filter.
    ///
    /// # Errors
    /// `INVALID_PAGE_TOKEN`.
    pub(crate) fn page_place(&self, filter: &str, token: &str) -> Result<String> {
        self.with_context(filter, |context| self.kernel().page_tokens().open(context, token)).ok_or_else(of_no_list)
    }

    fn with_context<T>(&self, filter: &str, run: impl FnOnce(&[&str]) -> T) -> T {
        let caller = self.caller();
        let realm = access::realm_name(caller.realm);
        run(&[self.method().path, realm, &caller.identity, caller.actor_identity(), filter])
    }
}
