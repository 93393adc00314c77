import { access, constants } from 'node:fs/promises';
import { join } from 'node:path';
import { SetupProblem } from '../setup-problem.ts';
import { isNewEnough, oldestVersion, versionOf } from './version.ts';

/** The folder of the tools that were fetched for this checkout. */
export const toolsFolder = join(import.meta.dirname, '..', '..', '..', '..', '.cache', 'tools');
export const cachedBinary = join(toolsFolder, 'nats-server', 'nats-server');

// Packages put servers here, and it is not on everybody's PATH.
const systemFolders = ['/usr/local/sbin', '/usr/sbin', '/usr/local/bin', '/opt/homebrew/bin'];

/**
 * A nats-server that is new enough: NATS_SERVER, else on the PATH, else fetched before. Undefined
 * when there is none. Throws SetupProblem when NATS_SERVER names something else.
 */
export async function locateNatsServer(
  env: Readonly<Record<string, string | undefined>>,
): Promise<string | undefined> {
  const named = env['NATS_SERVER'];
  if (named) {
    const version = await versionOf(named);
    if (version !== undefined && isNewEnough(version)) return named;
    throw new SetupProblem(
      version === undefined
        ? `NATS_SERVER names ${named}, which is no nats-server that runs here.`
        : `NATS_SERVER names nats-server ${version}: ${oldestVersion} or newer is needed.`,
    );
  }
  const folders = [...(env['PATH'] ?? '').split(':').filter(Boolean), ...systemFolders];
  const candidates = [...folders.map((folder) => join(folder, 'nats-server')), cachedBinary];
  for (const candidate of new Set(candidates)) if (await isUsable(candidate)) return candidate;
  return undefined;
}

async function isUsable(binary: string): Promise<boolean> {
  const executable = await access(binary, constants.X_OK).then(
    () => true,
    () => false,
  );
  return executable && isNewEnough((await versionOf(binary)) ?? '');
}
