import { deepEqual, equal } from 'node:assert/strict';
import { PrometheusSerializer } from '@opentelemetry/exporter-prometheus';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { MeterProvider, MetricReader } from '@opentelemetry/sdk-metrics';
import fc from 'fast-check';
import { describe, test } from 'vitest';
import { GaugeReadings } from './gauge-readings.ts';
import { gauges } from './gauges.ts';
import { Instruments } from './instruments.ts';
import { prometheusText } from './prometheus-text.ts';

class Reader extends MetricReader {
  protected override async onForceFlush(): Promise<void> {}
  protected override async onShutdown(): Promise<void> {}
}

const names = { serviceName: 'spec "1"', scopeName: 'test' };
const boundaries = [0.001, 0.01, 1];

/** The same instruments, as OpenTelemetry makes and shows them. */
function vendor() {
  const reader = new Reader();
  const resource = resourceFromAttributes({ 'service.name': names.serviceName });
  const meter = new MeterProvider({ resource, readers: [reader] }).getMeter(names.scopeName);
  const gauge = (name: Gauge) => meter.createObservableGauge(name, { description: gauges[name] });
  return {
    // Who is made first is shown first.
    gauges: gaugeNames.map(gauge),
    tries: meter.createCounter('tries'),
    waits: meter.createHistogram('wait', {
      unit: 's',
      advice: { explicitBucketBoundaries: boundaries },
    }),
    sizes: meter.createHistogram('size'),
    observe(name: Gauge, read: () => number, attributes: Readonly<Record<string, string>>) {
      gauge(name).addCallback((result) => result.observe(read(), attributes));
    },
    shown: async () =>
      new PrometheusSerializer().serialize((await reader.collect()).resourceMetrics),
  };
}

function own() {
  const instruments = new Instruments();
  const readings = new GaugeReadings();
  const attributes = ['outcome', 'status'] as const;
  return {
    tries: instruments.counter('tries', { attributes }),
    waits: instruments.histogram('wait', { unit: 's', boundaries, attributes }),
    sizes: instruments.histogram('size'),
    observe: readings.observe.bind(readings),
    metrics: () => instruments.read(),
    shown: async () => prometheusText(names, [...readings.read(), ...instruments.read()]),
  };
}

type Tested = ReturnType<typeof own> | ReturnType<typeof vendor>;

const gaugeNames = ['ledger.suspense.usd', 'projection.position'] as const;
type Gauge = (typeof gaugeNames)[number];

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
const observation = fc.record({
  name: fc.constantFrom(...gaugeNames),
  value: fc.oneof(fc.double(), fc.constantFrom(0, 1, Number.NaN, Infinity, -Infinity)),
  attributes: fc.oneof(
    fc.constant({}),
    fc.record({ version: fc.constantFrom('1', 'a\\b'), projection: fc.string() }),
  ),
});

/** The gauges in the order in which those of OpenTelemetry are made. */
const observations = fc
  .array(observation)
  .map((all) => gaugeNames.flatMap((gauge) => all.filter(({ name }) => name === gauge)));

type Made<Arbitrary> = Arbitrary extends fc.Arbitrary<infer Value> ? Value : never;

function measure(tested: Tested, { name, value, attributes }: Made<typeof measurement>): void {
  if (name === 'tries') tested.tries.add(value, attributes);
  else if (name === 'waits') tested.waits.record(value, attributes);
  else tested.sizes.record(value);
}

describe('instruments', () => {
  test('show what those of OpenTelemetry show', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(measurement), observations, async (measurements, observed) => {
        const [ours, theirs] = [own(), vendor()];
        for (const tested of [ours, theirs]) {
          for (const one of measurements) measure(tested, one);
          for (const { name, value, attributes } of observed)
            tested.observe(name, () => value, attributes);
        }
        equal(await ours.shown(), await theirs.shown());
      }),
    );
  });

  test('go on from where they were when they have been read', async () => {
    const { tries, metrics } = own();
    tries.add(2, { outcome: 'good' });
    metrics();
    tries.add(3, { outcome: 'good' });
    const [metric] = metrics();
    deepEqual(
      metric?.points.map((point) => point.value),
      [5],
    );
  });

  test('take no value that is no number', async () => {
    const { tries, waits, metrics } = own();
    tries.add(Number.NaN);
    waits.record(Number.NaN);
    deepEqual(metrics(), []);
  });

  test('count what comes beyond 1,999 combinations of attributes together, as OpenTelemetry does', async () => {
    const [ours, theirs] = [own(), vendor()];
    for (const { tries } of [ours, theirs])
      for (let status = 0; status < 2_005; status++) tries.add(1, { outcome: 'good', status });
    equal(await ours.shown(), await theirs.shown());
    equal(
      (await ours.shown()).includes('{otel_metric_overflow="true",otel_scope_name="test"} 6'),
      true,
    );
    ours.tries.add(1, { outcome: 'good', status: 1_998 });
    equal(
      (await ours.shown()).includes('{outcome="good",status="1998",otel_scope_name="test"} 2'),
      true,
    );
  });
});
