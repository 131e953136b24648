// The language of the profile: the app speaks it, and a choice in the app is saved there.
import { useLingui } from "@lingui/react";
import { useLanguage } from "@pavise/i18n/Language.tsx";
import { LOCALE_PARAMETER, LOCALES as LOCALE_IDS, type LocaleId } from "@pavise/i18n/locale.ts";
import { IdentityRealm } from "@pavise/schema/pavise/identity/v1/identity_pb";
import type { Locale } from "@pavise/schema/pavise/common/v1/place_pb";
import { ProfileService } from "@pavise/schema/pavise/members/v1/profile_service_pb";
import { useSession } from "@pavise/session/Session.tsx";
import type { SessionKeeper } from "@pavise/session/session.ts";
import type { QueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { LOCALES } from "../app/words.ts";
import { saveProfile, useProfile } from "./profile.ts";

/** The app's name of a profile's language; undefined where it has none. */
export function localeOf(locale: Locale | undefined): LocaleId | undefined {
  return LOCALE_IDS.find((id) => LOCALES[id] === locale);
}

/** Speaks the language of the profile. A link that names a language decides for its page; staff who act keep their own. */
export function useProfileLanguage(): void {
  const { i18n } = useLingui();
  const { choose } = useLanguage();
  const acting = useSession()?.actorId !== "";
  const locale = localeOf(useProfile().data?.locale);
  useEffect(() => {
    const named = new URLSearchParams(window.location.search).has(LOCALE_PARAMETER);
    if (locale !== undefined && !acting && !named && locale !== i18n.locale) choose(locale);
  }, [locale, acting, i18n, choose]);
}

/** Saves a choice on the profile. The app speaks it already, so a refusal is not told. */
export async function saveLanguage(keeper: SessionKeeper, queries: QueryClient, locale: LocaleId): Promise<void> {
  const state = keeper.state();
  if (state.status !== "signedIn") return;
  const { identityId, realm, actorId } = state.session;
  if (realm !== IdentityRealm.USER || actorId !== "") return;
  const input = { identityId, locale: LOCALES[locale] };
  const saver = { transport: keeper.transport, identityId };
  await saveProfile(saver, queries, ProfileService.method.updateLocale, input).catch(() => undefined);
}
