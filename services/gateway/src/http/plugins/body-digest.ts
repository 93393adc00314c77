import { createHash } from 'node:crypto';
import { Fault } from '@sluice/errors';
import { numberText } from '../request/json-body.ts';

const depthMax = 64;
/** So many digits a double keeps; money may have more. */
const exactDigitsMax = 15;

/** SHA-256 in hex of what a parsed body says: the order of its fields and its spaces do not count. */
export function bodyDigest(body: unknown): string {
  return createHash('sha256')
    .update(canonical(body ?? null, 0))
    .digest('hex');
}

function canonical(value: unknown, depth: number): string {
  if (depth > depthMax)
    throw new Fault('invalid_request', { message: 'The request body is nested too deep' });
  if (Array.isArray(value)) {
    const items = value.map((_, index) => member(value, String(index), depth));
    return `[${items.join(',')}]`;
  }
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.keys(value)
    .toSorted()
    .map((name) => `${JSON.stringify(name)}:${member(value, name, depth)}`);
  return `{${members.join(',')}}`;
}

function member(container: object, name: string, depth: number): string {
  const value: unknown = Reflect.get(container, name);
  if (typeof value !== 'number') return canonical(value, depth + 1);
  const text = numberText(container, name);
  const isLong = text !== undefined && text.replaceAll(/\D/g, '').length > exactDigitsMax;
  return isLong ? text : String(value);
}
