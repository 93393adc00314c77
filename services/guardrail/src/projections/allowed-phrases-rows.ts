import type { Queryable } from '@sluice/read-model';
import type { GuardrailPhrasesSet } from '../domain/guardrail-phrases/events.ts';

export async function setAllowedPhrases(
  transaction: Queryable,
  { accountId, phrases }: GuardrailPhrasesSet['data'],
): Promise<void> {
  await transaction.query({
    name: 'set-allowed-phrases',
    text: `INSERT INTO allowed_phrases (account_id, phrases) VALUES ($1, $2)
           ON CONFLICT (account_id) DO UPDATE SET phrases = excluded.phrases`,
    values: [accountId, phrases],
  });
}
