import type { Box, Engine } from './engine.ts';

const probeTimeoutMs = 30_000;
const script = 'echo here > ~/first && ls -l ~/first >&2 && stat -c %s ~/first && cat ~/first';

/** Runs a first command, which needs everything that later ones need. Returns the reason if it fails. */
export async function problemOf(
  engine: Engine,
  further?: (box: Box) => Promise<string | undefined>,
): Promise<string | undefined> {
  let box: Box | undefined;
  try {
    box = await engine.open({ id: 'first', network: { type: 'disabled' } });
    const argv = ['/bin/bash', '-c', script] as const;
    const ran = await box.run({ argv, timeoutMs: probeTimeoutMs, outputBytesMax: 1_000 });
    if (ran.stdout.toString() === '5\nhere\n') return await further?.(box);
    return `${ran.stderr.toString().split('\n')[0]} ${JSON.stringify(ran.outcome)}`;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  } finally {
    await box?.close();
  }
}
