import { Fault } from '@sluice/errors';
import type { Box, Command, NetworkPolicy, Ran } from '../engine/engine.ts';

/** Identifies a container; the same id in another account or workspace is another one. */
export interface ContainerRef {
  readonly accountId: string;
  readonly workspaceId: string;
  readonly containerId: string;
}

export const keyOf = (ref: ContainerRef) =>
  `${ref.accountId} ${ref.workspaceId} ${ref.containerId}`;

const waitingMax = 16;

/** A warm box with the commands that wait for it. */
export class Container {
  readonly ref: ContainerRef;
  readonly box: Box;
  readonly network: NetworkPolicy;
  /** Milliseconds of the steady clock at which it goes to sleep. */
  expiresAtMs = 0;
  usedAtMs = 0;
  #last: Promise<unknown> = Promise.resolve();
  #pending = 0;

  constructor(ref: ContainerRef, box: Box, network: NetworkPolicy) {
    this.ref = ref;
    this.box = box;
    this.network = network;
  }

  get isIdle(): boolean {
    return this.#pending === 0;
  }

  /** Runs a command after those before it. Throws rate_limited when too many wait. */
  async run(command: Command): Promise<Ran> {
    if (this.#pending > waitingMax)
      throw new Fault('rate_limited', { message: 'Too many commands wait for this container' });
    this.#pending++;
    const before = this.#last;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#last = promise;
    try {
      await before;
      if (command.signal?.aborted) throw new Fault('unavailable');
      return await this.box.run(command);
    } finally {
      this.#pending--;
      resolve();
    }
  }
}

/** True for policies that allow the same hosts. */
export function isSamePolicy(one: NetworkPolicy, other: NetworkPolicy): boolean {
  if (one.type === 'disabled' || other.type === 'disabled') return one.type === other.type;
  const text = (domains: readonly string[]) =>
    [...new Set(domains.map((domain) => domain.toLowerCase()))].toSorted().join(' ');
  return text(one.allowedDomains) === text(other.allowedDomains);
}
