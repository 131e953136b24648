//! Forms and their templates (rules 2, 52 and 255).

use std::collections::BTreeMap;

use pavise_documents::contract::v1::*;
use pavise_kernel::Result;
use pavise_kernel::common::v1::{Locale, RegionCode};
use pavise_pdf::{SampleField, build_form};

use crate::scene::{
    ADA, BEN, PLATFORM, STAFF, Scene, facts, fields, into_answer, read_bytes, refusal_reason, request_by, scene,
    scenes, small, text, text_of, texts,
};

const FOLLOWER: &str = "documents.follow_forms";
const CREATOR: &str = "documents.create_forms";
const FILES: &str = "documents.follow_files";

fn sample() -> Vec<u8> {
    let fields = [
        SampleField::text("First", "first"),
        SampleField::long_text("Second", "second"),
        SampleField::check("Agreed", "agreed"),
    ];
    build_form("Last will", &fields)
}

async fn store_file(scene: &Scene, name: &str, content: &[u8]) -> File {
    scene.upload(STAFF, facts(FileContainer::Form, "", name), content).await.unwrap()
}

fn variant(id: &str, kind: FormVariantKind, file: &File) -> FormVariant {
    FormVariant { id: id.into(), kind: kind.into(), file_id: file.id.clone(), ..FormVariant::default() }
}

fn source(field: &str, item_id: &str) -> FormFieldSource {
    FormFieldSource { field: field.into(), item_id: item_id.into(), ..FormFieldSource::default() }
}

async fn draft(scene: &Scene, name: &str, variants: Vec<FormVariant>) -> Result<FormTemplate> {
    let request = CreateFormTemplateRequest {
        name: name.into(),
        titles: texts("Last will"),
        signing_steps: texts("Sign before two witnesses."),
        downloadable: true,
        variants,
        fields: vec![source("first", "a"), source("second", "b")],
    };
    into_answer(scene.templates().create_form_template(request_by(STAFF, request)).await)
}

async fn publish(scene: &Scene, template: &FormTemplate) -> Result<FormTemplate> {
    let request = PublishFormTemplateRequest { form_template_id: template.id.clone() };
    into_answer(scene.templates().publish_form_template(request_by(STAFF, request)).await)
}

/// A live template of one PDF.
async fn will(scene: &Scene) -> FormTemplate {
    let file = store_file(scene, "will.pdf", &sample()).await;
    let template = draft(scene, "last-will", vec![variant("any", FormVariantKind::Pdf, &file)]).await.unwrap();
    publish(scene, &template).await.unwrap()
}

fn values(values: &[(&str, &str)]) -> Vec<FormValue> {
    values.iter().map(|(field, text)| FormValue { field: (*field).into(), text: (*text).into() }).collect()
}

async fn create(scene: &Scene, who: &str, template: &FormTemplate, values: Vec<FormValue>) -> Result<Form> {
    let request = CreateFormRequest { template_id: template.id.clone(), values, ..CreateFormRequest::default() };
    into_answer(scene.forms().create_form(request_by(who, request)).await)
}

async fn find(scene: &Scene, who: &str, owner: &str, form: &Form) -> Result<Form> {
    let request = GetFormRequest { identity_id: owner.into(), form_id: form.id.clone() };
    into_answer(scene.forms().get_form(request_by(who, request)).await)
}

async fn pdf_of(scene: &Scene, who: &str, owner: &str, form: &Form) -> Result<Vec<u8>> {
    let request = DownloadFormRequest { identity_id: owner.into(), form_id: form.id.clone() };
    Ok(read_bytes(into_answer(scene.forms().download_form(request_by(who, request)).await)?).await?.1)
}

#[tokio::test]
async fn a_form_is_filled_and_its_text_is_what_was_given() {
    for scene in scenes().await {
        let template = will(&scene).await;
        let given = values(&[("first", "José Álvarez"), ("second", "One line.\nAnother line."), ("agreed", "true")]);
        let form = create(&scene, ADA, &template, given).await.unwrap();
        assert_eq!((form.owner_id.as_str(), form.status()), ("ada", FormStatus::Created));
        assert_eq!(refusal_reason(pdf_of(&scene, ADA, "ada", &form).await), "NOT_FOUND", "it is not filled yet");
        assert_eq!(scene.handle_all(FOLLOWER).await, 0);
        let ready = find(&scene, ADA, "ada", &form).await.unwrap();
        assert_eq!((ready.status(), ready.template_version, ready.variant_id.as_str()), (FormStatus::Ready, 2, "any"));
        let text = text_of(&pdf_of(&scene, ADA, "ada", &form).await.unwrap());
        for part in ["Last will", "José Álvarez", "One line.", "Another line."] {
            assert!(text.contains(part), "{part}: {text}");
        }
        let file = scene.find_file(ADA, &ready.file_id).await.unwrap();
        assert_eq!(
            (file.container(), file.resource_id.as_str(), file.name.as_str()),
            (FileContainer::Form, form.id.as_str(), "last-will.pdf")
        );
        assert_eq!(refusal_reason(find(&scene, BEN, "ben", &form).await), "NOT_FOUND");
        assert_eq!(refusal_reason(find(&scene, BEN, "ada", &form).await), "NOT_THE_OWNER");
        assert_eq!(refusal_reason(pdf_of(&scene, BEN, "ben", &form).await), "NOT_FOUND");
        // A worker that starts again makes no second file.
        for entry in scene.read_journal("/pavise.documents.v1.FormService/ReadJournal").await {
            scene.handle_entry(FOLLOWER, &entry).await.unwrap();
        }
        assert_eq!(scene.contents().len(), 2);
    }
}

