import { describe, test } from 'vitest';
import { specification } from '@sluice/es/testing';
import { unsupportedFeatures } from './decide.ts';
import type { UnsupportedFeaturesMode } from './events.ts';

const { given } = specification(unsupportedFeatures);
const occurredAt = '2026-01-02T03:04:05.678Z';
const accountId = 'org_1';
const set = (mode: string) =>
  ({ type: 'SetUnsupportedFeaturesMode', accountId, mode, occurredAt }) as const;
const done = (mode: UnsupportedFeaturesMode) =>
  ({ type: 'UnsupportedFeaturesModeSet', data: { accountId, mode, setAt: occurredAt } }) as const;

describe('the mode of an account for unsupported features', () => {
  test('is lenient at first', () => {
    given().when(set('lenient')).thenNothing();
    given().when(set('strict')).then(done('strict'));
  });
  test('changes as often as it differs', () => {
    given(done('strict')).when(set('strict')).thenNothing();
    given(done('strict')).when(set('lenient')).then(done('lenient'));
    given(done('strict'), done('lenient')).when(set('lenient')).thenNothing();
  });
  test.each(['', 'Strict', 'off'])('is not "%s"', (mode) =>
    given(done('strict')).when(set(mode)).thenRejected('invalid_request'),
  );
});
