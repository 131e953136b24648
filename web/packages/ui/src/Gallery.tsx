// Every component in every state, on one page: for developers, and for the browser tests.
import { useMemo, useState, type ReactNode } from "react";
import { Button, IconButton } from "./Button.tsx";
import { Checkbox, CheckboxGroup, Radio, RadioGroup, Switch } from "./Choices.tsx";
import { ComboBox } from "./ComboBox.tsx";
import { DateField, type Day } from "./DateField.tsx";
import { Dialog, DialogTrigger, Panel } from "./Dialog.tsx";
import { TextArea, TextField } from "./Field.tsx";
import { Grid, type GridColumn, type GridSort } from "./Grid.tsx";
import * as icons from "./icons.tsx";
import { Link } from "./Link.tsx";
import { Menu, MenuItem, MenuSection, MenuSeparator } from "./Menu.tsx";
import { CopyText, EmptyState, ErrorPanel, Note } from "./Notice.tsx";
import { MoneyField, NumberField } from "./NumberField.tsx";
import { Popover, Tooltip } from "./Overlay.tsx";
import { NativeSelect } from "./NativeSelect.tsx";
import { Palette } from "./Palette.tsx";
import { ProgressBar, Skeleton, SkeletonText } from "./Progress.tsx";
import { Select } from "./Select.tsx";
import { Strip } from "./Strip.tsx";
import { Tabs } from "./Tabs.tsx";
import { Diff, Timeline } from "./Timeline.tsx";
import { toast, Toasts } from "./toasts.tsx";
import { DateTime, DayText, Facts, Id, Money, StatusDot } from "./Value.tsx";
import { PageTitle } from "./PageTitle.tsx";
import styles from "./Gallery.module.css";

const COLOURS = [
  "paper",
  "raised",
  "sunk",
  "line",
  "control",
  "ink",
  "ink-soft",
  "ink-faint",
  "petrol",
  "ochre",
  "brick",
  "moss",
  "blue",
];
const CHOICES = [
  { id: "monthly", label: "Monthly" },
  { id: "annual", label: "Annual", detail: "Eleven months’ price for twelve" },
  { id: "payroll", label: "With each payroll", disabled: true },
] as const;
const MOMENT = new Date("2026-03-14T09:26:00Z");

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className={styles.section}>
      <h2>{title}</h2>
      {children}
    </section>
  );
}

/** The gallery. */
export function Gallery() {
  return (
    <div className={styles.gallery}>
      <PageTitle>Components</PageTitle>
      <Section title="Colour">
        <div className={styles.specimen}>
          {COLOURS.map((name) => (
            <div key={name} className={styles.swatch}>
              <div className={styles.colour} style={{ background: `var(--${name})` }} />
              {name}
            </div>
          ))}
        </div>
      </Section>
      <Section title="Type">
        <h1>Heading of a page</h1>
        <h2>Heading of a part</h2>
        <h3>Heading of a paragraph</h3>
        <p>
          Text with tabular figures: 1,234.50 and 9,876.10. An id is written{" "}
          <Id>20000000-0000-4000-8000-000000000001</Id>.
        </p>
      </Section>
      <Section title="Icons">
        <div className={styles.row}>
          {Object.entries(icons).map(([name, Icon]) => (
            <Icon key={name} label={name.slice(4)} />
          ))}
        </div>
      </Section>
      <Buttons />
      <Fields />
      <Overlays />
      <Values />
      <Rows />
      <Notices />
      <Toasts />
    </div>
  );
}

function Buttons() {
  return (
    <Section title="Buttons and links">
      {(["primary", "secondary", "quiet", "danger"] as const).map((kind) => (
        <div key={kind} className={styles.row}>
          <Button kind={kind}>{kind}</Button>
          <Button kind={kind} isDisabled>
            disabled
          </Button>
          <Button kind={kind} isPending>
            pending
          </Button>
          <Link kind={kind} href="#link">
            a link
          </Link>
        </div>
      ))}
      <div className={styles.row}>
        <IconButton label="Search">
          <icons.IconSearch />
        </IconButton>
        <IconButton label="Search, disabled" isDisabled>
          <icons.IconSearch />
        </IconButton>
        <Link href="#word">A link in a text</Link>
      </div>
    </Section>
  );
}

