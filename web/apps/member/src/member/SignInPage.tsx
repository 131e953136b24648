// Signs in or up without buying, and leads back to where somebody came from.
import { ForgottenPassword } from "@pavise/session/Reset.tsx";
import { AccountStep } from "../order/AccountStep.tsx";
import { BASE } from "../router.tsx";
import { Site } from "../app/Frame.tsx";
import { useRouter, useSearch } from "@tanstack/react-router";
import page from "../app/Page.module.css";

/** The page. */
export function SignInPage() {
  const search = useSearch({ from: "/sign-in" });
  const router = useRouter();
  return (
    <Site>
      <div className={`${page.page} ${page.narrow}`}>
        <AccountStep known onSignedIn={() => router.history.push(`${BASE}${search.return ?? "/home"}`)} />
        <ForgottenPassword href="/forgot-password" />
      </div>
    </Site>
  );
}
