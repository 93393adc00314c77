import { shown, WrongUsage } from '../wrong-usage.ts';
import type { ResourceOption } from './resource.ts';

const numberPattern = /^-?\d{1,15}(?:\.\d{1,20})?$/;

/** Reads a word as a field of a body. The service checks it. Throws WrongUsage. */
export function valueOf({ flags, as, nullable }: ResourceOption, text: string): unknown {
  if (nullable && text === 'none') return null;
  const [flag = ''] = flags.split(' ');
  switch (as) {
    case 'text':
    case 'hash':
    case 'secret':
    case 'file':
      return text;
    case 'usd':
    case 'number':
      if (!numberPattern.test(text)) throw new WrongUsage(`${flag} ${shown(text)} is no number.`);
      return Number(text);
    case 'boolean':
      if (text !== 'true' && text !== 'false')
        throw new WrongUsage(`${flag} ${shown(text)} is neither true nor false.`);
      return text === 'true';
    case 'list':
    case 'hashes':
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
