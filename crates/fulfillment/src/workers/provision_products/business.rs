//! The business of a sold business product.

use pavise_kernel::Result;
use tonic::{Code, Request};

use super::run::Run;
use crate::contract::members::business_service_client::BusinessServiceClient;
use crate::contract::members::{
    BusinessAddress, CheckoutBusinessInfo, CreateBusinessFromCheckoutRequest, CreateBusinessRequest,
};
use crate::contract::orders::order_service_client::OrderServiceClient;
use crate::contract::orders::{BusinessInfo, GetOrderRequest};
use crate::contract::v1::{AddBusinessRequest, Provision};

/// The step in idempotency keys.
const STEP: &str = "business";

/// Makes the business with its entitlements, and records it on the provision.
pub(super) async fn add_business(run: &mut Run) -> Result<()> {
    if !run.provision().business_id.is_empty() {
        return Ok(());
    }
    let business_id = create_business(run).await?;
    let request = AddBusinessRequest { provision_id: run.provision().id.clone(), business_id };
    let provision = run.provisions().add_business(run.change_request(request, STEP)).await?.into_inner();
    run.set_provision(provision);
    Ok(())
}

/// Makes the business of what the buyer said in the cart; without an order, of what the provision has.
async fn create_business(run: &Run) -> Result<String> {
    let mut businesses = BusinessServiceClient::new(run.peer_channel("members"));
    let provision = run.provision();
    let associated_entitlement_ids = list_entitlements(provision);
    let made = if let Some(said) = load_business_info(run).await? {
        let request = CreateBusinessFromCheckoutRequest {
            identity_id: provision.owner_id.clone(),
            business_info: Some(to_checkout(said)),
            associated_entitlement_ids,
        };
        businesses.create_business_from_checkout(run.new_request(request, STEP)).await?
    } else {
        let known = provision.business.clone().unwrap_or_default();
        let address = known.address.map(|address| BusinessAddress { address: Some(address), primary: true });
        let request = CreateBusinessRequest {
            identity_id: provision.owner_id.clone(),
            name: known.name.trim().to_owned(),
            doing_business_as: known.doing_business_as.trim().to_owned(),
            addresses: address.into_iter().collect(),
            associated_entitlement_ids,
            ..CreateBusinessRequest::default()
        };
        businesses.create_business(run.new_request(request, STEP)).await?
    };
    Ok(made.into_inner().id)
}

/// The entitlements that belong to the business.
fn list_entitlements(provision: &Provision) -> Vec<String> {
    let lines = provision.lines.iter().filter(|line| line.business && !line.entitlement_id.is_empty());
    lines.map(|line| line.entitlement_id.clone()).collect()
}

/// The business on the order, if there are both.
async fn load_business_info(run: &Run) -> Result<Option<BusinessInfo>> {
    let provision = run.provision();
    if provision.order_id.is_empty() {
        return Ok(None);
    }
    let (order_id, identity_id) = (provision.order_id.clone(), provision.owner_id.clone());
    let request = Request::new(GetOrderRequest { order_id, identity_id, ..GetOrderRequest::default() });
    match OrderServiceClient::new(run.peer_channel("orders")).get_order(request).await {
        Ok(order) => Ok(order.into_inner().business_info),
        Err(status) if status.code() == Code::NotFound => Ok(None),
        Err(status) => Err(status.into()),
    }
}

fn to_checkout(said: BusinessInfo) -> CheckoutBusinessInfo {
    CheckoutBusinessInfo {
        name: said.name.trim().to_owned(),
        address: said.address,
        email: said.email,
        first_name: said.first_name,
        last_name: said.last_name,
        phone_number: said.phone_number,
        phone_type: said.phone_type,
        ..CheckoutBusinessInfo::default()
    }
}
