import { deepEqual } from 'node:assert/strict';
import { createTelemetry } from '@sluice/telemetry';
import { describe, onTestFinished, test } from 'vitest';
import { DestinationCounts } from './destination-counts.ts';

const webhook = (destinationId: string) => ({ destinationId, type: 'webhook' });

function counting(max: number) {
  const telemetry = createTelemetry({ serviceName: 'observer', otlpEndpoint: undefined });
  onTestFinished(() => telemetry.stop());
  const counts = new DestinationCounts(telemetry.metrics, max);
  /** Returns the series of webhooks with an outcome, as text: its destination and its value. */
  async function seriesOf(outcome: string): Promise<readonly string[]> {
    const lines = (await telemetry.prometheus()).split('\n');
    return lines
      .filter((line) => line.includes('type="webhook"') && line.includes(`outcome="${outcome}"`))
      .map((line) => line.replace(/.*destination="([^"]*)".* /, '$1 '))
      .toSorted();
  }
  return { counts, telemetry, seriesOf };
}

describe('counts of destinations', () => {
  test('begin at 0 and end with their destination', async () => {
    const { counts, seriesOf } = counting(10);
    counts.follow([webhook('a'), webhook('b')]);
    counts.add(webhook('a'), 'dead', 2);
    deepEqual(await seriesOf('dead'), ['a 2', 'b 0', 'other 0']);
    counts.follow([webhook('b')]);
    deepEqual(await seriesOf('dead'), ['b 0', 'other 0']);
    // A delivery may end after its destination.
    counts.add(webhook('a'), 'dead', 1);
    deepEqual(await seriesOf('dead'), ['b 0', 'other 1']);
  });

  test('have a bound: the newest destinations are counted together', async () => {
    const { counts, seriesOf } = counting(2);
    counts.follow([webhook('c'), webhook('b'), webhook('a'), webhook('d')]);
    for (const id of ['a', 'b', 'c', 'd']) counts.add(webhook(id), 'delivered', 1);
    deepEqual(await seriesOf('delivered'), ['a 1', 'b 1', 'other 2']);
    counts.follow([webhook('b'), webhook('c'), webhook('d')]);
    deepEqual(await seriesOf('delivered'), ['b 1', 'c 0', 'other 2']);
  });

  test('of losses have the destination, and those of one that is gone have none', async () => {
    const { counts, telemetry } = counting(2);
    counts.follow([webhook('a')]);
    counts.addLost('a', 3);
    counts.addLost('gone', 4);
    const lines = (await telemetry.prometheus()).split('\n');
    const lost = lines.filter((line) => /^observer_lost_total.* [1-9]/.test(line));
    deepEqual(lost.toSorted(), [
      'observer_lost_total{type="",destination="other",otel_scope_name="sluice"} 4',
      'observer_lost_total{type="webhook",destination="a",otel_scope_name="sluice"} 3',
    ]);
  });
});
