import type { EventStore } from '@sluice/es';
import type { WorkspaceServiceService } from '@sluice/protos/sluice/workspace/v1/workspace';
import type { AccountReads, Queryable, Shown } from '@sluice/read-model';
import type { implement } from '@sluice/rpc';
import type { Clock } from '@sluice/clock-and-ids';
import type { Directory } from '../commands/directory.ts';

export interface BudgetQuestionDependencies {
  readonly readModel: AccountReads & Queryable;
  /** False while the read model has never held all workspaces. */
  readonly isComplete: () => boolean;
}

export interface WorkspaceRpcDependencies extends BudgetQuestionDependencies {
  readonly eventStore: EventStore;
  readonly clock: Clock;
  readonly directory: Directory;
  /** Notifies the other processes, best effort. */
  readonly publishChange: (change: { readonly accountId: string }) => void;
  /** Each waits until its read models hold a position, so that the next list sees the change. */
  readonly shown: {
    readonly workspaces: Shown;
    readonly members: Shown;
    readonly aliases: Shown;
    readonly presets: Shown;
  };
}

/** All calls of the service; a file answers some of them. */
export type Handlers = Parameters<typeof implement<typeof WorkspaceServiceService>>[1];
