import { deepEqual, equal, match, rejects } from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { until } from '@sluice/patience';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { startCluster } from './testing/cluster/cluster-double.ts';
import { startE2b } from './testing/e2b/e2b-double.ts';
import {
  bubblewrapHere,
  bwrapHere,
  clusterSettings,
  e2bSettings,
  gvisorHere,
  machinesHere,
  podsHere,
  smallTemplate,
} from './testing/engines-here.ts';
import { type SandboxProcess, startSandbox } from './testing/sandbox-process.ts';

interface Trial {
  readonly engine: string;
  readonly found: object | { readonly missing: string };
  /** The words that it announces itself with. */
  readonly words: RegExp;
  /** Everything that it keeps in its directory; undefined where it has none. */
  readonly kept?: readonly string[];
  /** The way out is no proxy of this service. */
  readonly hasNoProxy?: boolean;
  /** Containers end some minutes after a crash. */
  readonly outlivesProcess?: boolean;
  /** Starts the surroundings of a process. Returns its settings. */
  readonly surround?: () => Promise<{ env: Record<string, string>; end: () => Promise<void> }>;
}

const engines: readonly Trial[] = [
  {
    engine: 'bubblewrap',
    found: await bubblewrapHere(),
    words: /^bubblewrap: namespaces, seccomp/,
    kept: ['seccomp.bpf'],
  },
  {
    engine: 'gvisor',
    found: await gvisorHere(),
    words: /^gvisor: a kernel of its own/,
    kept: ['root', 'state'],
  },
  {
    engine: 'kubernetes',
    found: await podsHere(),
    words: /^kubernetes: pods of the runtime class bubblewrap in sluice-boxes/,
    async surround() {
      const cluster = await startCluster((await bwrapHere()) ?? '');
      return { env: await clusterSettings(cluster), end: () => cluster.close() };
    },
  },
  {
    engine: 'e2b',
    found: await machinesHere(),
    words: /^e2b: virtual machines of the template boxes at http:/,
    hasNoProxy: true,
    outlivesProcess: true,
    async surround() {
      const e2b = await startE2b((await bwrapHere()) ?? '', smallTemplate);
      return { env: e2bSettings(e2b), end: () => e2b.close() };
    },
  },
];

/** Seconds that no other run of this file sleeps on this machine at the same time. */
const abandoned = String(87_654_000_000 + process.pid);
const orphaned = String(98_765_000_000 + process.pid);

const ref = (containerId: string, accountId = 'acc') => ({
  accountId,
  workspaceId: 'ws',
  containerId,
});

describe.each(engines)('the sandbox as a process with $engine', (trial) => {
  const reason = 'missing' in trial.found ? ` (not here: ${trial.found.missing})` : '';
  describe.skipIf(reason !== '')(`works${reason}`, () => processSuite(trial));
});

