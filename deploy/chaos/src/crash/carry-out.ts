import { setTimeout as delay } from 'node:timers/promises';
import type { Answer, Command, Sent } from './command.ts';

const pauseMs = 150;
const repeatForMs = 90_000;

/**
 * Sends a command once. With `repeated` it is sent again until an answer says what became of it,
 * for at most 90 s: a command that must not be carried out twice is safe to send twice.
 */
export async function carryOut(
  command: Command,
  send: () => Promise<Answer>,
  { repeated }: { readonly repeated: boolean },
): Promise<Sent> {
  const giveUpAtMs = performance.now() + repeatForMs;
  for (let attempts = 1; ; attempts++) {
    const answer = await send();
    const settled = attempts === 1 ? answer : { ...answer, outcome: againOutcome(command, answer) };
    if (settled.outcome !== 'unknown' || !repeated || performance.now() > giveUpAtMs)
      return { command, attempts, ...settled };
    await delay(pauseMs);
  }
}

/** When an attempt came before, some refusals say that it was carried out. */
function againOutcome({ type }: Command, { outcome, status, hash }: Answer): Answer['outcome'] {
  const issuedBefore = type === 'IssueKey' && status === '409' && hash !== '';
  const deletedBefore = type === 'DeleteKey' && status === '404';
  return issuedBefore || deletedBefore ? 'acknowledged' : outcome;
}
