import { equal } from 'node:assert/strict';
import { describe, test } from 'vitest';
import { addUp } from './add-up.ts';

const own = `# HELP target_info Target metadata
# TYPE target_info gauge
target_info{service_name="sluice"} 1
# HELP ledger_facts_total Facts.
# TYPE ledger_facts_total counter
ledger_facts_total{outcome="counted"} 2
ledger_facts_total{outcome="duplicate"} 0
`;

describe('the metrics of two processes', () => {
  test('are those of one: counts are added up, gauges stand beside each other, and the target is the own', async () => {
    const other = `# HELP target_info Target metadata
# TYPE target_info gauge
target_info{service_name="books"} 1
# HELP ledger_facts_total Facts.
# TYPE ledger_facts_total counter
ledger_facts_total{outcome="counted"} 3.5
ledger_facts_total{outcome="a b"} 1
# TYPE ledger_lag_seconds gauge
ledger_lag_seconds 0.25
`;
    equal(
      await addUp(own, other),
      `# HELP target_info Target metadata
# TYPE target_info gauge
target_info{service_name="sluice"} 1
# HELP ledger_facts_total Facts.
# TYPE ledger_facts_total counter
ledger_facts_total{outcome="counted"} 5.5
ledger_facts_total{outcome="duplicate"} 0
ledger_facts_total{outcome="a b"} 1
# TYPE ledger_lag_seconds gauge
ledger_lag_seconds 0.25
`,
    );
  });

  test('are the own ones while the other does not answer', async () => {
    equal(await addUp(own, ''), own);
  });
});
