import type { StructuredFormat } from '@sluice/inference';
import { abortSignalOf } from '@sluice/inference-port';
import type { WorkerPool } from '@sluice/worker-pool';
import { settingsOf } from '../../request/plugins.ts';
import type { ResponseStage, OutputStage } from '../stage.ts';
import { Healing } from './healing.ts';

export interface HealingOptions {
  readonly pool: WorkerPool;
}

/**
 * Repairs the JSON of whole answers whose format is JSON (contract inference.md 20). A stream is sent as it comes, and
 * an answer that was cut stays as it is.
 */
export function healingStage({ pool }: HealingOptions): ResponseStage<'output', OutputStage> {
  return {
    at: 'output',
    name: 'response-healing',
    open(call, { principal: { accountId: account }, signal: left }) {
      const { stream, options } = call.inference;
      const format: StructuredFormat | undefined = options?.format;
      if (stream || !format || !settingsOf(call, 'response-healing')) return undefined;
      const schema = format.type === 'json-schema' ? format.schema : undefined;
      return new Healing({
        mode: schema ? 'json_schema' : 'json_object',
        async heal(text) {
          const signal = abortSignalOf(left);
          const job = { account, module: healWorker, input: { text, schema }, signal };
          const outcome = await pool.run<string | undefined>(job);
          return typeof outcome === 'string' ? undefined : outcome.result;
        },
      });
    },
  };
}

const healWorker = new URL('heal-worker.ts', import.meta.url);
