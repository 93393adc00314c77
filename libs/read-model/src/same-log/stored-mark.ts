import type { EventMark } from '@sluice/es';

/** A mark as JSON in PostgreSQL. Positions are texts, so that they lose no digits. */
export interface StoredMark {
  readonly commit: string;
  readonly prepare: string;
  readonly id: string;
  readonly stream: string;
  readonly type: string;
  readonly occurredAt?: string | null;
  readonly actor?: string | null;
}

/** Returns the JSON text of a mark. */
export function storedMark({ position, id, stream, type }: EventMark): string {
  const { commit, prepare } = position;
  return JSON.stringify({ commit: `${commit}`, prepare: `${prepare}`, id, stream, type });
}

export function markOf(stored: StoredMark): EventMark {
  const { commit, prepare, id, stream, type } = stored;
  return { position: { commit: BigInt(commit), prepare: BigInt(prepare) }, id, stream, type };
}
