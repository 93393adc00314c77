import { catalog, Fault, isRejection, type Rejection } from '@sluice/errors';
import type { InferenceCall, InferenceReply } from '@sluice/inference-port';
import { type ErrorContext, faultOf } from '@sluice/client-errors';
import { traceField } from '@sluice/telemetry';
import { type Refused, type Routed, routedOf } from '../selection/plan.ts';
import { type ClosedReason, closedReasons } from '../usage/outbox/admission.ts';
import { countInput } from './count-input.ts';
import type { Pipeline } from './deps.ts';
import { planResponse } from './plan-response.ts';
import { readCall } from './planning/read-call.ts';
import { ResponseRun } from './response-run.ts';
import { runResponse } from './run.ts';
import { serviceMetadata } from './service-metadata.ts';
import { withWarnings } from './with-warnings.ts';

/** Answers one request: reads it, plans its response and runs it. Never throws: an error is a reply. */
export async function createResponse(
  pipeline: Pipeline,
  call: InferenceCall,
): Promise<InferenceReply> {
  const closed = pipeline.closedBecause();
  if (closed !== undefined) {
    pipeline.refusals.add(closed);
    return refuse(pipeline, call, overloaded(closed));
  }
  const dialect = pipeline.dialects[call.dialect];
  const { tellCount } = dialect;
  let response: ResponseRun | undefined;
  try {
    const reading = readCall(pipeline, call);
    const read = reading instanceof Promise ? await reading : reading;
    if (isRejection(read)) return refuse(pipeline, call, read);
    const planning = planResponse(read);
    const planned = planning instanceof Promise ? await planning : planning;
    if (tellCount) {
      const counted = await countInput(read, planned);
      if (isRejection(counted)) return refuse(pipeline, call, counted);
      return withWarnings(tellCount(counted), read.parsed.call);
    }
    if (isRejection(planned)) return refuse(pipeline, call, planned);
    response = new ResponseRun(pipeline, call, planned);
    const reply = await runResponse(pipeline, response);
    if (isRejection(reply)) return refuse(pipeline, call, reply, routedOf(planned.plan));
    return withWarnings(reply, planned.request);
  } catch (error) {
    note(pipeline, call, error);
    if (!response?.isHeld) pipeline.outcomes.refused(call, faultOf(error).code);
    const told = withParsedFiles(error, response);
    return named(dialect.error(told, contextOf(call, response)), response);
  }
}

/** Answers a request that goes no further, and counts it for the bus. */
function refuse(
  { dialects, outcomes }: Pipeline,
  call: InferenceCall,
  problem: Rejection | Refused | Fault,
  plan?: Routed,
): InferenceReply {
  const { client } = call;
  outcomes.refused(call, isRejection(problem) ? problem.rejected : problem.code);
  const routed = plan ?? ('routed' in problem ? problem.routed : undefined);
  const metadata =
    routed && client?.wantsMetadata ? serviceMetadata(routed, [], undefined) : undefined;
  return dialects[call.dialect].error(problem, { metadata, client });
}

/** The client need not pay again for files that a plugin read, although no provider has answered. */
function withParsedFiles(error: unknown, response: ResponseRun | undefined): unknown {
  const files = response?.planned.request.parsedFiles;
  if (!files || !(error instanceof Fault)) return error;
  const { code, message, metadata, retryAfterSeconds, rate } = error;
  return new Fault(code, {
    message,
    metadata: { ...metadata, file_annotations: files.map((file) => ({ type: 'file', file })) },
    ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
    ...(rate && { rate }),
    cause: error,
  });
}

/** A response has a name for its client once its first turn is held. */
function contextOf({ client }: InferenceCall, response: ResponseRun | undefined): ErrorContext {
  const generationId = response?.isHeld ? response.id : undefined;
  const { alignment } = response ?? {};
  const details = alignment && alignment.calls.length > 0 ? { alignment } : undefined;
  return { metadata: response?.metadata(), details, generationId, client };
}

function named(reply: InferenceReply, response: ResponseRun | undefined): InferenceReply {
  return response ? { ...reply, headers: { ...reply.headers, ...response.headers } } : reply;
}

const overloadedRetrySeconds = 1;

function overloaded(reason: ClosedReason): Fault {
  return new Fault('unavailable', {
    retryAfterSeconds: overloadedRetrySeconds,
    cause: new Error(closedReasons[reason]),
  });
}

function note({ logger }: Pipeline, call: InferenceCall, error: unknown): void {
  const { code } = faultOf(error);
  const fields = { requestId: call.requestId, ...traceField(call.traceparent), code };
  if (code === 'internal') logger.error('a request broke', { ...fields, error });
  // An upstream's refusal may quote the request, which is for the client alone.
  else if (catalog[code].http < 500 || call.signal.aborted)
    logger.info('a request was refused', fields);
  else logger.warn('a request failed', { ...fields, error });
}
