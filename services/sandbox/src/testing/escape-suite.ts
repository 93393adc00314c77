import { deepEqual, doesNotMatch, equal, match, notEqual, ok } from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { until } from '@sluice/patience';
import { afterAll, afterEach, beforeAll, describe, test } from 'vitest';
import type { Box, Engine, FoundEngine, Ran } from '../engine/engine.ts';

export interface EngineTraits {
  /** Commands have a kernel of their own: namespaces that they make there are none of this machine. */
  readonly hasOwnKernel: boolean;
  /** Devices of that kernel beside the usual ones. */
  readonly devices: readonly string[];
  /** Commands run on other machines: what is open there says nothing of this process. */
  readonly isElsewhere?: boolean;
  /** Processes of the engine itself that a command sees. */
  readonly processesMax?: number;
  /** The number of files is bounded, not only their bytes. */
  readonly boundsFiles: boolean;
  /** A container that uses up its memory may end as a whole. The next use of its id makes a new one. */
  readonly mayBeLost: boolean;
}

/** Tries to break out of real sandboxes of an engine. */
export function escapeSuite(name: string, found: FoundEngine, traits: EngineTraits): void {
  const reason = 'missing' in found ? ` (not here: ${found.missing})` : '';
  describe.skipIf(reason !== '')(`a command in ${name} cannot${reason}`, () =>
    escapes(found as Engine, traits),
  );
}

