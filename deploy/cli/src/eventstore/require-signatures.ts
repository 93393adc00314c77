import { randomUUID } from 'node:crypto';
import {
  RebuildRefused,
  installationEvent,
  installationStream,
  nameInstallation,
} from '@sluice/read-model';
import type { Installation } from '../installation.ts';

/** Has services take unsigned events for forged from now on. Returns the exit code. */
export async function requireSignatures({ eventStore, output }: Installation): Promise<number> {
  await nameInstallation(eventStore);
  const by = { id: 'cli', commandId: randomUUID() };
  const event = installationEvent('SignaturesRequired', {}, by);
  const appended = await eventStore.append(installationStream, [event], 'stream_exists');
  for await (const written of eventStore.read(installationStream, appended.revision)) {
    const { signature } = written.metadata as { readonly signature?: string };
    if (signature === undefined)
      throw new RebuildRefused('SLUICE_EVENT_KEY is not set: the services sign nothing.');
  }
  output.line('Events without a signature are skipped from now on, within 5 s.');
  return 0;
}
