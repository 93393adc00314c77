import { createHash } from 'node:crypto';
import type { Catalog } from './catalog.ts';

const versionBytes = 6;

/** A number of 48 bits: the same for the same listed models and prices, in every process. No secret is in it. */
export function catalogVersion({ listed, providers }: Catalog): number {
  const hash = createHash('sha256').update(JSON.stringify([listed, providers], plain));
  return hash.digest().readUIntBE(0, versionBytes);
}

/** Writes the values that JSON cannot hold. */
function plain(_name: string, value: unknown): unknown {
  if (typeof value === 'bigint') return String(value);
  return value instanceof Set ? [...value] : value;
}
