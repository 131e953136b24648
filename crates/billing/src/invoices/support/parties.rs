//! The seller and the buyer on an invoice, as they are when it is raised.

use pavise_kernel::common::v1::{Address, CountryCode};
use pavise_kernel::{Call, Common, Error, Result};
use tonic::{Response, Status};

use crate::contract::groups::GetGroupRequest;
use crate::contract::groups::group_service_client::GroupServiceClient;
use crate::contract::members::profile_service_client::ProfileServiceClient;
use crate::contract::members::{GetProfileRequest, Profile};
use crate::contract::orders::Order;
use crate::contract::v1::{Invoice, InvoiceBuyer, PaymentMethod, Subscription};
use crate::payment_methods::support::defaults::load_active_of;
use crate::shared::admission::load_order;
use crate::shared::sellers::country_of;
use crate::shared::tools::Tools as _;

/// The most letters of a buyer's name.
const LONGEST_NAME: usize = 200;

/// Names the seller and, unless the invoice does, the buyer. The subscription is the one that is billed.
///
/// # Errors
/// When the database, or a domain that knows the buyer, does not answer.
pub(crate) async fn fill_parties(
    call: &Call,
    invoice: &mut Invoice,
    subscription: Option<&Subscription>,
) -> Result<()> {
    if invoice.buyer.is_none() {
        invoice.buyer = find_buyer(call, invoice, subscription).await?;
    }
    invoice.seller = Some(call.sellers()?.describe_seller(seller_country(invoice)));
    Ok(())
}

/// The country of the seller: that of the buyer, else that of the currency.
pub(crate) fn seller_country(invoice: &Invoice) -> CountryCode {
    let address = invoice.buyer.as_ref().and_then(|buyer| buyer.address.as_ref());
    let country = address.map_or(CountryCode::Unspecified, |address| address.country());
    if country == CountryCode::Unspecified { country_of(invoice.currency) } else { country }
}

/// The one who pays: the holder of the payment method that is charged, or the group that added it; else the holder of the
/// owner's default method; else the buyer of the order; else the owner.
async fn find_buyer(
    call: &Call,
    invoice: &Invoice,
    subscription: Option<&Subscription>,
) -> Result<Option<InvoiceBuyer>> {
    let owner_id = &invoice.owner_id;
    let method_id = or_else(&invoice.payment_method_id, subscription.map(|billed| &billed.payment_method_id));
    if let Some(payer) = find_payer(call, owner_id, method_id).await? {
        return Ok(Some(payer));
    }
    if let Some(holder) = find_default_holder(call, owner_id).await? {
        return Ok(Some(holder));
    }
    let order_id = or_else(&invoice.order_id, subscription.map(|billed| &billed.order_id));
    if let Some(buyer) = find_order_buyer(call, owner_id, order_id).await? {
        return Ok(Some(buyer));
    }
    find_owner(call, owner_id).await
}

fn or_else<'a>(first: &'a str, other: Option<&'a String>) -> &'a str {
    if first.is_empty() { other.map_or("", String::as_str) } else { first }
}

/// The holder of a payment method of the owner, or the group that added it.
async fn find_payer(call: &Call, owner_id: &str, method_id: &str) -> Result<Option<InvoiceBuyer>> {
    if method_id.is_empty() {
        return Ok(None);
    }
    let found: Option<PaymentMethod> = call.find_unscoped(method_id).await?;
    let Some(method) = found.filter(|method| method.owner_id == owner_id) else { return Ok(None) };
    if method.group_id.is_empty() {
        return Ok(describe_holder(method));
    }
    let ask = GetGroupRequest { group_id: method.group_id };
    let group = known(GroupServiceClient::new(call.peer_channel("groups")).get_group(ask).await)?;
    Ok(group.and_then(|group| build_buyer(&group.name, method.billing_address)))
}

/// The holder of the owner's default payment method.
async fn find_default_holder(call: &Call, owner_id: &str) -> Result<Option<InvoiceBuyer>> {
    // Read only: no commit relies on it.
    let mut unit = call.unit();
    let methods = load_active_of(call, &mut unit, owner_id).await?;
    let default = methods.into_iter().find(|method| method.is_default && method.group_id.is_empty());
    Ok(default.and_then(describe_holder))
}

/// The buyer of an order of the owner: the business of a business plan, else the person.
async fn find_order_buyer(call: &Call, owner_id: &str, order_id: &str) -> Result<Option<InvoiceBuyer>> {
    if order_id.is_empty() {
        return Ok(None);
    }
    match load_order(call, owner_id, order_id).await {
        Ok(order) => Ok(describe_order_buyer(order)),
        Err(error) if error.is_transient() => Err(error),
        Err(_) => Ok(None),
    }
}

