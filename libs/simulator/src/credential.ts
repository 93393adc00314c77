import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

/** The key of a call, in whichever header its dialect has it; empty: there is none. */
export function credentialOf(headers: IncomingHttpHeaders): string {
  const bearer = /^Bearer (.+)$/.exec(headers.authorization ?? '')?.[1];
  return bearer ?? String(headers['x-api-key'] ?? headers['x-goog-api-key'] ?? '');
}

/** Returns the form of a key that may be written down. */
export function credentialSha256(credential: string): string {
  return credential === '' ? '' : createHash('sha256').update(credential).digest('hex');
}

/**
 * Returns the id that a key ending in `-sim-named` gives to the answer. The id has the key in it, as the words of a
 * provider may.
 */
export function namedBy(credential: string): string | undefined {
  return credential.endsWith('-sim-named') ? `resp_${credential}` : undefined;
}

/** A key that ends in `-sim-error-<status>` is refused with it; undefined: it is good. */
export function credentialFault(credential: string): number | undefined {
  const status = /-sim-error-([45]\d\d)$/.exec(credential)?.[1];
  return status === undefined ? undefined : Number(status);
}
