/** A way to begin an attack, and how it goes on. */
export interface InjectionRule {
  readonly rule: string;
  readonly score: number;
  /** The literal words, in lower case, that a match begins with. */
  readonly first: readonly string[];
  /** The pattern after the first word. Lower case; every repetition is bounded. */
  readonly rest: string;
  readonly confirm?: RegExp;
}

/** Between two words: their classes share no character, so there is one way to match. */
const gap = String.raw`[\s"'“”‘’*_,:;()\[\]<>\-–—]{1,8}`;
const words = (max: number): string => `(?:${gap}[a-z0-9]{1,16}){0,${max}}?`;
const list = (spaced: string): readonly string[] => spaced.trim().split(/\s+/u);
const oneOf = (spaced: string): string => `(?:${list(spaced).join('|')})`;

const before = oneOf(`previous prior above earlier preceding foregoing former past initial original
  existing aforementioned old preceeding previously`);
const owned = oneOf('your system developer hidden safety internal built-in openai anthropic core');
const every = oneOf('all any every each');
const filler = oneOf('the of my this that these those other current given and or such to set');
const strong = oneOf(`instructions? directives? guidelines? prompts? prompting pre-?prompts?
  programming guardrails? safeguards?`);
const weak = oneOf(`rules? commands? orders constraints? restrictions? polic(?:y|ies) training
  filters? limits limitations? directions? context conditioning alignment ethics moderation
  protocols? settings protections? measures checks controls conversation`);
const nouns = `(?:${strong}|${weak}|system${gap}messages?)`;
const loose = `(?:${gap}(?:${filler}|${every}|${before}|${owned}|content|security|ethical)){0,7}?`;
const told =
  `${gap}(?:that${gap}|which${gap})?(?:(?:you|i|we)${gap}(?:were|have|had|was|are|just)|came|come|
  given|listed|written|stated|above|before|so${gap}far|provided|preceding|previously|until)\\b`.replaceAll(
    /\s{2,}/gu,
    '',
  );
const ofOthers = String.raw`(?!${gap}(?:in|for|from|on|about|with|regarding)\b)`;

/** Whose instructions: bare "the instructions" are often those on a box. */
const instructions =
  `(?:${loose}${gap}(?:${before}|${owned})${loose}${gap}${nouns}\\b` +
  `|${loose}${gap}(?:${every}|no)${loose}${gap}${nouns}\\b${ofOthers}` +
  `|${loose}${gap}(?:content|security|ethical|moral)${gap}${nouns}\\b${ofOthers}` +
  `|${loose}${gap}${nouns}${told}` +
  `|${gap}(?:the${gap}|all${gap}){0,2}above(?=\\s{0,3}(?:[.,!;:"']|\n|$)|${gap}(?:and|instead|then)\\b)` +
  `|${gap}${strong}\\b${ofOthers}(?!${gap}[a-z])` +
  `|${loose}${gap}(?:everything|anything|all|whatever|what)(?:${gap}(?:else|that|of))?` +
  `${gap}(?:(?:is|was|came|written|stated|said)${gap})?(?:above|before|prior|previously|preceding` +
  `|you${gap}(?:were|have${gap}been|had${gap}been|are)${gap}(?:told|taught|given|instructed|trained)` +
  `|you${gap}(?:know|learned|learnt)${gap}about${gap}(?:your|rules|safety))\\b)`;

const bans =
  oneOf(`rules? restrictions? limits? limitations? filters? filtering guidelines? boundaries
  ethics morals? constraints? censorship safeguards? guardrails? inhibitions polic(?:y|ies)`);
const modes = oneOf(`god jailbreak jailbroken dan unrestricted unfiltered uncensored opposite evil
  chaos`);
const unbound =
  `(?:unrestricted|unfiltered|uncensored|unlimited${gap}ai|jailbroken|jailbreak|amoral` +
  `|unethical|unaligned|do${gap}anything${gap}now|(?:${modes})${gap}mode(?!l)` +
  `|(?:no|without|zero|lacks?|lacking|ignor(?:es?|ing)|free${gap}(?:of|from)|beyond)` +
  `${words(3)}${gap}${bans}` +
  `|(?:not|never|no${gap}longer|isn.?t|aren.?t)${gap}(?:bound|limited|restricted|constrained|governed|held)` +
  `|evil${gap}(?:ai|assistant|chatbot|bot|confidant|version|twin)` +
  `|(?:never|cannot|can.?t|doesn.?t)${gap}(?:refuses?|says?${gap}no))\\b`;

