import { Fault } from '@sluice/errors';
import { type EventMark, comparePositions, type EventStore } from '@sluice/es';
import { readInstallation } from './installation.ts';

/** The difference between the log and the one that the read models were made from. */
export interface Divergence {
  readonly kind: 'older_copy' | 'other_installation' | 'empty_store';
  /** The newest event that the read models know and the log lacks. */
  readonly missing: EventMark;
  /** The event that lies in its place, when there is one. */
  readonly found: EventMark | undefined;
}

/** Names the difference and the missing event, for readiness and the log. */
export function divergenceText({ kind, missing, found }: Divergence): string {
  const { commit, prepare } = missing.position;
  const event = `event ${missing.id} (${missing.type} of ${missing.stream}) at ${commit}/${prepare}`;
  const instead = found ? `event ${found.id} is in its place` : 'it is not there';
  return `event_store_diverged: ${kinds[kind]}: the read models know ${event}, and ${instead}`;
}

const kinds: Readonly<Record<Divergence['kind'], string>> = {
  older_copy: 'the event store is another history of this installation',
  other_installation: 'the event store is that of another installation',
  empty_store: 'the event store is empty',
};

export class EventStoreDiverged extends Fault {
  readonly divergence: Divergence;

  constructor(divergence: Divergence) {
    super('event_store_diverged');
    this.divergence = divergence;
  }
}

export type Looks = Pick<EventStore, 'read' | 'end' | 'eventAt'>;

/** Finds out whether the same event, another one, or none lies at the position of a mark. */
export async function lookFor(
  store: Looks,
  mark: EventMark,
): Promise<'same' | 'other' | 'nothing'> {
  const found = await store.eventAt(mark.position);
  if (found === undefined) return 'nothing';
  return found.id === mark.id ? 'same' : 'other';
}

export async function describeDivergence(
  store: Looks,
  missing: EventMark,
  installation: EventMark | undefined,
): Promise<Divergence> {
  const found = await store.eventAt(missing.position);
  const isOurs = installation === undefined || (await lookFor(store, installation)) === 'same';
  if (isOurs) return { kind: 'older_copy', missing, found };
  if (await readInstallation(store)) return { kind: 'other_installation', missing, found };
  const end = await store.end();
  const isBeyond = end === undefined || comparePositions(end.position, missing.position) < 0;
  return { kind: isBeyond ? 'empty_store' : 'other_installation', missing, found };
}
