// A list of the profile: the items, which of them is primary, and what is done with each.
import { useLingui } from "@lingui/react";
import { Button } from "@pavise/ui/Button.tsx";
import { Refused } from "@pavise/ui/Loaded.tsx";
import { Part } from "@pavise/ui/Part.tsx";
import { RemoveDialog } from "@pavise/ui/RemoveDialog.tsx";
import { useAttempt } from "@pavise/ui/attempt.ts";
import { toast } from "@pavise/ui/toasts.tsx";
import { StatusDot } from "@pavise/ui/Value.tsx";
import { useState, type ReactNode } from "react";
import { MOST } from "./profile.ts";
import page from "@pavise/ui/Part.module.css";

/** The properties of the items of every list. */
export type Item = { readonly id: string; readonly primary: boolean };

export type ItemsProps<T extends Item> = {
  /** The heading's id in the page. */
  id: string;
  title: string;
  /** The use of the items, or that there are none. */
  lead: string;
  addLabel: string;
  items: readonly T[];
  /** The text of an item, which also names it in labels. */
  textOf: (item: T) => string;
  /** A second line. */
  detailOf?: (item: T) => ReactNode;
  onPrimary: (item: T) => Promise<unknown>;
  onRemove: (item: T) => Promise<unknown>;
  /** The dialog that adds an item, or changes the given one. */
  dialog: (item: T | undefined, close: () => void) => ReactNode;
};

/** The part of the page. */
export function Items<T extends Item>(props: ItemsProps<T>) {
  const { id, title, lead, addLabel, items, dialog } = props;
  const { _ } = useLingui();
  const [open, setOpen] = useState<{ item: T | undefined }>();
  const close = () => setOpen(undefined);
  return (
    <Part
      id={id}
      title={title}
      end={
        items.length < MOST ? (
          <Button kind="quiet" onPress={() => setOpen({ item: undefined })}>
            {addLabel}
          </Button>
        ) : (
          <span className={page.small}>{_("profile.full", { count: MOST })}</span>
        )
      }
    >
      <p className={page.soft}>{lead}</p>
      {items.length > 0 ? (
        <ul className={page.rows} aria-labelledby={id}>
          {items.map((item) => (
            <Line key={item.id} {...props} item={item} onChange={() => setOpen({ item })} />
          ))}
        </ul>
      ) : null}
      {open === undefined ? null : dialog(open.item, close)}
    </Part>
  );
}

type LineProps<T extends Item> = ItemsProps<T> & { item: T; onChange: () => void };

function Line<T extends Item>({ item, items, textOf, detailOf, onPrimary, onRemove, onChange }: LineProps<T>) {
  const { _ } = useLingui();
  const { pending, error, run } = useAttempt();
  const [asking, setAsking] = useState(false);
  const text = textOf(item);
  return (
    <li className={`${page.line} ${page.stack}`}>
      <span className={page.lineWords}>
        <span className={page.name}>{text}</span>
        {detailOf === undefined ? null : <span className={page.small}>{detailOf(item)}</span>}
        {item.primary && items.length > 1 ? <StatusDot tone="good">{_("profile.primary")}</StatusDot> : null}
      </span>
      <span className={page.end}>
        {item.primary ? null : (
          <Button
            kind="quiet"
            isPending={pending}
            onPress={() => void run(() => onPrimary(item))}
            aria-label={_("profile.makePrimary.label", { item: text })}
          >
            {_("profile.makePrimary")}
          </Button>
        )}
        <Button kind="quiet" onPress={onChange} aria-label={_("profile.change.label", { item: text })}>
          {_("profile.change")}
        </Button>
        <Button kind="quiet" onPress={() => setAsking(true)} aria-label={_("profile.remove.label", { item: text })}>
          {_("profile.remove")}
        </Button>
      </span>
      {error === undefined ? null : (
        <div className={page.across}>
          <Refused error={error} />
        </div>
      )}
      {asking ? (
        <RemoveDialog
          title={_("profile.remove.title", { item: text })}
          onClose={() => setAsking(false)}
          onRemove={async () => {
            await onRemove(item);
            toast({ title: _("profile.removed") });
          }}
        >
          {_("profile.remove.detail")}
        </RemoveDialog>
      ) : null}
    </li>
  );
}