const secret =
  oneOf(`system initial hidden secret internal confidential developer underlying starting
  original private pre-?set default`);
const exact = oneOf(`full complete entire exact whole own raw current verbatim first very actual
  all of the and base core custom above previous last`);
const promptNoun = `(?:${strong}|messages?|rules|configuration|config|context|persona|preamble)`;
const aboutOthers =
  String.raw`(?!s?${gap}(?:for|on|about|regarding|of|best|practices?|fields?` +
  `|parameters?|templates?|designs?|lengths?|tips|examples?|engineering|settings?|tokens?|versions?` +
  `|caching|size|feature|editor|box|section|should|could|is|work|to${gap}(?!me|us)` +
  `|guidelines|rules|limits?|in${gap}(?:my|our|the|an|openai|chatgpt|this)${gap})\\b)`;
const ownPrompt =
  `(?:${words(4)}${gap}(?:your|you.?re|ur)(?:${gap}(?:${secret}|${exact})){0,5}${gap}` +
  `${promptNoun}\\b${aboutOthers}` +
  `|${words(4)}${gap}(?:the|this|that|all)(?:${gap}${exact}){0,3}${gap}` +
  `${secret}(?:${gap}${secret}){0,2}${gap}${promptNoun}\\b${aboutOthers}` +
  `|${gap}(?:${secret}${gap}){1,2}(?:prompts?|instructions)\\b${aboutOthers}` +
  `|${words(5)}${gap}${nouns}(?:${gap}that)?${gap}you(?:${gap}(?:were|are|have|had)){1,2}` +
  `${gap}(?:been${gap})?(?:given|told|provided|configured|received|started|operating|following)\\b)`;

