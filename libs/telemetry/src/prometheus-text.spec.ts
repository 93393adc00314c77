import { equal } from 'node:assert/strict';
import { PrometheusSerializer } from '@opentelemetry/exporter-prometheus';
import { resourceFromAttributes } from '@opentelemetry/resources';
import type { ResourceMetrics } from '@opentelemetry/sdk-metrics';
import { test } from 'vitest';
import { OwnInstruments } from './instruments.ts';
import { prometheusText } from './prometheus-text.ts';

const resource = resourceFromAttributes({ 'service.name': 'spec' });

test('metrics that are written name by name are those that are written at once', async () => {
  const instruments = new OwnInstruments('spec');
  const counted = instruments.counter<'of'>('spec.counted', 'Counted.');
  counted.add(2, { of: 'one' });
  counted.add(3, { of: 'other' });
  instruments.gauge('spec.gauge', 'A gauge.', () => [{ value: 1, attributes: {} }]);
  instruments.histogram('spec.lasted', 's', 'Lasted.', [1, 2]).record(1.5);
  const { resourceMetrics } = await instruments.collect();
  const { scopeMetrics } = resourceMetrics;
  const twice = [...scopeMetrics, { scope: { name: 'other' }, metrics: scopeMetrics[0]!.metrics }];
  for (const each of [[], scopeMetrics, twice]) {
    const metrics: ResourceMetrics = { resource, scopeMetrics: each };
    equal(await prometheusText(metrics), new PrometheusSerializer().serialize(metrics));
  }
});
