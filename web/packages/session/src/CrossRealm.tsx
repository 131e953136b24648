/** Shown to a signed-in identity of another realm: a link to their app, or signing in as somebody else. */
import { useLingui } from "@lingui/react";
import type { LoginRealm } from "@pavise/rules/redirect.ts";
import { Button } from "@pavise/ui/Button.tsx";
import { Link } from "@pavise/ui/Link.tsx";
import { SessionPage } from "./SignIn.tsx";
import styles from "./session.module.css";

export type CrossRealmProps = {
  /** The realm of the signed-in identity. */
  realm: LoginRealm;
  /** Signs out, for a sign-in as somebody else: the address of a page, or an action. */
  signOut: string | (() => void);
};

/** The app of each realm. */
export const HOMES: Readonly<Record<LoginRealm, string>> = {
  user: "/app/",
  internal: "/console/",
  partner: "/console/",
  groupAdmin: "/console/",
};

/** The realm of that name in an address; the group realm for an unknown one. */
export function realmNamed(name: string | undefined): LoginRealm {
  return name === "user" || name === "internal" || name === "partner" ? name : "groupAdmin";
}

/** The cross-realm page. */
export function CrossRealm({ realm, signOut }: CrossRealmProps) {
  const { _ } = useLingui();
  return (
    <SessionPage title={_("This page is for somebody else")}>
      <p className={styles.words}>
        {realm === "user"
          ? _("You are signed in as a member. Your plans, bills and messages are in the member app.")
          : _("You are signed in as staff or a partner. Your work is in the console.")}
      </p>
      <div className={styles.form}>
        {/* Another app needs a page load; the router cannot go there. */}
        <a className={styles.onward} href={HOMES[realm]}>
          {realm === "user" ? _("Go to the member app") : _("Go to the console")}
        </a>
        {typeof signOut === "string" ? (
          <Link kind="secondary" wide href={signOut}>
            {_("Sign out, to sign in as somebody else")}
          </Link>
        ) : (
          <Button wide onPress={signOut}>
            {_("Sign out, to sign in as somebody else")}
          </Button>
        )}
      </div>
    </SessionPage>
  );
}
