//! The objects of the stand-in and their states.

use std::collections::BTreeMap;
use std::time::Duration;

use hmac::{Hmac, Mac as _};
use serde_json::{Value, json};
use sha2::Sha256;

use super::api::{Answered, Asked, SEE_OTHER, done, lacks, mismatch, missing, page, refused, unexpected};
use super::entry_page::{write_form, write_over};
use super::objects::{BANK_ACCOUNT, CANADIAN_ACCOUNT, decline_error, decline_of, find_kind, merged, method, shown};
use super::trouble::{Trouble, Troubles};
use super::{API_KEY, VendorPayment};

/// The state of the account.
#[derive(Debug)]
pub(super) struct State {
    url: String,
    pub(super) now: i64,
    pub(super) troubles: Troubles,
    /// The time after which a silent connection breaks off.
    pub(super) silence: Option<Duration>,
    pub(super) requests: usize,
    pub(super) events: Vec<String>,
    objects: BTreeMap<String, Value>,
    /// The ids of the movements, in order.
    movements: Vec<String>,
    keys: BTreeMap<String, (String, Answered)>,
    last_id: u64,
}

/// The signature of a body.
pub(super) fn sign(secret: &str, at: i64, body: &[u8]) -> String {
    // HMAC takes keys of any length.
    let Ok(mut mac) = Hmac::<Sha256>::new_from_slice(secret.as_bytes()) else { return String::new() };
    mac.update(format!("{at}.").as_bytes());
    mac.update(body);
    mac.finalize().into_bytes().iter().map(|byte| format!("{byte:02x}")).collect()
}

/// A text of an object; empty if there is none.
fn text(object: &Value, name: &str) -> String {
    object.get(name).and_then(Value::as_str).unwrap_or_default().to_owned()
}

fn number(object: &Value, name: &str) -> i64 {
    object.get(name).and_then(Value::as_i64).unwrap_or(0)
}

impl State {
    pub(super) fn new(url: String, now: i64) -> Self {
        Self {
            url,
            now,
            troubles: Troubles::default(),
            silence: None,
            requests: 0,
            events: Vec::new(),
            objects: BTreeMap::new(),
            movements: Vec::new(),
            keys: BTreeMap::new(),
            last_id: 0,
        }
    }

    pub(super) fn next_trouble(&mut self, path: &str) -> Trouble {
        self.requests += 1;
        self.troubles.next(path)
    }

    /// Serves a request, unless its key has an answer.
    pub(super) fn serve(&mut self, asked: &Asked, authorization: &str) -> Answered {
        if !asked.path.starts_with("/v1/") {
            return self.serve_page(asked);
        }
        if authorization != format!("Bearer {API_KEY}") {
            return refused(401, "invalid_request_error", "", "Invalid API Key provided.");
        }
        if !asked.is_write || asked.key.is_empty() {
            return self.route(asked);
        }
        if let Some((fingerprint, answered)) = self.keys.get(&asked.key) {
            return if *fingerprint == asked.fingerprint() { answered.clone() } else { mismatch() };
        }
        let answered = self.route(asked);
        self.keys.insert(asked.key.clone(), (asked.fingerprint(), answered.clone()));
        answered
    }

