"""Callers who never stop: they read, and they sell, until a file appears; then they say what failed.

    callers.py STOP ORDERS BILLING REST     the addresses of the three parts

The token is taken from PAVISE_TOKEN. Readers and sellers go through each part in turn, so that every part passes calls
on to every other. A read or a step of a sale that is answered with 5xx or 429, or not at all, is a failure; nothing is
repeated, but for a read on a kept connection that the server had closed between two requests, as any HTTP client does.
Every write carries an idempotency key. Exits with 1 when there was a failure.
"""

import http.client
import json
import os
import sys
import threading
import time
import urllib.parse
import uuid

stop, *addresses = sys.argv[1:]
parts = [urllib.parse.urlsplit(address).netloc for address in addresses]
token = os.environ["PAVISE_TOKEN"]
legal = {"productId": "10000000-0000-4000-8000-000000000001", "tierId": "individual"}
offer = "20000000-0000-4000-8000-000000000001"
counts = {"reads": 0, "writes": 0, "sales": 0, "reopened": 0}
slowest = 0.0
failures = []
lock = threading.Lock()


def stopped():
    return os.path.exists(stop)


def count(what):
    with lock:
        counts[what] += 1


class Failed(Exception):
    pass


def call(part, method, path, body=None, connection=None):
    """One request, on a connection of its own or on the kept one."""
    global slowest
    began = time.monotonic()
    headers = {"authorization": "Bearer " + token}
    if body is not None:
        headers.update({"content-type": "application/json", "idempotency-key": str(uuid.uuid4())})
    once = connection or http.client.HTTPConnection(part, timeout=30)
    try:
        once.request(method, path, None if body is None else json.dumps(body), headers)
        answer = once.getresponse()
        text = answer.read()
    except (OSError, http.client.HTTPException) as error:
        raise Failed(f"{method} {path} at {part}: {error!r}") from error
    finally:
        if connection is None:
            once.close()
    with lock:
        slowest = max(slowest, time.monotonic() - began)
    if answer.status >= 500 or answer.status == 429:
        raise Failed(f"{method} {path} at {part}: {answer.status} {text[:300]!r}")
    if answer.status >= 400:
        raise SystemExit(f"{method} {path}: {answer.status} {text[:300]!r}")
    return json.loads(text)


def failed(error):
    with lock:
        failures.append(f"{time.strftime('%H:%M:%S')} {error}")


def sell(number):
    while not stopped():
        number += 1
        part = parts[number % len(parts)]
        try:
            email = f"{uuid.uuid4()}@example.com"
            member = call(part, "POST", "/v1/identities", {"realm": "User", "emails": [email]})["id"]
            count("writes")
            order = {
                "channel": "BuyNow",
                "locality": "TX",
                "personalInfo": {"firstName": "Ada", "lastName": "Example", "email": email},
                "address": {"address1": "1 Main Street", "city": "Austin", "locality": "TX", "postalCode": "78701", "country": "USA"},
                "offers": [{"brand": "pavise", "offerId": offer, "selections": [legal]}],
            }
            order = call(part, "POST", f"/v2/identities/{member}/orders", order)["id"]
            count("writes")
            card = {"brand": "VISA", "last4": "1111", "expiryMonth": 12, "expiryYear": 2099, "holderName": "Ada Example"}
            method = {"type": "CREDIT_CARD", "vendor": "TEST", "vendorToken": "test_4111111111111111", "card": card}
            method = call(part, "POST", f"/v1/identities/{member}/paymentMethods", method)["id"]
            count("writes")
            place = f"/v2/identities/{member}/orders/{order}"
            call(part, "POST", f"{place}/purchase", {"paymentMethodId": method})
            count("writes")
            until = time.monotonic() + 90
            while (status := call(part, "GET", place)["status"]) != "PROVISIONED":
                count("reads")
                if time.monotonic() > until:
                    raise Failed(f"order {order} is still {status} after 90 s")
                time.sleep(0.05)
            count("sales")
        except Failed as error:
            failed(error)


def read(number, keep):
    paths = [f"/v1/brands/pavise/offers/{offer}", "/v1/orders/journal/maxClock", "/v1/invoices/journal/maxClock", "/v1/identities/journal/maxClock"]
    connection = None
    while not stopped():
        number += 1
        part, path = parts[number // 500 % len(parts)], paths[number % len(paths)]
        if keep and (connection is None or number % 500 == 0):
            connection = http.client.HTTPConnection(part, timeout=30)
        try:
            call(part, "GET", path, connection=connection)
        except Failed as error:
            closed = isinstance(error.__cause__, (http.client.RemoteDisconnected, ConnectionResetError, BrokenPipeError))
            if keep and closed:
                count("reopened")
            else:
                failed(error)
            connection = None
        count("reads")
        time.sleep(0.01)


threads = [threading.Thread(target=sell, args=(number,)) for number in range(3)]
threads += [threading.Thread(target=read, args=(number * 17, number % 2 == 0)) for number in range(4)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
print(", ".join(f"{number} {what}" for what, number in counts.items()) + f", the slowest answer {slowest:.1f} s, {len(failures)} failures")
for failure in failures[:20]:
    print("  ", failure)
sys.exit(1 if failures or not counts["sales"] else 0)
