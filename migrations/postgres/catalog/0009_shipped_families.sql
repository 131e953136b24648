-- The families that the platform is shipped with, one of each kind; the family of each product that has none; and
-- version 1 of each product that was on sale before versions were kept. Everything has its entry in a journal.

INSERT INTO journal_counter (journal, clock, epoch)
VALUES ('product_families', 0, replace(gen_random_uuid()::text, '-', '')), ('products', 0, replace(gen_random_uuid()::text, '-', ''))
ON CONFLICT DO NOTHING;
SELECT clock FROM journal_counter WHERE journal IN ('product_families', 'products') ORDER BY journal FOR UPDATE;

CREATE TEMP TABLE shipped_families (id TEXT PRIMARY KEY, doc JSONB NOT NULL);
INSERT INTO shipped_families (id, doc) VALUES
    ('11000000-0000-4000-8000-000000000001', '{"id":"11000000-0000-4000-8000-000000000001","status":"ACTIVE","version":"1","createdAt":"2026-01-01T00:00:00Z","updatedAt":"2026-01-01T00:00:00Z","kind":"Associate","internalName":"shipped-associate","names":[{"id":"en-US","locale":"en-US","text":"Associate fees"},{"id":"es-US","locale":"es-US","text":"Cuotas de asociados"},{"id":"en-CA","locale":"en-CA","text":"Associate fees"},{"id":"fr-CA","locale":"fr-CA","text":"Frais d’associés"}],"descriptions":[{"id":"en-US","locale":"en-US","text":"What associates pay for their work with us."},{"id":"es-US","locale":"es-US","text":"Lo que los asociados pagan por su trabajo con nosotros."},{"id":"en-CA","locale":"en-CA","text":"What associates pay for their work with us."},{"id":"fr-CA","locale":"fr-CA","text":"Ce que les associés paient pour leur travail avec nous."}],"position":10}'),
    ('11000000-0000-4000-8000-000000000002', '{"id":"11000000-0000-4000-8000-000000000002","status":"ACTIVE","version":"1","createdAt":"2026-01-01T00:00:00Z","updatedAt":"2026-01-01T00:00:00Z","kind":"Books","internalName":"shipped-books","names":[{"id":"en-US","locale":"en-US","text":"Books"},{"id":"es-US","locale":"es-US","text":"Libros"},{"id":"en-CA","locale":"en-CA","text":"Books"},{"id":"fr-CA","locale":"fr-CA","text":"Livres"}],"descriptions":[{"id":"en-US","locale":"en-US","text":"Guides to the law."},{"id":"es-US","locale":"es-US","text":"Guías de derecho."},{"id":"en-CA","locale":"en-CA","text":"Guides to the law."},{"id":"fr-CA","locale":"fr-CA","text":"Des guides de droit."}],"position":20}'),
    ('11000000-0000-4000-8000-000000000003', '{"id":"11000000-0000-4000-8000-000000000003","status":"ACTIVE","version":"1","createdAt":"2026-01-01T00:00:00Z","updatedAt":"2026-01-01T00:00:00Z","kind":"Business","internalName":"shipped-business","names":[{"id":"en-US","locale":"en-US","text":"Small business"},{"id":"es-US","locale":"es-US","text":"Pequeña empresa"},{"id":"en-CA","locale":"en-CA","text":"Small business"},{"id":"fr-CA","locale":"fr-CA","text":"Petite entreprise"}],"descriptions":[{"id":"en-US","locale":"en-US","text":"Legal help for companies of up to fifty people."},{"id":"es-US","locale":"es-US","text":"Ayuda legal para empresas de hasta cincuenta personas."},{"id":"en-CA","locale":"en-CA","text":"Legal help for companies of up to fifty people."},{"id":"fr-CA","locale":"fr-CA","text":"Aide juridique pour les entreprises jusqu’à cinquante personnes."}],"position":30}'),
    ('11000000-0000-4000-8000-000000000004', '{"id":"11000000-0000-4000-8000-000000000004","status":"ACTIVE","version":"1","createdAt":"2026-01-01T00:00:00Z","updatedAt":"2026-01-01T00:00:00Z","kind":"CDLP","internalName":"shipped-cdlp","names":[{"id":"en-US","locale":"en-US","text":"Commercial drivers"},{"id":"es-US","locale":"es-US","text":"Conductores comerciales"},{"id":"en-CA","locale":"en-CA","text":"Commercial drivers"},{"id":"fr-CA","locale":"fr-CA","text":"Conducteurs commerciaux"}],"descriptions":[{"id":"en-US","locale":"en-US","text":"Help for those who drive for a living."},{"id":"es-US","locale":"es-US","text":"Ayuda para quienes conducen por trabajo."},{"id":"en-CA","locale":"en-CA","text":"Help for those who drive for a living."},{"id":"fr-CA","locale":"fr-CA","text":"De l’aide pour les conducteurs de métier."}],"position":40}'),
    ('11000000-0000-4000-8000-000000000005', '{"id":"11000000-0000-4000-8000-000000000005","status":"ACTIVE","version":"1","createdAt":"2026-01-01T00:00:00Z","updatedAt":"2026-01-01T00:00:00Z","kind":"Identity","internalName":"shipped-identity","names":[{"id":"en-US","locale":"en-US","text":"Identity protection"},{"id":"es-US","locale":"es-US","text":"Protección de identidad"},{"id":"en-CA","locale":"en-CA","text":"Identity protection"},{"id":"fr-CA","locale":"fr-CA","text":"Protection d’identité"}],"descriptions":[{"id":"en-US","locale":"en-US","text":"We watch your name, numbers and accounts."},{"id":"es-US","locale":"es-US","text":"Vigilamos su nombre, sus números y sus cuentas."},{"id":"en-CA","locale":"en-CA","text":"We watch your name, numbers and accounts."},{"id":"fr-CA","locale":"fr-CA","text":"Nous surveillons votre nom, vos numéros et vos comptes."}],"position":50}'),
    ('11000000-0000-4000-8000-000000000006', '{"id":"11000000-0000-4000-8000-000000000006","status":"ACTIVE","version":"1","createdAt":"2026-01-01T00:00:00Z","updatedAt":"2026-01-01T00:00:00Z","kind":"Legal","internalName":"shipped-legal","names":[{"id":"en-US","locale":"en-US","text":"Legal plans"},{"id":"es-US","locale":"es-US","text":"Planes legales"},{"id":"en-CA","locale":"en-CA","text":"Legal plans"},{"id":"fr-CA","locale":"fr-CA","text":"Régimes juridiques"}],"descriptions":[{"id":"en-US","locale":"en-US","text":"A law firm to ask, for you and your family."},{"id":"es-US","locale":"es-US","text":"Un bufete al que consultar, para usted y su familia."},{"id":"en-CA","locale":"en-CA","text":"A law firm to ask, for you and your family."},{"id":"fr-CA","locale":"fr-CA","text":"Un cabinet d’avocats à consulter, pour vous et votre famille."}],"position":60}'),
    ('11000000-0000-4000-8000-000000000007', '{"id":"11000000-0000-4000-8000-000000000007","status":"ACTIVE","version":"1","createdAt":"2026-01-01T00:00:00Z","updatedAt":"2026-01-01T00:00:00Z","kind":"Shipping","internalName":"shipped-shipping","names":[{"id":"en-US","locale":"en-US","text":"Shipping"},{"id":"es-US","locale":"es-US","text":"Envío"},{"id":"en-CA","locale":"en-CA","text":"Shipping"},{"id":"fr-CA","locale":"fr-CA","text":"Livraison"}],"descriptions":[{"id":"en-US","locale":"en-US","text":"Parcels to your door."},{"id":"es-US","locale":"es-US","text":"Paquetes a su puerta."},{"id":"en-CA","locale":"en-CA","text":"Parcels to your door."},{"id":"fr-CA","locale":"fr-CA","text":"Des colis à votre porte."}],"position":70}');
