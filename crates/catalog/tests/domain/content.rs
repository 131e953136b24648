//! Content (rules 172, 179): types, entries, drafts and published copies.

use futures::stream;
use http::Method;
use pavise_catalog::contract::documents::file_service_client::FileServiceClient;
use pavise_catalog::contract::documents::{FileContainer, UploadContainerFileRequest};
use pavise_catalog::demo::make_document;
use pavise_testapp::{Engine, Rest, TestApp};
use serde_json::{Value, json};

use crate::scene::{NOBODY, actions, document, id, staff};

const TYPES: &str = "/v1/contentTypes";
const ENTRIES: &str = "/v1/contentEntries";

/// A type with a field of each kind.
fn banner() -> Value {
    json!({
        "key": "banner",
        "variant": "BLOCK",
        "siteType": "MEMBER",
        "fields": [
            {"key": "heading", "type": "TEXT", "required": true, "localized": true, "longest": 40},
            {"key": "body", "type": "RICH_TEXT", "localized": true},
            {"key": "shown", "type": "BOOLEAN"},
            {"key": "price", "type": "NUMBER"},
            {"key": "picture", "type": "RESOURCE"},
            {"key": "links", "type": "RESOURCE_ARRAY", "longest": 3, "allowedTypeKeys": ["banner"]},
        ],
    })
}

fn heading(locale: &str, text: &str) -> Value {
    json!({"fieldKey": "heading", "locale": locale, "text": text})
}

/// A new entry of a type, with headings in the locales that others fall back to.
async fn entry(rest: &Rest, of: &str, key: &str, more: &[Value]) -> String {
    let mut draft = vec![heading("en-US", &format!("draft of {key}")), heading("en-CA", key)];
    draft.extend_from_slice(more);
    let new = json!({"typeId": of, "siteType": "MEMBER", "key": key, "draft": draft});
    id(&rest.post(ENTRIES, new).await.expect(200))
}

async fn post(rest: &Rest, entry: &str, call: &str, body: Value) -> pavise_testapp::Answer {
    rest.post(&format!("{ENTRIES}/{entry}/{call}"), body).await
}

fn links(entries: &[&str]) -> Value {
    let resources: Vec<Value> = entries.iter().map(|entry| json!({"entryId": entry})).collect();
    json!({"fieldKey": "links", "resources": resources})
}

#[tokio::test]
async fn an_entry_goes_from_a_draft_to_its_published_copy_and_back() {
    for engine in Engine::BOTH {
        let app = TestApp::on(engine).without_workers().start().await.unwrap();
        let (rest, visitor) = (staff(&app), app.visitor());
        let of = id(&rest.post(TYPES, banner()).await.expect(200));
        let made = entry(&rest, &of, "home", &[]).await;
        let path = format!("{ENTRIES}/{made}");
        assert_eq!(rest.get(&path).await.expect(200)["status"], "DRAFT");
        assert_eq!(visitor.get(&path).await.reason(), "NOT_FOUND");
        assert_eq!(post(&rest, &made, "unpublish", json!({})).await.reason(), "STATUS_NOT_ALLOWED");
        assert_eq!(post(&rest, &made, "restore", json!({})).await.reason(), "STATUS_NOT_ALLOWED");
        let shown = post(&rest, &made, "publish", json!({})).await.expect(200);
        assert_eq!((&shown["status"], &shown["published"]), (&json!("PUBLISHED"), &shown["draft"]));
        let again = post(&rest, &made, "publish", json!({})).await.expect(200);
        assert_eq!(again["version"], shown["version"], "nothing is published anew");
        let secret = json!({"fieldKey": "heading", "locale": "en-US", "text": "a secret draft"});
        let _ = post(&rest, &made, "updateTextField", secret).await.expect(200);
        let seen = visitor.get(&path).await.expect(200).to_string();
        assert!(seen.contains("draft of home") && !seen.contains("a secret draft"), "{seen}");
        let back = post(&rest, &made, "restore", json!({})).await.expect(200);
        assert_eq!(back["draft"], back["published"]);
        let _ = post(&rest, &made, "unpublish", json!({})).await.expect(200);
        assert_eq!(visitor.get(&path).await.reason(), "NOT_FOUND");
        let _ = post(&rest, &made, "publish", json!({})).await.expect(200);
        assert_eq!(rest.delete(&path).await.expect(200)["status"], "DELETED");
        assert_eq!(rest.get(&path).await.reason(), "NOT_FOUND");
        let written = actions(&rest, "content", 1).await.0;
        assert_eq!(
            written,
            ["CREATED", "PUBLISHED", "FIELD_UPDATED", "RESTORED", "UNPUBLISHED", "PUBLISHED", "DELETED"]
        );
        assert_eq!(rest.get("/v1/content/journal/maxClock").await.expect(200)["maxClock"], "8");
        app.finish().await;
    }
}

