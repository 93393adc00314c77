import { Command as Words, CommanderError } from 'commander';
import { describeGroups } from './api-commands/add-commands.ts';
import { addCommands, type Command } from './commands.ts';
import { addCompletionCommand } from './completion/command.ts';
import { shown, WrongUsage } from './wrong-usage.ts';

/** The text that was asked for, or the command that is to be carried out. */
export type Asked = Command | { readonly name: 'help'; readonly text: string };

const surroundings = `
It speaks to the Sluice that runs on $SLUICE_DATA_DIR (.data). Elsewhere, a command that needs
  the HTTP API    takes SLUICE_BASE_URL and SLUICE_MANAGEMENT_KEY; SLUICE_API_KEY for inference
  the services    takes SLUICE_ACCOUNT_ADDRESS, SLUICE_WORKSPACE_ADDRESS, SLUICE_KEY_ADDRESS, SLUICE_LEDGER_ADDRESS,
                  SLUICE_ANALYTICS_ADDRESS and SLUICE_RPC_TOKEN
  PostgreSQL      takes SLUICE_POSTGRES_URL
  the event store takes SLUICE_EVENTSTORE_URL and SLUICE_EVENTSTORE_NAMESPACE
  NATS            takes SLUICE_NATS_URL, SLUICE_NATS_TOKEN and SLUICE_NATS_MONITOR_URL
Exit codes: 0 done; 1 an error, or something differs; 2 a wrong command; 130 interrupted.`;

/** Throws WrongUsage. */
export function parseCommandLine(words: readonly string[]): Asked {
  let command: Asked | undefined;
  let text = '';
  const found = (asked: Asked) => void (command = asked);
  const program = createProgram(found, (written) => void (text += written));
  try {
    program.parse([...words], { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) return { name: 'help', text: text.trimEnd() };
    throw new WrongUsage(sentenceOf(error, program, words));
  }
  if (!command) throw new WrongUsage('There is no command.');
  return command;
}

function createProgram(found: (asked: Asked) => void, write: (text: string) => void): Words {
  const program = new Words('sluice')
    .description('Looks after a Sluice from outside its processes.')
    .usage('<command>')
    .addHelpText('after', surroundings)
    .showSuggestionAfterError()
    .exitOverride()
    .configureOutput({ writeOut: write, writeErr: () => undefined });
  addCommands(program, found);
  describeGroups(program);
  addCompletionCommand(program, (text) => found({ name: 'help', text }));
  return program;
}

/** Returns the parser's error as a sentence. Without a command the parser would only say that help follows. */
function sentenceOf(error: CommanderError, program: Words, words: readonly string[]): string {
  if (error.code === 'commander.help') return missingCommand(program, words);
  const said = error.message.replace(/^error: /, '').trim();
  // It repeats words as they were typed.
  const safe = said.replaceAll(/'([^']*)'/g, (_all, word: string) => shown(word));
  const sentence = `${safe.charAt(0).toUpperCase()}${safe.slice(1)}`.replaceAll(/\s+/g, ' ');
  return /[.?)]$/.test(sentence) ? sentence : `${sentence}.`;
}

function missingCommand(program: Words, words: readonly string[]): string {
  let group = program;
  const names: string[] = [];
  for (const word of words) {
    const next = group.commands.find((each) => each.name() === word);
    if (!next) break;
    group = next;
    names.push(word);
  }
  const choices = group.commands.map((each) => each.name()).filter((name) => name !== 'help');
  return `${['sluice', ...names].join(' ')} what? One of ${choices.join(', ')}.`;
}
