// Pictures of the main screens in both themes and three widths, into web/screenshots: `npm run screenshots`.
import { mkdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { openPage, startBrowser } from "../tests/browser.ts";
import { startServer } from "../tests/server.ts";

const STAFF = "staff@demo.pavise.example";
const folder = fileURLToPath(new URL("../screenshots", import.meta.url));
const WIDTHS = [1440, 1023, 390];
const SCREENS: readonly (readonly [string, string])[] = [
  ["home", "/console/"],
  ["orders", "/console/r/orders/Order"],
  ["products", "/console/r/catalog/Product"],
  ["journal", "/console/journal/orders"],
  ["explorer", "/console/explorer"],
  ["form", "/console/x/OrderService/CreateOrder"],
];

mkdirSync(folder, { recursive: true });
const [server, browser] = await Promise.all([startServer(), startBrowser()]);
try {
  for (const theme of ["light", "dark"] as const) {
    for (const width of WIDTHS) {
      const { page, context } = await openPage(browser, { theme, width });
      const shot = async (name: string) => {
        await page.waitForLoadState("networkidle");
        await page.screenshot({ path: `${folder}/${name}-${theme}-${width}.png` });
      };
      await page.goto(`${server.url}/console/`);
      await page.getByLabel("Password").waitFor();
      await shot("sign-in");
      await page.getByLabel("E-mail address or user name").fill(STAFF);
      await page.getByLabel("Password").fill(server.password(STAFF));
      await page.getByRole("button", { name: "Sign in" }).click();
      await page.getByRole("heading", { name: "Where to?" }).waitFor();
      for (const [name, path] of SCREENS) {
        await page.goto(`${server.url}${path}`);
        await shot(name);
      }
      await page.goto(`${server.url}/console/r/orders/Order`);
      await page.getByRole("grid").getByRole("row").nth(2).click();
      await page.getByRole("region", { name: "History" }).waitFor();
      await shot("order");
      await page.keyboard.press("Control+k");
      await page.keyboard.type("refund");
      await shot("palette");
      await context.close();
      console.log(`${theme} ${width}: ${SCREENS.length + 3} pictures`);
    }
  }
} finally {
  await browser.close();
  await server.stop();
}
