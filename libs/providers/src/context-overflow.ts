const charactersMax = 2_000;

/** Words about a rate, a quota or money. They name tokens and limits too, and a shorter prompt does not help. */
const allowance = [
  /rate.?limit|throttl|too many requests|please wait/,
  /\bper[ -](?:second|min|minute|hour|day|month)\b|\b[tr]p[mdh]\b/,
  /quota|credit|billing|balance/,
];
/** The room that a model has. */
const room = [
  /context[ _-]?(?:length|len|window|size|limit)|context (?:the )?overflow|\bn_ctx\b/,
  /\bmax[_ ](?:model|seq)[_ ]?len|max(?:imum)? (?:model|sequence|prompt) length/,
];
const excess = [
  /exceed|overflow|reduce|not enough|does not fit|<=|≤/,
  /too (?:long|large|many|big)|(?:long|great|larg|bigg)er than|more than|less than|fewer than/,
];
/** The text of a request, without the room that it needs. */
const text = /\b(?:prompt|inputs?|messages?|request(?:ed)?|conversation)\b/;
const tokensExcess = [
  /exceed|over (?:the )?limit|must (?:be|have) (?:less|fewer|<)|\d >=? \d/,
  /too (?:long|large|many)|(?:long|great|larg)er than|more than/,
];
/** Words about another number of tokens: the output, a budget, a lower bound. */
const otherTokens = [
  /(?:output|completion) tokens|thinking|budget|input should be/,
  /\bcach(?:ed|e|ing)\b|\bmin(?:imum)?\b|at least|too (?:short|small)/,
];
const outputLimit = /max_?(?:output_|completion_|new_)?tokens\b|maxoutputtokens/;
/** Words that need no number of tokens. */
const plain = [
  /\b(?:prompt|inputs?|conversation|messages|request) (?:tokens? )?(?:is |are |was |were )?too long\b/,
  /\b(?:prompt|inputs?)\b.{0,40}\bexceed\w* .{0,40}\bmax\w* length\b/,
  /\breduce (?:the )?(?:length|size) of (?:the |your )?(?:messages|prompt|input)/,
  /\binput length (?:should|must) be (?:\[|less|at most)/,
];
const number = /\d[\d,_.]*/g;

/**
 * Returns true if a provider says that a request does not fit into the context of the model. Each server has words of
 * its own, so the meaning counts: the room of a model, or the tokens of a prompt, and that they are exceeded.
 */
export function tellsOverflow(said: string): boolean {
  const words = said.slice(0, charactersMax).toLowerCase();
  if (tells(allowance, words)) return false;
  if (tells(room, words)) return tells(excess, words) || tellsNumbers(words);
  if (tells(plain, words)) return true;
  if (!/token/.test(words) || !text.test(words) || tells(otherTokens, words)) return false;
  if (outputLimit.test(words) && !/\b(?:prompt|inputs?|messages?)\b/.test(words)) return false;
  return tells(tokensExcess, words);
}

/** Returns true for the maximum alone, or beside the number that was requested. */
function tellsNumbers(words: string): boolean {
  return /maximum context length is/.test(words) || (words.match(number)?.length ?? 0) > 1;
}

/** Returns true if a code says the same, as `exceed_context_size_error` or `ContextWindowExceededError`. */
export function namesOverflow(code: string): boolean {
  return tellsOverflow(code.replaceAll(/([a-z])([A-Z])/g, '$1 $2').replaceAll(/[_.:-]+/g, ' '));
}

function tells(patterns: readonly RegExp[], words: string): boolean {
  return patterns.some((pattern) => pattern.test(words));
}
