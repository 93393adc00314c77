import { Command as Words, CommanderError } from 'commander';
import { systemClock } from '@sluice/clock-and-ids';
import { type AccountsCommand, addAccountsCommands } from './accounts/command.ts';
import { addAgentsCommand, type AgentsCommand } from './agents/command.ts';
import { addAnalyticsQuery, type AnalyticsCommand, isAnalyticsQuery } from './analytics/command.ts';
import {
  addAnalyticsExport,
  type ExportCommand,
  isAnalyticsExport,
} from './analytics/export-command.ts';
import { addAnalyticsRebuild } from './analytics/rebuild-command.ts';
import { addAnalyticsVerify, type VerifyCommand } from './analytics/verify-command.ts';
import type { Call } from './api/request.ts';
import { addApiCommands, describeGroups } from './api-commands/add-commands.ts';
import { knownApiCommands } from './api-commands/known.ts';
import { addAuditCommand, type AuditCommand } from './audit/command.ts';
import { addCompletionCommand } from './completion/command.ts';
import { addCreditsCommands, type CreditsCommand } from './credits/command.ts';
import { addDoctorCommand, type DoctorCommand } from './doctor/command.ts';
import { addPrepareUserCommand, type PrepareUserCommand } from './eventstore-user/command.ts';
import { addEventsCommands, type ReplayCommand } from './events/command.ts';
import { addEventStoreCommands, type EventStoreCommand } from './eventstore/command.ts';
import { addExplainCommand, type ExplainCommand } from './generation/command.ts';
import { addFilesCommands, type FilesCommand } from './files/command.ts';
import { addOperatorKeyCommands, type OperatorKeyCommand } from './keys/command.ts';
import { addLedgerCommands, type LedgerCommand } from './ledger/command.ts';
import { addMembersCommands, type MembersCommand } from './members/command.ts';
import { addProjectionsCommands, type ProjectionsCommand } from './projections/command.ts';
import { addReactionsCommands, type RewindCommand } from './reactions/command.ts';
import { shown, WrongUsage } from './wrong-usage.ts';

/** A parsed command. */
export type Command =
  | { readonly name: 'help'; readonly text: string }
  | { readonly name: 'projections'; readonly command: ProjectionsCommand }
  | { readonly name: 'eventstore'; readonly command: EventStoreCommand }
  | { readonly name: 'rewind'; readonly command: RewindCommand }
  | { readonly name: 'credits'; readonly command: CreditsCommand }
  | { readonly name: 'ledger'; readonly command: LedgerCommand }
  | { readonly name: 'operator-key'; readonly command: OperatorKeyCommand }
  | { readonly name: 'files'; readonly command: FilesCommand }
  | { readonly name: 'accounts'; readonly command: AccountsCommand }
  | { readonly name: 'members'; readonly command: MembersCommand }
  | { readonly name: 'replay'; readonly command: ReplayCommand }
  | { readonly name: 'agents'; readonly command: AgentsCommand }
  | { readonly name: 'audit'; readonly command: AuditCommand }
  | { readonly name: 'analytics'; readonly command: AnalyticsCommand }
  | { readonly name: 'analytics-export'; readonly command: ExportCommand }
  | { readonly name: 'analytics-verify'; readonly command: VerifyCommand }
  | { readonly name: 'analytics-rebuild' }
  | { readonly name: 'explain'; readonly command: ExplainCommand }
  | { readonly name: 'doctor'; readonly command: DoctorCommand }
  | { readonly name: 'prepare-user'; readonly command: PrepareUserCommand }
  | { readonly name: 'operations'; readonly json: boolean }
  | { readonly name: 'call'; readonly call: Call };

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
export function parseCommandLine(words: readonly string[]): Command {
  let command: Command | undefined;
  let text = '';
  const found = (asked: Command) => void (command = asked);
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

function createProgram(found: (command: Command) => void, write: (text: string) => void): Words {
  const program = new Words('sluice')
    .description('Looks after a Sluice from outside its processes.')
    .usage('<command>')
    .addHelpText('after', surroundings)
    .showSuggestionAfterError()
    .exitOverride()
    .configureOutput({ writeOut: write, writeErr: () => undefined });
  const call = (asked: Call) => found({ name: 'call', call: asked });
  const plain = knownApiCommands.filter(
    (command) => !isAnalyticsQuery(command) && !isAnalyticsExport(command),
  );
  addApiCommands(program, plain, call);
  addAnalyticsQuery(program, knownApiCommands, {
    found: { call, command: (asked) => found({ name: 'analytics', command: asked }) },
    now: () => systemClock.now(),
  });
  addAnalyticsExport(program, knownApiCommands, {
    found: { call, command: (asked) => found({ name: 'analytics-export', command: asked }) },
    now: () => systemClock.now(),
  });
  addAnalyticsRebuild(program, () => found({ name: 'analytics-rebuild' }));
  addAnalyticsVerify(program, {
    found: (asked) => found({ name: 'analytics-verify', command: asked }),
    now: () => systemClock.now(),
  });
  addOperatorKeyCommands(program, (asked) => found({ name: 'operator-key', command: asked }));
  addFilesCommands(program, (asked) => found({ name: 'files', command: asked }));
  addAccountsCommands(program, (asked) => found({ name: 'accounts', command: asked }));
  addMembersCommands(program, (asked) => found({ name: 'members', command: asked }));
  addCreditsCommands(program, (asked) => found({ name: 'credits', command: asked }));
  addAgentsCommand(program, (asked) => found({ name: 'agents', command: asked }));
  addAuditCommand(program, (asked) => found({ name: 'audit', command: asked }));
  addExplainCommand(program, (asked) => found({ name: 'explain', command: asked }));
  addDoctorCommand(program, (asked) => found({ name: 'doctor', command: asked }));
  addProjectionsCommands(program, (asked) => found({ name: 'projections', command: asked }));
  addReactionsCommands(program, (asked) => found({ name: 'rewind', command: asked }));
  addEventStoreCommands(program, (asked) => found({ name: 'eventstore', command: asked }));
  addPrepareUserCommand(program, (asked) => found({ name: 'prepare-user', command: asked }));
  addEventsCommands(program, (asked) => found({ name: 'replay', command: asked }));
  addLedgerCommands(program, (asked) => found({ name: 'ledger', command: asked }));
  program
    .command('operations')
    .description('which command does which operation of the API')
    .option('--json', 'print JSON')
    .action(({ json = false }: { readonly json?: boolean }) => found({ name: 'operations', json }));
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
