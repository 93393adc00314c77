import type { Instance } from '@sluice/acceptance/instance';
import { send, textAt } from '../load/http.ts';
import { settled } from '../waiting.ts';
import type { LogEvent } from './log/read-log.ts';

const keysMax = 200;
const patience = { everyMs: 200, sameLooksMax: 75 };

/**
 * Returns a sentence for each key with this name prefix whose name differs between the API and the log. Waits while
 * read models advance.
 */
export async function auditShown(
  instance: Pick<Instance, 'bootstrap'>,
  namePrefix: string,
  log: readonly LogEvent[],
): Promise<readonly string[]> {
  const ours = [...namesOf(log)].filter(([, name]) => name.startsWith(namePrefix));
  const key = instance.bootstrap.management_key;
  const ask = async () => {
    const wrong: string[] = [];
    for (const [hash, name] of ours.slice(-keysMax)) {
      const { status, json } = await send(instance, { path: `/v1/keys/${hash}`, key });
      const shown = status === 200 ? textAt(json, 'data.name') : `status ${status}`;
      if (shown !== name) wrong.push(`key ${hash} is shown as "${shown}", not "${name}"`);
    }
    return wrong;
  };
  return await settled(ask, (wrong) => wrong.length === 0, patience);
}

/** Maps the hash of each key that is not deleted to its name, from the events. */
function namesOf(log: readonly LogEvent[]): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  for (const { type, stream, data } of log) {
    const hash = stream.slice(stream.indexOf('-') + 1);
    if (type === 'ApiKeyIssued' || type === 'ApiKeyRenamed') names.set(hash, String(data['name']));
    if (type === 'ApiKeyDeleted') names.delete(hash);
  }
  return names;
}
