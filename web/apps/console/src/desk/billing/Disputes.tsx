/** Payments that members dispute at their banks, by state. */
import { useLingui } from "@lingui/react";
import { InvoiceSchema } from "@pavise/schema/pavise/billing/v1/invoice_pb";
import { PaymentMethodService } from "@pavise/schema/pavise/billing/v1/payment_method_service_pb";
import { DisputeStatus, DisputeStatusSchema, TransactionSchema } from "@pavise/schema/pavise/billing/v1/transaction_pb";
import { Select } from "@pavise/ui/Select.tsx";
import { DateTime } from "@pavise/ui/Value.tsx";
import { PersonName, Status } from "../../console/Cells.tsx";
import { useAddress } from "../../frame/address.ts";
import { Asked, moment, RecordLink, Section, Table, useAmount, useAnswer, useSpelt } from "../parts.tsx";

const PAGE = 200;

/** The newest disputes of a state: `?dispute=`. */
export function Disputes() {
  const { _ } = useLingui();
  const amount = useAmount();
  const spelt = useSpelt();
  const { search, setSearch } = useAddress();
  const state = search["dispute"] ?? String(DisputeStatus.OPEN);
  const query = useAnswer(PaymentMethodService.method.listTransactions, {
    disputeStatus: Number(state),
    pageSize: PAGE,
  });
  return (
    <Section
      title={_("Disputes")}
      end={
        <Select
          label={_("State")}
          value={state}
          onChange={(chosen) => setSearch({ ...search, dispute: chosen })}
          choices={[DisputeStatus.OPEN, DisputeStatus.LOST, DisputeStatus.WON].map((one) => ({
            id: String(one),
            label: spelt(DisputeStatusSchema, one),
          }))}
        />
      }
    >
      <Asked query={query}>
        {({ transactions }) => (
          <Table
            label={_("Disputes")}
            none={_("There is none.")}
            rows={transactions}
            rowId={({ id }) => id}
            columns={[
              { header: _("Member"), cell: ({ ownerId }) => <PersonName id={ownerId} /> },
              {
                header: _("State"),
                cell: ({ disputeStatus }) => <Status desc={DisputeStatusSchema} value={disputeStatus} />,
              },
              { header: _("Disputed"), cell: ({ disputedAt }) => <DateTime at={moment(disputedAt)} only="date" /> },
              { header: _("Amount"), end: true, cell: (one) => amount(one.amount) },
              {
                header: _("Invoice"),
                cell: ({ invoiceId, ownerId }) => <RecordLink desc={InvoiceSchema} id={invoiceId} owner={ownerId} />,
              },
              {
                header: _("Transaction"),
                cell: ({ id, ownerId }) => <RecordLink desc={TransactionSchema} id={id} owner={ownerId} />,
              },
            ]}
          />
        )}
      </Asked>
    </Section>
  );
}
