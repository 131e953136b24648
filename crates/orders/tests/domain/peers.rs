//! The other domains, as far as orders calls them.

use std::collections::{BTreeMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard};

use pavise_kernel::common::v1::{CheckTieRequest, CheckTieResponse, JournalEntry, Money};
use pavise_kernel::error::{Common, Reason};
use pavise_kernel::table::SecurityEvent;
use pavise_kernel::{Error, Result};
use pavise_orders::contract::billing::*;
use pavise_orders::contract::catalog::{
    Benefit, GetBenefitsByIdListRequest, GetBenefitsByIdListResponse, GetProductRequest, GetProductVersionRequest,
    OfferItemType, PricedLine, Product, ProductVersion, SelectionProblem, ValidateSelectionsRequest,
    ValidateSelectionsResponse,
};
use pavise_orders::contract::fulfillment::{
    CancelEntitlementRequest, Coverage, CreateProvisionRequest, Entitlement, EntitlementStatus, GetEntitlementRequest,
    ListCoveragesRequest, ListCoveragesResponse, ListEntitlementsRequest, ListEntitlementsResponse, Provision,
    ProvisionStatus,
};
use pavise_orders::contract::members::{GetProfileRequest, Profile};
use pavise_testkit::scene::{PeerDouble, RecordedCall, journal_entry};
use tonic::Code;

/// The state of the other domains and the calls that they received; shared.
#[derive(Clone, Default)]
pub(crate) struct Peers(Arc<Mutex<State>>);

/// An offer of the catalog: one product, and a supplement "extra" that costs 500.
#[derive(Clone)]
pub(crate) struct Sold {
    pub(crate) initial: i64,
    pub(crate) renewal: i64,
    pub(crate) family: &'static str,
    pub(crate) business: bool,
    pub(crate) max_authorized_users: i32,
    pub(crate) for_sale: bool,
    pub(crate) group_id: &'static str,
}

#[derive(Default)]
pub(crate) struct State {
    pub(crate) offers: BTreeMap<String, Sold>,
    /// The offers on trial, each with the members of its cohort. For others there is no such offer.
    pub(crate) trials: BTreeMap<String, Vec<&'static str>>,
    pub(crate) methods: BTreeMap<String, PaymentMethod>,
    /// The next answers of the vendor for payments of an offer. Later payments are approved.
    pub(crate) script: BTreeMap<String, VecDeque<TransactionStatus>>,
    pub(crate) transactions: BTreeMap<String, Transaction>,
    /// Whether billing can ask no vendor.
    pub(crate) vendor_is_off: bool,
    /// Money that moved: reference and minor units.
    pub(crate) charges: Vec<(String, i64)>,
    pub(crate) invoices: BTreeMap<String, Invoice>,
    pub(crate) payments: BTreeMap<String, (String, i64)>,
    /// The invoices of which all was given back, each time that money moved.
    pub(crate) given_back: Vec<String>,
    pub(crate) provisions: BTreeMap<String, CreateProvisionRequest>,
    pub(crate) entitlements: BTreeMap<String, Entitlement>,
    pub(crate) subscriptions: BTreeMap<String, Subscription>,
    /// The coverages of a person, by their identity.
    pub(crate) coverages: Vec<(&'static str, Coverage)>,
    pub(crate) products: Vec<Product>,
    pub(crate) versions: Vec<ProductVersion>,
    pub(crate) benefits: Vec<Benefit>,
    pub(crate) profiles: BTreeMap<String, Profile>,
}

/// Billing's own reason for a vendor that it cannot ask.
struct VendorIsOff;

impl Reason for VendorIsOff {
    fn name(&self) -> &'static str {
        "VENDOR_NOT_CONFIGURED"
    }

    fn code(&self) -> Code {
        Code::FailedPrecondition
    }

    fn event(&self) -> SecurityEvent {
        SecurityEvent::Unspecified
    }
}

/// Everybody who exists.
const PEOPLE: [&str; 5] = ["alice", "bob", "carol", "mallory", "paula"];
/// The members of the groups "acme" and "globex".
const MEMBERS: [&str; 3] = ["alice", "bob", "carol"];

