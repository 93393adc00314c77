import { type ActiveSpan, spanAttributes } from '@sluice/telemetry';
import type { TurnDeps } from '../turn/deps.ts';
import type { Turn } from '../turn/turn.ts';
import type { ServerCall } from './turn-calls.ts';

/**
 * The end of a call of a server tool. `refused`: a limit or a budget did not let it run. `invalid`: its arguments are
 * none.
 */
export type ToolOutcome = 'completed' | 'failed' | 'timeout' | 'canceled' | 'refused' | 'invalid';

type WatchDeps = Pick<TurnDeps, 'metrics' | 'tracing'>;
type Watched = Pick<ServerCall['shown'], 'tool'>;

const nanoPerUsd = 1e9;

/** Counts one call of a server tool for operators, and records its span under the request. */
export class ToolWatch {
  readonly #deps: WatchDeps;
  readonly #tool: string;
  readonly #startedMs = performance.now();
  readonly #span: ActiveSpan;

  constructor(deps: WatchDeps, { call, generationId }: Turn, { tool: { type } }: Watched) {
    this.#deps = deps;
    this.#tool = type;
    this.#span = deps.tracing.start(`execute_tool ${type}`, {
      kind: 'internal',
      parent: call.traceparent,
      attributes: () => ({
        'gen_ai.operation.name': 'execute_tool',
        'gen_ai.tool.name': type,
        'gen_ai.tool.type': 'extension',
        [spanAttributes.requestId]: call.requestId,
        [spanAttributes.generationId]: generationId,
        [spanAttributes.accountId]: call.principal.accountId,
        [spanAttributes.workspaceId]: call.principal.workspaceId,
        [spanAttributes.keyHash]: call.principal.keyHash,
      }),
    });
  }

  /** `costNanoUsd` is without the model calls of the tool, which are counted as such. */
  ended(outcome: ToolOutcome, costNanoUsd = 0n): void {
    const { metrics } = this.#deps;
    const tool = this.#tool;
    const seconds = (performance.now() - this.#startedMs) / 1_000;
    metrics.toolsCalls.add(1, { tool, outcome });
    metrics.toolsDuration.record(seconds, { tool });
    if (costNanoUsd > 0n) metrics.toolsCost.add(Number(costNanoUsd) / nanoPerUsd, { tool });
    this.#span.end(outcome === 'completed' ? undefined : outcome);
  }
}