#[tokio::test]
async fn each_field_is_set_by_its_type() {
    let app = TestApp::on(Engine::Sqlite).without_workers().start().await.unwrap();
    let rest = staff(&app);
    let of = id(&rest.post(TYPES, banner()).await.expect(200));
    let (made, other) = (entry(&rest, &of, "home", &[]).await, entry(&rest, &of, "other", &[]).await);
    let value = |answer: Value, key: &str| {
        let draft = answer["draft"].as_array().unwrap().clone();
        draft.into_iter().find(|value| value["fieldKey"] == key).unwrap_or_default()
    };
    let text = json!({"fieldKey": "body", "locale": "en-US", "text": "From **$29.95**, [see](/plans)"});
    let set = post(&rest, &made, "updateTextField", text).await.expect(200);
    assert_eq!(value(set, "body")["text"], "From **$29.95**, [see](/plans)");
    let removed = json!({"fieldKey": "body", "locale": "en-US"});
    let set = post(&rest, &made, "updateTextField", removed).await.expect(200);
    assert_eq!(value(set, "body"), Value::Null);
    let set = post(&rest, &made, "updateBooleanField", json!({"fieldKey": "shown", "boolean": true})).await.expect(200);
    assert_eq!(value(set, "shown")["boolean"], true);
    let number = json!({"value": {"fieldKey": "price", "number": {"value": 2995, "scale": 2}}});
    let set = post(&rest, &made, "updateContentEntryField", number).await.expect(200);
    assert_eq!(value(set, "price")["number"], json!({"value": "2995", "scale": 2}));
    let gone = json!({"value": {"fieldKey": "price"}, "remove": true});
    let set = post(&rest, &made, "updateContentEntryField", gone).await.expect(200);
    assert_eq!(value(set, "price"), Value::Null);
    let array = |operation: &str, resources: Value, index: i32, to: i32| json!({"fieldKey": "links", "operation": operation, "resources": resources, "index": index, "toIndex": to});
    let one = json!([{"entryId": other}, {"url": "https://example.com"}]);
    let _ = post(&rest, &made, "updateArrayField", array("REPLACE", one, 0, 0)).await.expect(200);
    let set = post(&rest, &made, "updateArrayField", array("MOVE", json!([]), 0, 1)).await.expect(200);
    assert_eq!(value(set, "links")["resources"][1]["entryId"], json!(other));
    let more = json!([{"url": "https://a.example.com"}]);
    let _ = post(&rest, &made, "updateArrayField", array("INSERT", more.clone(), 0, 0)).await.expect(200);
    assert_eq!(post(&rest, &made, "updateArrayField", array("INSERT", more, 0, 0)).await.fields(), ["resources"]);
    let set = post(&rest, &made, "updateArrayField", array("REMOVE", json!([]), 2, 0)).await.expect(200);
    assert_eq!(value(set, "links")["resources"].as_array().unwrap().len(), 2);
    let refused = [
        ("updateTextField", json!({"fieldKey": "shown", "text": "yes"}), "fieldKey"),
        ("updateTextField", json!({"fieldKey": "heading", "text": "no locale"}), "locale"),
        ("updateTextField", json!({"fieldKey": "heading", "locale": "en-US", "text": "x".repeat(41)}), "text"),
        ("updateTextField", json!({"fieldKey": "body", "locale": "en-US", "text": "<script>x</script>"}), "text"),
        ("updateTextField", json!({"fieldKey": "body", "locale": "en-US", "text": "[x](javascript:x)"}), "text"),
        ("updateTextField", json!({"fieldKey": "body", "locale": "en-US", "text": "x".repeat(65_537)}), "text"),
        ("updateBooleanField", json!({"fieldKey": "none", "boolean": true}), "fieldKey"),
        ("updateArrayField", array("REMOVE", json!([]), 2, 0), "index"),
        ("updateArrayField", array("REPLACE", json!([{"entryId": NOBODY}]), 0, 0), "resources[0].entryId"),
        ("updateArrayField", array("REPLACE", json!([{"url": "http://example.com"}]), 0, 0), "resources[0].url"),
        ("updateContentEntryField", json!({"value": {"fieldKey": "price", "text": "x"}}), "value.text"),
    ];
    for (call, body, field) in refused {
        let answer = post(&rest, &made, call, body).await;
        assert_eq!((answer.status.as_u16(), answer.fields().first().copied()), (400, Some(field)), "{call}");
    }
    app.finish().await;
}

