//! Streams the personal data of a person in all services.

use std::collections::VecDeque;

use futures::{Stream, stream};
use pavise_kernel::common::v1::{ExportPersonRequest, PersonalValue};
use pavise_kernel::table::PersonCalls;
use pavise_kernel::worker::Work;
use pavise_kernel::{Call, Error, Result};

use crate::contract::v1::{ExportPersonalDataRequest, PersonalDataValue, Profile};

/// The name under which it asks the other services.
const EXPORT: &str = "personal_data.export";

/// A part is read when the caller has taken the values before it.
pub(crate) async fn export_personal_data(
    call: &Call,
    request: ExportPersonalDataRequest,
) -> Result<impl Stream<Item = Result<PersonalDataValue>> + Send + use<>> {
    let profile: Profile = call.get(&request.identity_id).await?;
    let export = Export {
        work: Work::new(call.kernel(), EXPORT, call.request_id().to_owned(), call.request_id()),
        person: profile.id,
        domains: call.kernel().person_calls().iter().copied().collect(),
        token: String::new(),
        values: VecDeque::new(),
    };
    Ok(stream::try_unfold(export, |mut export| async move { Ok(export.next().await?.map(|value| (value, export))) }))
}

/// An export in progress.
struct Export {
    work: Work,
    person: String,
    /// The domains that are not at their end.
    domains: VecDeque<&'static PersonCalls>,
    /// The token of the next part of the first domain.
    token: String,
    /// Values that were read and not taken.
    values: VecDeque<PersonalValue>,
}

impl Export {
    async fn next(&mut self) -> Result<Option<PersonalDataValue>> {
        while self.values.is_empty() {
            let Some(calls) = self.domains.front().copied() else { return Ok(None) };
            let request = ExportPersonRequest { identity_id: self.person.clone(), page_token: self.token.clone() };
            let answer = self.work.export_person(calls, &request).await?;
            self.values = answer.values.into();
            if answer.next_page_token.is_empty() {
                self.domains.pop_front();
            } else if answer.next_page_token == self.token {
                return Err(Error::internal(format!("{} does not go on", calls.export)));
            }
            self.token = answer.next_page_token;
        }
        Ok(self.values.pop_front().map(|one| PersonalDataValue {
            service: one.service,
            entity: one.entity,
            id: one.id,
            field: one.field,
            value: one.value,
            current: one.current,
        }))
    }
}
