/** Toasts: short messages about finished actions that disappear by themselves. */
import { useLingui } from "@lingui/react";
import { Button as AriaButton } from "react-aria-components/Button";
import { Text } from "react-aria-components/Text";
import {
  UNSTABLE_ToastContent as ToastContent,
  UNSTABLE_ToastQueue as ToastQueue,
  UNSTABLE_ToastRegion as ToastRegion,
  UNSTABLE_Toast as AriaToast,
} from "react-aria-components/Toast";
import { Button } from "./Button.tsx";
import { classes } from "./classes.ts";
import { IconClose } from "./icons.tsx";
import button from "./Button.module.css";
import styles from "./Toast.module.css";

/** The content of a toast. */
export type Message = {
  title: string;
  detail?: string | undefined;
  tone?: "bad" | undefined;
  action?: { label: string; run: () => void } | undefined;
};

const queue = new ToastQueue<Message>({ maxVisibleToasts: 4 });

/** Long enough to read and, where it is possible, to undo. */
const SHOWN = 6_000;
const SHOWN_WITH_ACTION = 10_000;

/** Adds a toast. */
export function toast(message: Message): void {
  queue.add(message, { timeout: message.action ? SHOWN_WITH_ACTION : SHOWN });
}

/** The place of toasts, once per app. */
export function Toasts() {
  const { _ } = useLingui();
  return (
    <ToastRegion queue={queue} className={styles.region ?? ""}>
      {({ toast: shown }) => (
        <AriaToast toast={shown} className={styles.toast ?? ""} data-tone={shown.content.tone}>
          <ToastContent className={styles.content ?? ""}>
            <Text slot="title">{shown.content.title}</Text>
            {shown.content.detail ? (
              <Text slot="description" className={styles.detail ?? ""}>
                {shown.content.detail}
              </Text>
            ) : null}
          </ToastContent>
          {shown.content.action ? (
            <Button
              kind="quiet"
              onPress={() => {
                shown.content.action?.run();
                queue.close(shown.key);
              }}
            >
              {shown.content.action.label}
            </Button>
          ) : null}
          <AriaButton slot="close" aria-label={_("ui.close")} className={classes(button.button, button.icon)}>
            <IconClose />
          </AriaButton>
        </AriaToast>
      )}
    </ToastRegion>
  );
}
