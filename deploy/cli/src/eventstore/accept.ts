import { randomUUID } from 'node:crypto';
import { createInterface } from 'node:readline/promises';
import {
  acceptHistory,
  endAcceptance,
  installationEvent,
  installationStream,
  nameInstallation,
  type Parting,
  schemaExists,
} from '@sluice/read-model';
import { counted } from '../amounts.ts';
import type { Installation } from '../installation.ts';
import { services } from '../projections/known.ts';
import { progressLine } from '../projections/rebuild.ts';
import { isSame, partingLine, partingOf } from './lost-events.ts';

/** Asks before it changes anything; false without a terminal. */
async function isConfirmedHere(): Promise<boolean> {
  if (!process.stdin.isTTY) return false;
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return (await terminal.question('Take the event store as it is? Type yes: ')) === 'yes';
  } finally {
    terminal.close();
  }
}

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
  if (!isConfirmed && !(await isConfirmedHere())) {
    output.problem('Nothing was changed. To go on: sluice eventstore accept --yes.');
    return 1;
  }
  await noteAcceptance(installation, parting);
  for (const readModels of services) {
    if (!(await schemaExists(postgresUrl, readModels.schema))) continue;
    await acceptHistory({
      postgresUrl,
      eventStore,
      readModels,
      common: parting.common,
      onProgress: (progress) => output.progress(progressLine(readModels.schema, progress)),
      onRebuilt({ projection }, { events, setAside }) {
        output.line(`${projection} is rebuilt from ${counted(events, 'event')}.`);
        for (const reason of setAside) output.problem(`${projection} ${reason}.`);
      },
      signal,
    });
  }
  await endAcceptance(postgresUrl, parting.common);
  output.line('The event store is accepted; the services go on within a few seconds.');
  return 0;
}

/** Appends the acceptance as an event, so that the audit shows it. */
async function noteAcceptance({ eventStore }: Installation, { common, lost }: Parting) {
  await nameInstallation(eventStore);
  const data = { commonEventId: common?.id ?? null, knownEventsLost: lost.length };
  const event = installationEvent('HistoryAccepted', data, { id: 'cli', commandId: randomUUID() });
  await eventStore.append(installationStream, [event], 'stream_exists');
}
