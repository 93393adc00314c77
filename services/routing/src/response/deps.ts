import type { Catalog } from '@sluice/catalog';
import type { Ids } from '@sluice/clock-and-ids';
import type { ClientDialectName } from '@sluice/inference-port';
import type { Refusals } from '@sluice/load-shedding';
import type { ModelShares } from '../clients/model-shares.ts';
import type { ClientDialect } from '../dialects/dialect.ts';
import type { AlignmentBeta } from '../policy/alignment-beta.ts';
import type { ContentLog } from '../outcomes/content-log.ts';
import type { ResponseEnds } from '../outcomes/response-ends.ts';
import type { OutcomeFacts } from '../outcomes/outcome-facts.ts';
import type { Policies } from '../policy/policies.ts';
import type { Presets } from '../policy/presets.ts';
import type { CallerCatalogs } from '../private-endpoints/caller-catalogs.ts';
import type { PrivateEndpoints } from '../private-endpoints/private-endpoints.ts';
import type { Pseudonyms } from '../request/pseudonyms.ts';
import type { Judged } from '../request/judged.ts';
import type { Routers } from '../selection/routers/index.ts';
import type { Recent } from '../stages/recent.ts';
import type { StageTable } from '../stages/stage-table.ts';
import type { McpClient } from '@sluice/mcp-client';
import type { ToolLimits } from '../tools/limits.ts';
import type { ToolTable } from '../tools/tool-table.ts';
import type { Asked, Asker, Asking } from './inner/asking.ts';
import type { ResponseCache } from './cache/response-cache.ts';
import type { FairSteps } from './fair-steps.ts';
import type { TurnLoop } from './turn-loop.ts';
import type { ClosedReason } from '../usage/outbox/admission.ts';
import type { TurnDeps } from '../turn/deps.ts';
import type { Drains } from '../turn/drains.ts';
import type { Running } from '../turn/running.ts';

/** Answers a request with these. */
export interface Pipeline extends TurnDeps {
  readonly catalog: Catalog;
  readonly dialects: Readonly<Record<ClientDialectName, ClientDialect>>;
  readonly stages: StageTable;
  readonly tools: ToolTable;
  readonly toolLimits: ToolLimits;
  /** Absent: only providers call servers of the Model Context Protocol. */
  readonly mcpClient?: McpClient | undefined;
  readonly turnLoop: TurnLoop;
  /** The turns of loops, and of requests that begin one. */
  readonly fairSteps: FairSteps;
  /** The answers that `turnLoop` may repeat. */
  readonly responseCache: Pick<ResponseCache, 'find'>;
  /** Answers a question of a tool. */
  readonly askModel: (asker: Asker, asking: Asking) => Promise<Asked>;
  /** The verdicts of judges on questions that accounts asked before. */
  readonly verdicts: Recent<Judged>;
  readonly shares: Pick<ModelShares, 'find'>;
  /** If absent, the routers of `selection/routers` are used. */
  readonly routers?: Routers;
  readonly policies: Pick<Policies, 'find'>;
  readonly alignment: AlignmentBeta;
  readonly presets: Pick<Presets, 'find'>;
  readonly privateEndpoints: Pick<PrivateEndpoints, 'find'>;
  readonly callerCatalogs: CallerCatalogs;
  readonly pseudonyms: Pseudonyms;
  readonly outcomes: Pick<OutcomeFacts, 'failed' | 'refused' | 'detected'>;
  readonly ends: Pick<ResponseEnds, 'report'>;
  readonly contentLog: Pick<ContentLog, 'report'>;
  readonly ids: Ids;
  /** Holds the responses in progress, also those whose client has left. */
  readonly running: Running;
  readonly drains: Drains;
  /** Returns why no request is admitted; undefined: they are. */
  readonly closedBecause: () => ClosedReason | undefined;
  readonly refusals: Pick<Refusals<ClosedReason>, 'add'>;
}
