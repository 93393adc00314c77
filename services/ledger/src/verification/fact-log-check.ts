import type { Check } from './checks.ts';

/** Every fact, every correction and every expiry is in the log once. */
export const factLog: Check = {
  name: 'fact log',
  key: ['entry_kind', 'usage_id'],
  values: ['entries'],
  expected: `
    SELECT 'recorded' AS entry_kind, usage_id, 1 AS entries FROM usage_facts
    UNION ALL SELECT 'corrected', usage_id, 1 FROM corrections
    UNION ALL SELECT 'expired', usage_id, 1 FROM estimates WHERE expired_at IS NOT NULL`,
  stored: `
    SELECT entry_kind, usage_id, count(*) AS entries
    FROM fact_log CROSS JOIN LATERAL unnest(usage_ids) AS entry (usage_id)
    GROUP BY entry_kind, usage_id`,
};
