import { Fault, isRejection, type Rejection, rejectionToFault } from '@sluice/errors';
import { failurePart } from '@sluice/client-errors';
import type { AnswerPart, LastPart } from '@sluice/inference';
import { addToolUse, noToolUse } from '../request/tool-use.ts';
import { addUsage, type UsageReport, withToolUse } from '../request/usage-report.ts';
import { defaultToolLimits, type ToolLimits } from '../tools/limits.ts';
import type { ShownTool, ShownTools } from '../tools/shown-tool.ts';
import { acceptTurn } from '../turn/accept-turn.ts';
import type { TurnDeps } from '../turn/deps.ts';
import type { TurnEnd } from '../turn/settle.ts';
import type { TurnListener } from '../turn/turn-listener.ts';
import { FairSteps } from './fair-steps.ts';
import { Citations } from './citations/citations.ts';
import { callsWithOutputs, McpOpening } from './mcp-opening.ts';
import type { ResponseTurns } from './response-turns.ts';
import { followingParts, outputItem, pendingParts } from './call-parts.ts';
import { type CallsToRun, runCalls, type RunCall, ToolUses } from './run-calls.ts';
import { judgePending, runJudged } from './run-judged.ts';
import { choiceAfter, newTools } from './next-tools.ts';
import { callsLeft, isLoopOver, type LoopSoFar } from './stop-conditions.ts';
import { TurnCalls } from './turn-calls.ts';
import type { TurnLoop } from './turn-loop.ts';
import { openingEnd } from './opening-end.ts';

/**
 * Runs turns until the model calls no server tool any more (contract inference.md 6). After the first turn a failure
 * ends the answer and not the request: what was done is paid for.
 */
export function toolLoop(
  given: Partial<ToolLimits> = {},
  fairSteps: FairSteps = new FairSteps(),
): TurnLoop {
  const limits = { ...defaultToolLimits, ...given };
  return (deps, response, listener) => {
    const { serverTools, beginning, sources } = response;
    if (!serverTools && !beginning && !sources) {
      // Several answers may be made to one turn.
      if (response.turnStages.some((stage) => stage.judge !== undefined))
        response.turn.cancellation.endsBy(performance.now() + limits.loopMs);
      return runJudged(deps, response, listener);
    }
    const tools: ShownTools = serverTools ?? new Map();
    return new Loop(deps, response, { listener, limits, tools, fairSteps }).run();
  };
}

interface LoopParts {
  readonly listener: TurnListener;
  readonly limits: ToolLimits;
  readonly tools: ShownTools;
  readonly fairSteps: FairSteps;
}

/** The loop of one response. */
class Loop {
  readonly #deps: TurnDeps;
  readonly #response: ResponseTurns;
  readonly #listener: TurnListener;
  readonly #limits: ToolLimits;
  readonly #tools: ShownTools;
  readonly #fairly: () => Promise<void> | undefined;
  readonly #deadlineMs: number;
  readonly #uses = new ToolUses();
  readonly #called = new Set<string>();
  readonly #citations = new Citations();
  readonly #opening: McpOpening | undefined;
  #steps = 0;
  /** Calls of server tools, those that a limit stopped among them. */
  #calls = 0;
  /** The end of the last turn, or of the work before the first one, with all usage. undefined: there was none yet. */
  #end: TurnEnd | undefined;

