//! The calls of offers.

mod content;
mod create;
mod delete;
mod draft;
mod grandfather;
mod invariants;
mod make_enrollable;
mod make_ready_for_sale;
mod migrate;
mod owner;
mod products;
mod provision_type;
mod read;
mod set_pending_approval;
mod stock;
mod validate_selections;

#[cfg(test)]
pub(crate) use stock::must_be_sellable;

use pavise_kernel::{Call, Result};

use crate::contract::OfferHandler;
use crate::contract::v1::{
    AddProductsRequest, ChangeOwnerRequest, CreateOfferRequest, DeleteOfferRequest, GetOfferRequest, GetOffersByIdListRequest,
    GetOffersByIdListResponse, GrandfatherOfferRequest, ListOffersRequest, ListOffersResponse, MakeEnrollableRequest,
    MakeReadyForSaleRequest, MigrateOfferRequest, Offer, ProvisionImmediatelyRequest, ProvisionOnFirstUseRequest,
    SetPendingApprovalRequest, UpdateAvailableLocalitiesRequest, UpdateOfferRequest, UpdateProductsRequest,
    ValidateSelectionsRequest, ValidateSelectionsResponse,
};

/// What the contract leaves to Rust of `offers`: all but the journal, because an offer is named with its brand.
#[derive(Debug, Clone, Copy)]
pub struct Offers;

impl OfferHandler for Offers {
    async fn create_offer(&self, call: &Call, request: CreateOfferRequest) -> Result<Offer> {
        create::create(call, request).await
    }

    async fn get_offer(&self, call: &Call, request: GetOfferRequest) -> Result<Offer> {
        read::get(call, request).await
    }

    async fn list_offers(&self, call: &Call, request: ListOffersRequest) -> Result<ListOffersResponse> {
        read::list(call, request).await
    }

    async fn get_offers_by_id_list(&self, call: &Call, request: GetOffersByIdListRequest) -> Result<GetOffersByIdListResponse> {
        read::by_ids(call, request).await
    }

    async fn update_offer(&self, call: &Call, request: UpdateOfferRequest) -> Result<Offer> {
        content::update(call, request).await
    }

    async fn delete_offer(&self, call: &Call, request: DeleteOfferRequest) -> Result<Offer> {
        delete::delete(call, request).await
    }

    async fn add_products(&self, call: &Call, request: AddProductsRequest) -> Result<Offer> {
        products::add(call, request).await
    }

    async fn update_products(&self, call: &Call, request: UpdateProductsRequest) -> Result<Offer> {
        products::update(call, request).await
    }

    async fn update_available_localities(&self, call: &Call, request: UpdateAvailableLocalitiesRequest) -> Result<Offer> {
        content::update_localities(call, request).await
    }

    async fn validate_selections(&self, call: &Call, request: ValidateSelectionsRequest) -> Result<ValidateSelectionsResponse> {
        validate_selections::validate_selections(call, request).await
    }

    async fn change_owner(&self, call: &Call, request: ChangeOwnerRequest) -> Result<Offer> {
        owner::change_owner(call, request).await
    }

    async fn set_pending_approval(&self, call: &Call, request: SetPendingApprovalRequest) -> Result<Offer> {
        set_pending_approval::set_pending_approval(call, request).await
    }

    async fn make_enrollable(&self, call: &Call, request: MakeEnrollableRequest) -> Result<Offer> {
        make_enrollable::make_enrollable(call, request).await
    }

    async fn make_ready_for_sale(&self, call: &Call, request: MakeReadyForSaleRequest) -> Result<Offer> {
        make_ready_for_sale::make_ready_for_sale(call, request).await
    }

    async fn grandfather_offer(&self, call: &Call, request: GrandfatherOfferRequest) -> Result<Offer> {
        grandfather::grandfather(call, request).await
    }

    async fn provision_on_first_use(&self, call: &Call, request: ProvisionOnFirstUseRequest) -> Result<Offer> {
        provision_type::on_first_use(call, request).await
    }

    async fn provision_immediately(&self, call: &Call, request: ProvisionImmediatelyRequest) -> Result<Offer> {
        provision_type::immediately(call, request).await
    }

    async fn migrate_offer(&self, call: &Call, request: MigrateOfferRequest) -> Result<Offer> {
        migrate::migrate(call, request).await
    }

    async fn migrate_group_offer(&self, call: &Call, request: MigrateOfferRequest) -> Result<Offer> {
        migrate::migrate_group(call, request).await
    }
}
