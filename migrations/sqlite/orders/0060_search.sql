-- Orders are found across buyers: by status, and by how the names on them begin.

CREATE INDEX orders_status ON orders (status, id);

CREATE TABLE orders_lookup (
    name TEXT NOT NULL,
    value TEXT NOT NULL,
    id TEXT NOT NULL,
    PRIMARY KEY (name, value, id)
) WITHOUT ROWID;
CREATE INDEX orders_lookup_id ON orders_lookup (id);

INSERT INTO orders_lookup (name, value, id)
SELECT 'personal_info.email', lower(doc->'personalInfo'->>'email'), id FROM orders WHERE doc->'personalInfo'->>'email' <> ''
UNION
SELECT 'personal_info.last_name', lower(doc->'personalInfo'->>'lastName'), id FROM orders WHERE doc->'personalInfo'->>'lastName' <> ''
UNION
SELECT 'business_info.name', lower(doc->'businessInfo'->>'name'), id FROM orders WHERE doc->'businessInfo'->>'name' <> ''
UNION
SELECT 'business_info.email', lower(doc->'businessInfo'->>'email'), id FROM orders WHERE doc->'businessInfo'->>'email' <> ''
UNION
SELECT 'classic_ids.value', lower(linked.value->>'value'), orders.id
FROM orders, json_each(orders.doc, '$.classicIds') AS linked
WHERE linked.value->>'value' <> '';
