import { findParting, type Mark, marksOfSchemas, type Parting } from '@sluice/read-model';
import { clean } from '../output.ts';
import { categoryOf, snake } from '../audit/entry.ts';
import { counted } from '../amounts.ts';
import type { Installation } from '../installation.ts';
import { services } from '../projections/known.ts';

/** Finds the place where the event store and the read models part, over all services. */
export async function partingOf({ postgresUrl, eventStore }: Installation): Promise<Parting> {
  const schemas = services.map(({ schema }) => schema);
  return await findParting(eventStore, await marksOfSchemas(postgresUrl, schemas));
}

export function isSame({ lost }: Parting): boolean {
  return lost.length === 0;
}

/** A line of the audit with the position of the event. */
export function lostLine({ id, type, stream, occurredAt, actor, position }: Mark): string {
  const category = snake(categoryOf(stream));
  const action = `${category}.${snake(type).replace(`${category}_`, '')}`;
  const resource = stream.slice(stream.indexOf('-') + 1);
  const place = `event ${id} at ${position.commit}/${position.prepare}`;
  return clean(
    `${occurredAt ?? 'some time'}  lost  ${action}  ${resource}  by ${actor ?? 'somebody'}  (${place})`,
  );
}

export function lostJson({ id, type, stream, occurredAt, actor, position }: Mark): string {
  const { commit, prepare } = position;
  const event = { id, type, stream, occurredAt, actor };
  return JSON.stringify({ ...event, position: { commit: `${commit}`, prepare: `${prepare}` } });
}

export function partingLine({ common, lost }: Parting): string {
  const events = counted(lost.length, 'known event');
  if (common === undefined) return `The event store has none of ${events}.`;
  const { commit, prepare } = common.position;
  return (
    `The event store lacks ${events}. The histories part behind ${commit}/${prepare} ` +
    `(event ${common.id}).`
  );
}