#[tokio::test]
async fn a_form_that_cannot_be_filled_says_why() {
    let scene = scene().await;
    let template = will(&scene).await;
    let form = create(&scene, ADA, &template, values(&[("first", "漢")])).await.unwrap();
    assert_eq!(scene.handle_all(FOLLOWER).await, 0);
    let failed = find(&scene, ADA, "ada", &form).await.unwrap();
    assert_eq!(
        (failed.status(), failed.failure.as_str()),
        (FormStatus::Failed, "first: the font of the form has no letter 漢")
    );
    assert_eq!(scene.contents().len(), 1);
}

/// On submit, the questionnaire's forms are made of the answer.
#[tokio::test]
async fn a_submitted_answer_becomes_a_form() {
    for scene in scenes().await {
        let template = will(&scene).await;
        let question =
            scene.question(CreateQuestionRequest { template_ids: vec![template.id.clone()], ..small("will") }).await;
        let answer = scene
            .answer(&question, vec![text("a", "To my sister"), text("b", "The house & the garden")])
            .await
            .unwrap();
        let early =
            CreateFormRequest { template_id: template.id.clone(), answer_id: answer.id.clone(), ..Default::default() };
        let early = into_answer(scene.forms().create_form(request_by(ADA, early)).await);
        assert_eq!(refusal_reason(early), "ANSWER_NOT_SUBMITTED");
        scene.submit(&answer).await.unwrap();
        for _ in 0..2 {
            assert_eq!(scene.handle_all(CREATOR).await, 0);
            assert_eq!(scene.handle_all(FOLLOWER).await, 0);
        }
        let request = ListFormsRequest { answer_id: answer.id.clone(), ..ListFormsRequest::default() };
        let forms = into_answer(scene.forms().list_forms(request_by(ADA, request)).await).unwrap().forms;
        assert_eq!(forms.len(), 1);
        let text = text_of(&pdf_of(&scene, ADA, "ada", &forms[0]).await.unwrap());
        assert!(text.contains("To my sister") && text.contains("The house & the garden"), "{text}");
        assert_eq!(scene.get(ADA, "ada", &answer.id).await.unwrap().form_ids, [forms[0].id.clone()]);
    }
}

/// A questionnaire that is live names templates that forms are made of, and no others.
#[tokio::test]
async fn a_questionnaire_goes_live_with_live_templates_only() {
    for scene in scenes().await {
        let live = will(&scene).await;
        let file = store_file(&scene, "other.pdf", &sample()).await;
        let other = draft(&scene, "other", vec![variant("any", FormVariantKind::Pdf, &file)]).await.unwrap();
        let template_ids = vec![live.id.clone(), other.id.clone(), "nothing".into()];
        let request = CreateQuestionRequest { template_ids, ..small("will") };
        let refused = into_answer(scene.questions().create_question(request_by(STAFF, request.clone())).await);
        assert!(refused.as_ref().is_err_and(|error| error.reason() == "QUESTION_INCOMPLETE"), "{refused:?}");
        assert_eq!(fields(refused), ["template_ids[1]", "template_ids[2]"]);
        let request = CreateQuestionRequest { draft: true, template_ids: vec![other.id.clone()], ..request };
        let made = scene.question(request).await;
        let ask = || PublishQuestionRequest { question_id: made.id.clone() };
        let early = into_answer(scene.questions().publish_question(request_by(STAFF, ask())).await);
        assert_eq!(fields(early), ["template_ids[0]"], "it is a draft");
        publish(&scene, &other).await.unwrap();
        let question = into_answer(scene.questions().publish_question(request_by(STAFF, ask())).await).unwrap();
        assert_eq!((question.status(), question.template_ids), (QuestionStatus::Active, vec![other.id]));
        for draft in [false, true] {
            let put = PutQuestionRequest {
                question_id: made.id.clone(),
                name: "will".into(),
                kind: QuestionKind::Survey.into(),
                template_ids: vec!["nothing".into()],
                content: small("will").content,
                draft,
                ..PutQuestionRequest::default()
            };
            let put = into_answer(scene.questions().put_question(request_by(STAFF, put)).await);
            assert_eq!(fields(put), ["template_ids[0]"], "it is live");
        }
    }
}

