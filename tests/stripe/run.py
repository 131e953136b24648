"""Lets the official client library of Stripe judge the stand-in that the tests of billing ask: its objects, states, refusals,
idempotency keys and signatures."""

import argparse
import json
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.parse
import urllib.request

import stripe

KEY = "sk_test_only_tests_know_this_key"
SECRET = "whsec_only_tests_know_this_secret"
RETURN = "https://pavise.example/account"


def check(holds, what):
    if not holds:
        sys.exit(f"not so: {what}")


def refusal(kind, call, what):
    try:
        call()
    except kind as error:
        return error
    except stripe.StripeError as error:
        sys.exit(f"not so: {what}: {type(error).__name__}, {error}")
    sys.exit(f"not so: {what}: nothing was refused")


class StayHere(urllib.request.HTTPRedirectHandler):
    """Follows no redirect: the merchant's pages are on no server."""

    def redirect_request(self, *_):
        return None


class StandIn:
    """The server, and the client library that asks it."""

    def __init__(self, binary):
        with socket.socket() as listener:
            listener.bind(("127.0.0.1", 0))
            address = f"127.0.0.1:{listener.getsockname()[1]}"
        self.url = f"http://{address}"
        self.process = subprocess.Popen([binary, address, str(int(time.time()))], stderr=subprocess.PIPE, text=True)
        # It says so once it listens.
        check("serves at" in self.process.stderr.readline(), "the stand-in serves")
        self.client = self.connect()

    def connect(self, key=KEY, retries=0):
        return stripe.StripeClient(key, base_addresses={"api": self.url}, max_network_retries=retries)

    def browse(self, url, **form):
        data = urllib.parse.urlencode(form).encode() if form else None
        try:
            with urllib.request.build_opener(StayHere).open(url, data=data, timeout=10) as answer:
                return answer.read().decode()
        except urllib.error.HTTPError as answer:
            check(answer.code == 303, f"{url} is served")
            return answer.headers["location"]

    def steer(self, what, **form):
        return json.loads(self.browse(f"{self.url}/steer/{what}", **form))

    def card(self, kind):
        customer = self.client.v1.customers.create({"metadata": {"entry_id": "e"}})
        attached = self.client.v1.payment_methods.attach(kind, {"customer": customer.id})
        check(attached.customer == customer.id, "a payment method belongs to its customer")
        return customer.id, attached.id

    def payment(self, kind, amount=2995, **more):
        customer, card = self.card(kind)
        wish = {"amount": amount, "currency": "usd", "customer": customer, "payment_method": card}
        wish |= {"payment_method_types": [more.pop("type", "card")], "metadata": {"transaction_id": "t1"}}
        return self.client.v1.payment_intents.create(wish | more)


def judge_payments(stand_in):
    intents = stand_in.client.v1.payment_intents
    made = stand_in.payment("pm_card_visa")
    check((made.status, made.amount_received) == ("requires_confirmation", 0), "an intent waits for its confirmation")
    done = intents.confirm(made.id, {"off_session": True})
    check((done.status, done.amount_received) == ("succeeded", 2995), "a confirmed intent succeeds")
    check(intents.retrieve(made.id).metadata["transaction_id"] == "t1", "metadata are kept")
    again = refusal(stripe.InvalidRequestError, lambda: intents.confirm(made.id), "an intent succeeds once")
    check(again.code == "payment_intent_unexpected_state", "the refusal says why")
    for kind, code, why in [
        ("pm_card_chargeDeclinedInsufficientFunds", "card_declined", "insufficient_funds"),
        ("pm_card_chargeDeclinedStolenCard", "card_declined", "stolen_card"),
        ("pm_card_chargeDeclinedExpiredCard", "expired_card", "expired_card"),
        ("pm_card_authenticationRequired", "authentication_required", "authentication_required"),
    ]:
        made = stand_in.payment(kind)
        error = refusal(stripe.CardError, lambda: intents.confirm(made.id, {"off_session": True}), f"{kind} is declined")
        check((error.code, error.error.decline_code, error.http_status) == (code, why, 402), f"{kind}: its codes")
        check(error.error.payment_intent.status == "requires_payment_method", "the card of a declined intent is gone")
        refusal(stripe.InvalidRequestError, lambda: intents.confirm(made.id), "a late confirmation does nothing")
    cancelled = intents.cancel(stand_in.payment("pm_card_visa").id)
    check(cancelled.status == "canceled", "an intent is cancelled")
    refusal(stripe.InvalidRequestError, lambda: intents.confirm(cancelled.id), "a cancelled intent is not confirmed")
    held = stand_in.payment("pm_card_visa", capture_method="manual", confirm=True)
    check((held.status, held.amount_capturable) == ("requires_capture", 2995), "an amount is set aside")
    taken = intents.capture(held.id, {"amount_to_capture": 1000, "metadata": {"captured_by": "t2"}})
    check((taken.status, taken.amount_received) == ("succeeded", 1000), "a part of it is captured")
    check(taken.metadata.to_dict() == {"transaction_id": "t1", "captured_by": "t2"}, "metadata are merged")
    refusal(stripe.InvalidRequestError, lambda: intents.capture(held.id), "it is captured once")
    draft = stand_in.payment("pm_usBankAccount_success", type="us_bank_account", confirm=True)
    check(draft.status == "processing", "a draft takes time")
    abroad = {"type": "us_bank_account", "currency": "cad"}
    wrong = lambda: stand_in.payment("pm_usBankAccount_success", **abroad)
    refusal(stripe.InvalidRequestError, wrong, "an account in the United States pays in its currency")
    missing = refusal(stripe.InvalidRequestError, lambda: intents.retrieve("pi_none"), "an unknown intent")
    check((missing.code, missing.http_status) == ("resource_missing", 404), "it is missing")


