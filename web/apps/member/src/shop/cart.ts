// The cart in the page's address.
import { useLanguage } from "@pavise/i18n/Language.tsx";
import { CART_PARAMETER, decodeCart, encodeCart, withoutPersons, type Cart } from "@pavise/rules/cart.ts";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useMemo } from "react";
import { isRegionOf } from "../app/regions.ts";

/** The cart, and its setter. The address never holds personal data. */
export function useCart(): { cart: Cart; parameter: string; put: (cart: Cart) => void } {
  const search: { [CART_PARAMETER]?: string } = useSearch({ strict: false });
  const { locale } = useLanguage();
  const navigate = useNavigate();
  const value = search[CART_PARAMETER];
  const cart = useMemo(() => {
    const read = withoutPersons(decodeCart(value));
    const region = isRegionOf(read.region, locale) ? read.region : "";
    return { ...read, region, locale };
  }, [value, locale]);
  return {
    cart,
    parameter: encodeCart(cart),
    put: (next) => {
      const parameter = encodeCart(withoutPersons(next));
      void navigate({
        to: ".",
        search: parameter ? { [CART_PARAMETER]: parameter } : {},
        replace: true,
        resetScroll: false,
      });
    },
  };
}

/** The address of a purchase page. */
export function buyingHref(path: string, parameter: string): string {
  return parameter ? `${path}?${CART_PARAMETER}=${parameter}` : path;
}