/// The owner, as their profile has them.
async fn find_owner(call: &Call, owner_id: &str) -> Result<Option<InvoiceBuyer>> {
    let ask = GetProfileRequest { identity_id: owner_id.to_owned() };
    let profile = known(ProfileServiceClient::new(call.peer_channel("members")).get_profile(ask).await)?;
    Ok(profile.and_then(describe_owner))
}

/// The answer of another domain; none where it does not know the id.
fn known<T>(answer: Result<Response<T>, Status>) -> Result<Option<T>> {
    match answer.map_err(Error::from) {
        Ok(found) => Ok(Some(found.into_inner())),
        Err(error) if error.is(Common::NotFound) => Ok(None),
        Err(error) => Err(error),
    }
}

fn describe_holder(method: PaymentMethod) -> Option<InvoiceBuyer> {
    let card = method.card.map(|card| card.holder_name);
    let holder = card.or_else(|| method.bank_account.map(|account| account.holder_name));
    build_buyer(&holder.unwrap_or_default(), method.billing_address)
}

fn describe_order_buyer(order: Order) -> Option<InvoiceBuyer> {
    let (name, address) = match order.business_info {
        Some(business) => (business.name, business.address.or(order.address)),
        None => {
            let person = order.personal_info.unwrap_or_default();
            (format!("{} {}", person.first_name, person.last_name), order.address)
        }
    };
    build_buyer(&name, address).map(|buyer| InvoiceBuyer { locale: order.locale, ..buyer })
}

fn describe_owner(profile: Profile) -> Option<InvoiceBuyer> {
    let name = profile.name.unwrap_or_default();
    let addresses = &profile.addresses;
    let postal = addresses.iter().find(|one| one.primary).or_else(|| addresses.first());
    let address = postal.and_then(|one| one.address.clone());
    let buyer = build_buyer(&format!("{} {}", name.first_name, name.last_name), address)?;
    Some(InvoiceBuyer { locale: profile.locale, ..buyer })
}

/// A buyer with that name; none without one.
fn build_buyer(name: &str, address: Option<Address>) -> Option<InvoiceBuyer> {
    let is_plain = |letter: &char| !matches!(*letter, '\0'..='\u{1f}' | '<' | '>');
    let name: String = name.trim().chars().filter(is_plain).take(LONGEST_NAME).collect();
    (!name.is_empty()).then(|| InvoiceBuyer { name, address, ..InvoiceBuyer::default() })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contract::members::ProfileAddress;
    use crate::contract::orders::{BusinessInfo, PersonalInfo};
    use pavise_kernel::common::v1::{Locale, PersonName};

    fn address(city: &str) -> Option<Address> {
        Some(Address { city: city.to_owned(), ..Address::default() })
    }

    #[test]
    fn a_business_is_the_buyer_of_its_order_and_its_address_comes_first() {
        let person =
            PersonalInfo { first_name: "Ada".to_owned(), last_name: "Lovelace".to_owned(), ..PersonalInfo::default() };
        let private = Order {
            personal_info: Some(person),
            address: address("London"),
            locale: Locale::EnCa.into(),
            ..Order::default()
        };
        let buyer = describe_order_buyer(private.clone()).unwrap();
        assert_eq!(
            (buyer.name.as_str(), buyer.locale(), buyer.address),
            ("Ada Lovelace", Locale::EnCa, address("London"))
        );
        let business =
            BusinessInfo { name: "<Engines>".to_owned(), address: address("Leeds"), ..BusinessInfo::default() };
        let buyer = describe_order_buyer(Order { business_info: Some(business), ..private }).unwrap();
        assert_eq!((buyer.name.as_str(), buyer.address), ("Engines", address("Leeds")));
        assert_eq!(describe_order_buyer(Order::default()), None, "a name of spaces is none");
    }

    #[test]
    fn an_owner_has_the_address_for_letters() {
        let postal =
            |city: &str, primary: bool| ProfileAddress { address: address(city), primary, ..ProfileAddress::default() };
        let profile = Profile {
            name: Some(PersonName { first_name: "Ada".to_owned(), ..PersonName::default() }),
            addresses: vec![postal("Paris", false), postal("London", true)],
            locale: Locale::FrCa.into(),
            ..Profile::default()
        };
        let buyer = describe_owner(profile).unwrap();
        assert_eq!((buyer.name.as_str(), buyer.locale(), buyer.address), ("Ada", Locale::FrCa, address("London")));
        assert_eq!(describe_owner(Profile::default()), None);
    }
}
