import { type CreditsCommand, parseCreditsCommand } from './credits/command.ts';
import { type LedgerCommand, parseLedgerCommand } from './ledger/command.ts';
import { parseWords, shown, WrongUsage } from './wrong-usage.ts';

/** What was asked for. */
export type Command =
  | { readonly name: 'help' }
  | { readonly name: 'list' }
  | { readonly name: 'rebuild'; readonly projection: string }
  | { readonly name: 'compare'; readonly projection: string }
  | { readonly name: 'credits'; readonly command: CreditsCommand }
  | { readonly name: 'ledger'; readonly command: LedgerCommand };

export const usage = `Usage: sluice <command>

  projections list                       what every projection has reached, and what keeps it
  projections rebuild <name>             build its tables anew from the log, beside the live ones, and switch
  projections rebuild <name> --compare   build them beside the live ones and show the rows that differ
  credits grant <USD> --account <id>     give an account credits
  credits purchase <USD> --account <id>  write down that it bought credits
  credits refund <USD> --account <id> --purchase <id>
                                         take back credits of a purchase, at most what it was
      with [--reason <text>] and [--id <id>]: under the same id each of these is done once
  credits show --account <id>            what it has, used and has left
  ledger rebuild --verify                compute all counters from the facts and credits, and show
                                         what is stored otherwise; changes nothing
  ledger reconcile --receipts <file>     compare a provider's receipts (CSV or JSON lines) with what was counted
      with [--provider <name>] [--from <day>] [--to <day>]: which usage must have a receipt
  help                                   this text

It speaks to the Sluice that runs on $SLUICE_DATA_DIR (.data); or projections to what SLUICE_POSTGRES_URL
and SLUICE_EVENTSTORE_URL name, ledger to the first of them, credits to SLUICE_ACCOUNT_ADDRESS and
SLUICE_LEDGER_ADDRESS with SLUICE_RPC_TOKEN. Exit codes: 0 done; 1 an error, or something differs;
2 a wrong command; 130 interrupted.`;

const options = { compare: { type: 'boolean' } } as const;

/** Throws WrongUsage. */
export function parseCommandLine(words: readonly string[]): Command {
  if (words.includes('--help') || words.includes('-h')) return { name: 'help' };
  if (words[0] === 'credits')
    return { name: 'credits', command: parseCreditsCommand(words.slice(1)) };
  if (words[0] === 'ledger') return { name: 'ledger', command: parseLedgerCommand(words.slice(1)) };
  const { values, positionals } = parseWords(words, options);
  const compare = values.compare ?? false;
  const [group, command, name, more] = positionals;
  if (group === 'help') return { name: 'help' };
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
