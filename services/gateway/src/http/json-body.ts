import { Fault } from '@sluice/errors';

const strictUtf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const valuesMax = 10_000;

/** The text of each number of a parsed body: a double cannot hold 17 digits of money. */
const numberTexts = new WeakMap<object, Map<string, string>>();

class TooManyValues extends Error {
  override readonly name = 'TooManyValues';
}

interface ReviverContext {
  readonly source?: string;
}
type Reviver = (this: object, name: string, value: unknown, context: ReviverContext) => unknown;

/** Parses a management body: strict UTF-8 without a byte order mark, bounded in values. Throws invalid_request. */
export function parseJsonBody(bytes: Uint8Array): unknown {
  let values = 0;
  const reviver: Reviver = function (name, value, context) {
    if (++values > valuesMax) throw new TooManyValues();
    if (typeof value === 'number' && context.source !== undefined) {
      const texts = numberTexts.get(this) ?? new Map<string, string>();
      numberTexts.set(this, texts.set(name, context.source));
    }
    return value;
  };
  try {
    return JSON.parse(strictUtf8.decode(bytes), reviver as Parameters<typeof JSON.parse>[1]);
  } catch (cause) {
    const message =
      cause instanceof TooManyValues
        ? `The request body has more than ${valuesMax} values`
        : 'The request body is not valid JSON';
    throw new Fault('invalid_request', { message, cause });
  }
}

/** The number at a member of a parsed body, as the client wrote it. */
export function numberText(body: object, member: string): string | undefined {
  return numberTexts.get(body)?.get(member);
}
