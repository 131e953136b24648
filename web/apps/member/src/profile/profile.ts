// The member's profile: reading it, and saving a change of it.
import { create, type DescMessage, type DescMethodUnary, type MessageInitShape } from "@bufbuild/protobuf";
import type { Transport } from "@connectrpc/connect";
import { callUnaryMethod, createConnectQueryKey, useQuery } from "@connectrpc/connect-query";
import { problemOf } from "@pavise/rpc/problem.ts";
import { ProfileSchema, type Profile } from "@pavise/schema/pavise/members/v1/profile_pb";
import { ProfileService } from "@pavise/schema/pavise/members/v1/profile_service_pb";
import { useKeeper } from "@pavise/session/Session.tsx";
import { useQueryClient, type QueryClient } from "@tanstack/react-query";
import { useMemberId } from "../member/holdings.ts";

/** The app, as the source of what a member says in it. */
export const SOURCE = "member-app";

/** The most items of each list of a profile. */
export const MOST = 20;

/** How often a profile is looked for that the platform has not made yet, in milliseconds. */
const AGAIN = 2000;

/** Whether the platform has not made the profile yet. */
function isMissing(error: unknown): boolean {
  return error !== null && error !== undefined && problemOf(error).kind === "notFound";
}

/** The member's profile. The platform makes it a moment after the account; until then it is empty. */
export function useProfile() {
  const identityId = useMemberId();
  const query = useQuery(
    ProfileService.method.getProfile,
    { identityId },
    {
      enabled: identityId !== "",
      refetchInterval: ({ state }) => (state.data === undefined && isMissing(state.error) ? AGAIN : false),
    },
  );
  const data = query.data ?? (isMissing(query.error) ? create(ProfileSchema, { id: identityId }) : undefined);
  return { data, error: query.error, isFetching: query.isFetching, refetch: query.refetch };
}

/** A change of a profile: a call that answers the profile after it. */
type Change<I extends DescMessage> = DescMethodUnary<I, typeof ProfileSchema>;

/** Keeps the profile that a call answered. */
export function keepProfile(queries: QueryClient, profile: Profile): void {
  const schema = ProfileService.method.getProfile;
  queries.setQueriesData({ queryKey: createConnectQueryKey({ schema, cardinality: "finite" }) }, profile);
}

/** The member who saves a change, and the way to the server. */
export type Saver = { readonly transport: Transport; readonly identityId: string };

/** Saves a change, and answers the profile after it. */
export async function saveProfile<I extends DescMessage>(
  { transport, identityId }: Saver,
  queries: QueryClient,
  method: Change<I>,
  input: MessageInitShape<I>,
): Promise<Profile> {
  const send = () => callUnaryMethod(transport, method, input);
  const saved = await send().catch(async (refused: unknown) => {
    if (!isMissing(refused) || problemOf(refused).fields.length > 0) throw refused;
    // The platform, or another tab, may make it meanwhile.
    await callUnaryMethod(transport, ProfileService.method.createProfile, { identityId }).catch(() => undefined);
    return send();
  });
  keepProfile(queries, saved);
  return saved;
}

/** Saves a change of the signed-in member's profile. */
export type Save = <I extends DescMessage>(method: Change<I>, input: MessageInitShape<I>) => Promise<Profile>;

/** The function that saves. */
export function useSave(): Save {
  const { transport } = useKeeper();
  const queries = useQueryClient();
  const identityId = useMemberId();
  return (method, input) => saveProfile({ transport, identityId }, queries, method, input);
}
