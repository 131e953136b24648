-- Subscriptions are found by their payment method, and payment methods by the day on which their card has expired.

CREATE INDEX subscriptions_payment_method_id ON subscriptions ((doc->>'paymentMethodId'), id);

CREATE TABLE payment_methods_lookup (
    name TEXT NOT NULL,
    value TEXT NOT NULL,
    id TEXT COLLATE "C" NOT NULL,
    PRIMARY KEY (name, value, id)
);
CREATE INDEX payment_methods_lookup_id ON payment_methods_lookup (id);
CREATE INDEX payment_methods_lookup_prefix ON payment_methods_lookup (name, value COLLATE "C", id);

-- Cards that were added before there was such a day.
INSERT INTO payment_methods_lookup (name, value, id)
SELECT 'due_to_expire_on', to_char(make_date((doc->'card'->>'expiryYear')::int, (doc->'card'->>'expiryMonth')::int, 1) + interval '1 month', 'YYYY-MM-DD'), id
FROM payment_methods
WHERE status = 'ACTIVE' AND doc->'card'->>'expiryMonth' IS NOT NULL AND doc->'card'->>'expiryYear' IS NOT NULL;
