import type { Instance } from '@sluice/acceptance/instance';

/** A key of one run, and what the books say of it. */
export interface RunKey {
  readonly key: string;
  /** Returns what it has spent by the ledger. */
  spentNanoUsd(): Promise<bigint>;
}

const nanoPerUsd = 1e9;

export async function issueKey(instance: Instance, name: string): Promise<RunKey> {
  const { base_url: url, management_key: managementKey } = instance.bootstrap;
  const answer = await call(`${url}/keys`, managementKey, { name });
  const key = answer['key'];
  if (typeof key !== 'string') throw new Error(`no key: ${JSON.stringify(answer)}`);
  return {
    key,
    async spentNanoUsd() {
      const { data } = await call(`${url}/key`, key);
      const { usage } = data as { readonly usage?: unknown };
      if (typeof usage !== 'number') throw new Error(`no usage: ${JSON.stringify(data)}`);
      return BigInt(Math.round(usage * nanoPerUsd));
    },
  };
}

async function call(
  url: string,
  key: string,
  body?: object,
): Promise<Readonly<Record<string, unknown>>> {
  const response = await fetch(url, {
    method: body ? 'POST' : 'GET',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  return (await response.json()) as Readonly<Record<string, unknown>>;
}
