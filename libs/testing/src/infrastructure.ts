import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type EmbeddedPostgres,
  ensureNatsServer,
  startNats,
  startPostgres,
} from '@sluice/embedded';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    /** A real PostgreSQL for the whole run: each test makes a schema of its own. */
    postgresUrl: string;
    /** A real nats-server with JetStream for the whole run: each test takes subjects of its own. */
    natsUrl: string;
    natsToken: string;
    /** The password of the user `reader`. */
    natsReaderPassword: string;
  }
}

/** Vitest's global set-up of the `int` project: one PostgreSQL and one NATS, ended with the run. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const directory = await mkdtemp(join(tmpdir(), 'sluice-int-'));
  const quiet = () => undefined;
  const binary = await ensureNatsServer(process.env, (line) => process.stderr.write(`${line}\n`));
  const [postgres, nats] = await Promise.all([
    startPostgres({ directory: join(directory, 'postgres'), durability: 'none', onLog: quiet }),
    startNats({ directory: join(directory, 'nats'), binary, onLog: quiet }),
  ]);
  await askForNoPassword(postgres, directory);
  project.provide('postgresUrl', postgres.url);
  project.provide('natsUrl', nats.url);
  project.provide('natsToken', nats.token);
  project.provide('natsReaderPassword', nats.readerPassword);
  return async () => {
    await Promise.all([postgres.stop(), nats.stop()]);
    await rm(directory, { recursive: true, force: true });
  };
}

/**
 * Lets the user of the tests in without SCRAM, which takes a third of the processor time of a connection: they connect
 * thousands of times. Other users need their passwords.
 */
async function askForNoPassword({ pid }: EmbeddedPostgres, directory: string): Promise<void> {
  const file = join(directory, 'postgres', 'data', 'pg_hba.conf');
  const rules = await readFile(file, 'utf8');
  await writeFile(file, `host all sluice 127.0.0.1/32 trust\n${rules}`);
  process.kill(pid, 'SIGHUP');
}
