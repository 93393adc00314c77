import { execFile } from 'node:child_process';
import { chown, mkdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { SetupProblem } from '../setup-problem.ts';
import type { PostgresAccount } from './account.ts';

export interface Cluster {
  /** Holds the cluster in `data`, and the password file. */
  readonly directory: string;
  readonly passwordFile: string;
  readonly user: string;
  readonly initdb: string;
  readonly account: PostgresAccount;
  /** `none` is for tests: a power cut may lose everything. */
  readonly durability: 'strict' | 'none';
}

const majorVersion = '18';

/**
 * Makes the cluster on the first start and returns its folder. It appears whole or not at all:
 * what a killed start left half made is made anew.
 */
export async function ensureCluster(cluster: Cluster): Promise<string> {
  const data = join(cluster.directory, 'data');
  const found = await readFile(join(data, 'PG_VERSION'), 'utf8').catch(() => undefined);
  if (found === undefined) await makeCluster(cluster, data);
  else if (found.trim() !== majorVersion)
    throw new SetupProblem(
      `${data} was made by PostgreSQL ${found.trim()} and cannot be used by ${majorVersion}.`,
    );
  return data;
}

async function makeCluster(cluster: Cluster, data: string): Promise<void> {
  const unfinished = `${data}.new`;
  await rm(unfinished, { recursive: true, force: true });
  await mkdir(unfinished, { mode: 0o700 });
  const { owner } = cluster.account;
  if (owner)
    for (const path of [unfinished, cluster.passwordFile]) await chown(path, owner.uid, owner.gid);
  await runInitdb(cluster, unfinished);
  await rename(unfinished, data);
}

async function runInitdb(cluster: Cluster, data: string): Promise<void> {
  const { command, args, owner } = cluster.account.command(cluster.initdb, [
    `--pgdata=${data}`,
    `--username=${cluster.user}`,
    `--pwfile=${cluster.passwordFile}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    '--locale=C',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    ...(cluster.durability === 'none' ? ['--no-sync'] : []),
  ]);
  try {
    await promisify(execFile)(command, [...args], { cwd: '/', ...owner });
  } catch (cause) {
    const said = reasonIn(String((cause as { stderr?: string }).stderr ?? cause));
    throw new SetupProblem(`PostgreSQL could not make its cluster in ${data}: ${said}`, { cause });
  }
}

/** The line that names the error; initdb ends with how it cleans up. */
function reasonIn(stderr: string): string {
  const lines = stderr.trim().split('\n');
  return lines.find((line) => /\b(?:error|FATAL|PANIC):/.test(line)) ?? lines.at(-1) ?? '';
}
