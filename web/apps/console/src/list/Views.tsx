/** Chooses, saves, shares and removes views of a list. */
import { useLingui } from "@lingui/react";
import { words } from "@pavise/descform/words.ts";
import { useWords } from "@pavise/i18n/words.ts";
import { problemOf } from "@pavise/rpc/problem.ts";
import { useAttempt } from "@pavise/ui/attempt.ts";
import { Button } from "@pavise/ui/Button.tsx";
import { Checkbox } from "@pavise/ui/Choices.tsx";
import { Dialog } from "@pavise/ui/Dialog.tsx";
import { TextField } from "@pavise/ui/Field.tsx";
import { IconDown, IconPin } from "@pavise/ui/icons.tsx";
import { Menu, MenuItem, MenuSection } from "@pavise/ui/Menu.tsx";
import { Note } from "@pavise/ui/Notice.tsx";
import { toast } from "@pavise/ui/toasts.tsx";
import { Facts } from "@pavise/ui/Value.tsx";
import { FieldErrors } from "@pavise/ui/FieldErrors.tsx";
import { useState } from "react";
import { ProblemPanel } from "../console/Problem.tsx";
import type { Entity } from "../contract/operation.ts";
import { useAddress } from "../frame/address.ts";
import { plural } from "../frame/places.ts";
import {
  keptOf,
  listName,
  LONGEST_NAME,
  NO_VIEW,
  shows,
  useViewCalls,
  useViews,
  viewPath,
  type View,
} from "./views.ts";
import styles from "../console/console.module.css";

type Asked =
  | { readonly what: "new" }
  | { readonly what: "rename" | "delete"; readonly view: View }
  | {
      readonly what: "theirs";
      readonly view: View;
      readonly mine: { readonly name: string; readonly address: Readonly<Record<string, string>> };
    };

/** Runs a call and tells its success or its refusal. */
async function quietly(run: () => Promise<unknown>, title: string) {
  try {
    await run();
    toast({ title });
  } catch (error) {
    toast({ title: problemOf(error).message, tone: "bad" });
  }
}

/** The views of a list, and the actions on the shown view. */
export function Views({ entity, view }: { entity: Entity; view: View | undefined }) {
  const { _ } = useLingui();
  const w = useWords();
  const { search, setSearch } = useAddress();
  const { views, defaults, possible } = useViews();
  const calls = useViewCalls();
  const [asked, setAsked] = useState<Asked>();
  if (!possible) return null;
  const list = listName(entity);
  const own = views.filter((one) => one.list === list);
  const [mine, others] = [own.filter((one) => one.mine), own.filter((one) => !one.mine)];
  const changed = view !== undefined && !shows(search, view);
  const all = w(plural(entity.title));
  async function keep(changedView: View) {
    const address = keptOf(search);
    try {
      await calls.replace(changedView, changedView.name, address);
      toast({ title: _("Saved: {name}", { name: changedView.name }) });
    } catch (error) {
      const now = problemOf(error).kind === "conflict" ? await calls.again(changedView) : undefined;
      if (now === undefined) toast({ title: problemOf(error).message, tone: "bad" });
      else setAsked({ what: "theirs", view: now, mine: { name: changedView.name, address } });
    }
  }
  const choose = (one: View) => (
    <MenuItem
      key={one.id}
      label={one.name}
      detail={defaults[list] === one.id ? _("The list begins with it") : undefined}
      onAction={() =>
        setSearch({ ...one.address, view: one.id, ...(one.mine || one.shared ? {} : { of: one.ownerId }) })
      }
    />
  );
  return (
    <>
      <Menu
        label={_("Views")}
        trigger={
          <Button kind="quiet">
            <IconPin /> {view === undefined ? _("Views") : `${view.name}${changed ? ` · ${_("changed")}` : ""}`}{" "}
            <IconDown />
          </Button>
        }
      >
        <MenuSection label={_("Views")}>
          <MenuItem
            label={_("All: {what}", { what: all })}
            onAction={() => setSearch(defaults[list] === undefined ? {} : { view: NO_VIEW })}
          />
          {mine.map(choose)}
        </MenuSection>
        {others.length === 0 ? null : <MenuSection label={_("Shared by others")}>{others.map(choose)}</MenuSection>}
        <MenuSection label={view === undefined ? _("As it is shown now") : view.name}>
          <MenuItem label={_("Save as a new view…")} onAction={() => setAsked({ what: "new" })} />
          {view === undefined ? null : (
            <OfView entity={entity} view={view} changed={changed} onKeep={() => void keep(view)} onAsk={setAsked} />
          )}
        </MenuSection>
      </Menu>
      {asked === undefined ? null : asked.what === "theirs" ? (
        <TheirsDialog {...asked} onClose={() => setAsked(undefined)} />
      ) : asked.what === "delete" ? (
        <DeleteDialog view={asked.view} onClose={() => setAsked(undefined)} />
      ) : (
        <NameDialog
          list={list}
          view={asked.what === "rename" ? asked.view : undefined}
          onTheirs={(theirs, name) =>
            setAsked({ what: "theirs", view: theirs, mine: { name, address: theirs.address } })
          }
          onClose={() => setAsked(undefined)}
        />
      )}
    </>
  );
}

