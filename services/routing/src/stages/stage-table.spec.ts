import { deepEqual, equal } from 'node:assert/strict';
import { createScanner } from '@sluice/content-scanner';
import { createDocumentReader } from '@sluice/document-text';
import { localModerator } from '@sluice/moderation';
import { createWorkerPool } from '@sluice/worker-pool';
import { onTestFinished, test } from 'vitest';
import { systemClock } from '@sluice/clock-and-ids';
import { createSearchEngines } from '@sluice/web-search';
import { textCall } from '../testing/text-call.ts';
import { createStages } from './index.ts';
import type { AttemptContext } from './stage.ts';
import { stageTable } from './stage-table.ts';

function allStages() {
  const pool = createWorkerPool();
  onTestFinished(() => pool.stop());
  return createStages({
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
}

test('the table has its rows in the order in which they run', () => {
  const stages = allStages();
  const inOrder = Object.values(stageTable(stages)).flat();
  deepEqual(stages, inOrder);
  deepEqual(Object.keys(stageTable([])), ['input', 'candidate', 'attempt', 'turn', 'output']);
});

test('a request without plugins, guardrails and tight windows concerns no stage: nothing runs for it', () => {
  const { input, candidate, attempt, turn, output } = stageTable(allStages());
  const call = textCall('Hello');
  const policy = {
    isWorkspaceAlive: true,
    budgets: [],
    includeByokInBudgets: false,
    defaults: {},
    disabledServerTools: [],
    guardrails: [],
    allowedPhrases: [],
  };
  const principal = {
    accountId: 'account',
    workspaceId: 'workspace',
    keyHash: 'key',
    limitNanoUsd: null,
    limitReset: null,
    includeByokInLimit: false,
  };
  const { signal } = new AbortController();
  const context = { policy, principal, requestId: 'req-1', signal };
  const model = {
    id: 'a/b',
    contextLength: 128_000,
  } as AttemptContext['attempts'][number]['model'];
  const endpoint = { isModerated: false } as AttemptContext['attempts'][number]['endpoint'];
  const attempts = [{ model, endpoint }];
  for (const stage of input) equal(stage.concerns?.(call, context), false, stage.name);
  const candidates = [{ model, endpoint: { ...endpoint, providerName: 'P' } }];
  for (const stage of candidate) equal(stage.concerns?.(call, candidates), false, stage.name);
  for (const stage of attempt)
    equal(stage.open(call, { ...context, attempts }), undefined, stage.name);
  for (const stage of [...turn, ...output]) equal(stage.open(call, context), undefined, stage.name);
});
