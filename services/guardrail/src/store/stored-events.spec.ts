import { join } from 'node:path';
import { describe } from 'vitest';
import { storedEventsSpecification } from '@sluice/es/testing';
import { guardrail } from '../domain/guardrail/decide.ts';
import { guardrailPhrases } from '../domain/guardrail-phrases/decide.ts';
import { guardrailWorkspace } from '../domain/guardrail-workspace/decide.ts';
import { keyGuardrail } from '../domain/key-guardrail/decide.ts';
import { memberGuardrail } from '../domain/member-guardrail/decide.ts';
import { unsupportedFeatures } from '../domain/unsupported-features/decide.ts';
import { guardrailEvents } from './guardrail-events.ts';
import { guardrailPhrasesEvents } from './guardrail-phrases-events.ts';
import { guardrailWorkspaceEvents } from './guardrail-workspace-events.ts';
import { keyGuardrailEvents } from './key-guardrail-events.ts';
import { memberGuardrailEvents } from './member-guardrail-events.ts';
import { unsupportedFeaturesEvents } from './unsupported-features-events.ts';

const golden = (aggregate: string) => join(import.meta.dirname, '../domain', aggregate, 'golden');

describe('guardrails', () => {
  storedEventsSpecification({
    codec: guardrailEvents,
    decider: guardrail,
    goldenDirectory: golden('guardrail'),
  });
});

describe('guardrails of keys', () => {
  storedEventsSpecification({
    codec: keyGuardrailEvents,
    decider: keyGuardrail,
    goldenDirectory: golden('key-guardrail'),
  });
});

describe('guardrails of members', () => {
  storedEventsSpecification({
    codec: memberGuardrailEvents,
    decider: memberGuardrail,
    goldenDirectory: golden('member-guardrail'),
  });
});

describe('workspaces of guardrails', () => {
  storedEventsSpecification({
    codec: guardrailWorkspaceEvents,
    decider: guardrailWorkspace,
    goldenDirectory: golden('guardrail-workspace'),
  });
});

describe('phrases of guardrails', () => {
  storedEventsSpecification({
    codec: guardrailPhrasesEvents,
    decider: guardrailPhrases,
    goldenDirectory: golden('guardrail-phrases'),
  });
});

describe('modes for unsupported features', () => {
  storedEventsSpecification({
    codec: unsupportedFeaturesEvents,
    decider: unsupportedFeatures,
    goldenDirectory: golden('unsupported-features'),
  });
});
