import { storeAwayTest } from './store-away-test.ts';
import { isStoreAwayHow, type StoreAwayHow } from './take-away.ts';

/** `AWAY_SECONDS=600 RPS=30 HOW=frozen npm run chaos:store-away`. The last line is JSON; 0 only when all holds. */
const findingsShownMax = 30;
try {
  const result = await storeAwayTest({
    how: howGiven(process.env['HOW']),
    seconds: wholeNumber('AWAY_SECONDS', 600),
    requestsPerSecond: wholeNumber('RPS', 30),
    onProgress: console.log,
  });
  for (const finding of result.findings.slice(0, findingsShownMax))
    console.log(`NOT SO: ${finding}`);
  const { inference, questions, firstWrites, writes } = result;
  console.log(
    JSON.stringify({
      how: result.how,
      seconds: result.seconds,
      inference: inference.sent,
      inference_failed: inference.failed,
      inference_slowest_ms: inference.slowestMs,
      questions: questions.sent,
      questions_failed: questions.failed,
      questions_slowest_ms: questions.slowestMs,
      commands: firstWrites.sent + writes.sent,
      commands_not_refused: firstWrites.failed + writes.failed,
      commands_first_slowest_ms: firstWrites.slowestMs,
      commands_slowest_ms: writes.slowestMs,
      recovery_ms: result.recoveryMs,
      overspend_nano: String(result.overspendNanoUsd),
      cap_looks: result.capLooks,
      findings: result.findings.length,
    }),
  );
  process.exit(result.findings.length === 0 ? 0 : 1);
} catch (error) {
  console.log(`NOT SO: ${(error as Error).stack}`);
  console.log(JSON.stringify({ findings: 1 }));
  process.exit(1);
}

function howGiven(text = 'frozen'): StoreAwayHow {
  if (isStoreAwayHow(text)) return text;
  console.error(`HOW must be frozen, killed, postgres-frozen or postgres-killed, not '${text}'.`);
  process.exit(1);
}

function wholeNumber(name: string, fallback: number): number {
  const given = process.env[name];
  if (given === undefined || given === '') return fallback;
  if (/^\d{1,6}$/.test(given)) return Number(given);
  console.error(`${name} must be a whole number, not '${given}'.`);
  process.exit(1);
}
