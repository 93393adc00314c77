import { hash } from 'node:crypto';
import type { Bus } from './bus.ts';
import { nameStream } from './subjects.ts';

export type EntityKind = 'key' | 'workspace' | 'member';

/** The last part of the subject that an entity is named under: of a member the digest of account and user. */
export function entityToken(kind: EntityKind, entity: string): string {
  return kind === 'member' ? `${kind}_${hash('sha256', entity)}` : `${kind}_${entity}`;
}

/** Publishes on the stream of names, which it makes before the first one. */
export function namePublisher(
  bus: Pick<Bus, 'publishFact' | 'ensureStream'>,
): Pick<Bus, 'publishFact'> {
  let streamIsThere: Promise<void> | undefined;
  return {
    async publishFact(subject, id, message) {
      streamIsThere ??= bus.ensureStream(nameStream);
      await streamIsThere.catch((error: unknown) => {
        streamIsThere = undefined;
        throw error;
      });
      return await bus.publishFact(subject, id, message);
    },
  };
}
