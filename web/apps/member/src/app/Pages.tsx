// What the pages besides the shop have in common: React Aria's components follow links through the router and speak the language.
import { Aria } from "@pavise/i18n/Aria.tsx";
import { Outlet, useRouter } from "@tanstack/react-router";
import { RouterProvider } from "react-aria-components";
import { BASE } from "./base.ts";

/** The page within. */
export function Pages() {
  const router = useRouter();
  return (
    <RouterProvider
      navigate={(href) => router.history.push(`${BASE}${href}`)}
      useHref={(href) => (href.startsWith("/") ? `${BASE}${href}` : href)}
    >
      <Aria>
        <Outlet />
      </Aria>
    </RouterProvider>
  );
}