    fn route(&mut self, asked: &Asked) -> Answered {
        let parts: Vec<&str> = asked.path.trim_start_matches("/v1/").split('/').collect();
        match (asked.is_write, parts.as_slice()) {
            (true, ["customers"]) => {
                let id = self.add_customer();
                self.change(&id, json!({"metadata": asked.metadata()}));
                self.show(&id)
            }
            (true, ["payment_methods", name, "attach"]) => self.attach(name, asked.field("customer")),
            (true, ["payment_intents"]) => self.make_payment(asked),
            (true, ["payment_intents", id, "confirm"]) => self.confirm_payment(id, asked),
            (true, ["payment_intents", id, "capture"]) => self.capture(id, asked),
            (true, ["payment_intents", id, "cancel"]) => self.cancel(id, "payment_intent"),
            (true, ["setup_intents"]) => self.make_setup(asked),
            (true, ["setup_intents", id, "confirm"]) => self.confirm_setup(id),
            (true, ["setup_intents", id, "cancel"]) => self.cancel(id, "setup_intent"),
            (true, ["checkout", "sessions"]) => self.make_session(asked),
            (true, ["refunds"]) => self.make_refund(asked),
            (false, ["refunds"]) => {
                let wanted = asked.field("payment_intent");
                let list = self.list("re_", |refund| wanted.is_empty() || text(refund, "payment_intent") == wanted);
                page(asked, &list, "/v1/refunds")
            }
            (false, ["balance_transactions"]) => self.list_movements(asked),
            (false, ["checkout", "sessions", id]) => self.show_session(id, asked),
            (false, [_, id]) => self.show(id),
            _ => refused(404, "invalid_request_error", "", "Unrecognized request URL."),
        }
    }

    /// Serves what browsers ask for: the hosted page, and the bank's.
    fn serve_page(&mut self, asked: &Asked) -> Answered {
        let id = asked.path.rsplit('/').next().unwrap_or_default().to_owned();
        if asked.path.starts_with("/pay/") {
            return self.serve_entry(&id, asked);
        }
        if asked.path.starts_with("/authenticate/") {
            self.authenticate(&id);
            return (200, "<p>Confirmed</p>".to_owned());
        }
        if asked.path == "/steer/dispute" {
            let id = self.open_dispute(asked.field("payment_intent"));
            return (200, json!({ "id": id }).to_string());
        }
        if asked.path == "/steer/refund" {
            self.fail_refund(asked.field("refund"));
            return (200, "{}".to_owned());
        }
        if asked.path == "/steer/close" {
            self.close_dispute(asked.field("dispute"), asked.field("won") == "true");
            return (200, "{}".to_owned());
        }
        if asked.path == "/steer/trouble" {
            let trouble = match asked.field("kind") {
                "busy" => Trouble::Busy,
                "failing" => Trouble::Failing,
                _ => Trouble::SilentAfter,
            };
            self.troubles.meet(asked.field("path"), trouble);
            return (200, "{}".to_owned());
        }
        if asked.path == "/steer/events" {
            let event = |body: &String| {
                json!([body, format!("t={},v1={}", self.now, sign(super::EVENT_SECRET, self.now, body.as_bytes()))])
            };
            return (200, Value::from(self.events.iter().map(event).collect::<Vec<_>>()).to_string());
        }
        (404, "<p>Nothing is here</p>".to_owned())
    }

    // Objects.

    fn new_id(&mut self, prefix: &str) -> String {
        self.last_id += 1;
        format!("{prefix}_{:08}", self.last_id)
    }

    fn get(&self, id: &str) -> Option<&Value> {
        self.objects.get(id)
    }

    fn put(&mut self, object: Value) -> String {
        let id = text(&object, "id");
        self.objects.insert(id.clone(), object);
        id
    }

    fn change(&mut self, id: &str, fields: Value) {
        if let Some(object) = self.objects.remove(id) {
            self.objects.insert(id.to_owned(), merged(object, fields));
        }
    }

    fn show(&self, id: &str) -> Answered {
        self.get(id).map_or_else(|| missing(id), done)
    }

    /// The objects whose ids begin so, the newest first.
    fn list(&self, prefix: &str, wanted: impl Fn(&Value) -> bool) -> Vec<Value> {
        let range = self.objects.range(prefix.to_owned()..);
        let mut found: Vec<Value> = range
            .take_while(|(id, _)| id.starts_with(prefix))
            .map(|(_, object)| object.clone())
            .filter(wanted)
            .collect();
        found.reverse();
        found
    }

    fn tell(&mut self, kind: &str, id: &str) {
        let event_id = self.new_id("evt");
        let object = self.get(id).map(shown).unwrap_or_default();
        let event = json!({"id": event_id, "object": "event", "type": kind, "created": self.now, "livemode": false,
            "api_version": "2025-03-31.basil", "pending_webhooks": 1, "data": {"object": object}});
        self.events.push(event.to_string());
    }

