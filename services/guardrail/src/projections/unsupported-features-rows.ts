import type { Queryable } from '@sluice/read-model';
import type { UnsupportedFeaturesModeSet } from '../domain/unsupported-features/events.ts';

export async function setUnsupportedFeatures(
  transaction: Queryable,
  { accountId, mode }: UnsupportedFeaturesModeSet['data'],
): Promise<void> {
  await transaction.query({
    name: 'set-unsupported-features',
    text: `INSERT INTO unsupported_features (account_id, mode) VALUES ($1, $2)
           ON CONFLICT (account_id) DO UPDATE SET mode = excluded.mode`,
    values: [accountId, mode],
  });
}
