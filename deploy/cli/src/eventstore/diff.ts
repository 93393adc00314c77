import { compareProjection, RebuildRefused } from '@sluice/read-model';
import { counted } from '../amounts.ts';
import type { Installation } from '../installation.ts';
import { services } from '../projections/known.ts';
import { differenceLines, progressLine } from '../projections/rebuild.ts';
import { isSame, lostJson, lostLine, partingLine, partingOf } from './lost-events.ts';

/**
 * Shows the events that the read models know and the event store lacks, and the rows that it does not give.
 * Returns the exit code: 1 when there are any.
 */
export async function diff(
  installation: Installation,
  { json }: { readonly json: boolean },
): Promise<number> {
  const { output } = installation;
  const parting = await partingOf(installation);
  if (isSame(parting)) {
    output.line('The event store has every event that the read models know.');
    return 0;
  }
  for (const mark of parting.lost) output.line(json ? lostJson(mark) : lostLine(mark));
  output.problem(partingLine(parting));
  if (!json) await showRows(installation);
  return 1;
}

/** The read models as they are (`live`) beside what the event store gives (`rebuilt`). */
async function showRows(installation: Installation): Promise<void> {
  const { output, postgresUrl, eventStore, signal } = installation;
  for (const readModels of services)
    for (const projection of readModels.projections)
      try {
        const compared = await compareProjection({
          postgresUrl,
          eventStore,
          readModels,
          projection,
          takesOtherLog: true,
          onProgress: (progress) => output.progress(progressLine(projection.projection, progress)),
          signal,
        });
        const { differingRows } = compared;
        if (differingRows === 0n) continue;
        output.line(`${projection.projection}: ${counted(differingRows, 'row')} differ.`);
        for (const line of differenceLines(compared)) output.line(`  ${line}`);
      } catch (error) {
        // A projection that has not begun has nothing to lose.
        if (!(error instanceof RebuildRefused)) throw error;
      }
}