    // Customers and payment methods.

    pub(super) fn add_customer(&mut self) -> String {
        let id = self.new_id("cus");
        self.put(json!({"id": id, "object": "customer", "created": self.now, "livemode": false, "metadata": {}}))
    }

    pub(super) fn add_method(&mut self, kind: &str, customer: &str) -> String {
        let id = self.new_id("pm");
        self.put(method(&id, kind, &Value::from(customer), "Test Holder"))
    }

    pub(super) fn add_mandate(&mut self, method: &str) -> String {
        let id = self.new_id("mandate");
        self.put(json!({"id": id, "object": "mandate", "payment_method": method, "status": "active",
            "type": "multi_use", "livemode": false}))
    }

    pub(super) fn revoke_mandate(&mut self, id: &str) {
        self.change(id, json!({"status": "inactive"}));
        self.tell("mandate.updated", id);
    }

    fn attach(&mut self, name: &str, customer: &str) -> Answered {
        if self.get(customer).is_none() {
            return missing(customer);
        }
        match find_kind(name) {
            Some(kind) => {
                let id = self.add_method(kind, customer);
                self.show(&id)
            }
            None if self.get(name).is_some() => {
                self.change(name, json!({ "customer": customer }));
                self.show(name)
            }
            None => missing(name),
        }
    }

    // Payments.

    fn make_payment(&mut self, asked: &Asked) -> Answered {
        let (amount, currency, card) = (asked.number("amount"), asked.field("currency"), asked.field("payment_method"));
        if amount < 1 {
            return lacks("amount");
        }
        if currency.is_empty() {
            return lacks("currency");
        }
        if !card.is_empty() && self.get(card).is_none() {
            return missing(card);
        }
        let mut types = asked.list("payment_method_types");
        if types.is_empty() {
            types.push("card".to_owned());
        }
        let fits = |kind: &str| match kind {
            "us_bank_account" => currency == "usd",
            "acss_debit" => ["cad", "usd"].contains(&currency),
            _ => true,
        };
        if !types.iter().all(|kind| fits(kind)) {
            let message = format!("The currency provided ({currency}) is invalid for one of the payment method types.");
            return refused(400, "invalid_request_error", "payment_intent_invalid_parameter", &message);
        }
        let status = if card.is_empty() { "requires_payment_method" } else { "requires_confirmation" };
        let capture = if asked.field("capture_method") == "manual" { "manual" } else { "automatic" };
        let id = self.new_id("pi");
        let none = Value::Null;
        let optional = |field: &str| if field.is_empty() { none.clone() } else { Value::from(field) };
        self.put(json!({"id": id, "object": "payment_intent", "amount": amount, "amount_received": 0,
            "amount_capturable": 0, "currency": currency, "status": status, "capture_method": capture,
            "confirmation_method": "automatic", "customer": optional(asked.field("customer")),
            "payment_method": optional(card), "payment_method_types": types, "client_secret": format!("{id}_secret"),
            "last_payment_error": null, "latest_charge": null, "next_action": null, "created": self.now,
            "livemode": false, "metadata": asked.metadata()}));
        if asked.field("confirm") == "true" { self.confirm_payment(&id, asked) } else { self.show(&id) }
    }

