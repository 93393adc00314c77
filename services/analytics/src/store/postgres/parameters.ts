import type { SqlValue } from '@sluice/read-model';

/** Collects the parameters of a statement: everything that a client wrote is one of them. */
export class Parameters {
  readonly values: SqlValue[] = [];

  add(value: SqlValue, type: string): string {
    this.values.push(value);
    return `$${this.values.length}::${type}`;
  }
}
