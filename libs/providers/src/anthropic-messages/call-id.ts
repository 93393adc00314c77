import { createHash } from 'node:crypto';

/** The ids that the API accepts. */
const accepted = /^[A-Za-z0-9_-]+$/;
const digestCharacters = 12;
const keptCharactersMax = 48;

/**
 * Returns the id of a call as the API accepts it. Some models give ids such as `functions.f:0`. A digest keeps an id
 * apart from others that look alike without their special characters.
 */
export function callIdOf(id: string): string {
  if (accepted.test(id)) return id;
  const digest = createHash('sha256').update(id).digest('hex').slice(0, digestCharacters);
  const kept = id.slice(0, keptCharactersMax).replaceAll(/[^A-Za-z0-9_-]/g, '_');
  return `${kept}_${digest}`;
}