#[tokio::test]
async fn an_entry_is_published_only_when_it_is_complete() {
    let app = TestApp::on(Engine::Sqlite).without_workers().start().await.unwrap();
    let rest = staff(&app);
    let of = id(&rest.post(TYPES, banner()).await.expect(200));
    let new = json!({"typeId": of, "siteType": "MEMBER", "key": "empty"});
    let empty = id(&rest.post(ENTRIES, new).await.expect(200));
    let refused = post(&rest, &empty, "publish", json!({})).await;
    assert_eq!((refused.status.as_u16(), refused.reason()), (409, "CONTENT_INCOMPLETE"));
    assert_eq!(refused.fields(), ["heading"]);
    let _ = post(&rest, &empty, "updateTextField", heading("en-US", "Hello")).await.expect(200);
    let refused = post(&rest, &empty, "publish", json!({})).await;
    assert!(refused.json.to_string().contains("en-CA"), "{}", refused.json);
    let _ = post(&rest, &empty, "updateTextField", heading("en-CA", "Hello")).await.expect(200);
    let _ = post(&rest, &empty, "publish", json!({})).await.expect(200);
    let first = entry(&rest, &of, "first", &[]).await;
    let second = entry(&rest, &of, "second", &[links(&[&first])]).await;
    let third = entry(&rest, &of, "third", &[links(&[&second])]).await;
    let circle = json!({"value": links(&[&third])});
    let _ = post(&rest, &first, "updateContentEntryField", circle).await.expect(200);
    let refused = post(&rest, &first, "publish", json!({})).await;
    assert_eq!((refused.reason(), refused.fields()), ("CONTENT_INCOMPLETE", vec!["draft"]), "a cycle of three");
    let named = rest.delete(&format!("{ENTRIES}/{second}")).await;
    assert_eq!((named.status.as_u16(), named.reason()), (409, "CONTENT_IN_USE"));
    let cut = json!({"value": {"fieldKey": "links"}, "remove": true});
    let _ = post(&rest, &third, "updateContentEntryField", cut).await.expect(200);
    let _ = rest.delete(&format!("{ENTRIES}/{second}")).await.expect(200);
    let _ = post(&rest, &first, "publish", json!({})).await.expect(200);
    app.finish().await;
}

/// A file of a member.
async fn members_file(app: &TestApp) -> String {
    let file = UploadContainerFileRequest { container: FileContainer::Other.into(), ..make_document("", "own.pdf") };
    let mut files = FileServiceClient::new(app.channel("documents", &TestApp::member("anna")));
    files.upload_container_file(stream::iter([file])).await.unwrap().into_inner().id
}

