import type { Instance } from '@sluice/acceptance/instance';
import type { RecordedEvent } from '@sluice/es';
import { whileItChanges } from '../progress.ts';
import type { Stage } from './stage.ts';

const keysMax = 200;
const quietMs = 15_000;
const pollMs = 200;

/** Returns a sentence for each key whose name differs between the API and the log. Waits while read models advance. */
export async function auditShown(
  { instance, namePrefix }: Pick<Stage, 'instance' | 'namePrefix'>,
  log: readonly RecordedEvent[],
): Promise<readonly string[]> {
  const { bootstrap } = instance;
  const ours = [...namesOf(log)].filter(([, name]) => name.startsWith(namePrefix));
  const names = ours.slice(-keysMax);
  const ask = async () => {
    const wrong: string[] = [];
    for (const [hash, name] of names) {
      const shown = await shownName(bootstrap, hash);
      if (shown !== name) wrong.push(`key ${hash} is shown as "${shown}", not "${name}"`);
    }
    return wrong;
  };
  return await whileItChanges(ask, (wrong) => wrong.length === 0, { quietMs, pollMs });
}

/** Maps the hash of each key that is not deleted to its name, from the events. */
function namesOf(log: readonly RecordedEvent[]): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  for (const { type, stream, data } of log) {
    const hash = stream.slice(stream.indexOf('-') + 1);
    if (type === 'ApiKeyIssued' || type === 'ApiKeyRenamed')
      names.set(hash, String((data as { readonly name?: unknown }).name));
    if (type === 'ApiKeyDeleted') names.delete(hash);
  }
  return names;
}

async function shownName(bootstrap: Instance['bootstrap'], hash: string): Promise<string> {
  const response = await fetch(`${bootstrap.base_url}/keys/${hash}`, {
    headers: { authorization: `Bearer ${bootstrap.management_key}` },
  }).catch(() => undefined);
  if (!response) return 'no answer';
  const body = (await response.json().catch(() => ({}))) as {
    readonly data?: { readonly name?: unknown };
  };
  return response.ok ? String(body.data?.name) : `status ${response.status}`;
}