type OfViewProps = { entity: Entity; view: View; changed: boolean; onKeep: () => void; onAsk: (asked: Asked) => void };

/** The actions on the shown view. */
function OfView({ entity, view, changed, onKeep, onAsk }: OfViewProps) {
  const { _ } = useLingui();
  const { search, setSearch } = useAddress();
  const { defaults } = useViews();
  const calls = useViewCalls();
  const list = listName(entity);
  const begins = defaults[list] === view.id;
  return (
    <>
      {view.mine && changed ? <MenuItem label={_("Save the changes")} onAction={onKeep} /> : null}
      {changed ? (
        <MenuItem
          label={_("Forget the changes")}
          onAction={() => setSearch({ ...view.address, view: view.id, of: search["of"] })}
        />
      ) : null}
      <MenuItem
        label={begins ? _("Do not begin with it") : _("Begin the list with it")}
        onAction={() =>
          void quietly(
            () => calls.begin(list, begins ? undefined : view.id),
            begins ? _("The list begins as it is") : _("The list begins with {name}", { name: view.name }),
          )
        }
      />
      <MenuItem
        label={_("Copy the link")}
        onAction={() =>
          void quietly(
            () => navigator.clipboard.writeText(`${window.location.origin}/console${viewPath(entity, view)}`),
            _("The link is copied"),
          )
        }
      />
      {view.mine ? (
        <>
          <MenuItem
            label={view.shared ? _("Show it to me alone") : _("Share it with all staff")}
            onAction={() =>
              void quietly(
                () => calls.share(view, !view.shared),
                view.shared ? _("Only you see it now") : _("All staff see it now"),
              )
            }
          />
          <MenuItem label={_("Rename…")} onAction={() => onAsk({ what: "rename", view })} />
          <MenuItem label={_("Delete the view…")} danger onAction={() => onAsk({ what: "delete", view })} />
        </>
      ) : null}
    </>
  );
}

type NameDialogProps = {
  list: string;
  view: View | undefined;
  onTheirs: (theirs: View, name: string) => void;
  onClose: () => void;
};

/** Asks for the name of a new view, or for the new name of a view. */
function NameDialog({ list, view, onTheirs, onClose }: NameDialogProps) {
  const { _ } = useLingui();
  const { search, setSearch } = useAddress();
  const { views } = useViews();
  const calls = useViewCalls();
  const [name, setName] = useState(view?.name ?? "");
  const [shared, setShared] = useState(false);
  const [begins, setBegins] = useState(false);
  const [error, setError] = useState<unknown>();
  const [pending, setPending] = useState(false);
  const called = name.trim();
  const taken = views.some((one) => one.mine && one.list === list && one.id !== view?.id && one.name === called);
  async function save() {
    if (called === "" || taken) return;
    setPending(true);
    setError(undefined);
    try {
      if (view === undefined) {
        const address = keptOf(search);
        const made = await calls.create(list, called, address);
        if (shared)
          await calls.share(
            {
              id: made.id,
              ownerId: made.ownerId,
              version: made.version,
              name: called,
              list,
              address,
              shared: false,
              mine: true,
            },
            true,
          );
        if (begins) await calls.begin(list, made.id);
        setSearch({ ...address, view: made.id });
      } else await calls.replace(view, called, view.address);
      toast({ title: _("Saved: {name}", { name: called }) });
      onClose();
    } catch (thrown) {
      const theirs = view !== undefined && problemOf(thrown).kind === "conflict" ? await calls.again(view) : undefined;
      if (theirs === undefined) setError(thrown);
      else onTheirs(theirs, called);
    } finally {
      setPending(false);
    }
  }
  return (
    <Dialog
      open
      title={view === undefined ? _("Save as a new view") : _("Rename the view")}
      onOpenChange={onClose}
      actions={(close) => (
        <>
          <Button onPress={close}>{_("Cancel")}</Button>
          <Button kind="primary" isPending={pending} isDisabled={called === ""} onPress={() => void save()}>
            {_("Save")}
          </Button>
        </>
      )}
    >
      <form
        className={styles.stack}
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        {error === undefined ? null : <ProblemPanel error={error} />}
        <FieldErrors error={error}>
          <TextField
            // oxlint-disable-next-line jsx-a11y/no-autofocus -- the dialog was opened to name it
            autoFocus
            label={_("Name")}
            name="name"
            value={name}
            onChange={setName}
            maxLength={LONGEST_NAME}
            error={taken ? _("You have a view with this name.") : undefined}
          />
        </FieldErrors>
        {view === undefined ? (
          <>
            <Checkbox isSelected={begins} onChange={setBegins}>
              {_("Begin the list with it")}
            </Checkbox>
            <Checkbox isSelected={shared} onChange={setShared}>
              {_("Share it with all staff")}
            </Checkbox>
            <p className={styles.soft}>
              {_("Filters, columns, order and density are kept. What is looked for by personal data is not.")}
            </p>
          </>
        ) : null}
      </form>
    </Dialog>
  );
}

