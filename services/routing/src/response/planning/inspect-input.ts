import { isRejection, type Rejection } from '@sluice/errors';
import { detectedFact } from '../../outcomes/detected-fact.ts';
import type { CanonicalCall } from '../../request/call.ts';
import { settingsOf } from '../../request/plugins.ts';
import { choose } from '../../selection/choose.ts';
import { type Refused, type Routed, routedOf } from '../../selection/plan.ts';
import { withoutParsed } from '../../stages/file-parser/index.ts';
import { runInputStages } from '../../stages/run-input-stages.ts';
import type { GuardrailDetection, StageRefusal, StageReport } from '../../stages/stage.ts';
import { choosingOf } from './choosing.ts';
import { payingPlugins } from './paying-plugins.ts';
import type { ReadCall } from './read-call.ts';
import type { Asked } from './show-server-tools.ts';

/** A request after its input stages. */
export interface Inspected {
  readonly inspected: CanonicalCall;
  readonly inputReports: readonly StageReport[];
  readonly detections: readonly GuardrailDetection[];
}

const none: readonly never[] = [];

/** Runs the input stages, and counts what guardrails found for the bus. */
export function inspectInput(
  read: ReadCall & Asked,
): Inspected | Promise<Inspected | Refused | Rejection> {
  const { pipeline, call, asked, context } = read;
  if (pipeline.stages.input.some((stage) => stage.concerns?.(asked, context) ?? true))
    return runStages(read);
  const { words, settingsAreWishes } = pipeline.dialects[call.dialect];
  const inspected = { ...asked, words, settingsAreWishes };
  return { inspected, inputReports: none, detections: none };
}

async function runStages(read: ReadCall & Asked): Promise<Inspected | Refused | Rejection> {
  // Nothing is paid for a request that no endpoint serves.
  const chosen = payingPlugins.some((id) => settingsOf(read.asked, id))
    ? chosenOf(read, withoutParsed(read.asked))
    : undefined;
  if (chosen && isRejection(chosen)) return chosen;
  const { pipeline, call } = read;
  const { tellCount, words, settingsAreWishes } = pipeline.dialects[call.dialect];
  const asked = { ...read.asked, words, settingsAreWishes };
  const staged = await runInputStages(pipeline.stages.input, asked, {
    ...read.context,
    ...(chosen && { candidates: chosen.attempts }),
  });
  const { detections = [] } = staged;
  const isBlocked = isRejection(staged);
  // The request that is counted now is reported when it is sent.
  if (detections.length > 0 && !tellCount)
    pipeline.outcomes.detected(() => detectedFact(call, detections, { isBlocked }));
  if (isRejection(staged)) return blocked(read, staged);
  const { call: inspected, reports } = staged;
  return { inspected, inputReports: reports, detections };
}

/** Returns the endpoints for a request of any length. */
function chosenOf(read: ReadCall, asked: CanonicalCall): ReturnType<typeof choose> {
  return choose(asked, choosingOf(read));
}

/** Returns the refusal of a stage with the endpoints that the request would have had. */
function blocked(
  read: ReadCall & Asked,
  { reports = [], detections: _detections, ...rejection }: StageRefusal,
): Refused {
  const chosen = chosenOf(read, read.asked);
  const isKnown = !isRejection(chosen) || 'routed' in chosen;
  const routed = isKnown ? routedOf(chosen) : nowhere(read.asked);
  return { ...rejection, routed: { ...routed, stages: reports, isBlocked: true } };
}

function nowhere({ preferences: { models } }: CanonicalCall): Routed {
  return {
    requested: models[0] ?? '',
    strategy: 'direct',
    askedFirst: [],
    attempts: [],
    candidates: [],
  };
}
