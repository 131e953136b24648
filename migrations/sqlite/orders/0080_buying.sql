-- A product is bought by one order of a buyer at a time. Orders from before say so with their next change.

CREATE UNIQUE INDEX orders_buying ON orders_lookup (value) WHERE name = 'buying';
