// @vitest-environment happy-dom
import { setupI18n } from "@lingui/core";
import { I18nProvider } from "@lingui/react";
import { noteAnswered } from "@pavise/rpc/broken.ts";
import { cleanup, render, screen } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { BrokenWithin } from "./Broken.tsx";

vi.mock("@pavise/rpc/reload.ts", () => ({
  reloadOnce: () => Promise.resolve(false),
  reloadPage: () => Promise.resolve(false),
}));

const i18n = setupI18n({
  locale: "en",
  messages: { en: { "ui.error.retry": "Try again", "ui.error.trace": "Request", "ui.copy": "Copy" } },
});

afterEach(cleanup);

async function shown(error: unknown): Promise<string> {
  render(
    <I18nProvider i18n={i18n}>
      <BrokenWithin error={error} reset={() => undefined} />
    </I18nProvider>,
  );
  await screen.findByRole("button", { name: "Try again" });
  return document.body.textContent ?? "";
}

test("a page whose code never came names no request; one that broke names the last answered one", async () => {
  noteAnswered("0af7651916cd43dd");
  const lost = await shown(new TypeError("Failed to fetch dynamically imported module: /x.js"));
  expect(lost).toContain("problem.title.unavailable");
  expect(lost).not.toContain("Request");
  expect(lost).not.toContain("0af7651916cd43dd");
  cleanup();
  expect(await shown(new TypeError("a value that cannot be shown"))).toContain("0af7651916cd43dd");
});
