/** Small overlays: a popover, a tooltip. */
import type { ReactNode } from "react";
import { Dialog } from "react-aria-components/Dialog";
import { Popover as AriaPopover, type PopoverProps as AriaPopoverProps } from "react-aria-components/Popover";
import { Tooltip as AriaTooltip, TooltipTrigger } from "react-aria-components/Tooltip";
import { classes } from "./classes.ts";
import styles from "./List.module.css";

export type PopoverProps = Omit<AriaPopoverProps, "className" | "style" | "children"> & {
  label: string;
  children: ReactNode;
  className?: string | undefined;
};

/** A popover of the button that opens it; it goes inside a DialogTrigger. */
export function Popover({ label, children, className, ...rest }: PopoverProps) {
  return (
    <AriaPopover offset={4} {...rest} className={classes(styles.popover, styles.padded, className)}>
      <Dialog aria-label={label}>{children}</Dialog>
    </AriaPopover>
  );
}

export type TooltipProps = { text: ReactNode; children: ReactNode; delay?: number };

/** A tooltip on hover or focus. It must never be the only place of a piece of information. */
export function Tooltip({ text, children, delay = 500 }: TooltipProps) {
  return (
    <TooltipTrigger delay={delay}>
      {children}
      <AriaTooltip offset={6} className={styles.tooltip ?? ""}>
        {text}
      </AriaTooltip>
    </TooltipTrigger>
  );
}