#[tokio::test]
async fn a_template_that_was_retired_meanwhile_makes_no_form() {
    for scene in scenes().await {
        let template = will(&scene).await;
        let request = CreateQuestionRequest { template_ids: vec![template.id.clone()], ..small("will") };
        let answer = scene.answer(&scene.question(request).await, vec![text("a", "x"), text("b", "y")]).await.unwrap();
        let retire = RetireFormTemplateRequest { form_template_id: template.id.clone() };
        into_answer(scene.templates().retire_form_template(request_by(STAFF, retire)).await).unwrap();
        scene.submit(&answer).await.unwrap();
        assert_eq!(scene.handle_all(CREATOR).await, 0);
        let request = ListFormsRequest { answer_id: answer.id.clone(), ..ListFormsRequest::default() };
        assert_eq!(into_answer(scene.forms().list_forms(request_by(ADA, request)).await).unwrap().forms, []);
    }
}

#[tokio::test]
async fn a_template_is_complete_before_forms_are_made_of_it() {
    let scene = scene().await;
    let file = store_file(&scene, "will.pdf", &sample()).await;
    let page = store_file(&scene, "will.html", b"<!DOCTYPE html><p>{{ first }}").await;
    let plain = store_file(&scene, "plain.pdf", b"%PDF-1.4 without fields").await;
    let wrong = draft(&scene, "a", vec![variant("x", FormVariantKind::Pdf, &page)]).await;
    assert_eq!(fields(wrong), ["variants[0].file_id"]);
    let empty = draft(&scene, "b", Vec::new()).await.unwrap();
    assert_eq!(fields(publish(&scene, &empty).await), ["variants"]);
    let html = draft(&scene, "c", vec![variant("x", FormVariantKind::Html, &page)]).await.unwrap();
    assert_eq!(fields(publish(&scene, &html).await), ["fields[1].field"], "the page has no gap second");
    let formless = draft(&scene, "d", vec![variant("x", FormVariantKind::Pdf, &plain)]).await.unwrap();
    assert_eq!(fields(publish(&scene, &formless).await), ["variants[0].file_id"]);
    let good = draft(&scene, "e", vec![variant("x", FormVariantKind::Pdf, &file)]).await.unwrap();
    let refused = create(&scene, ADA, &good, Vec::new()).await;
    assert_eq!(fields(refused), ["template_id"], "it is a draft");
    let live = publish(&scene, &good).await.unwrap();
    let put = PutFormTemplateRequest {
        form_template_id: live.id.clone(),
        name: live.name.clone(),
        titles: live.titles.clone(),
        variants: live.variants.clone(),
        fields: vec![source("third", "a")],
        ..PutFormTemplateRequest::default()
    };
    let put = into_answer(scene.templates().put_form_template(request_by(STAFF, put)).await);
    assert_eq!(fields(put), ["fields[0].field"], "what is live stays complete");
    let mine = into_answer(
        scene
            .templates()
            .get_form_template(request_by(ADA, GetFormTemplateRequest { form_template_id: html.id }))
            .await,
    );
    assert_eq!(refusal_reason(mine), "NOT_FOUND", "drafts are for staff");
    let again = draft(&scene, "E", Vec::new()).await;
    assert_eq!(refusal_reason(again), "INVALID_FIELD");
}

