import {
  addressKey,
  textOf,
  type InferenceRequest,
  type InputItem,
  type Tool,
} from '@sluice/inference';
import type { HistoryNeeds } from './history-needs.ts';
import { arrangeTurn } from './arrange-turn.ts';
import { callsOfItems } from './calls-of-items.ts';
import { moveModelPictures, nativePicturesInMessages } from './model-pictures.ts';
import { tellFailures } from './told-failures.ts';

type Call = Extract<InputItem, { type: 'function-call' | 'custom-tool-call' }>;
type Answer = Extract<InputItem, { type: 'function-call-output' | 'custom-tool-call-output' }>;

/** The output of a call that was stopped, for example because the user pressed Escape. */
export const interruptedOutput = 'interrupted: this call was stopped before it had an output';
const pendingOutput = '(There is no answer yet.)';
const repeatedOutput = '(The answer to this call is above.)';

/**
 * Returns the conversation as a dialect needs it. The answers to the calls of a turn stand directly after it. Thoughts
 * that the dialect cannot read are omitted, and those after which the model said nothing: providers refuse them. A call
 * without an answer gets a note that says so. Each answer appears once: other calls with the same id get a reference to
 * it, so that the body size stays linear in the items. Calls with the same id get different ones, with their answers.
 */
export function repairHistory(
  request: Pick<InferenceRequest, 'items' | 'tools'>,
  needs: HistoryNeeds,
): readonly InputItem[] {
  const { tools } = request;
  const shown = needs.hasNativeItems ? request.items : withoutNativeItems(request, needs);
  const placed = needs.hasModelPictures ? shown : moveModelPictures(shown);
  const items = needs.tellsFailuresInText ? tellFailures(placed) : placed;
  const isReadable = (item: InputItem): boolean =>
    item.type !== 'reasoning' ||
    needs.thoughtFormat === undefined ||
    item.format === needs.thoughtFormat;
  const readable = items.every(isReadable) ? items : items.filter(isReadable);
  if (readable.every(({ type }) => type === 'message' || type === 'native')) return readable;
  const repair = new Repair(readable, tools, needs);
  for (const item of readable) repair.add(item);
  return repair.end();
}

/** Returns the items with those of one dialect as messages and calls, if the dialect of the request takes these. */
function withoutNativeItems(
  { items, tools }: Pick<InferenceRequest, 'items' | 'tools'>,
  { callsNeedTools }: HistoryNeeds,
): readonly InputItem[] {
  const pictured = nativePicturesInMessages(items);
  return callsNeedTools && tools.length === 0 ? pictured : callsOfItems(pictured);
}

/** The turn of the model in progress. */
interface Turn {
  readonly said: InputItem[];
  /** The calls of the turn that have no answer so far. */
  readonly open: Call[];
  readonly answers: AnsweredCall[];
  /** Second answers, as texts. */
  readonly repeated: InputItem[];
  hasAnswers: boolean;
}

interface AnsweredCall {
  readonly call: Call;
  readonly answer: Answer;
}

class Repair {
  readonly #needs: HistoryNeeds;
  readonly #tools: readonly Tool[];
  readonly #firstAnswers: ReadonlyMap<string, Answer>;
  readonly #given = new Set<InputItem>();
  readonly #ids = new CallIds();
  readonly #repaired: InputItem[] = [];
  #turn: Turn | undefined;

  constructor(items: readonly InputItem[], tools: readonly Tool[], needs: HistoryNeeds) {
    this.#needs = needs;
    this.#tools = tools;
    this.#firstAnswers = firstAnswers(items);
  }

