import { deepEqual } from 'node:assert/strict';
import { createScanner } from '@sluice/content-scanner';
import { createDocumentReader } from '@sluice/document-text';
import { localModerator } from '@sluice/moderation';
import { createWorkerPool } from '@sluice/worker-pool';
import { test } from 'vitest';
import { systemClock } from '@sluice/clock-and-ids';
import { createSearchEngines } from '@sluice/web-search';
import { createStages } from './index.ts';
import { stageTable } from './stage-table.ts';

test('the table has its rows in the order in which they run', async () => {
  const pool = createWorkerPool();
  const stages = createStages({
    pool,
    searchEngines: createSearchEngines([]),
    catalog: { toolPrices: { find: () => undefined } },
    clock: systemClock,
    fileParser: {
      documents: createDocumentReader(),
      limits: { bytesMax: 1, pagesMax: 1 },
      catalog: { toolPrices: { find: () => undefined } },
    },
    scanner: createScanner({ pool }),
    moderator: localModerator({ pool }),
  });
  const inOrder = Object.values(stageTable(stages)).flat();
  deepEqual(stages, inOrder);
  deepEqual(Object.keys(stageTable([])), ['input', 'candidate', 'attempt', 'turn', 'output']);
  await pool.stop();
});
