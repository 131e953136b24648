// The addresses of the console.
import { useLingui } from "@lingui/react";
import { loadTerms } from "@pavise/i18n/contract/load.ts";
import { speakMore } from "@pavise/i18n/Language.tsx";
import { Prover } from "@pavise/security/Prover.tsx";
import { reloadPage } from "@pavise/rpc/reload.ts";
import { SignOut } from "@pavise/session/SignOut.tsx";
import { BrokenPart } from "@pavise/ui/Boundary.tsx";
import { Leaving } from "@pavise/ui/Leaving.tsx";
import { Link } from "@pavise/ui/Link.tsx";
import { EmptyState } from "@pavise/ui/Notice.tsx";
import { PageTitle } from "@pavise/ui/PageTitle.tsx";
import { Toasts } from "@pavise/ui/toasts.tsx";
import { leave } from "@pavise/ui/leave.ts";
import { createRootRoute, createRoute, createRouter, Outlet, useParams } from "@tanstack/react-router";
import { lazy, Suspense } from "react";
import { RouterProvider as LinkProvider } from "react-aria-components";
import styles from "./console/console.module.css";
import { useConsole } from "./console/console.ts";
import { Waiting } from "./console/Waiting.tsx";
import { WithDomains } from "./console/WithDomains.tsx";
import { fromSegment } from "./contract/address.ts";
import { journalOf } from "./contract/screens.ts";
import type { DeskPage } from "./desk/desk.tsx";
import { DESKS, domainsOf } from "./desk/desks.ts";
import { useAddress } from "./frame/address.ts";
import { useAskedBack } from "@pavise/session/back.ts";
import { Frame } from "./frame/Frame.tsx";
import { CrossRealmPage, Gate, SignInPage } from "./frame/Gate.tsx";
import { HomePage } from "./frame/HomePage.tsx";

// The working pages are loaded on demand: signing in needs none of them.
const FormPage = lazy(() => import("./form/FormPage.tsx").then((module) => ({ default: module.FormPage })));
const ListPage = lazy(() => import("./list/ListPage.tsx").then((module) => ({ default: module.ListPage })));
const RecordPage = lazy(() => import("./record/RecordPage.tsx").then((module) => ({ default: module.RecordPage })));
const ExplorerPage = lazy(async () => {
  const [module] = await Promise.all([import("./system/ExplorerPage.tsx"), speakMore(loadTerms)]);
  return { default: module.ExplorerPage };
});
const JournalPage = lazy(() => import("./system/JournalPage.tsx").then((module) => ({ default: module.JournalPage })));
const PermissionsPage = lazy(async () => {
  const [module] = await Promise.all([import("./system/PermissionsPage.tsx"), speakMore(loadTerms)]);
  return { default: module.PermissionsPage };
});

const SecurityPage = lazy(async () => {
  const [{ SecurityPage: Page }] = await Promise.all([
    import("./frame/SecurityPage.tsx"),
    import("@pavise/security/messages.ts").then(({ loadSecurity }) => speakMore(loadSecurity)),
  ]);
  return { default: Page };
});

const Reset = lazy(async () => ({ default: (await import("@pavise/session/Reset.tsx")).Reset }));
const Gallery = lazy(() => import("@pavise/ui/Gallery.tsx").then((module) => ({ default: module.Gallery })));

/** The path at which the console is served. */
const BASE = "/console";

function Root() {
  const { go } = useAddress();
  useAskedBack();
  return (
    <LinkProvider
      navigate={(path) => leave(() => go(path))}
      useHref={(href) => (href.startsWith("/") ? BASE + href : href)}
    >
      <Outlet />
      <Toasts />
      <Prover />
      <Leaving />
    </LinkProvider>
  );
}

function Coming() {
  return <Waiting onRetry={() => void reloadPage()} />;
}

/** Shown in place of a page that broke; the frame around it stays. */
function Broken({ error, reset }: { error: unknown; reset: () => void }) {
  const { _ } = useLingui();
  return (
    <div className={styles.page}>
      <PageTitle>{_("This page cannot be shown")}</PageTitle>
      <BrokenPart error={error} onRetry={reset} />
    </div>
  );
}

