// Security: what somebody signs in with, and where he is signed in.
import { useLingui } from "@lingui/react";
import { Toasts } from "@pavise/ui/Toast.tsx";
import { Factors } from "./Factors.tsx";
import { Passkeys } from "./Passkeys.tsx";
import { Password } from "./Password.tsx";
import { ProofProvider } from "./Proof.tsx";
import { RecoveryCodes } from "./RecoveryCodes.tsx";
import { Sessions } from "./Sessions.tsx";
import page from "../app/Page.module.css";

/** The page. */
export function Security() {
  const { _ } = useLingui();
  return (
    <ProofProvider>
      <div className={page.intro}>
        <h1>{_("security.title")}</h1>
        <p className={page.soft}>{_("security.lead")}</p>
      </div>
      <Factors />
      <Passkeys />
      <RecoveryCodes />
      <Password />
      <Sessions />
      <Toasts />
    </ProofProvider>
  );
}
