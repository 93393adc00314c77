import { parseArgs, type ParseArgsConfig } from 'node:util';

/** The words make no command; the message says what is wrong with them. */
export class WrongUsage extends Error {
  override readonly name = 'WrongUsage';
}

/** `parseArgs` of node, where words and options may stand in any order. Throws WrongUsage. */
export function parseWords<Options extends NonNullable<ParseArgsConfig['options']>>(
  words: readonly string[],
  options: Options,
) {
  try {
    return parseArgs({ args: [...words], allowPositionals: true, options });
  } catch (error) {
    // Its advice about positional arguments does not fit here.
    throw new WrongUsage(`${(error as Error).message.split('. ')[0]}.`.replace(/\.\.$/, '.'));
  }
}

const shownLengthMax = 80;

/** A word as it was typed, without what a terminal would obey. */
export function shown(word: string): string {
  return JSON.stringify(word.slice(0, shownLengthMax));
}
