// The benefits of a product, in a few words each.
import { useQuery } from "@connectrpc/connect-query";
import type { LocaleId } from "@pavise/i18n/locale.ts";
import { useLanguage } from "@pavise/i18n/Language.tsx";
import type { Benefit } from "@pavise/schema/pavise/catalog/v1/benefit_pb";
import { BenefitService } from "@pavise/schema/pavise/catalog/v1/benefit_service_pb";
import type { ProductBenefit } from "@pavise/schema/pavise/catalog/v1/product_part_pb";
import type { Product } from "@pavise/schema/pavise/catalog/v1/product_pb";
import { IconCheck } from "@pavise/ui/icons.tsx";
import { localized } from "./words.ts";
import styles from "./Page.module.css";

type BenefitsProps = {
  product: Product;
  /** The benefits that the product names, as they were when it was bought. */
  kept?: readonly Benefit[] | undefined;
};

/** The list of benefits. */
export function Benefits({ product, kept }: BenefitsProps) {
  const { locale } = useLanguage();
  const ids = product.benefits.filter(({ summaries }) => summaries.length === 0).map(({ benefitId }) => benefitId);
  const options = { enabled: kept === undefined && ids.length > 0 };
  const found = useQuery(BenefitService.method.getBenefitsByIdList, { ids }, options).data;
  const known = kept ?? found?.benefits ?? [];
  return (
    <ul className={styles.benefits}>
      {product.benefits.map((benefit) => (
        <li key={benefit.id}>
          <IconCheck />
          <span>{summaryOf(benefit, known, locale)}</span>
        </li>
      ))}
    </ul>
  );
}

/** The summary of a benefit: its own, or else the name of the benefit that it names. */
function summaryOf(benefit: ProductBenefit, known: readonly Benefit[], locale: LocaleId): string {
  if (benefit.summaries.length > 0) return localized(benefit.summaries, locale);
  const named = known.find(({ id }) => id === benefit.benefitId);
  return named ? localized(named.friendlyTranslations, locale) || named.name : "";
}
