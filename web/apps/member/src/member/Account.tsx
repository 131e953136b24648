// The frame of a signed-in member: the navigation, their name, the sign-out.
import { useLingui } from "@lingui/react";
import { useKeeper } from "@pavise/session/Session.tsx";
import { Button } from "@pavise/ui/Button.tsx";
import { IconCard, IconHome, IconLock, IconMail, IconPeople, IconPerson, IconPlan } from "@pavise/ui/icons.tsx";
import { leave } from "@pavise/ui/leave.ts";
import { Shell } from "@pavise/ui/Shell.tsx";
import { useLocation } from "@tanstack/react-router";
import { useState, type ReactNode } from "react";
import { Brand, Languages, Notices, Themes } from "../app/Frame.tsx";
import styles from "../app/Page.module.css";

const PLACES = [
  { href: "/home", label: "frame.home", Icon: IconHome },
  { href: "/plans", label: "frame.plans", Icon: IconPlan },
  { href: "/billing", label: "frame.billing", Icon: IconCard },
  { href: "/family", label: "frame.family", Icon: IconPeople },
  { href: "/profile", label: "frame.profile", Icon: IconPerson },
  { href: "/consents", label: "frame.consents", Icon: IconMail },
  { href: "/security", label: "frame.security", Icon: IconLock },
] as const;

/** The frame of a signed-in member. */
export function Account({ email, children }: { email: string; children: ReactNode }) {
  const { _ } = useLingui();
  const { pathname } = useLocation();
  const keeper = useKeeper();
  const [leaving, setLeaving] = useState(false);
  async function signOut() {
    setLeaving(true);
    try {
      await keeper.signOut();
    } finally {
      setLeaving(false);
    }
  }
  return (
    <Shell
      brand={<Brand />}
      home="/home"
      sections={[
        {
          entries: PLACES.map(({ href, label, Icon }) => ({
            href,
            label: _(label),
            icon: <Icon />,
            current: pathname === href,
          })),
        },
      ]}
      notices={<Notices />}
      foot={
        <>
          <div className={styles.who}>
            <span>{email}</span>
          </div>
          <div className={styles.whoActions}>
            <Button kind="quiet" onPress={() => leave(() => void signOut())} isPending={leaving}>
              {_("frame.signOut")}
            </Button>
            <Languages />
            <Themes />
          </div>
        </>
      }
    >
      <div className={styles.shellPage}>{children}</div>
    </Shell>
  );
}
