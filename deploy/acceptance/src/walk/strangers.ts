import { createHash } from 'node:crypto';
import type { Attempt, Tried } from './walker.ts';

/** Ids of somebody else, and for each of them one like it that was never given. */
export class Strangers {
  readonly #unknownById: ReadonlyMap<string, string>;

  constructor(ids: readonly string[]) {
    this.#unknownById = new Map(ids.map((id) => [id, unknownLike(id)]));
  }

  isNamedIn(attempt: Attempt): boolean {
    const text = JSON.stringify(attempt);
    return [...this.#unknownById.keys()].some((id) => text.includes(id));
  }

  /** The same request about ids that were never given. */
  unknownInstead(attempt: Attempt): Attempt {
    let text = JSON.stringify(attempt);
    for (const [id, unknown] of this.#unknownById) text = text.replaceAll(id, unknown);
    return JSON.parse(text) as Attempt;
  }

  /** Returns the parts that two answers must share: all but ids, times, places in an order and secrets. */
  shape({ status, json }: Tried): string {
    let text = JSON.stringify(json) ?? '';
    for (const [id, unknown] of this.#unknownById)
      text = text.replaceAll(id, '<id>').replaceAll(unknown, '<id>');
    return `${status} ${text
      .replaceAll(/[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}/g, '<uuid>')
      .replaceAll(/\b[0-9a-f]{64}\b/g, '<hash>')
      .replaceAll(/\d{4}-\d{2}-\d{2}T[\d:.]+Z/g, '<time>')
      .replaceAll(/sk-sluice-v1-[\w.]+/g, '<key>')
      .replaceAll(/theirs-\d+/g, '<name>')
      .replaceAll(/"sort_order":\d+/g, '"sort_order":<place>')}`;
  }
}

const hexadecimal = /^[0-9a-f]{64}$/;
const uuid = /[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/;

/** Returns an unknown id of the same form and length, so that only its existence differs. */
function unknownLike(id: string): string {
  const digest = createHash('sha256').update(`unknown ${id}`).digest('hex');
  if (hexadecimal.test(id)) return digest;
  const [a, b, c, d] = [
    digest.slice(0, 8),
    digest.slice(8, 12),
    digest.slice(13, 16),
    digest.slice(17, 20),
  ];
  const other = `${a}-${b}-4${c}-8${d}-${digest.slice(20, 32)}`;
  if (uuid.test(id)) return id.replace(uuid, other);
  return `${id.slice(0, Math.max(0, id.length - 12))}${digest.slice(0, Math.min(12, id.length))}`;
}