    fn confirm_payment(&mut self, id: &str, asked: &Asked) -> Answered {
        let Some(intent) = self.get(id).cloned() else { return missing(id) };
        let given = asked.field("payment_method");
        let card = if given.is_empty() { text(&intent, "payment_method") } else { given.to_owned() };
        let status = text(&intent, "status");
        let waits = status == "requires_confirmation" || (status == "requires_payment_method" && !card.is_empty());
        let Some(found) = self.get(&card).filter(|_| waits).cloned() else {
            return unexpected("payment_intent", &status);
        };
        let kind = text(&found, "_kind");
        let is_trusted = found.get("_trusted").and_then(Value::as_bool).unwrap_or(false);
        let mandate = self.get(asked.field("mandate"));
        let agrees = mandate.is_some_and(|one| text(one, "payment_method") == card && text(one, "status") == "active");
        if kind == CANADIAN_ACCOUNT && !agrees {
            let message = "The provided mandate is invalid and can not be used for the payment intent.";
            return refused(400, "invalid_request_error", "payment_intent_mandate_invalid", message);
        }
        self.change(id, json!({ "payment_method": card }));
        match decline_of(&kind) {
            "" if [BANK_ACCOUNT, CANADIAN_ACCOUNT].contains(&kind.as_str()) => {
                self.change(id, json!({"status": "processing"}));
                self.tell("payment_intent.processing", id);
                self.show(id)
            }
            "" => self.approve(id),
            "authentication_required" if is_trusted => self.approve(id),
            code => {
                let error = decline_error(code);
                let fields =
                    json!({"status": "requires_payment_method", "payment_method": null, "last_payment_error": error});
                self.change(id, fields);
                self.tell("payment_intent.payment_failed", id);
                let intent = self.get(id).map(shown).unwrap_or_default();
                let error = merged(error, json!({ "payment_intent": intent }));
                (402, json!({ "error": error }).to_string())
            }
        }
    }

    fn approve(&mut self, id: &str) -> Answered {
        let amount = self.get(id).map_or(0, |intent| number(intent, "amount"));
        let is_manual = self.get(id).is_some_and(|intent| text(intent, "capture_method") == "manual");
        if is_manual {
            self.change(id, json!({"status": "requires_capture", "amount_capturable": amount}));
            self.tell("payment_intent.amount_capturable_updated", id);
        } else {
            self.receive(id, amount);
        }
        self.show(id)
    }

    /// Receives the money of a payment.
    fn receive(&mut self, id: &str, amount: i64) {
        let Some(intent) = self.get(id).cloned() else { return };
        let metadata = intent.get("metadata").cloned().unwrap_or_default();
        let charge = self.new_id("ch");
        self.put(json!({"id": charge, "object": "charge", "amount": amount, "currency": text(&intent, "currency"),
            "payment_intent": id, "status": "succeeded", "paid": true, "metadata": metadata, "created": self.now}));
        let received = json!({"status": "succeeded", "amount_received": amount, "amount_capturable": 0,
            "latest_charge": charge, "last_payment_error": null});
        self.change(id, received);
        self.move_money("charge", amount, &text(&intent, "currency"), &charge);
        self.tell("payment_intent.succeeded", id);
    }

    fn move_money(&mut self, kind: &str, amount: i64, currency: &str, source: &str) {
        let id = self.new_id("txn");
        self.put(json!({"id": id, "object": "balance_transaction", "type": kind, "amount": amount, "net": amount,
            "fee": 0, "currency": currency, "created": self.now, "source": source, "status": "available"}));
        self.movements.push(id);
    }

    fn capture(&mut self, id: &str, asked: &Asked) -> Answered {
        let Some(intent) = self.get(id).cloned() else { return missing(id) };
        let (status, most) = (text(&intent, "status"), number(&intent, "amount_capturable"));
        if status != "requires_capture" {
            return unexpected("payment_intent", &status);
        }
        let wanted = asked.number("amount_to_capture");
        let amount = if wanted == 0 { most } else { wanted };
        if amount > most {
            return refused(
                400,
                "invalid_request_error",
                "amount_too_large",
                "The amount exceeds what can be captured.",
            );
        }
        let metadata = merged(intent.get("metadata").cloned().unwrap_or_default(), asked.metadata());
        self.change(id, json!({ "metadata": metadata }));
        self.receive(id, amount);
        self.show(id)
    }

    fn cancel(&mut self, id: &str, kind: &str) -> Answered {
        let Some(object) = self.get(id) else { return missing(id) };
        let status = text(object, "status");
        if !status.starts_with("requires_") {
            return unexpected(kind, &status);
        }
        self.change(id, json!({"status": "canceled", "amount_capturable": 0}));
        self.show(id)
    }

