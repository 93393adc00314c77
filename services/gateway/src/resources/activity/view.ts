import { nanoUsdToNumber } from '@sluice/inference';
import type { ActivityRow } from '@sluice/protos/sluice/ledger/v1/ledger';
import { endpointIdOf } from '../../http/request/endpoint-id.ts';
import type { ActivityRowView } from './schema.ts';

/** One row of activity; its workspace and its application only where rows are split by them. */
export function activityView(
  row: ActivityRow,
  { byApp }: { readonly byApp: boolean },
): ActivityRowView {
  return {
    date: row.day,
    model: row.model,
    model_permaslug: row.model,
    endpoint_id: endpointIdOf(row),
    provider_name: row.provider,
    requests: Number(row.requests),
    prompt_tokens: Number(row.inputTokens),
    completion_tokens: Number(row.outputTokens),
    reasoning_tokens: Number(row.reasoningTokens),
    usage: nanoUsdToNumber(row.creditsNanoUsd),
    byok_usage_inference: nanoUsdToNumber(row.byokNanoUsd),
    ...(row.workspaceId === '' ? {} : { workspace_id: row.workspaceId }),
    ...(byApp && { app: row.app || null }),
  };
}
