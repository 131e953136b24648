/** Every operation of the contract: its screen, its call, its audience. */
import { useWords } from "@pavise/i18n/words.ts";
import { useLingui } from "@lingui/react";
import { words } from "@pavise/descform/words.ts";
import { TextField } from "@pavise/ui/Field.tsx";
import { Checkbox } from "@pavise/ui/Choices.tsx";
import { Grid, type GridColumn } from "@pavise/ui/Grid.tsx";
import { PageTitle } from "@pavise/ui/PageTitle.tsx";
import { useMemo } from "react";
import { useConsole } from "../console/console.ts";
import { realmName, type Operation } from "../contract/operation.ts";
import { formPath } from "../contract/screens.ts";
import { useAddress } from "../frame/address.ts";
import styles from "../console/console.module.css";

/** The API explorer. */
export function ExplorerPage() {
  const { _ } = useLingui();
  const w = useWords();
  const { contract, may } = useConsole();
  const { search, setSearch, go } = useAddress();
  const typed = search["q"] ?? "";
  const mine = search["mine"] === "true";
  const columns = useMemo(() => columnsOf(_, w), [_, w]);
  const rows = useMemo(() => {
    const wanted = typed.toLowerCase().split(/\s+/).filter(Boolean);
    return contract.operations.filter((operation) => {
      const text = [
        operation.id,
        operation.title,
        operation.permission,
        ...operation.rest.map(({ method, path }) => `${method} ${path}`),
      ]
        .join(" ")
        .toLowerCase();
      return wanted.every((word) => text.includes(word)) && (!mine || may(operation));
    });
  }, [contract, typed, mine, may]);
  return (
    <div className={styles.full}>
      <header className={styles.head}>
        <div className={styles.titles}>
          <PageTitle>{_("API explorer")}</PageTitle>
        </div>
      </header>
      <div className={styles.bar}>
        <div className={styles.filters}>
          <TextField
            label={_("Search")}
            value={typed}
            onChange={(q) => setSearch({ ...search, q })}
            placeholder={_("Name, path or permission")}
          />
          <Checkbox isSelected={mine} onChange={(on) => setSearch({ ...search, mine: on ? "true" : undefined })}>
            {_("Only what I may")}
          </Checkbox>
        </div>
      </div>
      <Grid
        className={styles.grow}
        label={_("Operations")}
        rows={rows}
        columns={columns}
        rowId={({ id }) => id}
        onOpen={(operation) => go(formPath(operation))}
        compact
      />
    </div>
  );
}

function columnsOf(_: (id: string) => string, w: (words: string) => string): GridColumn<Operation>[] {
  return [
    { id: "service", header: _("Service"), width: 150, cell: ({ service }) => w(words(service)) },
    { id: "title", header: _("Operation"), width: 230, cell: ({ title }) => w(title) },
    { id: "kind", header: _("Kind"), width: 90, cell: ({ kind }) => w(words(kind)) },
    {
      id: "rest",
      header: _("REST"),
      width: 420,
      cell: ({ rest: [first] }) => (first === undefined ? "" : <code>{`${first.method} ${first.path}`}</code>),
    },
    { id: "permission", header: _("Permission"), width: 240, cell: ({ permission }) => <code>{permission}</code> },
    {
      id: "realms",
      header: _("For"),
      width: 260,
      cell: ({ realms, public: open }) =>
        open && realms.length === 0 ? _("Everybody") : realms.map(realmName).join(", "),
    },
  ];
}
