import { Fault, isRejection, type Rejection, rejectionToFault } from '@sluice/errors';
import type { AnswerPart, LastPart } from '@sluice/inference';
import { AnswerItems } from '../request/answer-items.ts';
import { addUsage, type UsageReport } from '../request/usage-report.ts';
import { judgeAnswer, observeAnswer } from '../stages/run-turn-stages.ts';
import { checkedSoFar } from '../turn/check-output.ts';
import type { TurnDeps } from '../turn/deps.ts';
import { runTurn } from '../turn/run-turn.ts';
import type { TurnEnd } from '../turn/settle.ts';
import type { TurnListener } from '../turn/turn-listener.ts';
import type { ResponseTurns } from './response-turns.ts';

/** Answers to one turn that are made at most. */
const answersMax = 10;

const noAnswerPassed: Rejection = {
  rejected: 'content_policy_violation',
  message: 'no answer of the model passed the checks of the request',
};

/**
 * Runs the turn of a response. If a stage judges answers, nothing leaves before an answer has passed: a dropped answer
 * is paid for, and its usage is part of the turn's. Throws the Fault of a judge that ends the response.
 */
export function runJudged(
  deps: TurnDeps,
  response: ResponseTurns,
  listener: TurnListener,
): Promise<TurnEnd | Rejection> {
  const { turnStages } = response;
  if (turnStages.some((stage) => stage.judge !== undefined))
    return new HeldBack(deps, response, listener).run();
  if (turnStages.some((stage) => stage.observe !== undefined))
    return runObserved(deps, response, listener);
  return runTurn(deps, response.turn, listener);
}

/** Runs a turn whose answer leaves as it comes. Its stages look at the whole of it before the response goes on. */
async function runObserved(
  deps: TurnDeps,
  response: ResponseTurns,
  listener: TurnListener,
): Promise<TurnEnd | Rejection> {
  const answer = new AnswerItems();
  const end = await runTurn(deps, response.turn, {
    held: (turn) => listener.held(turn),
    began: (attempt) => listener.began(attempt),
    parts: (parts) => {
      for (const part of parts) answer.add(part);
      return listener.parts(parts);
    },
  });
  if (!isRejection(end) && isJudged(end, response))
    await observeAnswer(response.turnStages, answer.itemsWithCut());
  return end;
}

/** Judges the calls of workers that the client is to run. Throws the Fault of a judge that does not let them leave. */
export async function judgePending(
  { turnStages }: Pick<ResponseTurns, 'turnStages'>,
  parts: readonly AnswerPart[],
): Promise<void> {
  if (parts.length === 0 || turnStages.length === 0) return;
  const calls = itemsOf([parts]);
  const verdict = await judgeAnswer(turnStages, calls, { mayRetry: false });
  if (verdict !== 'pass') throw rejectionToFault(verdict === 'retry' ? noAnswerPassed : verdict);
  await observeAnswer(turnStages, calls);
}

/** Returns true for an answer that has ended and that a client waits for. */
function isJudged({ last }: TurnEnd, { turn: { cancellation } }: ResponseTurns): boolean {
  return last.type === 'finish' && !cancellation.isClientGone;
}

function faultOf({ code, message, providerCode }: Extract<LastPart, { type: 'error' }>): Fault {
  const metadata = providerCode === undefined ? {} : { provider_code: providerCode };
  return new Fault(code, { message, metadata });
}

/** A turn whose answers are held back until one passes. */
class HeldBack {
  readonly #deps: TurnDeps;
  readonly #response: ResponseTurns;
  readonly #listener: TurnListener;
  /** The usage of the answers so far. */
  #spent: UsageReport | undefined;

  constructor(deps: TurnDeps, response: ResponseTurns, listener: TurnListener) {
    this.#deps = deps;
    this.#response = response;
    this.#listener = listener;
  }

  async run(): Promise<TurnEnd | Rejection> {
    try {
      for (let count = 1; ; count += 1) {
        const end = await this.#answer({ isLast: count === answersMax });
        if (end) return end;
      }
    } catch (error) {
      if (this.#spent) this.#response.lose(this.#spent);
      throw error;
    }
  }

  /** Makes one answer. Returns undefined if it was dropped, and another one is to be made. */
  async #answer({
    isLast,
  }: {
    readonly isLast: boolean;
  }): Promise<TurnEnd | Rejection | undefined> {
    const { turn } = this.#response;
    const batches: (readonly AnswerPart[])[] = [];
    const end = await runTurn(this.#deps, turn, {
      held: (held) => this.#listener.held(held),
      began() {},
      parts: (parts) => void batches.push(parts),
    });
    if (isRejection(end)) {
      if (!this.#spent) return end;
      throw rejectionToFault(end);
    }
    this.#spent = this.#spent ? addUsage(this.#spent, end.usage) : end.usage;
    const settled = { ...end, usage: this.#spent };
    if (turn.cancellation.isClientGone) return await this.#pass(settled, []);
    // An answer that broke has no end, and nobody can judge what there is of it.
    if (end.last.type === 'error') throw faultOf(end.last);
    // A filter that withholds the answer withholds all that follows, too.
    const mayRetry = !isLast && !checkedSoFar(turn.outputs).isWithheld;
    const verdict = await judgeAnswer(this.#response.turnStages, itemsOf(batches), { mayRetry });
    if (verdict === 'pass') return await this.#pass(settled, batches);
    // A client may learn of the end only when the usage is on disk.
    await end.durable;
    if (verdict !== 'retry') throw rejectionToFault(verdict);
    if (!mayRetry) throw rejectionToFault(noAnswerPassed);
    if (turn.cancellation.isClientGone) return await this.#pass(settled, []);
    this.#response.again(end);
    return undefined;
  }

  async #pass(end: TurnEnd, batches: readonly (readonly AnswerPart[])[]): Promise<TurnEnd> {
    this.#listener.began(end.served);
    for (const parts of batches) await this.#listener.parts(parts);
    return end;
  }
}

function itemsOf(batches: readonly (readonly AnswerPart[])[]): ReturnType<AnswerItems['items']> {
  const answer = new AnswerItems();
  for (const parts of batches) for (const part of parts) answer.add(part);
  return answer.itemsWithCut();
}
