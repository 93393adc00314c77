import { asObject, asString, parseJson } from '../json-reader.ts';

/** An upstream without freeform tools gets a function with one text parameter. This is its name. */
const inputField = 'input';

/** The JSON schema of that function. */
export const freeformParameters = {
  type: 'object',
  properties: { [inputField]: { type: 'string' } },
  required: [inputField],
} as const;

/** Returns the arguments of such a function. */
export function freeformArguments(input: string): string {
  return JSON.stringify({ [inputField]: input.toWellFormed() });
}

const opening = /^\s*\{\s*"input"\s*:\s*"/;
const escapes: ReadonlyMap<string, string> = new Map([
  ['n', '\n'],
  ['t', '\t'],
  ['r', '\r'],
  ['b', '\b'],
  ['f', '\f'],
]);
/** An opening with more white space is read at the end. */
const openingCharactersMax = 1_024;
const unicodeEscapeLength = '\\u0000'.length;

/**
 * Reads the input of a freeform tool from the arguments of its function while they arrive, so that a long input streams
 * as the model writes it. Arguments of another form are read at their end: models also send the text itself, a JSON
 * string, or an object whose only field has a name of their own, such as `patch`. Others pass unchanged.
 */
export class FreeformInput {
  /** The text that is not read yet. */
  #rest = '';
  #state: 'opening' | 'input' | 'other' | 'closed' = 'opening';

  /** Returns the piece of the input that a piece of the arguments adds. */
  push(delta: string): string {
    if (this.#state === 'closed') return '';
    this.#rest += delta;
    if (this.#state === 'opening') this.#open();
    return this.#state === 'input' ? this.#read() : '';
  }

  /** Returns the rest of the input. Arguments that were cut keep the input that arrived. */
  end(): string {
    const rest = this.#rest;
    this.#rest = '';
    if (this.#state === 'opening' || this.#state === 'other') return unwrapped(rest) ?? rest;
    return this.#state === 'input' && !rest.startsWith('\\') ? rest : '';
  }

  #open(): void {
    const [found] = opening.exec(this.#rest) ?? [];
    if (found !== undefined) {
      this.#state = 'input';
      this.#rest = this.#rest.slice(found.length);
    } else if (this.#rest.length > openingCharactersMax || !mayOpen(this.#rest))
      this.#state = 'other';
  }

  #read(): string {
    let text = '';
    let index = 0;
    while (index < this.#rest.length) {
      const character = this.#rest.charAt(index);
      if (character === '"') {
        this.#state = 'closed';
        this.#rest = '';
        return text;
      }
      if (character !== '\\') {
        const next = this.#rest.slice(index).search(/["\\]/);
        const end = next === -1 ? this.#rest.length : index + next;
        text += this.#rest.slice(index, end);
        index = end;
        continue;
      }
      const read = readEscape(this.#rest, index);
      if (!read) break;
      text += read.text;
      index = read.end;
    }
    this.#rest = this.#rest.slice(index);
    return this.#withoutHalf(text);
  }

  /** Keeps back the first half of a character that has two, because a delta is a text of its own. */
  #withoutHalf(text: string): string {
    const code = text.charCodeAt(text.length - 1);
    if (!(code >= 0xd800 && code <= 0xdbff)) return text;
    this.#rest = `\\u${code.toString(16)}${this.#rest}`;
    return text.slice(0, -1);
  }
}

/** Returns the text inside arguments of another form. undefined: they have none. */
function unwrapped(text: string): string | undefined {
  const value = parseJson(text);
  const object = asObject(value);
  if (!object) return asString(value);
  const [only, ...more] = Object.values(object);
  return asString(object[inputField]) ?? (more.length === 0 ? asString(only) : undefined);
}

/** Returns true for a text that can still become the opening. */
function mayOpen(text: string): boolean {
  const bare = text.replaceAll(/\s+/g, '');
  return `{"${inputField}":"`.startsWith(bare);
}

/** Returns undefined for an escape that has not arrived as a whole. */
function readEscape(
  text: string,
  index: number,
): { readonly text: string; readonly end: number } | undefined {
  const kind = text.charAt(index + 1);
  if (kind === '') return undefined;
  if (kind !== 'u') return { text: escapes.get(kind) ?? kind, end: index + 2 };
  const end = index + unicodeEscapeLength;
  if (text.length < end) return undefined;
  const code = Number.parseInt(text.slice(index + 2, end), 16);
  return { text: Number.isNaN(code) ? text.slice(index, end) : String.fromCharCode(code), end };
}
