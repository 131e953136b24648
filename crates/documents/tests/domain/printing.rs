//! Prints of pages, templates and answers (rules 272 and 284).

use pavise_documents::contract::v1::*;
use pavise_kernel::common::v1::{Address, RegionCode};

use crate::scene::{
    ADA, BEN, STAFF, boolean, choice, config, configured, day, facts, into_answer, number, person, read_bytes,
    refusal_reason, request_by, scene, small, text, text_of, texts, value, will,
};

/// The will of a married parent of two adults as it is printed, page by page.
const PRINTED_WILL: &str = "About you
    A will says who gets what you own. Your answers are kept as you go.
    Your full name Ada Lee
    Your date of birth May 17, 1980
    Your address 1 Main St, Austin, TX 78701
    Your county Travis
    Your telephone number Not answered
    Your e-mail address ada@example.com
    Your Social Security or Social Insurance number Not answered
    Are you a citizen? Yes
    Your marital status Married
    Your spouse
    Your spouse’s name Ben Lee
    Did you sign a marriage contract? No
    Your children
    Do you have children? Yes
    How many? 2
    1. Name of the child Cleo Lee
    1. Date of birth of the child May 17, 1990
    1. Is the child adopted? Yes
    2. Name of the child Dan Lee
    2. Date of birth of the child May 17, 1992
    2. Is the child adopted? Not answered
    Your executor
    Who carries out the will? Dana Lee
    Address of the executor Not answered
    Telephone number of the executor Not answered
    Is the executor paid? Not answered
    Who else, if the executor cannot? Not answered
    What you own
    Do you own a home? No
    What else do you own? Not answered
    How many gifts do you leave? Not answered
    Who gets the rest? My family
    Debts that the executor should know of Not answered
    Your wishes
    Burial or cremation? Not answered
    Wishes for the funeral Not answered
    Who takes care of pets? Not answered
    A lawyer reads your answers before anything is signed.";

/// The words of a PDF with one space between them, and without ligatures.
fn words_of(pdf: &[u8]) -> String {
    let words = text_of(pdf).split_whitespace().collect::<Vec<_>>().join(" ");
    words.replace('\u{fb01}', "fi").replace('\u{fb02}', "fl")
}

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

/// The values of a married parent of two adults. The last one is of an item that is hidden.
fn family() -> Vec<AnswerValue> {
    let address = Address {
        address1: "1 Main St".into(),
        city: "Austin".into(),
        locality: RegionCode::Tx.into(),
        postal_code: "78701".into(),
        ..Address::default()
    };
    vec![
        person("full_name", "Ada"),
        day("birth_date", 1980),
        AnswerValue { address: Some(address), ..value("address") },
        text("county", "Travis"),
        text("email", "ada@example.com"),
        boolean("is_citizen", true),
        choice("marital_status", "married"),
        person("spouse_name", "Ben"),
        boolean("has_prenup", false),
        boolean("has_children", true),
        number("children", 2.0),
        AnswerValue { row: 2, ..person("child_name", "Dan") },
        AnswerValue { row: 1, ..person("child_name", "Cleo") },
        AnswerValue { row: 1, ..day("child_birth_date", 1990) },
        AnswerValue { row: 2, ..day("child_birth_date", 1992) },
        AnswerValue { row: 1, ..boolean("child_is_adopted", true) },
        person("executor", "Dana"),
        boolean("owns_home", false),
        choice("residue", "family"),
        text("residue_names", "Somebody else"),
    ]
}

/// The review of the will has each label with its value, in reading order, each row of a repeat, and nothing else.
#[tokio::test]
async fn the_review_of_a_will_equals_its_answers() {
    let scene = scene().await;
    let answer = scene.answer(&scene.question(will()).await, family()).await.unwrap();
    assert_eq!(answer.problems, []);
    let done = scene.submit(&answer).await.unwrap();
    let progress = done.progress.unwrap();
    assert_eq!((progress.total_items, progress.visible_items), (42, 31));
    let ask = GenerateDocumentReviewRequest { user_id: "ada".into(), answer_id: answer.id };
    let done = into_answer(scene.answers().generate_document_review(request_by(ADA, ask)).await).unwrap();
    let (_, pdf) = scene.download(ADA, &done.review.unwrap().file_id).await.unwrap();
    let printed = words_of(&pdf);
    assert!(printed.starts_with("Last will Submitted on "), "{printed}");
    let expected = PRINTED_WILL.split_whitespace().collect::<Vec<_>>().join(" ");
    let begin = printed.find("About you").unwrap_or_default();
    assert_eq!(printed.split_at(begin).1, expected);
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
