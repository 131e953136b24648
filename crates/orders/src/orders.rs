//! The calls of the service `orders`, one file for each that has behaviour.

mod add_supplements;
mod assign_owner;
mod check;
mod create;
mod draft;
mod held;
mod people;
mod price;
mod provision;
mod purchase;
mod put_authorized_users;
mod put_offers;
mod settle;
mod totals;

use pavise_kernel::{Call, Result};

use crate::contract::v1::*;

pub(crate) async fn create_anonymous_order(call: &Call, request: CreateAnonymousOrderRequest) -> Result<Order> {
    create::anonymous(call, request).await
}

pub(crate) async fn create_order(call: &Call, request: CreateOrderRequest) -> Result<Order> {
    create::owned(call, request.identity_id, String::new(), request.order).await
}

pub(crate) async fn create_group_order(call: &Call, request: CreateGroupOrderRequest) -> Result<Order> {
    create::owned(call, request.identity_id, request.group_id, request.order).await
}

pub(crate) async fn put_offers(call: &Call, request: PutOffersRequest) -> Result<Order> {
    put_offers::handle(call, request).await
}

pub(crate) async fn put_authorized_users(call: &Call, request: PutAuthorizedUsersRequest) -> Result<Order> {
    put_authorized_users::handle(call, request).await
}

pub(crate) async fn assign_owner(call: &Call, request: AssignOwnerRequest) -> Result<Order> {
    assign_owner::handle(call, request).await
}

pub(crate) async fn purchase_order(call: &Call, request: PurchaseOrderRequest) -> Result<Order> {
    purchase::handle(call, request).await
}

pub(crate) async fn settle_order(call: &Call, request: SettleOrderRequest) -> Result<Order> {
    settle::handle(call, request).await
}

pub(crate) async fn provision_order(call: &Call, request: ProvisionOrderRequest) -> Result<Order> {
    provision::handle(call, request).await
}

pub(crate) async fn add_supplements(call: &Call, request: AddSupplementsRequest) -> Result<Order> {
    add_supplements::handle(call, request).await
}
