import {
  gap,
  words,
  list,
  before,
  owned,
  nouns,
  instructions,
  unbound,
  ownPrompt,
} from './injection-words.ts';

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
      `(?:${gap}(?:need|have)${gap}to)?${gap}(?:follow(?:ing)?|obey(?:ing)?|listen(?:ing)?|mind|adher(?:e|ing)` +
      `|comply(?:ing)?|attention|heed|aside|away|out|ignore|disregard|forget|override|bypass)${instructions}`,
  },
  {
    rule: 'instruction_override',
    score: 0.85,
    first: ['do', 'say', 'doing'],
    rest:
      `${gap}(?:exactly${gap})?the${gap}(?:opposite|reverse|contrary)${gap}(?:of|to)${words(2)}${gap}your` +
      `(?:${gap}(?:${owned}|${before}))?${gap}${nouns}\\b`,
  },
  {
    rule: 'instruction_override',
    score: 0.85,
    first: list(`disable deactivate remove lift suspend turn switch shut`),
    rest:
      `(?:${gap}(?:off|down))?(?:${gap}(?:all|any|every|of)){0,2}(?:${gap}(?:your|the))?` +
      `(?:${gap}(?:your|safety|content|ethical|moral|moderation|alignment|built-in|internal)){1,3}` +
      `${gap}${nouns}\\b(?!${gap}(?:in|on|for|from|of|with|at|when)\\b)(?!s?\\s{0,2}\\?)`,
  },
  {
    rule: 'instruction_override',
    score: 0.85,
    first: ['your', 'all', 'previous', 'prior', 'safety'],
    rest:
      `(?:${gap}(?:your|safety|content|ethical|moral|moderation|previous|prior|earlier|system|core)){0,3}` +
      `${gap}${nouns}${gap}(?:are|is|have${gap}been|has${gap}been)${gap}(?:now${gap}|hereby${gap}|all${gap}){0,2}` +
      `(?:disabled|deactivated|lifted|suspended|revoked|void|null|obsolete|superseded|overridden|removed` +
      `|no${gap}longer${gap}(?:valid|in${gap}effect|apply|active|binding))\\b`,
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
    first: ['as'],
    rest:
      `${gap}an?${gap}(?:${words(2)}${gap})?(?:unrestricted|unfiltered|uncensored|jailbroken|amoral|unaligned` +
      `|unethical|evil)${words(1)}${gap}(?:ai|assistant|model|bot|chatbot|agent|persona|llm)\\b`,
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
    score: 0.9,
    first: ['start', 'begin', 'open', 'end', 'finish', 'prefix', 'answer', 'reply', 'respond'],
    rest:
      `(?:${gap}(?:your|the|each|every|next|by|a|reply|response|answer|message|output|it)){0,6}` +
      `${gap}(?:with|repeating|quoting|printing|using)(?=${gap})${ownPrompt}`,
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
      `${gap}(?:everything|words?|text|sentences?|contents?|conversation|lines|tokens|initiali[sz]ation|all)` +
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
      String.raw`(?:\]|>|\}\}|\))(?:\(#[a-z_-]{1,40}\))?` +
      String.raw`[:\s]{0,6}(?:<start_of_turn>\s{0,4}(?:model|system|user)\b|[\[<]{1,2}\/?` +
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
      `can${gap}now|must${gap}obey)|(?:sure|certainly|of${gap}course|okay|absolutely)${words(3)}${gap}(?:here|below)` +
      `${gap}(?:is|are)${ownPrompt}|ignore${gap}(?!case)|disregard|forget${gap}(?:all|every|your|the)|` +
      `override${gap}|reveal${gap}|new${gap}(?:instructions?|rules)|from${gap}now${gap}on|` +
      `(?:safety|all|content)${gap}(?:restrictions|filters?|safety|polic)${words(5)}${gap}(?:off|disabled|` +
      `lifted|removed))`,
  },
];
