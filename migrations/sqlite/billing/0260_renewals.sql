-- Invoices by the period that they bill, and by the day on which they are collected. Subscriptions by the days on which
-- they are billed and dunned.

CREATE UNIQUE INDEX invoices_billing_key ON invoices ((doc->>'billingKey'));
CREATE INDEX invoices_due_to_collect_on ON invoices ((coalesce(doc->>'dueToCollectOn', '')), id);
CREATE INDEX payment_methods_expires_on ON payment_methods ((coalesce(doc->>'expiresOn', '')), id);
CREATE INDEX subscriptions_due_to_dun_on ON subscriptions ((coalesce(doc->>'dueToDunOn', '')), id);

-- Subscriptions from before there was a day on which the platform bills them. What was left to others stays with them.
INSERT INTO subscriptions_lookup (name, value, id)
SELECT 'due_to_bill_on', date(doc->>'nextBillOn'), id
FROM subscriptions
WHERE status IN ('ACTIVE', 'CATCHING_UP', 'PRECANCEL')
    AND doc->>'vendor' = 'ATLAS'
    AND doc->>'billingPeriod' NOT IN ('PAY_PERIOD', 'ONE_TIME')
    AND date(doc->>'nextBillOn') <> ''
    AND (doc->>'scheduledCancelOn' IS NULL OR date(doc->>'scheduledCancelOn') > date(doc->>'nextBillOn'));
