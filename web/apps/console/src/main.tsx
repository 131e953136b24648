// The console: everything that the contract offers, for those who run the platform.
import "@pavise/ui/base.css";
import { Aria } from "@pavise/i18n/Aria.tsx";
import { Language } from "@pavise/i18n/Language.tsx";
import { speak } from "@pavise/i18n/Language.tsx";
import { visitorLocale } from "@pavise/i18n/locale.ts";
import { problemOf } from "@pavise/rpc/problem.ts";
import { begin } from "@pavise/rpc/reload.ts";
import { forgetBetween } from "@pavise/session/forget.ts";
import { askAgain } from "@pavise/session/retry.ts";
import { createSessionKeeper } from "@pavise/session/session.ts";
import { SessionProvider } from "@pavise/session/Session.tsx";
import { watchTabs } from "@pavise/session/tabs.ts";
import { Retrying } from "@pavise/ui/Slow.tsx";
import { Telling } from "@pavise/ui/telling.ts";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { tell } from "./console/tell.ts";
import { load } from "./messages/load.ts";
import { router } from "./routes.tsx";

const keeper = createSessionKeeper();
const queries = new QueryClient({
  defaultOptions: {
    queries: {
      // A refusal would only repeat; only a call that did not get through is retried.
      retry: (count, error) => count < 2 && ["offline", "unavailable"].includes(problemOf(error).kind),
      // Structural sharing is off: comparing answers or descriptors part by part is costly, as descriptors form cycles.
      structuralSharing: false,
      staleTime: 5_000,
      refetchOnWindowFocus: false,
    },
  },
});
forgetBetween(keeper, queries, ["contract"]);
watchTabs(keeper);

const again = () => void askAgain(queries);

const root = document.getElementById("root");
if (root === null) throw new Error("the page has no root element");
await begin(speak(visitorLocale(), load));
createRoot(root).render(
  <StrictMode>
    <Language load={load}>
      <QueryClientProvider client={queries}>
        <SessionProvider keeper={keeper}>
          <Retrying value={again}>
            <Telling value={tell}>
              <Aria>
                <RouterProvider router={router} />
              </Aria>
            </Telling>
          </Retrying>
        </SessionProvider>
      </QueryClientProvider>
    </Language>
  </StrictMode>,
);
