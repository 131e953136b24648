/** The repricings: what each changes, how it stands, and how far it is. */
import { useLingui } from "@lingui/react";
import {
  RepricingRowStatus,
  RepricingRowStatusSchema,
  RepricingStatusSchema,
  type Repricing,
} from "@pavise/schema/pavise/billing/v1/repricing_pb";
import { RepricingService } from "@pavise/schema/pavise/billing/v1/repricing_service_pb";
import { Link } from "@pavise/ui/Link.tsx";
import { Note } from "@pavise/ui/Notice.tsx";
import { DateTime, dayText } from "@pavise/ui/Value.tsx";
import { Status } from "../../console/Cells.tsx";
import { Bar } from "../Bars.tsx";
import { Asked, DeskHead, moment, Section, Table, useAmount, useAnswer, useSpelt } from "../parts.tsx";
import { NewRepricing } from "./NewRepricing.tsx";
import { isUnderWay } from "./repricing.ts";
import { Plans, Progress } from "./RepricingParts.tsx";
import styles from "../desk.module.css";

const { REPRICED, SKIPPED, WITHDRAWN } = RepricingRowStatus;
/** The newest repricings that are listed. */
const PAGE = 100;

/** The desk's list. It is read again by itself while one is under way. */
export function RepricingsDesk() {
  const { _, i18n } = useLingui();
  const amount = useAmount();
  const spelt = useSpelt();
  const query = useAnswer(
    RepricingService.method.listRepricings,
    { pageSize: PAGE },
    { underWay: ({ repricings }) => repricings.some(isUnderWay) },
  );
  const count = (value: number) => value.toLocaleString(i18n.locale);
  return (
    <div className={styles.desk}>
      <DeskHead desk={_("Desks")} path="/" title={_("Repricing")} actions={<NewRepricing />} />
      <Section title={_("New prices of running subscriptions")}>
        <Asked query={query} lines={5}>
          {({ repricings, nextPageToken }) => (
            <>
              {nextPageToken === "" ? null : (
                <Note title={_("There are more: this shows the newest {most}.", { most: count(PAGE) })} />
              )}
              <Table
                label={_("New prices of running subscriptions")}
                none={_("No running subscription was given another price yet.")}
                rows={repricings}
                rowId={({ id }) => id}
                columns={[
                  {
                    header: _("First day"),
                    cell: ({ id, firstDay }) => (
                      <Link href={`/desk/repricing/${encodeURIComponent(id)}`}>
                        {firstDay === undefined ? id : dayText(i18n.locale, firstDay)}
                      </Link>
                    ),
                  },
                  { header: _("Plans"), cell: (repricing) => <Plans {...repricing} /> },
                  { header: _("Until then"), end: true, cell: ({ oldPrice }) => amount(oldPrice) },
                  { header: _("From then on"), end: true, cell: ({ price }) => amount(price) },
                  { header: _("Status"), cell: ({ status }) => <Status desc={RepricingStatusSchema} value={status} /> },
                  {
                    header: spelt(RepricingRowStatusSchema, REPRICED),
                    end: true,
                    cell: ({ repriced }) => count(repriced),
                  },
                  {
                    header: spelt(RepricingRowStatusSchema, SKIPPED),
                    end: true,
                    cell: ({ skipped }) => count(skipped),
                  },
                  {
                    header: spelt(RepricingRowStatusSchema, WITHDRAWN),
                    end: true,
                    cell: ({ withdrawn }) => count(withdrawn),
                  },
                  { header: _("How far it is"), cell: (repricing) => <HowFar repricing={repricing} /> },
                  { header: _("Requested"), cell: ({ createdAt }) => <DateTime at={moment(createdAt)} only="date" /> },
                ]}
              />
            </>
          )}
        </Asked>
      </Section>
    </div>
  );
}

/** The progress while it is under way, then its results compared. */
function HowFar({ repricing }: { repricing: Repricing }) {
  if (isUnderWay(repricing)) return <Progress repricing={repricing} />;
  const { repriced, skipped, withdrawn } = repricing;
  return (
    <Bar
      parts={[
        { value: repriced - withdrawn, tone: "good" },
        { value: withdrawn, tone: "over" },
        { value: skipped, tone: "warning" },
      ]}
      most={repriced + skipped}
    />
  );
}
