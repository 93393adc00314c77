import { Fault, invalidValue, requireAccepted } from '@sluice/errors';
import type { KeyManagement } from '@sluice/envelope';
import { type EventStore, givenFields } from '@sluice/es';
import { KeyServiceService, type UpdateKeyRequest } from '@sluice/protos/sluice/key/v1/key';
import type { Shown } from '@sluice/read-model';
import { commandContext, implement, type RpcService } from '@sluice/rpc';
import { Secret } from '@sluice/boot';
import { type Clock, isKeyHash } from '@sluice/clock-and-ids';
import { issueApiKey } from '../commands/issue-api-key.ts';
import { changeOf, type KeyChange } from '../commands/key-change.ts';
import type { ChangeApiKey } from '../domain/api-key/commands.ts';
import { apiKeyEvents } from '../store/api-key-events.ts';
import type { Closings } from '../store/closings.ts';
import type { IssueAttempts } from '../store/issue-attempts.ts';
import { keyClosings } from './key-closings.ts';
import { fromState, kindOf } from './key-message.ts';
import { type KeyQuestionDependencies, keyQuestions } from './key-questions.ts';
import { pastKeyFinder } from './past-key.ts';

export interface KeyRpcDependencies extends KeyQuestionDependencies {
  readonly eventStore: EventStore;
  readonly attempts: IssueAttempts;
  readonly closings: Closings;
  readonly keyManagement: KeyManagement;
  readonly clock: Clock;
  readonly randomBytes: (size: number) => Uint8Array;
  /** Notifies the other processes, best effort. */
  readonly publishChange: (change: KeyChange) => void;
  /** Waits until the read model holds a position, so that the next List sees the change. */
  readonly shown: { readonly keys: Shown };
}

export function keyRpc(dependencies: KeyRpcDependencies): RpcService {
  return implement(KeyServiceService, {
    ...writing(dependencies),
    ...keyQuestions({ ...dependencies, findPastKey: pastKeyFinder(dependencies) }),
    ...keyClosings(dependencies),
  });
}

function writing(dependencies: KeyRpcDependencies) {
  const { eventStore, clock, publishChange, shown } = dependencies;
  const handle = apiKeyEvents.handler(eventStore);
  const issue = issueApiKey({
    ...dependencies,
    handle,
    loadKey: async (hash) => (await apiKeyEvents.load(eventStore, hash)).state,
  });

  type Command = Parameters<typeof handle>[1];
  type Context = ReturnType<typeof commandContext>;
  async function carryOut(hash: string, command: Command, context: Context) {
    // Only a well-formed hash may become the name of a stream.
    if (!isKeyHash(hash)) throw new Fault('not_found');
    const handled = requireAccepted(await handle(hash, command, context));
    if (handled.events.length > 0) publishChange(changeOf(hash, context.accountId, handled));
    await shown.keys(handled.position, context.signal);
    return handled.state;
  }

  return {
    async issueKey({ context: sent, kind: sentKind, ...wanted }) {
      const context = commandContext(sent, clock.now());
      const kind = kindOf(sentKind);
      if (kind === undefined) throw invalidValue('kind', 'must be named');
      const issued = await issue(
        {
          kind,
          name: wanted.name,
          workspaceId: wanted.workspaceId.toLowerCase(),
          limitNanoUsd: wanted.limitNanoUsd ?? null,
          limitReset: wanted.limitReset ?? null,
          includeByokInLimit: wanted.includeByokInLimit,
          expiresAt: wanted.expiresAt ?? null,
          creatorUserId: wanted.creatorUserId ?? null,
          externalUser: wanted.externalUser ?? null,
          source: wanted.source ?? null,
          keepSecret: wanted.keepSecret ?? false,
          suppliedSecret:
            wanted.externalApiKey === undefined ? null : new Secret(wanted.externalApiKey),
        },
        context,
      );
      const key = fromState(issued.state);
      if (key) publishChange({ hash: key.hash, accountId: key.accountId, isRevoked: false });
      await shown.keys(issued.position, context.signal);
      return { key, secret: issued.secret };
    },
    async confirmDelivery(command) {
      await dependencies.attempts.eraseSecret(command);
      return {};
    },
    async updateKey(request) {
      const context = commandContext(request.context, clock.now());
      const { accountId, occurredAt, actor } = context;
      const changes = changesOf(request);
      const command = { type: 'ChangeApiKey', actorType: actor.type, accountId, changes } as const;
      const state = await carryOut(request.hash, { ...command, occurredAt }, context);
      const key = fromState(state);
      if (!key) throw new Fault('not_found');
      return { key };
    },
    async deleteKey({ context: sent, hash }) {
      const context = commandContext(sent, clock.now());
      const { accountId, occurredAt, actor } = context;
      const command = { type: 'DeleteApiKey', actorType: actor.type, accountId } as const;
      await carryOut(hash, { ...command, occurredAt }, context);
      return {};
    },
  } satisfies Partial<Handlers>;
}

type Handlers = Parameters<typeof implement<typeof KeyServiceService>>[1];

function changesOf(request: UpdateKeyRequest): ChangeApiKey['changes'] {
  const { name, disabled, includeByokInLimit, limit, limitReset } = request;
  return givenFields({
    name,
    disabled,
    includeByokInLimit,
    limitNanoUsd: limit && (limit.limitNanoUsd ?? null),
    limitReset: limitReset && (limitReset.limitReset ?? null),
  });
}