function Fields() {
  const [amount, setAmount] = useState<bigint | null>(199995n);
  const [day, setDay] = useState<Day | null>({ year: 2026, month: 3, day: 14 });
  const [period, setPeriod] = useState<string | null>("annual");
  const [picked, setPicked] = useState<string | null>("monthly");
  const [found, setFound] = useState<string | null>(null);
  return (
    <Section title="Fields">
      <div className={styles.specimen}>
        <TextField label="Text" help="What helps to fill it in" placeholder="Placeholder" />
        <TextField label="Optional" optional defaultValue="Ada" />
        <TextField label="Wrong" defaultValue="ada@" error="An address has something after the at sign." />
        <TextField label="Disabled" isDisabled defaultValue="Not now" />
        <TextField label="Read only" isReadOnly defaultValue="As it is" />
        <TextField label="An id" mono defaultValue="10000000-0000" />
        <TextArea label="Several lines" defaultValue={"One\nTwo"} />
        <NumberField label="Number" steps defaultValue={4} minValue={0} />
        <MoneyField label="Amount" currency="USD" value={amount} onChange={setAmount} />
        <DateField label="Day" value={day} onChange={setDay} />
        <DateField label="Day, wrong" value={day} onChange={setDay} error="That day is over." />
        <Select label="One of some" choices={CHOICES} value={period} onChange={setPeriod} />
        <Select label="Nothing chosen" choices={CHOICES} value={null} onChange={setPeriod} error="Choose one." />
        <Select label="Disabled" choices={CHOICES} value="annual" onChange={setPeriod} isDisabled />
        <NativeSelect label="The browser’s own" choices={CHOICES} value={period} onChange={setPeriod} />
        <ComboBox label="One of many" choices={CHOICES} value={found} onChange={setFound} placeholder="Type to find" />
        <CheckboxGroup label="Any of them" defaultValue={["legal"]}>
          <Checkbox value="legal" detail="A law firm on your side">
            Legal
          </Checkbox>
          <Checkbox value="identity">Identity</Checkbox>
          <Checkbox value="business" isDisabled>
            Business
          </Checkbox>
        </CheckboxGroup>
        <RadioGroup label="One of them" value={picked} onChange={setPicked}>
          <Radio value="monthly">Monthly</Radio>
          <Radio value="annual" detail="A month free">
            Annual
          </Radio>
          <Radio value="once" isDisabled>
            Once
          </Radio>
        </RadioGroup>
        <div>
          <Checkbox isIndeterminate>Some of them</Checkbox>
          <br />
          <Switch defaultSelected>On</Switch>
          <br />
          <Switch detail="Takes effect at once">Off</Switch>
          <br />
          <Switch isDisabled>Disabled</Switch>
        </div>
      </div>
    </Section>
  );
}

/** The entries of the palette here. */
const GROUPS = [
  {
    id: "go",
    label: "Go to",
    items: [{ id: "orders", label: "Orders", keys: "g o", run: () => toast({ title: "Orders" }) }],
  },
  {
    id: "do",
    label: "Do",
    items: [
      {
        id: "refund",
        label: "Refund an invoice",
        detail: "billing.RefundInvoice",
        run: () => toast({ title: "Refund" }),
      },
    ],
  },
];

