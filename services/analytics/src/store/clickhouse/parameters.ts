import type { Parameter } from './engine.ts';

/** ClickHouse takes at most so many bytes as one parameter, with its escapes. */
const parameterBytesMax = 60_000;

/** Collects the parameters of a statement: everything that a client wrote is one of them. */
export class Parameters {
  readonly values: Record<string, Parameter> = {};
  #count = 0;

  add(value: Parameter, type: string): string {
    this.#count += 1;
    this.values[`p${this.#count}`] = value;
    return `{p${this.#count}:${type}}`;
  }

  instant(ms: number): string {
    return `fromUnixTimestamp64Milli(${this.add(ms, 'Int64')}, 'UTC')`;
  }

  /** Writes that a column is one of some texts, which may be more than one parameter holds. */
  isIn(column: string, texts: readonly string[]): string {
    const lists: string[][] = [];
    let bytes = Infinity;
    for (const text of texts) {
      const size = 2 * Buffer.byteLength(text) + 3;
      bytes += size;
      if (bytes > parameterBytesMax) {
        lists.push([]);
        bytes = size;
      }
      lists.at(-1)?.push(text);
    }
    const each = lists.map((list) => `${column} IN ${this.add(list, 'Array(String)')}`);
    return `(${each.join(' OR ')})`;
  }
}
