// The descriptors of the contract, which are fetched by domain. What has no domain is shared by all.
import {
  createFileRegistry,
  createMutableRegistry,
  fromBinary,
  type DescFile,
  type Registry,
} from "@bufbuild/protobuf";
import { nestedTypes } from "@bufbuild/protobuf/reflect";
import { FileDescriptorSetSchema, type FileDescriptorProto, type FileDescriptorSet } from "@bufbuild/protobuf/wkt";

/** Fetches the encoded descriptors of a domain, or those that all domains share. */
export type Fetch = (part: string) => Promise<Uint8Array>;

/** The name of the part that all domains share. */
export const SHARED = "shared";

/** A descriptor set from its encoding. */
export function setOf(bytes: Uint8Array): FileDescriptorSet {
  return fromBinary(FileDescriptorSetSchema, bytes);
}

/** The types of the domains that were loaded so far. A type has one descriptor, however many domains use it. */
export class Types {
  readonly #registry = createMutableRegistry();
  readonly #files = new Map<string, DescFile>();
  readonly #fetch: Fetch;
  /** The parts that are loaded, or that are being loaded. */
  readonly #parts = new Map<string, Promise<void>>();
  readonly #there = new Set<string>();

  constructor(fetch: Fetch) {
    this.#fetch = fetch;
  }

  /** The loaded types. More come with each domain. */
  get registry(): Registry {
    return this.#registry;
  }

  /** Whether a domain's types are loaded. */
  has(domain: string): boolean {
    return this.#there.has(domain);
  }

  /** Loads the types of domains. A part that did not arrive is fetched again the next time. */
  async load(...domains: readonly string[]): Promise<void> {
    await Promise.all([SHARED, ...domains].map((part) => this.#load(part)));
  }

  /** Forgets the parts of domains that have not arrived, so that they are asked for again. */
  again(...domains: readonly string[]): void {
    for (const part of [SHARED, ...domains]) if (!this.#there.has(part)) this.#parts.delete(part);
  }

  #load(part: string): Promise<void> {
    const known = this.#parts.get(part);
    if (known !== undefined) return known;
    const loading = this.#fetched(part);
    this.#parts.set(part, loading);
    loading.catch(() => {
      if (this.#parts.get(part) === loading) this.#parts.delete(part);
    });
    return loading;
  }

  async #fetched(part: string): Promise<void> {
    const bytes = await this.#fetch(part);
    if (part !== SHARED) await this.#load(SHARED);
    this.add(setOf(bytes), part);
  }

  /** Adds the files of a set as a part. Files that are there stay. */
  add(set: FileDescriptorSet, ...parts: readonly string[]): void {
    const files = new Map(set.file.map((file) => [file.name, file]));
    for (const file of set.file) this.#add(file, files);
    for (const part of parts) {
      this.#there.add(part);
      this.#parts.set(part, Promise.resolve());
    }
  }

  #add(file: FileDescriptorProto, files: ReadonlyMap<string, FileDescriptorProto>): void {
    if (this.#files.has(file.name)) return;
    for (const name of file.dependency) {
      const imported = files.get(name);
      if (imported !== undefined) this.#add(imported, files);
    }
    const made = createFileRegistry(file, (name) => this.#files.get(name)).getFile(file.name);
    if (made === undefined) throw new Error(`the descriptors of ${file.name} cannot be read`);
    this.#files.set(file.name, made);
    for (const type of nestedTypes(made)) this.#registry.add(type);
  }
}
