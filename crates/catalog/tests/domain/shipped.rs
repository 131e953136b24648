//! Products from before families were shipped and versions were kept.

use pavise_catalog::contract::v1::product_family_service_client::ProductFamilyServiceClient;
use pavise_catalog::contract::v1::product_service_client::ProductServiceClient;
use pavise_catalog::contract::v1::*;
use pavise_catalog::contract::{DESCRIPTORS, METHODS, MIGRATIONS, TABLES};
use pavise_kernel::domain::Settings;
use pavise_kernel::migrations::Migration;
use pavise_testkit::scene::{Contract, Engine, into_answer, request_by};

const STAFF: &str = "Internal/staff";

/// The migration that completes products.
fn shipped_families(of: &[Migration]) -> &'static str {
    of.iter().find(|step| step.sql.contains("shipped_families")).unwrap().sql
}

#[tokio::test]
async fn they_get_the_shipped_family_of_their_kind_and_version_1() {
    let early = [
        "UPDATE products SET status = 'ACTIVE', doc = json_remove(json_set(doc, '$.status', 'ACTIVE'), '$.productFamilyId');
         UPDATE products_journal SET doc = json_remove(json_set(doc, '$.status', 'ACTIVE'), '$.productFamilyId')",
        "UPDATE products SET status = 'ACTIVE', doc = (doc || '{\"status\": \"ACTIVE\"}') - 'productFamilyId';
         UPDATE products_journal SET doc = (doc || '{\"status\": \"ACTIVE\"}') - 'productFamilyId'",
    ];
    let steps = [shipped_families(MIGRATIONS.sqlite), shipped_families(MIGRATIONS.postgres)];
    for ((engine, early), step) in [Engine::Sqlite, Engine::Postgres].into_iter().zip(early).zip(steps) {
        let contract = Contract {
            domain: "catalog",
            descriptors: DESCRIPTORS,
            methods: METHODS,
            tables: TABLES,
            migrations: &MIGRATIONS,
        };
        let build = |kernel: &_| pavise_catalog::DOMAIN.build(kernel, &Settings::default()).unwrap();
        let scene = contract.start_on(engine).await.begin_scene(build);
        let mut products = ProductServiceClient::new(scene.transport());
        let mut made = Vec::new();
        for kind in [ProductFamily::Legal, ProductFamily::Cdlp] {
            let benefits = vec![ProductBenefit {
                id: "help".to_owned(),
                summaries: vec![pavise_kernel::common::v1::LocalizedText { locale: 1, text: "Help".to_owned() }],
                ..ProductBenefit::default()
            }];
            let draft =
                ProductDraft { name: "old".to_owned(), family: kind.into(), benefits, ..ProductDraft::default() };
            let request = CreateProductRequest { product: Some(draft), ..CreateProductRequest::default() };
            made.push(into_answer(products.create_product(request_by(STAFF, request)).await).unwrap());
        }
        scene.database().execute(early).await;
        scene.database().execute(step).await;
        scene.database().execute(step).await;
        let mut families = ProductFamilyServiceClient::new(scene.transport());
        for before in made {
            let ask = GetProductRequest { product_id: before.id.clone() };
            let now = into_answer(products.get_product(request_by(STAFF, ask)).await).unwrap();
            assert_eq!((now.product_version, now.version), (1, 2), "once");
            assert_eq!((now.product_family_id.as_str(), &now.name), (before.product_family_id.as_str(), &before.name));
            let ask = GetProductFamilyRequest { product_family_id: now.product_family_id.clone() };
            let family = into_answer(families.get_product_family(request_by(STAFF, ask)).await).unwrap();
            assert_eq!((family.kind(), family.names.len()), (before.family(), 4));
            let ask = GetProductVersionRequest { product_id: before.id.clone(), version: 1 };
            let frozen = into_answer(products.get_product_version(request_by(STAFF, ask)).await).unwrap();
            assert_eq!(frozen.product.as_ref(), Some(&now), "nothing is lost");
            let ask = VersionProductRequest { product_id: before.id };
            let same = into_answer(products.version_product(request_by(STAFF, ask)).await).unwrap();
            assert_eq!(same, now, "it has that content");
        }
    }
}
