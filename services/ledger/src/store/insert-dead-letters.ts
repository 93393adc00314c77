import { createHash } from 'node:crypto';
import type { BusMessage } from '@sluice/bus';
import type { Queryable } from '@sluice/read-model';

export interface DeadLetter {
  readonly message: Pick<BusMessage, 'subject' | 'id' | 'bytes'>;
  readonly reason: string;
}

const text = `
  INSERT INTO dead_letters (digest, subject, message_id, reason, raw)
  SELECT digest, subject, message_id, reason, decode(raw, 'base64')
  FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[])
    AS letter (digest, subject, message_id, reason, raw)
  ON CONFLICT (digest) DO NOTHING`;

/** Keeps messages as they came, each once however often it is delivered. */
export async function insertDeadLetters(
  transaction: Queryable,
  letters: readonly DeadLetter[],
): Promise<void> {
  if (letters.length === 0) return;
  const ordered = letters
    .map((letter) => ({ ...letter, digest: digestOf(letter.message) }))
    .toSorted((a, b) => (a.digest < b.digest ? -1 : 1));
  await transaction.query({
    name: 'insert-dead-letters',
    text,
    values: [
      ordered.map(({ digest }) => digest),
      ordered.map(({ message }) => message.subject),
      // A header may hold what a text column cannot.
      ordered.map(({ message }) => message.id?.replaceAll('\0', '') ?? null),
      ordered.map(({ reason }) => reason),
      ordered.map(({ message }) => Buffer.from(message.bytes).toString('base64')),
    ],
  });
}

function digestOf({ subject, bytes }: DeadLetter['message']): string {
  return createHash('sha256').update(subject).update('\0').update(bytes).digest('hex');
}