function Overlays() {
  const [palette, setPalette] = useState(false);
  const [panel, setPanel] = useState(false);
  return (
    <Section title="Over the page">
      <div className={styles.row}>
        <Dialogs />
        <Button onPress={() => setPanel(true)}>Panel</Button>
        <Panel label="A panel" open={panel} onOpenChange={setPanel} end>
          {(close) => (
            <div className={styles.gallery}>
              <Button onPress={close}>Close</Button>
            </div>
          )}
        </Panel>
        <DialogTrigger>
          <Button>Popover</Button>
          <Popover label="More about it">Something more about the button.</Popover>
        </DialogTrigger>
        <Tooltip text="A hint" delay={0}>
          <Button>Tooltip</Button>
        </Tooltip>
        <Menu label="What can be done" trigger={<Button>Menu</Button>}>
          <MenuSection label="Order">
            <MenuItem id="open" label="Open" keys="Enter" />
            <MenuItem id="copy" label="Copy the id" detail="For the logs" />
            <MenuItem id="later" label="Not now" isDisabled />
          </MenuSection>
          <MenuSeparator />
          <MenuItem id="delete" label="Delete" danger />
        </Menu>
        <Button onPress={() => setPalette(true)}>Palette</Button>
        <Notes />
      </div>
      <Palette open={palette} onOpenChange={setPalette} groups={GROUPS} />
    </Section>
  );
}

/** A form dialog, and a confirmation before a removal. */
function Dialogs() {
  return (
    <>
      <DialogTrigger>
        <Button>Dialog</Button>
        <Dialog
          title="Change the plan"
          actions={(close) => (
            <Button kind="primary" onPress={close}>
              Change
            </Button>
          )}
        >
          <p>From the next billing day on.</p>
          <TextField label="Reason" />
        </Dialog>
      </DialogTrigger>
      <DialogTrigger>
        <Button kind="danger">Dangerous dialog</Button>
        <Dialog
          title="Refund $29.95?"
          danger
          actions={(close) => (
            <>
              <Button onPress={close}>Keep</Button>
              <Button kind="danger" onPress={close}>
                Refund
              </Button>
            </>
          )}
        >
          <p>The money goes back to the card. This cannot be undone.</p>
        </Dialog>
      </DialogTrigger>
    </>
  );
}

/** Toasts. */
function Notes() {
  return (
    <>
      <Button
        onPress={() =>
          toast({ title: "Note pinned", action: { label: "Undo", run: () => toast({ title: "Undone" }) } })
        }
      >
        Toast
      </Button>
      <Button onPress={() => toast({ title: "Not saved", detail: "The server was not reached.", tone: "bad" })}>
        Bad toast
      </Button>
    </>
  );
}

function Values() {
  return (
    <Section title="Values">
      <div className={styles.row}>
        <StatusDot tone="good">Active</StatusDot>
        <StatusDot tone="warning">Pending cancellation</StatusDot>
        <StatusDot tone="bad">Payment failed</StatusDot>
        <StatusDot tone="busy">Processing</StatusDot>
        <StatusDot tone="over">Cancelled</StatusDot>
        <StatusDot tone="neutral">Open</StatusDot>
      </div>
      <Facts
        facts={[
          { name: "Amount", value: <Money amount={2995n} currency="USD" /> },
          { name: "Moment", value: <DateTime at={MOMENT} zone="UTC" /> },
          { name: "Day", value: <DayText day={{ year: 2026, month: 3, day: 14 }} long /> },
          { name: "Nothing", value: <DateTime at={null} /> },
          { name: "Trace", value: <CopyText text="4f1c0b7e9a" /> },
        ]}
      />
      <Tabs
        label="Views"
        tabs={[
          { id: "timeline", label: "Timeline", content: <Events /> },
          { id: "diff", label: "Diff", content: <Changes /> },
          { id: "none", label: "Disabled", content: null, disabled: true },
        ]}
      />
    </Section>
  );
}

function Changes() {
  return (
    <Diff
      changes={[
        { name: "Status", before: "OPEN", after: "PROCESSING" },
        { name: "Payment method", after: "Visa 1111" },
        { name: "Failure reason", before: "INSUFFICIENT_FUNDS" },
      ]}
    />
  );
}

