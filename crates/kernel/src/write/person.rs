//! The call that erases what a domain has of one person.

use pavise_contract::common::v1::{ErasedCounts, HeldEntity, RedactPersonRequest, RedactPersonResponse};

use crate::call::Call;
use crate::error::Result;
use crate::port::table_entry::TableEntry;
use crate::read::page_token::of_no_list;
use crate::sealed::person::PersonPlace;

impl Call {
    /// Erases a part of what these tables, which are those of the domain, have of a person. An entity on legal hold stays as
    /// it is, and the answer names it.
    ///
    /// # Errors
    /// When the database does not answer, or a master key is missing.
    pub async fn redact_person(
        &self,
        tables: &[&'static TableEntry],
        request: &RedactPersonRequest,
    ) -> Result<RedactPersonResponse> {
        let place = PersonPlace::parse(&request.page_token, tables).ok_or_else(of_no_list)?;
        let (sealer, engine) = (self.kernel().personal_sealer()?, self.kernel().engine());
        let part = sealer.redact_person(&**engine, tables, &request.identity_id, &place, request.preview).await?;
        let counted = |count: u64| i64::try_from(count).unwrap_or(i64::MAX);
        let services = (!part.redacted.is_nothing()).then(|| ErasedCounts {
            service: part.journal.to_owned(),
            entities: counted(part.redacted.entities),
            entries: counted(part.redacted.entries),
            answers: counted(part.redacted.answers),
            failed_entries: counted(part.redacted.failed_entries),
        });
        let held_entities = part.held.into_iter();
        let held_entities = held_entities.map(|id| HeldEntity { service: part.journal.to_owned(), id }).collect();
        let next_page_token = part.next.map(|place| place.token()).unwrap_or_default();
        Ok(RedactPersonResponse { services: services.into_iter().collect(), next_page_token, held_entities })
    }
}