def judge_refunds(stand_in):
    refunds = stand_in.client.v1.refunds
    paid = stand_in.payment("pm_card_visa", confirm=True)
    part = refunds.create({"payment_intent": paid.id, "amount": 995, "metadata": {"transaction_id": "r1"}})
    check((part.status, part.amount) == ("succeeded", 995), "a part is refunded")
    refusal(stripe.InvalidRequestError, lambda: refunds.create({"payment_intent": paid.id, "amount": 2001}), "too much")
    rest = refunds.create({"payment_intent": paid.id})
    check(rest.amount == 2000, "the rest is refunded")
    over = refusal(stripe.InvalidRequestError, lambda: refunds.create({"payment_intent": paid.id}), "all is refunded")
    check(over.code == "charge_already_refunded", "the refusal says why")
    listed = refunds.list({"payment_intent": paid.id, "limit": 1})
    check(listed.has_more and listed.data[0].id == rest.id, "the newest comes first")
    check([one.id for one in listed.auto_paging_iter()] == [rest.id, part.id], "pages follow each other")
    stand_in.steer("refund", refund=rest.id)
    failed = refunds.retrieve(rest.id)
    check((failed.status, failed.failure_reason) == ("failed", "expired_or_canceled_card"), "a bank does not take a refund")
    again = refunds.create({"payment_intent": paid.id})
    check((again.status, again.amount) == ("succeeded", 2000), "what came back can be refunded")
    told = [stand_in.client.construct_event(body, signature, SECRET) for body, signature in stand_in.steer("events")]
    kinds = {event.type for event in told if event.data.object.id == rest.id}
    check(kinds == {"refund.created", "charge.refund.updated", "refund.failed"}, "a failed refund is told")


def judge_keys(stand_in):
    customers = stand_in.client.v1.customers
    keyed = {"idempotency_key": "k1"}
    first = customers.create({"metadata": {"a": "1"}}, keyed)
    check(customers.create({"metadata": {"a": "1"}}, keyed).id == first.id, "a key gives the answer before")
    error = refusal(stripe.IdempotencyError, lambda: customers.create({"metadata": {"a": "2"}}, keyed), "other parameters")
    check(error.http_status == 400, "a mismatch is the caller's fault")
    check(customers.create({"metadata": {"a": "1"}}, {"idempotency_key": "k2"}).id != first.id, "another key")
    refusal(stripe.AuthenticationError, lambda: stand_in.connect("sk_test_wrong").v1.customers.create(), "a wrong key")
    stand_in.steer("trouble", path="/customers", kind="busy")
    refusal(stripe.RateLimitError, customers.create, "a busy server")
    stand_in.steer("trouble", path="/customers", kind="failing")
    check(stand_in.connect(retries=2).v1.customers.create().id, "the library tries again after a failure")


def judge_pages(stand_in):
    v1 = stand_in.client.v1
    customer = v1.customers.create()
    wish = {"mode": "setup", "customer": customer.id, "payment_method_types": ["card"], "success_url": RETURN}
    wish["cancel_url"] = f"{RETURN}/canceled"
    session = v1.checkout.sessions.create(wish)
    check(session.status == "open" and session.url.startswith(stand_in.url), "a page is open")
    check("<form" in stand_in.browse(session.url), "the page is a form")
    check(stand_in.browse(session.url, cancel="true") == wish["cancel_url"], "a member may go back without a card")
    check(v1.checkout.sessions.retrieve(session.id).status == "open", "the page stays open then")
    led = stand_in.browse(session.url, method="pm_card_mastercard", name="Ada Lovelace")
    check(led == RETURN, "a filled in page leads back")
    done = v1.checkout.sessions.retrieve(session.id, {"expand": ["setup_intent.payment_method"]})
    card = done.setup_intent.payment_method
    check((done.status, done.setup_intent.status) == ("complete", "succeeded"), "a page is filled in")
    check((card.card.brand, card.card.last4, card.billing_details.name) == ("mastercard", "4444", "Ada Lovelace"), "a card")
    judge_canadian_account(stand_in)
    customer, card = stand_in.card("pm_card_authenticationRequired")
    wish = {"customer": customer, "payment_method": card, "confirm": True, "usage": "off_session", "return_url": RETURN}
    setup = v1.setup_intents.create(wish | {"payment_method_types": ["card"]})
    check(setup.status == "requires_action", "the bank wants its owner")
    stand_in.browse(setup.next_action.redirect_to_url.url)
    check(v1.setup_intents.retrieve(setup.id).status == "succeeded", "the owner confirms")
    wish = {"amount": 100, "currency": "usd", "customer": customer, "payment_method": card, "confirm": True}
    check(v1.payment_intents.create(wish | {"off_session": True}).status == "succeeded", "a later charge needs nobody")


