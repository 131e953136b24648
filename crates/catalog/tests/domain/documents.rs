//! The documents of contracts: files of the container CONTRACT that can be downloaded.

use futures::stream;
use pavise_catalog::contract::documents::file_service_client::FileServiceClient;
use pavise_catalog::contract::documents::{FileContainer, UploadContainerFileRequest};
use pavise_catalog::demo::make_document;
use pavise_testapp::{Engine, Rest, TestApp};
use serde_json::{Value, json};

use crate::scene::{NOBODY, document, id, product, staff};

const PRODUCTS: &str = "/v1/products";

fn contract(id: &str, document: &str, variants: Value) -> Value {
    json!({"id": id, "type": "CONTRACT", "documentId": document, "variants": variants})
}

fn texan(document: &str) -> Value {
    json!([{"id": "tx", "region": "TX", "documentId": document}])
}

/// A product with contracts.
fn with(contracts: Value) -> Value {
    let mut product = product("legal");
    product["contracts"] = contracts;
    product
}

/// A file of another container.
async fn other_file(app: &TestApp) -> String {
    let file = UploadContainerFileRequest { container: FileContainer::Other.into(), ..make_document("", "other.pdf") };
    let mut files = FileServiceClient::new(app.channel("documents", &TestApp::staff()));
    files.upload_container_file(stream::iter([file])).await.unwrap().into_inner().id
}

async fn quarantine(rest: &Rest, file: &str) {
    let held = rest.post(&format!("/v1/files/{file}/quarantine"), json!({"reason": "a wrong page"})).await.expect(200);
    assert_eq!(held["status"], "QUARANTINED");
}

#[tokio::test]
async fn a_change_names_documents_that_can_be_read() {
    for engine in Engine::BOTH {
        let app = TestApp::on(engine).without_workers().start().await.unwrap();
        let rest = staff(&app);
        let (good, held, other) =
            (document(&app, "good.pdf").await, document(&app, "held.pdf").await, other_file(&app).await);
        quarantine(&rest, &held).await;
        let wrong =
            [contract("a", &good, texan(NOBODY)), contract("b", &other, texan(&held)), contract("c", "", json!([]))];
        let refused = rest.post(PRODUCTS, with(json!(wrong))).await;
        assert_eq!((refused.status.as_u16(), refused.reason()), (400, "INVALID_FIELD"));
        let expected = [
            "product.contracts[0].variants[0].documentId",
            "product.contracts[1].documentId",
            "product.contracts[1].variants[0].documentId",
        ];
        assert_eq!(refused.fields(), expected);
        let right = [contract("a", &good, texan(&good)), contract("c", "", json!([]))];
        let path = format!("{PRODUCTS}/{}", id(&rest.post(PRODUCTS, with(json!(right))).await.expect(200)));
        assert_eq!(rest.put(&path, with(json!(wrong))).await.fields(), expected);
        let added = json!({"contracts": [contract("d", "free text", json!([]))]});
        assert_eq!(rest.post(&format!("{path}/addContracts"), added).await.fields(), ["contracts[0].documentId"]);
        let updated = json!({"contracts": [contract("a", &good, texan(&held))]});
        let refused = rest.post(&format!("{path}/updateContracts"), updated).await;
        assert_eq!(refused.fields(), ["contracts[0].variants[0].documentId"]);
        for (call, region) in [("addStateVariants", "NY"), ("updateStateVariants", "TX")] {
            let variants = json!([{"region": region, "documentId": other}]);
            let body = json!({"contractId": "a", "stateVariants": variants});
            let refused = rest.post(&format!("{path}/{call}"), body).await;
            assert_eq!(refused.fields(), ["stateVariants[0].documentId"], "{call}");
        }
        app.finish().await;
    }
}

#[tokio::test]
async fn a_document_that_a_product_has_stays_while_it_is_not_changed() {
    let app = TestApp::on(Engine::Sqlite).without_workers().start().await.unwrap();
    let rest = staff(&app);
    let first = document(&app, "first.pdf").await;
    let whole = with(json!([contract("a", &first, texan(&first))]));
    let path = format!("{PRODUCTS}/{}", id(&rest.post(PRODUCTS, whole.clone()).await.expect(200)));
    quarantine(&rest, &first).await;
    let mut renamed = whole;
    renamed["name"] = json!("renamed");
    let kept = rest.put(&path, renamed).await.expect(200);
    assert_eq!((&kept["name"], &kept["contracts"][0]["documentId"]), (&json!("renamed"), &json!(first)));
    let second = document(&app, "second.pdf").await;
    let updated = json!({"contracts": [contract("a", &second, texan(&first))]});
    let changed = rest.post(&format!("{path}/updateContracts"), updated).await.expect(200);
    assert_eq!(changed["contracts"][0]["documentId"], json!(second));
    app.finish().await;
}
