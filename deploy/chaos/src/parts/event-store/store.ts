import type { FaultSwitches } from '@sluice/eventstore-server';
import type { Back } from '../outage.ts';

/** An ability of the test over the store that a fault needs. */
export type Ability = 'process' | 'freeze' | 'data' | 'growth' | 'switches';

/** The event store that is made to fail, in a process of its own. */
export interface Store extends AsyncDisposable {
  readonly name: string;
  readonly url: string;
  /** Says why the store cannot be treated so; undefined when it can. */
  lacks(ability: Ability): string | undefined;
  /** Kills the process with SIGKILL. Resolves when it has ended. */
  kill(): Promise<void>;
  /** Makes the process end by itself with status 0, as after an election. */
  exit(): Promise<void>;
  /** Resolves when the store answers. */
  start(): Promise<void>;
  freeze(): Promise<Back>;
  /** Changes fault switches; resolves when they are in force. */
  switchTo(faults: Partial<FaultSwitches>): Promise<void>;
  /** Copies the data of a store that does not run. */
  copyData(folder: string): Promise<void>;
  /** Puts a copy, or nothing, in the place of the data of a store that does not run. */
  replaceData(folder: string | undefined): Promise<void>;
  /** Appends foreign events to the log of a store that does not run. */
  grow(events: number): Promise<void>;
}

/** Begins the types of the foreign events that the test appends. */
export const foreignType = 'Foreign';