impl Peers {
    pub(crate) fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap()
    }

    /// A legal plan for the family of the member "alice", who has a card.
    pub(crate) fn usual() -> Self {
        let peers = Self::default();
        let legal = Sold {
            initial: 2495,
            renewal: 2495,
            family: "lgl",
            business: false,
            max_authorized_users: 2,
            for_sale: true,
            group_id: "",
        };
        let identity = Sold { initial: 1495, renewal: 1495, family: "ids", max_authorized_users: 0, ..legal.clone() };
        let business = Sold { initial: 4900, renewal: 4900, family: "bus", business: true, ..legal.clone() };
        let employer = Sold { initial: 1895, renewal: 1895, group_id: "acme", ..legal.clone() };
        let workplace = Sold { group_id: "globex", ..employer.clone() };
        let offers = [
            ("legal", legal),
            ("identity", identity),
            ("business", business),
            ("employer", employer),
            ("workplace", workplace),
        ];
        peers.state().offers = offers.into_iter().map(|(id, offer)| (id.to_owned(), offer)).collect();
        let card = |owner: &str, group: &str, kind: PaymentMethodType| PaymentMethod {
            owner_id: owner.to_owned(),
            group_id: group.to_owned(),
            r#type: kind.into(),
            status: PaymentMethodStatus::Active.into(),
            ..PaymentMethod::default()
        };
        let methods = [
            ("card", card("alice", "", PaymentMethodType::CreditCard)),
            ("premium", card("alice", "acme", PaymentMethodType::PremiumBilling)),
            ("corporate", card("alice", "acme", PaymentMethodType::CreditCard)),
            ("paula's premium", card("paula", "acme", PaymentMethodType::PremiumBilling)),
            ("her own premium", card("alice", "", PaymentMethodType::PremiumBilling)),
        ];
        peers.state().methods = methods.into_iter().map(|(id, method)| (id.to_owned(), method)).collect();
        peers
    }

    pub(crate) fn vendor_says(&self, offer: &str, outcomes: &[TransactionStatus]) {
        self.state().script.insert(offer.to_owned(), outcomes.iter().copied().collect());
    }

    /// Billing, catalog, fulfillment, identity and members.
    pub(crate) fn double(&self) -> PeerDouble {
        let peers = || self.clone();
        let (validate, method, subscription, entitlement) = (peers(), peers(), peers(), peers());
        let (sell, invoice, pay, provision, entitlements) = (peers(), peers(), peers(), peers(), peers());
        let (coverages, product, version, benefits, profile) = (peers(), peers(), peers(), peers(), peers());
        let (end, listed, back, cancel) = (peers(), peers(), peers(), peers());
        PeerDouble::default()
            .with_call("/pavise.catalog.v1.OfferService/ValidateSelections", move |ask| validate.validate(&ask.message))
            .with_call("/pavise.billing.v1.PaymentMethodService/GetPaymentMethod", move |ask| {
                method.method(&ask.message)
            })
            .with_call("/pavise.billing.v1.SubscriptionService/GetSubscription", move |ask| {
                subscription.subscription(&ask.message)
            })
            // A vendor that did not answer in time is asked again.
            .on_anew("/pavise.billing.v1.PaymentMethodService/CreateSale", move |ask| sell.sell(ask.message))
            .with_call("/pavise.billing.v1.InvoiceService/CreateInvoice", move |ask| invoice.invoice(ask))
            .with_call("/pavise.billing.v1.InvoiceService/PayInvoice", move |ask| pay.pay(ask))
            .with_call("/pavise.billing.v1.SubscriptionService/CancelSubscription", move |ask| end.end(&ask.message))
            .with_call("/pavise.billing.v1.InvoiceService/ListInvoices", move |ask| Ok(listed.invoices(&ask.message)))
            .with_call("/pavise.billing.v1.InvoiceService/GiveBackInvoice", move |ask| back.give_back(&ask.message))
            .with_call("/pavise.fulfillment.v1.EntitlementService/CancelEntitlement", move |ask| {
                cancel.cancel(&ask.message)
            })
            .with_call("/pavise.fulfillment.v1.ProvisionService/CreateProvision", move |ask| {
                provision.provision(ask.message)
            })
            .with_call("/pavise.fulfillment.v1.EntitlementService/GetEntitlement", move |ask| {
                entitlement.entitlement(&ask.message)
            })
            .with_call("/pavise.fulfillment.v1.EntitlementService/ListEntitlements", move |ask| {
                Ok(entitlements.entitlements(&ask.message))
            })
            .on_anew("/pavise.identity.v1.TieService/CheckTie", |ask| Ok(check_tie(&ask.message)))
            .on_anew("/pavise.groups.v1.TieService/CheckTie", |_: RecordedCall<CheckTieRequest>| {
                Ok(CheckTieResponse { open: true, ..CheckTieResponse::default() })
            })
            .with_call("/pavise.fulfillment.v1.EntitlementService/ListCoverages", move |ask| {
                Ok(coverages.coverages(&ask.message))
            })
            .with_call("/pavise.catalog.v1.ProductService/GetProduct", move |ask| product.product(&ask.message))
            .with_call("/pavise.catalog.v1.ProductService/GetProductVersion", move |ask| version.version(&ask.message))
            .with_call("/pavise.catalog.v1.BenefitService/GetBenefitsByIdList", move |ask| {
                Ok(benefits.benefits(ask.message))
            })
            .with_call("/pavise.members.v1.ProfileService/GetProfile", move |ask| profile.profile(&ask.message))
    }

    /// The journal of provisions: each was completed.
    pub(crate) fn provisions(&self) -> Vec<JournalEntry> {
        let provisions: Vec<_> = self.state().provisions.values().map(completed).collect();
        let entries = provisions.iter().zip(1..);
        entries.map(|(provision, clock)| journal_entry(clock, "UPDATE_STATUS", &provision.id, provision)).collect()
    }

    fn validate(&self, ask: &ValidateSelectionsRequest) -> Result<ValidateSelectionsResponse> {
        let Some(sold) = self.state().offers.get(&ask.offer_id).cloned() else {
            return Err(Error::not_found("offer", &ask.offer_id));
        };
        let is_others = |members: &Vec<&str>| !members.contains(&ask.identity_id.as_str());
        if self.state().trials.get(&ask.offer_id).is_some_and(is_others) {
            return Err(Error::not_found("offer", &ask.offer_id));
        }
        if !sold.for_sale || sold.group_id != ask.group_id {
            let problem = SelectionProblem {
                field: "offer_id".into(),
                description: "it is not for sale".into(),
                ..SelectionProblem::default()
            };
            return Ok(ValidateSelectionsResponse { problems: vec![problem], ..ValidateSelectionsResponse::default() });
        }
        let money = |amount| Some(Money { currency: ask.currency, amount });
        let mut lines = Vec::new();
        for chosen in &ask.selections {
            let product = PricedLine {
                r#type: OfferItemType::Product.into(),
                product_id: chosen.product_id.clone(),
                tier_id: chosen.tier_id.clone(),
                name: ask.offer_id.clone(),
                family: sold.family.to_owned(),
                initial_price: money(sold.initial),
                renewal_price: money(sold.renewal),
                billing_period: ask.billing_period,
                taxable: true,
                business: sold.business,
                max_authorized_users: sold.max_authorized_users,
                ..PricedLine::default()
            };
            let supplement = |id: &String| PricedLine {
                r#type: OfferItemType::Supplement.into(),
                supplement_id: id.clone(),
                initial_price: money(500),
                renewal_price: money(500),
                max_authorized_users: 0,
                ..product.clone()
            };
            lines.push(product.clone());
            lines.extend(chosen.supplement_ids.iter().map(supplement));
        }
        Ok(ValidateSelectionsResponse {
            valid: true,
            lines,
            offer_name: ask.offer_id.clone(),
            ..ValidateSelectionsResponse::default()
        })
    }

    fn method(&self, ask: &GetPaymentMethodRequest) -> Result<PaymentMethod> {
        let known = self
            .state()
            .methods
            .get(&ask.payment_method_id)
            .filter(|method| method.owner_id == ask.identity_id)
            .cloned();
        known.ok_or_else(|| Error::not_found("payment method", &ask.payment_method_id))
    }

    fn subscription(&self, ask: &GetSubscriptionRequest) -> Result<Subscription> {
        let known =
            self.state().subscriptions.get(&ask.subscription_id).filter(|one| one.owner_id == ask.identity_id).cloned();
        known.ok_or_else(|| Error::not_found("subscription", &ask.subscription_id))
    }

    /// A vendor that is asked twice with one reference answers with the first payment.
    fn sell(&self, ask: CreateSaleRequest) -> Result<Transaction> {
        let mut state = self.state();
        if state.vendor_is_off {
            return Err(Error::new(VendorIsOff, "the payment vendor TEST is off"));
        }
        let known = state.transactions.get(&ask.reference).cloned();
        if let Some(known) = known.as_ref().filter(|known| known.status() != TransactionStatus::Timedout) {
            return Ok(known.clone());
        }
        let said =
            state.script.get_mut(&ask.offer_id).and_then(VecDeque::pop_front).unwrap_or(TransactionStatus::Approved);
        let declined = matches!(said, TransactionStatus::Declined | TransactionStatus::HardDeclined);
        let reason = if declined { DeclineReason::InsufficientFunds } else { DeclineReason::Unspecified };
        let transaction = Transaction {
            id: known.map_or_else(|| format!("transaction {}", state.transactions.len()), |known| known.id),
            status: said.into(),
            amount: ask.amount,
            decline_reason: reason.into(),
            reference: ask.reference.clone(),
            ..Transaction::default()
        };
        if said == TransactionStatus::Approved {
            state.charges.push((ask.reference.clone(), ask.amount.unwrap().amount));
        }
        state.transactions.insert(ask.reference, transaction.clone());
        Ok(transaction)
    }

    fn invoice(&self, RecordedCall { key, message: ask, .. }: RecordedCall<CreateInvoiceRequest>) -> Result<Invoice> {
        let mut state = self.state();
        let known = state.methods.get(&ask.payment_method_id);
        if !ask.payment_method_id.is_empty() && known.is_none_or(|method| method.owner_id != ask.identity_id) {
            return Err(Error::not_found("payment method", &ask.payment_method_id));
        }
        let number = state.invoices.len() + 1;
        let made = state.invoices.entry(key).or_insert_with(|| Invoice {
            id: format!("invoice {number}"),
            owner_id: ask.identity_id,
            items: ask.items,
            order_id: ask.order_id,
            ..Invoice::default()
        });
        Ok(made.clone())
    }

    fn pay(&self, RecordedCall { key, message: ask, .. }: RecordedCall<PayInvoiceRequest>) -> Result<Invoice> {
        let mut state = self.state();
        if !state
            .transactions
            .values()
            .any(|one| one.id == ask.transaction_id && one.status() == TransactionStatus::Approved)
        {
            return Err(Error::new(Common::StatusNotAllowed, "no such payment"));
        }
        state.payments.insert(key, (ask.invoice_id.clone(), ask.amount.unwrap().amount));
        let invoice = state.invoices.values().find(|invoice| invoice.id == ask.invoice_id).cloned();
        invoice.ok_or_else(|| Error::not_found("invoice", &ask.invoice_id))
    }

    fn end(&self, ask: &CancelSubscriptionRequest) -> Result<Subscription> {
        assert_eq!(ask.unused_days(), UnusedDays::Nothing, "what was paid goes back with its invoices");
        let mut state = self.state();
        let known = state.subscriptions.get_mut(&ask.subscription_id).filter(|one| one.owner_id == ask.identity_id);
        let known = known.ok_or_else(|| Error::not_found("subscription", &ask.subscription_id))?;
        known.set_status(SubscriptionStatus::Cancelled);
        Ok(known.clone())
    }

    fn invoices(&self, ask: &ListInvoicesRequest) -> ListInvoicesResponse {
        let is_asked = |one: &&Invoice| one.owner_id == ask.identity_id && one.subscription_id == ask.subscription_id;
        let invoices = self.state().invoices.values().filter(is_asked).cloned().collect();
        ListInvoicesResponse { invoices, ..ListInvoicesResponse::default() }
    }

    fn give_back(&self, ask: &GiveBackInvoiceRequest) -> Result<Invoice> {
        let mut state = self.state();
        let State { invoices, given_back, .. } = &mut *state;
        let known = invoices.values_mut().find(|invoice| invoice.id == ask.invoice_id);
        let known = known.ok_or_else(|| Error::not_found("invoice", &ask.invoice_id))?;
        if known.status() != InvoiceStatus::Refunded {
            known.set_status(InvoiceStatus::Refunded);
            let amount = known.items.iter().map(|item| item.amount.unwrap().amount).sum();
            known.refunded_amount = Some(Money { currency: 1, amount });
            given_back.push(known.id.clone());
        }
        Ok(known.clone())
    }

    fn cancel(&self, ask: &CancelEntitlementRequest) -> Result<Entitlement> {
        let mut state = self.state();
        let known = state.entitlements.get_mut(&ask.entitlement_id).filter(|one| one.owner_id == ask.identity_id);
        let known = known.ok_or_else(|| Error::not_found("entitlement", &ask.entitlement_id))?;
        known.set_status(EntitlementStatus::Cancelled);
        Ok(known.clone())
    }

    fn provision(&self, ask: CreateProvisionRequest) -> Result<Provision> {
        let made = completed(&ask);
        self.state().provisions.insert(ask.order_offer_id.clone(), ask);
        Ok(Provision { status: ProvisionStatus::Created.into(), ..made })
    }

    fn coverages(&self, ask: &ListCoveragesRequest) -> ListCoveragesResponse {
        let state = self.state();
        let theirs = state.coverages.iter().filter(|(person, _)| *person == ask.identity_id);
        let coverages = theirs.map(|(_, coverage)| coverage.clone()).collect();
        ListCoveragesResponse { coverages, ..ListCoveragesResponse::default() }
    }

    fn product(&self, ask: &GetProductRequest) -> Result<Product> {
        let known = self.state().products.iter().find(|product| product.id == ask.product_id).cloned();
        known.ok_or_else(|| Error::not_found("product", &ask.product_id))
    }

    fn version(&self, ask: &GetProductVersionRequest) -> Result<ProductVersion> {
        let is_asked = |one: &&ProductVersion| one.product_id == ask.product_id && one.product_version == ask.version;
        let known = self.state().versions.iter().find(is_asked).cloned();
        known.ok_or_else(|| Error::not_found("product version", &ask.product_id))
    }

    fn benefits(&self, ask: GetBenefitsByIdListRequest) -> GetBenefitsByIdListResponse {
        let state = self.state();
        let find = |id: &String| state.benefits.iter().find(|benefit| benefit.id == *id).cloned();
        let benefits = ask.ids.iter().filter_map(find).collect();
        GetBenefitsByIdListResponse { benefits, ..GetBenefitsByIdListResponse::default() }
    }

    fn profile(&self, ask: &GetProfileRequest) -> Result<Profile> {
        let known = self.state().profiles.get(&ask.identity_id).cloned();
        known.ok_or_else(|| Error::not_found("profile", &ask.identity_id))
    }

    fn entitlement(&self, ask: &GetEntitlementRequest) -> Result<Entitlement> {
        let known =
            self.state().entitlements.get(&ask.entitlement_id).filter(|one| one.owner_id == ask.identity_id).cloned();
        known.ok_or_else(|| Error::not_found("entitlement", &ask.entitlement_id))
    }

    /// A page of one each, so that callers have to turn pages.
    fn entitlements(&self, ask: &ListEntitlementsRequest) -> ListEntitlementsResponse {
        let of_group = |one: &&Entitlement| ask.group_id.is_empty() || one.group_id == ask.group_id;
        let at: usize = ask.page_token.parse().unwrap_or_default();
        let state = self.state();
        let mut found =
            state.entitlements.values().filter(|one| one.owner_id == ask.identity_id).filter(of_group).skip(at);
        let entitlements: Vec<_> = found.next().into_iter().cloned().collect();
        let next_page_token = found.next().map(|_| (at + 1).to_string()).unwrap_or_default();
        ListEntitlementsResponse { entitlements, next_page_token, ..ListEntitlementsResponse::default() }
    }
}

