-- Entitlements from before versions of products were kept have version 1, which the catalog's migration froze. Their
-- journal says so too, so that its replay still gives the current state.

UPDATE entitlements SET doc = json_set(doc, '$.productVersion', 1) WHERE coalesce(doc->>'productVersion', 0) = 0;
UPDATE entitlements_journal SET doc = json_set(doc, '$.productVersion', 1)
WHERE entity_table = 'entitlements' AND coalesce(doc->>'productVersion', 0) = 0;
