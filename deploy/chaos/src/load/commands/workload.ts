import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Instance } from '@sluice/acceptance/instance';
import type { Random } from '@sluice/testing/random';
import type { Sending } from '../at-rate.ts';
import type { ChangeKey, Command, GrantCredits, Reply, Sent } from './command.ts';
import { sendOverHttp } from './over-http.ts';
import type { Treasury } from './treasury.ts';

export interface WorkloadOptions {
  readonly instance: Pick<Instance, 'bootstrap'>;
  /** Grants credits. The default is that nobody does. */
  readonly treasury?: Treasury;
  readonly random: Random;
  /** Number of administrators at the same time. */
  readonly workers: number;
  /** Distinguishes the names of several workloads on one log. */
  readonly namePrefix?: string;
}

export interface Workload extends Sending {
  /** Everything that has an outcome, in the order of the outcomes. */
  readonly sent: readonly Sent[];
  readonly acknowledged: () => number;
}

type KeyCommand = Exclude<Command, GrantCredits>;

const sharedKeys = 3;
const ownKeysMax = 20;
const pauseMsMax = 60;
const outagePauseMsMax = 600;
const grantPauseMsMax = 400;
const nanoPerMilliUsd = 1_000_000n;
const repeatPauseMs = 150;
const repeatForMs = 90_000;

/**
 * Runs concurrent administrators that issue, change and delete keys. Each has keys of its own, and all change a few
 * shared keys. Another client grants credits. Resolves when the shared keys exist.
 */
export async function startWorkload(options: WorkloadOptions): Promise<Workload> {
  const { instance, treasury, random, workers, namePrefix = '' } = options;
  const stopping = new AbortController();
  const { signal } = stopping;
  const sent: Sent[] = [];
  let serial = 0;
  const next = () => ++serial;
  const pause = (chance: Random, msMax: number) =>
    delay(chance.below(msMax), undefined, { signal }).catch(() => undefined);

  async function run(command: KeyCommand, repeated: boolean): Promise<Sent> {
    const result = await carryOut(command, () => sendOverHttp(instance, command), repeated);
    sent.push(result);
    return result;
  }

  const shared: string[] = [];
  for (let index = 0; index < sharedKeys; index++) {
    const made = await run({ type: 'IssueKey', name: `${namePrefix}shared ${next()}` }, true);
    if (made.outcome !== 'acknowledged') throw new Error(`no shared key: ${made.reason}`);
    shared.push(made.hash);
  }

  async function administer(chance: Random): Promise<void> {
    const own: string[] = [];
    while (!signal.aborted) {
      const command = choose({ chance, own, shared, serial: next(), namePrefix });
      // A change has no idempotency key. A repeated change is a new one, and the first may still arrive.
      const { outcome, hash } = await run(command, command.type !== 'ChangeKey');
      if (command.type === 'IssueKey' && outcome === 'acknowledged') own.push(hash);
      if (command.type === 'DeleteKey') own.splice(own.indexOf(command.hash), 1);
      await pause(chance, outcome === 'unknown' ? outagePauseMsMax : pauseMsMax);
    }
  }

  async function grant(from: Treasury, chance: Random): Promise<void> {
    while (!signal.aborted) {
      const amountNanoUsd = BigInt(chance.between(1, 1_000_000));
      const grantId = `${namePrefix}grant-${next()}`;
      const command = { type: 'GrantCredits', grantId, amountNanoUsd } as const;
      const commandId = randomUUID();
      sent.push(await carryOut(command, () => from.send(command, commandId), true));
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

/** Sends a command that is safe to send twice, until an answer says what became of it. */
export function sendUntilKnown(
  instance: Pick<Instance, 'bootstrap'>,
  command: KeyCommand,
): Promise<Sent> {
  return carryOut(command, () => sendOverHttp(instance, command), true);
}

/**
 * Sends a command once. A repeated one is sent again until an answer says what became of it, for at most 90 s: a
 * command that must not be carried out twice is safe to send twice.
 */
async function carryOut(
  command: Command,
  send: () => Promise<Reply>,
  isRepeated: boolean,
): Promise<Sent> {
  const giveUpAtMs = performance.now() + repeatForMs;
  for (let attempts = 1; ; attempts++) {
    const reply = await send();
    const { type } = command;
    // When an attempt came before, some refusals say that it was carried out.
    const issuedBefore = type === 'IssueKey' && reply.status === '409' && reply.hash !== '';
    const deletedBefore = type === 'DeleteKey' && reply.status === '404';
    const isDone = attempts > 1 && (issuedBefore || deletedBefore);
    const outcome = isDone ? 'acknowledged' : reply.outcome;
    if (outcome !== 'unknown' || !isRepeated || performance.now() > giveUpAtMs)
      return { command, attempts, ...reply, outcome };
    await delay(repeatPauseMs);
  }
}

interface Choosing {
  readonly chance: Random;
  readonly own: readonly string[];
  readonly shared: readonly string[];
  readonly serial: number;
  readonly namePrefix: string;
}

function choose(choosing: Choosing): KeyCommand {
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