function processSuite({ engine, words, kept, surround, ...trial }: Trial): void {
  let directory: string;
  let sandbox: SandboxProcess;
  const ending: (() => Promise<void>)[] = [];
  /** Each process has surroundings of its own, as each service has a namespace of its own. */
  const surroundings = async () => {
    const around = await surround?.();
    if (around) ending.push(around.end);
    return around?.env ?? {};
  };
  const startHere = (folder: string, env: Record<string, string>) =>
    startSandbox(folder, { SLUICE_SANDBOX_ENGINE: engine, ...env });

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'sluice-sandbox-'));
    sandbox = await startHere(directory, await surroundings());
  });
  afterAll(async () => {
    await sandbox.end('SIGTERM');
    for (const end of ending) await end();
    await rm(directory, { recursive: true, force: true });
  });

  const opened = (id: string, accountId?: string, allowedDomains: string[] = []) =>
    sandbox.client.openContainer({
      container: ref(id, accountId),
      allowedDomains,
      sleepAfterSeconds: 0,
    });
  const ran = (
    id: string,
    command: string,
    rest: Partial<{ timeoutMs: number; outputBytesMax: number; accountId: string }> = {},
  ) =>
    sandbox.client.runCommand({
      container: ref(id, rest.accountId),
      command,
      timeoutMs: rest.timeoutMs ?? 0,
      outputBytesMax: rest.outputBytesMax ?? 0,
    });
  const text = (bytes: Uint8Array) => Buffer.from(bytes).toString();

  test('says which engine is on', async () => {
    match(sandbox.announcement, words);
    equal((await sandbox.client.describeEngine({})).engine, engine);
  });

  test('keeps the home of a container from command to command, for its account alone', async () => {
    deepEqual(await opened('kept'), { isNew: true });
    await ran('kept', 'echo mine > ~/note; export A=1; cd /');
    deepEqual(await opened('kept'), { isNew: false });
    const { stdout, outcome, exitCode, durationMs } = await ran('kept', 'cat ~/note; pwd; echo $A');
    equal(text(stdout), 'mine\n/home/user\n\n', 'each command begins anew');
    deepEqual([outcome, exitCode, durationMs > 0n], ['OUTCOME_EXITED', 0, true]);
    await opened('kept', 'other');
    equal(text((await ran('kept', 'ls ~', { accountId: 'other' })).stdout), '');
  });

  test('tells how a command ended', async () => {
    await opened('ends');
    equal((await ran('ends', 'exit 7')).exitCode, 7);
    equal((await ran('ends', 'no-such-program')).exitCode, 127);
    equal((await ran('ends', 'kill -9 $$')).exitCode, 137);
    equal((await ran('ends', 'sleep 100', { timeoutMs: 300 })).outcome, 'OUTCOME_TIMED_OUT');
    equal((await ran('ends', 'true', { timeoutMs: 1 })).outcome, 'OUTCOME_TIMED_OUT');
    const cut = await ran('ends', 'seq 100000', { outputBytesMax: 10 });
    deepEqual([text(cut.stdout), cut.isCut], ['1\n2\n3\n4\n5\n', true]);
    equal(text((await ran('ends', 'echo a > /dev/stderr; echo b > /dev/stdout')).stderr), 'a\n');
  });

  test('ends a command whose caller has left', async () => {
    await opened('left');
    const leaving = new AbortController();
    const asked = {
      container: ref('left'),
      command: `sleep ${abandoned}`,
      timeoutMs: 600_000,
      outputBytesMax: 0,
    };
    const running = sandbox.client.runCommand(asked, { signal: leaving.signal });
    running.catch(() => undefined);
    await until(async () => (await processesWith(abandoned)) > 0);
    leaving.abort();
    await rejects(running);
    await until(async () => (await processesWith(abandoned)) === 0);
    equal((await ran('left', 'echo on')).outcome, 'OUTCOME_EXITED');
  });

  test('writes, lists and reads files of the home', async () => {
    await opened('files');
    const container = ref('files');
    const part = Buffer.alloc(1_000_000, 'x');
    const write = (offset: bigint, content: Buffer) =>
      sandbox.client.writeFile({ container, name: "it's a file.txt", offset, content });
    await write(0n, part);
    await write(1_000_000n, Buffer.from('end\0'));
    await rejects(write(5n, part), { code: 'invalid_request' });
    await ran(
      'files',
      'mkdir d; echo deep > "d/a b"; ln -s /etc/shadow link; touch -d 2020-01-01 old',
    );
    const { files } = await sandbox.client.listFiles({ container });
    deepEqual(files.map(({ path, bytes }) => `${path} ${bytes}`).toSorted(), [
      'd/a b 5',
      "it's a file.txt 1000004",
      'old 0',
    ]);
    equal(files.at(-1)?.path, 'old');
    const read = (path: string, offset = 0n, length = 10) =>
      sandbox.client.readFile({ container, path, offset, length });
    const tail = await read("it's a file.txt", 999_999n);
    deepEqual([text(tail.content), tail.size], ['xend\0', 1_000_004n]);
    for (const path of ['d', 'none', 'link']) await rejects(read(path), { code: 'not_found' });
    for (const path of ['../x', '/etc/passwd', 'a//b', ''])
      await rejects(read(path), { code: 'invalid_request' });
  });

  test('refuses ids, sizes and hosts that are none, with their paths', async () => {
    const container = { accountId: '', workspaceId: 'ws', containerId: 'a b' };
    await rejects(sandbox.client.listFiles({ container }), {
      code: 'invalid_request',
      metadata: {
        issues: [
          { path: 'container.account_id', message: 'must be an id' },
          { path: 'container.container_id', message: 'must be 1 to 40 of A-Z, a-z, 0-9, _ and -' },
        ],
      },
    });
    await rejects(ran('kept', 'true', { timeoutMs: 600_001 }), { code: 'invalid_request' });
    await rejects(opened('hosts', 'acc', ['http://a']), { code: 'invalid_request' });
    await rejects(ran('never-opened', 'true'), { code: 'not_found' });
  });

  test('keeps the network policy of a warm container, and reaches no private address', async () => {
    await opened('net', 'acc', [
      'host.test',
      '*.internal.test',
      ...(trial.hasNoProxy ? [] : ['localhost']),
    ]);
    await rejects(opened('net'), { code: 'conflict' });
    const check = (id: string) =>
      sandbox.client.checkContainer({ container: ref(id), allowedDomains: [] });
    await rejects(check('net'), { code: 'conflict' });
    deepEqual(await check('not-warm'), { isWarm: false });
    if (trial.hasNoProxy) return;
    const { stdout } = await ran(
      'net',
      'at=${http_proxy#http://}; exec 3<>/dev/tcp/${at%:*}/${at#*:}; printf "GET http://localhost/ HTTP/1.0\\r\\n\\r\\n" >&3; head -1 <&3',
    );
    match(text(stdout), /^HTTP\/1.1 502/);
  });

  test.skipIf(trial.outlivesProcess)(
    'leaves nothing behind when it is killed with -9',
    async () => {
      const env = await surroundings();
      const second = await startHere(join(directory, 'second'), env);
      const container = ref('doomed');
      await second.client.openContainer({ container, allowedDomains: [], sleepAfterSeconds: 0 });
      const running = second.client.runCommand({
        container,
        command: `sleep ${orphaned}`,
        timeoutMs: 100_000,
        outputBytesMax: 0,
      });
      running.catch(() => undefined);
      const mine = () => processesWith(orphaned);
      await until(async () => (await mine()) > 0);
      await second.end('SIGKILL');
      await until(async () => (await mine()) === 0);
      equal(await holdersOf(second.child.pid as number), 0);
      const third = await startHere(join(directory, 'second'), env);
      if (kept)
        deepEqual((await readdir(join(directory, 'second', 'sandbox', engine))).toSorted(), kept);
      await third.end('SIGTERM');
    },
  );
}

