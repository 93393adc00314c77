import { isSearchOfClient, type JsonObject, type ServiceBody } from '@sluice/client-schemas';
import type { InferenceRequest } from '@sluice/inference';
import type { RequestDefaults } from '../../policy/policy.ts';
import { leaveOutTools, type Served, type UnsupportedMode } from '../../request/leave-out-tools.ts';
import type { Issues } from '../body/issues.ts';
import { findsTools } from './deferred-tools.ts';

/** Anthropic's kinds end in the day of their version. */
const versioned = /_\d{8}$/;

/** The tools of a request as its dialect reads them: hosted ones are native tools. */
type WithTools = Pick<InferenceRequest, 'tools' | 'toolChoice'>;

interface HostedRules {
  readonly mode: UnsupportedMode;
  /** Returns true for a hosted tool that some endpoint or the service runs. */
  readonly isServed: (tool: JsonObject) => boolean;
  /** Returns true for a kind that only the requests of other doors may have. Absent: there is none. */
  readonly lacks?: (kind: string) => boolean;
}

/** A tool of the body. */
export interface PlacedTool {
  /** The place of the tool in the body, such as `tools[0]`. */
  readonly path: string;
  readonly tool: JsonObject;
}

/** Returns what happens to a feature that nothing serves: the word of the body, or else that of its caller. */
export function unsupportedModeOf(
  { unsupported_features: asked }: ServiceBody,
  { unsupportedFeatures }: RequestDefaults,
): UnsupportedMode {
  return asked ?? unsupportedFeatures ?? 'lenient';
}

/** Refuses the hosted tools that no endpoint runs, unless `leaveOutUnserved` may leave them out. */
export function checkHostedTools(
  request: WithTools,
  placed: readonly PlacedTool[],
  rules: HostedRules,
  issues: Issues,
): void {
  const lacking = placed.filter(({ tool }) => rules.lacks?.(kindOf(tool)));
  for (const { path, tool } of lacking)
    issues.add(
      `${path}.type`,
      `the tool ${kindOf(tool)} is known, but not here: ask POST /responses for it`,
    );
  if (lacking.length > 0 || served(request, rules)) return;
  for (const { path, tool } of placed) {
    if (rules.isServed(tool)) continue;
    const kind = isSearchOfClient(tool) ? `${kindOf(tool)} of a client` : kindOf(tool);
    if (versioned.test(kind) || findsTools(kindOf(tool)))
      issues.addUnbuilt(`${path}.type`, `the tool ${kind}`);
    else issues.add(`${path}.type`, 'is no known kind of tool');
  }
}

function kindOf({ type }: JsonObject): string {
  return String(type);
}

/** Returns the tools of a checked request without those that no endpoint runs. */
export function leaveOutUnserved(request: WithTools, rules: HostedRules): Served<WithTools> {
  const found = served(request, rules);
  if (!found) throw new Error('invariant: a hosted tool that has to be served is checked before');
  return found;
}

function served(request: WithTools, { mode, isServed }: HostedRules) {
  const found = leaveOutTools(request, isServed);
  return mode === 'strict' && found?.request !== request ? undefined : found;
}
