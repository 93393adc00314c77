import { join } from 'node:path';
import { lockDataDirectory, SetupProblem } from '@sluice/embedded';
import { createProgress, explain, loadAllSettings, openLogger } from '@sluice/local';
import { Lifecycle, untilSignal } from '@sluice/boot';
import { startAllInOne } from './all-in-one.ts';

/** Everything in this process, until Ctrl-C. Ends with 1 and one sentence when something is in the way. */
// Files of this process and its children are for this user alone, whatever the caller's umask is.
process.umask(0o077);
const signalled = untilSignal().then(() => undefined);
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
  const dataDirectory = data.path;
  progress.say(`Sluice starts on ${dataDirectory}`);
  const logger = await openLogger(settings, join(dataDirectory, 'logs'), 'sluice');
  const lifecycle = new Lifecycle(logger);
  const { promise: lost, reject: onLost } = Promise.withResolvers<never>();
  lost.catch(() => undefined);
  try {
    const options = { settings, env, dataDirectory, progress, logger, lifecycle };
    const started = startAllInOne({
      ...options,
      onLost: (reason) => onLost(new SetupProblem(`${reason}: Sluice stops.`)),
    });
    await Promise.race([started.then(() => lost), signalled]);
    progress.say('Sluice stops');
  } catch (error) {
    logger.error('Sluice stops', { error });
    throw error;
  } finally {
    await lifecycle.stop();
    data.release();
  }
}
