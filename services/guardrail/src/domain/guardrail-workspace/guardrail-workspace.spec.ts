import { describe, test } from 'vitest';
import { specification } from '@sluice/es/testing';
import { guardrailWorkspace } from './decide.ts';

const { given } = specification(guardrailWorkspace);
const occurredAt = '2026-01-02T03:04:05.678Z';
const of = { accountId: 'org_1', workspaceId: '0190a000-0000-7000-8000-000000000010' };
const end = { type: 'EndWorkspace', ...of, occurredAt } as const;
const ended = {
  type: 'GuardrailWorkspaceEnded',
  data: { ...of, endedAt: occurredAt },
} as const;

describe('a workspace that was deleted', () => {
  test('has ended here, too', () => given().when(end).then(ended));
  test('ends once', () => given(ended).when(end).thenNothing());
});
