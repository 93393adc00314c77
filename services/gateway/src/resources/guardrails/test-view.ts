import type { TestGuardrailResponse } from '@sluice/protos/sluice/guardrail/v1/guardrail';
import type { GuardrailTestView } from './test-schema.ts';

const strength = { flag: 1, redact: 2, block: 3 } as const;
const outcomes = ['passed', 'flagged', 'redacted', 'blocked'] as const;

/** Shows a test: the strongest action that a request with the text would meet, and the places. */
export function testView(tested: TestGuardrailResponse): GuardrailTestView {
  const strongest = tested.detections.reduce(
    (most, { action }) => Math.max(most, strength[action as keyof typeof strength] ?? 0),
    0,
  );
  return {
    action: outcomes[strongest] ?? 'passed',
    detections: tested.detections.map(({ filter, label, action, rule, start, end }) => ({
      filter,
      label,
      action,
      pattern: rule,
      start,
      end,
    })),
    detections_omitted: Number(tested.omitted),
    redacted_text: tested.redactedText,
    timed_out: tested.isCut,
  };
}
