// The checkout up to the order: the buyer, their address, the people to cover. Each step asks one question.
import { useLingui } from "@lingui/react";
import { useLanguage } from "@pavise/i18n/Language.tsx";
import { reloadPage } from "@pavise/rpc/reload.ts";
import { useKeeper, useSessionState } from "@pavise/session/Session.tsx";
import { Link } from "@pavise/ui/Link.tsx";
import { SkeletonText } from "@pavise/ui/Progress.tsx";
import { Site } from "../app/Frame.tsx";
import { Loaded, Refused } from "@pavise/ui/Loaded.tsx";
import { useQuery } from "@tanstack/react-query";
import { buyingHref, useCart } from "../shop/cart.ts";
import { cartPeriod, choices, usePlans, usePrices, type Plan } from "../shop/catalog.ts";
import { NothingChosen } from "../shop/NothingChosen.tsx";
import { Summary } from "../shop/Summary.tsx";
import { AccountStep } from "./AccountStep.tsx";
import { DetailsStep } from "./DetailsStep.tsx";
import { Steps } from "./Steps.tsx";
import page from "@pavise/ui/Part.module.css";
import frame from "../app/Page.module.css";

/** The steps before the payment. */
export function Checkout() {
  const { _ } = useLingui();
  const { locale } = useLanguage();
  const { parameter } = useCart();
  const { status } = useSessionState();
  const plans = usePlans(locale);
  return (
    <Site>
      <div className={frame.wide}>
        <div className={page.intro}>
          <Link className={frame.back} href={buyingHref("/cart", parameter)}>
            {_("checkout.back")}
          </Link>
          <Steps current={status === "signedIn" ? "details" : "account"} />
        </div>
        <Loaded query={plans} lines={6}>
          {(found) => <Body plans={found} />}
        </Loaded>
      </div>
    </Site>
  );
}

function Body({ plans }: { plans: readonly Plan[] }) {
  const { locale } = useLanguage();
  const { cart } = useCart();
  const state = useSessionState();
  const period = cartPeriod(cart);
  const wanted = choices(cart, plans);
  const prices = usePrices(wanted, { period, region: cart.region, locale });
  const priced = prices.flatMap((price) => price.data ?? []);
  if (wanted.length === 0 || cart.region === "") return <NothingChosen />;
  return (
    <div className={frame.columns}>
      {state.status === "unknown" ? (
        <Unknown />
      ) : state.status === "signedOut" ? (
        <AccountStep />
      ) : (
        <DetailsStep identityId={state.session.identityId} choices={wanted} plans={plans} />
      )}
      <div className={frame.aside}>
        <Summary priced={priced} period={period} />
      </div>
    </div>
  );
}

/** Shown while the session is unknown: the server is asked until it answers. */
function Unknown() {
  const keeper = useKeeper();
  const asked = useQuery({ queryKey: ["session"], queryFn: async () => (await keeper.refresh()).status, gcTime: 0 });
  if (asked.error)
    return <Refused error={asked.error} onRetry={() => void asked.refetch()} retrying={asked.isFetching} />;
  return <SkeletonText onRetry={() => void reloadPage()} />;
}
