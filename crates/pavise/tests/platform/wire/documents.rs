//! Questionnaires and their answers, the same on every surface.

use pavise::demo::Story;
use pavise::wire::{Client, Failure, Refusal, Surface};
use serde_json::{Value, json};

async fn refused(client: &Client, name: &str, request: Value) -> Refusal {
    match client.call(name, request).await {
        Err(Failure::Refused(refusal)) => refusal,
        unexpected => panic!("{name}: {unexpected:?}"),
    }
}

fn texts(text: &str) -> Value {
    json!([{"locale": "en-US", "text": text}])
}

/// A text "a", and "b" once "a" has an answer.
fn content() -> Value {
    let item = |id: &str| json!({"id": id, "type": "TEXT", "labels": texts(id), "required": true});
    let mut second = item("b");
    second["visibleIf"] = json!("has_a");
    json!({
        "titles": texts("A survey"),
        "locales": ["en-US"],
        "pages": [{"id": "one", "titles": texts("One"), "items": [item("a"), second]}],
        "conditions": [{"id": "has_a", "kind": "ANSWERED", "itemId": "a"}],
    })
}

/// Staff make a questionnaire; a member answers it, and a visitor, who then owns the answer.
pub(super) async fn check(staff: &Client, member: &Client, visitor: &Client, surface: Surface, story: &Story) {
    let name = format!("survey-{surface:?}-{}", story.identity_id).to_lowercase();
    let make = json!({"name": name, "kind": "SURVEY", "public": true, "content": content()});
    let mut faulty = make.clone();
    faulty["content"]["conditions"][0]["itemId"] = json!("c");
    let fault = refused(staff, "questions.CreateQuestion", faulty).await;
    assert_eq!(fault.reason, "QUESTION_INCOMPLETE", "{surface:?}");
    assert_eq!(refused(member, "questions.CreateQuestion", make.clone()).await.reason, "REALM_NOT_ALLOWED");
    let question = staff.call("questions.CreateQuestion", make).await.unwrap().json;
    assert_eq!((&question["status"], &question["liveVersion"]), (&json!("ACTIVE"), &json!(1)), "{surface:?}");
    let one = json!({"questionId": question["id"]});
    let seen = visitor.call("questions.GetPublicQuestion", one.clone()).await.unwrap().json;
    assert_eq!(seen["content"], question["content"], "{surface:?}");
    let version = json!({"questionId": question["id"], "questionVersion": 1});
    let version = member.call("questions.GetQuestionVersion", version).await.unwrap().json;
    assert_eq!(version["content"], question["content"], "{surface:?}");
    let app = json!({"platform": "IOS", "min": "4.2", "max": ""});
    let add = json!({"questionId": question["id"], "supportedMobileVersion": app});
    let added = staff.call("questions.AddSupportedMobileVersion", add).await.unwrap().json;
    assert_eq!(added["supportedMobileVersions"], json!([app]), "{surface:?}");
    own(member, surface, story, &question["id"]).await;
    foreign(member, visitor, surface, story, &question["id"]).await;
    forms(staff, member, visitor, surface, story).await;
    let retired = staff.call("questions.RetireQuestion", one).await.unwrap().json;
    assert_eq!(retired["status"], "RETIRED", "{surface:?}");
}

async fn own(member: &Client, surface: Surface, story: &Story, question: &Value) {
    let owner = &story.identity_id;
    let begin = json!({"userId": owner, "questionId": question, "values": [{"itemId": "a", "text": "x"}]});
    let mut old = begin.clone();
    (old["platform"], old["appVersion"]) = (json!("IOS"), json!("4.1"));
    assert_eq!(refused(member, "answers.CreateAnswer", old).await.reason, "APP_TOO_OLD", "{surface:?}");
    let mut wrong = begin.clone();
    wrong["values"][0]["itemId"] = json!("c");
    let wrong = refused(member, "answers.CreateAnswer", wrong).await;
    assert_eq!((wrong.reason.as_str(), &*wrong.fields), ("INVALID_FIELD", &["values[0].itemId".to_owned()][..]));
    let answer = member.call("answers.CreateAnswer", begin).await.unwrap().json;
    assert_eq!((&answer["problems"][0]["itemId"], &answer["problems"][0]["kind"]), (&json!("b"), &json!("MISSING")));
    let one = json!({"userId": owner, "answerId": answer["id"]});
    let early = refused(member, "answers.SubmitAnswer", one.clone()).await;
    assert_eq!(early.reason, "ANSWER_INCOMPLETE", "{surface:?}: {early}");
    let values = json!([{"itemId": "a", "text": "x"}, {"itemId": "b", "text": "y"}]);
    let put = json!({"userId": owner, "answerId": answer["id"], "values": values});
    let put = member.call("answers.PutAnswer", put).await.unwrap().json;
    assert_eq!(put["progress"]["answered"], 2, "{surface:?}");
    assert!(put["problems"].as_array().is_none_or(Vec::is_empty), "{surface:?}: {put}");
    let done = member.call("answers.SubmitAnswer", one.clone()).await.unwrap().json;
    assert_eq!(done["status"], "SUBMITTED", "{surface:?}");
    let list = json!({"userId": owner, "status": "SUBMITTED", "questionId": question});
    let page = member.call("answers.ListAnswers", list).await.unwrap().json;
    assert_eq!(page["answers"][0]["id"], answer["id"], "{surface:?}: {page}");
    let deleted = member.call("answers.DeleteAnswer", one).await.unwrap().json;
    assert_eq!(deleted["status"], "DELETED", "{surface:?}");
    assert!(deleted["values"].as_array().is_none_or(Vec::is_empty), "{surface:?}: {deleted}");
}