/** One line for each way to begin. */
export const injectionRules: readonly InjectionRule[] = [
  {
    rule: 'instruction_override',
    score: 0.9,
    first:
      list(`ignore ignoring disregard disregarding forget forgetting override overriding bypass bypassing
      discard neglect dismiss abandon disobey overlook nullify circumvent violate erase skip drop
      cancel unlearn`),
    rest: instructions,
  },
  {
    rule: 'instruction_override',
    score: 0.9,
    first: [
      'do',
      'don',
      'stop',
      'pay',
      'set',
      'put',
      'throw',
      'never',
      'no',
      'quit',
      'cease',
      'you',
    ],
    rest:
      `(?:[’']?t|${gap}not|${gap}longer|${gap}(?:must|should|can|will)${gap}(?:not|now|no${gap}longer))?` +
      `(?:${gap}(?:need|have)${gap}to)?${gap}(?:follow(?:ing)?|obey(?:ing)?|listen(?:ing)?|adher(?:e|ing)` +
      `|comply(?:ing)?|attention|heed|aside|away|out|ignore|disregard|forget|override|bypass)${instructions}`,
  },
  {
    rule: 'instruction_override',
    score: 0.8,
    first: ['new', 'updated', 'important', 'real', 'actual', 'revised', 'urgent'],
    rest:
      `(?:${gap}(?:new|system|developer|admin|priority|override|updated|and)){0,3}` +
      `${gap}(?:instructions?|directives?|orders|task|system${gap}prompt)` +
      String.raw`(?:${gap}from${gap}(?:the${gap})?(?:developers?|admin\w{0,9}|system|openai|anthropic))?` +
      String.raw`\s{0,4}(?::|are\s{1,4}as|[.!]\s{1,4}you${gap}(?:are|must|will))` +
      `(?=${words(12)}${gap}(?:ignor|disregard|forget|reveal|you${gap}(?:are|must|will|now)|bypass|obey` +
      `|override|unrestricted|output|say|send|print|leak))`,
  },
  {
    rule: 'role_play',
    score: 0.85,
    first:
      list(`act acting pretend roleplay role behave become impersonate simulate play respond answer assume
      adopt emulate you your reply stay`),
    rest:
      `(?=[’']|${gap})(?:(?:[’']|${gap})(?:as|like|re|are|you|to|that|playing?|can|will|have|now|be|is|the` +
      `|in|with|being|my|a|an|must|shall|persona|role|no|exist|from|character|without|yourself|a?n?other)\\b)` +
      `(?:${words(12)}${gap}${unbound}|${words(2)}${gap}(?:developer|debug|sudo|admin|root|dev)${gap}mode(?!l))`,
  },
  {
    rule: 'role_play',
    score: 0.85,
    first: ['imagine', 'suppose', 'picture', 'hypothetically'],
    rest:
      `${words(4)}${gap}(?:you|yourself|an${gap}ai|assistant|chatbot|(?:language${gap})?model|bot)\\b` +
      `${words(4)}${gap}(?:ai|assistant|chatbot|model|bot|have|had|being|are|were|with)\\b(?:${gap}an?)?` +
      `(?:${gap}(?:ai|assistant|chatbot|model|bot))?(?:${gap}(?:with|that|who|which|has|have|` +
      `is)){0,3}${gap}${unbound}`,
  },
  {
    rule: 'role_play',
    score: 0.85,
    first: list(
      `enter enable activate switch engage unlock start initiate turn entering go run boot`,
    ),
    rest:
      `(?:${gap}(?:to|into|in|on|up|your|the|a|an|full)){0,3}` +
      `${gap}(?:(?:developer|dev|god|dan|jailbreak|jailbroken|unrestricted|unfiltered|uncensored|opposite|evil)` +
      `${gap}(?:mode|persona|self)(?!l)|jailbreak\\b|do${gap}anything${gap}now)` +
      `(?!${gap}(?:in|on|for)${gap}(?:my|the|a|an|android|chrome|windows|ios|minecraft|quake|doom|this))` +
      `(?!${gap}(?:(?:in|on|for)${gap}[a-z]{1,16}(?:${gap}[a-z]{1,16}){0,3})[?])`,
  },
  {
    rule: 'role_play',
    score: 0.8,
    first: [
      'act',
      'acting',
      'pretend',
      'roleplay',
      'role',
      'you',
      'become',
      'answer',
      'respond',
      'play',
      'stay',
    ],
    rest: `(?:${words(7)}${gap})dan\\b`,
    confirm: /D[^A-Za-z]{0,3}A[^A-Za-z]{0,3}N\b/u,
  },
  {
    rule: 'prompt_extraction',
    score: 0.9,
    first:
      list(`reveal show print repeat output display tell give share disclose expose leak dump recite echo
      return provide quote state paste reproduce spell divulge revealing describe summarize summarise
      translate encode list copy send extract read see know type out write`),
    rest: ownPrompt,
  },
  {
    rule: 'prompt_extraction',
    score: 0.85,
    first: ['what', 'which', 'how'],
    rest:
      `(?:[’']?s|${gap}(?:is|are|was|were|does|did|exactly|do))(?=${gap})` +
      `(?:${ownPrompt}|${gap}(?:you${gap}(?:told|instructed|configured|prompted)${gap}(?:to|by|before|at|in)\\b` +
      `|(?:written|said|stated)${gap}(?:above|before|at${gap}the${gap}(?:top|start|beginning))` +
      `${words(3)}${gap}(?:this|our|your|the)${gap}(?:conversation|chat|prompt|instructions|message)))`,
  },
  {
    rule: 'prompt_extraction',
    score: 0.85,
    first: [
      'repeat',
      'print',
      'output',
      'echo',
      'copy',
      'recite',
      'reproduce',
      'dump',
      'display',
      'return',
      'write',
    ],
    rest:
      `(?:${gap}(?:back|out|me|to|us|verbatim|exactly|down)){0,3}(?:${gap}(?:the|all|every|of|full|entire|` +
      `exact)){0,4}` +
      `${gap}(?:everything|words?|text|sentences?|contents?|conversation|lines|tokens|all)` +
      `(?:${gap}(?:that|is|are|was|written|which|appears?|came|comes|in|you|were|have|been|given)){0,3}` +
      `${gap}(?:above|before${gap}this|preceding|prior|previous)\\b` +
      `(?!${gap}(?:[0-9]|average|zero|in${gap}(?:the${gap}|other|simpler|plain|[a-z]{3,12}(?:ish|an|ese|` +
      `ch)\\b)|but|with|except|as${gap}an?))`,
  },
  {
    rule: 'delimiter_spoofing',
    score: 0.9,
    first: ['<|'],
    rest:
      String.raw`\s{0,3}(?:(?:im_start|start_header_id|start)\s{0,3}\|>\s{0,3}(?:system|assistant|developer|user)` +
      String.raw`\b|(?:system|assistant|developer|user)\s{0,3}\|>\s{0,4}[^\s?]` +
      String.raw`|(?:im_end|end|eot_id|endoftext|endofprompt|eom_id|return)\s{0,3}\|>\s{0,6}(?:<\||[#[]|` +
      `system|you${gap}|new${gap}|ignore|assistant|now\\b))`,
  },
  {
    rule: 'delimiter_spoofing',
    score: 0.85,
    first: ['[', '<', '{{', '(', '</', '<<', '[/'],
    rest:
      String.raw`(?:(?:/?inst|sys|/sys|end_?inst)(?:\]|>>?)\s{0,6}(?:[\[<]|you${gap}|ignore|new${gap}|` +
      `system|forget|disregard|now\\b|reveal|from${gap}now)|` +
      String.raw`/?(?:system|admin|developer|root|instructions?|prompt|user|user_input|context|end_of_turn` +
      String.raw`|start_of_turn|system[ _-](?:prompt|message|override|instructions?)|assistant)` +
      String.raw`(?:\]|>|\}\}|\))[:\s]{0,6}(?:<start_of_turn>\s{0,4}(?:model|system|user)\b|[\[<]{1,2}\/?` +
      String.raw`(?:system|admin|instructions?|inst|sys|developer)\b|` +
      `you${gap}(?:are|must|will|have|shall|can)|ignore|disregard|new${gap}(?:instructions?|rules?|task)|forget|` +
      `override|reveal|all${gap}(?:safety|restrictions|filters|previous)|from${gap}now|safety|bypass|obey|comply|` +
      `the${gap}(?:user${gap}is|following)))`,
  },
  {
    rule: 'delimiter_spoofing',
    score: 0.85,
    first: ['###', '---', '===', '***', '```', '"""', '~~~', '##', '==', '--'],
    rest:
      String.raw`[-=#*~"\x60]{0,40}\s{0,4}(?:(?:begin|end|start|new|stop|close|updated)(?:ning)?${gap}(?:of${gap})?` +
      `(?:the${gap}|all${gap}|new${gap}){0,2}(?:system|user|developer|admin|assistant|prompt|instructions?|` +
      `input|context|conversation|untrusted)` +
      `(?:${gap}(?:prompt|instructions?|messages?|input|query|override|context))?` +
      String.raw`\s{0,4}(?:[-=#*~"\x60:>]|\n)` +
      `|(?:system|developer|admin|assistant|new|instruction|root)(?:${gap}(?:prompt|instructions?|message|` +
      `override|note|` +
      String.raw`update|command)){0,2}\s{0,4}(?:[-=#*~:>\x60]{1,40}|\n)[\s#*-]{0,6}(?:you${gap}|ignore|` +
      `disregard|forget|override|new${gap}|from${gap}now|reveal|the${gap}user|all${gap}|obey|safety|bypass|comply))`,
  },
  {
    rule: 'delimiter_spoofing',
    score: 0.8,
    first: ['system', 'developer', 'admin', 'assistant', 'root'],
    rest:
      [
        String.raw`(?:[ _-](?:prompt|message|override|instructions?|note|update|command|`,
        String.raw`alert)){0,2}["'\]]{0,2}\s{0,3}:`,
      ].join('') +
      [
        String.raw`[\s"']{0,6}(?:you${gap}(?:are${gap}now|must${gap}now|will${gap}now|have${gap}no|are${gap}no|`,
        String.raw`are${gap}un|`,
      ].join('') +
      `can${gap}now|must${gap}obey)|ignore${gap}(?!case)|disregard|forget${gap}(?:all|every|your|the)|` +
      `override${gap}|reveal${gap}|new${gap}(?:instructions?|rules)|from${gap}now${gap}on|` +
      `(?:safety|all|content)${gap}(?:restrictions|filters?|safety|polic)${words(5)}${gap}(?:off|disabled|` +
      `lifted|removed))`,
  },
];
