import { createHash } from 'node:crypto';
import type { Bootstrap } from './bootstrap/bootstrap-file.ts';

const askTimeoutMs = 10_000;

/** The answer to `GET /v1/models`. */
export interface ModelList {
  readonly data?: readonly { readonly id: string }[];
}

/**
 * A model for the first request, as the gateway there lists it. undefined when the gateway does not say in
 * time: the keys are made by then, and a missing example is no reason to fail.
 */
export async function modelToTryAt(baseUrl: string): Promise<string | undefined> {
  try {
    const signal = AbortSignal.timeout(askTimeoutMs);
    const response = await fetch(`${baseUrl}/models`, { signal });
    return modelToTry((await response.json()) as ModelList);
  } catch {
    return undefined;
  }
}

/** A model for the first request: the simulator's, else the first that is offered, if any. */
export function modelToTry({ data = [] }: ModelList): string | undefined {
  const ids = data.map(({ id }) => id);
  return ids.find((id) => id === 'sim/echo') ?? ids[0];
}

const prefixCharacters = 16;

/** Returns enough of the hash of a key to name it. */
function hashPrefixOf(key: string): string {
  return createHash('sha256').update(key).digest('hex').slice(0, prefixCharacters);
}

/**
 * Returns what a successful start prints: the address, the two keys, a line that works when pasted, and
 * how the management key is replaced.
 */
export function announcement(bootstrap: Bootstrap, model: string | undefined): string {
  const { base_url, api_key, management_key } = bootstrap;
  const body = JSON.stringify({ model: model ?? 'author/model', input: 'Hello, Sluice' });
  const missing = `No model is known yet: replace author/model by one of ${base_url}/models.`;
  return [
    '',
    `Base URL        ${base_url}`,
    `Management key  ${management_key}`,
    `API key         ${api_key}`,
    '',
    `curl ${base_url}/responses -H 'Authorization: Bearer ${api_key}' ` +
      `-H 'Content-Type: application/json' -d '${body}'`,
    ...(model === undefined ? ['', missing] : []),
    '',
    'The management key of a first start never expires. To replace it, make another one, put that into',
    'bootstrap.json, and revoke this one:',
    'npm run --silent sluice -- keys create-management --name NAME --expires 2027-01-31T00:00:00Z',
    `npm run --silent sluice -- keys revoke ${hashPrefixOf(management_key)}`,
  ].join('\n');
}

/** Follows the announcement where the printing process is the one that serves. */
export const stopHint = '\nCtrl-C stops everything.';
