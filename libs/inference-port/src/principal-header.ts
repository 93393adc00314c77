import type { Principal } from './principal.ts';

/** The paths and headers by which the gateway reaches the inference port of routing over HTTP/1.1. */
export const internalHttp = {
  /** Followed by the name of a client dialect. */
  answersPath: '/internal/answers/',
  /** Followed by the name of a view; the parameters are its query. */
  catalogPath: '/internal/catalog/',
  tokenHeader: 'x-sluice-token',
  /** In a catalog question: `yes` if the answer shows measured values. */
  measuredHeader: 'x-sluice-measured',
  formatHeader: 'x-sluice-format',
  principalHeader: 'x-sluice-principal',
  clientHeader: 'x-sluice-client',
  requestIdHeader: 'x-request-id',
  traceparentHeader: 'traceparent',
} as const;

const headerCharactersMax = 8_192;
const identifierPattern = /^[\w.:-]{1,128}$/;
const resets = ['daily', 'weekly', 'monthly', null] as const;

/** Caches the header of a principal: a known key has the same principal each time. */
const encoded = new WeakMap<Principal, string>();

/** A principal as one header value. Only for the trusted link between two of our own processes. */
export function encodePrincipal(principal: Principal): string {
  const known = encoded.get(principal);
  if (known !== undefined) return known;
  const { limitNanoUsd, ...rest } = principal;
  const limit = limitNanoUsd === null ? null : String(limitNanoUsd);
  const text = JSON.stringify({ ...rest, limitNanoUsd: limit });
  const header = Buffer.from(text).toString('base64url');
  encoded.set(principal, header);
  return header;
}

/** Returns undefined if the header is not a principal. */
export function decodePrincipal(header: string | undefined): Principal | undefined {
  if (header === undefined || header.length > headerCharactersMax) return undefined;
  const value = parse(header);
  if (!value) return undefined;
  const { accountId, workspaceId, keyHash, limitNanoUsd, limitReset, includeByokInLimit } = value;
  const reset = resets.find((known) => known === limitReset);
  if (!isIdentifier(accountId) || !isIdentifier(workspaceId) || !isIdentifier(keyHash))
    return undefined;
  if (reset === undefined || typeof includeByokInLimit !== 'boolean') return undefined;
  const { creatorUserId } = value;
  if (creatorUserId !== undefined && !isIdentifier(creatorUserId)) return undefined;
  const common = {
    accountId,
    workspaceId,
    keyHash,
    limitReset: reset,
    includeByokInLimit,
    ...(creatorUserId === undefined ? {} : { creatorUserId }),
  };
  if (limitNanoUsd === null) return { ...common, limitNanoUsd };
  if (typeof limitNanoUsd !== 'string' || !/^\d{1,19}$/.test(limitNanoUsd)) return undefined;
  return { ...common, limitNanoUsd: BigInt(limitNanoUsd) };
}

function isIdentifier(value: unknown): value is string {
  return typeof value === 'string' && identifierPattern.test(value);
}

function parse(header: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(header, 'base64url').toString());
    return typeof value === 'object' && value !== null
      ? (value as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
}