function escapes(engine: Engine, traits: EngineTraits): void {
  let box: Box;
  let other: Box;
  let host: Server;

  beforeAll(async () => {
    box = await engine.open({ id: 'one', network: { type: 'disabled' } });
    other = await engine.open({ id: 'two', network: { type: 'disabled' } });
    await runIn(other, 'echo theirs > ~/secret; chmod 644 ~/secret');
    host = createServer((_request, response) => response.end('host')).listen(0, '127.0.0.1');
    await once(host, 'listening');
  });

  afterAll(async () => {
    host.close();
    await engine.stop();
  });

  const runIn = (where: Box, command: string, timeoutMs = 60_000) =>
    where.run({ argv: ['/bin/bash', '-c', command], timeoutMs, outputBytesMax: 65_536 });
  const said = async (command: string) => {
    const { stdout, stderr } = await runIn(box, command);
    return Buffer.concat([stdout, stderr]).toString();
  };
  const status = (ran: Ran) => (ran.outcome.type === 'exited' ? ran.outcome.exitCode : -1);
  const fails = async (command: string) => {
    const ran = await runIn(box, command);
    notEqual(status(ran), 0, `${command}: ${Buffer.concat([ran.stdout, ran.stderr]).toString()}`);
  };
  /** Both boxes and this process still work. */
  const allIsWell = async () => {
    if (traits.mayBeLost && (await isLost(box))) {
      await box.close();
      box = await engine.open({ id: `one-${++opened}`, network: { type: 'disabled' } });
    }
    for (const one of [box, other])
      equal((await runIn(one, 'echo well')).stdout.toString(), 'well\n');
  };
  afterEach(allIsWell);
  let opened = 0;
  const isLost = (one: Box) =>
    Promise.race([one.lost.then(() => true), new Promise<false>((no) => setImmediate(no, false))]);

  test('read the home of another container', async () => {
    const places = await said(
      'ls -d /home/* /media/* /proc/*/root/media/* 2>/dev/null; cat ~/secret',
    );
    match(places, /^\/home\/user\n/);
    doesNotMatch(places, /theirs|media/);
  });

  test('see processes of others, or their environment', async () => {
    const pids = await said('ls /proc | grep -E "^[0-9]+$" | wc -l');
    ok(Number(pids) < (traits.processesMax ?? 8), pids);
    const environment = await said('cat /proc/*/environ | tr "\\0" "\\n"');
    doesNotMatch(environment, /npm_|NODE_|SLUICE/);
    match(environment, /^HOME=\/home\/user$/m);
  });

  test('reach a server of this machine, other machines or the metadata address', async () => {
    const { port } = host.address() as AddressInfo;
    for (const [address, at] of [
      ['127.0.0.1', port],
      ['169.254.169.254', 80],
      ['1.1.1.1', 53],
    ])
      await fails(`exec 3<>/dev/tcp/${address}/${at}`);
    match(await said('cat /proc/net/dev'), /lo:/);
    doesNotMatch(await said('cat /proc/net/dev'), /eth|ens|veth/);
  });

  test('speak to sockets of this machine by an abstract name', async () => {
    equal(Number(await said('grep -c @ /proc/net/unix || true')), 0);
  });

  test('write to the system, to /dev or to /proc', async () => {
    const writes = [
      '/x',
      '/usr/x',
      '/etc/passwd',
      '/dev/x',
      '/home/x',
      '/proc/sys/kernel/hostname',
    ];
    for (const path of [...writes, '/proc/sysrq-trigger', '/proc/1/oom_score_adj2'])
      await fails(`echo 1 > ${path}`);
  });

  test('find devices but the harmless ones', async () => {
    const devices = await said(
      // `find` takes the word of the folder, which knows nothing of a device that is mounted on a file.
      'shopt -s globstar; for one in /dev/**; do [ -L "$one" ] && continue; [ -b "$one" ] || [ -c "$one" ] && printf "%s " "$one"; done',
    );
    const usual = ['full', 'null', 'random', 'tty', 'urandom', 'zero', 'pts/ptmx'];
    const harmless = [...usual, ...traits.devices];
    ok(devices.includes('/dev/null'));
    for (const device of devices.trim().split(' '))
      ok(harmless.includes(device.slice('/dev/'.length)), device);
    await fails('mknod ~/disk b 254 0 && cat ~/disk');
    await fails('cat /dev/mem /dev/kmem /dev/vda /dev/sda /dev/kvm /dev/fuse');
  });

  test('mount, make namespaces, change its root or its host name', async () => {
    await fails('mount -t tmpfs none /tmp');
    await fails('mount --bind /usr /tmp');
    await fails('umount /usr');
    await fails('nsenter --target 1 --mount true');
    await fails('chroot / true');
    await fails('hostname other');
    if (traits.hasOwnKernel) return;
    for (const namespace of [
      '--user',
      '--map-root-user',
      '--mount',
      '--net',
      '--pid --fork',
      '--ipc',
    ])
      await fails(`unshare ${namespace} true`);
    match(await said('unshare --user true'), /Operation not permitted/);
  });

  test('get capabilities or another user', async () => {
    const text = await said(
      'grep -E "CapPrm|CapEff|CapInh|CapAmb|NoNewPrivs|Seccomp:" /proc/self/status',
    );
    const sets = [...text.matchAll(/Cap\w+:\t(\w+)/g)].map(([, set]) => Number(`0x${set}`));
    ok(sets.length >= 3 && sets.every((set) => set === 0), text);
    if (!traits.hasOwnKernel) match(text, /NoNewPrivs:\t1\n[^]*Seccomp:\t2/);
    const user = await said('id -u');
    notEqual(user, '0\n');
    equal(await said('cp /usr/bin/id ~/id && chmod u+s ~/id && ~/id -u; rm ~/id'), user);
    await fails('setpriv --reuid 0 true');
    await fails('chown 0 ~');
    await fails('su -c true');
  });

  test.skipIf(traits.hasOwnKernel)(
    'trace processes, take keys of the kernel or load programs into it',
    async () => {
      const call = (number: number) =>
        said(`perl -e 'syscall(${number}, 0, 0, 0, 0, 0) == -1 and print $! + 0'`);
      const numbers =
        process.arch === 'x64'
          ? [101, 250, 248, 321, 298, 425, 175, 169]
          : [117, 219, 217, 280, 241, 425];
      for (const number of numbers) equal(await call(number), '1', `system call ${number}`);
    },
  );

  test('raise its limits', async () => {
    for (const limit of ['-u', '-f', '-d', '-c', '-n']) await fails(`ulimit ${limit} unlimited`);
    await fails('prlimit --nproc=100000 true');
  });

  test('signal processes of this machine', async () => {
    await fails(`kill -9 ${process.pid}`);
    await said('kill -9 -1');
  });

  test('leave processes behind', async () => {
    const before = processesOfBoxes();
    await said(
      'sleep 1000 & setsid nohup sleep 1001 >/dev/null 2>&1 & disown -a; (sleep 1002 &) ; true',
    );
    await until(() => processesOfBoxes() <= before || undefined);
    doesNotMatch(await said('cat /proc/*/cmdline | tr "\\0" " "'), /sleep 100/);
  });

  test('outlive a caller that leaves while they begin', async () => {
    const before = processesOfBoxes();
    const argv = ['/bin/bash', '-c', 'sleep 1004'] as const;
    for (let round = 0; round < 20; round++) {
      const leaving = new AbortController();
      // Each round leaves at another step of the start.
      setTimeout(() => leaving.abort(), round * 3);
      const limits = { timeoutMs: 600_000, outputBytesMax: 10 };
      const ran = await box.run({ argv, ...limits, signal: leaving.signal });
      equal(ran.outcome.type, 'killed');
    }
    await until(() => processesOfBoxes() <= before || undefined);
  });

  test('fill this machine with processes', async () => {
    // Bounded by the limits of the box: 40 processes.
    const ran = await runIn(box, 'bomb() { bomb | bomb & }; bomb; sleep 1; true', 10_000);
    ok(ran.durationMs > 0);
  });

  test('fill the memory of this machine, by one process or by several', async () => {
    const grow = 'perl -e \'my @all; push @all, "x" x 1048576 for 1..100000\'';
    notEqual(status(await runIn(box, grow)), 0);
    const several = await runIn(
      box,
      `for i in 1 2 3 4 5 6 7 8; do ${grow} & done; wait -n; wait; false`,
    );
    notEqual(status(several), 0);
  });

  test('fill the disk of this machine', async () => {
    const text = await said('head -c 100000000 /dev/zero > ~/big; stat -c %s ~/big; rm ~/big');
    match(text, /No space left|File too large|File size limit/);
    match(
      await said('head -c 100000000 /dev/zero > /tmp/big; rm /tmp/big'),
      /No space left|File too large|File size limit/,
    );
    match(
      await said('head -c 100000000 /dev/zero > /dev/shm/big; rm /dev/shm/big'),
      /No space|File too|File size limit/,
    );
    const files = await said(
      'cd ~ && mkdir many && for i in $(seq 3000); do : > many/$i || break; done; ls many | wc -l; rm -r many',
    );
    if (traits.boundsFiles) match(files, /No space left/);
  });

  test('write without end', async () => {
    const ran = await runIn(box, 'yes');
    deepEqual([ran.outcome.type, ran.isCut, ran.stdout.length], ['killed', true, 65_536]);
    const both = await runIn(box, 'yes >&2');
    deepEqual([both.outcome.type, both.stderr.length], ['killed', 65_536]);
  });

  test('run without end', async () => {
    const ran = await runIn(box, 'trap "" TERM INT HUP; while :; do :; done', 500);
    equal(ran.outcome.type, 'timed_out');
  });

  test('follow links out of its home', async () => {
    equal(
      await said(
        'ln -s /proc/1/root/etc/shadow ~/a; cat ~/a 2>/dev/null; ln -s / ~/r; ls ~/r/media ~/r/root ~/r/work ~/r/var 2>/dev/null; rm ~/a ~/r',
      ),
      '',
    );
  });

  test.skipIf(traits.isElsewhere)('keep files of this process open', async () => {
    const open = await said(
      'ls -l /proc/[0-9]*/fd 2>/dev/null | grep -v -E "/proc|/dev/null|stdout|stderr|total|^$"',
    );
    doesNotMatch(open, /socket:/);
  });

  test('type into the terminal of this machine', async () => {
    await fails('exec 3</dev/tty');
  });
}

/** Counts processes on this machine that belong to users of boxes. */
function processesOfBoxes(): number {
  return readdirSync('/proc').filter((name) => {
    if (!/^\d+$/.test(name)) return false;
    try {
      const words = readFileSync(`/proc/${name}/cmdline`, 'latin1').split('\0');
      return words[0] === 'sleep' && /^100\d$/.test(words[1] ?? '');
    } catch {
      return false;
    }
  }).length;
}
