import { randomUUID } from 'node:crypto';
import { jetstream, jetstreamManager, StorageType } from '@nats-io/jetstream';
import { connect, errors, type NatsConnection } from '@nats-io/transport-node';
import type { BusOptions } from './connect-bus.ts';
import { serviceUser } from './connect-bus.ts';
import { assertSynced } from './durability.ts';

/** The state of a broker in the points that the services need. */
export interface BusExamination {
  readonly reached: 'yes' | 'refused' | 'away';
  /** The client's message if the broker was not reached. */
  readonly reason: string | undefined;
  readonly version: string | undefined;
  /** Undefined where the broker was not reached. */
  readonly streams: 'usable' | 'no_right' | 'no_jetstream' | 'failed' | undefined;
  readonly streamsReason: string | undefined;
  /** `unknown`: its monitoring address is not known. */
  readonly durability: 'durable' | 'unknown' | 'not_durable' | 'unasked';
}

const timeoutMs = 4_000;
const apiDisabled = 10_039;

/** Makes a stream of its own, publishes into it, and removes it. */
export async function examineBus({
  url,
  token,
  monitorUrl,
}: Pick<BusOptions, 'url' | 'token' | 'monitorUrl'>): Promise<BusExamination> {
  const durability = await durabilityOf(monitorUrl);
  let connection: NatsConnection;
  try {
    connection = await connect({
      servers: url.split(','),
      name: 'doctor',
      ...(token === undefined ? {} : { token, user: serviceUser, pass: token }),
      timeout: timeoutMs,
      reconnect: false,
      noAsyncTraces: true,
    });
  } catch (error) {
    const reached = error instanceof errors.AuthorizationError ? 'refused' : 'away';
    const unknown = { version: undefined, streams: undefined, streamsReason: undefined };
    return { reached, reason: reasonOf(error), ...unknown, durability };
  }
  try {
    const reached = { reached: 'yes', reason: undefined } as const;
    return {
      ...reached,
      version: connection.info?.version,
      ...(await tryStream(connection)),
      durability,
    };
  } finally {
    await connection.close().catch(() => undefined);
  }
}

async function tryStream(
  connection: NatsConnection,
): Promise<Pick<BusExamination, 'streams' | 'streamsReason'>> {
  const id = randomUUID().replaceAll('-', '');
  const [name, subject] = [`DOCTOR_${id}`, `doctor.v1.${id}`];
  const options = { timeout: timeoutMs };
  // A subject that the user may not publish on is refused beside the call, and the call only times out.
  const refused = permissionRefused(connection);
  try {
    const manager = await Promise.race([jetstreamManager(connection, options), refused]);
    const config = { name, subjects: [subject], storage: StorageType.File, max_msgs: 1 };
    await Promise.race([manager.streams.add(config), refused]);
    try {
      await Promise.race([jetstream(connection, options).publish(subject, '{}'), refused]);
    } finally {
      await manager.streams.delete(name);
    }
    return { streams: 'usable', streamsReason: undefined };
  } catch (error) {
    return { streams: problemOf(error), streamsReason: reasonOf(error) };
  }
}

function permissionRefused(connection: NatsConnection): Promise<never> {
  const refused = (async () => {
    for await (const status of connection.status())
      if (status.type === 'error' && status.error instanceof errors.PermissionViolationError)
        throw status.error;
    return await new Promise<never>(() => undefined);
  })();
  refused.catch(() => undefined);
  return refused;
}

function problemOf(error: unknown): 'no_right' | 'no_jetstream' | 'failed' {
  if (error instanceof errors.PermissionViolationError) return 'no_right';
  const { name, code } = error as { readonly name?: unknown; readonly code?: unknown };
  if (name === 'JetStreamNotEnabled' || code === apiDisabled) return 'no_jetstream';
  return error instanceof errors.NoRespondersError ? 'no_jetstream' : 'failed';
}

async function durabilityOf(monitorUrl: string | undefined): Promise<BusExamination['durability']> {
  try {
    return await assertSynced(monitorUrl, { info: () => undefined });
  } catch (error) {
    return (error as Error).cause === undefined ? 'not_durable' : 'unasked';
  }
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : 'nobody knows why';
}