  add(item: InputItem): void {
    if (isAnswer(item)) return this.#addAnswer(item);
    const isOfModel = isSaidByModel(item);
    if (!isOfModel || this.#turn?.hasAnswers) this.#endTurn();
    if (!isOfModel) {
      this.#dropLastThoughts();
      return void this.#repaired.push(item);
    }
    this.#turn ??= { said: [], open: [], answers: [], repeated: [], hasAnswers: false };
    this.#turn.said.push(item);
    if (isCall(item)) this.#turn.open.push(item);
  }

  end(): readonly InputItem[] {
    this.#endTurn();
    this.#dropLastThoughts();
    return this.#repaired;
  }

  #dropLastThoughts(): void {
    while (this.#repaired.at(-1)?.type === 'reasoning') this.#repaired.pop();
  }

  #addAnswer(item: Answer): void {
    if (this.#given.has(item)) return;
    this.#given.add(item);
    const turn = this.#turn;
    if (turn) turn.hasAnswers = true;
    const key = keyOf(item);
    const place = turn?.open.findIndex((call) => keyOf(call) === key) ?? -1;
    const [call] = place === -1 ? [] : (turn?.open.splice(place, 1) ?? []);
    if (call) turn?.answers.push({ call, answer: item });
    else (turn?.repeated ?? this.#repaired).push(asText(item));
  }

  #endTurn(): void {
    const turn = this.#turn;
    if (!turn) return;
    this.#turn = undefined;
    const late = turn.open.map((call) => ({ call, answer: this.#answerTo(call) }));
    const { said, afterAnswers } = arrangeTurn(turn.said, this.#needs);
    const renamed = this.#ids.rename(said.filter(isCall));
    const answers = [...turn.answers, ...late].map(({ call, answer }) => {
      const callId = renamed.get(call);
      return callId === undefined ? answer : { ...answer, callId };
    });
    const spoken = said.map((item) => {
      const callId = isCall(item) ? renamed.get(item) : undefined;
      return callId === undefined ? item : { ...item, callId };
    });
    for (const item of [...spoken, ...answers, ...turn.repeated, ...afterAnswers])
      this.#repaired.push(item);
  }

  #answerTo(call: Call): Answer {
    const answer = this.#firstAnswers.get(keyOf(call));
    if (!answer) return noteOf(call, this.#isPending(call) ? pendingOutput : interruptedOutput);
    if (this.#given.has(answer)) return noteOf(call, repeatedOutput);
    this.#given.add(answer);
    return answer;
  }

  /** Returns true for a call whose tool may answer later than in the next turn. */
  #isPending(call: Call): boolean {
    const key = addressKey(call);
    return this.#tools.some(
      (tool) => tool.type !== 'native' && tool.isAsync === true && addressKey(tool) === key,
    );
  }
}

/**
 * Gives a repeated id a number. An id depends only on the calls before it, so that a longer conversation begins with
 * the same text, which a provider may have cached.
 */
class CallIds {
  readonly #used = new Set<string>();
  readonly #counts = new Map<string, number>();

  /** Returns the new ids of the calls whose id was there before. */
  rename(calls: readonly Call[]): ReadonlyMap<Call, string> {
    const renamed = new Map<Call, string>();
    for (const call of calls) {
      const { callId } = call;
      if (this.#used.has(callId)) renamed.set(call, this.#next(callId));
      else this.#used.add(callId);
    }
    return renamed;
  }

  #next(callId: string): string {
    let count = this.#counts.get(callId) ?? 1;
    do count += 1;
    while (this.#used.has(`${callId}_${String(count)}`));
    this.#counts.set(callId, count);
    const next = `${callId}_${String(count)}`;
    this.#used.add(next);
    return next;
  }
}

function isCall(item: InputItem): item is Call {
  return item.type === 'function-call' || item.type === 'custom-tool-call';
}

function isAnswer(item: InputItem): item is Answer {
  return item.type === 'function-call-output' || item.type === 'custom-tool-call-output';
}

function isSaidByModel(item: InputItem): boolean {
  return item.type !== 'message' || item.role === 'assistant';
}

function keyOf({ type, callId }: Call | Answer): string {
  return `${type.startsWith('custom') ? 'custom' : 'function'}/${callId}`;
}

function firstAnswers(items: readonly InputItem[]): ReadonlyMap<string, Answer> {
  const answers = new Map<string, Answer>();
  for (const item of items)
    if (isAnswer(item) && !answers.has(keyOf(item))) answers.set(keyOf(item), item);
  return answers;
}

function noteOf({ type, callId }: Call, output: string): Answer {
  return type === 'function-call'
    ? { type: 'function-call-output', callId, output }
    : { type: 'custom-tool-call-output', callId, output };
}

/** Turns a second answer to the same call into a user message, so that its content is kept. */
function asText({ callId, output }: Answer): InputItem {
  const content = typeof output === 'string' ? output : textOf(output);
  const text = `(Another answer to the call ${callId}:) ${content}`;
  return { type: 'message', role: 'user', content: [{ type: 'text', text }] };
}
