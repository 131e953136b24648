// The pages and their addresses. Each page is loaded on demand.
import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  redirect,
} from "@tanstack/react-router";
import { decodeCart, CART_PARAMETER } from "@pavise/rules/cart.ts";
import { signInPath } from "@pavise/session/sign-in-address.ts";
import { speakMore } from "@pavise/i18n/Language.tsx";
import { Prover } from "@pavise/security/Prover.tsx";
import type { ComponentType } from "react";
import type { SessionKeeper } from "@pavise/session/session.ts";
import { BASE } from "./app/base.ts";
import { Broken, BrokenWithin, Coming, ComingWithin } from "./app/Broken.tsx";
import { DraftProvider } from "./app/draft.tsx";
import { loadRest } from "./messages/load.ts";

function Root() {
  return (
    <DraftProvider>
      <Outlet />
      <Prover />
    </DraftProvider>
  );
}

/**
 * A page whose code is loaded on demand. The router itself would reload the page when the code is lost, whether or not the
 * server answers; an error of another kind goes to the error page, which waits for the server first.
 */
function part<T extends Record<K, ComponentType>, K extends string>(load: () => Promise<T>, name: K) {
  return lazyRouteComponent(
    () =>
      load().catch((error: unknown) => {
        throw new Error(`lost: ${String(error)}`, { cause: error });
      }),
    name,
  );
}

/** The query of the purchase pages: the cart. */
type Buying = { [CART_PARAMETER]?: string };

function buying(search: Record<string, unknown>): Buying {
  const value = search[CART_PARAMETER];
  return typeof value === "string" && decodeCart(value).products.length > 0 ? { [CART_PARAMETER]: value } : {};
}

/** The address of a sign-in page carries the app, the realm, and the page to come back to. */
export type CameFrom = { app?: string; realm?: string; from?: string; return?: string };

function cameFrom(search: Record<string, unknown>): CameFrom {
  const found: CameFrom = {};
  for (const name of ["app", "realm", "from"] as const) {
    const value = search[name];
    if (typeof value === "string") found[name] = value;
  }
  const back = search["return"];
  if (typeof back === "string" && /^\/(?!\/)/.test(back)) found.return = back;
  return found;
}

/** The query of an enrollment: its step, which the page checks. */
function enrolling({ step }: Record<string, unknown>): { step?: string } {
  return typeof step === "string" ? { step } : {};
}

