import { usageBundleFactsMax } from '@sluice/bus';
import type { UsageRepeat } from '@sluice/usage-facts';
import type { Outcome } from './outcome.ts';
import type { Intent } from './record.ts';

/** Repeated answers whose facts differ in a few values only. */
export interface RepeatGroup {
  /** The first of them. */
  readonly intent: Intent;
  readonly ended: Outcome;
  readonly repeats: readonly UsageRepeat[];
}

interface GrowingGroup extends RepeatGroup {
  readonly repeats: UsageRepeat[];
}

/** The time that a record waits which shares the sync of another one (libs/spool). */
const waitMs = 10;
/** More groups than that are settled at once. */
const groupsMax = 1_000;

/** Repeated answers wait a moment for others like them, because one record tells many of them. */
export class PendingRepeats {
  readonly #settle: (group: RepeatGroup) => void;
  readonly #groups = new Map<string, GrowingGroup>();
  #timer: NodeJS.Timeout | undefined;

  constructor(settle: (group: RepeatGroup) => void) {
    this.#settle = settle;
  }

  add(intent: Intent, ended: Outcome): void {
    const likeness = likenessOf(intent, ended);
    const group = this.#groups.get(likeness);
    if (!group) {
      this.#groups.set(likeness, { intent, ended, repeats: [] });
      this.#timer ??= setTimeout(() => this.flush(), waitMs);
      if (this.#groups.size > groupsMax) this.flush();
      return;
    }
    group.repeats.push(repeatOf(intent, ended));
    if (group.repeats.length + 1 < usageBundleFactsMax) return;
    this.#groups.delete(likeness);
    this.#settle(group);
  }

  /** Settles all that wait. */
  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const groups = [...this.#groups.values()];
    this.#groups.clear();
    for (const group of groups) this.#settle(group);
  }
}

/** Returns a text that is another one if the facts differ in a value that `UsageRepeat` does not have. */
function likenessOf(intent: Intent, ended: Outcome): string {
  const { accountId, workspaceId, keyHash, model, provider, streamed, guardrailScopes } = intent;
  const { labels = {} } = intent;
  return [
    accountId,
    workspaceId,
    keyHash,
    model,
    provider,
    streamed,
    guardrailScopes,
    ended.finishReason,
    ended.nativeFinishReason,
    labels.endpointId,
    labels.userId,
    labels.httpReferer,
    labels.userAgent,
    labels.appTitle,
    labels.app,
    labels.appCategories,
    labels.guardrailInvoked,
    labels.moderationLatencyMs,
    labels.apiType,
    labels.dataRegion,
    labels.hasEnd,
  ].join('\0');
}

function repeatOf(
  { generationId, requestId, admittedAt, labels, traceparent = '' }: Intent,
  { completedAt }: Outcome,
): UsageRepeat {
  return {
    generationId,
    requestId,
    sourceId: labels?.responseCacheSourceId ?? '',
    startedAt: admittedAt.toISOString(),
    endedAt: completedAt.toISOString(),
    externalUser: labels?.externalUser ?? '',
    sessionId: labels?.sessionId ?? '',
    trace: labels?.trace ?? '',
    traceparent,
  };
}