    // Verifications.

    fn make_setup(&mut self, asked: &Asked) -> Answered {
        let card = asked.field("payment_method");
        if !card.is_empty() && self.get(card).is_none() {
            return missing(card);
        }
        let status = if card.is_empty() { "requires_payment_method" } else { "requires_confirmation" };
        let mut types = asked.list("payment_method_types");
        if types.is_empty() {
            types.push("card".to_owned());
        }
        let id = self.new_id("seti");
        self.put(json!({"id": id, "object": "setup_intent", "status": status, "customer": asked.field("customer"),
            "payment_method": card, "payment_method_types": types, "usage": "off_session", "next_action": null,
            "last_setup_error": null, "client_secret": format!("{id}_secret"), "created": self.now, "livemode": false,
            "metadata": asked.metadata()}));
        if asked.field("confirm") == "true" { self.confirm_setup(&id) } else { self.show(&id) }
    }

    fn confirm_setup(&mut self, id: &str) -> Answered {
        let Some(intent) = self.get(id).cloned() else { return missing(id) };
        let status = text(&intent, "status");
        if status != "requires_confirmation" {
            return unexpected("setup_intent", &status);
        }
        let card = text(&intent, "payment_method");
        let kind = self.get(&card).map(|card| text(card, "_kind")).unwrap_or_default();
        match decline_of(&kind) {
            "" => {
                self.change(id, json!({"status": "succeeded"}));
                self.tell("setup_intent.succeeded", id);
                self.show(id)
            }
            "authentication_required" => {
                let next = json!({"type": "redirect_to_url",
                    "redirect_to_url": {"url": format!("{}/authenticate/{id}", self.url), "return_url": null}});
                self.change(id, json!({"status": "requires_action", "next_action": next}));
                self.show(id)
            }
            code => {
                let error = decline_error(code);
                self.change(
                    id,
                    json!({"status": "requires_payment_method", "payment_method": null, "last_setup_error": error}),
                );
                self.tell("setup_intent.setup_failed", id);
                let error = merged(error, json!({"setup_intent": self.get(id).map(shown)}));
                (402, json!({ "error": error }).to_string())
            }
        }
    }

    pub(super) fn authenticate(&mut self, id: &str) {
        let waits = self.get(id).is_some_and(|intent| text(intent, "status") == "requires_action");
        if !waits {
            return;
        }
        let card = self.get(id).map(|intent| text(intent, "payment_method")).unwrap_or_default();
        self.change(&card, json!({"_trusted": true}));
        self.change(id, json!({"status": "succeeded", "next_action": null}));
        self.tell("setup_intent.succeeded", id);
    }

    // The hosted page.

    fn make_session(&mut self, asked: &Asked) -> Answered {
        if asked.field("mode") != "setup" {
            return lacks("mode");
        }
        if asked.field("success_url").is_empty() {
            return lacks("success_url");
        }
        let types = asked.list("payment_method_types");
        for option in ["[currency]", "[mandate_options][payment_schedule]"] {
            let name = format!("payment_method_options[acss_debit]{option}");
            if types.iter().any(|kind| kind == "acss_debit") && asked.field(&name).is_empty() {
                return lacks(&name);
            }
        }
        let id = self.new_id("cs_test");
        self.put(json!({"id": id, "object": "checkout.session", "mode": "setup", "status": "open",
            "url": format!("{}/pay/{id}", self.url), "customer": asked.field("customer"), "setup_intent": null,
            "payment_method_types": types, "success_url": asked.field("success_url"),
            "cancel_url": asked.field("cancel_url"),
            "client_reference_id": asked.field("client_reference_id"), "payment_status": "no_payment_required",
            "created": self.now, "livemode": false, "metadata": asked.metadata()}));
        self.show(&id)
    }

