import type { ClientApplication } from './port.ts';

const textCharactersMax = 512;
const headerCharactersMax = 8_192;

const sessionCharactersMax = 256;

/** The headers of a request that say something of its client, as they came. */
export interface ClientHeaders {
  readonly referer?: string | undefined;
  readonly userAgent?: string | undefined;
  readonly sessionId?: string | undefined;
  /** `X-Service-Metadata`, or else its older name. */
  readonly metadata?: string | undefined;
}

/** What a client's headers say, cut to a bound; undefined: nothing. A session that is too long is none. */
export function clientApplication(headers: ClientHeaders): ClientApplication | undefined {
  const { sessionId, metadata } = headers;
  // Most calls say nothing else than what called, or not even that.
  if (!headers.referer && !headers.userAgent && !sessionId && !metadata) return undefined;
  const isSession =
    sessionId !== undefined && sessionId !== '' && sessionId.length <= sessionCharactersMax;
  const client: ClientApplication = {
    ...part('referer', headers.referer),
    ...part('userAgent', headers.userAgent),
    ...(isSession && { sessionId }),
    ...(metadata?.toLowerCase() === 'enabled' && { wantsMetadata: true }),
  };
  return Object.keys(client).length === 0 ? undefined : client;
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
    const { referer, userAgent, sessionId, wantsMetadata } = value as Readonly<
      Record<string, unknown>
    >;
    return clientApplication({
      referer: textOf(referer),
      userAgent: textOf(userAgent),
      sessionId: textOf(sessionId),
      metadata: wantsMetadata === true ? 'enabled' : undefined,
    });
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