DELETE FROM shipped_families WHERE id IN (SELECT id FROM product_families);

INSERT INTO product_families (id, owner_id, status, version, clock, created_at, updated_at, doc)
SELECT s.id, '', 'ACTIVE', 1, c.clock + row_number() OVER (ORDER BY s.id), 1767225600000000, 1767225600000000, s.doc
FROM shipped_families s JOIN journal_counter c ON c.journal = 'product_families';

INSERT INTO product_families_journal
    (clock, action, entity_table, entity_id, owner_id, version, at, actor, subject, request_id, removed, doc)
SELECT clock, 'CREATED', 'product_families', id, '', 1, 1767225600000000, '', '', '', false, doc
FROM product_families WHERE id IN (SELECT id FROM shipped_families);

UPDATE journal_counter SET clock = clock + (SELECT count(*) FROM shipped_families) WHERE journal = 'product_families';

CREATE TEMP TABLE completed_products AS
SELECT p.id, p.version + 1 AS version, p.first,
    c.clock + sum(1 + p.first::int) OVER (ORDER BY p.id ROWS UNBOUNDED PRECEDING) AS clock,
    (extract(epoch FROM date_trunc('second', now())) * 1000000)::bigint AS at,
    to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') AS at_text,
    p.doc || jsonb_build_object('version', (p.version + 1)::text, 'productFamilyId', p.family_id, 'productVersion', p.number)
        AS doc
