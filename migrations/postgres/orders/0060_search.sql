-- Orders are found across buyers: by status, and by how the names on them begin.

CREATE INDEX orders_status ON orders (status, id);

CREATE TABLE orders_lookup (
    name TEXT NOT NULL,
    value TEXT NOT NULL,
    id TEXT COLLATE "C" NOT NULL,
    PRIMARY KEY (name, value, id)
);
CREATE INDEX orders_lookup_id ON orders_lookup (id);
CREATE INDEX orders_lookup_prefix ON orders_lookup (name, value COLLATE "C", id);

INSERT INTO orders_lookup (name, value, id)
SELECT DISTINCT named.name, lower(named.value COLLATE "C"), orders.id
FROM orders, LATERAL (
    VALUES
        ('personal_info.email', orders.doc->'personalInfo'->>'email'),
        ('personal_info.last_name', orders.doc->'personalInfo'->>'lastName'),
        ('business_info.name', orders.doc->'businessInfo'->>'name'),
        ('business_info.email', orders.doc->'businessInfo'->>'email')
) AS named (name, value)
WHERE named.value <> '';

INSERT INTO orders_lookup (name, value, id)
SELECT DISTINCT 'classic_ids.value', lower((linked->>'value') COLLATE "C"), orders.id
FROM orders, jsonb_array_elements(orders.doc->'classicIds') AS linked
WHERE linked->>'value' <> '';
