import type { InferenceRequest } from '@sluice/inference';
import type { CanonicalCall } from '../request/call.ts';
import { preferring } from '../selection/testing/preferring.ts';
import { textRequest } from './text-request.ts';

/** A canonical call whose other fields ask for nothing. */
export function callOf(
  inference: InferenceRequest,
  changes: Partial<CanonicalCall> = {},
): CanonicalCall {
  return {
    preferences: preferring(),
    inference,
    plugins: {},
    user: undefined,
    sessionId: undefined,
    safetyIdentifier: undefined,
    trace: '',
    echoesUpstreamBody: false,
    unsupportedMode: 'lenient',
    leftOut: [],
    loop: {},
    ...changes,
  };
}

/** A canonical call in which the user says one text. */
export function textCall(text: string, changes: Partial<CanonicalCall> = {}): CanonicalCall {
  return callOf(textRequest(text), changes);
}
