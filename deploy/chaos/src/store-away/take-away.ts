import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { Instance } from '@sluice/acceptance/instance';
import { readPid } from '@sluice/embedded';
import { surroundingsOf } from '../crash/surroundings.ts';
import { freeze, keepKilling } from '../outages/stopping.ts';

/** Frozen: connections stay open and nothing answers. Killed: connections are refused. */
export type StoreAwayHow = 'frozen' | 'killed' | 'postgres-frozen' | 'postgres-killed';

export const isStoreAwayHow = (text: string): text is StoreAwayHow =>
  /^(?:postgres-)?(?:frozen|killed)$/.test(text);
export const isPostgres = (how: StoreAwayHow): boolean => how.startsWith('postgres');

const pollMs = 100;

/** Resolves when the store is away. The returned function brings it back and resolves when it accepts connections. */
export async function takeAway(
  instance: Instance,
  how: StoreAwayHow,
): Promise<() => Promise<void>> {
  const { pidFileOf, eventStoreUrl, postgresUrl } = await surroundingsOf(instance);
  const pidFile = pidFileOf(isPostgres(how) ? 'postgres' : 'eventstore');
  if (how.endsWith('frozen')) {
    const pid = await readPid(pidFile);
    if (pid === undefined) throw new Error(`no process runs by ${pidFile}`);
    const frozen = await freeze(pid);
    return async () => frozen.letGo();
  }
  const { hostname, port } = new URL(isPostgres(how) ? postgresUrl : eventStoreUrl);
  const killing = new AbortController();
  const killed = (async () => {
    while (!killing.signal.aborted) await keepKilling(pidFile, pollMs);
  })();
  return async () => {
    killing.abort();
    await killed;
    while (!(await isAccepting(hostname, Number(port)))) await delay(pollMs);
  };
}

function isAccepting(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host, port });
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
}
