import type { Notices } from '@sluice/bus';
import { type Clock, steadyMsOf } from '@sluice/clock-and-ids';
import type { Telemetry } from '@sluice/telemetry';
import type { CredentialCalls } from '../credentials/ask-credentials.ts';
import { createCredentials, type Credentials } from '../credentials/credentials.ts';
import { EndpointChanges } from '../private-endpoints/endpoint-changes.ts';
import {
  askPrivateEndpoints,
  createPrivateEndpoints,
  type PrivateEndpointCalls,
  type PrivateEndpoints,
} from '../private-endpoints/private-endpoints.ts';
import { askPolicy, type PolicyCalls } from '../policy/ask-policy.ts';
import { createPolicies, type Policies } from '../policy/policies.ts';
import { askPreset, createPresets, type Presets } from '../policy/presets.ts';

interface Asking {
  readonly policies: PolicyCalls;
  readonly credentials: CredentialCalls;
  /** Absent: no organization has private endpoints. */
  readonly endpointUse?: PrivateEndpointCalls;
  readonly clock: Clock;
  readonly telemetry: Pick<Telemetry, 'metrics'>;
  readonly lastKnownMsMax?: number | undefined;
}

/** The cached answers of other services. */
export interface KnownAnswers {
  readonly policies: Policies;
  readonly presets: Presets;
  readonly credentials: Credentials;
  readonly privateEndpoints: PrivateEndpoints;
  /** Finds changes of private endpoints whose notices are lost. */
  readonly endpointChanges: EndpointChanges;
}

/** Creates the caches of what other services say of an account. */
export function knownAnswers(
  { policies, credentials, endpointUse, clock, telemetry, lastKnownMsMax }: Asking,
  notices: Notices,
): KnownAnswers {
  const { policyQuestions, credentialQuestions } = telemetry.metrics;
  const endpointChanges = new EndpointChanges(endpointUse);
  const nowMs = steadyMsOf(clock);
  const options = { unsubscribedMs: () => notices.unsubscribedMs(), nowMs, lastKnownMsMax };
  return {
    policies: createPolicies({
      ...options,
      ask: (question) => counted(askPolicy(policies, question), policyQuestions),
    }),
    presets: createPresets({
      ...options,
      ask: (question) => counted(askPreset(policies.workspaces, question), policyQuestions),
    }),
    credentials: createCredentials({
      ...options,
      calls: {
        listUsable: (question) => counted(credentials.listUsable(question), credentialQuestions),
        openSecret: (question) => counted(credentials.openSecret(question), credentialQuestions),
      },
    }),
    privateEndpoints: createPrivateEndpoints({
      ...options,
      ask: async (question) =>
        endpointUse ? counted(askPrivateEndpoints(endpointUse, question), credentialQuestions) : [],
      // A change is found by a notice, or else by a question.
      unsubscribedMs: () => Math.min(notices.unsubscribedMs(), endpointChanges.unsubscribedMs()),
    }),
    endpointChanges,
  };
}

async function counted<Answer>(
  asked: Promise<Answer>,
  questions: Telemetry['metrics']['policyQuestions'],
): Promise<Answer> {
  try {
    const answer = await asked;
    questions.add(1, { outcome: 'answered' });
    return answer;
  } catch (error) {
    questions.add(1, { outcome: 'failed' });
    throw error;
  }
}
