import { openDatabase, rewindReaction } from '@sluice/read-model';
import type { Output } from '../output.ts';
import { services, UnknownProjection } from '../projections/known.ts';
import type { RewindCommand } from './command.ts';

/** Moves the checkpoint of a reaction back. Returns the exit code. */
export async function rewind(
  { reaction, to }: RewindCommand,
  { postgresUrl, output }: { readonly postgresUrl: string; readonly output: Output },
): Promise<number> {
  const service = services.find(({ schema }) => reaction.startsWith(`${schema}.`));
  if (!service) throw new UnknownProjection(`There is no reaction ${reaction}.`);
  if (service.projections.some(({ projection }) => projection === reaction))
    throw new UnknownProjection(`${reaction} keeps tables: rebuild it instead.`);
  const database = openDatabase({ url: postgresUrl, schema: service.schema, connectionsMax: 1 });
  try {
    await rewindReaction(database, reaction, to);
  } finally {
    await database.stop();
  }
  const from = to === 'start' ? 'the start' : `${to.commit}/${to.prepare}`;
  output.line(`${reaction} goes on behind ${from}; its process takes it up within 5 s.`);
  return 0;
}