def judge_canadian_account(stand_in):
    v1 = stand_in.client.v1
    customer = v1.customers.create()
    wish = {"mode": "setup", "customer": customer.id, "payment_method_types": ["acss_debit"], "success_url": RETURN}
    refusal(stripe.InvalidRequestError, lambda: v1.checkout.sessions.create(wish), "an agreement has a schedule")
    agreement = {"payment_schedule": "sporadic", "transaction_type": "personal"}
    options = {"currency": "cad", "mandate_options": agreement, "verification_method": "instant"}
    session = v1.checkout.sessions.create(wish | {"payment_method_options": {"acss_debit": options}})
    stand_in.browse(session.url, method="pm_acssDebit_success", name="Zoe Belanger")
    setup = v1.checkout.sessions.retrieve(session.id, {"expand": ["setup_intent.payment_method"]}).setup_intent
    account = setup.payment_method
    check((account.type, account.acss_debit.transit_number) == ("acss_debit", "11000"), "an account in Canada")
    check(v1.mandates.retrieve(setup.mandate).status == "active", "its owner agreed to drafts")
    wish = {"amount": 2995, "currency": "cad", "customer": customer.id, "payment_method": account.id}
    made = v1.payment_intents.create(wish | {"payment_method_types": ["acss_debit"]})
    confirm = lambda **more: v1.payment_intents.confirm(made.id, {"off_session": True} | more)
    error = refusal(stripe.InvalidRequestError, confirm, "a draft needs the agreement")
    check(error.code == "payment_intent_mandate_invalid", "the refusal says why")
    check(confirm(mandate=setup.mandate).status == "processing", "a draft takes days")


def judge_events(stand_in):
    paid = stand_in.payment("pm_card_visa", confirm=True)
    dispute = stand_in.steer("dispute", payment_intent=paid.id)["id"]
    check(stand_in.client.v1.disputes.retrieve(dispute).status == "needs_response", "a dispute is open")
    stand_in.steer("close", dispute=dispute, won="false")
    check(stand_in.client.v1.disputes.retrieve(dispute).status == "lost", "a dispute is lost")
    events = stand_in.steer("events")
    kinds = {}
    for body, signature in events:
        event = stand_in.client.construct_event(body, signature, SECRET)
        kinds.setdefault(event.type, []).append(event.data.object.id)
    check(dispute in kinds["charge.dispute.created"] and dispute in kinds["charge.dispute.closed"], "it is told")
    check(paid.id in kinds["payment_intent.succeeded"], "a payment is told")
    body, signature = events[0]
    for changed, signed, secret in [(body + " ", signature, SECRET), (body, signature, "whsec_other"), (body, "t=1,v1=00", SECRET)]:
        forged = lambda: stand_in.client.construct_event(changed, signed, secret)
        refusal(stripe.SignatureVerificationError, forged, "a forged event")


def judge_movements(stand_in):
    moved = stand_in.client.v1.balance_transactions
    now = int(time.time())
    day = {"created": {"gte": now - 3600, "lt": now + 3600}, "expand": ["data.source"], "limit": 3}
    listed = list(moved.list(day).auto_paging_iter())
    kinds = {"charge", "refund", "refund_failure"}
    check({one.type for one in listed} == kinds, "payments and refunds move money, and failed refunds bring it back")
    check(all(one.source.payment_intent.startswith("pi_") for one in listed), "a movement names its payment")
    check(any(one.source.metadata.to_dict().get("transaction_id") == "r1" for one in listed), "a refund has our reference")
    check(len({one.id for one in listed}) == len(listed), "each movement is listed once")
    check(not moved.list({"created": {"gte": now + 3600, "lt": now + 7200}}).data, "another hour has none")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--binary", required=True, help="the stand-in")
    stand_in = StandIn(parser.parse_args().binary)
    try:
        for judge in [judge_payments, judge_refunds, judge_keys, judge_pages, judge_events, judge_movements]:
            judge(stand_in)
            print(f"{judge.__name__.removeprefix('judge_')}: as Stripe's own library wants it", flush=True)
    finally:
        stand_in.process.kill()


if __name__ == "__main__":
    main()
