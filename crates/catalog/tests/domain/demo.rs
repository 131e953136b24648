//! The demonstration, loaded through the public calls.

use futures::stream;
use pavise_catalog::contract::documents::file_service_client::FileServiceClient;
use pavise_catalog::contract::v1::benefit_service_client::BenefitServiceClient;
use pavise_catalog::contract::v1::content_service_client::ContentServiceClient;
use pavise_catalog::contract::v1::offer_map_service_client::OfferMapServiceClient;
use pavise_catalog::contract::v1::offer_service_client::OfferServiceClient;
use pavise_catalog::contract::v1::product_service_client::ProductServiceClient;
use pavise_catalog::contract::v1::{ListOffersRequest, OfferStatus};
use pavise_catalog::demo::{self, build_demo};
use pavise_testapp::{Engine, TestApp};

use crate::scene::group;

#[tokio::test]
async fn it_loads_and_is_for_sale() {
    for engine in Engine::BOTH {
        let app = TestApp::on(engine).without_workers().start().await.unwrap();
        let machine = TestApp::machine();
        let mut products = ProductServiceClient::new(app.channel("catalog", &machine));
        let mut offers = OfferServiceClient::new(app.channel("catalog", &machine));
        let mut demo = build_demo();
        let mut files = FileServiceClient::new(app.channel("documents", &machine));
        for document in std::mem::take(&mut demo.documents) {
            let file = files.upload_container_file(stream::iter([document])).await.unwrap().into_inner();
            demo.name_document(&file.name, &file.id);
        }
        let mut benefits = BenefitServiceClient::new(app.channel("catalog", &machine));
        assert_eq!((demo.benefits.len(), demo.activate_benefits.len()), (60, 60));
        for request in demo.benefits {
            benefits.create_benefit(request).await.unwrap();
        }
        for request in demo.activate_benefits {
            benefits.activate_benefit(request).await.unwrap();
        }
        for request in demo.products {
            products.create_product(request).await.unwrap();
        }
        for request in demo.activate {
            let active = products.activate_product(request).await.unwrap().into_inner();
            assert_eq!(active.product_version, 1, "{}", active.name);
        }
        for request in demo.add_benefits {
            products.add_benefits(request).await.unwrap();
        }
        for request in demo.version {
            let second = products.version_product(request).await.unwrap().into_inner();
            assert_eq!(second.product_version, 2, "{}", second.name);
        }
        for request in demo.offers {
            offers.create_offer(request).await.unwrap();
        }
        for request in demo.ready_for_sale {
            offers.make_ready_for_sale(request).await.unwrap();
        }
        for request in demo.make_enrollable {
            offers.make_enrollable(request).await.unwrap();
        }
        for request in demo.grandfather {
            offers.grandfather_offer(request).await.unwrap();
        }
        group(&app, demo::GROUP).await;
        for request in demo.name_groups {
            let named = offers.update_offer(request).await.unwrap().into_inner();
            assert_eq!(named.status(), OfferStatus::Enrollable);
        }
        for request in demo.product_names {
            products.update_product_site_name(request).await.unwrap();
        }
        for request in demo.offer_names {
            offers.update_offer_site_name(request).await.unwrap();
        }
        let mut maps = OfferMapServiceClient::new(app.channel("catalog", &machine));
        for request in demo.offer_maps {
            maps.create_offer_map(request).await.unwrap();
        }
        let mut content = ContentServiceClient::new(app.channel("catalog", &machine));
        assert_eq!((demo.content_types.len(), demo.content_entries.len(), demo.publish.len()), (4, 40, 40));
        for request in demo.content_types {
            content.create_content_type(request).await.unwrap();
        }
        for request in demo.content_entries {
            content.create_content_entry(request).await.unwrap();
        }
        for request in demo.publish {
            content.publish_content_entry(request).await.unwrap();
        }
        let all = ListOffersRequest { brand: demo::BRAND.to_owned(), ..ListOffersRequest::default() };
        let mut shop = OfferServiceClient::new(app.visitor_channel("catalog"));
        let sold = shop.list_offers(all.clone()).await.unwrap().into_inner().offers;
        let ids: Vec<&str> = sold.iter().map(|offer| offer.id.as_str()).collect();
        assert_eq!(ids, [demo::ASSOCIATES_US, demo::BUSINESS_US, demo::PERSONAL_CANADA, demo::PERSONAL_US]);
        let through_group = ListOffersRequest { group_id: demo::GROUP.to_owned(), ..all };
        let sold = shop.list_offers(through_group).await.unwrap().into_inner().offers;
        assert!(
            matches!(sold.as_slice(), [offer] if offer.id == demo::GROUP_US && offer.status() == OfferStatus::Enrollable)
        );
        app.finish().await;
    }
}