function DeleteDialog({ view, onClose }: { view: View; onClose: () => void }) {
  const { _ } = useLingui();
  const { setSearch } = useAddress();
  const { defaults } = useViews();
  const calls = useViewCalls();
  const { pending, error, run } = useAttempt();
  const remove = () =>
    run(async () => {
      if (defaults[view.list] === view.id) await calls.begin(view.list, undefined);
      await calls.remove(view);
      setSearch({});
      toast({ title: _("Deleted: {name}", { name: view.name }) });
    }, onClose);
  return (
    <Dialog
      open
      danger
      title={_("Delete the view {name}", { name: view.name })}
      onOpenChange={onClose}
      actions={(close) => (
        <>
          <Button onPress={close}>{_("Cancel")}</Button>
          <Button kind="danger" isPending={pending} onPress={() => void remove()}>
            {_("Delete the view")}
          </Button>
        </>
      )}
    >
      {error === undefined ? null : <ProblemPanel error={error} />}
      <p>
        {view.shared
          ? _("All staff see this view. It is gone for all of them; the records stay.")
          : _("Only the view goes; the records stay.")}
      </p>
    </Dialog>
  );
}

/** A concurrent change of the view: shows the other version, and asks which of the two is kept. */
function TheirsDialog({
  view,
  mine,
  onClose,
}: {
  view: View;
  mine: { name: string; address: Readonly<Record<string, string>> };
  onClose: () => void;
}) {
  const { _ } = useLingui();
  const w = useWords();
  const { setSearch } = useAddress();
  const calls = useViewCalls();
  const { pending, error, run } = useAttempt();
  const facts = (name: string, address: Readonly<Record<string, string>>) => [
    { name: _("Name"), value: name },
    ...Object.entries(address).map(([field, value]) => ({ name: w(words(field)), value })),
  ];
  const over = () =>
    run(async () => {
      await calls.replace(view, mine.name, mine.address);
      toast({ title: _("Saved: {name}", { name: mine.name }) });
    }, onClose);
  return (
    <Dialog
      open
      large
      title={_("The view was changed in the meantime")}
      onOpenChange={onClose}
      actions={
        <>
          <Button
            onPress={() => {
              setSearch({ ...view.address, view: view.id });
              onClose();
            }}
          >
            {_("Keep theirs")}
          </Button>
          <Button kind="primary" isPending={pending} onPress={() => void over()}>
            {_("Save mine over it")}
          </Button>
        </>
      }
    >
      <div className={styles.stack}>
        {error === undefined ? null : <ProblemPanel error={error} />}
        <Note
          tone="warning"
          title={_("Another window or person saved it first. Nothing is lost yet: decide which is kept.")}
        />
        <h3>{_("As it is saved now")}</h3>
        <Facts facts={facts(view.name, view.address)} />
        <h3>{_("As you have it")}</h3>
        <Facts facts={facts(mine.name, mine.address)} />
      </div>
    </Dialog>
  );
}
