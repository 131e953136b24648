//! The catalog alone, with offers and products that have site names.

use std::collections::BTreeMap;
use std::ops::Deref;
use std::time::Duration;

use pavise_catalog::contract::v1::offer_service_client::OfferServiceClient;
use pavise_catalog::contract::v1::product_service_client::ProductServiceClient;
use pavise_catalog::contract::v1::reserved_name_service_client::ReservedNameServiceClient;
use pavise_catalog::contract::v1::*;
use pavise_catalog::contract::{DESCRIPTORS, METHODS, MIGRATIONS, TABLES};
use pavise_kernel::Result;
use pavise_kernel::common::v1::{JournalEntry, LocalizedText};
use pavise_kernel::domain::Settings;
use pavise_kernel::peers::Transport;
use pavise_testkit::scene::{Contract, Engine, into_answer, request_by};

pub(super) const STAFF: &str = "Internal/staff";
pub(super) const PLATFORM: &str = "Machine/platform";
pub(super) const BRAND: &str = "pavise";

/// Longer than a reservation.
pub(super) const LATER: Duration = Duration::from_secs(25 * 3600);

/// An entity that can have a site name.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Holder {
    Offer(String),
    Product(String),
}

impl Holder {
    pub(super) fn id(&self) -> &str {
        match self {
            Self::Offer(id) | Self::Product(id) => id,
        }
    }

    /// The worker that follows its journal.
    pub(super) fn worker(&self) -> &'static str {
        match self {
            Self::Offer(_) => "catalog.offers_names",
            Self::Product(_) => "catalog.products_names",
        }
    }

    fn journal(&self) -> &'static str {
        match self {
            Self::Offer(_) => "/pavise.catalog.v1.OfferService/ReadJournal",
            Self::Product(_) => "/pavise.catalog.v1.ProductService/ReadJournal",
        }
    }
}

pub(super) struct Scene(pavise_testkit::scene::Scene);

impl Deref for Scene {
    type Target = pavise_testkit::scene::Scene;

    fn deref(&self) -> &Self::Target {
        &self.0
    }
}

impl Scene {
    pub(super) async fn on(engine: Engine) -> Self {
        let contract = Contract {
            domain: "catalog",
            descriptors: DESCRIPTORS,
            methods: METHODS,
            tables: TABLES,
            migrations: &MIGRATIONS,
        };
        let build = |kernel: &_| pavise_catalog::DOMAIN.build(kernel, &Settings::default()).unwrap();
        Self(contract.start_on(engine).await.begin_scene(build))
    }

    fn offers(&self) -> OfferServiceClient<Transport> {
        OfferServiceClient::new(self.transport())
    }

    fn products(&self) -> ProductServiceClient<Transport> {
        ProductServiceClient::new(self.transport())
    }

    pub(super) fn names(&self) -> ReservedNameServiceClient<Transport> {
        ReservedNameServiceClient::new(self.transport())
    }

    pub(super) async fn new_offer(&self) -> Holder {
        let text = LocalizedText { locale: 1, text: "Plan".to_owned() };
        let mut draft = OfferDraft { names: vec![text], ..OfferDraft::default() };
        draft.set_channel(SalesChannelKind::D2c);
        let request = CreateOfferRequest { brand: BRAND.into(), offer: Some(draft), ..CreateOfferRequest::default() };
        Holder::Offer(into_answer(self.offers().create_offer(request_by(STAFF, request)).await).unwrap().id)
    }

    pub(super) async fn new_product(&self) -> Holder {
        let mut draft = ProductDraft { name: "Product".to_owned(), ..ProductDraft::default() };
        draft.set_family(ProductFamily::Legal);
        let request = CreateProductRequest { product: Some(draft), ..CreateProductRequest::default() };
        Holder::Product(into_answer(self.products().create_product(request_by(STAFF, request)).await).unwrap().id)
    }

    /// Gives a holder a name, or none.
    pub(super) async fn set(&self, holder: &Holder, name: &str) -> Result<()> {
        let site_name = name.to_owned();
        match holder.clone() {
            Holder::Offer(offer_id) => {
                let request = UpdateOfferSiteNameRequest { brand: BRAND.into(), offer_id, site_name };
                into_answer(self.offers().update_offer_site_name(request_by(STAFF, request)).await).map(|_| ())
            }
            Holder::Product(product_id) => {
                let request = UpdateProductSiteNameRequest { product_id, site_name };
                into_answer(self.products().update_product_site_name(request_by(STAFF, request)).await).map(|_| ())
            }
        }
    }

    pub(super) async fn delete(&self, holder: &Holder) {
        match holder.clone() {
            Holder::Offer(offer_id) => {
                let request = DeleteOfferRequest { brand: BRAND.into(), offer_id };
                into_answer(self.offers().delete_offer(request_by(STAFF, request)).await).map(|_| ()).unwrap();
            }
            Holder::Product(product_id) => {
                let request = DeleteProductRequest { product_id };
                into_answer(self.products().delete_product(request_by(STAFF, request)).await).map(|_| ()).unwrap();
            }
        }
    }

    /// The site name that a holder has.
    pub(super) async fn name(&self, holder: &Holder) -> String {
        match holder.clone() {
            Holder::Offer(offer_id) => {
                let request = GetOfferRequest { brand: BRAND.into(), offer_id };
                into_answer(self.offers().get_offer(request_by(STAFF, request)).await).unwrap().site_name
            }
            Holder::Product(product_id) => {
                let request = GetProductRequest { product_id };
                into_answer(self.products().get_product(request_by(STAFF, request)).await).unwrap().site_name
            }
        }
    }

    /// The entries of a holder.
    pub(super) async fn entries(&self, holder: &Holder) -> Vec<JournalEntry> {
        let all = self.read_journal(holder.journal()).await;
        all.into_iter().filter(|entry| entry.entity_id == holder.id()).collect()
    }

    /// Lets the worker of a holder handle its last entry.
    pub(super) async fn follow(&self, holder: &Holder) -> Result<()> {
        let entries = self.entries(holder).await;
        self.handle_entry(holder.worker(), entries.last().unwrap()).await
    }

    /// The names with their status and the ids of their holders.
    pub(super) async fn kept(&self) -> BTreeMap<String, (ReservedNameStatus, String)> {
        let request = ListNamesRequest { page_size: 500, ..ListNamesRequest::default() };
        let names = into_answer(self.names().list_names(request_by(PLATFORM, request)).await).unwrap().names;
        names.into_iter().map(|name| (name.name.clone(), (name.status(), name.holder_id))).collect()
    }

    /// The status of a name, and whether this holder has it.
    pub(super) async fn state(&self, name: &str, holder: &Holder) -> Option<ReservedNameStatus> {
        let (status, id) = self.kept().await.remove(name)?;
        assert_eq!(id, holder.id(), "{name}");
        Some(status)
    }

    /// Lets every reservation run out.
    pub(super) async fn wait_for_the_end_of_reservations(&self, occasion: &str) {
        self.clock.move_forward(LATER);
        self.run_timer("catalog.expire_names", occasion).await.unwrap();
    }
}
