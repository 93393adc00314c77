import { equal, match, notEqual } from 'node:assert/strict';
import { describe, test } from 'vitest';
import { defaultGuardrailId } from './index.ts';

const workspaceId = '0190a000-0000-7000-8000-000000000010';

describe('the id of a default guardrail', () => {
  test('is this one for ever: clients keep it', () => {
    equal(defaultGuardrailId(workspaceId), '66fb1c39-ecd9-5bcc-801c-4bdbc4564bc6');
  });

  test('is a UUID v5, and the same however the id of the workspace is written', () => {
    match(
      defaultGuardrailId(workspaceId),
      /^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-/,
    );
    equal(defaultGuardrailId(workspaceId.toUpperCase()), defaultGuardrailId(workspaceId));
  });

  test('differs from workspace to workspace', () => {
    notEqual(
      defaultGuardrailId(workspaceId),
      defaultGuardrailId('0190a000-0000-7000-8000-000000000011'),
    );
  });
});
