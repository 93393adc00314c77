import { CreditRecorded } from '@sluice/protos/sluice/credit/v1/credit_events';
import {
  KeyDeleted,
  MemberDeactivated,
  WorkspaceDeleted,
  WorkspaceMemberRemoved,
} from '@sluice/protos/sluice/directory/v1/directory_events';
import {
  GenerationContents,
  GenerationEndedBundle,
  GenerationFailed,
} from '@sluice/protos/sluice/generation/v1/generation_events';
import { EntityNamed } from '@sluice/protos/sluice/name/v1/name_events';
import { GuardrailDetected } from '@sluice/protos/sluice/guardrail/v1/detection_events';
import { PrivateEndpointsChanged } from '@sluice/protos/sluice/account/v1/private_endpoint_events';
import { RequestRefused } from '@sluice/protos/sluice/request/v1/request_events';
import {
  CredentialsChanged,
  HistoryChanged,
  KeyChanged,
} from '@sluice/protos/sluice/key/v1/key_events';
import { GuardrailsChanged } from '@sluice/protos/sluice/guardrail/v1/guardrail_events';
import { SpendChanged } from '@sluice/protos/sluice/ledger/v1/ledger_events';
import { LimitsChanged, LimitsSet } from '@sluice/protos/sluice/limit/v1/limit_events';
import { UsageCorrected, UsageRecordedBundle } from '@sluice/protos/sluice/usage/v1/usage_events';
import {
  DestinationsChanged,
  WorkspaceChanged,
} from '@sluice/protos/sluice/workspace/v1/workspace_events';
import { accountId, keyHash, usageFact } from './usage-fact-example.ts';

const revoked = { accountId, isRevoked: true };
const workspaceId = '0190a000-0000-7000-8000-000000000010';

/** Message id of the example bundle. */
export const bundleIdExample =
  'gen-0190a000-0000-7000-8000-0000000000aa/1/1+0.T9lNPdl_b9u2A1tDHeyVDNreCt-t9fNLo0omQhYdJXg';

/** A correction leaves nothing open. */
const settled = {
  outputTokens: usageFact.outputTokens + 1n,
  costNanoUsd: usageFact.costNanoUsd + 2_000n,
  upstreamCostNanoUsd: usageFact.costNanoUsd + 2_001n,
  estimated: false,
  estimateReason: '',
  suspendedNanoUsd: 0n,
  operatorSuspendedNanoUsd: 0n,
  claimedNanoUsd: 0n,
  prices: {},
};

const sealed = {
  keyVersion: '1',
  wrappedKey: Buffer.from('wrapped key'),
  ciphertext: Buffer.from('ciphertext'),
};

/**
 * One message of each kind as it is sent, by the full name of its proto message. No field is at its
 * default, so that each one shows.
 */
