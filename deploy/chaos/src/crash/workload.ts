import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Random } from '@sluice/testing/random';
import { carryOut } from './carry-out.ts';
import type { ChangeKey, Command, GrantCredits, Sent } from './command.ts';
import type { Gateway } from './gateway.ts';
import type { Treasury } from './treasury.ts';

export interface WorkloadOptions {
  readonly gateway: Gateway;
  /** Grants credits; nothing is granted without it. */
  readonly treasury?: Treasury;
  readonly random: Random;
  /** How many send commands at the same time, besides the one that grants credits. */
  readonly workers: number;
  /** Distinguishes the names of several workloads on one log. */
  readonly namePrefix?: string;
}

export interface Workload {
  /** Everything that has an outcome, in the order of the outcomes. */
  readonly sent: readonly Sent[];
  acknowledged(): number;
  /** Resolves when the commands that were on their way have an outcome. */
  stop(): Promise<void>;
}

const sharedKeys = 3;
const ownKeysMax = 20;
const pauseMsMax = 60;
const outagePauseMsMax = 600;
const grantPauseMsMax = 400;
const nanoPerMilliUsd = 1_000_000n;

/**
 * Runs concurrent administrators that issue, change and delete keys. Each has keys of its own, and all change a few
 * shared keys. Another client grants credits. Resolves when the shared keys exist.
 */
export async function startWorkload(options: WorkloadOptions): Promise<Workload> {
  const { gateway, treasury, random, workers, namePrefix = '' } = options;
  const stopping = new AbortController();
  const sent: Sent[] = [];
  let serial = 0;
  const next = () => ++serial;

  async function run(command: Exclude<Command, GrantCredits>, repeated: boolean): Promise<Sent> {
    const result = await carryOut(command, () => gateway.send(command), { repeated });
    sent.push(result);
    return result;
  }

  const shared: string[] = [];
  for (let index = 0; index < sharedKeys; index++) {
    const made = await run({ type: 'IssueKey', name: `${namePrefix}shared ${next()}` }, true);
    if (made.outcome !== 'acknowledged') throw new Error(`no shared key: ${made.status}`);
    shared.push(made.hash);
  }

  const pause = (chance: Random, msMax: number) =>
    delay(chance.below(msMax), undefined, { signal: stopping.signal }).catch(() => undefined);

  async function administer(chance: Random): Promise<void> {
    const own: string[] = [];
    while (!stopping.signal.aborted) {
      const command = choose({ chance, own, shared, serial: next(), namePrefix });
      // A change has no idempotency key. A repeated change is a new one, and the first may still arrive.
      const { outcome, hash } = await run(command, command.type !== 'ChangeKey');
      if (command.type === 'IssueKey' && outcome === 'acknowledged') own.push(hash);
      if (command.type === 'DeleteKey') own.splice(own.indexOf(command.hash), 1);
      await pause(chance, outcome === 'unknown' ? outagePauseMsMax : pauseMsMax);
    }
  }

  async function grant(from: Treasury, chance: Random): Promise<void> {
    while (!stopping.signal.aborted) {
      const amountNanoUsd = BigInt(chance.between(1, 1_000_000));
      const grantId = `${namePrefix}grant-${next()}`;
      const command = { type: 'GrantCredits', grantId, amountNanoUsd } as const;
      const commandId = randomUUID();
      const send = () => from.send(command, commandId);
      sent.push(await carryOut(command, send, { repeated: true }));
      await pause(chance, grantPauseMsMax);
    }
  }

  const running = [
    ...Array.from({ length: workers }, () => administer(random.fork())),
    ...(treasury ? [grant(treasury, random.fork())] : []),
  ];
  return {
    sent,
    acknowledged: () => sent.filter(({ outcome }) => outcome === 'acknowledged').length,
    async stop() {
      stopping.abort();
      await Promise.all(running);
    },
  };
}

interface Choosing {
  readonly chance: Random;
  readonly own: readonly string[];
  readonly shared: readonly string[];
  readonly serial: number;
  readonly namePrefix: string;
}

function choose(choosing: Choosing): Exclude<Command, GrantCredits> {
  const { chance, own, shared, serial, namePrefix } = choosing;
  const kind = chance.next();
  const [first, ...others] = own;
  if (first === undefined || (kind < 0.25 && own.length < ownKeysMax))
    return { type: 'IssueKey', name: `${namePrefix}key ${serial}` };
  const hash = chance.pick([first, ...others]);
  if (kind < 0.35) return { type: 'DeleteKey', hash };
  const sharedHash = shared[chance.below(shared.length)];
  return change(choosing, kind > 0.8 && sharedHash !== undefined ? sharedHash : hash);
}

function change({ chance, serial, namePrefix }: Choosing, hash: string): ChangeKey {
  return {
    type: 'ChangeKey',
    hash,
    name: `${namePrefix}name ${serial}`,
    limitNanoUsd: chance.next() < 0.5 ? BigInt(serial) * nanoPerMilliUsd : undefined,
    disabled: chance.next() < 0.3 ? chance.next() < 0.5 : undefined,
  };
}