    /// Shows the form, or takes it, and leads back to the merchant.
    fn serve_entry(&mut self, id: &str, asked: &Asked) -> Answered {
        let session = self.get(id).filter(|session| text(session, "status") == "open").cloned();
        let Some(session) = session else { return (404, write_over()) };
        if !asked.is_write {
            let types = session.get("payment_method_types").and_then(Value::as_array);
            let types = types.into_iter().flatten().filter_map(Value::as_str).map(str::to_owned);
            return (200, write_form(&types.collect::<Vec<_>>()));
        }
        if asked.field("cancel") == "true" {
            return (SEE_OTHER, text(&session, "cancel_url"));
        }
        self.fill_in(id, asked.field("method"), asked.field("name"));
        (SEE_OTHER, text(&session, "success_url"))
    }

    pub(super) fn fill_in(&mut self, id: &str, name: &str, holder: &str) {
        let Some(session) = self.get(id).filter(|session| text(session, "status") == "open").cloned() else { return };
        let (kind, customer) = (find_kind(name).unwrap_or("pm_card_visa"), text(&session, "customer"));
        let card = self.new_id("pm");
        self.put(method(&card, kind, &Value::from(customer.as_str()), holder));
        // The member is there, and confirms at once.
        self.change(&card, json!({"_trusted": true}));
        let mandate = if kind == CANADIAN_ACCOUNT { Value::from(self.add_mandate(&card)) } else { Value::Null };
        let types = session.get("payment_method_types").cloned().unwrap_or_default();
        let setup = self.new_id("seti");
        self.put(json!({"id": setup, "object": "setup_intent", "status": "succeeded", "customer": customer,
            "payment_method": card, "payment_method_types": types, "mandate": mandate, "next_action": null,
            "last_setup_error": null}));
        self.change(id, json!({"status": "complete", "setup_intent": setup, "url": null}));
        self.tell("checkout.session.completed", id);
    }

    pub(super) fn expire(&mut self, id: &str) {
        self.change(id, json!({"status": "expired", "url": null}));
        self.tell("checkout.session.expired", id);
    }

    fn show_session(&self, id: &str, asked: &Asked) -> Answered {
        let Some(session) = self.get(id) else { return missing(id) };
        if !asked.list("expand").iter().any(|path| path == "setup_intent.payment_method") {
            return done(session);
        }
        let setup = self.get(&text(session, "setup_intent")).map(|setup| {
            let card = self.get(&text(setup, "payment_method")).map(shown);
            merged(setup.clone(), json!({ "payment_method": card }))
        });
        done(&merged(session.clone(), json!({ "setup_intent": setup })))
    }

    // Refunds, drafts, disputes.

    fn make_refund(&mut self, asked: &Asked) -> Answered {
        let payment = asked.field("payment_intent").to_owned();
        let Some(intent) = self.get(&payment).cloned() else { return missing(&payment) };
        let given = self.list("re_", |refund| text(refund, "payment_intent") == payment);
        let stands = given.iter().filter(|refund| text(refund, "status") != "failed");
        let given: i64 = stands.map(|refund| number(refund, "amount")).sum();
        let left = number(&intent, "amount_received") - given;
        let wanted = asked.number("amount");
        let amount = if wanted == 0 { left } else { wanted };
        if left < 1 {
            return refused(400, "invalid_request_error", "charge_already_refunded", "The charge has been refunded.");
        }
        if amount > left {
            return refused(400, "invalid_request_error", "amount_too_large", "The amount exceeds what is left.");
        }
        let (id, currency) = (self.new_id("re"), text(&intent, "currency"));
        self.put(json!({"id": id, "object": "refund", "amount": amount, "currency": currency, "status": "succeeded",
            "payment_intent": payment, "charge": text(&intent, "latest_charge"), "created": self.now,
            "metadata": asked.metadata()}));
        self.move_money("refund", -amount, &currency, &id);
        self.tell("refund.created", &id);
        self.show(&id)
    }

    pub(super) fn fail_refund(&mut self, id: &str) {
        let Some(refund) = self.get(id).filter(|refund| text(refund, "status") != "failed").cloned() else { return };
        self.move_money("refund_failure", number(&refund, "amount"), &text(&refund, "currency"), id);
        let movement = self.movements.last().cloned().unwrap_or_default();
        self.change(
            id,
            json!({"status": "failed", "failure_reason": "expired_or_canceled_card",
            "failure_balance_transaction": movement}),
        );
        self.tell("charge.refund.updated", id);
        self.tell("refund.failed", id);
    }

