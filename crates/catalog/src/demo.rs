//! The demonstration catalog: the requests that make it, the same each time.
//!
//! The requests are sent in the order of the fields of [`Demo`], but for those that name groups: these wait for the groups.
//! Every id is fixed, so that documents can name it. Files alone get their ids when they are stored.

mod benefits;
mod content;
mod documents;
mod identity;
mod ids;
mod legal;
pub(crate) mod load;
mod offer_maps;
mod offers;
mod part;
mod small_business;

pub use documents::make_document;
pub use load::name_groups;

pub use ids::{
    ASSOCIATES_US, BRAND, BUSINESS_US, GROUP, GROUP_US, IDENTITY, LANDLORD, LEGACY_LEGAL, LEGACY_US, LEGAL,
    PERSONAL_CANADA, PERSONAL_US, SMALL_BUSINESS, WILL,
};

use crate::contract::documents::UploadContainerFileRequest;
use crate::contract::v1::{
    ActivateBenefitRequest, ActivateProductRequest, AddBenefitsRequest, CreateBenefitRequest,
    CreateContentEntryRequest, CreateContentTypeRequest, CreateOfferMapRequest, CreateOfferRequest,
    CreateProductRequest, GrandfatherOfferRequest, MakeEnrollableRequest, MakeReadyForSaleRequest, ProductContract,
    PublishContentEntryRequest, UpdateOfferRequest, UpdateOfferSiteNameRequest, UpdateProductSiteNameRequest,
    VersionProductRequest,
};

/// The products with a second version, and the benefit that it has besides those of the first.
const SECOND: [(&str, &str); 3] = [(LEGAL, "living-will"), (IDENTITY, "vpn"), (SMALL_BUSINESS, "website-terms")];

/// The requests that make the demonstration catalog.
#[derive(Debug, Clone, PartialEq)]
pub struct Demo {
    /// The documents of the contracts, which name them by the names of their files until [`Demo::name_document`].
    pub documents: Vec<UploadContainerFileRequest>,
    /// The benefits that products name, and others.
    pub benefits: Vec<CreateBenefitRequest>,
    /// The activation of every benefit.
    pub activate_benefits: Vec<ActivateBenefitRequest>,
    /// The products.
    pub products: Vec<CreateProductRequest>,
    /// The activation of every product.
    pub activate: Vec<ActivateProductRequest>,
    /// The further benefits of the second version of a product.
    pub add_benefits: Vec<AddBenefitsRequest>,
    /// The second version of each of these products.
    pub version: Vec<VersionProductRequest>,
    /// The offers.
    pub offers: Vec<CreateOfferRequest>,
    /// The offers that are put on sale.
    pub ready_for_sale: Vec<MakeReadyForSaleRequest>,
    /// The offers that are put on sale for members of groups.
    pub make_enrollable: Vec<MakeEnrollableRequest>,
    /// The offers whose sale ends after they were on sale.
    pub grandfather: Vec<GrandfatherOfferRequest>,
    /// The maps of offers for the classic system.
    pub offer_maps: Vec<CreateOfferMapRequest>,
    /// The types of the content.
    pub content_types: Vec<CreateContentTypeRequest>,
    /// The content, each entry after those that it names.
    pub content_entries: Vec<CreateContentEntryRequest>,
    /// The publication of every entry, in the same order.
    pub publish: Vec<PublishContentEntryRequest>,
    /// The offers that name their groups, which must be there.
    pub name_groups: Vec<UpdateOfferRequest>,
    /// The names of products in the addresses of the member app.
    pub product_names: Vec<UpdateProductSiteNameRequest>,
    /// The names of offers in the addresses of the member app.
    pub offer_names: Vec<UpdateOfferSiteNameRequest>,
}

impl Demo {
    /// Names a stored document by its id, wherever a contract names it by the name of its file.
    pub fn name_document(&mut self, file_name: &str, file_id: &str) {
        for contract in self.contracts() {
            let variants = contract.variants.iter_mut().map(|variant| &mut variant.document_id);
            let named = variants.chain([&mut contract.document_id]).filter(|document| **document == file_name);
            named.for_each(|document| file_id.clone_into(document));
        }
    }

    /// Takes a document out of the contracts, which cannot name it: it was not stored.
    pub fn drop_document(&mut self, file_name: &str) {
        for contract in self.contracts() {
            contract.variants.retain(|variant| variant.document_id != file_name);
            if contract.document_id == file_name {
                contract.document_id.clear();
            }
        }
    }

    fn contracts(&mut self) -> impl Iterator<Item = &mut ProductContract> {
        let drafts = self.products.iter_mut().filter_map(|request| request.product.as_mut());
        drafts.flat_map(|draft| &mut draft.contracts)
    }
}

/// The demonstration catalog.
#[must_use]
pub fn build_demo() -> Demo {
    let (products, benefits) = (make_products(), benefits::make_benefits());
    let content_entries = content::make_entries();
    let offers = offers::make_offers();
    let (brand, id) = (|| BRAND.to_owned(), |id: &str| id.to_owned());
    let on_sale = offers.iter().filter(|offer| offer.id != GROUP_US);
    Demo {
        documents: documents::make_documents(&products),
        activate_benefits: benefits.iter().map(|one| ActivateBenefitRequest { benefit_id: one.id.clone() }).collect(),
        benefits,
        offer_maps: offer_maps::make_offer_maps(),
        content_types: content::make_types(),
        publish: content_entries
            .iter()
            .map(|entry| PublishContentEntryRequest { content_entry_id: entry.id.clone() })
            .collect(),
        content_entries,
        activate: products.iter().map(|product| ActivateProductRequest { product_id: product.id.clone() }).collect(),
        version: SECOND.iter().map(|(product, _)| VersionProductRequest { product_id: id(product) }).collect(),
        add_benefits: SECOND
            .iter()
            .map(|(product, key)| AddBenefitsRequest {
                product_id: id(product),
                benefits: vec![benefits::product_benefit(key)],
            })
            .collect(),
        ready_for_sale: on_sale
            .map(|offer| MakeReadyForSaleRequest { brand: brand(), offer_id: offer.id.clone() })
            .collect(),
        make_enrollable: vec![MakeEnrollableRequest { brand: brand(), offer_id: id(GROUP_US) }],
        grandfather: vec![GrandfatherOfferRequest { brand: brand(), offer_id: id(LEGACY_US) }],
        name_groups: offers::name_groups(),
        product_names: vec![UpdateProductSiteNameRequest { product_id: id(LEGAL), site_name: id("legal-plan") }],
        offer_names: [(PERSONAL_US, "legal-and-identity"), (BUSINESS_US, "small-business")]
            .map(|(offer, name)| UpdateOfferSiteNameRequest {
                brand: brand(),
                offer_id: id(offer),
                site_name: id(name),
            })
            .to_vec(),
        products,
        offers,
    }
}

/// The products, each in the shipped family of its kind.
fn make_products() -> Vec<CreateProductRequest> {
    vec![legal::make_plan(), identity::make_plan(), small_business::make_plan(), legal::make_legacy_plan()]
}

#[cfg(test)]
mod tests;