#[tokio::test]
async fn a_resource_may_be_a_file_that_everybody_can_read() {
    for engine in Engine::BOTH {
        let app = TestApp::on(engine).without_workers().start().await.unwrap();
        let rest = staff(&app);
        let of = id(&rest.post(TYPES, banner()).await.expect(200));
        let made = entry(&rest, &of, "home", &[]).await;
        let (file, own) = (document(&app, "terms.pdf").await, members_file(&app).await);
        let picture = |resource: Value| json!({"value": {"fieldKey": "picture", "resources": [resource]}});
        for (resource, field) in [
            (json!({"fileId": NOBODY}), "value.resources[0].fileId"),
            (json!({"fileId": own}), "value.resources[0].fileId"),
            (json!({"fileId": file, "url": "https://example.com"}), "value.resources[0]"),
            (json!({"fileId": file, "entryId": made}), "value.resources[0]"),
        ] {
            let refused = post(&rest, &made, "updateContentEntryField", picture(resource)).await;
            assert_eq!((refused.reason(), refused.fields()), ("INVALID_FIELD", vec![field]));
        }
        let set = post(&rest, &made, "updateContentEntryField", picture(json!({"fileId": file}))).await.expect(200);
        assert_eq!(set["draft"][2]["resources"][0]["fileId"], json!(file));
        let array = json!({"fieldKey": "links", "operation": "REPLACE", "resources": [{"fileId": own}]});
        assert_eq!(post(&rest, &made, "updateArrayField", array).await.fields(), ["resources[0].fileId"]);
        let files = format!("/v1/files/{file}");
        let _ = rest.post(&format!("{files}/quarantine"), json!({"reason": "a wrong page"})).await.expect(200);
        let refused = post(&rest, &made, "publish", json!({})).await;
        assert_eq!((refused.status.as_u16(), refused.reason()), (409, "CONTENT_INCOMPLETE"));
        assert_eq!(refused.fields(), ["draft[2].resources[0].fileId"]);
        let _ = rest.send(Method::POST, &format!("{files}/release"), None).await.expect(200);
        let _ = post(&rest, &made, "publish", json!({})).await.expect(200);
        let seen = app.visitor().get(&format!("{ENTRIES}/{made}")).await.expect(200);
        assert_eq!(seen["published"][2]["resources"][0]["fileId"], json!(file));
        app.finish().await;
    }
}

#[tokio::test]
async fn texts_fall_back_within_the_country_and_say_their_locale() {
    let app = TestApp::on(Engine::Sqlite).without_workers().start().await.unwrap();
    let (rest, visitor) = (staff(&app), app.visitor());
    let of = id(&rest.post(TYPES, banner()).await.expect(200));
    let made = entry(&rest, &of, "home", &[heading("es-US", "Inicio")]).await;
    let _ = post(&rest, &made, "publish", json!({})).await.expect(200);
    for (asked, locale, text) in [
        ("en-US", "en-US", "draft of home"),
        ("es-US", "es-US", "Inicio"),
        ("en-CA", "en-CA", "home"),
        ("fr-CA", "en-CA", "home"),
    ] {
        for path in [format!("{ENTRIES}/{made}?locale={asked}"), format!("{ENTRIES}?key=home&locale={asked}")] {
            let answer = visitor.get(&path).await.expect(200);
            let entry = answer["contentEntries"].get(0).unwrap_or(&answer);
            let [value] = entry["published"].as_array().unwrap().as_slice() else { panic!("{answer}") };
            assert_eq!((&value["locale"], &value["text"]), (&json!(locale), &json!(text)), "{asked}");
        }
    }
    app.finish().await;
}

