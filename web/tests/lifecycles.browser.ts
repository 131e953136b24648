// Mermaid renders every diagram of docs/<domain>/lifecycles.md, with each status and each arrow.
import { readFileSync, readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openPage, startBrowser } from "./browser.ts";

/** The global that Mermaid's script adds to a page. */
interface Drawing {
  readonly mermaid: {
    initialize(options: object): void;
    render(id: string, text: string): Promise<{ svg: string }>;
  };
}

const docs = fileURLToPath(new URL("../../docs/", import.meta.url));
const pages = readdirSync(docs, { recursive: true, encoding: "utf8" }).filter((file) =>
  file.endsWith("/lifecycles.md"),
);
const lifecycles = pages.map((file) => readFileSync(docs + file, "utf8")).join("\n");
const diagrams = [...lifecycles.matchAll(/^## (\w+)\n\n```mermaid\n(.*?)^```$/gms)].map(([, name = "", text = ""]) => ({
  name,
  text,
}));

let browser: Browser;
beforeAll(async () => void (browser = await startBrowser()));
afterAll(() => browser.close());

/** A page with Mermaid loaded. */
async function easel() {
  const watched = await openPage(browser);
  await watched.page.addScriptTag({ path: fileURLToPath(import.meta.resolve("mermaid/dist/mermaid.min.js")) });
  await watched.page.evaluate(() => (globalThis as unknown as Drawing).mermaid.initialize({ startOnLoad: false }));
  return watched;
}

test("every lifecycle is drawn, with its statuses and its arrows", async () => {
  expect(diagrams.length).toBe(lifecycles.match(/```mermaid/g)?.length);
  expect(diagrams.length).toBeGreaterThan(15);
  const { page, context, complaints } = await easel();
  for (const diagram of diagrams) {
    const drawn = await page.evaluate(async ({ name, text }) => {
      document.body.innerHTML = (await (globalThis as unknown as Drawing).mermaid.render(`drawing-${name}`, text)).svg;
      const nodes = [...document.querySelectorAll(".node")].map((node) => node.textContent?.trim() ?? "");
      return {
        name,
        statuses: nodes.filter((label) => label !== "").toSorted(),
        arrows: document.querySelectorAll("path.transition").length,
      };
    }, diagram);
    const arrows = diagram.text.split("\n").filter((line) => line.includes(" --> "));
    // A status that is a word of Mermaid's has another name beside its own.
    const named = new Map(
      [...diagram.text.matchAll(/state "(\w+)" as (\w+)/g)].map(([, own = "", name = ""]) => [name, own]),
    );
    const ends = arrows.flatMap((line) => line.replace(/:.*/, "").match(/[A-Za-z]\w+/g) ?? []);
    const statuses = new Set(ends.map((name) => named.get(name) ?? name));
    expect(drawn).toEqual({ name: diagram.name, statuses: [...statuses].toSorted(), arrows: arrows.length });
  }
  expect(complaints).toEqual([]);
  await context.close();
});

test("a diagram that is none is noticed", async () => {
  const { page, context } = await easel();
  const drawn = page.evaluate(() =>
    (globalThis as unknown as Drawing).mermaid.render("wrong", "stateDiagram-v2\n    OPEN --> : PurchaseOrder"),
  );
  await expect(drawn).rejects.toThrow(/Parse error/);
  await context.close();
});
