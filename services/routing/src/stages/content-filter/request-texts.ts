import type { ScannedTexts } from '@sluice/content-scanner';
import type {
  ContentPart,
  FileContent,
  InferenceRequest,
  InputItem,
  ModelOptions,
} from '@sluice/inference';
import { textOfFile, withEnding } from './file-texts.ts';

/** Texts of a request that are scanned together. */
export interface TextGroup extends ScannedTexts {
  readonly isUserText: boolean;
  /** The place in the request, as `input.3`. */
  readonly place: string;
}

/** Returns the texts for the texts of a group. */
export type RewriteGroup = (group: TextGroup) => readonly string[];

/**
 * Rewrites all that the contract has scanned (inference.md, section 18): texts of messages, of files in them, arguments
 * and results of tools, thoughts that a client sends back, variables of stored prompts, and predicted answers. Returns
 * the request itself if all texts stay as they are.
 */
export function rewriteTexts(request: InferenceRequest, rewrite: RewriteGroup): InferenceRequest {
  const items = mapped(request.items, (item, index) =>
    rewriteItem(item, `input.${index}`, rewrite),
  );
  const prompt = request.prompt && rewritePrompt(request.prompt, rewrite);
  const options = request.options && rewritePrediction(request.options, rewrite);
  if (items === request.items && prompt === request.prompt && options === request.options)
    return request;
  return { ...request, items, ...(prompt && { prompt }), ...(options && { options }) };
}

/** Returns all groups of texts that the contract has scanned, in their order. */
export function textGroups(request: InferenceRequest): readonly TextGroup[] {
  const groups: TextGroup[] = [];
  rewriteTexts(request, (group) => {
    groups.push(group);
    return group.texts;
  });
  return groups;
}

/** Returns the list itself if each entry stays. */
function mapped<Entry>(
  list: readonly Entry[],
  change: (entry: Entry, index: number) => Entry,
): readonly Entry[] {
  const changed = list.map(change);
  return changed.every((entry, index) => entry === list[index]) ? list : changed;
}

function rewriteItem(item: InputItem, place: string, rewrite: RewriteGroup): InputItem {
  const one = (text: string, form: TextGroup['form']) =>
    rewrite({ texts: [text], form, isUserText: false, place })[0] ?? '';
  switch (item.type) {
    case 'message': {
      const group = { isUserText: item.role === 'user', place };
      const content = rewriteContent(item.content, group, rewrite);
      return content === item.content ? item : { ...item, content };
    }
    case 'function-call': {
      const text = one(item.arguments, 'json');
      return text === item.arguments ? item : { ...item, arguments: text };
    }
    case 'custom-tool-call': {
      const text = one(item.input, formOf(item.input));
      return text === item.input ? item : { ...item, input: text };
    }
    case 'function-call-output':
    case 'custom-tool-call-output': {
      const { output } = item;
      const changed =
        typeof output === 'string'
          ? one(output, formOf(output))
          : rewriteContent(output, { isUserText: false, place }, rewrite);
      return changed === output ? item : { ...item, output: changed };
    }
    case 'reasoning': {
      const texts = [...item.summary, ...item.content];
      if (texts.length === 0) return item;
      const changed = rewrite({ texts, form: 'text', isUserText: false, place });
      if (changed.every((text, index) => text === texts[index])) return item;
      const summary = changed.slice(0, item.summary.length);
      const content = changed.slice(item.summary.length);
      // A signature signs what the model thought, and what is encrypted repeats it.
      return { ...item, summary, content, signature: undefined, encrypted: undefined };
    }
    case 'native': {
      const text = item.text === '' ? '' : one(item.text, 'text');
      const native = rewriteValue(item.item, '', one) as Readonly<Record<string, unknown>>;
      return text === item.text && native === item.item ? item : { ...item, item: native, text };
    }
  }
}

