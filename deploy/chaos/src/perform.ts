import { randomInt } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Random, seededRandom } from '@sluice/testing/random';
import { type Environment, Settings } from '@sluice/testing/settings';

/** The surroundings of a scenario. */
export interface Given {
  readonly settings: Settings;
  readonly seed: number;
  readonly random: Random;
  /** A folder of its own. */
  readonly folder: string;
  /** Reports progress. */
  readonly say: (line: string) => void;
  /** Returns the seconds since the start. */
  readonly seconds: () => number;
}

/** The outcome of a scenario. */
export interface Report {
  /** The broken promises, one sentence each. */
  readonly findings: readonly string[];
  /** Lines for a reader, before the last one. */
  readonly details?: readonly string[];
  /** The last line, as JSON. */
  readonly numbers: object;
}

export type Scenario<Outcome extends Report = Report> = (given: Given) => Promise<Outcome>;

/** Runs a scenario. Its folder is kept when a promise was broken. */
export async function perform<Outcome extends Report>(
  scenario: Scenario<Outcome>,
  environment: Environment,
  say: (line: string) => void = () => undefined,
): Promise<Outcome> {
  const settings = new Settings(environment);
  const seed = settings.wholeNumber('SEED', randomInt(2 ** 32));
  const folder = await mkdtemp(join(tmpdir(), 'sluice-chaos-'));
  const startedMs = performance.now();
  const seconds = () => Math.round((performance.now() - startedMs) / 1_000);
  let isRight = false;
  try {
    const given = { settings, seed, random: seededRandom(seed), folder, say, seconds };
    const outcome = await scenario(given);
    isRight = outcome.findings.length === 0;
    return outcome;
  } finally {
    if (isRight) await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    else say(`the folder is kept: ${folder}`);
  }
}
