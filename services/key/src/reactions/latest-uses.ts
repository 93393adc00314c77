import { isKeyHash } from '@sluice/clock-and-ids';
import { type BusMessage, isSubjectToken } from '@sluice/bus';
import type { KeyUse } from '../store/key-uses.ts';

type Bytes = Pick<BusMessage, 'subject' | 'bytes' | 'data'>;

/** One per key, of a bundle of usage facts. What is no fact of usage is for the ledger to complain about. */
export function usesOf(message: Bytes): readonly KeyUse[] {
  const latest = new Map<string, KeyUse>();
  const accountId = message.subject.slice(message.subject.lastIndexOf('.') + 1);
  if (!isSubjectToken(accountId)) return [];
  const note = (keyHash: unknown, usedAt: unknown) => {
    if (!isText(keyHash) || !isText(usedAt)) return;
    const known = latest.get(keyHash);
    if (known && known.usedAt >= usedAt) return;
    if (!isInstant(usedAt) || !(known || isKeyHash(keyHash))) return;
    latest.set(keyHash, { accountId, keyHash, usedAt });
  };
  if (!searchUses(message, note)) readUses(message, note);
  return [...latest.values()];
}

/** One per key, of those of many bundles. */
export function latestUses(bundles: readonly (readonly KeyUse[])[]): readonly KeyUse[] {
  const latest = new Map<string, KeyUse>();
  for (const uses of bundles)
    for (const use of uses) {
      const key = `${use.accountId}/${use.keyHash}`;
      const known = latest.get(key);
      if (!known || known.usedAt < use.usedAt) latest.set(key, use);
    }
  return [...latest.values()];
}

type Note = (keyHash: unknown, usedAt: unknown) => void;

const opening = '{"facts":[';
const factStart = Buffer.from('{"usageId":"');
const beginning = Buffer.concat([Buffer.from(opening), factStart]);
const keyHashField = Buffer.from('"keyHash":"');
const usedAtField = Buffer.from('"admittedAt":"');
const quote = 0x22;

/**
 * Every fact comes by here for two of its texts, which its bytes are searched for: parsing all of it costs more
 * than all else. Inside of other texts a name's quotes are escaped, so what is found is a field. False, and maybe only
 * a part of it noted, when it is not written as routing writes it: each fact beginning with its usage id, and with one
 * of each.
 */
function searchUses({ bytes: { buffer, byteOffset, byteLength } }: Bytes, note: Note): boolean {
  const json = Buffer.from(buffer, byteOffset, byteLength);
  if (json.indexOf(beginning) !== 0) return false;
  for (let start = opening.length; start < json.length;) {
    const next = json.indexOf(factStart, start + 1);
    const end = next === -1 ? json.length : next;
    const keyHash = onlyText(json, keyHashField, { start, end });
    const usedAt = onlyText(json, usedAtField, { start, end });
    if (keyHash === undefined || usedAt === undefined) return false;
    note(keyHash, usedAt);
    start = end;
  }
  return true;
}

/** Returns the text of a field of one fact. undefined when the field is not there once. */
function onlyText(
  json: Buffer,
  field: Buffer,
  fact: { readonly start: number; readonly end: number },
): string | undefined {
  const at = json.indexOf(field, fact.start);
  if (at === -1 || at >= fact.end) return undefined;
  const start = at + field.length;
  const again = json.indexOf(field, start);
  if (again !== -1 && again < fact.end) return undefined;
  return json.toString('latin1', start, Math.max(start, json.indexOf(quote, start)));
}

function readUses({ data }: Bytes, note: Note): void {
  const { facts } = fieldsOf(data);
  if (!Array.isArray(facts)) return;
  for (const fact of facts) {
    const { keyHash, admittedAt } = fieldsOf(fact);
    note(keyHash, admittedAt);
  }
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

/**
 * Accepts an instant in the form that routing writes. The database would refuse a day that does not exist, and the
 * whole batch with it.
 */
function isInstant(text: string): boolean {
  if (!instantPattern.test(text)) return false;
  const day = text.slice(8, 10);
  return day <= monthDaysMin || new Date(text).getUTCDate() === Number(day);
}

const instantPattern =
  /^(?:19|20|21)\d\d-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{3}Z$/;
/** No month is shorter. */
const monthDaysMin = '28';