async fn foreign(member: &Client, visitor: &Client, surface: Surface, story: &Story, question: &Value) {
    let fresh = "70000000-0000-4000-8000-00000000f1e5";
    let values = json!([{"itemId": "a", "text": "x"}, {"itemId": "b", "text": "y"}]);
    let begin = json!({"userId": fresh, "questionId": question, "values": values});
    let mut known = begin.clone();
    known["userId"] = json!(story.identity_id);
    assert_eq!(refused(visitor, "answers.CreatePublicAnswer", known).await.fields, ["userId"], "{surface:?}");
    let made = visitor.call("answers.CreatePublicAnswer", begin).await.unwrap().json;
    let (id, code) = (&made["answer"]["id"], &made["accessCode"]);
    assert!(made["answer"].get("codeDigest").is_none_or(|digest| digest == ""), "{surface:?}: {made}");
    let submit = |code: &Value| json!({"userId": fresh, "answerId": id, "accessCode": code});
    let wrong = refused(visitor, "answers.SubmitPublicAnswer", submit(&json!("wrong"))).await;
    assert_eq!(wrong.reason, "NOT_FOUND", "{surface:?}");
    let done = visitor.call("answers.SubmitPublicAnswer", submit(code)).await.unwrap().json;
    assert_eq!(done["status"], "SUBMITTED", "{surface:?}");
    let give = json!({"userId": fresh, "answerId": id, "newOwnerId": story.identity_id, "accessCode": code});
    let given = member.call("answers.ChangeAnswerOwner", give).await.unwrap().json;
    assert_eq!(given["ownerId"], story.identity_id.as_str(), "{surface:?}");
    let one = json!({"userId": story.identity_id, "answerId": id});
    let read = member.call("answers.GetAnswer", one).await.unwrap().json;
    let texts: Vec<_> = read["values"].as_array().unwrap().iter().map(|one| (&one["itemId"], &one["text"])).collect();
    assert_eq!(texts, [(&json!("a"), &json!("x")), (&json!("b"), &json!("y"))], "{surface:?}: {read}");
}

/// Staff keep a template, a member fills it and makes a form of it; nobody else sees it.
async fn forms(staff: &Client, member: &Client, visitor: &Client, surface: Surface, story: &Story) {
    let owner = &story.identity_id;
    let name = format!("will-{surface:?}-{owner}").to_lowercase().chars().take(60).collect::<String>();
    let make = json!({"name": name, "titles": texts("Will"), "downloadable": false});
    assert_eq!(refused(member, "form_templates.CreateFormTemplate", make.clone()).await.reason, "REALM_NOT_ALLOWED");
    let template = staff.call("form_templates.CreateFormTemplate", make).await.unwrap().json;
    let one = json!({"formTemplateId": template["id"]});
    let early = refused(staff, "form_templates.PublishFormTemplate", one.clone()).await;
    assert_eq!(
        (early.reason.as_str(), &*early.fields),
        ("TEMPLATE_INCOMPLETE", &["variants".to_owned()][..]),
        "{surface:?}"
    );
    assert_eq!(refused(member, "form_templates.GetFormTemplate", one.clone()).await.reason, "NOT_FOUND", "{surface:?}");
    let create = json!({"identityId": owner, "templateId": template["id"]});
    let draft = refused(member, "forms.CreateForm", create.clone()).await;
    assert_eq!(
        (draft.reason.as_str(), &*draft.fields),
        ("INVALID_FIELD", &["templateId".to_owned()][..]),
        "{surface:?}"
    );
    assert_eq!(refused(member, "forms.Populate", create).await.fields, ["templateId"], "{surface:?}");
    assert_eq!(refused(visitor, "forms.ListForms", json!({})).await.reason, "TOKEN_MISSING", "{surface:?}");
    let page = member.call("forms.ListForms", json!({"identityId": owner})).await.unwrap().json;
    assert_eq!(page["forms"], json!([]), "{surface:?}");
    let deleted = member.call("forms.DeleteAllResources", json!({"identityId": owner})).await.unwrap().json;
    assert_eq!((&deleted["forms"], &deleted["files"]), (&json!(0), &json!(0)), "{surface:?}");
    let missing = json!({"identityId": owner, "formId": "none"});
    assert_eq!(refused(member, "forms.GetForm", missing).await.reason, "NOT_FOUND", "{surface:?}");
    let empty = member.call("forms.GetDownloadableForms", json!({"locale": "en-US"})).await.unwrap().json;
    assert_eq!(empty["forms"], json!([]), "{surface:?}");
    let page = member.call("files.ListFiles", json!({"ownerId": owner})).await.unwrap().json;
    assert_eq!(page["files"], json!([]), "{surface:?}");
    let print = json!({"url": "http://169.254.169.254/latest/meta-data/"});
    assert_eq!(refused(member, "files.StorePrint", print).await.reason, "ADDRESS_NOT_ALLOWED", "{surface:?}");
    let wish = json!({"container": "CHAT", "ownerId": owner, "files": [{"name": "a.txt"}]});
    assert_eq!(
        refused(member, "files.CreateUploadLinks", wish.clone()).await.reason,
        "REALM_NOT_ALLOWED",
        "{surface:?}"
    );
    let links = staff.call("files.CreateUploadLinks", wish).await.unwrap().json;
    assert!(links["links"][0]["url"].as_str().unwrap().contains("/v1/files/upload?token="), "{surface:?}: {links}");
    let retired = staff.call("form_templates.RetireFormTemplate", one).await.unwrap().json;
    assert_eq!(retired["status"], "RETIRED", "{surface:?}");
}
