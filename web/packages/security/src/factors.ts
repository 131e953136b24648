// Queries of a user's factors, passkeys and recovery codes, with their names.
import { createConnectQueryKey, useQuery } from "@connectrpc/connect-query";
import { FactorStatus, FactorType, type Factor } from "@pavise/schema/pavise/identity/v1/factor_pb";
import { FactorService } from "@pavise/schema/pavise/identity/v1/factor_service_pb";
import { useSession } from "@pavise/session/Session.tsx";
import { useQueryClient } from "@tanstack/react-query";

/** The id of the signed-in user. */
export function useOwnId(): string {
  return useSession()?.identityId ?? "";
}

/** The kinds of factors that complete a sign-in, the strongest first. */
export const KINDS = [FactorType.GOOGLE, FactorType.SMS, FactorType.EMAIL] as const;

/** A kind of factor. */
export type Kind = (typeof KINDS)[number];

/** The kinds that can be set up here: codes are offered only where they can be sent. */
export function useKinds() {
  const asked = useQuery(FactorService.method.listFactorTypes, {}, { staleTime: Infinity });
  const types: readonly FactorType[] | undefined = asked.data?.types;
  return { ...asked, data: types && KINDS.filter((kind) => types.includes(kind)) };
}

/** The kind's name in the contract, the key of its words. */
export function kindName(type: FactorType): string {
  return FactorType[type];
}

/** The user's own factors. */
export function useFactors() {
  const identityId = useOwnId();
  return useQuery(FactorService.method.listFactors, { identityId, pageSize: 50 }, { enabled: identityId !== "" });
}

/** The user's own passkeys. */
export function usePasskeys() {
  const identityId = useOwnId();
  return useQuery(FactorService.method.listPasskeys, { identityId, pageSize: 50 }, { enabled: identityId !== "" });
}

/** How many recovery codes are left. */
export function useRecoveryCodes() {
  const identityId = useOwnId();
  return useQuery(FactorService.method.getRecoveryCodes, { identityId }, { enabled: identityId !== "" });
}

/** Whether a factor can prove who its user is. */
export function isActive({ status }: Factor): boolean {
  return status === FactorStatus.ACTIVE;
}

/** Invalidates all of these queries, so that they are read again. */
export function useRefresh(): () => Promise<void> {
  const client = useQueryClient();
  return () =>
    client.invalidateQueries({ queryKey: createConnectQueryKey({ schema: FactorService, cardinality: undefined }) });
}

/** A telephone number in the contract's form: with its country code, digits only. */
export function phoneNumber(typed: string): string | undefined {
  const digits = typed.replaceAll(/\D/g, "");
  const whole = typed.trim().startsWith("+") ? digits : digits.length === 10 ? `1${digits}` : digits;
  return /^[1-9][0-9]{9,14}$/.test(whole) ? `+${whole}` : undefined;
}
