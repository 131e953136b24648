//! The templates, forms and files of the demonstration.

use futures::stream;
use pavise_kernel::common::v1::{Locale, LocalizedText};
use pavise_kernel::worker::Work;
use pavise_kernel::{Error, Result};
use pavise_pdf::{SampleField, build_form};
use tonic::Request;

use super::answers::find_member;
use crate::contract::v1::file_service_client::FileServiceClient;
use crate::contract::v1::form_service_client::FormServiceClient;
use crate::contract::v1::form_template_service_client::FormTemplateServiceClient;
use crate::contract::v1::{
    CreateFormRequest, CreateFormTemplateRequest, DeleteFileRequest, File, FileContainer, FormFieldSource,
    FormTemplate, FormValue, FormVariant, FormVariantKind, ListFilesRequest, ListFormTemplatesRequest,
    PublishFormTemplateRequest, QuarantineFileRequest, SetLegalHoldRequest, UploadContainerFileRequest,
};

/// The files of the member.
const FILES: usize = 58;
/// The page of the second template.
const PAGE: &str = include_str!("engagement-letter.html");

/// Makes what is not there yet: two templates with their files, a form of the first, and the member's files.
pub(super) async fn load_forms(work: &Work) -> Result<()> {
    let mut templates = FormTemplateServiceClient::new(work.peer_channel("documents"));
    let ask = ListFormTemplatesRequest { page_size: 1, ..ListFormTemplatesRequest::default() };
    if !templates.list_form_templates(Request::new(ask)).await?.into_inner().form_templates.is_empty() {
        return Ok(());
    }
    let member = find_member(work).await?;
    if let Some(member) = &member {
        load_files(work, member).await?;
    }
    let will = [
        SampleField::text("Full name", "name"),
        SampleField::text("Heir", "heir"),
        SampleField::long_text("Further wishes", "wishes"),
        SampleField::check("Revokes earlier wills", "revokes"),
    ];
    let will = upload(work, "", (FileContainer::Form, ""), "last-will.pdf", build_form("Last will", &will)).await?;
    let letter = upload(work, "", (FileContainer::Form, ""), "engagement-letter.html", PAGE.into()).await?;
    let sources = [("name", "full_name"), ("heir", "heir_name"), ("wishes", "wishes")];
    let will = publish(work, "last-will", ["Last will", "Testamento"], (FormVariantKind::Pdf, will), &sources).await?;
    let titles = ["Engagement letter", "Carta de encargo"];
    publish(work, "engagement-letter", titles, (FormVariantKind::Html, letter), &[]).await?;
    let (Some(member), Some(will)) = (member, will) else { return Ok(()) };
    let value = |field: &str, text: &str| FormValue { field: field.to_owned(), text: text.to_owned() };
    let values = vec![value("name", "Ada Example"), value("heir", "José Álvarez"), value("revokes", "true")];
    let request =
        CreateFormRequest { identity_id: member, template_id: will.id, values, ..CreateFormRequest::default() };
    let mut forms = FormServiceClient::new(work.peer_channel("documents"));
    work.skip_refused(forms.create_form(work.new_request(request, "form")).await, "form")?;
    Ok(())
}

/// Of every ten files one is on hold, one is held back and one is deleted.
async fn load_files(work: &Work, member: &str) -> Result<()> {
    let mut files = FileServiceClient::new(work.peer_channel("documents"));
    let ask = ListFilesRequest { owner_id: member.to_owned(), page_size: 1, ..ListFilesRequest::default() };
    if !files.list_files(Request::new(ask)).await?.into_inner().files.is_empty() {
        return Ok(());
    }
    let containers = [FileContainer::ServiceRequest, FileContainer::Chat, FileContainer::Other];
    for (number, container) in containers.into_iter().cycle().take(FILES).enumerate() {
        let (name, content) = (format!("letter-{number:02}.txt"), format!("Letter {number} of the demonstration.\n"));
        let Some(file) = upload(work, member, (container, ""), &name, content.into_bytes()).await? else { continue };
        let (file_id, step) = (file.id, format!("after {number}"));
        match number % 10 {
            3 => {
                let request = SetLegalHoldRequest { file_id, legal_hold: true };
                work.skip_refused(files.set_legal_hold(work.new_request(request, &step)).await, &step)?;
            }
            5 => {
                let request = QuarantineFileRequest { file_id, reason: "Reported by its reader".to_owned() };
                work.skip_refused(files.quarantine_file(work.new_request(request, &step)).await, &step)?;
            }
            7 => {
                let request = DeleteFileRequest { file_id };
                work.skip_refused(files.delete_file(work.new_request(request, &step)).await, &step)?;
            }
            _ => {}
        }
    }
    Ok(())
}

async fn upload(
    work: &Work,
    owner_id: &str,
    (container, resource_id): (FileContainer, &str),
    name: &str,
    content: Vec<u8>,
) -> Result<Option<File>> {
    let facts = UploadContainerFileRequest {
        owner_id: owner_id.to_owned(),
        container: container.into(),
        resource_id: resource_id.to_owned(),
        name: name.to_owned(),
        chunk: content,
        ..UploadContainerFileRequest::default()
    };
    let request = work.new_request(stream::iter([facts]), name);
    let mut files = FileServiceClient::new(work.peer_channel("documents"));
    let stored = files.upload_container_file(request).await;
    Ok(work.skip_refused(stored, name)?.map(tonic::Response::into_inner))
}

async fn publish(
    work: &Work,
    name: &str,
    [english, spanish]: [&str; 2],
    (kind, file): (FormVariantKind, Option<File>),
    sources: &[(&str, &str)],
) -> Result<Option<FormTemplate>> {
    let file = file.ok_or_else(|| Error::internal(format!("the file of {name} is missing")))?;
    let text = |locale: Locale, text: &str| LocalizedText { locale: locale.into(), text: text.to_owned() };
    let source = |(field, item): &(&str, &str)| FormFieldSource {
        field: (*field).to_owned(),
        item_id: (*item).to_owned(),
        ..FormFieldSource::default()
    };
    let variant = FormVariant { id: "any".to_owned(), kind: kind.into(), file_id: file.id, ..FormVariant::default() };
    let request = CreateFormTemplateRequest {
        name: name.to_owned(),
        titles: vec![text(Locale::EnUs, english), text(Locale::EsUs, spanish)],
        signing_steps: vec![text(Locale::EnUs, "Sign it before two witnesses, who sign it, too.")],
        downloadable: true,
        variants: vec![variant],
        fields: sources.iter().map(source).collect(),
    };
    let mut templates = FormTemplateServiceClient::new(work.peer_channel("documents"));
    let made = templates.create_form_template(work.new_request(request, name)).await;
    let Some(made) = work.skip_refused(made, name)?.map(tonic::Response::into_inner) else { return Ok(None) };
    let (request, step) = (PublishFormTemplateRequest { form_template_id: made.id }, format!("publish {name}"));
    let live = templates.publish_form_template(work.new_request(request, &step)).await;
    Ok(work.skip_refused(live, &step)?.map(tonic::Response::into_inner))
}
