import { setImmediate as nextTick } from 'node:timers/promises';
import { PrometheusSerializer } from '@opentelemetry/exporter-prometheus';
import type { ResourceMetrics, ScopeMetrics } from '@opentelemetry/sdk-metrics';

/**
 * Returns metrics in the Prometheus text format. One name is written in each tick of the event loop, so that requests
 * do not wait for all of them.
 */
export async function prometheusText({ resource, scopeMetrics }: ResourceMetrics): Promise<string> {
  const texts: string[] = [];
  for (const family of familiesOf(scopeMetrics)) {
    const hasTarget = texts.length > 0;
    const serializer = new PrometheusSerializer(undefined, false, undefined, hasTarget);
    texts.push(serializer.serialize({ resource, scopeMetrics: family }));
    await nextTick();
  }
  return texts.join('');
}

/** Returns the metrics of each name, which stand together in the text. Without any, the target is written alone. */
function familiesOf(scopeMetrics: readonly ScopeMetrics[]): Iterable<ScopeMetrics[]> {
  const families = new Map<string, ScopeMetrics[]>();
  for (const { scope, metrics } of scopeMetrics)
    for (const metric of metrics) {
      const { name } = metric.descriptor;
      const family = families.get(name) ?? [];
      families.set(name, [...family, { scope, metrics: [metric] }]);
    }
  return families.size > 0 ? families.values() : [[]];
}
