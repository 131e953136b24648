-- Subscriptions are found by their payment method, and payment methods by the day on which their card has expired.

CREATE INDEX subscriptions_payment_method_id ON subscriptions ((doc->>'paymentMethodId'), id);

CREATE TABLE payment_methods_lookup (
    name TEXT NOT NULL,
    value TEXT NOT NULL,
    id TEXT NOT NULL,
    PRIMARY KEY (name, value, id)
) WITHOUT ROWID;
CREATE INDEX payment_methods_lookup_id ON payment_methods_lookup (id);

-- Cards that were added before there was such a day.
INSERT INTO payment_methods_lookup (name, value, id)
SELECT 'due_to_expire_on', day, id
FROM (
    SELECT date(printf('%04d-%02d-01', doc->'card'->>'expiryYear', doc->'card'->>'expiryMonth'), '+1 month') AS day, id
    FROM payment_methods
    WHERE status = 'ACTIVE' AND doc->'card' IS NOT NULL
)
WHERE day <> '';
