import { equal, ok } from 'node:assert/strict';
import { Type } from 'typebox';
import { afterAll, beforeAll, test } from 'vitest';
import type { Stage } from '../../stages/stage.ts';
import { type RoutingHarness, routingHarness, textOf } from '../../testing/routing-harness.ts';
import type { ServerTool } from '../../tools/tool.ts';

// Loops whose models answer at the same moment share the event loop with all other requests.

const loops = 40;
/** The ticks in which responses were planned, and those of the runs of the tool. */
const planned: number[] = [];
const ran: number[] = [];
let tick = 0;

const tool: ServerTool = {
  type: 'service:datetime',
  asFunction: () => ({ description: 'A tool.', parameters: Type.Object({}) }),
  worstCost: () => 0n,
  async check() {
    planned.push(tick);
    return undefined;
  },
  replay: () => undefined,
  async run() {
    ran.push(tick);
    return { output: 'it is late', item: { datetime: 'late', timezone: 'UTC' } };
  },
};

/** Lets the first answers of all models arrive at the same moment. */
const together: Stage = (() => {
  const { promise, resolve } = Promise.withResolvers<void>();
  let arrived = 0;
  return {
    at: 'output',
    name: 'together',
    open: () => ({
      async parts(parts) {
        arrived += 1;
        if (arrived === loops) resolve();
        await promise;
        return parts;
      },
      report: () => ({ reports: [], detections: [], isBlocked: false }),
    }),
  };
})();

let routing: RoutingHarness;
beforeAll(async () => {
  routing = await routingHarness({ tools: [tool], stages: [together] });
});
afterAll(() => routing.stop());

test('loops that begin or go on at the same moment take a few turns in each tick', async () => {
  const body = {
    model: 'sim/echo',
    input: 'agent: call service_datetime then say done',
    tools: [{ type: 'service:datetime' }],
  };
  let isOver = false;
  const count = () => {
    tick += 1;
    if (!isOver) setImmediate(count);
  };
  count();
  const ask = async () => await textOf(await routing.call(body));
  const answers = await Promise.all(Array.from({ length: loops }, ask));
  isOver = true;
  ok(answers.every((answer) => answer.includes('done')));
  equal(ran.length, loops);
  for (const ticks of [planned, ran]) {
    const most = Math.max(
      ...Map.groupBy(ticks, (one) => one)
        .values()
        .map((steps) => steps.length),
    );
    ok(most <= 4, `${String(most)} steps ran in one tick`);
  }
  equal(planned.length, loops);
});
