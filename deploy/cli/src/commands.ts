import type { Command as Words } from 'commander';
import { accounts } from './accounts/accounts.ts';
import { addAccountsCommands } from './accounts/command.ts';
import { addAgentsCommand } from './agents/command.ts';
import { setUpAgent } from './agents/set-up-agent.ts';
import { addAnalyticsQuery } from './analytics/command.ts';
import { addAnalyticsExport } from './analytics/export-command.ts';
import { exportAnalytics } from './analytics/export.ts';
import { queryAnalytics } from './analytics/query.ts';
import { addAnalyticsRebuild } from './analytics/rebuild-command.ts';
import { rebuildAnalytics } from './analytics/rebuild.ts';
import { addAnalyticsVerify } from './analytics/verify-command.ts';
import { verifyAnalytics } from './analytics/verify.ts';
import { addPlainCommands } from './api-commands/add-commands.ts';
import { call } from './api/call.ts';
import { type Api, findApi } from './api/find-api.ts';
import { audit } from './audit/audit.ts';
import { addAuditCommand } from './audit/command.ts';
import { findConnections } from './connections.ts';
import { addCreditsCommands } from './credits/command.ts';
import { credits } from './credits/credits.ts';
import { addDoctorCommand } from './doctor/command.ts';
import { doctor } from './doctor/doctor.ts';
import { withEventStore, withInstallation } from './event-store.ts';
import { addPrepareUserCommand } from './eventstore-user/command.ts';
import { prepareStoreUser } from './eventstore-user/prepare-user.ts';
import { addEventsCommands } from './events/command.ts';
import { replay } from './events/replay.ts';
import { accept } from './eventstore/accept.ts';
import { addEventStoreCommands, type EventStoreCommand } from './eventstore/command.ts';
import { diff } from './eventstore/diff.ts';
import { requireSignatures } from './eventstore/require-signatures.ts';
import { addFilesCommands } from './files/command.ts';
import { files } from './files/files.ts';
import { addExplainCommand } from './generation/command.ts';
import { explainGeneration } from './generation/explain-generation.ts';
import type { Surroundings } from './installation.ts';
import { addOperatorKeyCommands } from './keys/command.ts';
import { operatorKeys } from './keys/operator-keys.ts';
import { addLedgerCommands } from './ledger/command.ts';
import { ledger } from './ledger/ledger.ts';
import { addMembersCommands } from './members/command.ts';
import { members } from './members/members.ts';
import { addOperationsCommand, showOperations } from './operations.ts';
import { type Operator, operatorOf } from './operator.ts';
import { addProjectionsCommands, type ProjectionsCommand } from './projections/command.ts';
import { findProjection } from './projections/known.ts';
import { listProjections } from './projections/list.ts';
import { compare, rebuild } from './projections/rebuild.ts';
import { skip } from './projections/skip.ts';
import { addReactionsCommands } from './reactions/command.ts';
import { rewind } from './reactions/rewind.ts';
import type { ServiceName } from './service-addresses.ts';

/** Commands whose words are read together, and what carries them out. */
interface Area<Command> {
  add(program: Words, found: (command: Command) => void): void;
  /** Returns the exit code; throws what `explain` knows. */
  run(command: Command, surroundings: Surroundings): number | Promise<number>;
}

const area = <Command>(
  add: (program: Words, found: (command: Command) => void) => void,
  run: (command: Command, surroundings: Surroundings) => number | Promise<number>,
): Area<Command> => ({ add, run });

