// Shared by the pages outside the shop: React Aria follows links through the router and speaks the language.
import { Aria } from "@pavise/i18n/Aria.tsx";
import { useAskedBack } from "@pavise/session/back.ts";
import { Leaving } from "@pavise/ui/Leaving.tsx";
import { leave } from "@pavise/ui/leave.ts";
import { Outlet, useRouter } from "@tanstack/react-router";
import { RouterProvider } from "react-aria-components";
import { BASE } from "./base.ts";

/** A page within these providers. */
export function Pages() {
  const router = useRouter();
  useAskedBack();
  return (
    <RouterProvider
      navigate={(href) => leave(() => router.history.push(`${BASE}${href}`))}
      useHref={(href) => (href.startsWith("/") ? `${BASE}${href}` : href)}
    >
      <Aria>
        <Outlet />
        <Leaving />
      </Aria>
    </RouterProvider>
  );
}