FROM (
    SELECT id, version, doc,
        status IN ('ACTIVE', 'INACTIVE') AND coalesce((doc->>'productVersion')::int, 0) = 0 AS first,
        greatest(coalesce((doc->>'productVersion')::int, 0), (status IN ('ACTIVE', 'INACTIVE'))::int) AS number,
        coalesce(nullif(doc->>'productFamilyId', ''), '11000000-0000-4000-8000-00000000000' || CASE doc->>'family'
            WHEN 'Associate' THEN 1 WHEN 'Books' THEN 2 WHEN 'Business' THEN 3 WHEN 'CDLP' THEN 4 WHEN 'Identity' THEN 5
            WHEN 'Legal' THEN 6 ELSE 7 END) AS family_id
    FROM products
) AS p JOIN journal_counter c ON c.journal = 'products'
WHERE p.first OR coalesce(p.doc->>'productFamilyId', '') = '';

INSERT INTO product_versions (id, owner_id, status, version, clock, created_at, updated_at, doc)
SELECT id || '.1', '', 'FROZEN', 1, clock - 1, at, at, jsonb_build_object('id', id || '.1', 'status', 'FROZEN',
    'version', '1', 'createdAt', at_text, 'updatedAt', at_text, 'productId', id, 'productVersion', 1, 'product', doc,
    'benefits', (SELECT coalesce(jsonb_agg(b.doc), '[]') FROM benefits b WHERE b.id IN (
        SELECT named.value->>'benefitId' FROM jsonb_array_elements(coalesce(completed_products.doc->'benefits', '[]')) named)))
FROM completed_products WHERE first;

INSERT INTO products_journal
    (clock, action, entity_table, entity_id, owner_id, version, at, actor, subject, request_id, removed, doc)
SELECT clock, 'VERSIONED', 'product_versions', id, '', 1, created_at, '', '', '', false, doc
FROM product_versions WHERE id IN (SELECT id || '.1' FROM completed_products WHERE first);

UPDATE products SET version = done.version, clock = done.clock, doc = done.doc
FROM completed_products done WHERE done.id = products.id;

INSERT INTO products_journal
    (clock, action, entity_table, entity_id, owner_id, version, at, actor, subject, request_id, removed, doc)
SELECT p.clock, CASE WHEN done.first THEN 'VERSIONED' ELSE 'UPDATED' END, 'products', p.id, p.owner_id, p.version,
    done.at, '', '', '', false, p.doc
FROM products p JOIN completed_products done ON done.id = p.id;

UPDATE journal_counter SET clock = greatest(clock, (SELECT coalesce(max(clock), 0) FROM completed_products))
WHERE journal = 'products';

DROP TABLE completed_products;
DROP TABLE shipped_families;
