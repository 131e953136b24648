// The benefits of a product, in a few words each.
import { useLanguage } from "@pavise/i18n/Language.tsx";
import type { Product } from "@pavise/schema/pavise/catalog/v1/product_pb";
import { IconCheck } from "@pavise/ui/icons.tsx";
import { localized } from "./words.ts";
import styles from "./Page.module.css";

/** The list of benefits. */
export function Benefits({ product }: { product: Product }) {
  const { locale } = useLanguage();
  return (
    <ul className={styles.benefits}>
      {product.benefits.map((benefit) => (
        <li key={benefit.id}>
          <IconCheck />
          <span>{localized(benefit.summaries, locale)}</span>
        </li>
      ))}
    </ul>
  );
}
