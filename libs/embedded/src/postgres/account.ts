import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { SetupProblem } from '../setup-problem.ts';

const run = promisify(execFile);

/** Runs a PostgreSQL command as this user, or as another one where this user is root. */
export interface PostgresAccount {
  readonly owner: { readonly uid: number; readonly gid: number } | undefined;
  readonly command: (binary: string, args: readonly string[]) => Invocation;
}

export interface Invocation {
  readonly command: string;
  readonly args: readonly string[];
  readonly owner: { readonly uid: number; readonly gid: number } | undefined;
}

const user = 'postgres';

/**
 * PostgreSQL refuses to run as root. `paths` are what it must reach; where the folders above them
 * are closed to others (as /root is), it keeps the one capability that gets it there.
 */
export async function postgresAccount(paths: readonly string[]): Promise<PostgresAccount> {
  if (process.getuid?.() !== 0)
    return {
      owner: undefined,
      command: (command, args) => ({ command, args, owner: undefined }),
    };
  const owner = await existingAccount().catch(createdAccount);
  const direct = (command: string, args: readonly string[]) => ({ command, args, owner });
  if (await reaches(direct, paths)) return { owner, command: direct };
  const capable = (command: string, args: readonly string[]) => ({
    command: 'setpriv',
    args: [
      `--reuid=${owner.uid}`,
      `--regid=${owner.gid}`,
      '--clear-groups',
      // Without it access(2), which initdb asks, does not count the capability.
      '--securebits=+no_setuid_fixup',
      '--inh-caps=+dac_override',
      '--ambient-caps=+dac_override',
      command,
      ...args,
    ],
    owner: undefined,
  });
  if (await reaches(capable, paths)) return { owner, command: capable };
  throw new SetupProblem(
    `PostgreSQL does not run as root, and its user "${user}" cannot reach ${paths.join(', ')}: ` +
      'install setpriv (util-linux), or do not start Sluice as root.',
  );
}

async function existingAccount() {
  const [uid, gid] = await Promise.all([run('id', ['-u', user]), run('id', ['-g', user])]);
  return { uid: Number(uid.stdout), gid: Number(gid.stdout) };
}

async function createdAccount() {
  const ways: readonly (readonly [string, readonly string[]])[] = [
    ['useradd', ['--system', '--user-group', '--no-create-home', '--shell', '/bin/false', user]],
    ['adduser', ['-S', '-D', '-H', '-s', '/bin/false', user]],
  ];
  for (const [command, args] of ways) {
    const made = await run(command, [...args]).then(
      () => true,
      () => false,
    );
    if (made) return existingAccount();
  }
  throw new SetupProblem(
    `PostgreSQL does not run as root, and the user "${user}" could not be made: create it, ` +
      'or do not start Sluice as root.',
  );
}

async function reaches(
  invocation: PostgresAccount['command'],
  paths: readonly string[],
): Promise<boolean> {
  // The program, not what is built into the shell: that one does not ask access(2).
  const script = 'for path do env test -x "$path" || exit 1; done';
  const { command, args, owner } = invocation('/bin/sh', ['-c', script, 'reaches', ...paths]);
  return run(command, [...args], { cwd: '/', ...owner }).then(
    () => true,
    () => false,
  );
}
