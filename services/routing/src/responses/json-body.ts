import { isUtf8 } from 'node:buffer';
import type { Issues } from './issues.ts';
import { isObject, type JsonObject } from './fields.ts';
import { jsonShape } from './json-shape.ts';
import { jsonDepthMax, jsonValuesMax } from './limits.ts';

/**
 * The object that a body holds, or undefined after noting why it holds none. A body that would keep the
 * process from everything else for seconds is refused before it is parsed.
 */
export function readJsonBody(body: Uint8Array, issues: Issues): JsonObject | undefined {
  if (body.byteLength === 0) return issues.add('', 'the body is missing');
  const { depth, values } = jsonShape(body, { depth: jsonDepthMax, values: jsonValuesMax });
  if (depth > jsonDepthMax) {
    return issues.add('', `the body is nested more than ${String(jsonDepthMax)} levels deep`);
  }
  if (values > jsonValuesMax) {
    return issues.add('', `the body has more than ${String(jsonValuesMax)} values`);
  }
  const value = parse(body);
  if (value === undefined) return issues.add('', 'the body is not valid JSON');
  if (!isObject(value)) return issues.add('', 'the body must be a JSON object');
  return value;
}

const byteOrderMark = '\ufeff';

function textOf(body: Uint8Array): string {
  const text = Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString();
  return text.startsWith(byteOrderMark) ? text.slice(byteOrderMark.length) : text;
}

function parse(body: Uint8Array): unknown {
  if (!isUtf8(body)) return undefined;
  try {
    return JSON.parse(textOf(body));
  } catch {
    return undefined;
  }
}
