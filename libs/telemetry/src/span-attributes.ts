/** Names of Sluice's own attributes of spans. Those of OpenTelemetry are written where they are set. */
export const spanAttributes = {
  /** The id in the header `X-Request-Id`. */
  requestId: 'sluice.request.id',
  generationId: 'sluice.generation.id',
  usageId: 'sluice.usage.id',
  accountId: 'sluice.account.id',
  workspaceId: 'sluice.workspace.id',
  /** The public hash of the key, never its secret. */
  keyHash: 'sluice.key.hash',
  /** The stream of an append, as the event store names it. */
  stream: 'sluice.stream',
  /** The types of the events of an append. */
  events: 'sluice.event.types',
} as const;
