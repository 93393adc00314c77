/** What every gauge of Sluice is called, and what it shows. */
export const gauges = {
  'catalog.models': 'models of the catalogue that are listed',
  'catalog.refused': '1 while what is there to be read as the catalogue cannot be used',
  'catalog.version':
    'a number of what the catalogue lists: the same in replicas that list the same',
  'eventstore.diverged':
    '1 while the event store is not the one that the read models of the service were made from',
  'eventstore.recovery.cut.bytes':
    'bytes of an unfinished append that the last start of the event store cut off',
  'eventstore.recovery.lost.bytes':
    'acknowledged bytes that were missing at the last start of the event store and given up',
  'eventstore.recovery.position':
    'where the log of the event store ended, before and after its last start',
  'eventstore.unavailable':
    '1 while the event store is away, or refuses the credentials or a right of the service',
  'gateway.keys.cached': 'keys that the gateway knows without asking',
  'gateway.waiting': 'inference requests that wait for their turn',
  'policy.known': 'policies that routing knows without asking',
  'credential.known': 'lists of provider credentials that routing knows without asking',
  'projection.active':
    '1 in the process that writes the read model, 0 in those that wait to take over',
  'projection.lag.seconds': 'age in seconds of the oldest event that the read model does not show',
  'projection.position': 'commit position of the last event in the read model',
  'projection.stopped':
    '1 while the projection has stopped at an event that it cannot apply, or after another failure',
  'projection.rebuilds': 'number of times that the read model was built anew',
  'routing.answers.bytes': 'bytes that the answers which are being read keep, by estimate',
  'routing.endpoints.out': 'endpoints that this replica leaves alone because they failed',
  'spend.lease.age': 'seconds since the ledger was heard of the lease that is oldest',
  'spend.leases': 'leases that routing has',
  'spend.open': 'holds of requests under way',
  'usage.backlog.age': 'seconds since the end of the oldest usage that the ledger has not counted',
  'usage.disk.used': 'of the disk under the spool, from 0 to 1; nothing is admitted from 0.85 on',
  'usage.open': 'attempts whose intent is in the spool and that have not ended',
  'usage.publish.lag': 'seconds since the end of the oldest usage that the bus does not have',
  'usage.spool.bytes': 'bytes that the spool takes',
  'usage.uncounted': 'usage facts in the spool that the ledger has not counted',
  'ledger.dead.letters': 'messages and usage that could not be counted and are kept for people',
  'ledger.estimates': 'usage that is our own estimate and was not corrected',
  'ledger.lag.seconds':
    'seconds from the end of a generation to its count, the longest of the last batch',
  'ledger.suspense': 'estimates that have something in suspense',
  'ledger.suspense.age': 'seconds since the oldest of them was counted',
  'ledger.suspense.usd': 'USD in suspense, claims of providers included',
} as const;

/** Gauges are named here and nowhere else. */
export type GaugeName = keyof typeof gauges;
