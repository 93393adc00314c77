import { join } from 'node:path';
import { lockDataDirectory } from '@sluice/embedded';
import { createProgress, explain, loadAllSettings, openLogger } from '@sluice/local';
import { Lifecycle, untilSignal } from '@sluice/boot';
import { startProcesses } from './processes.ts';

/** Each service in a process of its own, supervised, until Ctrl-C. */
const stopTimeoutMs = 30_000;
// Files of this process and its children are for this user alone, whatever the caller's umask is.
process.umask(0o077);
const signalled = untilSignal();
const progress = createProgress((line) => console.log(line));
try {
  await run();
} catch (error) {
  console.error(explain(error));
  process.exitCode = 1;
}
// A start that was interrupted may still wait for something.
process.exit();

async function run(): Promise<void> {
  const env = process.env;
  const settings = loadAllSettings(env);
  const data = await lockDataDirectory(settings.SLUICE_DATA_DIR);
  progress.say(`Sluice starts on ${data.path}`);
  const logger = await openLogger(settings, join(data.path, 'logs'), 'supervisor');
  const lifecycle = new Lifecycle(logger);
  try {
    const options = { settings, env, dataDirectory: data.path, progress, logger, lifecycle };
    await Promise.race([startProcesses(options).then(() => signalled), signalled]);
    progress.say('Sluice stops');
  } finally {
    await lifecycle.stop(stopTimeoutMs);
    data.release();
  }
}
