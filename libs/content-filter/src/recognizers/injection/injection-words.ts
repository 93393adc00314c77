/** Between two words: their classes share no character, so there is one way to match. */
export const gap = String.raw`[\s"'“”‘’*_,:;()\[\]<>\-–—]{1,8}`;
export const words = (max: number): string => `(?:${gap}[a-z0-9]{1,16}){0,${max}}?`;
export const list = (spaced: string): readonly string[] => spaced.trim().split(/\s+/u);
const oneOf = (spaced: string): string => `(?:${list(spaced).join('|')})`;

export const before =
  oneOf(`previous prior above earlier preceding foregoing former past initial original
  existing aforementioned old preceeding previously`);
export const owned = oneOf(
  'your system developer hidden safety internal built-in openai anthropic core',
);
const every = oneOf('all any every each');
const filler = oneOf('the of my this that these those other current given and or such to set');
const strong = oneOf(`instructions? directives? guidelines? prompts? prompting pre-?prompts?
  programming guardrails? safeguards?`);
const weak = oneOf(`rules? commands? orders constraints? restrictions? polic(?:y|ies) training
  filters? limits limitations? directions? context conditioning alignment ethics moderation
  protocols? settings protections? measures checks controls conversation guidance`);
export const nouns = `(?:${strong}|${weak}|system${gap}messages?)`;
const loose = `(?:${gap}(?:${filler}|${every}|${before}|${owned}|content|security|ethical)){0,7}?`;
const told =
  `${gap}(?:that${gap}|which${gap})?(?:(?:you|i|we)${gap}(?:were|have|had|was|are|just)|came|come|
  given|listed|written|stated|above|before|so${gap}far|provided|preceding|previously|until)\\b`.replaceAll(
    /\s{2,}/gu,
    '',
  );
const ofOthers = String.raw`(?!${gap}(?:in|for|from|on|about|with|regarding)\b)`;
const aboutWork =
  `(?!${gap}(?:about|regarding|concerning)${gap}(?!safety|` +
  `ethic|content|harm|polic|security|not${gap}|refus|what${gap}you))`;

/** Matches instructions that have an owner: bare "the instructions" are often those on a box. */
export const instructions =
  `(?:${loose}${gap}(?:${before}|${owned})${loose}${gap}${nouns}\\b${aboutWork}` +
  `|${loose}${gap}(?:${every}|no)${loose}${gap}${nouns}\\b${ofOthers}` +
  `|${loose}${gap}(?:content|security|ethical|moral)${gap}${nouns}\\b${ofOthers}` +
  `|${loose}${gap}${nouns}${told}` +
  `|${gap}(?:the${gap}|all${gap}){0,2}above(?=\\s{0,3}(?:[.,!;:"']|\n|$)|${gap}(?:and|instead|then)\\b)` +
  `|${gap}${strong}\\b${ofOthers}(?!${gap}[a-z])` +
  `|${loose}${gap}(?:everything|anything|all|whatever|what)(?:${gap}(?:else|that|of))?` +
  `${gap}(?:(?:is|was|came|written|stated|said|told|you|i|we|been|has)${gap}){0,4}` +
  `(?:above|before|prior|previously|preceding` +
  `|you${gap}(?:were|have${gap}been|had${gap}been|are)${gap}(?:told|taught|given|instructed|trained)` +
  `|you${gap}(?:know|learned|learnt)${gap}about${gap}(?:your|rules|safety))\\b)`;

const bans =
  oneOf(`rules? restrictions? limits? limitations? filters? filtering guidelines? boundaries
  ethics morals? constraints? censorship safeguards? guardrails? inhibitions polic(?:y|ies)`);
const modes = oneOf(`god jailbreak jailbroken dan unrestricted unfiltered uncensored opposite evil
  chaos`);
export const unbound =
  `(?:unrestricted|unfiltered|uncensored|unlimited${gap}ai|jailbroken|jailbreak|amoral` +
  `|unethical|unaligned|do${gap}anything${gap}now|(?:${modes})${gap}mode(?!l)` +
  `|(?:no|without|zero|lacks?|lacking|ignor(?:es?|ing)|(?:freed?|released|liberated|exempt)${gap}(?:of|from)|beyond)` +
  `${words(3)}${gap}${bans}\\b` +
  `(?!${gap}(?:on|of|for|to)${gap}(?:the${gap})?(?:length|size|time|words?|characters|budget|number` +
  `|amount|topics?)\\b)` +
  `|(?:not|never|no${gap}longer|isn.?t|aren.?t)${gap}(?:bound|limited|restricted|constrained|governed|held)` +
  `|evil${gap}(?:ai|assistant|chatbot|bot|confidant|version|twin)` +
  `|(?:never|cannot|can.?t|doesn.?t)${gap}(?:refuses?|says?${gap}no))\\b`;

const secret = oneOf(`system initial hidden secret internal confidential developer underlying
  original private pre-?set`);
const exact = oneOf(`full complete entire exact whole own raw current verbatim first very actual
  all of the and base core custom above previous last`);
const promptNoun = `(?:${strong}|messages?|rules|configuration|config|context|persona|preamble)`;
const aboutOthers =
  String.raw`(?!s?${gap}(?:for(?!${gap}(?:debug|test|verif|audit|review|me|us|research|transparen))|` +
  `on|about|regarding|of|best|practices?|fields?` +
  `|parameters?|templates?|designs?|lengths?|tips|examples?|engineering|settings?|tokens?|versions?` +
  `|caching|size|feature|editor|box|section|should|could|is|work|to${gap}(?!me|us)` +
  `|guidelines|rules|limits?|in${gap}(?:my|our|the|an|openai|chatgpt|this)${gap})\\b)`;
export const ownPrompt =
  `(?:${words(4)}${gap}(?:your|you.?re|ur)(?:${gap}(?:${secret}|${exact})){0,5}${gap}` +
  `${promptNoun}\\b${aboutOthers}` +
  `|${words(4)}${gap}(?:the|this|that|all)(?:${gap}${exact}){0,3}${gap}` +
  `${secret}(?:${gap}${secret}){0,2}${gap}${promptNoun}\\b${aboutOthers}` +
  `|${gap}(?:${secret}${gap}){1,2}(?:prompts?|instructions)\\b${aboutOthers}` +
  `|${words(5)}${gap}${nouns}(?:${gap}that)?${gap}you(?:${gap}(?:were|are|have|had)){1,2}` +
  `${gap}(?:been${gap})?(?:given|told|provided|configured|received|started|operating|following)\\b)`;
