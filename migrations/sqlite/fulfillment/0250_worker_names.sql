-- Workers have new names. Each goes on where it was under the former name. The former cursors stay: during an upgrade,
-- the program before runs beside this one.

INSERT INTO worker_cursor (worker, clock, epoch)
SELECT 'fulfillment.provision_products', clock, epoch FROM worker_cursor WHERE worker = 'fulfillment.provision';
UPDATE worker_aside SET worker = 'fulfillment.provision_products' WHERE worker = 'fulfillment.provision';

INSERT INTO worker_cursor (worker, clock, epoch)
SELECT 'fulfillment.end_coverages', clock, epoch FROM worker_cursor WHERE worker = 'fulfillment.endings';
UPDATE worker_aside SET worker = 'fulfillment.end_coverages' WHERE worker = 'fulfillment.endings';

INSERT INTO worker_cursor (worker, clock, epoch)
SELECT 'fulfillment.send_invitations', clock, epoch FROM worker_cursor WHERE worker = 'fulfillment.invitations';
UPDATE worker_aside SET worker = 'fulfillment.send_invitations' WHERE worker = 'fulfillment.invitations';