/** An answer of a tool is often JSON. */
function formOf(text: string): TextGroup['form'] {
  return /^\s{0,8}[[{]/u.test(text) ? 'json' : 'text';
}

function rewriteContent(
  content: readonly ContentPart[],
  group: Pick<TextGroup, 'isUserText' | 'place'>,
  rewrite: RewriteGroup,
): readonly ContentPart[] {
  const texts = content.flatMap((part) => (part.type === 'text' ? [part.text] : []));
  const changed =
    texts.length > 0 ? rewrite({ texts, form: 'text', ...group }).values() : undefined;
  return mapped(content, (part) => {
    if (part.type === 'file') return rewriteFile(part, group, rewrite);
    if (part.type !== 'text') return part;
    const text = changed?.next().value ?? '';
    return text === part.text ? part : { ...part, text };
  });
}

/** Rewrites a file and its name, which the model gets as well. */
export function rewriteFile(
  file: FileContent,
  group: Pick<TextGroup, 'isUserText' | 'place'>,
  rewrite: RewriteGroup,
): FileContent {
  const one = (text: string, form: TextGroup['form']) =>
    text === '' ? '' : (rewrite({ texts: [text], form, ...group })[0] ?? '');
  const { filename } = file;
  const name = filename === undefined ? undefined : one(filename, 'text');
  const renamed =
    name === filename || name === undefined || filename === undefined
      ? file
      : { ...file, filename: withEnding(filename, name) };
  const read = textOfFile(renamed);
  if (!read) return renamed;
  const text = one(read.text, formOf(read.text));
  return text === read.text ? renamed : read.withText(text);
}

function rewritePrompt(
  prompt: NonNullable<InferenceRequest['prompt']>,
  rewrite: RewriteGroup,
): NonNullable<InferenceRequest['prompt']> {
  let isChanged = false;
  const variables = Object.entries(prompt.variables).map(([name, value]) => {
    if (typeof value !== 'string' && value.type === 'file') {
      const group = { isUserText: true, place: `prompt.variables.${name}` };
      const file = rewriteFile(value, group, rewrite);
      isChanged ||= file !== value;
      return [name, file] as const;
    }
    const text = typeof value === 'string' ? value : value.type === 'text' ? value.text : undefined;
    if (text === undefined) return [name, value] as const;
    const place = `prompt.variables.${name}`;
    const [changed = ''] = rewrite({ texts: [text], form: 'text', isUserText: true, place });
    if (changed === text) return [name, value] as const;
    isChanged = true;
    return [name, typeof value === 'string' ? changed : { ...value, text: changed }] as const;
  });
  if (!isChanged) return prompt;
  return { ...prompt, variables: Object.fromEntries(variables) as typeof prompt.variables };
}

function rewritePrediction(options: ModelOptions, rewrite: RewriteGroup): ModelOptions {
  const { prediction } = options;
  const place = 'prediction';
  const one = (text: string, form: TextGroup['form']) =>
    rewrite({ texts: [text], form, isUserText: false, place })[0] ?? '';
  const changed = rewriteValue(prediction, '', one) as typeof prediction;
  return changed === prediction || !changed ? options : { ...options, prediction: changed };
}

/** Keys of native items whose values are names. */
const namingKeys = new Set([
  'id',
  'call_id',
  'file_id',
  'type',
  'status',
  'role',
  'signature',
  'encrypted_content',
]);
/** Base64 of some length, with or without the head of a data URL. */
const media = /^(?:data:[\w.+/;=-]{1,200}base64,)?[A-Za-z0-9+/_=-]{2000,}$/u;

/** Rewrites the texts in a value of any form: all strings but names and media. Returns the value itself if all stay. */
export function rewriteValue(
  value: unknown,
  key: string,
  one: (text: string, form: TextGroup['form']) => string,
): unknown {
  if (typeof value === 'string') {
    if (value === '' || namingKeys.has(key) || media.test(value)) return value;
    return one(value, key === 'arguments' ? 'json' : formOf(value));
  }
  if (Array.isArray(value)) return mapped(value, (entry) => rewriteValue(entry, key, one));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value);
  const changed = entries.map(([name, entry]) => [name, rewriteValue(entry, name, one)] as const);
  if (changed.every(([, entry], index) => entry === entries[index]?.[1])) return value;
  return Object.fromEntries(changed);
}
