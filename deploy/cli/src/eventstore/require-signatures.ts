import { installationStream, RebuildRefused } from '@sluice/read-model';
import { type Installation, noteDeed } from '../installation.ts';

/** Has services take unsigned events for forged from now on. Returns the exit code. */
export async function requireSignatures({ eventStore, output }: Installation): Promise<number> {
  const revision = await noteDeed({ eventStore }, 'SignaturesRequired', {});
  for await (const written of eventStore.read(installationStream, revision)) {
    const { signature } = written.metadata as { readonly signature?: string };
    if (signature === undefined)
      throw new RebuildRefused('SLUICE_EVENT_KEY is not set: the services sign nothing.');
  }
  output.line('Events without a signature are skipped from now on, within 5 s.');
  return 0;
}
