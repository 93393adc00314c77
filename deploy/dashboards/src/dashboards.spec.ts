import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createTelemetry, type GaugeName, gauges } from '@sluice/telemetry';
import { describe, test } from 'vitest';

const root = join(import.meta.dirname, '../../..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');
interface Dashboard {
  readonly panels: readonly {
    readonly title: string;
    readonly targets: readonly { readonly expr: string }[];
  }[];
}
const panels = ['sluice', 'destinations'].flatMap(
  (name) => (JSON.parse(read(`deploy/dashboards/grafana/${name}.json`)) as Dashboard).panels,
);
const rules = read('deploy/dashboards/prometheus/alerts.yaml')
  .split(/^ {6}- alert: /m)
  .slice(1)
  .map((text) => {
    const line = (name: string) => new RegExp(`^ +${name}: (.+)$`, 'm').exec(text)?.[1] ?? '';
    const [name = ''] = text.split('\n');
    return { name, expression: line('expr'), summary: line('summary'), runbook: line('runbook') };
  });
const operations = read('docs/operations/alerts.md');

/** The names under which Prometheus gets them, as the exporter itself writes them. */
async function exportedNames(): Promise<ReadonlySet<string>> {
  const telemetry = createTelemetry({ serviceName: 'spec', otlpEndpoint: undefined });
  for (const metric of Object.values(telemetry.metrics))
    if ('add' in metric) metric.add(1);
    else metric.record(1);
  for (const name of Object.keys(gauges) as GaugeName[]) telemetry.observe(name, () => 1);
  const text = await telemetry.prometheus();
  await telemetry.stop();
  return new Set([...text.matchAll(/^([a-z][a-z0-9_]*)[{ ]/gm)].map(([, name = '']) => name));
}

/** Returns the metrics of an expression, without labels, ranges, texts and the words of the language. */
function metricsIn(expression: string): readonly string[] {
  const words = new Set([
    'sum',
    'max',
    'topk',
    'by',
    'rate',
    'increase',
    'histogram_quantile',
    'min_over_time',
  ]);
  const bare = expression.replaceAll(/\{[^}]*\}|\[[^\]]*\]|by \([^)]*\)/g, ' ');
  return [...bare.matchAll(/[a-z][a-z0-9_]*/g)]
    .map(([word]) => word)
    .filter((word) => !words.has(word) && !/^e\d+$/.test(word));
}

const unknownIn = async (expressions: readonly string[]) => {
  const names = await exportedNames();
  return expressions.flatMap(metricsIn).filter((name) => !names.has(name));
};

describe('every metric', () => {
  test('on the dashboard is one that Sluice has', async () => {
    const expressions = panels.flatMap(({ targets }) => targets.map(({ expr }) => expr));
    ok(expressions.length > 20);
    deepEqual(await unknownIn(expressions), []);
  });

  test('that an alert asks for is one that Sluice has', async () => {
    equal(rules.flatMap(({ expression }) => metricsIn(expression)).length >= rules.length, true);
    deepEqual(await unknownIn(rules.map(({ expression }) => expression)), []);
  });

  test('that nobody has is found', async () => {
    deepEqual(await unknownIn(['rate(usage_rumours_total{a="b"}[5m]) > 1e9']), [
      'usage_rumours_total',
    ]);
  });
});

describe('every alert', () => {
  test('says what is the matter and where to read on', () => {
    ok(rules.length >= 15);
    for (const { name, summary, runbook } of rules) {
      match(summary, /^'.{20,}'$/, name);
      equal(runbook, `docs/operations/alerts.md#${name.toLowerCase()}`);
    }
  });

  test('has its lines in the handbook: what it means, and what to do', () => {
    const without = rules.filter(({ name }) => {
      const [, section = ''] = operations.split(`\n## ${name}\n`);
      const [body = ''] = section.split('\n#');
      return !/^- Means: .{20,}/m.test(body) || !/^- Do: .{20,}/m.test(body);
    });
    deepEqual(without, []);
  });

  test('in the handbook is one that there is', () => {
    const named = [...operations.matchAll(/^## (\w+)$/gm)].map(([, name]) => name);
    deepEqual(
      named.toSorted((a = '', b = '') => (a < b ? -1 : 1)),
      rules.map(({ name }) => name).toSorted((a, b) => (a < b ? -1 : 1)),
    );
  });
});
