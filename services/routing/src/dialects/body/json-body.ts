import { isUtf8 } from 'node:buffer';
import { randomInt } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import {
  asBuffer,
  JsonScan,
  type JsonShape,
  keepExactNumbers,
  type JsonPlace,
} from '@sluice/inference';
import type { Issues } from './issues.ts';
import { isObject, type JsonObject } from '@sluice/client-schemas';
import {
  innerNamesMax,
  jsonBareBytesMin,
  jsonBareBytesPerValue,
  jsonDepthMax,
  jsonValuesMax,
  nameRowsMax,
  outerNamesMax,
  shortStringsMax,
} from './limits.ts';

/** A body of more bytes is scanned over several turns of the event loop: `scanBody`, before it is read. */
export const scanTurnBytes = 1024 * 1024;
const hashes = { seed: randomInt(2 ** 31) };

/** Counts a body. Other requests are served meanwhile. */
export async function scanBody(body: Uint8Array): Promise<JsonShape> {
  const scan = new JsonScan(body, isTooMuch, hashes);
  while (!scan.advance(scanTurnBytes)) await setImmediate();
  return scan.shape;
}

/**
 * Returns the object of a body, or undefined after adding an issue. A body that would block the process for seconds
 * is refused before it is parsed.
 */
export function readJsonBody(
  body: Uint8Array,
  issues: Issues,
  shape: JsonShape = scanNow(body),
): JsonObject | undefined {
  if (body.byteLength === 0) return issues.add('', 'the body is missing');
  const problem = problemOf(shape);
  if (problem !== undefined) return issues.add('', problem);
  const value = parse(body);
  if (value === undefined) return issues.add('', 'the body is not valid JSON');
  if (!isObject(value)) return issues.add('', 'the body must be a JSON object');
  return value;
}

/** Gives the objects at these places of a body the numbers that JavaScript would round. Changes the body in place. */
export function keepLongNumbers(
  object: JsonObject,
  body: Uint8Array,
  { shape, places }: { readonly shape: JsonShape; readonly places: readonly JsonPlace[] },
): void {
  if (shape.hasLongNumbers) keepExactNumbers(object, textOf(body), places);
}

export function scanNow(body: Uint8Array): JsonShape {
  const scan = new JsonScan(body, isTooMuch, hashes);
  scan.advance(body.byteLength);
  return scan.shape;
}

function isTooMuch(shape: JsonShape): boolean {
  return problemOf(shape) !== undefined;
}

function problemOf({
  depth,
  values,
  bareBytes,
  strings,
  outerCommas,
  innerCommas,
  nameRows,
  shortStrings,
}: JsonShape): string | undefined {
  if (depth > jsonDepthMax)
    return `the body is nested more than ${String(jsonDepthMax)} levels deep`;
  if (outerCommas >= outerNamesMax) return `the body has more than ${String(outerNamesMax)} fields`;
  if (innerCommas >= innerNamesMax)
    return `the body has an object of more than ${String(innerNamesMax)} fields`;
  if (nameRows > nameRowsMax)
    return `the body has more than ${String(nameRowsMax)} different names, or orders of names`;
  if (shortStrings > shortStringsMax)
    return `the body has more than ${String(shortStringsMax)} different strings of at most 10 bytes`;
  if (values > jsonValuesMax) return `the body has more than ${String(jsonValuesMax)} values`;
  // Each value has at most two strings, its name and itself. The outermost value needs no comma.
  if (strings > 2 * (values + 1)) return 'the body is not valid JSON';
  if (bareBytes > jsonBareBytesMin + jsonBareBytesPerValue * values)
    return `the body has more than ${String(jsonBareBytesPerValue)} bytes of white space and digits a value`;
  return undefined;
}

const byteOrderMark = '\ufeff';

function textOf(body: Uint8Array): string {
  const text = asBuffer(body).toString();
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
