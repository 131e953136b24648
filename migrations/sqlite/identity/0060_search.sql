-- Classic numbers are found without their kind, too. Names are found by how they begin in the side table's key.

INSERT INTO identities_lookup (name, value, id)
SELECT DISTINCT 'classic_ids.value', lower(linked.value->>'value'), identities.id
FROM identities, json_each(identities.doc, '$.classicIds') AS linked
WHERE linked.value->>'value' <> '';
