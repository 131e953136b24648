// @vitest-environment happy-dom
import { setupI18n } from "@lingui/core";
import { I18nProvider } from "@lingui/react";
import { noteAnswered } from "@pavise/rpc/broken.ts";
import { problemOf } from "@pavise/rpc/problem.ts";
import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { Part } from "./Part.tsx";
import { Telling, type Tell } from "./telling.ts";

const i18n = setupI18n({
  locale: "en",
  messages: { en: { "ui.error.retry": "Try again", "ui.error.trace": "Request", "ui.copy": "Copy" } },
});
const tell: Tell = (error) => ({ title: "It broke", detail: problemOf(error).kind, traceId: problemOf(error).traceId });

afterEach(cleanup);

test("a part that breaks says so with the request's id, and can be shown again; its neighbour stays", () => {
  vi.spyOn(console, "error").mockImplementation(() => undefined);
  noteAnswered("0af7651916cd43dd");
  let broken = true;
  function Fragile() {
    if (broken) throw new Error("a value that cannot be shown");
    return <p>The value</p>;
  }
  render(
    <I18nProvider i18n={i18n}>
      <Telling value={tell}>
        <Part id="one" title="One">
          <Fragile />
        </Part>
        <Part id="two" title="Two">
          <p>Another value</p>
        </Part>
      </Telling>
    </I18nProvider>,
  );
  expect(screen.getByRole("region", { name: "One" }).textContent).toContain("0af7651916cd43dd");
  expect(screen.getByRole("region", { name: "Two" }).textContent).toContain("Another value");
  broken = false;
  fireEvent.click(screen.getByRole("button", { name: "Try again" }));
  expect(screen.getByRole("region", { name: "One" }).textContent).toContain("The value");
});
