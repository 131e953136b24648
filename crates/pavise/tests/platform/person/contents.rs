//! An answer, a form and files of a person, and the contents of the files, which lie beside the database.

use std::fs;
use std::path::PathBuf;
use std::time::UNIX_EPOCH;

use pavise::wire::Client;
use pavise_documents::contract::v1::file_service_client::FileServiceClient;
use pavise_documents::contract::v1::{FileContainer, UploadContainerFileRequest};
use pavise_pdf::{SampleField, build_form};
use pavise_testapp::{Cut, Database, Engine, Platform, TestApp};
use serde_json::{Value, json};

use super::{Scene, files, good};

/// The words of the buyer's letter. No record has them, and so no export.
pub(super) const HER_CONTENT: &str = "the silver teapot";
/// The words of the spouse's letter.
pub(super) const HIS_CONTENT: &str = "the copper kettle";
/// The contents of the buyer: the letter, and the filled form.
const HERS: usize = 2;

/// An answer with a sealed value, a letter and a form of the buyer; a letter of the spouse.
pub(super) async fn fill(scene: &Scene, member: &Client) {
    let app = scene.platform.app();
    let question = json!({"name": "keepsakes", "kind": "SURVEY", "content": content()});
    let question = good(&scene.staff, "questions.CreateQuestion", question).await;
    let values =
        json!([{"itemId": "hobby", "text": "Keeps bees"}, {"itemId": "secret", "sealedText": "Whispers at night"}]);
    let answer = json!({"userId": scene.me, "questionId": question["id"], "values": values});
    good(member, "answers.CreateAnswer", answer).await;
    keep(app, &scene.me, FileContainer::Chat, "teapot-letter.txt", HER_CONTENT.as_bytes()).await;
    keep(app, &scene.him, FileContainer::Chat, "kettle.txt", HIS_CONTENT.as_bytes()).await;
    let page = build_form("Last will", &[SampleField::text("Wish", "wish")]);
    let page = keep(app, "", FileContainer::Form, "last-will.pdf", &page).await;
    let template = json!({"name": "last-will", "titles": texts("Last will"),
        "variants": [{"id": "any", "kind": "PDF", "fileId": page}]});
    let template = good(&scene.staff, "form_templates.CreateFormTemplate", template).await;
    let publish = json!({"formTemplateId": template["id"]});
    good(&scene.staff, "form_templates.PublishFormTemplate", publish).await;
    let values = json!([{"field": "wish", "text": "A walnut desk"}]);
    let form = json!({"identityId": scene.me, "templateId": template["id"], "values": values});
    let form = good(member, "forms.CreateForm", form).await;
    let find = json!({"identityId": scene.me, "formId": form["id"]});
    let filled = async || {
        let form = good(member, "forms.GetForm", find.clone()).await;
        (form["status"] != "CREATED").then_some(form)
    };
    let form = app.eventually("the form is filled", filled).await;
    assert_eq!(form["status"], "READY", "{form}");
}

fn texts(text: &str) -> Value {
    json!([{"locale": "en-US", "text": text}])
}

/// A text, and one that is sealed.
fn content() -> Value {
    let open = json!({"id": "hobby", "type": "TEXT", "labels": texts("Hobby")});
    let sealed = json!({"id": "secret", "type": "TEXT", "labels": texts("Secret"), "sealed": true});
    let page = json!({"id": "one", "titles": texts("One"), "items": [open, sealed]});
    json!({"titles": texts("Keepsakes"), "locales": ["en-US"], "pages": [page]})
}

/// Stores a file of that owner, or of the platform's own, and answers its id.
async fn keep(app: &TestApp, owner_id: &str, container: FileContainer, name: &str, content: &[u8]) -> String {
    let facts = UploadContainerFileRequest {
        owner_id: owner_id.into(),
        container: container.into(),
        name: name.into(),
        ..UploadContainerFileRequest::default()
    };
    let chunk = UploadContainerFileRequest { chunk: content.to_vec(), ..UploadContainerFileRequest::default() };
    let mut files = FileServiceClient::new(app.channel("documents", &TestApp::machine()));
    let stored = files.upload_container_file(futures::stream::iter([facts, chunk])).await.unwrap();
    stored.into_inner().id
}

/// Lets a platform sweep as it does a day after the erasure: the contents of the erased person go, and the others stay.
pub(super) async fn sweep(engine: Engine, cut: Cut, database: &Database) {
    assert!(has_content(database, HER_CONTENT), "a young content waits for the sweep");
    let kept = list_contents(database).len() - HERS;
    for path in list_contents(database) {
        fs::File::open(path).unwrap().set_modified(UNIX_EPOCH).unwrap();
    }
    let platform = Platform::begin(engine, cut, database, |settings| settings).await.unwrap();
    let swept = async || (list_contents(database).len() <= kept).then_some(());
    platform.app().eventually("the contents of the erased person go", swept).await;
    platform.finish().await;
    assert_eq!(list_contents(database).len(), kept);
    assert!(has_content(database, HIS_CONTENT) && !has_content(database, HER_CONTENT));
}

/// The contents of the documents' files.
fn list_contents(database: &Database) -> Vec<PathBuf> {
    let mut found = Vec::new();
    files::list_files(&database.files().join("files"), &mut found);
    found
}

fn has_content(database: &Database, words: &str) -> bool {
    list_contents(database).iter().any(|path| fs::read(path).unwrap() == words.as_bytes())
}
