//! The calls of the service `orders`, one file for each that has behaviour.

mod add_supplements;
mod assign_owner;
mod check;
mod create;
mod draft;
mod people;
mod price;
mod provision;
mod purchase;
mod put_authorized_users;
mod put_offers;
mod settle;
mod totals;

use pavise_kernel::{Call, Result};

use crate::contract::OrderHandler;
use crate::contract::v1::*;

/// What the contract leaves to Rust.
#[derive(Debug)]
pub(crate) struct Orders;

impl OrderHandler for Orders {
    async fn create_anonymous_order(&self, call: &Call, request: CreateAnonymousOrderRequest) -> Result<Order> {
        create::anonymous(call, request).await
    }

    async fn create_order(&self, call: &Call, request: CreateOrderRequest) -> Result<Order> {
        create::owned(call, request.identity_id, String::new(), request.order).await
    }

    async fn create_group_order(&self, call: &Call, request: CreateGroupOrderRequest) -> Result<Order> {
        create::owned(call, request.identity_id, request.group_id, request.order).await
    }

    async fn put_offers(&self, call: &Call, request: PutOffersRequest) -> Result<Order> {
        put_offers::handle(call, request).await
    }

    async fn put_authorized_users(&self, call: &Call, request: PutAuthorizedUsersRequest) -> Result<Order> {
        put_authorized_users::handle(call, request).await
    }

    async fn assign_owner(&self, call: &Call, request: AssignOwnerRequest) -> Result<Order> {
        assign_owner::handle(call, request).await
    }

    async fn purchase_order(&self, call: &Call, request: PurchaseOrderRequest) -> Result<Order> {
        purchase::handle(call, request).await
    }

    async fn settle_order(&self, call: &Call, request: SettleOrderRequest) -> Result<Order> {
        settle::handle(call, request).await
    }

    async fn provision_order(&self, call: &Call, request: ProvisionOrderRequest) -> Result<Order> {
        provision::handle(call, request).await
    }

    async fn add_supplements(&self, call: &Call, request: AddSupplementsRequest) -> Result<Order> {
        add_supplements::handle(call, request).await
    }
}
