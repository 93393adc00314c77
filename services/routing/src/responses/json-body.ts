import type { Issues } from './issues.ts';
import { isObject, type JsonObject } from './fields.ts';
import { jsonDepthMax } from './limits.ts';

/** The object that a body holds, or undefined after noting why it holds none. */
export function readJsonBody(body: Uint8Array, issues: Issues): JsonObject | undefined {
  if (body.byteLength === 0) return issues.add('', 'the body is missing');
  const value = parse(body);
  if (value === undefined) return issues.add('', 'the body is not valid JSON');
  if (!isObject(value)) return issues.add('', 'the body must be a JSON object');
  if (isDeeperThan(value, jsonDepthMax)) {
    return issues.add('', `the body is nested more than ${String(jsonDepthMax)} levels deep`);
  }
  return value;
}

function parse(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
  } catch {
    return undefined;
  }
}

/** Recursion is as deep as the bound, whatever comes. */
function isDeeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (levels === 0) return true;
  return Object.values(value).some((child) => isDeeperThan(child, levels - 1));
}
