//! `documents.follow_forms`: fills forms that were made, names them in their answers, and deletes the files of deleted ones.

use pavise_kernel::common::v1::JournalEntry;
use pavise_kernel::worker::{self, JournalFeed, Work, Worker};
use pavise_kernel::{Result, async_trait};

use crate::contract::actions::form as actions;
use crate::contract::feeds;
use crate::contract::v1::answer_service_client::AnswerServiceClient;
use crate::contract::v1::file_service_client::FileServiceClient;
use crate::contract::v1::form_service_client::FormServiceClient;
use crate::contract::v1::{DeleteFileRequest, FillFormRequest, Form, FormStatus, RecordAnswerFormRequest};

/// The worker.
#[derive(Debug)]
pub(crate) struct FollowForms;

#[async_trait]
impl Worker for FollowForms {
    fn name(&self) -> &'static str {
        "documents.follow_forms"
    }

    fn feed(&self) -> JournalFeed {
        feeds::FORMS
    }

    async fn handle(&self, work: &Work, entry: &JournalEntry) -> Result<()> {
        let Some(form) = worker::decode_entity::<Form>(entry)? else { return Ok(()) };
        match form.status() {
            FormStatus::Created => {
                let mut client = FormServiceClient::new(work.peer_channel("documents"));
                let filled = client.fill_form(work.new_request(FillFormRequest { form_id: form.id }, "fill")).await;
                // A form that is filled by now, or deleted, needs nothing.
                work.skip_refused(filled, "fill")?;
            }
            // A form that changes hands was recorded when it was filled.
            FormStatus::Ready if !form.answer_id.is_empty() && entry.action != actions::OWNER_CHANGED => {
                let mut client = AnswerServiceClient::new(work.peer_channel("documents"));
                let request = RecordAnswerFormRequest { answer_id: form.answer_id, form_id: form.id };
                work.skip_refused(client.record_answer_form(work.new_request(request, "record")).await, "record")?;
            }
            FormStatus::Deleted if !form.file_id.is_empty() => {
                let mut client = FileServiceClient::new(work.peer_channel("documents"));
                let request = DeleteFileRequest { file_id: form.file_id };
                work.skip_refused(client.delete_file(work.new_request(request, "delete")).await, "delete")?;
            }
            _ => {}
        }
        Ok(())
    }
}
