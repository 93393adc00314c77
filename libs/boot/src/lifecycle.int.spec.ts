import { equal } from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { test } from 'vitest';

const module = join(import.meta.dirname, 'lifecycle.ts');
const script = `
const { onHangup } = await import(process.argv[1]);
const staying = setInterval(() => {}, 1_000);
const end = onHangup(() => {
  end();
  console.log('heard');
});
console.log('ready');
process.once('SIGTERM', () => clearInterval(staying));
`;

async function line(child: ChildProcess): Promise<string> {
  const [bytes] = (await once(child.stdout ?? child, 'data')) as [Buffer];
  return bytes.toString().trim();
}

test('a hangup calls the listener while there is one, and else ends the process', async () => {
  const child = spawn(process.execPath, ['--input-type=module', '-e', script, module], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    equal(await line(child), 'ready');
    child.kill('SIGHUP');
    equal(await line(child), 'heard');
    const ended = once(child, 'exit');
    child.kill('SIGHUP');
    const [, signal] = (await ended) as [number | null, string];
    equal(signal, 'SIGHUP');
  } finally {
    child.kill('SIGKILL');
  }
});
