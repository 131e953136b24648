// Fetches the contract. A small index names the descriptor set, which is cached for ever by its hash.
import { createFileRegistry, fromBinary, type Registry } from "@bufbuild/protobuf";
import { FileDescriptorSetSchema } from "@bufbuild/protobuf/wkt";
import { loadTerms } from "@pavise/i18n/contract/load.ts";
import { speakMore } from "@pavise/i18n/Language.tsx";
import { readContract, type Contract } from "./operation.ts";

/** A registry of the types in a descriptor set. */
export function registryOf(bytes: Uint8Array): Registry {
  return createFileRegistry(fromBinary(FileDescriptorSetSchema, bytes));
}

/** The contract of the server that served the page, with the contract's names in the reader's language. */
export async function loadContract(signal?: AbortSignal): Promise<Contract> {
  const options = signal === undefined ? {} : { signal };
  const terms = speakMore(loadTerms);
  const index = (await (await fetched("/contract.json", options)).json()) as { descriptors: string };
  const bytes = await (await fetched(index.descriptors, options)).arrayBuffer();
  await terms;
  return readContract(registryOf(new Uint8Array(bytes)));
}

async function fetched(path: string, options: RequestInit): Promise<Response> {
  const response = await fetch(path, options);
  if (!response.ok) throw new Error(`${path} was answered with status ${response.status}`);
  return response;
}
