//! The service `answers`: what people answer to questionnaires.

mod add_notification;
mod change_answer_owner;
mod create_answer;
mod create_public_answer;
mod end_visitor_answer;
mod generate_document_review;
mod get_s3_attachment_download_links;
mod get_s3_upload_links;
mod put_answer;
mod put_public_answer;
mod remind_answer;
mod rules;
mod submit_answer;
mod submit_public_answer;
pub(crate) mod support;

pub(crate) use change_answer_owner::change_answer_owner;
pub(crate) use create_answer::create_answer;
pub(crate) use create_public_answer::create_public_answer;
pub(crate) use generate_document_review::generate_document_review;
pub(crate) use get_s3_attachment_download_links::get_s3_attachment_download_links;
pub(crate) use get_s3_upload_links::get_s3_upload_links;
pub(crate) use put_answer::put_answer;
pub(crate) use put_public_answer::put_public_answer;
pub(crate) use remind_answer::remind_answer;
pub(crate) use submit_answer::submit_answer;
pub(crate) use submit_public_answer::submit_public_answer;
