// Fetches the contract: its index at first, and the descriptors of a domain with the first page that needs them. A small list
// names each part by its hash, so that browsers cache the parts for ever.
import { loadHeadings, loadTerms } from "@pavise/i18n/contract/load.ts";
import { speakMore } from "@pavise/i18n/Language.tsx";
import { readContract, type Contract } from "./operation.ts";
import { setOf, SHARED, Types } from "./types.ts";

/** The paths of the contract's parts. */
interface Parts {
  readonly index: string;
  readonly shared: string;
  readonly domains: Readonly<Record<string, string>>;
}

/** A contract from whole descriptors, with every type loaded. */
export function contractOf(bytes: Uint8Array): Contract {
  const set = setOf(bytes);
  const types = new Types((part) => Promise.reject(new Error(`there is no part ${part}`)));
  const contract = readContract(set, types);
  types.add(set, SHARED, ...contract.services.map(({ domain }) => domain));
  return contract;
}

/** How long a part is waited for, in milliseconds. */
const PATIENCE = 15_000;

/** The contract of the server that served the page, with the names of its navigation in the reader's language. */
export async function loadContract(signal?: AbortSignal): Promise<Contract> {
  const headings = speakMore(loadHeadings);
  const parts = (await (await fetched("/contract.json", signal)).json()) as Parts;
  const index = await bytesOf(parts.index, signal);
  await headings;
  const contract = readContract(
    setOf(index),
    new Types((part) => {
      const path = part === SHARED ? parts.shared : parts.domains[part];
      return path === undefined
        ? Promise.reject(new Error(`there is no part ${part}`))
        : bytesOf(path, AbortSignal.timeout(PATIENCE));
    }),
  );
  return withTerms(contract);
}

/** A contract whose domains are loaded together with the terms in the reader's language. */
function withTerms(contract: Contract): Contract {
  let spoken = false;
  return {
    ...contract,
    has: (domains) => spoken && contract.has(domains),
    load: async (...domains) => {
      await Promise.all([contract.load(...domains), speakMore(loadTerms)]);
      spoken = true;
    },
  };
}

async function bytesOf(path: string, signal?: AbortSignal): Promise<Uint8Array> {
  return new Uint8Array(await (await fetched(path, signal)).arrayBuffer());
}

async function fetched(path: string, signal?: AbortSignal): Promise<Response> {
  const response = await fetch(path, signal === undefined ? {} : { signal });
  if (!response.ok) throw new Error(`${path} was answered with status ${response.status}`);
  return response;
}
