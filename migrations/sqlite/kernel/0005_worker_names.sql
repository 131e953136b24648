-- Workers have new names. Each goes on where it was under the former name. The former cursors stay: during an upgrade,
-- the program before runs beside this one.

INSERT INTO worker_cursor (worker, clock, epoch)
SELECT 'billing.finish_payments', clock, epoch FROM worker_cursor WHERE worker = 'billing.settle';
UPDATE worker_aside SET worker = 'billing.finish_payments' WHERE worker = 'billing.settle';

INSERT INTO worker_cursor (worker, clock, epoch)
SELECT 'billing.post_payments', clock, epoch FROM worker_cursor WHERE worker = 'billing.post';
UPDATE worker_aside SET worker = 'billing.post_payments' WHERE worker = 'billing.post';

INSERT INTO worker_cursor (worker, clock, epoch)
SELECT 'billing.activate_after_settlement', clock, epoch FROM worker_cursor WHERE worker = 'billing.caught_up';
UPDATE worker_aside SET worker = 'billing.activate_after_settlement' WHERE worker = 'billing.caught_up';

INSERT INTO worker_cursor (worker, clock, epoch)
SELECT 'billing.activate_without_debt', clock, epoch FROM worker_cursor WHERE worker = 'billing.catching_up';
UPDATE worker_aside SET worker = 'billing.activate_without_debt' WHERE worker = 'billing.catching_up';

INSERT INTO worker_cursor (worker, clock, epoch)
SELECT 'fulfillment.provision_products', clock, epoch FROM worker_cursor WHERE worker = 'fulfillment.provision';
UPDATE worker_aside SET worker = 'fulfillment.provision_products' WHERE worker = 'fulfillment.provision';

INSERT INTO worker_cursor (worker, clock, epoch)
SELECT 'fulfillment.end_coverages', clock, epoch FROM worker_cursor WHERE worker = 'fulfillment.endings';
UPDATE worker_aside SET worker = 'fulfillment.end_coverages' WHERE worker = 'fulfillment.endings';

INSERT INTO worker_cursor (worker, clock, epoch)
SELECT 'fulfillment.send_invitations', clock, epoch FROM worker_cursor WHERE worker = 'fulfillment.invitations';
UPDATE worker_aside SET worker = 'fulfillment.send_invitations' WHERE worker = 'fulfillment.invitations';

INSERT INTO worker_cursor (worker, clock, epoch)
SELECT 'identity.deliver_notices', clock, epoch FROM worker_cursor WHERE worker = 'identity.notices';
UPDATE worker_aside SET worker = 'identity.deliver_notices' WHERE worker = 'identity.notices';

INSERT INTO worker_cursor (worker, clock, epoch)
SELECT 'identity.deliver_invitation_notices', clock, epoch FROM worker_cursor WHERE worker = 'identity.invitation_notices';
UPDATE worker_aside SET worker = 'identity.deliver_invitation_notices' WHERE worker = 'identity.invitation_notices';

INSERT INTO worker_cursor (worker, clock, epoch)
SELECT 'identity.prepare_password_resets', clock, epoch FROM worker_cursor WHERE worker = 'identity.password_resets';
UPDATE worker_aside SET worker = 'identity.prepare_password_resets' WHERE worker = 'identity.password_resets';

INSERT INTO worker_cursor (worker, clock, epoch)
SELECT 'identity.merge_names', clock, epoch FROM worker_cursor WHERE worker = 'identity.merge';
UPDATE worker_aside SET worker = 'identity.merge_names' WHERE worker = 'identity.merge';

INSERT INTO worker_cursor (worker, clock, epoch)
SELECT 'orders.sell_offers', clock, epoch FROM worker_cursor WHERE worker = 'orders.sale';
UPDATE worker_aside SET worker = 'orders.sell_offers' WHERE worker = 'orders.sale';

INSERT INTO worker_cursor (worker, clock, epoch)
SELECT 'orders.request_provisions', clock, epoch FROM worker_cursor WHERE worker = 'orders.fulfillment';
UPDATE worker_aside SET worker = 'orders.request_provisions' WHERE worker = 'orders.fulfillment';

INSERT INTO worker_cursor (worker, clock, epoch)
SELECT 'orders.record_provisions', clock, epoch FROM worker_cursor WHERE worker = 'orders.provisioned';
UPDATE worker_aside SET worker = 'orders.record_provisions' WHERE worker = 'orders.provisioned';

INSERT INTO worker_cursor (worker, clock, epoch)
SELECT 'orders.copy_display_names', clock, epoch FROM worker_cursor WHERE worker = 'orders.display_names';
UPDATE worker_aside SET worker = 'orders.copy_display_names' WHERE worker = 'orders.display_names';
