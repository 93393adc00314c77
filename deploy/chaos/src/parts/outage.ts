import { connect } from 'node:net';
import { readPid, signalProcess, suspendProcess } from '@sluice/embedded';
import { until } from '@sluice/patience';
import { childrenOf } from '@sluice/testing/process-stat';
import { watching } from '@sluice/testing/watching';
import type { Installation } from './installation.ts';

/** A frozen part keeps its connections open and answers nothing. A killed one refuses connections. */
export type How = 'frozen' | 'killed';

/** Brings a part back. Resolves when it accepts connections. */
export type Back = () => Promise<void>;

/** Processes that stand still. */
export interface Frozen {
  letGo(): void;
  /** Kills each of them with SIGKILL. */
  kill(): void;
}

const pollMs = 20;

/** Takes a supervised part of an installation away. Resolves when it is away. */
export async function takeAway(
  installation: Installation,
  part: 'eventstore' | 'postgres' | 'ledger',
  how: How,
): Promise<Back> {
  const pidFile = installation.pidFileOf(part);
  const { eventStoreUrl, postgresUrl, ledgerAddress } = installation;
  const urls = {
    eventstore: eventStoreUrl,
    postgres: postgresUrl,
    ledger: `tcp://${ledgerAddress}`,
  };
  if (how === 'killed') return keepDead(pidFile, new URL(urls[part]));
  const pid = await readPid(pidFile);
  if (pid === undefined) throw new Error(`${part} does not run`);
  const frozen = await freeze(pid);
  return async () => frozen.letGo();
}

/**
 * Stops a process and all that it has started. When this resolves, none of their threads runs or is inside a system
 * call.
 */
export async function freeze(pid: number): Promise<Frozen> {
  const frozen = [pid];
  process.kill(pid, 'SIGSTOP');
  for (const parent of frozen)
    for (const child of await childrenOf(parent)) {
      signalProcess(child, 'SIGSTOP');
      frozen.push(child);
    }
  for (const one of frozen) await suspendProcess(one);
  const each = (name: NodeJS.Signals) => () => {
    for (const one of frozen.toReversed()) signalProcess(one, name);
  };
  return { letGo: each('SIGCONT'), kill: each('SIGKILL') };
}

/** Kills the process of a pid file after each restart by its supervisor. */
function keepDead(pidFile: string, { hostname, port }: URL): Back {
  const dead = new Set<number>();
  const killing = watching(pollMs, async () => {
    const pid = await readPid(pidFile);
    if (pid === undefined || dead.has(pid)) return;
    signalProcess(pid, 'SIGKILL');
    dead.add(pid);
  });
  return async () => {
    await killing[Symbol.asyncDispose]();
    await until(() => isAccepting(hostname, Number(port)));
  };
}

function isAccepting(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host, port });
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
}
