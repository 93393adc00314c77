import {
  DiscardPolicy,
  JetStreamApiCodes,
  JetStreamApiError,
  type JetStreamManager,
  RetentionPolicy,
  StorageType,
  type StreamConfig,
} from '@nats-io/jetstream';
import type { ConsumerPlace, StoredFact, StreamDefinition } from './bus.ts';

/** Creates the stream, or brings an existing one to the definition; what is stored stays. */
export async function ensureStream(
  manager: JetStreamManager,
  definition: StreamDefinition,
): Promise<void> {
  const wanted = changeable(definition);
  const existing = await manager.streams.info(definition.name).catch((error: unknown) => {
    if (isMissing(error)) return undefined;
    throw error;
  });
  if (!existing) {
    await manager.streams.add({
      name: definition.name,
      storage: StorageType.File,
      retention: RetentionPolicy.Limits,
      ...wanted,
    });
    return;
  }
  const current = existing.config as unknown as Record<string, unknown>;
  const differs = Object.entries(wanted).some(
    ([name, value]) => JSON.stringify(current[name]) !== JSON.stringify(value),
  );
  if (differs) await manager.streams.update(definition.name, wanted);
}

/** True for the broker's "no such stream" and "no such consumer". */
export function isMissing(error: unknown): boolean {
  const missing: readonly number[] = [
    JetStreamApiCodes.StreamNotFound,
    JetStreamApiCodes.ConsumerNotFound,
  ];
  return error instanceof JetStreamApiError && missing.includes(error.code);
}

/** Asks the stream for the message at the place: after a loss another one may be there. */
export async function holdsFact(
  manager: JetStreamManager,
  id: string,
  { stream, sequence }: StoredFact,
): Promise<boolean> {
  try {
    const message = await manager.streams.getMessage(stream, { seq: sequence });
    return message?.header.get('Nats-Msg-Id') === id;
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
}

/** Returns how far a durable consumer has come. */
export async function placeOf(
  manager: JetStreamManager,
  { stream, durable }: { readonly stream: string; readonly durable: string },
): Promise<ConsumerPlace | undefined> {
  try {
    const { created, state } = await manager.streams.info(stream);
    const consumer = await manager.consumers.info(stream, durable);
    const pending = consumer.num_pending + consumer.num_ack_pending;
    return { created, lastSequence: state.last_seq, pending };
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

export const nanosPerMs = 1_000_000;

function changeable(definition: StreamDefinition): Partial<StreamConfig> {
  return {
    subjects: [...definition.subjects],
    max_age: definition.ageMsMax * nanosPerMs,
    duplicate_window: definition.duplicateWindowMs * nanosPerMs,
    discard: DiscardPolicy.New,
    ...(definition.keepsLastOnly === true ? { max_msgs_per_subject: 1 } : {}),
    ...(definition.bytesMax === undefined ? {} : { max_bytes: definition.bytesMax }),
    ...(definition.replicas === undefined ? {} : { num_replicas: definition.replicas }),
  };
}
