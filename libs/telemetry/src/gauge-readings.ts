import { type GaugeName, gauges } from './gauges.ts';
import type { Metric, Point } from './metric.ts';

type Attributes = Point['attributes'];

interface Reading {
  readonly attributes: Attributes;
  readonly read: () => number;
}

/** Gauges, each read when the metrics are asked for. */
export class GaugeReadings {
  readonly #all = new Map<GaugeName, Map<string, Reading>>();

  /** Who says so last is read, of those who have the same attributes. */
  observe(name: GaugeName, read: () => number, attributes: Attributes): void {
    const readings = this.#all.get(name) ?? new Map<string, Reading>();
    this.#all.set(name, readings.set(JSON.stringify(attributes), { attributes, read }));
  }

  /** In the order in which they were met; what cannot be read is left out. */
  read(): Metric[] {
    return [...this.#all].flatMap(([name, readings]) => {
      const points = [...readings.values()].flatMap(pointOf);
      return points.length === 0 ? [] : [{ name, help: gauges[name], type: 'gauge', points }];
    });
  }
}

function pointOf({ attributes, read }: Reading): Point[] {
  try {
    return [{ attributes, value: read() }];
  } catch {
    return [];
  }
}
