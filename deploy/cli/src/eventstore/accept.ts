import { acceptHistory, endAcceptance, schemaExists } from '@sluice/read-model';
import { counted } from '../amounts.ts';
import { type Installation, noteDeed } from '../installation.ts';
import { askHere } from '../output.ts';
import { services } from '../projections/known.ts';
import { progressLine } from '../projections/rebuild.ts';
import { isSame, partingLine, partingOf } from './lost-events.ts';

/** Makes the read models and reactions follow the event store as it is now. Returns the exit code. */
export async function accept(
  installation: Installation,
  { isConfirmed }: { readonly isConfirmed: boolean },
): Promise<number> {
  const { output, postgresUrl, eventStore, signal } = installation;
  const parting = await partingOf(installation);
  if (isSame(parting)) {
    output.line('The event store has every event that the read models know: nothing to accept.');
    return 0;
  }
  output.problem(partingLine(parting));
  output.problem('All read models are rebuilt from it, and what it lacks is gone for good.');
  const isAgreed =
    isConfirmed || (await askHere('Take the event store as it is? Type yes: ')) === 'yes';
  if (!isAgreed) {
    output.problem('Nothing was changed. To go on: sluice eventstore accept --yes.');
    return 1;
  }
  const { common, lost } = parting;
  const noted = { commonEventId: common?.id ?? null, knownEventsLost: lost.length };
  await noteDeed(installation, 'HistoryAccepted', noted);
  for (const readModels of services) {
    if (!(await schemaExists(postgresUrl, readModels.schema))) continue;
    await acceptHistory({
      postgresUrl,
      eventStore,
      readModels,
      common,
      onProgress: (progress) => output.progress(progressLine(readModels.schema, progress)),
      onRebuilt({ projection }, { events, setAside }) {
        output.line(`${projection} is rebuilt from ${counted(events, 'event')}.`);
        for (const reason of setAside) output.problem(`${projection} ${reason}.`);
      },
      signal,
    });
  }
  await endAcceptance(postgresUrl, common);
  output.line('The event store is accepted; the services go on within a few seconds.');
  return 0;
}
