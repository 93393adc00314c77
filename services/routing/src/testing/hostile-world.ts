import { startHostileServer, type HostileServer, type Scenario } from './hostile-server.ts';
import { routingHarness, type RoutingHarness } from './routing-harness.ts';
import type { InferenceReply } from '@sluice/inference-port';

export const dialects = [
  'openai-chat',
  'openai-responses',
  'anthropic-messages',
  'google-gemini',
] as const;
/** The time limits for an upstream, in milliseconds. */
export interface Patience {
  readonly firstOutputTimeoutMs: number;
  readonly idleTimeoutMs: number;
}

/** Ends while a test looks on. */
const hasty: Patience = { firstOutputTimeoutMs: 300, idleTimeoutMs: 150 };
/** Does not end because a machine is slow. */
export const patient: Patience = { firstOutputTimeoutMs: 60_000, idleTimeoutMs: 60_000 };

/** Routing with one hostile upstream in each dialect. Its timeouts are short by default. */
export interface HostileWorld {
  readonly hostile: HostileServer;
  readonly routing: RoutingHarness;
  ask(
    scenario: Scenario,
    how?: {
      readonly stream?: boolean;
      readonly dialect?: string;
      readonly maxOutputTokens?: number;
    },
  ): Promise<InferenceReply>;
  stop(): Promise<void>;
}

export async function hostileWorld(
  patience = hasty,
  options: { readonly keptBytesMax?: number; readonly statusHeldMs?: number } = {},
): Promise<HostileWorld> {
  const { firstOutputTimeoutMs, idleTimeoutMs } = patience;
  const { statusHeldMs = 5_000, ...more } = options;
  const hostile = await startHostileServer();
  const routing = await routingHarness({
    ...more,
    catalogFile: () => catalogFile(hostile.url),
    limits: {
      firstOutputTimeoutMs,
      wholeTimeoutMs: firstOutputTimeoutMs,
      idleTimeoutMs,
      statusHeldMs,
    },
  });
  return {
    hostile,
    routing,
    ask(scenario, { stream = true, dialect = 'openai-chat', maxOutputTokens = 50 } = {}) {
      hostile.scenario = scenario;
      const model = `hostile/${dialect}`;
      return routing.call({ model, input: 'hi', stream, max_output_tokens: maxOutputTokens });
    },
    async stop() {
      await routing.stop();
      await hostile.stop();
    },
  };
}

function catalogFile(url: string): string {
  const providers = dialects.map((dialect) => ({
    slug: dialect,
    name: dialect,
    dialect,
    base_url: url,
  }));
  const models = dialects.map((dialect) => ({
    id: `hostile/${dialect}`,
    provider: dialect,
    upstream_model: 'm',
    context_length: 8_000,
    max_output_tokens: 4_000,
    pricing: { prompt: '0.000001', completion: '0.000002' },
  }));
  return JSON.stringify({ providers, models });
}

/** Sends these pieces and ends. */
export const sends =
  (...pieces: readonly (string | Uint8Array)[]): Scenario =>
  (socket) => {
    for (const piece of pieces) socket.write(piece);
    socket.end();
  };

/** An event of chat completions that says so much. */
export const delta = (text: string): string =>
  `data: ${JSON.stringify({ id: 'x', choices: [{ delta: { content: text } }] })}\n\n`;
