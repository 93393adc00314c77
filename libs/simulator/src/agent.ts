import { exampleOf } from './arguments.ts';
import type { OutputPart } from './generation.ts';
import { lastUserText, type Prompt } from './prompt.ts';
import type { Script, Scripted } from './script.ts';

/** A text of a user that begins so is a script for any model. The model `agent` takes every text for one. */
const opening = 'agent:';

/**
 * Plays a model that calls tools as the last text of the user says, for example
 * `call get_time {"zone":"UTC"} and call f then say done`. Each step is the answer of one turn. The steps after
 * ` then ` follow once the calls are answered. `forever` repeats the last step. `(error-500)` is a directive for its
 * turn alone, and `<<text>>` are arguments that may be no JSON. The model `agent` makes arguments that are not given
 * from the schema of the tool. After the last step the model answers as usual.
 */
export const agentScript: Script = (prompt) => {
  const asked = lastUserText(prompt).trimStart();
  const isAgent = prompt.model === 'agent' || asked.startsWith(opening);
  if (!isAgent || prompt.toolChoice === 'none') return undefined;
  const steps = stepsOf(asked.startsWith(opening) ? asked.slice(opening.length) : asked);
  const turn = turnOf(prompt);
  const last = steps.at(-1);
  const step = steps[turn] ?? (last?.isRepeated ? last : undefined);
  if (!step) return undefined;
  const { directives } = step;
  const parts =
    prompt.model === 'agent' ? step.parts.map((part) => filled(part, prompt)) : step.parts;
  return { ...(parts.length > 0 && { parts }), directives };
};

/** Adds the arguments of a call that was given none. */
function filled(part: OutputPart, { tools }: Prompt): OutputPart {
  const tool = tools.find(({ name }) => name === part.name);
  if (!tool || part.text !== '{}') return part;
  return { ...part, text: JSON.stringify(exampleOf(tool.parameters)) };
}

interface Step extends Required<Omit<Scripted, 'isOfData'>> {
  isRepeated: boolean;
  readonly parts: OutputPart[];
  readonly directives: string[];
}

/** Returns the number of turns since the text of the user that ended in answers of tools. */
function turnOf({ turns }: Prompt): number {
  const after = turns.slice(turns.findLastIndex(({ role }) => role === 'user') + 1);
  return after.filter(({ role }, at) => role === 'tool' && after[at + 1]?.role !== 'tool').length;
}

const callPattern = /call ([\w-]{1,128})(?: (?=\{|<<))?/y;
const sayPattern = /say (.*?)(?= and | then |$)/sy;
const directivePattern = /\(([a-z0-9-]{1,64})\)/y;
const rawPattern = /<<(.*?)>>/sy;
const joints = [' then ', ' and ', ' forever'] as const;
const stepsMax = 200;

function stepsOf(text: string): readonly Step[] {
  const steps: Step[] = [emptyStep()];
  for (let at = 0; at < text.length && steps.length <= stepsMax;) {
    const step = steps.at(-1) ?? emptyStep();
    const joint = joints.find((one) => text.startsWith(one, at));
    const called = match(callPattern, text, at);
    const said = match(sayPattern, text, at);
    const directive = match(directivePattern, text, at);
    if (joint !== undefined) {
      if (joint === ' then ') steps.push(emptyStep());
      if (joint === ' forever') step.isRepeated = true;
      // The next word may begin with a space, too.
      at += joint.trimEnd().length;
    } else if (called) {
      const raw = match(rawPattern, text, called.end);
      const end = raw?.end ?? endOfObject(text, called.end);
      const given = raw?.text ?? text.slice(called.end, end);
      step.parts.push({ type: 'tool-call', name: called.text, text: given === '' ? '{}' : given });
      at = end;
    } else if (said) {
      step.parts.push({ type: 'text', name: '', text: said.text });
      at = said.end;
    } else if (directive) {
      step.directives.push(directive.text);
      at = directive.end;
    } else at += 1;
  }
  return steps;
}

function emptyStep(): Step {
  return { parts: [], directives: [], isRepeated: false };
}

function match(pattern: RegExp, text: string, at: number) {
  pattern.lastIndex = at;
  const found = pattern.exec(text);
  return found && { text: found[1] ?? '', end: pattern.lastIndex };
}

/** Returns the place behind the JSON object at a place, or that place if there is none. */
function endOfObject(text: string, at: number): number {
  if (text[at] !== '{') return at;
  let depth = 0;
  let isInString = false;
  for (let place = at; place < text.length; place += 1) {
    const character = text[place];
    if (isInString && character === '\\') place += 1;
    else if (character === '"') isInString = !isInString;
    else if (!isInString && character === '{') depth += 1;
    else if (!isInString && character === '}') {
      depth -= 1;
      if (depth === 0) return place + 1;
    }
  }
  return text.length;
}
