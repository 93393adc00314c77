import type { BucketedValue, Metric, Point } from './metric.ts';

type Labels = readonly (readonly [name: string, value: string])[];

/**
 * Metrics → the Prometheus text format, as the exporter of OpenTelemetry writes it: a test holds one
 * against the other. That one comes with 250 modules, which every process would keep.
 */
export function prometheusText(
  { serviceName, scopeName }: { readonly serviceName: string; readonly scopeName: string },
  metrics: readonly Metric[],
): string {
  const scope: Labels = [['otel_scope_name', scopeName]];
  const target = sample('target_info', [['service_name', serviceName]], 1);
  const shown = metrics.map((metric) => `${head(metric)}${samples(metric, scope)}`).join('');
  const nothing = '# no registered metrics';
  return `# HELP target_info Target metadata\n# TYPE target_info gauge\n${target}${shown || nothing}`;
}

function head(metric: Metric): string {
  const name = nameOf(metric);
  const help = `# HELP ${name} ${escaped(metric.help || 'description missing')}\n`;
  const unit = metric.unit ? `# UNIT ${name} ${escaped(metric.unit)}\n` : '';
  return `${help}${unit}# TYPE ${name} ${metric.type}\n`;
}

function samples(metric: Metric, scope: Labels): string {
  const name = nameOf(metric);
  return metric.points
    .map(({ attributes, value }) => {
      const labels = [...labelsOf(attributes), ...scope];
      return typeof value === 'number'
        ? sample(name, labels, value)
        : bucketSamples(name, labels, value);
    })
    .join('');
}

function bucketSamples(name: string, labels: Labels, value: BucketedValue): string {
  let cumulative = 0;
  const buckets = value.counts.map((count, place) => {
    cumulative += count;
    const bound = value.boundaries[place] ?? Infinity;
    return sample(`${name}_bucket`, [...labels, ['le', numberText(bound)]], cumulative);
  });
  const totals =
    sample(`${name}_count`, labels, value.count) + sample(`${name}_sum`, labels, value.sum);
  return totals + buckets.join('');
}

function sample(name: string, labels: Labels, value: number): string {
  const shown = labels.map(([label, text]) => `${label}="${escaped(text).replaceAll('"', '\\"')}"`);
  return `${name}{${shown.join(',')}} ${numberText(value)}\n`;
}

function labelsOf(attributes: Point['attributes']): Labels {
  return Object.entries(attributes).map(([name, value]) => [plain(name), String(value)]);
}

function nameOf({ name, type }: Metric): string {
  return type === 'counter' ? `${plain(name)}_total` : plain(name);
}

function plain(name: string): string {
  return name.replaceAll(/[^a-z0-9_]/gi, '_').replaceAll(/_{2,}/g, '_');
}

function escaped(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n');
}

function numberText(value: number): string {
  if (value === Infinity) return '+Inf';
  return value === -Infinity ? '-Inf' : String(value);
}
