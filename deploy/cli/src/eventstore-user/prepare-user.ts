import { prepareUser } from '@sluice/eventstore';
import { type Environment, NoConnections } from '../connections-file.ts';
import { requireUrl } from '../connections.ts';
import type { Output } from '../output.ts';
import type { PrepareUserCommand } from './command.ts';

/** Makes the user of the services. Returns the exit code; throws what `explain` knows. */
export async function prepareStoreUser(
  { isExclusive }: PrepareUserCommand,
  { env, output }: { readonly env: Environment; readonly output: Output },
): Promise<number> {
  const adminUrl = env['SLUICE_EVENTSTORE_ADMIN_URL'];
  if (!adminUrl)
    throw new NoConnections('SLUICE_EVENTSTORE_ADMIN_URL is not set: it names an administrator.');
  const userUrl = requireUrl('eventStoreUrl', env['SLUICE_EVENTSTORE_URL']);
  const { user } = await prepareUser({ adminUrl, userUrl, isExclusive });
  output.line(`The user ${user} may append, and read and subscribe to $all.`);
  if (isExclusive) output.line('Of all users, only it and administrators read and write streams.');
  return 0;
}
