import { deepEqual, equal, match } from 'node:assert/strict';
import { createTelemetry } from '@sluice/telemetry';
import { describe, test } from 'vitest';
import { recordingLogger } from '../testing/gateway-world.ts';
import { type Refusal, refusalLog } from './refusal-log.ts';

const refusal = (resourceId: string): Refusal => ({
  context: {
    commandId: '0190a000-0000-7000-8000-000000000001',
    requestId: 'req_1',
    accountId: 'org_1',
    actorType: 'management_key',
    actorId: 'f'.repeat(64),
    traceparent: '',
  },
  action: 'api_key.create',
  resourceType: 'api_key',
  resourceId,
  status: 400,
  reason: 'invalid_request',
});
const telemetry = () => createTelemetry({ serviceName: 'gateway', otlpEndpoint: undefined });

describe('the log of refusals', () => {
  test('records all of them, a few at a time', async () => {
    const recorded: string[] = [];
    let open = 0;
    let openAtOnce = 0;
    const log = refusalLog({
      record: async ({ resourceId }) => {
        openAtOnce = Math.max(openAtOnce, ++open);
        await new Promise(setImmediate);
        open--;
        recorded.push(resourceId);
      },
      telemetry: telemetry(),
      logger: recordingLogger(),
    });
    const ids = Array.from({ length: 100 }, (_, index) => String(index));
    for (const id of ids) log.add(refusal(id));
    await log.idle();
    deepEqual(recorded.toSorted(), ids.toSorted());
    equal(openAtOnce, 4);
    log.add(refusal('later'));
    await log.idle();
    equal(recorded.at(-1), 'later');
  });

  test('drops what is too much or cannot be recorded, and counts both', async () => {
    const counted = telemetry();
    let release: () => void = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    let asked = 0;
    const log = refusalLog({
      record: async () => {
        asked++;
        await held;
        throw new Error('away');
      },
      telemetry: counted,
      logger: recordingLogger(),
    });
    for (let count = 0; count < 1_500; count++) log.add(refusal(String(count)));
    release();
    await log.idle();
    equal(asked, 1_004);
    const text = await counted.prometheus();
    match(text, /gateway_refusals_dropped_total\{[^}]*reason="full"[^}]*\} 496/);
    match(text, /gateway_refusals_dropped_total\{[^}]*reason="failed"[^}]*\} 1004/);
  });
});
