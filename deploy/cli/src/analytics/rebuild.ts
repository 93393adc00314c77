import { setTimeout as delay } from 'node:timers/promises';
import { AnalyticsServiceService } from '@sluice/protos/sluice/analytics/v1/analytics';
import type { Operator } from '../operator.ts';
import type { RebuildCommand } from './rebuild-command.ts';

const deadlineMs = 60_000;
/** The pause between two looks at the progress. */
const pauseMs = 2_000;

/** Begins a rebuild, or finds one that is under way, and waits for its end. The service goes on without this. */
export async function rebuildAnalytics(
  _command: RebuildCommand,
  { ask, output, signal }: Operator<'analytics'>,
): Promise<number> {
  let shown = -1n;
  await ask(
    'analytics',
    AnalyticsServiceService,
    async (client) => {
      let { underWay, facts } = await client.rebuild({ begin: true });
      while (underWay) {
        if (facts !== shown) output.line(`${facts.toLocaleString('en')} facts`);
        shown = facts;
        await delay(pauseMs, undefined, { signal });
        ({ underWay, facts } = await client.rebuild({ begin: false }));
      }
    },
    deadlineMs,
  );
  output.line('Analytics was rebuilt from the ledger. `sluice analytics verify` compares them.');
  return 0;
}
