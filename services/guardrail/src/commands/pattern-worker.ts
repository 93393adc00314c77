import { parentPort, workerData } from 'node:worker_threads';
import { RE2JS } from 're2js';

/** Compiles each pattern and returns the problem of each; null for a valid one. */
const patterns = workerData as readonly string[];
parentPort?.postMessage(patterns.map(problemOf), []);

function problemOf(pattern: string): string | null {
  try {
    RE2JS.compile(RE2JS.translateRegExp(pattern));
    return null;
  } catch (error) {
    const [, reason = 'it cannot be read'] =
      /error parsing regexp: ([^:]*)/.exec(error instanceof Error ? error.message : '') ?? [];
    return reason;
  }
}
