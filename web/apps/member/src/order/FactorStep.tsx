// The second half of a sign-in, for whoever has a further factor: fetched when it is asked for, with its words.
import { useLingui } from "@lingui/react";
import type { LocaleId } from "@pavise/i18n/locale.ts";
import { Factor, type FactorProps } from "@pavise/session/Factor.tsx";
import { loadSession } from "@pavise/session/messages.ts";
import { SkeletonText } from "@pavise/ui/Progress.tsx";
import { useQuery } from "@tanstack/react-query";

/** Asks for the factor. */
export function FactorStep(props: FactorProps) {
  const { i18n } = useLingui();
  const { locale } = i18n;
  const words = useQuery({
    queryKey: ["session words", locale],
    queryFn: async () => {
      const { messages } = await loadSession(locale as LocaleId);
      i18n.load(locale, messages);
      return true;
    },
    staleTime: Infinity,
  });
  return words.data ? <Factor {...props} /> : <SkeletonText lines={3} />;
}