export const examples: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  [
    'sluice.credit.v1.CreditRecorded',
    CreditRecorded.toJSON({
      creditId: '5f0f5d0e-2f0b-5c4e-9d4d-0d6f5b1c7a12',
      accountId,
      entryKind: 'grant',
      amountNanoUsd: 10_000_000_000n,
      occurredAt: '2026-01-02T03:04:06.000Z',
    }),
  ],
  [
    'sluice.directory.v1.KeyDeleted',
    KeyDeleted.toJSON({
      factId: `${keyHash}@5`,
      accountId,
      keyHash,
      occurredAt: '2026-01-02T03:04:07.000Z',
    }),
  ],
  [
    'sluice.directory.v1.MemberDeactivated',
    MemberDeactivated.toJSON({
      factId: 'org_1.user_2@3',
      accountId,
      userId: 'user_2',
      occurredAt: '2026-01-02T03:04:07.000Z',
    }),
  ],
  [
    'sluice.directory.v1.WorkspaceDeleted',
    WorkspaceDeleted.toJSON({
      factId: `${workspaceId}@6`,
      accountId,
      workspaceId,
      isDefault: true,
      occurredAt: '2026-01-02T03:04:07.000Z',
    }),
  ],
  [
    'sluice.directory.v1.WorkspaceMemberRemoved',
    WorkspaceMemberRemoved.toJSON({
      factId: `${workspaceId}/user_2@7`,
      accountId,
      workspaceId,
      userId: 'user_2',
      occurredAt: '2026-01-02T03:04:07.000Z',
    }),
  ],
  [
    'sluice.generation.v1.GenerationContents',
    GenerationContents.toJSON({
      generationId: usageFact.generationId,
      accountId,
      workspaceId: usageFact.workspaceId,
      userId: 'user_1',
      endedAt: '2026-01-02T03:04:07.000Z',
      contents: sealed,
    }),
  ],
  [
    'sluice.generation.v1.GenerationEndedBundle',
    GenerationEndedBundle.toJSON({
      ends: [
        {
          generationId: usageFact.generationId,
          accountId,
          workspaceId: usageFact.workspaceId,
          turns: 2,
          endedAt: '2026-01-02T03:04:07.000Z',
          contents: sealed,
          guardrailEvents: [
            {
              stage: 'input',
              detection: {
                guardrailId: '0190a000-0000-7000-8000-000000000040',
                guardrailScope: 'workspace',
                filter: 'email',
                label: '[EMAIL]',
                action: 'redact',
                rule: 'email',
                place: 'input.0',
                count: 2n,
              },
            },
          ],
          guardrailEventsOmitted: 1n,
        },
      ],
    }),
  ],
  [
    'sluice.generation.v1.GenerationFailed',
    GenerationFailed.toJSON({
      failureId: 'gen-0190a000-0000-7000-8000-0000000000aa/1',
      generationId: 'gen-0190a000-0000-7000-8000-0000000000aa',
      turn: 1,
      requestId: 'req-0190a000-0000-7000-8000-0000000000cc',
      accountId,
      workspaceId,
      keyHash,
      model: 'sim/echo',
      outcome: 'failed',
      errorCode: 'provider_unavailable',
      attempts: 2,
      streamed: true,
      externalUser: 'customer-7',
      sessionId: 'session-1',
      tried: [
        { provider: 'azure', errorCode: 'provider_unavailable', latencyMs: 912n },
        { provider: 'openai', errorCode: 'provider_unavailable', latencyMs: 1_204n },
      ],
      trace: '{"trace_id":"order-4711","tenant":"north"}',
      traceparent: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01',
      userId: '0190a000-0000-7000-8000-000000000030',
      httpReferer: 'https://app.example',
      userAgent: 'example/1.0',
      appTitle: 'Example chat',
      apiType: 'embeddings',
      guardrailInvoked: true,
      moderationLatencyMs: 38n,
      hasEnd: true,
      admittedAt: '2026-01-02T03:04:05.678Z',
      completedAt: '2026-01-02T03:04:07.910Z',
      omitted: 12n,
    }),
  ],
  ['sluice.account.v1.PrivateEndpointsChanged', PrivateEndpointsChanged.toJSON(revoked)],
  ['sluice.guardrail.v1.GuardrailsChanged', GuardrailsChanged.toJSON({ accountId })],
  ['sluice.key.v1.CredentialsChanged', CredentialsChanged.toJSON(revoked)],
  ['sluice.key.v1.HistoryChanged', HistoryChanged.toJSON({ history: 1 })],
  [
    'sluice.key.v1.KeyChanged',
    KeyChanged.toJSON({ hash: keyHash, accountId, revision: 4n, isRevoked: true }),
  ],
  ['sluice.ledger.v1.SpendChanged', SpendChanged.toJSON({ accountId })],
  [
    'sluice.limit.v1.LimitsSet',
    LimitsSet.toJSON({
      limitId: `key/${keyHash}@4`,
      accountId,
      scopeKind: 'key',
      scopeId: keyHash,
      revision: 4n,
      limits: [{ windowKind: 'monthly', limitNanoUsd: 25_000_000_000n }],
      includeByok: true,
    }),
  ],
  [
    'sluice.guardrail.v1.GuardrailDetected',
    GuardrailDetected.toJSON({
      detectionId: '0190a000-0000-7000-8000-0000000000ee',
      accountId,
      workspaceId,
      keyHash,
      requestId: 'req-0190a000-0000-7000-8000-0000000000cc',
      detectedAt: '2026-01-02T03:04:05.678Z',
      detections: [
        {
          guardrailId: '0190a000-0000-7000-8000-0000000000ff',
          guardrailScope: 'workspace',
          filter: 'email',
          label: '[EMAIL]',
          action: 'redact',
          rule: 'email',
          place: 'input.0',
          count: 2n,
        },
      ],
      omitted: 1n,
      blocked: true,
    }),
  ],
  ['sluice.limit.v1.LimitsChanged', LimitsChanged.toJSON({ accountId })],
  [
    'sluice.name.v1.EntityNamed',
    EntityNamed.toJSON({
      factId: 'member:org_1.user_2@3',
      kind: 'member',
      entityId: 'user_2',
      accountId,
      name: 'Ada Lovelace',
      email: 'ada@example.com',
      state: 'named',
      occurredAt: '2026-01-02T03:04:07.000Z',
    }),
  ],
  [
    'sluice.request.v1.RequestRefused',
    RequestRefused.toJSON({
      refusalId: '0190a000-0000-7000-8000-0000000000dd',
      accountId,
      workspaceId,
      keyHash,
      reason: 'credits_exhausted',
      httpStatus: 402,
      count: 42n,
      requestId: 'req-0190a000-0000-7000-8000-0000000000cc',
      firstAt: '2026-01-02T03:04:05.678Z',
      lastAt: '2026-01-02T03:04:06.600Z',
    }),
  ],
  [
    'sluice.usage.v1.UsageCorrected',
    UsageCorrected.toJSON({
      correctionId: `${usageFact.usageId}/provider`,
      source: 'provider',
      fact: { ...usageFact, ...settled },
      estimatedInputTokens: usageFact.inputTokens,
      estimatedCachedTokens: usageFact.cachedTokens,
      estimatedOutputTokens: usageFact.outputTokens,
      estimatedReasoningTokens: usageFact.reasoningTokens,
      estimatedCostNanoUsd: usageFact.costNanoUsd,
      estimatedUpstreamCostNanoUsd: 1_300_000n,
      absorbedNanoUsd: 1n,
      estimatedDataDiscountNanoUsd: usageFact.dataDiscountNanoUsd,
      estimatedCacheDiscountNanoUsd: usageFact.cacheDiscountNanoUsd,
      correctedAt: '2026-01-02T04:00:00.000Z',
    }),
  ],
  ['sluice.usage.v1.UsageRecordedBundle', UsageRecordedBundle.toJSON({ facts: [usageFact] })],
  [
    'sluice.workspace.v1.DestinationsChanged',
    DestinationsChanged.toJSON({ accountId, isRevoked: true }),
  ],
  ['sluice.workspace.v1.WorkspaceChanged', WorkspaceChanged.toJSON({ accountId })],
]);
