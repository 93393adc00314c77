import { parseArgs } from 'node:util';

/** What was asked for. */
export type Command =
  | { readonly name: 'help' }
  | { readonly name: 'list' }
  | { readonly name: 'rebuild'; readonly projection: string }
  | { readonly name: 'compare'; readonly projection: string };

/** The words make no command; the message says what is wrong with them. */
export class WrongUsage extends Error {
  override readonly name = 'WrongUsage';
}

export const usage = `Usage: sluice <command>

  projections list                       what every projection has reached, and what keeps it
  projections rebuild <name>             build its tables anew from the log, beside the live ones, and switch
  projections rebuild <name> --compare   build them beside the live ones and show the rows that differ
  help                                   this text

It speaks to the Sluice that runs on $SLUICE_DATA_DIR (.data), or to what SLUICE_POSTGRES_URL and
SLUICE_EVENTSTORE_URL name. Exit codes: 0 done; 1 an error, or rows that differ; 2 a wrong command;
130 interrupted.`;

/** Throws WrongUsage. */
export function parseCommandLine(words: readonly string[]): Command {
  const { values, positionals } = parsed(words);
  const compare = values.compare ?? false;
  const [group, command, name, more] = positionals;
  if (values.help || group === 'help') return { name: 'help' };
  if (group === undefined) throw new WrongUsage('There is no command.');
  if (group !== 'projections') throw new WrongUsage(`There is no command ${shown(group)}.`);
  if (command === 'list' && name === undefined && !compare) return { name: 'list' };
  if (command === 'list') throw new WrongUsage('projections list takes nothing more.');
  if (command !== 'rebuild')
    throw new WrongUsage(
      command === undefined
        ? 'projections what? list or rebuild.'
        : `There is no command projections ${shown(command)}.`,
    );
  if (name === undefined)
    throw new WrongUsage('projections rebuild needs the name of a projection.');
  if (more !== undefined) throw new WrongUsage('projections rebuild takes one projection.');
  return { name: compare ? 'compare' : 'rebuild', projection: name };
}

function parsed(words: readonly string[]) {
  try {
    return parseArgs({
      args: [...words],
      allowPositionals: true,
      options: { compare: { type: 'boolean' }, help: { type: 'boolean', short: 'h' } },
    });
  } catch (error) {
    // Its advice about positional arguments does not fit here.
    throw new WrongUsage(`${(error as Error).message.split('. ')[0]}.`.replace(/\.\.$/, '.'));
  }
}

const shownLengthMax = 80;

/** A word as it was typed, without what a terminal would obey. */
function shown(word: string): string {
  return JSON.stringify(word.slice(0, shownLengthMax));
}
