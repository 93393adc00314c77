import { status } from '@grpc/grpc-js';
import {
  AccessDenied,
  BadRequest,
  MaximumAppendSizeExceeded,
  StreamDeleted,
  Timeout,
  WrongExpectedVersion,
} from '@sluice/protos/event_store/client/shared';
import type { BatchAppendResp } from '@sluice/protos/event_store/client/streams';
import type { AppendOutcome } from '../store/append-outcome.ts';
import type { ExpectedRevision } from '../store/expected-revision.ts';
import { appendSuccess } from './append-success.ts';
import { Refusal, toStatus } from './refusal.ts';

type Result = NonNullable<BatchAppendResp['result']>;

export function batchResult(
  stream: string,
  expected: ExpectedRevision,
  outcome: AppendOutcome,
): Result {
  switch (outcome.kind) {
    case 'written':
      return { $case: 'success', value: appendSuccess(outcome) };
    case 'stream_deleted': {
      const message = { streamIdentifier: { streamName: Buffer.from(stream) } };
      const details = StreamDeleted.encode(message).finish();
      return failed(status.NOT_FOUND, 'StreamDeleted', details);
    }
    case 'wrong_expected_version': {
      const message = wrongVersion(expected, outcome.currentRevision);
      const details = WrongExpectedVersion.encode(message).finish();
      return failed(status.ALREADY_EXISTS, 'WrongExpectedVersion', details);
    }
  }
}

export function accessDeniedResult(): Result {
  return failed(status.PERMISSION_DENIED, 'AccessDenied', AccessDenied.encode({}).finish());
}

export function timedOutResult(): Result {
  return failed(status.DEADLINE_EXCEEDED, 'Timeout', Timeout.encode({}).finish());
}

export function tooLargeResult(maxAppendSize: number): Result {
  const details = MaximumAppendSizeExceeded.encode({ maxAppendSize }).finish();
  return failed(status.INVALID_ARGUMENT, 'MaximumAppendSizeExceeded', details);
}

/** A real node gives no code and says nothing in the details: clients have the text alone. */
export function electionResult(text: string): Result {
  return failed(status.OK, 'Empty', new Uint8Array(), text);
}

/** Says what is wrong in the details, which the official client does not show; of a failure it shows the text. */
export function failedResult(error: unknown): Result {
  const { code, details } = toStatus(error);
  if (!(error instanceof Refusal)) return failed(code, 'BadRequest', new Uint8Array(), details);
  return failed(code, 'BadRequest', BadRequest.encode({ message: details }).finish());
}

function failed(code: status, type: string, details: Uint8Array, message = type): Result {
  const any = {
    typeUrl: `type.googleapis.com/event_store.client.${type}`,
    value: Buffer.from(details),
  };
  return { $case: 'error', value: { code, message, details: any } };
}

function wrongVersion(expected: ExpectedRevision, current: number | undefined) {
  const value = {};
  const currentStreamRevisionOption =
    current === undefined
      ? ({ $case: 'currentNoStream', value } as const)
      : ({ $case: 'currentStreamRevision', value: BigInt(current) } as const);
  return { currentStreamRevisionOption, expectedStreamPositionOption: expectation(expected) };
}

function expectation(
  expected: ExpectedRevision,
): WrongExpectedVersion['expectedStreamPositionOption'] {
  if (typeof expected === 'number')
    return { $case: 'expectedStreamPosition', value: BigInt(expected) };
  if (expected === 'any') return { $case: 'expectedAny', value: {} };
  if (expected === 'no_stream') return { $case: 'expectedNoStream', value: {} };
  return { $case: 'expectedStreamExists', value: {} };
}
