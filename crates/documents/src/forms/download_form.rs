//! Answers the file of a form.

use pavise_kernel::{Call, Download, Error, Result};

use crate::contract::v1::{DownloadFormRequest, File, Form, FormStatus};
use crate::files::support::download::open_content;

pub(crate) async fn download_form(call: &Call, request: DownloadFormRequest) -> Result<Download> {
    let form: Form = call.get_only(&request.form_id, &[FormStatus::Ready.spelling()]).await?;
    let file: Option<File> = call.find_unscoped(&form.file_id).await?;
    let file = file.filter(|file| file.owner_id == form.owner_id && file.resource_id == form.id);
    open_content(call, file.ok_or_else(|| Error::not_found("file", &form.file_id))?).await
}