/** The pages, for a session keeper. */
export function pages(keeper: SessionKeeper) {
  /** A visitor who is not signed in returns here after the sign-in. */
  async function signedIn({ location }: { location: { href: string } }) {
    if (keeper.state().status === "unknown") await keeper.refresh().catch(() => undefined);
    if (keeper.state().status === "signedOut") {
      const path = await signInPath(keeper.transport, "app", `${BASE}${location.href}`);
      const search = new URL(path, globalThis.location.origin).searchParams;
      throw redirect({ to: "/sign-in", search: cameFrom(Object.fromEntries(search)) });
    }
  }
  const root = createRootRoute({
    component: Root,
    notFoundComponent: part(() => import("./app/NotFound.tsx"), "NotFound"),
  });
  const shop = createRoute({
    getParentRoute: () => root,
    path: "/",
    validateSearch: buying,
    component: part(() => import("./shop/Shop.tsx"), "Shop"),
  });
  const plan = createRoute({
    getParentRoute: () => root,
    path: "/plans/$siteName",
    validateSearch: buying,
    component: part(() => import("./shop/PlanPage.tsx"), "PlanPage"),
  });
  // Code that the first page does not need is loaded with the first other page.
  const more = createRoute({
    getParentRoute: () => root,
    id: "pages",
    loader: () => speakMore(loadRest),
    component: part(() => import("./app/Pages.tsx"), "Pages"),
  });
  const cart = createRoute({
    getParentRoute: () => more,
    path: "/cart",
    validateSearch: buying,
    component: part(() => import("./shop/CartPage.tsx"), "CartPage"),
  });
  const checkout = createRoute({
    getParentRoute: () => more,
    path: "/checkout",
    validateSearch: buying,
    component: part(() => import("./order/Checkout.tsx"), "Checkout"),
  });
  const order = createRoute({
    getParentRoute: () => more,
    path: "/orders/$orderId",
    beforeLoad: signedIn,
    component: part(() => import("./order/OrderPage.tsx"), "OrderPage"),
  });
  const signIn = createRoute({
    getParentRoute: () => more,
    path: "/sign-in",
    validateSearch: cameFrom,
    component: part(() => import("./member/SignInPage.tsx"), "SignInPage"),
  });
  const signUp = createRoute({
    getParentRoute: () => more,
    path: "/sign-up",
    validateSearch: cameFrom,
    component: part(() => import("./member/SignInPage.tsx"), "SignUpPage"),
  });
  const signOut = createRoute({
    getParentRoute: () => more,
    path: "/sign-out",
    component: part(() => import("./member/SignInPage.tsx"), "SignOutPage"),
  });
  const crossRealm = createRoute({
    getParentRoute: () => more,
    path: "/cross-realm",
    validateSearch: cameFrom,
    component: part(() => import("./member/SignInPage.tsx"), "CrossRealmPage"),
  });
  const forgot = createRoute({
    getParentRoute: () => more,
    path: "/forgot-password",
    component: part(() => import("./member/ResetPage.tsx"), "ForgotPage"),
  });
  const reset = createRoute({
    getParentRoute: () => more,
    path: "/reset-password",
    component: part(() => import("./member/ResetPage.tsx"), "ResetPage"),
  });
  const invitation = createRoute({
    getParentRoute: () => more,
    path: "/invitations/$invitationId",
    component: part(() => import("./family/InvitationPage.tsx"), "InvitationPage"),
  });
  const member = createRoute({
    getParentRoute: () => more,
    id: "member",
    beforeLoad: signedIn,
    component: part(() => import("./member/Member.tsx"), "Member"),
  });
  const home = createRoute({
    getParentRoute: () => member,
    path: "/home",
    errorComponent: BrokenWithin,
    pendingComponent: ComingWithin,
    component: part(() => import("./member/Home.tsx"), "Home"),
  });
  const plans = createRoute({
    getParentRoute: () => member,
    path: "/plans",
    errorComponent: BrokenWithin,
    pendingComponent: ComingWithin,
    component: part(() => import("./member/Plans.tsx"), "Plans"),
  });
  const billing = createRoute({
    getParentRoute: () => member,
    path: "/billing",
    errorComponent: BrokenWithin,
    pendingComponent: ComingWithin,
    component: part(() => import("./member/Billing.tsx"), "Billing"),
  });
  const family = createRoute({
    getParentRoute: () => member,
    path: "/family",
    errorComponent: BrokenWithin,
    pendingComponent: ComingWithin,
    component: part(() => import("./family/Family.tsx"), "Family"),
  });
  const profile = createRoute({
    getParentRoute: () => member,
    path: "/profile",
    errorComponent: BrokenWithin,
    pendingComponent: ComingWithin,
    component: part(() => import("./profile/ProfilePage.tsx"), "ProfilePage"),
  });
  const consents = createRoute({
    getParentRoute: () => member,
    path: "/consents",
    errorComponent: BrokenWithin,
    pendingComponent: ComingWithin,
    component: part(() => import("./consents/ConsentsPage.tsx"), "ConsentsPage"),
  });
  const security = createRoute({
    getParentRoute: () => member,
    path: "/security",
    errorComponent: BrokenWithin,
    pendingComponent: ComingWithin,
    component: part(() => import("./member/SecurityPage.tsx"), "SecurityPage"),
  });
  const enroll = createRoute({
    getParentRoute: () => member,
    path: "/enroll/$groupId",
    validateSearch: enrolling,
    errorComponent: BrokenWithin,
    pendingComponent: ComingWithin,
    component: part(() => import("./enroll/EnrollPage.tsx"), "EnrollPage"),
  });
  return createRouter({
    routeTree: root.addChildren([
      shop,
      plan,
      more.addChildren([
        cart,
        checkout,
        order,
        signIn,
        signUp,
        signOut,
        crossRealm,
        forgot,
        reset,
        invitation,
        member.addChildren([home, plans, billing, family, profile, consents, security, enroll]),
      ]),
    ]),
    basepath: BASE,
    defaultErrorComponent: Broken,
    defaultPendingComponent: Coming,
    defaultPreload: "intent",
    scrollRestoration: true,
  });
}
