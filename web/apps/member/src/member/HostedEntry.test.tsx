// @vitest-environment happy-dom
import { create } from "@bufbuild/protobuf";
import { Code, ConnectError, createRouterTransport } from "@connectrpc/connect";
import { TransportProvider } from "@connectrpc/connect-query";
import { setupI18n } from "@lingui/core";
import { I18nProvider } from "@lingui/react";
import { HostedEntrySchema, HostedEntryStatus } from "@pavise/schema/pavise/billing/v1/hosted_entry_pb";
import {
  HostedEntryService,
  type BeginHostedEntryRequest,
} from "@pavise/schema/pavise/billing/v1/hosted_entry_service_pb";
import { PaymentMethodType, Vendor } from "@pavise/schema/pavise/billing/v1/payment_method_pb";
import { ErrorInfoSchema } from "@pavise/schema/google/rpc/error_details_pb";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import type { ReactNode } from "react";
import { afterEach, expect, test, vi } from "vitest";
import { browser, EntryReturn, HostedDialog } from "./HostedEntry.tsx";

vi.mock("./holdings.ts", () => ({ useMemberId: () => "ada" }));

afterEach(cleanup);

type Fake = {
  begin?: (request: BeginHostedEntryRequest) => void;
  finish?: () => HostedEntryStatus;
};

/** Shows a component against a server that answers so. */
function show(children: ReactNode, { begin, finish }: Fake) {
  const transport = createRouterTransport(({ service }) => {
    service(HostedEntryService, {
      beginHostedEntry: (request) => {
        begin?.(request);
        return create(HostedEntrySchema, { id: "entry", redirectToUrl: "https://vendor.example/page" });
      },
      finishHostedEntry: () => create(HostedEntrySchema, { status: finish?.() ?? HostedEntryStatus.OPEN }),
    });
  });
  const client = new QueryClient({ defaultOptions: { mutations: { retry: false } } });
  render(
    <I18nProvider i18n={setupI18n({ locale: "en", messages: { en: {} } })}>
      <TransportProvider transport={transport}>
        <QueryClientProvider client={client}>{children}</QueryClientProvider>
      </TransportProvider>
    </I18nProvider>,
  );
}

test("the browser is led to the vendor's page, which leads back to the billing page", async () => {
  const goTo = vi.spyOn(browser, "goTo").mockImplementation(() => undefined);
  const begun: BeginHostedEntryRequest[] = [];
  show(<HostedDialog vendor={Vendor.STRIPE} onClose={() => undefined} />, { begin: (one) => begun.push(one) });
  fireEvent.click(await screen.findByRole("button", { name: "entry.go" }));
  await waitFor(() => expect(goTo).toHaveBeenCalledWith("https://vendor.example/page"));
  expect(begun).toMatchObject([
    { identityId: "ada", vendor: Vendor.STRIPE, type: PaymentMethodType.CREDIT_CARD, returnPath: "/app/billing" },
  ]);
});

test.each([
  [HostedEntryStatus.COMPLETED, "entry.saved"],
  [HostedEntryStatus.EXPIRED, "entry.expired"],
])("an entry that is %s is said so", async (status, title) => {
  show(<EntryReturn entryId="entry" />, { finish: () => status });
  expect((await screen.findByRole("alert")).textContent).toContain(title);
});

test("an entry that is still open can be asked for again", async () => {
  let isEntered = false;
  show(<EntryReturn entryId="entry" />, {
    finish: () => {
      if (isEntered) return HostedEntryStatus.COMPLETED;
      const info = { desc: ErrorInfoSchema, value: { reason: "ENTRY_NOT_FINISHED" } };
      throw new ConnectError("not yet", Code.FailedPrecondition, undefined, [info]);
    },
  });
  const again = await screen.findByRole("button", { name: "entry.again" });
  isEntered = true;
  fireEvent.click(again);
  await screen.findByText("entry.saved");
});
