// The pages and their addresses. Each is fetched when somebody goes there.
import { RouterProvider as AriaRouter } from "react-aria-components";
import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  redirect,
  useRouter,
} from "@tanstack/react-router";
import { decodeCart, CART_PARAMETER } from "@pavise/rules/cart.ts";
import type { SessionKeeper } from "@pavise/session/session.ts";
import { DraftProvider } from "./app/draft.tsx";

/** Where the server serves the app. */
export const BASE = "/app";

function Root() {
  const router = useRouter();
  return (
    <AriaRouter
      navigate={(href) => router.history.push(`${BASE}${href}`)}
      useHref={(href) => (href.startsWith("/") ? `${BASE}${href}` : href)}
    >
      <DraftProvider>
        <Outlet />
      </DraftProvider>
    </AriaRouter>
  );
}

/** The query of the pages that buy: the cart. */
type Buying = { [CART_PARAMETER]?: string };

function buying(search: Record<string, unknown>): Buying {
  const value = search[CART_PARAMETER];
  return typeof value === "string" && decodeCart(value).products.length > 0 ? { [CART_PARAMETER]: value } : {};
}

/** The pages, for whoever keeps the session. */
export function pages(keeper: SessionKeeper) {
  /** Who is not signed in comes back after it. */
  async function signedIn({ location }: { location: { href: string } }) {
    if (keeper.state().status === "unknown") await keeper.refresh().catch(() => undefined);
    if (keeper.state().status === "signedOut") {
      throw redirect({ to: "/sign-in", search: { return: location.href } });
    }
  }
  const root = createRootRoute({
    component: Root,
    notFoundComponent: lazyRouteComponent(() => import("./app/NotFound.tsx"), "NotFound"),
  });
  const shop = createRoute({
    getParentRoute: () => root,
    path: "/",
    validateSearch: buying,
    component: lazyRouteComponent(() => import("./shop/Shop.tsx"), "Shop"),
  });
  const cart = createRoute({
    getParentRoute: () => root,
    path: "/cart",
    validateSearch: buying,
    component: lazyRouteComponent(() => import("./shop/CartPage.tsx"), "CartPage"),
  });
  const checkout = createRoute({
    getParentRoute: () => root,
    path: "/checkout",
    validateSearch: buying,
    component: lazyRouteComponent(() => import("./order/Checkout.tsx"), "Checkout"),
  });
  const order = createRoute({
    getParentRoute: () => root,
    path: "/orders/$orderId",
    beforeLoad: signedIn,
    component: lazyRouteComponent(() => import("./order/OrderPage.tsx"), "OrderPage"),
  });
  const signIn = createRoute({
    getParentRoute: () => root,
    path: "/sign-in",
    validateSearch: (search: Record<string, unknown>): { return?: string } =>
      typeof search["return"] === "string" && /^\/(?!\/)/.test(search["return"]) ? { return: search["return"] } : {},
    component: lazyRouteComponent(() => import("./member/SignInPage.tsx"), "SignInPage"),
  });
  const forgot = createRoute({
    getParentRoute: () => root,
    path: "/forgot-password",
    component: lazyRouteComponent(() => import("./member/ResetPage.tsx"), "ForgotPage"),
  });
  const reset = createRoute({
    getParentRoute: () => root,
    path: "/reset-password",
    component: lazyRouteComponent(() => import("./member/ResetPage.tsx"), "ResetPage"),
  });
  const member = createRoute({
    getParentRoute: () => root,
    id: "member",
    beforeLoad: signedIn,
    component: lazyRouteComponent(() => import("./member/Member.tsx"), "Member"),
  });
  const home = createRoute({
    getParentRoute: () => member,
    path: "/home",
    component: lazyRouteComponent(() => import("./member/Home.tsx"), "Home"),
  });
  const plans = createRoute({
    getParentRoute: () => member,
    path: "/plans",
    component: lazyRouteComponent(() => import("./member/Plans.tsx"), "Plans"),
  });
  const billing = createRoute({
    getParentRoute: () => member,
    path: "/billing",
    component: lazyRouteComponent(() => import("./member/Billing.tsx"), "Billing"),
  });
  const family = createRoute({
    getParentRoute: () => member,
    path: "/family",
    component: lazyRouteComponent(() => import("./member/Family.tsx"), "Family"),
  });
  const profile = createRoute({
    getParentRoute: () => member,
    path: "/profile",
    component: lazyRouteComponent(() => import("./member/Profile.tsx"), "Profile"),
  });
  const security = createRoute({
    getParentRoute: () => member,
    path: "/security",
    component: lazyRouteComponent(() => import("./security/Security.tsx"), "Security"),
  });
  return createRouter({
    routeTree: root.addChildren([
      shop,
      cart,
      checkout,
      order,
      signIn,
      forgot,
      reset,
      member.addChildren([home, plans, billing, family, profile, security]),
    ]),
    basepath: BASE,
    defaultPreload: "intent",
    scrollRestoration: true,
  });
}
