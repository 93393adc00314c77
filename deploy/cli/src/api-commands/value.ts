import { shown, WrongUsage } from '../wrong-usage.ts';
import type { ApiOption, ValueKind } from './api-command.ts';

const placeholders: Readonly<Record<ValueKind, string>> = {
  text: 'text',
  number: 'number',
  boolean: 'boolean',
  list: 'list',
  json: 'json',
  secret: 'path',
  file: 'path',
  secrets: 'path',
};

/** `--limit <number>` */
export const flagsOf = ({ flag, kind }: Pick<ApiOption, 'flag' | 'kind'>) =>
  `${flag} <${placeholders[kind]}>`;

const numberPattern = /^-?\d{1,15}(?:\.\d{1,20})?$/;

/** Reads a word as a field of a body. The service checks it. Throws WrongUsage. */
export function valueOf(
  { flag, kind, nullable }: Pick<ApiOption, 'flag' | 'kind' | 'nullable'>,
  text: string,
): unknown {
  if (nullable && text === 'none') return null;
  switch (kind) {
    case 'text':
    case 'secret':
    case 'secrets':
    case 'file':
      return text;
    case 'number':
      if (!numberPattern.test(text)) throw new WrongUsage(`${flag} ${shown(text)} is no number.`);
      return Number(text);
    case 'boolean':
      if (text !== 'true' && text !== 'false')
        throw new WrongUsage(`${flag} ${shown(text)} is neither true nor false.`);
      return text === 'true';
    case 'list':
      // A text of a list may have commas in it: then the list is JSON.
      if (text.startsWith('[')) return parsed(flag, text);
      return text.split(',').filter((each) => each !== '');
    case 'json':
      return parsed(flag, text);
  }
}

function parsed(flag: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new WrongUsage(`${flag} is no JSON: ${(error as Error).message}.`);
  }
}
