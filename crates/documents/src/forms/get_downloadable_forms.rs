//! Answers the empty forms that members get.

use pavise_kernel::{Call, Page, Result};

use crate::contract::lookups::form_template as lookups;
use crate::contract::v1::{
    DownloadableForm, File, FormTemplate, FormTemplateStatus, GetDownloadableFormsRequest, GetDownloadableFormsResponse,
};
use crate::files::support::links::link_download;
use crate::shared::filling::choose_variant;

/// The most templates that are looked at.
const MOST: i32 = 500;

pub(crate) async fn get_downloadable_forms(
    call: &Call,
    request: GetDownloadableFormsRequest,
) -> Result<GetDownloadableFormsResponse> {
    let active = vec![(lookups::STATUS, FormTemplateStatus::Active.spelling().to_owned())];
    let (templates, _) = call.list_page::<FormTemplate>(Page { size: MOST, token: "", filters: active }).await?;
    let mut forms = Vec::new();
    for template in templates.into_iter().filter(|template| template.downloadable) {
        let Ok(variant) = choose_variant(&template, (request.region(), request.locale()), call.today()) else {
            continue;
        };
        let (variant_id, region, locale) = (variant.id.clone(), variant.region, variant.locale);
        let file: Option<File> = call.find_unscoped(&variant.file_id).await?;
        let Some(file) = file else { continue };
        // One that is held back is left out.
        let Ok(link) = link_download(call, &file).await else { continue };
        forms.push(DownloadableForm {
            template_id: template.id,
            variant_id,
            region,
            locale,
            titles: template.titles,
            signing_steps: template.signing_steps,
            url: link.url,
            expires_at: link.expires_at,
        });
    }
    Ok(GetDownloadableFormsResponse { forms })
}
