import type { Scenario } from './perform.ts';
import { commands } from './scenarios/commands.ts';
import { destinationsUnderKills } from './scenarios/destinations/destinations.ts';
import { eventStore } from './scenarios/event-store/event-store.ts';
import { everyPart } from './scenarios/every-part.ts';
import { nodePowerCut } from './scenarios/node-power-cut/node-power-cut.ts';
import { outages } from './scenarios/outages.ts';
import { powerCut } from './scenarios/power-cut.ts';
import { storeAway } from './scenarios/store-away/store-away.ts';

/** A row of the table. */
export interface Row {
  readonly perform: Scenario;
  /** It cuts the power of a disk, for which it must be root and have mounts of its own. */
  readonly cutsPower?: boolean;
  /** The last line of a scenario that could not be performed to its end. */
  readonly broken: object;
}

/** Maps each target of the Makefile to its scenario: the part that is hit and how, the load, and the audit. */
export const scenarios: Readonly<Record<string, Row>> = {
  /** Any part is killed. Requests. The books, and what destinations got. */
  chaos: { perform: everyPart, broken: {} },
  /** The ledger, PostgreSQL and NATS are frozen and killed, on a bad network. Requests. The books. */
  'chaos-outages': { perform: outages, broken: { findings: 1 } },
  /** The disk under everything loses its power. Requests. The books. */
  'chaos-powercut': { perform: powerCut, cutsPower: true, broken: { findings: 1 } },
  /** The event store or PostgreSQL is frozen or killed for long. Probes. Their answers, and the limits. */
  'chaos-store-away': { perform: storeAway, broken: { findings: 1 } },
  /** The event store fails in fifteen ways. Commands and probes. The log, and what the API shows of it. */
  'chaos-eventstore': { perform: eventStore, broken: { findings: 1 } },
  /** The observer, NATS and the receiver are killed. Generations. What each destination got. */
  'chaos-destinations': {
    perform: destinationsUnderKills,
    broken: { test: 'destinations', ok: false },
  },
  /** The event store, projectors and PostgreSQL are killed. Commands. The log and the read models. */
  'test-crash': { perform: commands, broken: { test: 'crash', ok: false } },
  /** The disk of the event store node loses its power. Appends. The log. */
  'test-powercut': {
    perform: nodePowerCut,
    cutsPower: true,
    broken: { test: 'power-cut', ok: false },
  },
};