#[tokio::test]
async fn a_draft_never_reaches_anonymous_readers_expanded_neither() {
    for engine in Engine::BOTH {
        let app = TestApp::on(engine).without_workers().start().await.unwrap();
        let rest = staff(&app);
        let of = id(&rest.post(TYPES, banner()).await.expect(200));
        let hidden = entry(&rest, &of, "hidden", &[]).await;
        let deep = entry(&rest, &of, "deep", &[links(&[&hidden])]).await;
        let part = entry(&rest, &of, "part", &[links(&[&deep])]).await;
        let page = entry(&rest, &of, "page", &[links(&[&part, &hidden])]).await;
        for published in [&deep, &part, &page] {
            let _ = post(&rest, published, "publish", json!({})).await.expect(200);
            let _ = post(&rest, published, "updateTextField", heading("en-US", "SECRET")).await.expect(200);
        }
        let _ = post(&rest, &hidden, "updateTextField", heading("en-US", "SECRET")).await.expect(200);
        for reader in [app.visitor(), app.rest(&TestApp::member("anna")), app.rest(&TestApp::group_admin("c", &["g"]))]
        {
            for query in ["", "?expand=1", "?expand=4", "?expand=4&locale=fr-CA"] {
                for path in [format!("{ENTRIES}/{page}{query}"), format!("{ENTRIES}{query}")] {
                    let text = reader.get(&path).await.expect(200).to_string();
                    assert!(!text.contains("SECRET") && !text.contains("draft of hidden"), "{path}: {text}");
                }
            }
            assert_eq!(reader.get(&format!("{ENTRIES}?status=DRAFT")).await.expect(200)["contentEntries"], json!([]));
            let keys = |answer: &Value| {
                let all = answer["expanded"].as_array().unwrap().iter();
                all.map(|entry| entry["key"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
            };
            let one = reader.get(&format!("{ENTRIES}/{page}?expand=1")).await.expect(200);
            assert_eq!(keys(&one), ["part"], "the draft is left out");
            let all = reader.get(&format!("{ENTRIES}/{page}?expand=4")).await.expect(200);
            assert_eq!(keys(&all), ["part", "deep"]);
            let list = reader.get(&format!("{ENTRIES}?key=page&expand=2")).await.expect(200);
            assert_eq!(keys(&list), ["part", "deep"]);
            assert_eq!(reader.get("/v1/content/journal").await.status.as_u16() / 100, 4);
            assert_eq!(reader.get(&format!("{ENTRIES}/{page}?expand=5")).await.fields(), ["expand"]);
        }
        let by_staff = rest.get(&format!("{ENTRIES}/{page}")).await.expect(200);
        assert!(by_staff["draft"].to_string().contains("SECRET"));
        app.finish().await;
    }
}

#[tokio::test]
async fn a_type_changes_only_if_its_entries_fit() {
    for engine in Engine::BOTH {
        let app = TestApp::on(engine).without_workers().start().await.unwrap();
        let rest = staff(&app);
        let of = id(&rest.post(TYPES, banner()).await.expect(200));
        let made = entry(&rest, &of, "home", &[]).await;
        let path = format!("{TYPES}/{of}");
        let put = |change: &dyn Fn(&mut Value)| {
            let mut new = banner();
            change(&mut new["fields"]);
            let body = json!({"variant": "PAGE", "fields": new["fields"]});
            let (rest, path) = (rest.clone(), path.clone());
            async move { rest.send(Method::PUT, &path, Some(body)).await }
        };
        let changed = put(&|fields| fields.as_array_mut().unwrap().push(json!({"key": "new", "type": "TEXT"}))).await;
        assert_eq!(changed.expect(200)["variant"], "PAGE");
        for change in [
            &(|fields: &mut Value| fields[0]["longest"] = json!(3)) as &dyn Fn(&mut Value),
            &|fields: &mut Value| fields[0]["localized"] = json!(false),
            &|fields: &mut Value| fields[0]["key"] = json!("title"),
        ] {
            let refused = put(change).await;
            assert_eq!((refused.status.as_u16(), refused.reason()), (409, "CONTENT_TYPE_IN_USE"));
            assert_eq!(refused.fields(), [format!("entries[{made}]")]);
        }
        let required = |fields: &mut Value| fields[2]["required"] = json!(true);
        let _ = put(&required).await.expect(200);
        let _ = put(&|_| ()).await.expect(200);
        let _ = post(&rest, &made, "publish", json!({})).await.expect(200);
        assert_eq!(put(&required).await.reason(), "CONTENT_TYPE_IN_USE", "a published entry lacks it");
        assert_eq!(rest.post(TYPES, banner()).await.reason(), "ALREADY_EXISTS");
        let same = json!({"typeId": of, "siteType": "MEMBER", "key": "home"});
        assert_eq!(rest.post(ENTRIES, same).await.reason(), "ALREADY_EXISTS");
        let elsewhere = json!({"typeId": of, "siteType": "ASSOCIATE", "key": "home"});
        assert_eq!(rest.post(ENTRIES, elsewhere).await.fields(), ["siteType"]);
        app.finish().await;
    }
}

#[tokio::test]
async fn who_publishes_needs_a_permission_of_its_own() {
    let app = TestApp::on(Engine::Sqlite).without_workers().start().await.unwrap();
    let rest = staff(&app);
    let of = id(&rest.post(TYPES, banner()).await.expect(200));
    let made = entry(&rest, &of, "home", &[]).await;
    let permissions = ["catalog.content.read", "catalog.content.write"];
    let writer = app.rest(&TestApp::with_permissions(pavise_kernel::table::Realm::Internal, "writer", &permissions));
    let _ = post(&writer, &made, "updateTextField", heading("en-US", "Hello")).await.expect(200);
    assert_eq!(post(&writer, &made, "publish", json!({})).await.reason(), "PERMISSION_MISSING");
    assert_eq!(app.visitor().post(TYPES, banner()).await.reason(), "TOKEN_MISSING");
    let member = app.rest(&TestApp::member("anna"));
    assert_eq!(post(&member, &made, "publish", json!({})).await.reason(), "REALM_NOT_ALLOWED");
    app.finish().await;
}
