//! Deletes the forms of an identity with their files.

use pavise_kernel::{Call, Page, Result};

use super::delete_form::hold_error;
use crate::contract::lookups::form as lookups;
use crate::contract::v1::file_service_client::FileServiceClient;
use crate::contract::v1::{
    DeleteAllResourcesRequest, DeleteAllResourcesResponse, DeleteFileRequest, File, FileStatus, Form, FormStatus,
};

/// The most forms that one call deletes.
const MOST: i32 = 500;

pub(crate) async fn delete_all_resources(
    call: &Call,
    _request: DeleteAllResourcesRequest,
) -> Result<DeleteAllResourcesResponse> {
    let kept = [FormStatus::Created, FormStatus::Ready, FormStatus::Failed];
    let filters = kept.map(|status| (lookups::STATUS, status.spelling().to_owned())).to_vec();
    let (forms, _) = call.list_page::<Form>(Page { size: MOST, token: "", filters }).await?;
    let forms: Vec<Form> = forms.into_iter().filter(|form| form.owner_id == call.owner()).collect();
    let ids: Vec<String> = forms.iter().map(|form| form.file_id.clone()).filter(|id| !id.is_empty()).collect();
    let files: Vec<File> = call.find_many(&ids).await?;
    // Nothing is deleted before it is known that all of it may be.
    if files.iter().any(|file| file.legal_hold) {
        return Err(hold_error());
    }
    let files: Vec<File> = files.into_iter().filter(|file| file.status() != FileStatus::Deleted).collect();
    let mut answer = DeleteAllResourcesResponse::default();
    if !call.validate_only() {
        let mut client = FileServiceClient::new(call.peer_channel("documents"));
        for file in &files {
            let request = DeleteFileRequest { file_id: file.id.clone() };
            client.delete_file(call.peer_request(request, &file.id)).await?;
        }
    }
    answer.files = i32::try_from(files.len()).unwrap_or(i32::MAX);
    answer.forms = i32::try_from(forms.len()).unwrap_or(i32::MAX);
    let mut unit = call.unit();
    for before in forms {
        let deleted = Form { status: FormStatus::Deleted.into(), values: Vec::new(), ..before.clone() };
        unit.update(&before, deleted)?;
    }
    unit.commit_answer(answer).await
}