    pub(super) fn end_draft(&mut self, id: &str, returned: Option<&str>) {
        let amount = self.get(id).map_or(0, |intent| number(intent, "amount"));
        match returned {
            None => self.receive(id, amount),
            Some(code) => {
                let error =
                    json!({"type": "card_error", "code": "payment_method_provider_decline", "decline_code": code});
                let fields =
                    json!({"status": "requires_payment_method", "payment_method": null, "last_payment_error": error});
                self.change(id, fields);
                self.tell("payment_intent.payment_failed", id);
            }
        }
    }

    pub(super) fn open_dispute(&mut self, payment: &str) -> String {
        let amount = self.get(payment).map_or(0, |intent| number(intent, "amount_received"));
        let id = self.new_id("dp");
        self.put(
            json!({"id": id, "object": "dispute", "amount": amount, "currency": "usd", "status": "needs_response",
            "reason": "fraudulent", "payment_intent": payment, "created": self.now, "metadata": {}}),
        );
        self.tell("charge.dispute.created", &id);
        id
    }

    pub(super) fn close_dispute(&mut self, id: &str, won: bool) {
        self.change(id, json!({"status": if won { "won" } else { "lost" }}));
        self.tell("charge.dispute.closed", id);
    }

    // Movements.

    fn list_movements(&self, asked: &Asked) -> Answered {
        let (from, until) = (asked.number("created[gte]"), asked.number("created[lt]"));
        let source = asked.field("source");
        let expands = asked.list("expand").iter().any(|path| path == "data.source");
        let moved = self.movements.iter().rev().filter_map(|id| self.get(id));
        let moved =
            moved.filter(|one| number(one, "created") >= from && (until == 0 || number(one, "created") < until));
        let moved = moved.filter(|one| source.is_empty() || text(one, "source") == source);
        let shown_with = |one: &Value| match self.get(&text(one, "source")).filter(|_| expands) {
            Some(source) => merged(one.clone(), json!({"source": shown(source)})),
            None => one.clone(),
        };
        page(asked, &moved.map(shown_with).collect::<Vec<_>>(), "/v1/balance_transactions")
    }

    /// The movement of a payment or a refund.
    fn movement_of(&self, payment: &str) -> Option<String> {
        let charge = self.get(payment).map(|object| text(object, "latest_charge")).filter(|id| !id.is_empty());
        let source = charge.unwrap_or_else(|| payment.to_owned());
        self.movements.iter().find(|id| self.get(id).is_some_and(|one| text(one, "source") == source)).cloned()
    }

    pub(super) fn damage_movement(&mut self, payment: &str, amount: Option<i64>) {
        let Some(id) = self.movement_of(payment) else { return };
        match amount {
            Some(amount) => self.change(&id, json!({ "amount": amount })),
            None => self.movements.retain(|other| *other != id),
        }
    }

    pub(super) fn add_movement(&mut self, amount: i64) -> String {
        let id = self.new_id("pi");
        self.put(json!({"id": id, "object": "payment_intent", "amount": amount, "currency": "usd", "metadata": {}}));
        self.receive(&id, amount);
        id
    }

    pub(super) fn list_payments(&self) -> Vec<VendorPayment> {
        let received = self.list("pi_", |intent| number(intent, "amount_received") > 0);
        let payment = |intent: &Value| VendorPayment {
            id: text(intent, "id"),
            reference: intent.get("metadata").map(|metadata| text(metadata, "transaction_id")).unwrap_or_default(),
            received: number(intent, "amount_received"),
        };
        received.iter().map(payment).collect()
    }

    pub(super) fn sum_movements(&self) -> i64 {
        self.movements.iter().filter_map(|id| self.get(id)).map(|one| number(one, "amount")).sum()
    }
}
