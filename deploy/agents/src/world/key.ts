import type { Instance } from '@sluice/acceptance/instance';

/** A key of one run, and what the books say of it. */
export interface RunKey {
  readonly key: string;
  /** Returns what it has spent by the ledger. */
  spentNanoUsd(): Promise<bigint>;
  disable(): Promise<void>;
}

const nanoPerUsd = 1e9;

/** A new key that may spend so much; undefined: no limit. */
export async function issueKey(
  instance: Instance,
  name: string,
  limitUsd: number | undefined,
): Promise<RunKey> {
  const { base_url: url, management_key: managementKey } = instance.bootstrap;
  const call = async (method: string, path: string, body?: object) => {
    const response = await fetch(`${url}${path}`, {
      method,
      headers: { authorization: `Bearer ${managementKey}`, 'content-type': 'application/json' },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    const answer: unknown = await response.json();
    if (!response.ok) throw new Error(`${method} ${path}: ${JSON.stringify(answer)}`);
    return answer as { readonly key?: string; readonly data: { hash: string; usage: number } };
  };
  const limit = limitUsd === undefined ? {} : { limit: limitUsd };
  const { key = '', data } = await call('POST', '/keys', { name, ...limit });
  return {
    key,
    async spentNanoUsd() {
      const { data: now } = await call('GET', `/keys/${data.hash}`);
      return BigInt(Math.round(now.usage * nanoPerUsd));
    },
    async disable() {
      await call('PATCH', `/keys/${data.hash}`, { disabled: true });
    },
  };
}
