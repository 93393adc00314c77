import type { Rejection } from '@sluice/errors';
import type { Refused } from '../selection/plan.ts';
import { addPluginTools } from './planning/add-plugin-tools.ts';
import { askJudge } from './planning/ask-judge.ts';
import { checkCandidates } from './planning/check-candidates.ts';
import { checkNativeTools } from './planning/check-native-tools.ts';
import { checkServerTools } from './planning/check-server-tools.ts';
import { chooseEndpoints } from './planning/choose-endpoints.ts';
import { fitRequest } from './planning/fit-request.ts';
import { insertCredentials } from './planning/insert-credentials.ts';
import { inspectInput } from './planning/inspect-input.ts';
import { prepareForRouter } from './planning/prepare-for-router.ts';
import { resumeWorkers } from './planning/resume-workers.ts';
import { openResponseStages } from './planning/open-response-stages.ts';
import { listMcpTools } from './planning/list-mcp-tools.ts';
import { takeTurn } from './planning/take-turn.ts';
import type { ReadCall } from './planning/read-call.ts';
import { lookUpRepeated } from './planning/look-up-repeated.ts';
import { showServerTools } from './planning/show-server-tools.ts';
import { Steps } from './planning/steps.ts';
import type { Planned } from './planned.ts';

const unplanned = {
  listed: undefined,
  beginning: undefined,
  asked: undefined,
  serverTools: undefined,
  caching: undefined,
  inspected: undefined,
  inputReports: undefined,
  detections: undefined,
  chosen: undefined,
  inputTokens: undefined,
  conversation: undefined,
  withCredentials: undefined,
  request: undefined,
  writers: undefined,
  fitted: undefined,
  plan: undefined,
  moderationLatencyMs: undefined,
  attemptStages: undefined,
  turnStages: undefined,
  outputs: undefined,
};

/** The steps from a valid request to the plan of its response, in the contract's order (inference.md, section 18). */
const steps = Steps.from<ReadCall>(unplanned)
  .add(takeTurn)
  .add(listMcpTools)
  .add(resumeWorkers)
  .add(prepareForRouter)
  .add(addPluginTools)
  .add(showServerTools)
  .add(checkServerTools)
  .add(lookUpRepeated)
  .add(inspectInput)
  .add(askJudge)
  .add(chooseEndpoints)
  .add(insertCredentials)
  .add(fitRequest)
  .add(checkCandidates)
  .add(checkNativeTools)
  .add(openResponseStages);

type Ended = Planned | Refused | Rejection;

/** Plans the response to a request: what is sent, to which endpoints, in which order. Most plans wait for nothing. */
export function planResponse(read: ReadCall): Ended | Promise<Ended> {
  return steps.run(read);
}
