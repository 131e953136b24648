//! Answers links for files of an open answer.

use pavise_kernel::{Call, Error, Result};

use crate::contract::v1::{
    Answer, AnswerStatus, ErrorReason, FileContainer, GetS3UploadLinksRequest, GetS3UploadLinksResponse,
};
use crate::files::support::links::link_upload;

pub(crate) async fn get_s3_upload_links(
    call: &Call,
    request: GetS3UploadLinksRequest,
) -> Result<GetS3UploadLinksResponse> {
    let answer: Answer = call.get(&request.answer_id).await?;
    if answer.status() != AnswerStatus::Created {
        let message = format!("the answer is {}, and takes no more files", answer.status().spelling());
        return Err(Error::new(ErrorReason::AnswerSubmitted, message));
    }
    let mut links = Vec::with_capacity(request.file_names.len());
    for (place, name) in request.file_names.iter().enumerate() {
        let link = link_upload(call, &answer.owner_id, (FileContainer::Answer, &answer.id), name).await;
        links.push(link.map_err(|error| match error.violations().first() {
            Some(wrong) => Error::field(format!("file_names[{place}]"), wrong.description.clone()),
            None => error,
        })?);
    }
    Ok(GetS3UploadLinksResponse { links })
}
