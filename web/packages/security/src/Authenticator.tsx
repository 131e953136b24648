// The set-up of an authenticator app: a QR code, or the secret to type.
import { useLingui } from "@lingui/react";
import type { AuthenticatorSetup } from "@pavise/schema/pavise/identity/v1/factor_service_pb";
import { CopyText } from "@pavise/ui/Notice.tsx";
import page from "@pavise/ui/Part.module.css";
import styles from "./security.module.css";

/** The secret is shown once and cannot be read again. */
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
        {/* A link opens the authenticator app on the same phone. */}
        <a href={setup.uri}>{_("security.app.open")}</a>
      </div>
    </div>
  );
}
