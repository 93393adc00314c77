import { manage } from '@sluice/acceptance/http';
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
  const call = async (method: string, path: string, body?: object) => {
    const { status, body: answer } = await manage(instance, path, { method, body });
    if (status >= 300) throw new Error(`${method} ${path}: ${JSON.stringify(answer)}`);
    return answer as unknown as {
      readonly key?: string;
      readonly data: { hash: string; usage: number };
    };
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
