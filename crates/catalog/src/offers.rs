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

use crate::contract::v1::{
    AddProductsRequest, ChangeOwnerRequest, CreateOfferRequest, DeleteOfferRequest, GetOfferRequest, GetOffersByIdListRequest,
    GetOffersByIdListResponse, GrandfatherOfferRequest, ListOffersRequest, ListOffersResponse, MakeEnrollableRequest,
    MakeReadyForSaleRequest, MigrateOfferRequest, Offer, ProvisionImmediatelyRequest, ProvisionOnFirstUseRequest,
    SetPendingApprovalRequest, UpdateAvailableLocalitiesRequest, UpdateOfferRequest, UpdateProductsRequest,
    ValidateSelectionsRequest, ValidateSelectionsResponse,
};

pub(crate) async fn create_offer(call: &Call, request: CreateOfferRequest) -> Result<Offer> {
    create::create(call, request).await
}

pub(crate) async fn get_offer(call: &Call, request: GetOfferRequest) -> Result<Offer> {
    read::get(call, request).await
}

pub(crate) async fn list_offers(call: &Call, request: ListOffersRequest) -> Result<ListOffersResponse> {
    read::list(call, request).await
}

pub(crate) async fn get_offers_by_id_list(call: &Call, request: GetOffersByIdListRequest) -> Result<GetOffersByIdListResponse> {
    read::by_ids(call, request).await
}

pub(crate) async fn update_offer(call: &Call, request: UpdateOfferRequest) -> Result<Offer> {
    content::update(call, request).await
}

pub(crate) async fn delete_offer(call: &Call, request: DeleteOfferRequest) -> Result<Offer> {
    delete::delete(call, request).await
}

pub(crate) async fn add_products(call: &Call, request: AddProductsRequest) -> Result<Offer> {
    products::add(call, request).await
}

pub(crate) async fn update_products(call: &Call, request: UpdateProductsRequest) -> Result<Offer> {
    products::update(call, request).await
}

pub(crate) async fn update_available_localities(call: &Call, request: UpdateAvailableLocalitiesRequest) -> Result<Offer> {
    content::update_localities(call, request).await
}

pub(crate) async fn validate_selections(call: &Call, request: ValidateSelectionsRequest) -> Result<ValidateSelectionsResponse> {
    validate_selections::validate_selections(call, request).await
}

pub(crate) async fn change_owner(call: &Call, request: ChangeOwnerRequest) -> Result<Offer> {
    owner::change_owner(call, request).await
}

pub(crate) async fn set_pending_approval(call: &Call, request: SetPendingApprovalRequest) -> Result<Offer> {
    set_pending_approval::set_pending_approval(call, request).await
}

pub(crate) async fn make_enrollable(call: &Call, request: MakeEnrollableRequest) -> Result<Offer> {
    make_enrollable::make_enrollable(call, request).await
}

pub(crate) async fn make_ready_for_sale(call: &Call, request: MakeReadyForSaleRequest) -> Result<Offer> {
    make_ready_for_sale::make_ready_for_sale(call, request).await
}

pub(crate) async fn grandfather_offer(call: &Call, request: GrandfatherOfferRequest) -> Result<Offer> {
    grandfather::grandfather(call, request).await
}

pub(crate) async fn provision_on_first_use(call: &Call, request: ProvisionOnFirstUseRequest) -> Result<Offer> {
    provision_type::on_first_use(call, request).await
}

pub(crate) async fn provision_immediately(call: &Call, request: ProvisionImmediatelyRequest) -> Result<Offer> {
    provision_type::immediately(call, request).await
}

pub(crate) async fn migrate_offer(call: &Call, request: MigrateOfferRequest) -> Result<Offer> {
    migrate::migrate(call, request).await
}

pub(crate) async fn migrate_group_offer(call: &Call, request: MigrateOfferRequest) -> Result<Offer> {
    migrate::migrate_group(call, request).await
}