  constructor(
    deps: TurnDeps,
    response: ResponseTurns,
    { listener, limits, tools, fairSteps }: LoopParts,
  ) {
    this.#response = response;
    this.#listener = listener;
    this.#limits = limits;
    this.#tools = tools;
    const { accountId } = response.turn.call.principal;
    this.#fairly = () => fairSteps.next(accountId);
    this.#deps = { ...deps, fairly: this.#fairly };
    const { beginning } = response;
    this.#citations.add(response.sources ?? []);
    this.#opening = beginning && new McpOpening(beginning, tools);
    this.#deadlineMs = performance.now() + limits.loopMs;
    response.turn.cancellation.endsBy(this.#deadlineMs);
  }

  async run(): Promise<TurnEnd | Rejection> {
    try {
      const stopped = await this.#runOpening();
      if (stopped) return stopped;
      for (let isLast = false; ;) {
        const calls = new TurnCalls(this.#tools);
        const turned = await this.#turn(calls);
        if (isRejection(turned)) return this.#refused(turned);
        this.#end = turned;
        this.#count(calls.nativeCalls);
        const { last } = turned;
        const isCalling = calls.calls.length > 0 && isEnd(last);
        if (!isCalling || isLast || this.#isClientGone) return this.#ended(turned, calls);
        await this.#fairly();
        const ran = await this.#runCalls(calls, turned);
        const end = this.#end;
        const refused = ran.find((one) => one.refused)?.refused;
        if (refused) return this.#refused(refused);
        const hasEnded = ran.some(({ result }) => result.ends === true || result.suspension);
        if (calls.hasClientCalls || hasEnded || this.#isClientGone) return end;
        isLast = isLoopOver(this.#response.loop, this.#soFar(end, last));
        await this.#next(end, calls, { ran, isLast });
      }
    } catch (error) {
      if (!this.#end) throw error;
      return { ...this.#end, last: failurePart(error) };
    }
  }

  get #isClientGone(): boolean {
    return this.#response.turn.cancellation.isClientGone;
  }

  /**
   * Runs the calls that a person approved, and the workers of an earlier response, so that the model reads their
   * outputs. They run once the request is accepted, and from then on a failure ends the answer. Returns the end of the
   * response if a worker waits for the client again.
   */
  async #runOpening(): Promise<TurnEnd | Rejection | undefined> {
    const opening = this.#opening;
    if (!opening || opening.calls.length === 0) return undefined;
    const { turn } = this.#response;
    const accepted = await acceptTurn(this.#deps, turn);
    if (isRejection(accepted)) return accepted;
    const { first } = accepted;
    this.#listener.held(accepted);
    this.#listener.began(first);
    const { nextPart } = opening;
    this.#end = openingEnd(first, { at: this.#deps.clock.now(), nextPart });
    await this.#listener.parts(this.#opened());
    const ran = await this.#runCalls(
      { calls: opening.calls, items: () => [] },
      { served: first, nextPart },
    );
    if (ran.some(({ result }) => result.suspension)) return this.#end;
    const begun = await this.#response.begin(callsWithOutputs(ran));
    if (isRejection(begun)) throw rejectionToFault(begun);
    return undefined;
  }

  /** Returns the parts that go before the first ones of the model. */
  #opened(): readonly AnswerPart[] {
    return this.#opening?.take(this.#response.turn.firstPart) ?? [];
  }

  /** Runs one turn, and returns its end with the usage of all turns. */
  async #turn(calls: TurnCalls): Promise<TurnEnd | Rejection> {
    const listener: TurnListener = {
      held: (turn) => this.#listener.held(turn),
      began: (attempt) => this.#listener.began(attempt),
      parts: (parts) => {
        const left = [...this.#opened(), ...this.#citations.annotate(calls.take(parts))];
        return left.length === 0 ? undefined : this.#listener.parts(left);
      },
    };
    const end = await runJudged(this.#deps, this.#response, listener);
    if (isRejection(end)) return end;
    const opened = this.#opened();
    if (opened.length > 0) await this.#listener.parts(opened);
    const requested = calls.calls.length;
    const isOurs = requested > 0 || [...this.#tools.values()].some(isCounted);
    const usage = isOurs ? withToolUse(end.usage, { ...noToolUse, requested }) : end.usage;
    if (!this.#end) return { ...end, usage };
    const durable = Promise.all([this.#end.durable, end.durable]);
    durable.catch(() => {});
    return { ...end, durable, usage: addUsage(this.#end.usage, usage) };
  }

  /** Ends the answer with what is there if the caller cannot pay for another turn, or for a call of a tool. */
  #refused(rejection: Rejection): TurnEnd | Rejection {
    if (!this.#end) return rejection;
    return {
      ...this.#end,
      last: {
        type: 'finish',
        reason: 'length',
        nativeReason: rejection.rejected,
        budget: rejection.rejected,
        usage: undefined,
      },
    };
  }

  /** An answer that calls server tools, in spite of the last turn's choice, has no calls for the client. */
  #ended(end: TurnEnd, calls: TurnCalls): TurnEnd {
    const { last } = end;
    if (last.type !== 'finish' || last.reason !== 'tool-calls' || calls.hasClientCalls) return end;
    return { ...end, last: { ...last, reason: 'stop' } };
  }

  /** Counts the calls that an endpoint ran as if the service had run them. */
  #count(calls: TurnCalls['nativeCalls']): void {
    this.#calls += calls.length;
    for (const { name, shown } of calls) {
      this.#uses.add(shown);
      this.#uses.add(shown.tool);
      for (const word of [name, shown.kind, shown.tool.type]) this.#called.add(word);
    }
  }

  async #runCalls(
    calls: CallsToRun['calls'],
    { served, nextPart }: Pick<TurnEnd, 'served' | 'nextPart'>,
  ): Promise<readonly RunCall[]> {
    const ran = await this.#run(calls, served.model.id);
    const following = followingParts(ran, nextPart);
    const after = nextPart + following.length / 2;
    if (this.#end) this.#end = { ...this.#end, nextPart: after };
    const pending = pendingParts(ran, after);
    await judgePending(this.#response, pending);
    const parts = [...following, ...pending];
    if (parts.length > 0) await this.#listener.parts(parts);
    return ran;
  }

  async #run(calls: CallsToRun['calls'], model: string): Promise<readonly RunCall[]> {
    const { turn, loop } = this.#response;
    this.#steps += 1;
    for (const { name, shown } of calls.calls)
      for (const word of [name, shown.kind, shown.tool.type]) this.#called.add(word);
    const ran = await runCalls(
      { deps: this.#deps, limits: this.#limits },
      {
        turn,
        model,
        calls,
        numberOf: () => this.#response.nextCall(),
        callsLeft: callsLeft(loop, this.#calls),
        deadlineMs: this.#deadlineMs,
        uses: this.#uses,
        instancesOf: (tool) =>
          this.#tools
            .values()
            .filter((one) => one.tool === tool)
            .toArray().length,
        ask: (asking) => this.#response.ask(asking),
        tell: (parts) => this.#listener.parts(parts),
      },
    );
    this.#calls += ran.length;
    for (const { result } of ran) this.#citations.add(result.sources ?? []);
    const use = ran.reduce((sum, one) => addToolUse(sum, one.use), noToolUse);
    // The requests are counted with their turn, also if a limit stops a call.
    const asked = ran.flatMap((one) => one.asked ?? []);
    const added = (before: UsageReport): UsageReport =>
      asked.reduce(addUsage, withToolUse(before, { ...use, requested: 0 }));
    if (this.#end) this.#end = { ...this.#end, usage: added(this.#end.usage) };
    return ran;
  }

  #soFar({ usage }: TurnEnd, last: LoopSoFar['last']): LoopSoFar {
    const [steps, calls, called] = [this.#steps, this.#calls, this.#called];
    return { steps, calls, called, usage, last };
  }

  async #next(
    end: TurnEnd,
    calls: TurnCalls,
    { ran, isLast }: { readonly ran: readonly RunCall[]; readonly isLast: boolean },
  ): Promise<void> {
    if (performance.now() >= this.#deadlineMs) throw new Fault('timeout');
    const { toolChoice, tools } = this.#response.turn.request;
    const revealed = newTools(tools, ran);
    const added = [...calls.items(), ...ran.map(outputItem)];
    const choice = isLast ? ({ type: 'none' } as const) : choiceAfter(toolChoice, revealed);
    const nativeCalls = calls.nativeCalls.map(({ name }) => name);
    const changes = { toolChoice: choice, revealed, nativeCalls };
    const next = await this.#response.next(end, added, changes);
    if (isRejection(next)) throw rejectionToFault(next);
  }
}

/** Returns false for a tool whose calls an endpoint may keep to itself. */
function isCounted({ tool: { native }, forms }: ShownTool): boolean {
  return !forms || native?.read !== undefined;
}

/** Returns true for an answer that the model ended itself. */
function isEnd(last: LastPart): last is LoopSoFar['last'] {
  return last.type === 'finish' && (last.reason === 'stop' || last.reason === 'tool-calls');
}
