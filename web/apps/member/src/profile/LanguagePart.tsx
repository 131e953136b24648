// The language in which the member is addressed, which is also the app's.
import { useLingui } from "@lingui/react";
import { useLanguage } from "@pavise/i18n/Language.tsx";
import { LOCALE_NAMES, LOCALES as LOCALE_IDS, type LocaleId } from "@pavise/i18n/locale.ts";
import { ProfileService } from "@pavise/schema/pavise/members/v1/profile_service_pb";
import { useAttempt } from "@pavise/ui/attempt.ts";
import { Refused } from "@pavise/ui/Loaded.tsx";
import { NativeSelect } from "@pavise/ui/NativeSelect.tsx";
import { Part } from "@pavise/ui/Part.tsx";
import { toast } from "@pavise/ui/toasts.tsx";
import { LOCALES } from "../app/words.ts";
import { useMemberId } from "../member/holdings.ts";
import { useSave } from "./profile.ts";
import page from "@pavise/ui/Part.module.css";

/** The part of the page. */
export function LanguagePart() {
  const { _ } = useLingui();
  const identityId = useMemberId();
  const { locale, choose } = useLanguage();
  const save = useSave();
  const { error, run } = useAttempt();
  function change(wanted: LocaleId) {
    void run(
      () => save(ProfileService.method.updateLocale, { identityId, locale: LOCALES[wanted] }),
      () => {
        choose(wanted);
        toast({ title: _("profile.saved") });
      },
    );
  }
  return (
    <Part id="language" title={_("profile.language")}>
      <p className={page.soft}>{_("profile.language.lead")}</p>
      <NativeSelect
        label={_("profile.language.choice")}
        choices={LOCALE_IDS.map((id) => ({ id, label: LOCALE_NAMES[id] }))}
        value={locale}
        onChange={change}
      />
      {error === undefined ? null : <Refused error={error} />}
    </Part>
  );
}