/// The provision in the state in which fulfillment leaves it.
pub(crate) fn completed(ask: &CreateProvisionRequest) -> Provision {
    Provision {
        id: format!("provision {}", ask.order_offer_id),
        owner_id: ask.identity_id.clone(),
        status: ProvisionStatus::Completed.into(),
        order_id: ask.order_id.clone(),
        order_offer_id: ask.order_offer_id.clone(),
        subscription_id: "subscription".to_owned(),
        entitlement_ids: vec![format!("entitlement {}", ask.order_offer_id)],
        ..Provision::default()
    }
}

/// An entitlement of "alice" to a legal plan.
pub(crate) fn plan(status: EntitlementStatus) -> Entitlement {
    Entitlement {
        id: "plan".into(),
        owner_id: "alice".into(),
        status: status.into(),
        product_id: "product".into(),
        tier_id: "tier".into(),
        supplement_ids: vec!["held".into()],
        service_area: pavise_kernel::common::v1::RegionCode::On.into(),
        market_locale: pavise_kernel::common::v1::Locale::EnCa.into(),
        ..Entitlement::default()
    }
}

fn check_tie(ask: &CheckTieRequest) -> CheckTieResponse {
    let is = |people: &[&str]| people.contains(&ask.identity_id.as_str());
    let tied = ["acme", "globex"].contains(&ask.scope_id.as_str()) && is(&MEMBERS);
    CheckTieResponse { exists: is(&PEOPLE), tied, ..CheckTieResponse::default() }
}
