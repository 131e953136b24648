// What an authenticator app needs: a picture for its camera, or the secret to type.
import { useLingui } from "@lingui/react";
import type { AuthenticatorSetup } from "@pavise/schema/pavise/identity/v1/factor_service_pb";
import { CopyText } from "@pavise/ui/Notice.tsx";
import page from "@pavise/ui/Part.module.css";
import styles from "./security.module.css";

/** Shown once: nobody can look it up again. */
export function Authenticator({ setup }: { setup: AuthenticatorSetup }) {
  const { _ } = useLingui();
  return (
    <div className={styles.setup}>
      <p>{_("security.app.scan")}</p>
      <img
        className={styles.picture}
        src={`data:image/svg+xml,${encodeURIComponent(setup.qrSvg)}`}
        width={208}
        height={208}
        alt={_("security.app.picture")}
      />
      <div className={styles.secret}>
        <span className={page.small}>{_("security.app.secret")}</span>
        <span className={styles.text}>
          <CopyText text={setup.secretText} />
        </span>
        {/* On a phone the app itself is at hand. */}
        <a href={setup.uri}>{_("security.app.open")}</a>
      </div>
    </div>
  );
}
