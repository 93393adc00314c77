import type { ClientApplication } from './port.ts';

const textCharactersMax = 512;
const headerCharactersMax = 8_192;

/** What a client's headers say of its application, cut to a bound; undefined: nothing. */
export function clientApplication(
  referer: string | undefined,
  userAgent: string | undefined,
): ClientApplication | undefined {
  const client = { ...part('referer', referer), ...part('userAgent', userAgent) };
  return client.referer === undefined && client.userAgent === undefined ? undefined : client;
}

/** As one header value, for the link between two of our own processes. */
export function encodeClient(client: ClientApplication): string {
  return Buffer.from(JSON.stringify(client)).toString('base64url');
}

/** undefined: it says nothing that could be read. */
export function decodeClient(header: string | undefined): ClientApplication | undefined {
  if (header === undefined || header.length > headerCharactersMax) return undefined;
  try {
    const value: unknown = JSON.parse(Buffer.from(header, 'base64url').toString());
    if (typeof value !== 'object' || value === null) return undefined;
    const { referer, userAgent } = value as Readonly<Record<string, unknown>>;
    return clientApplication(textOf(referer), textOf(userAgent));
  } catch {
    return undefined;
  }
}

function part<Name extends string>(
  name: Name,
  text: string | undefined,
): { readonly [Key in Name]?: string } {
  // Control characters and half characters have no place in a record.
  const clean = text
    ?.replaceAll(/[\p{Cc}\p{Cs}]/gu, '')
    .slice(0, textCharactersMax)
    .toWellFormed();
  return (clean ? { [name]: clean } : {}) as { readonly [Key in Name]?: string };
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