test('the engine that is chosen says why a stronger one is not', async ({ skip }) => {
  const bubblewrap = await bubblewrapHere();
  if ('missing' in bubblewrap) return skip(bubblewrap.missing);
  const directory = await mkdtemp(join(tmpdir(), 'sluice-sandbox-'));
  const sandbox = await startSandbox(directory, { RUNSC: '/nowhere/runsc' });
  match(sandbox.announcement, /^bubblewrap: .*; not gvisor: runsc is not installed$/);
  equal((await sandbox.client.describeEngine({})).description, sandbox.announcement);
  await sandbox.end('SIGTERM');
  await rm(directory, { recursive: true, force: true });
});

test('without an engine every call says so', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'sluice-sandbox-'));
  const sandbox = await startSandbox(directory, { SLUICE_SANDBOX_ENGINE: 'none' });
  equal(sandbox.announcement, 'no engine: SLUICE_SANDBOX_ENGINE is none');
  await rejects(
    sandbox.client.openContainer({ container: ref('a'), allowedDomains: [], sleepAfterSeconds: 0 }),
    { code: 'unavailable', message: 'sandbox unavailable' },
  );
  await sandbox.end('SIGTERM');
  await rm(directory, { recursive: true, force: true });
});

async function processesWith(argument: string): Promise<number> {
  const texts = await Promise.all(
    (await readdir('/proc'))
      .filter((name) => /^\d+$/.test(name))
      .map((name) => readFile(`/proc/${name}/cmdline`, 'latin1').catch(() => '')),
  );
  return texts.filter((line) => line.includes(argument)).length;
}

/** Counts holders whose service is gone: children of `init` in a mount namespace with the memory of a box. */
async function holdersOf(servicePid: number): Promise<number> {
  const stats = await Promise.all(
    (await readdir('/proc'))
      .filter((name) => /^\d+$/.test(name))
      .map((name) => readFile(`/proc/${name}/stat`, 'utf8').catch(() => '')),
  );
  return stats.filter((line) => line.split(') ')[1]?.split(' ')[1] === String(servicePid)).length;
}
