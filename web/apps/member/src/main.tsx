// The member app: it sells plans, and serves members who have one.
import "@pavise/ui/base.css";
import { TransportProvider } from "@connectrpc/connect-query";
import { Language, speak } from "@pavise/i18n/Language.tsx";
import { visitorLocale } from "@pavise/i18n/locale.ts";
import { problemOf } from "@pavise/rpc/problem.ts";
import { begin } from "@pavise/rpc/reload.ts";
import { Retrying } from "@pavise/ui/Slow.tsx";
import { Telling } from "@pavise/ui/telling.ts";
import { forgetBetween } from "@pavise/session/forget.ts";
import { askAgain } from "@pavise/session/retry.ts";
import { createSessionKeeper } from "@pavise/session/session.ts";
import { SessionProvider } from "@pavise/session/Session.tsx";
import { watchTabs } from "@pavise/session/tabs.ts";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { told } from "./app/problems.ts";
import { startTheme } from "./app/theme.ts";
import { loadFirst } from "./messages/load.ts";
import { pages } from "./router.tsx";

document.documentElement.dataset["density"] = "calm";
startTheme();

const keeper = createSessionKeeper();
const client = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 15_000,
      // A refusal would only repeat, so it is not retried.
      retry: (times, error) => times < 2 && ["unavailable", "offline", "throttled"].includes(problemOf(error).kind),
    },
  },
});
const router = pages(keeper);

forgetBetween(keeper, client);
watchTabs(keeper);
// A closed session leads to the sign-in page and back.
keeper.subscribe(() => {
  if (keeper.state().status === "signedOut") void router.invalidate();
});

const again = () => void askAgain(client);

const root = document.getElementById("root");
if (root === null) throw new Error("the page has no root element");
await begin(speak(visitorLocale(), loadFirst));
createRoot(root).render(
  <StrictMode>
    <Language load={loadFirst}>
      <SessionProvider keeper={keeper} ask="whenKnown">
        <TransportProvider transport={keeper.transport}>
          <QueryClientProvider client={client}>
            <Retrying value={again}>
              <Telling value={told}>
                <RouterProvider router={router} />
              </Telling>
            </Retrying>
          </QueryClientProvider>
        </TransportProvider>
      </SessionProvider>
    </Language>
  </StrictMode>,
);