/** Help lists them in this order. */
const areas = {
  call: area(addPlainCommands, withApi(call)),
  analytics: area(addAnalyticsQuery, withApi(queryAnalytics)),
  'analytics-export': area(addAnalyticsExport, withApi(exportAnalytics)),
  'analytics-rebuild': area(addAnalyticsRebuild, withServices(rebuildAnalytics, 'analytics')),
  'analytics-verify': area(addAnalyticsVerify, withServices(verifyAnalytics, 'analytics')),
  'operator-key': area(addOperatorKeyCommands, withServices(operatorKeys, 'key')),
  files: area(addFilesCommands, withApi(files)),
  accounts: area(addAccountsCommands, withServices(accounts, 'account', 'workspace')),
  members: area(addMembersCommands, withServices(members, 'account')),
  credits: area(addCreditsCommands, withServices(credits, 'account', 'ledger')),
  agents: area(addAgentsCommand, withApi(setUpAgent)),
  audit: area(addAuditCommand, async (command, surroundings) => {
    const { eventStoreUrl: url } = await findConnections(surroundings.env, 'eventStoreUrl');
    return await withEventStore({ ...surroundings, url, withoutKey: 'warns' }, (eventStore) =>
      audit(command, { ...surroundings, eventStore }),
    );
  }),
  explain: area(addExplainCommand, withApi(explainGeneration)),
  doctor: area(addDoctorCommand, doctor),
  projections: area(addProjectionsCommands, onProjections),
  rewind: area(addReactionsCommands, withPostgres(rewind)),
  eventstore: area(addEventStoreCommands, onEventStore),
  'prepare-user': area(addPrepareUserCommand, prepareStoreUser),
  replay: area(addEventsCommands, withPostgres(replay)),
  ledger: area(addLedgerCommands, withPostgres(ledger)),
  operations: area(addOperationsCommand, showOperations),
};

type Areas = typeof areas;
const areasByName: Readonly<Record<string, Area<unknown>>> = areas;

/** A parsed command. */
export type Command = {
  readonly [Name in keyof Areas]: {
    readonly name: Name;
    readonly command: Parameters<Areas[Name]['run']>[0];
  };
}[keyof Areas];

/** Adds all commands. Their values throw WrongUsage. */
export function addCommands(program: Words, found: (asked: Command) => void): void {
  for (const [name, each] of Object.entries(areasByName))
    each.add(program, (command) => found({ name, command } as Command));
}

/** Carries out a command. Returns the exit code; throws what `explain` knows. */
export async function run({ name, command }: Command, surroundings: Surroundings): Promise<number> {
  const found = areasByName[name];
  if (!found) throw new Error(`invariant: ${name} was added`);
  return await found.run(command, surroundings);
}

function withApi<Command>(
  carryOut: (command: Command, given: Surroundings & { readonly api: Api }) => Promise<number>,
) {
  return async (command: Command, surroundings: Surroundings): Promise<number> =>
    await carryOut(command, { ...surroundings, api: await findApi(surroundings.env) });
}

function withServices<Command, Name extends ServiceName>(
  carryOut: (command: Command, operator: Operator<Name>) => Promise<number>,
  ...names: readonly Name[]
) {
  return async (command: Command, surroundings: Surroundings): Promise<number> =>
    await carryOut(command, await operatorOf(surroundings, names));
}

function withPostgres<Command>(
  carryOut: (
    command: Command,
    given: Surroundings & { readonly postgresUrl: string },
  ) => Promise<number>,
) {
  return async (command: Command, surroundings: Surroundings): Promise<number> => {
    const { postgresUrl } = await findConnections(surroundings.env, 'postgresUrl');
    return await carryOut(command, { ...surroundings, postgresUrl: postgresUrl.reveal() });
  };
}

async function onEventStore(
  command: EventStoreCommand,
  surroundings: Surroundings,
): Promise<number> {
  const withoutKey = command.name === 'diff' ? 'warns' : 'refuses';
  return await withInstallation({ ...surroundings, withoutKey }, (installation) => {
    if (command.name === 'diff') return diff(installation, command);
    if (command.name === 'accept') return accept(installation, command);
    return requireSignatures(installation);
  });
}

async function onProjections(
  command: ProjectionsCommand,
  surroundings: Surroundings,
): Promise<number> {
  // A wrong name is wrong whatever runs.
  if ('projection' in command) findProjection(command.projection);
  const withoutKey = command.name === 'rebuild' ? 'refuses' : 'warns';
  return await withInstallation({ ...surroundings, withoutKey }, (installation) => {
    if (command.name === 'list') return listProjections(installation);
    if (command.name === 'skip') return skip(installation, command);
    const carryOut = command.name === 'rebuild' ? rebuild : compare;
    return carryOut(installation, command.projection);
  });
}
