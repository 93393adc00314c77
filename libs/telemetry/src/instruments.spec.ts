import { deepEqual, equal } from 'node:assert/strict';
import { PrometheusSerializer } from '@opentelemetry/exporter-prometheus';
import { emptyResource } from '@opentelemetry/resources';
import { MeterProvider, MetricReader } from '@opentelemetry/sdk-metrics';
import fc from 'fast-check';
import { describe, test } from 'vitest';
import { Instruments } from './instruments.ts';

class Reader extends MetricReader {
  protected override async onForceFlush(): Promise<void> {}
  protected override async onShutdown(): Promise<void> {}
}

const scope = { name: 'test' };
const boundaries = [0.001, 0.01, 1];

/** The same instruments, as OpenTelemetry makes them. */
function vendor() {
  const reader = new Reader();
  const meter = new MeterProvider({ readers: [reader] }).getMeter(scope.name);
  return {
    tries: meter.createCounter('tries'),
    waits: meter.createHistogram('wait', {
      unit: 's',
      advice: { explicitBucketBoundaries: boundaries },
    }),
    sizes: meter.createHistogram('size'),
    metrics: async () => {
      const { resourceMetrics } = await reader.collect();
      return resourceMetrics.scopeMetrics.flatMap(({ metrics }) => metrics);
    },
  };
}

function own() {
  const instruments = new Instruments();
  return {
    tries: instruments.counter('tries', { attributes: ['outcome', 'status'] }),
    waits: instruments.histogram('wait', {
      unit: 's',
      boundaries,
      attributes: ['outcome', 'status'],
    }),
    sizes: instruments.histogram('size'),
    metrics: async () => instruments.read(),
  };
}

type Tested = ReturnType<typeof own> | ReturnType<typeof vendor>;

async function shown(tested: Tested): Promise<string> {
  const metrics = await tested.metrics();
  const resource = emptyResource();
  return new PrometheusSerializer().serialize({ resource, scopeMetrics: [{ scope, metrics }] });
}

const attributes = fc.oneof(
  fc.record({ outcome: fc.constantFrom('good', 'bad', '"\n') }),
  fc.record({ outcome: fc.constantFrom('good', 'bad'), status: fc.constantFrom(200, 500, '200') }),
);
const value = fc.oneof(
  fc.constantFrom(...boundaries, 0, -1, 5, 10_000, 10_001),
  fc.double({ min: 0, max: 20_000, noNaN: true }),
);
const measurement = fc.record({
  name: fc.constantFrom('tries' as const, 'waits' as const, 'sizes' as const),
  value,
  attributes,
});

type Measurement = typeof measurement extends fc.Arbitrary<infer Made> ? Made : never;

function measure(tested: Tested, { name, value, attributes }: Measurement): void {
  if (name === 'tries') tested.tries.add(value, attributes);
  else if (name === 'waits') tested.waits.record(value, attributes);
  else tested.sizes.record(value);
}

describe('instruments', () => {
  test('show what those of OpenTelemetry show', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(measurement), async (measurements) => {
        const [ours, theirs] = [own(), vendor()];
        for (const one of measurements) {
          measure(ours, one);
          measure(theirs, one);
        }
        equal(await shown(ours), await shown(theirs));
      }),
    );
  });

  test('go on from where they were when they have been read', async () => {
    const { tries, metrics } = own();
    tries.add(2, { outcome: 'good' });
    await metrics();
    tries.add(3, { outcome: 'good' });
    const [metric] = await metrics();
    deepEqual(
      metric?.dataPoints.map((point) => point.value),
      [5],
    );
  });

  test('take no value that is no number', async () => {
    const { tries, waits, metrics } = own();
    tries.add(Number.NaN);
    waits.record(Number.NaN);
    deepEqual(await metrics(), []);
  });

  test('count what comes beyond 1,999 combinations of attributes together, as OpenTelemetry does', async () => {
    const [ours, theirs] = [own(), vendor()];
    for (const { tries } of [ours, theirs])
      for (let status = 0; status < 2_005; status++) tries.add(1, { outcome: 'good', status });
    equal(await shown(ours), await shown(theirs));
    equal(
      (await shown(ours)).includes('{otel_metric_overflow="true",otel_scope_name="test"} 6'),
      true,
    );
    ours.tries.add(1, { outcome: 'good', status: 1_998 });
    equal(
      (await shown(ours)).includes('{outcome="good",status="1998",otel_scope_name="test"} 2'),
      true,
    );
  });
});
