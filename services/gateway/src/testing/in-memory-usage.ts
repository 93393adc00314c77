import { Fault } from '@sluice/errors';
import {
  type ActivityRow,
  Generation,
  type RecordFeedbackRequest,
} from '@sluice/protos/sluice/ledger/v1/ledger';
import type { LedgerCalls } from '../clients/calls.ts';

/** A row with all that can be asked for. */
export interface UsedRow extends ActivityRow {
  readonly accountId: string;
  readonly keyHash: string;
  readonly userId: string;
}

export interface InMemoryUsage {
  readonly calls: Pick<LedgerCalls, 'getGeneration' | 'listActivity' | 'recordFeedback'>;
  generated(accountId: string, generation: Partial<Generation>): void;
  used(row: Partial<UsedRow>): void;
  readonly feedback: readonly RecordFeedbackRequest[];
}

const pageRows = 2;

/** A double of the ledger's counted usage: rows as they were put, in pages of two. */
export function inMemoryUsage(): InMemoryUsage {
  const generations = new Map<string, Generation>();
  const rows: UsedRow[] = [];
  const feedback: RecordFeedbackRequest[] = [];
  const own = (accountId: string, generationId: string): Generation => {
    const generation = generations.get(`${accountId} ${generationId}`);
    if (!generation) throw new Fault('not_found');
    return generation;
  };
  return {
    calls: {
      async getGeneration({ accountId, generationId }) {
        return { generation: own(accountId, generationId) };
      },
      async listActivity({ fromDay, toDay, byWorkspace, byApp, offset, ...asked }) {
        const names = ['keyHash', 'userId', 'workspaceId', 'app'] as const;
        const found = rows.filter(
          (row) =>
            row.accountId === asked.accountId &&
            row.day >= fromDay &&
            row.day <= toDay &&
            names.every((name) => asked[name] === undefined || asked[name] === row[name]),
        );
        const page = found.slice(offset, offset + pageRows).map((row) => ({
          ...row,
          workspaceId: byWorkspace ? row.workspaceId : '',
          app: byApp ? row.app : '',
        }));
        return { rows: page, isLast: page.length < pageRows };
      },
      async recordFeedback(given) {
        own(given.accountId, given.generationId);
        if (!feedback.some(({ feedbackId }) => feedbackId === given.feedbackId))
          feedback.push(given);
        return {};
      },
    },
    generated(accountId, given) {
      const generation = Generation.fromPartial(given);
      generations.set(`${accountId} ${generation.generationId}`, generation);
    },
    used: (row) =>
      void rows.push({
        accountId: '',
        day: '2026-11-19',
        model: 'sim/echo',
        endpointId: '11111111-1111-4111-8111-111111111112',
        provider: 'simulator',
        workspaceId: '',
        app: '',
        keyHash: '',
        userId: '',
        requests: 1n,
        inputTokens: 0n,
        outputTokens: 0n,
        reasoningTokens: 0n,
        creditsNanoUsd: 0n,
        byokNanoUsd: 0n,
        ...row,
      }),
    feedback,
  };
}
