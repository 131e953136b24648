//! The call that answers what a domain has of one person.

use pavise_contract::common::v1::{ExportPersonRequest, ExportPersonResponse, PersonalValue};

use crate::call::Call;
use crate::error::{Error, Result};
use crate::kernel::Kernel;
use crate::port::table_entry::TableEntry;
use crate::read::page_token::of_no_list;
use crate::sealed::FieldSealer;
use crate::sealed::person::PersonPlace;

impl Call {
    /// Answers a part of what these tables, which are those of the domain, have of a person.
    ///
    /// # Errors
    /// When the database does not answer, or a master key is missing.
    pub async fn export_person(
        &self,
        tables: &[&'static TableEntry],
        request: &ExportPersonRequest,
    ) -> Result<ExportPersonResponse> {
        let place = PersonPlace::parse(&request.page_token, tables).ok_or_else(of_no_list)?;
        let (sealer, engine) = (self.kernel().personal_sealer()?, self.kernel().engine());
        let part = sealer.export_person(&**engine, tables, &request.identity_id, &place).await?;
        let values = part.fields.into_iter().map(|field| PersonalValue {
            service: part.journal.to_owned(),
            entity: field.message.rsplit('.').next().unwrap_or_default().to_owned(),
            id: field.id,
            field: field.path,
            value: field.value,
            current: field.current,
        });
        let next_page_token = part.next.map(|place| place.token()).unwrap_or_default();
        Ok(ExportPersonResponse { values: values.collect(), next_page_token })
    }
}

impl Kernel {
    /// The sealer, which knows the personal fields.
    pub(crate) fn personal_sealer(&self) -> Result<&FieldSealer> {
        self.field_sealer().map(|sealer| &**sealer).ok_or_else(|| Error::internal("the kernel has no sealer of fields"))
    }
}
