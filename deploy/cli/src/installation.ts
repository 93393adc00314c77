import { randomUUID } from 'node:crypto';
import type { EventStore } from '@sluice/es';
import { installationEvent, installationStream, nameInstallation } from '@sluice/read-model';
import type { Environment } from './connections-file.ts';
import type { Output } from './output.ts';

/** The settings, the terminal and the end of a command. */
export interface Surroundings {
  readonly env: Environment;
  readonly output: Output;
  /** Aborts when the command is interrupted. */
  readonly signal: AbortSignal;
}

/** The Sluice that a command works on. */
export interface Installation extends Pick<Surroundings, 'output' | 'signal'> {
  readonly postgresUrl: string;
  readonly eventStore: EventStore;
}

/** Appends a deed of the operator to the stream of the installation: the audit shows it. Returns its revision. */
export async function noteDeed(
  { eventStore }: Pick<Installation, 'eventStore'>,
  type: Parameters<typeof installationEvent>[0],
  data: object,
): Promise<bigint> {
  await nameInstallation(eventStore);
  const event = installationEvent(type, data, { id: 'cli', commandId: randomUUID() });
  const { revision } = await eventStore.append(installationStream, [event], 'stream_exists');
  return revision;
}
