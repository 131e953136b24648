-- Classic numbers are found without their kind, too. Names are found by how they begin, compared byte by byte.

INSERT INTO identities_lookup (name, value, id)
SELECT DISTINCT 'classic_ids.value', lower((linked->>'value') COLLATE "C"), identities.id
FROM identities, jsonb_array_elements(identities.doc->'classicIds') AS linked
WHERE linked->>'value' <> '';

CREATE INDEX identities_lookup_prefix ON identities_lookup (name, value COLLATE "C", id);
