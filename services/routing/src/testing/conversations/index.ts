import type { Conversation, Setting, Turns } from './forms.ts';
import * as settings from './settings.ts';
import * as tools from './tool-turns.ts';
import * as turns from './turns.ts';

export { anyConversation } from './any-conversation.ts';
export { bodyOf, conversationDialects, type ConversationDialect } from './forms.ts';
export { parseCall } from './parse-call.ts';

const of = (
  name: string,
  said: readonly Turns[],
  given: readonly Setting[] = [],
): Conversation => ({ name, turns: said, settings: given });

const { hello, answer, bye } = turns;
const asked = [hello, tools.call, tools.result];
const withTool = [settings.oneTool];

const texts = [
  of('one message', [hello]),
  of('any text', [turns.unicode]),
  of('an empty text', [turns.emptyText]),
  of('a text in parts', [turns.parts]),
  of('a text up to which the prompt is worth caching', [turns.cached]),
  of('several turns', [hello, answer, bye]),
  of('an answer in parts', [hello, turns.answerParts, bye]),
  of('two messages in a row', [hello, bye]),
  of('an answer to be continued', [hello, answer]),
  of('a long conversation', Array.from({ length: 40 }, () => [hello, answer]).flat()),
  of('system instructions', [hello], [settings.system]),
  of('system instructions in parts', [hello, answer, bye], [settings.systemParts]),
];

const media = [
  of('a picture', [turns.picture]),
  of('a picture behind a URL', [turns.pictureByUrl]),
  of('a picture and a question', [turns.pictureAndText]),
  of('a document', [turns.document]),
  of('a document by its id', [turns.documentById]),
  of('a picture in a conversation', [hello, answer, turns.picture, answer, bye]),
  of('media and instructions', [turns.document, turns.picture], [settings.system]),
];

const calls = [
  of('a tool', [hello], withTool),
  of('two tools', [hello], [settings.twoTools]),
  of('a tool that may be called', [hello], [settings.oneTool, settings.autoChoice]),
  of('a tool that may not be called', [hello], [settings.oneTool, settings.noCalls]),
  of('a call that must be made', [hello], [settings.twoTools, settings.anyCall]),
  of('a call of one tool that must be made', [hello], [settings.twoTools, settings.namedCall]),
  of('one call at a time', [hello], [settings.twoTools, settings.serialCalls]),
  of('a call and its answer', asked, withTool),
  of('a call and its answer, without the tool', asked),
  of('a call with a word before it', [hello, tools.spokenCall, tools.result], withTool),
  of('a call without arguments', [hello, tools.emptyCall, tools.result], withTool),
  of('an empty answer of a tool', [hello, tools.call, tools.emptyResult], withTool),
  of('an answer of a tool that is JSON', [hello, tools.call, tools.jsonResult], withTool),
  of('an answer of a tool in parts', [hello, tools.call, tools.resultInParts], withTool),
  of('a picture from a tool', [hello, tools.call, tools.pictureResult], withTool),
  of('parallel calls', [hello, tools.parallelCalls, tools.parallelResults], withTool),
  of('answers in another order', [hello, tools.parallelCalls, tools.reversedResults], withTool),
  of('a call after a call', [...asked, tools.laterCall, tools.laterResult], [settings.twoTools]),
  of('an answer after a call', [...asked, answer, bye], withTool),
  of('a question beside the answer of a tool', [...asked, bye], withTool),
  of('a call that nobody answered', [hello, tools.call, bye], withTool),
];

const thoughts = [
  of('a thought before a call', [hello, tools.thoughtAndCall, tools.result], withTool),
  of('a thought that nobody can read', [hello, tools.hiddenThought, bye]),
  of('a budget to think', [hello], [settings.thinkingBudget]),
  of('an effort to think', [hello], [settings.thinkingEffort]),
  of('no thinking', [hello], [settings.noThinking]),
  of(
    'thoughts, tools and a budget',
    [hello, tools.thoughtAndCall, tools.result, bye],
    [settings.oneTool, settings.thinkingBudget],
  ),
];

const options = [
  of('a stream', [hello], [settings.streamed]),
  of('sampling', [hello], [settings.sampling]),
  of('a number of candidates', [hello], [settings.topK]),
  of('an answer in few words', [hello], [settings.shortAnswer]),
  of('an output limit', [hello], [settings.outputLimit]),
  of('an output limit by its older name', [hello], [settings.olderLimit]),
  of('a form of the answer', [hello], [settings.structured]),
  of('a form of the answer, with tools', asked, [settings.structured, settings.oneTool]),
  of('a prompt that is worth caching', [hello, answer, bye], [settings.wholeCached]),
  of('a key of the cache', [hello], [settings.cacheKey]),
  of('a session and a user', [hello], [settings.session, settings.endUser]),
  of('models to fall back to', [hello], [settings.fallbacks]),
  of('a provider', [hello], [settings.providers]),
  of('a trace', [hello], [settings.traced]),
  of('a faster tier', [hello], [settings.fastTier]),
];

/** Conversations that each client dialect can say. */
export const conversations: readonly Conversation[] = [
  ...texts,
  ...media,
  ...calls,
  ...thoughts,
  ...options,
];
