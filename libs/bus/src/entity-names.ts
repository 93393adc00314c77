import { hash } from 'node:crypto';

export type EntityKind = 'key' | 'workspace' | 'member';

/** The last part of the subject that an entity is named under: of a member the digest of account and user. */
export function entityToken(kind: EntityKind, entity: string): string {
  return kind === 'member' ? `${kind}_${hash('sha256', entity)}` : `${kind}_${entity}`;
}
