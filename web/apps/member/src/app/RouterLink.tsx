// A link within the app. The router follows it without a page load; other windows and tabs are the browser's.
import { linkLook } from "@pavise/ui/Native.tsx";
import type { ButtonKind } from "@pavise/ui/Button.tsx";
import { leave } from "@pavise/ui/leave.ts";
import { useRouter } from "@tanstack/react-router";
import type { MouseEvent, ReactNode } from "react";
import { BASE } from "./base.ts";

export type RouterLinkProps = { href: string; kind?: ButtonKind; className?: string | undefined; children: ReactNode };

/** With `kind` it looks like a button, with `className` as its class says. */
export function RouterLink({ href, kind, className, children }: RouterLinkProps) {
  const router = useRouter();
  const address = `${BASE}${href}`;
  function follow(event: MouseEvent) {
    if (
      event.defaultPrevented ||
      event.button !== 0 ||
      event.metaKey ||
      event.ctrlKey ||
      event.shiftKey ||
      event.altKey
    )
      return;
    event.preventDefault();
    leave(() => router.history.push(address));
  }
  return (
    <a href={address} className={className ?? linkLook(kind)} onClick={follow}>
      {children}
    </a>
  );
}
