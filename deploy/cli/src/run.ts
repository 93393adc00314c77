import { connectEventStore } from '@sluice/eventstore';
import { systemIds } from '@sluice/service';
import type { Command } from './command-line.ts';
import { findConnections, findPostgresUrl } from './connections.ts';
import { credits } from './credits/credits.ts';
import type { Installation } from './installation.ts';
import { ledger } from './ledger/ledger.ts';
import type { Output } from './output.ts';
import { listProjections } from './projections/list.ts';
import { compare, rebuild } from './projections/rebuild.ts';
import { findProjection } from './projections/known.ts';
import { findServiceAddresses } from './service-addresses.ts';

export interface Surroundings {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly output: Output;
  readonly signal: AbortSignal;
}

/** Carries out a command that needs a Sluice. Returns the exit code; throws what `explain` knows. */
export async function run(
  command: Exclude<Command, { readonly name: 'help' }>,
  { env, output, signal }: Surroundings,
): Promise<number> {
  if (command.name === 'credits') {
    const services = await findServiceAddresses(env);
    return await credits(command.command, { services, output, ids: systemIds });
  }
  if (command.name === 'ledger') {
    const postgresUrl = (await findPostgresUrl(env)).reveal();
    return await ledger(command.command, { postgresUrl, output });
  }
  // A wrong name is wrong whatever runs.
  if (command.name !== 'list') findProjection(command.projection);
  const { postgresUrl, eventStoreUrl } = await findConnections(env);
  const eventStore = await connectEventStore({ url: eventStoreUrl.reveal() });
  const installation = { postgresUrl: postgresUrl.reveal(), eventStore, output, signal };
  try {
    return await carryOut(command, installation);
  } finally {
    await eventStore.stop();
  }
}

function carryOut(
  command: Exclude<Command, { readonly name: 'help' | 'credits' | 'ledger' }>,
  installation: Installation,
): Promise<number> {
  switch (command.name) {
    case 'list':
      return listProjections(installation);
    case 'rebuild':
      return rebuild(installation, command.projection);
    case 'compare':
      return compare(installation, command.projection);
  }
}
