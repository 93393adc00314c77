/** The help text of every gauge, by its name. Gauges are named here and nowhere else. */
export const gauges = {
  'analytics.differences':
    'Number of sums of analytics that are not those of its other tables and of the ledger.',
  'analytics.lag.seconds':
    'Seconds from a request to its count by analytics: the longest of the last batch.',
  'catalog.models': 'Number of models in the catalog that are listed.',
  'catalog.refused': '1 while the configured catalog cannot be used, else 0.',
  'catalog.version': 'Hash of the listed catalog. Replicas that list the same have the same.',
  'eventstore.diverged':
    '1 while the event store is not the one that the read models were made from, else 0.',
  'eventstore.recovery.cut.bytes':
    'Number of bytes of an unfinished append that the last start of the event store cut off.',
  'eventstore.recovery.lost.bytes':
    'Number of acknowledged bytes that were missing at the last start of the event store.',
  'eventstore.recovery.position':
    'End of the event log, in bytes, before and after the last start of the event store.',
  'eventstore.unavailable':
    '1 while the event store is away or refuses the credentials of the service, else 0.',
  'gateway.keys.cached': 'Number of API keys in the cache of the gateway.',
  'gateway.waiting': 'Number of inference requests in the queue of the load shedder.',
  'policy.known': 'Number of policies in the cache of routing.',
  'credential.known': 'Number of lists of provider credentials in the cache of routing.',
  'observer.backlog.age.seconds':
    'Seconds from the end of the oldest generation that a destination has not handled to now.',
  'observer.dead.letters': 'Number of dead letters of a destination.',
  'observer.destinations':
    'Number of destinations that are enabled and whose workspace broadcasts.',
  'observer.destinations.failing': '1 if the last attempt of a destination failed, else 0.',
  'projection.active':
    '1 in the process that writes the read model, 0 in processes that wait to take over.',
  'projection.lag.seconds':
    'Seconds from the oldest event that the read model does not show to now.',
  'projection.position': 'Commit position of the last event in the read model.',
  'projection.stopped':
    'Number of streams that the projection sets aside at a broken event; at least 1 while it has stopped.',
  'projection.rebuilds': 'Number of rebuilds of the read model.',
  'routing.answers.bytes': 'Estimated number of bytes of the upstream responses in memory.',
  'routing.endpoints.out': 'Number of endpoints that this replica skips because they failed.',
  'sandbox.containers': 'Number of warm containers of the sandbox.',
  'spend.lease.age.seconds': 'Seconds from the last renewal of the oldest lease to now.',
  'spend.leases': 'Number of leases of routing.',
  'spend.open': 'Number of holds of open requests.',
  'usage.backlog.age.seconds':
    'Seconds from the end of the oldest usage that the ledger has not counted to now.',
  'usage.disk.used.ratio':
    'Fraction of the spool disk in use. Requests are refused at 0.85 and above.',
  'usage.open': 'Number of attempts with an intent in the spool that have not ended.',
  'usage.publish.lag.seconds':
    'Seconds from the end of the oldest usage that the bus has not acknowledged to now.',
  'usage.spool.bytes': 'Number of bytes of the spool.',
  'usage.uncounted': 'Number of usage facts in the spool that the ledger has not counted.',
  'ledger.archive.overdue.days':
    'Number of days whose usage facts are older than is kept and are not archived.',
  'ledger.dead.letters': 'Number of messages and usage facts that the ledger could not count.',
  'ledger.estimates': 'Number of estimated usage facts without a correction.',
  'ledger.lag.seconds':
    'Seconds from the end of a generation to its count: the longest of the last batch.',
  'ledger.suspense': 'Number of estimates with an amount in suspense.',
  'ledger.suspense.age.seconds':
    'Seconds from the count of the oldest estimate in suspense to now.',
  'ledger.suspense.usd': 'US dollars in suspense, claims of providers included.',
} as const;

export type GaugeName = keyof typeof gauges;
