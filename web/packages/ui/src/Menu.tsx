/** Menus behind a button. */
import type { ReactNode } from "react";
import {
  Header,
  Menu as AriaMenu,
  MenuItem as AriaMenuItem,
  MenuSection as AriaMenuSection,
  MenuTrigger,
  Popover,
  Separator,
  type MenuItemProps as AriaMenuItemProps,
} from "react-aria-components/Menu";
import { IconCheck } from "./icons.tsx";
import styles from "./List.module.css";

export type MenuItemProps = Omit<AriaMenuItemProps, "className" | "style" | "children"> & {
  label: string;
  detail?: string | undefined;
  /** The keyboard shortcut of the item. */
  keys?: string | undefined;
  danger?: boolean | undefined;
};

/** An action, or with `href` a link. */
export function MenuItem({ label, detail, keys, danger, ...rest }: MenuItemProps) {
  return (
    <AriaMenuItem {...rest} textValue={label} className={styles.item ?? ""} data-danger={danger ? "" : undefined}>
      {({ isSelected }) => (
        <>
          <span>{label}</span>
          {isSelected ? (
            <IconCheck className={styles.mark} />
          ) : keys ? (
            <kbd className={styles.keys}>{keys}</kbd>
          ) : (
            <span />
          )}
          {detail ? <span className={styles.detail}>{detail}</span> : null}
        </>
      )}
    </AriaMenuItem>
  );
}

/** A group of items. */
export function MenuSection({ label, children }: { label: string; children: ReactNode }) {
  return (
    <AriaMenuSection>
      <Header className={styles.heading ?? ""}>{label}</Header>
      {children}
    </AriaMenuSection>
  );
}

/** A line between items. */
export function MenuSeparator() {
  return <Separator className={styles.separator ?? ""} />;
}

export type MenuProps = {
  /** The button that opens the menu. */
  trigger: ReactNode;
  label: string;
  children: ReactNode;
  selected?: Iterable<string>;
  onSelect?: (keys: Set<string>) => void;
};

/** A menu. With `selected` its items can be ticked. */
export function Menu({ trigger, label, children, selected, onSelect }: MenuProps) {
  const selection = selected
    ? {
        selectionMode: "multiple" as const,
        selectedKeys: selected,
        onSelectionChange: (keys: "all" | Set<string | number>) =>
          onSelect?.(new Set(keys === "all" ? [] : [...keys].map(String))),
      }
    : {};
  return (
    <MenuTrigger>
      {trigger}
      <Popover className={styles.popover ?? ""} offset={4}>
        <AriaMenu aria-label={label} className={styles.list ?? ""} {...selection}>
          {children}
        </AriaMenu>
      </Popover>
    </MenuTrigger>
  );
}
