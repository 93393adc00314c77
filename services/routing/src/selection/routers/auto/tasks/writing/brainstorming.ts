import { task } from '../task.ts';

export const brainstorming = task('brainstorming', 'writing', {
  strong:
    'brainstorm*, ideas for, ideas, ideen, idées, idee per, ideas de, names for, name for, come up with, ' +
    'suggestions for, think of, unusual angles, what could we, what can we do for, gift for, geschenk*, ' +
    'regalo*, give me 10, give me 20, give me ten, list of possible, creative ways, ways to use, ' +
    'vorschläge, propositions, nombres para, namen für, 点子, 想法, アイデア, 创意, идеи, topics for, ' +
    'activities for, date ideas, cheap date, how could a, attract more, startup ideas, a few options, ' +
    'qué puedo regalar, puedo regalar, leftover, ten ways, ten ideas, five ideas, any ideas, more ideas, ' +
    'themes for, carnival, what else could, list 10, list 20, list ten, list some, fun things, ' +
    'things to do, side project, business ideas, content ideas, video ideas, gift ideas, was könnte, ' +
    'wie könnten wir, namensideen, was schenke, que pourrais, idées de, noms pour, qué podría, ' +
    'propuestas, 10 nombres, 起名, 名字, 有哪些, 建议一些, 案を, ネタ, 名前を考え, придумай, предложи, варианты, ' +
    'how might we, out of the box, spitball, alternatives to a, what can we name, can we name, name our, ' +
    'blog topics, how else could, spiele für, low budget, objections, cosas para, things for, cosas que, ' +
    'actividades, activités, aktivitäten, ausflug, was könnten wir, puppy, 10 blog, ten blog, ' +
    'low-budget, appreciation ideas, games for, dinner ideas, costume, outfit ideas, lunch ideas, ' +
    'snacks for, trip ideas, date night, icebreaker*, challenges for, prompts for, use cases for, ' +
    'features could, feature ideas, what features, analogies for, metaphors for, how to use up, ' +
    'empty shop, ideas for a, what could i name, name my, blog topics for, how can we make, ' +
    'outside the box, gift ideas for, suggest team names, team names, side hustle, what are some, ' +
    'first date ideas, list possible, possible features, ideen für, wie könnte mein, heißen, sammle, ' +
    'möglichkeiten, wie wir, donne-moi des idées, idées de cadeaux, noms pour une, dame ideas, ' +
    'ideas para, qué actividades, 给我十个, 选题, 帮我想, 想几个, 几个名字, 的名字, アイデアを, 企画, 考えて, придумай вариант, ' +
    'варианты названия, ideias de, ideias para, different angles, what might go wrong, ' +
    'list everything you can, creative uses, themes for a, alternatives to, for a memorable, ' +
    'hobbies for, research questions, wild ideas, ideas welcome, attract teenagers, 15 metaphors, ' +
    'what business could, business could one, mottos for, motto for, things to do on, ' +
    'icebreaker questions, plot hooks, crazy alternatives, title ideas, titles for my, nickname*, ' +
    'spitznamen, mottoparty, motto, vorschläge für, was könnten, welche ideen, fallen dir, ' +
    'que pourrait-on, quels noms, quelles activités, sugerencias, sugiere, nombres de, sugestões, ' +
    'dammi idee, nomi per, 头脑风暴, 有什么好的, 有什么创意, 取名, ネーミング, 提案して, 何かいい, подкинь, посоветуй идеи, ' +
    'name suggestions, list of names, list of ideas, what else can, other ways to, uses for, ' +
    "what to put on, wie kann ich meinen, surnames for, que faire d'une, project ideas, ideen bitte, " +
    "idées d'activités, team building ideas, how could we use, how could we",
  words:
    'suggest*, propose, angles, what else, activit*, options for, unusual, themes, guest book, ' +
    'teenagers, cook with, possibilities, rainy, domingo, road trip, autofahrt, kids party, ways to, ' +
    'reasons to, pros and cons, arguments for, theme for, examples of ways, que faire, inspiration, ' +
    'some ideas, hobby, hobbies, was kann ich, questions to ask, what could i, dinosaurs, ' +
    'who has everything, trivia, waiting room, balcony, sport that, campaign set, tractor, class of, ' +
    'thesis on, kittens, podcast, rainy sunday, unconventional, wacky, inspire',
  weak:
    'original, documentary, library, wild, crazy, topics, give me, weirder, names, creative, some, ' +
    'different, party, options, theme, surprise, unique, ways, window, family, budget, retro, wedding, ' +
    'possible, titles for, questions for',
});
