/** The kind of work that a ranking is about. */
export type Skill = 'code' | 'agent' | 'reasoning' | 'writing' | 'language' | 'facts' | 'vision';

/** A task type: the skill that it needs, and words that speak for it. */
export interface TaskType {
  readonly name: string;
  readonly skill: Skill;
  /** Words and phrases in lower case, whole words each. */
  readonly words: readonly string[];
  /** The type counts only if the request has tools or pictures. */
  readonly needs?: 'tools' | 'image' | undefined;
}

const task = (name: string, skill: Skill, words: string, needs?: TaskType['needs']): TaskType => ({
  name,
  skill,
  words: words.split(', '),
  needs,
});

/** The task types. Among equals the first one wins, so the narrow ones are first. */
export const taskTypes: readonly TaskType[] = [
  task(
    'code:debugging',
    'code',
    'bug, debug, error, exception, traceback, stack trace, crash, crashes, fails, failing, ' +
      'segfault, undefined is not, broken, fix',
  ),
  task(
    'code:review',
    'code',
    'code review, review this, review my, pull request, code smell, best practices',
  ),
  task(
    'code:refactoring',
    'code',
    'refactor, refactoring, clean up, simplify this function, rename, extract',
  ),
  task(
    'code:testing',
    'code',
    'unit test, unit tests, test case, test cases, pytest, jest, vitest, mock, coverage',
  ),
  task(
    'code:explanation',
    'code',
    'explain this code, explain the code, what does this code, what does this function, ' +
      'how does this code, walk me through',
  ),
  task(
    'code:sql',
    'code',
    'sql, query, select, join, postgres, postgresql, mysql, sqlite, database',
  ),
  task(
    'code:frontend',
    'code',
    'html, css, react, vue, svelte, tailwind, component, web page, website, frontend',
  ),
  task(
    'code:devops',
    'code',
    'docker, dockerfile, kubernetes, terraform, ansible, nginx, ci, pipeline, helm, ' +
      'bash script, deploy',
  ),
  task(
    'code:generation',
    'code',
    'function, python, javascript, typescript, java, rust, golang, c++, script, program, ' +
      'implement, class, algorithm, regex, parser, code, api',
  ),
  task(
    'agent:multi_step_planning',
    'agent',
    'plan, step by step, steps, first, then, finally, after that',
    'tools',
  ),
  task(
    'agent:web_research',
    'agent',
    'search, look up, find out, browse, research, latest, news',
    'tools',
  ),
  task(
    'agent:file_editing',
    'agent',
    'file, files, repository, repo, folder, directory, edit, commit',
    'tools',
  ),
  task(
    'agent:tool_use',
    'agent',
    'call, use the tool, book, schedule, send, create, get, fetch, weather',
    'tools',
  ),
  task(
    'vision:description',
    'vision',
    'picture, image, photo, screenshot, describe, see, chart, diagram',
    'image',
  ),
  task(
    'math',
    'reasoning',
    'solve, equation, integral, derivative, prove, proof, theorem, matrix, probability, ' +
      'calculate, compute, sum of, geometry, algebra, calculus, percent',
  ),
  task(
    'logic',
    'reasoning',
    'puzzle, riddle, logic, deduce, premise, if all, therefore, knights and knaves, syllogism',
  ),
  task(
    'science',
    'reasoning',
    'physics, chemistry, biology, molecule, protein, quantum, experiment, hypothesis, ' +
      'reaction, genome, velocity',
  ),
  task(
    'data_analysis',
    'reasoning',
    'csv, dataset, spreadsheet, correlation, regression, statistics, trend, average, table, ' +
      'analyze the data, outliers',
  ),
  task(
    'finance',
    'facts',
    'stock, invest, investment, portfolio, tax, taxes, revenue, interest rate, mortgage, ' +
      'budget, accounting, loan',
  ),
  task(
    'legal',
    'facts',
    'contract, clause, lawsuit, liability, legal, law, court, copyright, gdpr, tenant, ' +
      'landlord',
  ),
  task(
    'health',
    'facts',
    'symptom, symptoms, doctor, medicine, medication, dose, disease, diagnosis, treatment, ' +
      'pain, diet',
  ),
  task(
    'translation',
    'language',
    'translate, translation, into french, into german, into spanish, into english, ' +
      'into italian, into japanese, into chinese, in french, in german, in spanish',
  ),
  task(
    'summarization',
    'language',
    'summarize, summarise, summary, tl;dr, tldr, key points, shorten, condense, main points, ' +
      'in one sentence',
  ),
  task(
    'extraction',
    'language',
    'extract, pull out, list all, fields, json, entities, parse the text, names and dates',
  ),
  task(
    'classification',
    'language',
    'classify, categorize, category, sentiment, label, spam, positive or negative, ' +
      'which of these',
  ),
  task(
    'rewriting',
    'writing',
    'rewrite, rephrase, paraphrase, proofread, grammar, edit this, improve this, polish, ' +
      'more formal, tone',
  ),
  task('email', 'writing', 'email, e-mail, reply to, cover letter, letter, subject line'),
  task(
    'marketing',
    'writing',
    'slogan, tagline, advert, ad copy, landing page, seo, tweet, linkedin, blog post, ' +
      'newsletter, campaign, product description',
  ),
  task(
    'creative_writing',
    'writing',
    'story, poem, haiku, novel, lyrics, song, character, dialogue, screenplay, limerick, plot, ' +
      'fiction',
  ),
  task(
    'roleplay',
    'writing',
    'pretend, act as, you are a, roleplay, role-play, in character, dungeon master',
  ),
  task(
    'brainstorming',
    'writing',
    'brainstorm, ideas, suggest, suggestions, names for, come up with',
  ),
  task('conversation', 'language', 'hello, hi, hey, thanks, thank you, how are you, good morning'),
  task(
    'qa_knowledge',
    'facts',
    'what is, what are, who, when, where, why, how many, explain, difference between, define, ' +
      'capital of, tell me about',
  ),
];
