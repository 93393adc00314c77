import { SetupProblem } from '../setup-problem.ts';
import { ensureNatsServer } from './install.ts';

/** Fetches nats-server where it is missing and prints where it is. */
try {
  console.log(await ensureNatsServer(process.env, (line) => console.error(line)));
} catch (error) {
  if (!(error instanceof SetupProblem)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
