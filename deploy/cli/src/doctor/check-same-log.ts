import { Fault } from '@sluice/errors';
import { connectEventStore } from '@sluice/eventstore';
import { examineLog, type LogStanding } from '@sluice/read-model';
import { services } from '../projections/known.ts';
import { type Finding, fine, wrong } from './finding.ts';
import { type DoctorSettings, isUnknown } from './settings.ts';

const check = 'same installation';

/** Compares the event store with what each service's read models know of it. */
export async function checkSameLog(settings: DoctorSettings): Promise<readonly Finding[]> {
  const { eventStore: storeUrl, postgres, namespace } = settings;
  if (isUnknown(storeUrl) || isUnknown(postgres)) return [];
  try {
    const eventStore = await connectEventStore({ url: storeUrl.reveal(), namespace });
    try {
      const standings = await Promise.all(
        services.map(async ({ schema }) => ({
          schema,
          standing: await examineLog(postgres.reveal(), schema, eventStore),
        })),
      );
      return [findingOf(standings)];
    } finally {
      await eventStore.stop();
    }
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return [
      wrong(
        check,
        'Not compared: the event store or PostgreSQL cannot be read',
        'mend the lines above',
      ),
    ];
  }
}

function findingOf(
  standings: readonly { readonly schema: string; readonly standing: LogStanding }[],
): Finding {
  for (const { standing } of standings)
    if (standing.kind === 'another_namespace')
      return wrong(check, standing.text, 'name the right one; the services do not start otherwise');
  for (const { schema, standing } of standings)
    if (standing.kind === 'diverged')
      return wrong(
        check,
        `${schema}: ${standing.text}`,
        'put the right event store back, or look at sluice eventstore diff and then accept this one',
      );
  const known = standings.filter(({ standing }) => standing.kind === 'same');
  return known.length === 0
    ? fine(check, 'Not known yet: no service has read this event store')
    : fine(
        check,
        `The event store is the one that ${known.map(({ schema }) => schema).join(', ')} read`,
      );
}
