import { homedir } from 'node:os';
import { systemClock } from '@sluice/clock-and-ids';
import { accounts } from './accounts/accounts.ts';
import { exportAnalytics } from './analytics/export.ts';
import { queryAnalytics } from './analytics/query.ts';
import { rebuildAnalytics } from './analytics/rebuild.ts';
import { verifyAnalytics } from './analytics/verify.ts';
import { call } from './api/call.ts';
import { findApi } from './api/find-api.ts';
import { setUpAgent } from './agents/set-up-agent.ts';
import { audit } from './audit/audit.ts';
import type { Command } from './command-line.ts';
import { findConnections, findEventStoreUrl, findPostgresUrl } from './connections.ts';
import { credits } from './credits/credits.ts';
import { doctor } from './doctor/doctor.ts';
import { withEventStore } from './event-store.ts';
import { accept } from './eventstore/accept.ts';
import type { EventStoreCommand } from './eventstore/command.ts';
import { diff } from './eventstore/diff.ts';
import { requireSignatures } from './eventstore/require-signatures.ts';
import { prepareStoreUser } from './eventstore-user/prepare-user.ts';
import { replay } from './events/replay.ts';
import { files } from './files/files.ts';
import { explainGeneration } from './generation/explain-generation.ts';
import type { Installation } from './installation.ts';
import { operatorKeys } from './keys/operator-keys.ts';
import { ledger } from './ledger/ledger.ts';
import { members } from './members/members.ts';
import { showOperations } from './operations.ts';
import { operatorOf } from './operator.ts';
import type { Output } from './output.ts';
import type { ProjectionsCommand } from './projections/command.ts';
import { findProjection } from './projections/known.ts';
import { listProjections } from './projections/list.ts';
import { compare, rebuild } from './projections/rebuild.ts';
import { skip } from './projections/skip.ts';
import { rewind } from './reactions/rewind.ts';

export interface Surroundings {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly output: Output;
  readonly signal: AbortSignal;
}

/** Carries out a command that needs a Sluice. Returns the exit code; throws what `explain` knows. */
export async function run(
  asked: Exclude<Command, { readonly name: 'help' }>,
  surroundings: Surroundings,
): Promise<number> {
  const { env, output, signal } = surroundings;
  switch (asked.name) {
    case 'operations':
      return showOperations(asked, output);
    case 'call':
      return await call(asked.call, { api: await findApi(env), output });
    case 'analytics':
    case 'analytics-export':
    case 'analytics-rebuild':
    case 'analytics-verify':
      return await analytics(asked, surroundings);
    case 'files':
      return await files(asked.command, { api: await findApi(env), output });
    case 'operator-key':
      return await operatorKeys(asked.command, await operatorOf(surroundings, ['key']));
    case 'accounts': {
      const operator = await operatorOf(surroundings, ['account', 'workspace']);
      return await accounts(asked.command, operator);
    }
    case 'members':
      return await members(asked.command, await operatorOf(surroundings, ['account']));
    case 'credits':
      return await credits(asked.command, await operatorOf(surroundings, ['account', 'ledger']));
    case 'ledger': {
      const postgresUrl = (await findPostgresUrl(env)).reveal();
      return await ledger(asked.command, { postgresUrl, env, output, clock: systemClock });
    }
    case 'replay': {
      const postgresUrl = (await findPostgresUrl(env)).reveal();
      return await replay(asked.command, { postgresUrl, output });
    }
    case 'agents': {
      const now = () => systemClock.now();
      const home = env['HOME'] || homedir();
      return await setUpAgent(asked.command, { api: await findApi(env), output, home, now });
    }
    case 'explain':
      return await explainGeneration(asked.command, { api: await findApi(env), output });
    case 'audit':
      return await withEventStore(
        { url: await findEventStoreUrl(env), withoutKey: 'warns', ...surroundings },
        (eventStore) => audit(asked.command, { eventStore, output, signal }),
      );
    case 'prepare-user':
      return await prepareStoreUser(asked.command, { env, output });
    case 'doctor':
      return await doctor(asked.command, { env, output });
    case 'projections':
      return await projections(asked.command, surroundings);
    case 'rewind': {
      const postgresUrl = (await findPostgresUrl(env)).reveal();
      return await rewind(asked.command, { postgresUrl, output });
    }
    case 'eventstore':
      return await eventStoreCommand(asked.command, surroundings);
  }
}

async function eventStoreCommand(
  command: EventStoreCommand,
  { env, output, signal }: Surroundings,
): Promise<number> {
  const { postgresUrl, eventStoreUrl } = await findConnections(env);
  const withoutKey = command.name === 'diff' ? 'warns' : 'refuses';
  return await withEventStore({ url: eventStoreUrl, withoutKey, env, output }, (eventStore) => {
    const installation = { postgresUrl: postgresUrl.reveal(), eventStore, output, signal };
    if (command.name === 'diff') return diff(installation, command);
    if (command.name === 'accept') return accept(installation, command);
    return requireSignatures(installation);
  });
}

async function projections(
  command: ProjectionsCommand,
  { env, output, signal }: Surroundings,
): Promise<number> {
  // A wrong name is wrong whatever runs.
  if ('projection' in command) findProjection(command.projection);
  const { postgresUrl, eventStoreUrl } = await findConnections(env);
  const withoutKey = command.name === 'rebuild' ? 'refuses' : 'warns';
  return await withEventStore({ url: eventStoreUrl, withoutKey, env, output }, (eventStore) =>
    project(command, { postgresUrl: postgresUrl.reveal(), eventStore, output, signal }),
  );
}

function project(command: ProjectionsCommand, installation: Installation): Promise<number> {
  switch (command.name) {
    case 'list':
      return listProjections(installation);
    case 'rebuild':
      return rebuild(installation, command.projection);
    case 'compare':
      return compare(installation, command.projection);
    case 'skip':
      return skip(installation, command);
  }
}

type AnalyticsWords = Extract<Command, { readonly name: `analytics${string}` }>;

async function analytics(asked: AnalyticsWords, surroundings: Surroundings): Promise<number> {
  const { env, output, signal } = surroundings;
  switch (asked.name) {
    case 'analytics':
      return await queryAnalytics(asked.command, { api: await findApi(env), output });
    case 'analytics-export':
      return await exportAnalytics(asked.command, { api: await findApi(env), output, signal });
    case 'analytics-rebuild':
      return await rebuildAnalytics(surroundings);
    case 'analytics-verify':
      return await verifyAnalytics(asked.command, surroundings);
  }
}
