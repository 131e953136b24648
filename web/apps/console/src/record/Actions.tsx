/** The actions on a record in its current status. */
import type { Message } from "@bufbuild/protobuf";
import { useLingui } from "@lingui/react";
import { enumSpelling } from "@pavise/descform/words.ts";
import { useWords } from "@pavise/i18n/words.ts";
import { Button } from "@pavise/ui/Button.tsx";
import { Menu, MenuItem } from "@pavise/ui/Menu.tsx";
import { useMemo } from "react";
import { valueOf } from "../console/calls.ts";
import { useConsole } from "../console/console.ts";
import type { Entity, Operation } from "../contract/operation.ts";
import { actionsOf, allowedFrom } from "../contract/screens.ts";
import styles from "../console/console.module.css";

/** The most actions with a button of their own; a menu holds the rest. */
const BUTTONS = 2;

/** The status of a record as documented. */
export function statusOf(entity: Entity, message: Message): string {
  const { statusField } = entity;
  return statusField?.enum === undefined
    ? ""
    : enumSpelling(statusField.enum, valueOf(message, entity.desc, "status") as number);
}

type ActionsProps = { entity: Entity; message: Message; onAction: (operation: Operation) => void };

/** The actions that the status allows and the caller may take. Those that change the status come first. */
export function Actions({ entity, message, onAction }: ActionsProps) {
  const { _ } = useLingui();
  const w = useWords();
  const { contract, may } = useConsole();
  const status = statusOf(entity, message);
  const legal = useMemo(
    () =>
      actionsOf(contract, entity)
        .filter(may)
        .filter((operation) => allowedFrom(operation, status))
        .toSorted((left, right) => weight(left) - weight(right)),
    [contract, entity, may, status],
  );
  if (legal.length === 0) return null;
  const first = legal.filter((operation) => operation.to.length > 0 && !operation.danger).slice(0, BUTTONS);
  const rest = legal.filter((operation) => !first.includes(operation));
  return (
    <div className={styles.tools}>
      {first.map((operation) => (
        <Button key={operation.id} onPress={() => onAction(operation)}>
          {w(operation.title)}
        </Button>
      ))}
      {rest.length === 0 ? null : (
        <Menu
          label={_("Actions")}
          trigger={<Button kind={first.length === 0 ? "secondary" : "quiet"}>{_("Actions")}</Button>}
        >
          {rest.map((operation) => (
            <MenuItem
              key={operation.id}
              label={w(operation.title)}
              danger={operation.danger}
              onAction={() => onAction(operation)}
            />
          ))}
        </Menu>
      )}
    </div>
  );
}

function weight(operation: Operation): number {
  if (operation.danger) return 2;
  return operation.to.length > 0 ? 0 : 1;
}
