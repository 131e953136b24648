// Signs in or up without buying, and returns to the page that was asked for; signs out; and the page of another realm.
import { useLingui } from "@lingui/react";
import { returnPath } from "@pavise/rules/redirect.ts";
import { CrossRealm, realmNamed } from "@pavise/session/CrossRealm.tsx";
import { ForgottenPassword } from "@pavise/session/Reset.tsx";
import { WithinPage } from "@pavise/session/SignIn.tsx";
import { SignOut } from "@pavise/session/SignOut.tsx";
import { Note } from "@pavise/ui/Notice.tsx";
import { AccountStep } from "../order/AccountStep.tsx";
import { BASE } from "../app/base.ts";
import { Site } from "../app/Frame.tsx";
import { useRouter, useSearch } from "@tanstack/react-router";
import page from "../app/Page.module.css";

/** The sign-in page. */
export function SignInPage() {
  return <Account known back={useSearch({ from: "/pages/sign-in" }).return} />;
}

/** The sign-up page. */
export function SignUpPage() {
  return <Account back={useSearch({ from: "/pages/sign-up" }).return} />;
}

function Account({ known = false, back }: { known?: boolean; back: string | undefined }) {
  const { _ } = useLingui();
  const router = useRouter();
  return (
    <Site>
      <div className={`${page.page} ${page.narrow}`}>
        {back === undefined ? null : <Note title={_("account.return")} />}
        <AccountStep known={known} onSignedIn={() => router.history.push(pageOf(back))} />
        <ForgottenPassword href="/forgot-password" />
      </div>
    </Site>
  );
}

/** The page to come back to; the first page of members where the address names none of this app. */
function pageOf(back: string | undefined): string {
  const path = returnPath(back, "");
  return path.startsWith(`${BASE}/`) ? path : `${BASE}/home`;
}

/** The sign-out page. */
export function SignOutPage() {
  return (
    <Site>
      <WithinPage value>
        <SignOut again="/sign-in" />
      </WithinPage>
    </Site>
  );
}

/** The page for a signed-in identity of another realm. */
export function CrossRealmPage() {
  const { realm } = useSearch({ from: "/pages/cross-realm" });
  return (
    <Site>
      <WithinPage value>
        <CrossRealm realm={realmNamed(realm)} signOut="/sign-out" />
      </WithinPage>
    </Site>
  );
}