function Missing() {
  const { _ } = useLingui();
  return (
    <div className={styles.page}>
      <PageTitle>{_("There is no such page")}</PageTitle>
      <EmptyState
        title={_("The address may be mistyped, or it is for something you may not see.")}
        actions={<Link href="/">{_("Home")}</Link>}
      />
    </div>
  );
}

const root = createRootRoute({ component: Root, notFoundComponent: Missing });

const inside = createRoute({
  getParentRoute: () => root,
  id: "inside",
  component: () => (
    <Gate>
      <Frame>
        <Suspense fallback={<Coming />}>
          <Outlet />
        </Suspense>
      </Frame>
    </Gate>
  ),
});

function ListRoute() {
  const { domain = "", entity: name = "" } = useParams({ strict: false });
  const entity = useConsole().entityNamed(fromSegment(domain), name);
  return entity === undefined ? (
    <Missing />
  ) : (
    <WithDomains of={[entity.domain]}>
      <ListPage key={entity.typeName} entity={entity} />
    </WithDomains>
  );
}

function RecordRoute() {
  const { domain = "", entity: name = "", id = "" } = useParams({ strict: false });
  const entity = useConsole().entityNamed(fromSegment(domain), name);
  return entity === undefined ? (
    <Missing />
  ) : (
    <WithDomains of={[entity.domain]}>
      <RecordPage key={`${entity.typeName} ${id}`} entity={entity} id={id} />
    </WithDomains>
  );
}

function FormRoute() {
  const { service, method } = useParams({ strict: false });
  const operation = useConsole().contract.operations.find((one) => one.group === service && one.name === method);
  return operation === undefined ? (
    <Missing />
  ) : (
    <WithDomains of={[operation.domain]}>
      <FormPage key={operation.id} operation={operation} />
    </WithDomains>
  );
}

function JournalRoute() {
  const { service = "" } = useParams({ strict: false });
  const { contract, may } = useConsole();
  const journals = contract.services.map(({ name }) => journalOf(contract, name)).filter(may);
  const journal = journals.find((one) => one.service === fromSegment(service));
  return journal === undefined ? (
    <Missing />
  ) : (
    <WithDomains of={[journal.domain]}>
      <JournalPage key={journal.id} journal={journal} journals={journals} />
    </WithDomains>
  );
}

/** A desk's page, of the record that the address names if it names one. */
function DeskRoute({ of: Page, domains }: { of: DeskPage; domains: readonly string[] }) {
  const { id = "" } = useParams({ strict: false });
  return (
    <WithDomains of={domains}>
      <Page key={id} id={id} />
    </WithDomains>
  );
}

const page = (path: string, component: () => React.ReactNode) =>
  createRoute({ getParentRoute: () => inside, path, component });
const outside = (path: string, component: () => React.ReactNode) =>
  createRoute({ getParentRoute: () => root, path, component });

const tree = root.addChildren([
  outside("/sign-in", SignInPage),
  outside("/reset", () => (
    <Suspense fallback={<Waiting alone onRetry={() => void reloadPage()} />}>
      <Reset signIn="/sign-in" />
    </Suspense>
  )),
  outside("/sign-out", () => <SignOut again="/sign-in" />),
  outside("/cross-realm", CrossRealmPage),
  inside.addChildren([
    page("/", HomePage),
    page("/r/$domain/$entity", ListRoute),
    page("/r/$domain/$entity/$id", RecordRoute),
    page("/x/$service/$method", FormRoute),
    page("/journal/$service", JournalRoute),
    ...DESKS.flatMap((desk) =>
      Object.entries(desk.pages).map(([below, Page]) =>
        page(`${desk.path}${below}`, () => <DeskRoute of={Page} domains={domainsOf(desk)} />),
      ),
    ),
    page("/security", () => <SecurityPage />),
    page("/explorer", () => <ExplorerPage />),
    page("/components", () => <Gallery />),
    page("/permissions", () => <PermissionsPage />),
  ]),
]);

/** The router of the console. */
export const router = createRouter({
  routeTree: tree,
  basepath: BASE,
  defaultErrorComponent: Broken,
  // Parameters are plain texts, so that people can read and write an address by hand.
  parseSearch: (text) => Object.fromEntries(new URLSearchParams(text)),
  stringifySearch: (search) => {
    const text = new URLSearchParams(search as Record<string, string>).toString();
    return text === "" ? "" : `?${text}`;
  },
});
