import { setTimeout as delay } from 'node:timers/promises';
import { AnalyticsServiceService } from '@sluice/protos/sluice/analytics/v1/analytics';
import { rpcClient } from '@sluice/rpc';
import type { Output } from '../output.ts';
import { findServices } from '../service-addresses.ts';

export interface RebuildSurroundings {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly output: Output;
  readonly signal: AbortSignal;
  /** The pause between two looks at the progress. */
  readonly pauseMs?: number;
}

const deadlineMs = 60_000;
const pauseMsDefault = 2_000;

/** Begins a rebuild, or finds one that is under way, and waits for its end. The service goes on without this. */
export async function rebuildAnalytics(surroundings: RebuildSurroundings): Promise<number> {
  const { env, output, signal, pauseMs = pauseMsDefault } = surroundings;
  const { analytics: address, rpcToken } = await findServices(env, ['analytics']);
  const token = rpcToken.reveal();
  const client = rpcClient(AnalyticsServiceService, { address, token, deadlineMs });
  try {
    let { underWay, facts } = await client.rebuild({ begin: true });
    let shown = -1n;
    while (underWay) {
      if (facts !== shown) output.line(`${facts.toLocaleString('en')} facts`);
      shown = facts;
      await delay(pauseMs, undefined, { signal });
      ({ underWay, facts } = await client.rebuild({ begin: false }));
    }
  } finally {
    client.close();
  }
  output.line('Analytics was rebuilt from the ledger. `sluice analytics verify` compares them.');
  return 0;
}
