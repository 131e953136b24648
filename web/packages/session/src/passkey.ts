// The browser's side of passkeys: converts the server's JSON options to the browser's bytes and back.
import { Code, ConnectError } from "@connectrpc/connect";

type Described = { id: string; type: "public-key"; transports?: AuthenticatorTransport[] };
type CreationOptions = Omit<PublicKeyCredentialCreationOptions, "challenge" | "user" | "excludeCredentials"> & {
  challenge: string;
  user: { id: string; name: string; displayName: string };
  excludeCredentials?: Described[];
};
type RequestOptions = Omit<PublicKeyCredentialRequestOptions, "challenge" | "allowCredentials"> & {
  challenge: string;
  allowCredentials?: Described[];
};

/** Whether this browser supports passkeys. */
export function knowsPasskeys(): boolean {
  return typeof globalThis.PublicKeyCredential === "function";
}

/** Creates a passkey; returns the attestation that the server verifies. */
export async function makeCredential(optionsJson: string): Promise<string> {
  const { publicKey } = JSON.parse(optionsJson) as { publicKey: CreationOptions };
  const made = await asked(() =>
    navigator.credentials.create({
      publicKey: {
        ...publicKey,
        challenge: bytesOf(publicKey.challenge),
        user: { ...publicKey.user, id: bytesOf(publicKey.user.id) },
        excludeCredentials: described(publicKey.excludeCredentials),
      },
    }),
  );
  const response = made.response as AuthenticatorAttestationResponse;
  return said(made, {
    attestationObject: textOf(response.attestationObject),
    clientDataJSON: textOf(response.clientDataJSON),
    transports: response.getTransports(),
  });
}

/** Asks the device for an assertion; returns it for the server to verify. */
export async function showCredential(optionsJson: string): Promise<string> {
  const { publicKey } = JSON.parse(optionsJson) as { publicKey: RequestOptions };
  const used = await asked(() =>
    navigator.credentials.get({
      publicKey: {
        ...publicKey,
        challenge: bytesOf(publicKey.challenge),
        allowCredentials: described(publicKey.allowCredentials),
      },
    }),
  );
  const response = used.response as AuthenticatorAssertionResponse;
  return said(used, {
    authenticatorData: textOf(response.authenticatorData),
    clientDataJSON: textOf(response.clientDataJSON),
    signature: textOf(response.signature),
    userHandle: response.userHandle === null ? null : textOf(response.userHandle),
  });
}

/** Turns an error of the browser into a refusal, so that it is told like the others. */
async function asked(run: () => Promise<Credential | null>): Promise<PublicKeyCredential> {
  try {
    const credential = await run();
    if (credential !== null) return credential as PublicKeyCredential;
  } catch (error) {
    if (!(error instanceof DOMException)) throw error;
    if (error.name === "InvalidStateError")
      throw new ConnectError("this device has a passkey for the account", Code.AlreadyExists);
  }
  throw new ConnectError("the device did not confirm it", Code.Canceled);
}

function said(credential: PublicKeyCredential, response: object): string {
  const { id, type } = credential;
  return JSON.stringify({
    id,
    type,
    rawId: textOf(credential.rawId),
    response,
    extensions: credential.getClientExtensionResults(),
  });
}

function described(all: readonly Described[] | undefined): PublicKeyCredentialDescriptor[] {
  return (all ?? []).map(({ id, type, transports = [] }) => ({ id: bytesOf(id), type, transports }));
}

/** The bytes of base64url. */
export function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  const bytes = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(bytes, (byte) => byte.codePointAt(0) ?? 0);
}

/** Bytes as base64url, without padding. */
export function textOf(bytes: ArrayBuffer): string {
  const text = btoa(Array.from(new Uint8Array(bytes), (byte) => String.fromCodePoint(byte)).join(""));
  return text.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}
