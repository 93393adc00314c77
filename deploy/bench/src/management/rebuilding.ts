import { connectionsOf } from '@sluice/acceptance/connections';
import type { Instance } from '@sluice/acceptance/instance';
import { connectEventStore } from '@sluice/eventstore';
import { keyReadModels } from '@sluice/key/read-models';
import { rebuildProjection } from '@sluice/read-model';
import { type Measure, measured } from '../measure.ts';

/** Builds the list of keys anew from all events of the log, beside the live one, as an operator would. */
export async function measureRebuilding(instance: Instance): Promise<Measure> {
  const { postgres_url: postgresUrl, eventstore_url: url } = await connectionsOf(instance);
  const projection = keyReadModels.projections.find((one) => one.projection === 'key.api_keys');
  if (!projection) throw new Error('There is no key.api_keys');
  const eventStore = await connectEventStore({ url });
  try {
    const beganMs = performance.now();
    const { events } = await rebuildProjection({
      projection,
      readModels: keyReadModels,
      postgresUrl,
      eventStore,
      onProgress: () => undefined,
      signal: new AbortController().signal,
    });
    const seconds = (performance.now() - beganMs) / 1_000;
    return measured('key.api_keys is built anew', events / seconds, 'events/s', {
      atLeast: 25_000,
      note: `${events.toLocaleString('en')} events in ${seconds.toFixed(2)} s, with the start and the switch`,
    });
  } finally {
    await eventStore.stop();
  }
}