function at(minutes: number): Date {
  return new Date(MOMENT.getTime() - minutes * 60_000);
}

function Events() {
  return (
    <Timeline
      label="What was done"
      events={[
        { id: "3", action: "Provisioned", at: at(0), who: "orders.record_provisions" },
        { id: "2", action: "Purchased", at: at(2), who: "Ada Example", more: <Changes /> },
        { id: "1", action: "Created", at: at(9), who: "Ada Example" },
      ]}
    />
  );
}

type Specimen = { id: string; member: string; amount: bigint; status: string };

function Rows() {
  const [rows, setRows] = useState<Specimen[]>([]);
  const [sort, setSort] = useState<GridSort | null>(null);
  const [selected, setSelected] = useState<Set<string>>(new Set());
  const [widths, setWidths] = useState<Record<string, number>>({});
  const columns = useMemo<GridColumn<Specimen>[]>(
    () => [
      { id: "id", header: "Order", cell: (row) => <Id>{row.id}</Id>, width: 140, sortable: true },
      { id: "member", header: "Member", cell: (row) => row.member, width: 220, sortable: true },
      {
        id: "amount",
        header: "Due",
        cell: (row) => <Money amount={row.amount} currency="USD" />,
        width: 120,
        end: true,
      },
      {
        id: "status",
        header: "Status",
        cell: (row) => <StatusDot tone={row.status === "Failed" ? "bad" : "good"}>{row.status}</StatusDot>,
      },
    ],
    [],
  );
  function fill(count: number) {
    setRows(
      Array.from({ length: count }, (_unused, index) => ({
        id: `R-${String(index + 1).padStart(6, "0")}`,
        member: `Member ${(index * 7919) % 100_000}`,
        amount: BigInt(995 + ((index * 37) % 9000)),
        status: index % 11 === 3 ? "Failed" : "Paid",
      })),
    );
  }
  return (
    <Section title="Grid">
      <div className={styles.row}>
        <Button onPress={() => fill(100_000)}>100,000 rows</Button>
        <Button onPress={() => setRows([])}>No rows</Button>
      </div>
      <Grid
        label="Orders"
        className={styles.framed}
        rows={rows}
        columns={columns}
        rowId={(row) => row.id}
        sort={sort}
        onSort={setSort}
        selected={selected}
        onSelect={setSelected}
        widths={widths}
        onWidths={setWidths}
        onOpen={(row) => toast({ title: `Opened ${row.id}` })}
        empty={<EmptyState title="No orders">Nothing was ordered in this time.</EmptyState>}
      />
      <Grid
        label="Loading"
        className={styles.framed}
        rows={[]}
        columns={columns}
        rowId={(row) => row.id}
        loading
        compact
      />
    </Section>
  );
}

function Notices() {
  return (
    <Section title="Notices">
      <Strip tone="warning" action={<Button kind="quiet">Stop</Button>}>
        You act as Ada Example until 10:15.
      </Strip>
      <Strip tone="danger">You are offline. What you type stays here.</Strip>
      <Strip>A newer version is there.</Strip>
      <EmptyState title="No plans yet" actions={<Button kind="primary">Choose a plan</Button>}>
        When you have one, it stands here with what it covers.
      </EmptyState>
      <ErrorPanel
        title="The orders could not be loaded"
        traceId="4f1c0b7e9a2d"
        onRetry={() => toast({ title: "Tried again" })}
      >
        The service does not answer. Try again in a moment.
      </ErrorPanel>
      <Note tone="warning" title="Your card was declined">
        The bank says there is not enough money on it.
      </Note>
      <Note tone="good" title="Your plan is active" />
      <Note title="This is a test vendor">No money moves.</Note>
      <ProgressBar label="Refunding" value={312} most={4000} words="312 of 4,000" />
      <ProgressBar label="Waiting for the server" />
      <Skeleton />
      <SkeletonText />
    </Section>
  );
}
