import { readFileSync } from 'node:fs';
import type { Answers } from './facts.ts';

/** The server whose answers were recorded, as facts: one node on a disk, without and with users. */
export const recordedServer = 'EventStoreDB 24.10.14';

/** Returns the recorded answers; those of a secured server differ in a few. */
export function recordedAnswers(secured: boolean): Answers {
  const unsecured = answersIn('unsecured.json');
  return secured ? { ...unsecured, ...answersIn('secured.json') } : unsecured;
}

function answersIn(file: string): Answers {
  const url = new URL(`./answers/${file}`, import.meta.url);
  return JSON.parse(readFileSync(url, 'utf8')) as Answers;
}
