import type { handleUnaryCall } from '@grpc/grpc-js';
import type {
  DeleteReq,
  DeleteResp,
  TombstoneReq,
  TombstoneResp,
} from '@sluice/protos/event_store/client/streams';
import type { AppendOutcome } from '../store/append-outcome.ts';
import type { ExpectedRevision } from '../store/expected-revision.ts';
import { isMetastream } from '../store/stream-metadata.ts';
import { appendSuccess } from './append-success.ts';
import type { NodeContext } from './context.ts';
import { expectedRevisionOf, expectedVersionNumber, streamNameOf } from './proposal.ts';
import {
  invalidArgument,
  streamDeleted,
  toStatus,
  writeTimeout,
  wrongExpectedVersion,
} from './refusal.ts';
import { within } from './within.ts';

type Removal = (stream: string, expected: ExpectedRevision) => Promise<AppendOutcome>;

/** Soft: the stream looks absent, and goes on behind its last revision when something is appended. */
export function deleteHandler(context: NodeContext): handleUnaryCall<DeleteReq, DeleteResp> {
  return handler(context, (stream, expected) => context.store.softDelete(stream, expected));
}

export function tombstoneHandler(
  context: NodeContext,
): handleUnaryCall<TombstoneReq, TombstoneResp> {
  return handler(context, (stream, expected) => context.store.tombstone(stream, expected));
}

function handler<Request extends DeleteReq | TombstoneReq>(
  { writeTimeoutMs }: NodeContext,
  removal: Removal,
): handleUnaryCall<Request, DeleteResp & TombstoneResp> {
  return ({ request }, callback) => {
    remove(request, removal, writeTimeoutMs).then(
      (response) => callback(null, response),
      (error: unknown) => callback(toStatus(error)),
    );
  };
}

async function remove(
  { options }: DeleteReq | TombstoneReq,
  removal: Removal,
  writeTimeoutMs: number,
): Promise<DeleteResp & TombstoneResp> {
  if (!options) throw invalidArgument('Options are required.');
  const stream = streamNameOf(options.streamIdentifier);
  if (isMetastream(stream)) throw invalidArgument('A metastream goes with its stream.');
  const expected = expectedRevisionOf(options.expectedStreamRevision);
  const outcome = await within(removal(stream, expected), writeTimeoutMs);
  if (outcome === 'timeout') throw writeTimeout();
  if (outcome.kind === 'stream_deleted') throw streamDeleted(stream);
  if (outcome.kind === 'wrong_expected_version')
    throw wrongExpectedVersion(stream, expectedVersionNumber(expected), outcome.currentRevision);
  const { positionOption } = appendSuccess(outcome);
  return { positionOption };
}
