import { randomInt } from 'node:crypto';
import { Fault, invalidRequest, type Issue, rejectionToFault } from '@sluice/errors';
import { JsonScan, type JsonShape } from '@sluice/inference';

const strictUtf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const hashes = { seed: randomInt(2 ** 31) };
const valuesMax = 10_000;
/** A parser makes a hidden class for each, and needs a tenth of a second for 10,000. The scan leaves out the first. */
const nameRowsMax = 1_000;

/** The text of each number of a parsed body: a double cannot hold 17 digits of money. */
const numberTexts = new WeakMap<object, Map<string, string>>();

interface ReviverContext {
  readonly source?: string;
}
type Reviver = (this: object, name: string, value: unknown, context: ReviverContext) => unknown;

/**
 * Parses a management body: strict UTF-8 without a byte order mark, bounded in values, and with texts that can be
 * stored unchanged. Throws invalid_request.
 */
export function parseJsonBody(bytes: Uint8Array): unknown {
  const problem = problemOf(scanned(bytes));
  if (problem !== undefined) throw new Fault('invalid_request', { message: problem });
  let isStorable = true;
  const reviver: Reviver = function (name, value, context) {
    if (typeof value === 'number' && context.source !== undefined) {
      const texts = numberTexts.get(this) ?? new Map<string, string>();
      numberTexts.set(this, texts.set(name, context.source));
    }
    isStorable &&= canBeStored(name) && (typeof value !== 'string' || canBeStored(value));
    return value;
  };
  let parsed: unknown;
  try {
    parsed = JSON.parse(strictUtf8.decode(bytes), reviver as Parameters<typeof JSON.parse>[1]);
  } catch (cause) {
    throw new Fault('invalid_request', { message: notValid, cause });
  }
  if (!isStorable) throw rejectionToFault(invalidRequest(unstorableTexts(parsed)));
  return parsed;
}

const notValid = 'The request body is not valid JSON';

/** Counts a body, up to a little more than it may have. */
function scanned(bytes: Uint8Array): JsonShape {
  const scan = new JsonScan(bytes, (shape) => problemOf(shape) !== undefined, hashes);
  scan.advance(bytes.byteLength);
  return scan.shape;
}

function problemOf({ values, strings, nameRows }: JsonShape): string | undefined {
  if (values > valuesMax) return `The request body has more than ${valuesMax} values`;
  if (nameRows > nameRowsMax)
    return `The request body has more than ${nameRowsMax} different names, or orders of names`;
  // Each value has at most two strings, its name and itself. The outermost value needs no comma.
  return strings > 2 * (values + 1) ? notValid : undefined;
}

/** PostgreSQL has no text with U+0000. Every writer of UTF-8 changes half of a surrogate pair in silence. */
function canBeStored(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0');
}

const unstorable = 'must be text without U+0000 and without halves of surrogate pairs';
const issuesMax = 100;

/** Returns an issue for each text that cannot be stored, up to 100. */
function unstorableTexts(body: unknown): readonly Issue[] {
  const issues: Issue[] = [];
  const left: { readonly value: unknown; readonly path: string }[] = [{ value: body, path: '' }];
  for (let next = left.pop(); next && issues.length < issuesMax; next = left.pop()) {
    const { value, path } = next;
    if (typeof value === 'string' && !canBeStored(value))
      issues.push({ path, message: unstorable });
    if (typeof value !== 'object' || value === null) continue;
    for (const [name, entry] of Object.entries(value).toReversed()) {
      const place = (path === '' ? name : `${path}.${name}`).slice(0, pathCharactersMax);
      if (canBeStored(name)) left.push({ value: entry, path: place });
      else issues.push({ path: shownPath(place), message: `its name ${unstorable}` });
    }
  }
  return issues;
}

function shownPath(path: string): string {
  return path.replaceAll('\0', '\ufffd').toWellFormed();
}

const pathCharactersMax = 1_000;

/** The number at a member of a parsed body, as the client wrote it. */
export function numberText(body: object, member: string): string | undefined {
  return numberTexts.get(body)?.get(member);
}
