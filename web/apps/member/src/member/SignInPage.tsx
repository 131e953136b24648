// Signs in or up without buying, and returns to the page that was asked for.
import { useLingui } from "@lingui/react";
import { ForgottenPassword } from "@pavise/session/Reset.tsx";
import { Note } from "@pavise/ui/Notice.tsx";
import { AccountStep } from "../order/AccountStep.tsx";
import { BASE } from "../app/base.ts";
import { Site } from "../app/Frame.tsx";
import { useRouter, useSearch } from "@tanstack/react-router";
import page from "../app/Page.module.css";

/** The sign-in page. */
export function SignInPage() {
  const { _ } = useLingui();
  const search = useSearch({ from: "/pages/sign-in" });
  const router = useRouter();
  return (
    <Site>
      <div className={`${page.page} ${page.narrow}`}>
        {search.return === undefined ? null : <Note title={_("account.return")} />}
        <AccountStep known onSignedIn={() => router.history.push(`${BASE}${search.return ?? "/home"}`)} />
        <ForgottenPassword href="/forgot-password" />
      </div>
    </Site>
  );
}