#[tokio::test]
async fn the_variant_of_the_region_is_filled_and_empty_forms_are_handed_out() {
    let scene = scene().await;
    let any = store_file(&scene, "any.pdf", &sample()).await;
    let texas = store_file(
        &scene,
        "texas.pdf",
        &build_form("Texas will", &[SampleField::text("First", "first"), SampleField::text("Second", "second")]),
    )
    .await;
    let regional = FormVariant { region: RegionCode::Tx.into(), ..variant("tx", FormVariantKind::Pdf, &texas) };
    let only_texas = draft(&scene, "texas-only", vec![regional.clone()]).await.unwrap();
    let only_texas = publish(&scene, &only_texas).await.unwrap();
    assert_eq!(refusal_reason(create(&scene, ADA, &only_texas, Vec::new()).await), "NO_VARIANT");
    let template = draft(&scene, "will", vec![variant("any", FormVariantKind::Pdf, &any), regional]).await.unwrap();
    publish(&scene, &template).await.unwrap();
    let list = async |region: RegionCode| {
        let request = GetDownloadableFormsRequest { region: region.into(), locale: Locale::EnUs.into() };
        let forms = into_answer(scene.forms().get_downloadable_forms(request_by(ADA, request)).await).unwrap().forms;
        forms.into_iter().map(|form| (form.variant_id.clone(), form)).collect::<BTreeMap<_, _>>()
    };
    assert_eq!(list(RegionCode::Ok).await.into_keys().collect::<Vec<_>>(), ["any"]);
    let texan = list(RegionCode::Tx).await;
    assert_eq!(texan.keys().collect::<Vec<_>>(), ["tx"]);
    let token = texan["tx"].url.split_once("?token=").unwrap().1.to_owned();
    let fetched = scene.files().download_linked_file(request_by("", DownloadLinkedFileRequest { token })).await;
    let (_, pdf) = read_bytes(into_answer(fetched).unwrap()).await.unwrap();
    assert!(text_of(&pdf).contains("Texas will"));
}

#[tokio::test]
async fn populate_stores_nothing_unless_asked() {
    let scene = scene().await;
    let template = will(&scene).await;
    let ask = |store, text: &str| PopulateRequest {
        template_id: template.id.clone(),
        values: values(&[("first", text)]),
        store,
        ..PopulateRequest::default()
    };
    let answer = into_answer(scene.forms().populate(request_by(ADA, ask(false, "Ada Lee"))).await).unwrap();
    assert!(text_of(&answer.content).contains("Ada Lee") && answer.form.is_none());
    assert_eq!((answer.content_type.as_str(), scene.contents().len()), ("application/pdf", 1));
    let long = "long ".repeat(200);
    let refused = into_answer(scene.forms().populate(request_by(ADA, ask(false, &long))).await);
    assert_eq!(refusal_reason(refused), "NOT_FILLED");
    let form = into_answer(scene.forms().populate(request_by(ADA, ask(true, "Ada"))).await).unwrap().form.unwrap();
    assert_eq!(scene.handle_all(FOLLOWER).await, 0);
    assert_eq!(find(&scene, ADA, "ada", &form).await.unwrap().status(), FormStatus::Ready);
}

#[tokio::test]
async fn all_forms_of_a_member_are_deleted_with_their_files_or_none() {
    for scene in scenes().await {
        let template = will(&scene).await;
        let mut own = Vec::new();
        for _ in 0..3 {
            own.push(create(&scene, ADA, &template, Vec::new()).await.unwrap());
        }
        let foreign = create(&scene, BEN, &template, Vec::new()).await.unwrap();
        assert_eq!(scene.handle_all(FOLLOWER).await, 0);
        let file_id = find(&scene, ADA, "ada", &own[0]).await.unwrap().file_id;
        let hold = async |legal_hold| {
            let request = SetLegalHoldRequest { file_id: file_id.clone(), legal_hold };
            into_answer(scene.files().set_legal_hold(request_by(STAFF, request)).await).unwrap();
        };
        let delete_all = async |who: &str, owner: &str| {
            let request = DeleteAllResourcesRequest { identity_id: owner.into() };
            into_answer(scene.forms().delete_all_resources(request_by(who, request)).await)
        };
        hold(true).await;
        assert_eq!(refusal_reason(delete_all(ADA, "").await), "LEGAL_HOLD");
        let one = DeleteFormRequest { identity_id: "ada".into(), form_id: own[0].id.clone() };
        let one = into_answer(scene.forms().delete_form(request_by(ADA, one)).await);
        assert_eq!(refusal_reason(one), "LEGAL_HOLD");
        assert_eq!(find(&scene, ADA, "ada", &own[1]).await.unwrap().status(), FormStatus::Ready, "none is deleted");
        hold(false).await;
        assert_eq!(refusal_reason(delete_all(BEN, "ada").await), "NOT_THE_OWNER");
        let deleted = delete_all(ADA, "").await.unwrap();
        assert_eq!((deleted.forms, deleted.files), (3, 3));
        assert_eq!(delete_all(ADA, "").await.unwrap(), DeleteAllResourcesResponse::default());
        assert_eq!(find(&scene, BEN, "ben", &foreign).await.unwrap().status(), FormStatus::Ready);
        assert_eq!(scene.handle_all(FILES).await, 0);
        assert_eq!(scene.contents().len(), 2, "the template's and Ben's");
        let last = delete_all(STAFF, "ben").await.unwrap();
        assert_eq!((last.forms, last.files), (1, 1));
        assert_eq!(refusal_reason(pdf_of(&scene, PLATFORM, "ben", &foreign).await), "NOT_FOUND");
    }
}
