//! Prints of pages, templates and answers (rules 272 and 284).

use pavise_documents::contract::v1::*;

use crate::scene::{
    ADA, BEN, STAFF, config, configured, facts, into_answer, read_bytes, refusal_reason, request_by, scene, small,
    text, text_of, texts,
};

/// The text equals the questions and answers, in reading order.
#[tokio::test]
async fn a_review_has_the_questions_and_answers_in_reading_order() {
    let scene = scene().await;
    let question = scene.question(small("survey")).await;
    let answer =
        scene.answer(&question, vec![text("a", "José <b>Álvarez</b> & sons"), text("b", "El Niño")]).await.unwrap();
    let ask = |user: &str| GenerateDocumentReviewRequest { user_id: user.into(), answer_id: answer.id.clone() };
    let early = scene.answers().generate_document_review(request_by(ADA, ask("ada"))).await;
    assert_eq!(refusal_reason(into_answer(early)), "STATUS_NOT_ALLOWED");
    scene.submit(&answer).await.unwrap();
    let foreign = scene.answers().generate_document_review(request_by(BEN, ask("ben"))).await;
    assert_eq!(refusal_reason(into_answer(foreign)), "NOT_FOUND");
    let done = into_answer(scene.answers().generate_document_review(request_by(ADA, ask("ada"))).await).unwrap();
    let review = done.review.unwrap();
    let (head, pdf) = scene.download(ADA, &review.file_id).await.unwrap();
    assert_eq!((head.content_type.as_str(), head.file_name.as_str()), ("application/pdf", "review.pdf"));
    let words = text_of(&pdf).split_whitespace().collect::<Vec<_>>().join(" ");
    let expected = "One a José <b>Álvarez</b> & sons b El Niño";
    assert!(words.starts_with("All Submitted on ") && words.ends_with(expected), "{words}");
    let again = into_answer(scene.answers().generate_document_review(request_by(STAFF, ask("ada"))).await).unwrap();
    assert_eq!(again.review.unwrap().file_id, review.file_id, "a later one takes its place");
    let links = GetS3AttachmentDownloadLinksRequest { user_id: "ada".into(), answer_id: answer.id.clone() };
    let links = into_answer(scene.answers().get_s3_attachment_download_links(request_by(ADA, links)).await).unwrap();
    assert_eq!(links.links.len(), 1);
}

#[tokio::test]
async fn a_page_of_a_template_is_printed_with_its_values() {
    let scene = scene().await;
    let page = b"<!DOCTYPE html><meta charset=utf-8><h1>Contract</h1><p>Between {{ first }} and {{ second }}.<script>document.title='x'</script>";
    let file = scene.upload(STAFF, facts(FileContainer::Form, "", "contract.html"), page).await.unwrap();
    let variant = FormVariant {
        id: "any".into(),
        kind: FormVariantKind::Html.into(),
        file_id: file.id,
        ..FormVariant::default()
    };
    let request = CreateFormTemplateRequest {
        name: "contract".into(),
        titles: texts("Contract"),
        variants: vec![variant],
        ..CreateFormTemplateRequest::default()
    };
    let template = into_answer(scene.templates().create_form_template(request_by(STAFF, request)).await).unwrap();
    let publish = PublishFormTemplateRequest { form_template_id: template.id.clone() };
    into_answer(scene.templates().publish_form_template(request_by(STAFF, publish)).await).unwrap();
    let value = |field: &str, text: &str| FormValue { field: field.into(), text: text.into() };
    let values = vec![value("first", "Ada <i>Lee</i>"), value("second", "{{ first }}")];
    let ask = PopulateRequest { template_id: template.id, values, ..PopulateRequest::default() };
    let answer = into_answer(scene.forms().populate(request_by(ADA, ask)).await).unwrap();
    let words = text_of(&answer.content).split_whitespace().collect::<Vec<_>>().join(" ");
    assert_eq!(words, "Contract Between Ada <i>Lee</i> and {{ first }}.");
}

#[tokio::test]
async fn only_admitted_addresses_are_printed() {
    let scene = scene().await;
    let print = async |who: &str, url: &str| {
        let answer = scene.files().print_file(request_by(who, PrintFileRequest { url: url.into() })).await;
        match into_answer(answer) {
            Ok(messages) => refusal_reason(read_bytes(messages).await),
            Err(error) => refusal_reason(Err::<(), _>(error)),
        }
    };
    for url in [
        "http://127.0.0.1/",
        "http://localhost:8080/",
        "http://[::1]/",
        "http://169.254.169.254/latest/",
        "file:///etc/passwd",
        "https://pavise.example.evil.example/",
        "https://pavise.example@evil.example/",
        "chrome://version",
        "not an address",
        "ftp://forms.example/",
    ] {
        assert_eq!(print(STAFF, url).await, "ADDRESS_NOT_ALLOWED", "{url}");
        let store = StorePrintRequest { url: url.into(), ..StorePrintRequest::default() };
        let stored = into_answer(scene.files().store_print(request_by(ADA, store)).await);
        assert_eq!(refusal_reason(stored), "ADDRESS_NOT_ALLOWED", "{url}");
    }
    assert_eq!(print(ADA, "https://forms.example/").await, "ADDRESS_NOT_ALLOWED", "members print the platform's pages");
    assert_eq!(print("", "https://pavise.example/").await, "TOKEN_MISSING");
    assert_eq!(print(STAFF, "https://forms.example/").await, "NOT_PRINTED", "no host has this name");
    assert_eq!(scene.contents().len(), 0);
}

#[tokio::test]
async fn without_a_browser_only_printing_is_refused() {
    let scene = configured(pavise_documents::Config { chromium: None, ..config() }).await;
    let print = PrintFileRequest { url: "https://pavise.example/".into() };
    let print = into_answer(scene.files().print_file(request_by(ADA, print)).await);
    assert_eq!(refusal_reason(print.map(|_| ())), "NOT_CONFIGURED");
    scene.upload(ADA, facts(FileContainer::Other, "", "a.txt"), b"a").await.unwrap();
}
