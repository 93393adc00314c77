import { task } from '../task.ts';

export const qaKnowledge = task('qa_knowledge', 'facts', {
  strong:
    'who wrote, who is, who was, who invented, when was, when did, where is, capital of, tell me about, ' +
    'history of, how long do, how long does, how far, how old, how tall, which country, which year, ' +
    'what year, what are the main, wer war, wer ist, wann wurde, wo liegt, hauptstadt, quién, cuándo, ' +
    'dónde, qui a, quand, où se, quelle est la, was ist der, 谁, 什么是, 哪个, 誰, いつ, どこ, кто, когда, где, ' +
    'population of, battle of, tallest, who composed, komponiert, best time of year, how to remove, ' +
    'how do i tie, stand for, stands for, what do pandas, electoral college, cuántos, cuántas, wie hoch, ' +
    'wie weit, wie heißt, in welchem jahr, berlin wall, world war, roman empire, president of, king of, ' +
    'prime minister, official language, currency of, longest river, first person to, year did, ' +
    'how do you cook, how to cook, how to clean, boil an egg, recipe for, origin of, when are, plot of, ' +
    'who plays, who directed, who discovered, who painted, religion, festival, wie macht man, ' +
    'wie kocht man, cómo se hace, comment faire, 什么时候, 是什么, 首都, 多少, 怎么做, とは何, 作り方, 誰が, なぜ, что такое, ' +
    'сколько стоит, столица, почему, what is the currency, pronounce, daylight saving, what does sine, ' +
    'wie hoch ist, how many strings, baking soda, quien escribió, moons, stock exchange open, ' +
    'substitute for, rules of offside, offside, part of the eu, night watch, how is called, ' +
    'what do you call, how much does a, how heavy, how deep, most populous, best known for, nationality, ' +
    'anthem, flag of, world record, nobel*, oscar*, eurovision, world cup, bible, mythology, greek god, ' +
    'philosopher*, monument, museum in, unesco, time zone, postal code, dial code, antonym*, etymolog*, ' +
    'grammar rule, how is easter, leap year, coffee beans, tie a, poach, marinate, freeze bread, ' +
    'houseplant*, prune, fertiliz*, dog breed, do cats, do dogs, feed a, capital, currency, border, ' +
    'borders, which countries border, painted, berlin wall fall, first woman, first man, ' +
    'what language do, rules of, out of a carpet, crocodile and, recommend, novels by, ' +
    'best time to visit, time to visit, congress of, history of the, wie viele einwohner, einwohner, ' +
    'bundeskanzler, weihnachten, a écrit, qui a écrit, les misérables, capitale de, la capitale, ' +
    'en qué año, río más largo, más largo, más grande, le plus grand, le plus haut, 长城, 有多长, 创立, 最高的, ' +
    '最大的, 一番高い, 一番, 何ですか, кто написал, самая, самый, chi ha, dipinto, qual é o maior, qual é, quem foi, ' +
    'guests of the, when is breakfast, breakfast, handbook of, change my password, side of the road, ' +
    'world bank, come from originally, idiom, roman empire fall, the aztecs, aztecs, seven wonders, ' +
    'ancient world, electoral, great gatsby, a fruit, weigh, ingredients of, titanic, survived, sunni, ' +
    'shia, holds the record, plug type, minster, clocks change, opening times, check-in, check out time, ' +
    'how many people live, population, mount, desert, ocean is, island of, queen of, emperor, dynasty, ' +
    'revolution, civil war, treaty of, independence, constitution, parliament work, traditional dish, ' +
    'typical food, public holidays, driving side, time difference, visa for, tipping in, dress code, ' +
    'etiquette, meaning of the name, origin of the, who sings, which band, which film, which actor, ' +
    'box office, season of, champion*, grand slam, formula 1, tour de france, medals, einwohnerzahl, ' +
    'wer hat, wann ist, wann war, wie groß ist, welches land, welche stadt, aus welchem, quel pays, ' +
    "quelle ville, en quelle année, combien d'habitants, cuántos habitantes, en qué país, qué país, " +
    'quién fue, cuándo fue, cuál es el, cuál es la, quando è, qual è, onde fica, 哪一年, 在哪里, 哪个国家, 作者是谁, ' +
    '谁写, 有几个, 多少人, 何年, 誰です, どこですか, 首都は, в каком году, какая столица, кто изобрёл, сколько лет, ' +
    'which king, six wives, seit wann gibt, how is parmesan, polar bears, pintó, borrow at once, ' +
    'barrister, solicitor, discovered penicillin, langues officielles, eiffel tower, sourdough, ' +
    'primer presidente, wie hoch ist die, how is made, where can you see',
  words:
    "meaning of, qu'est-ce, c'est quoi, can i bring, countries, mountain, river, olympic*, crocodile, " +
    'carpet, stain, holiday, invented, luggage, passport, airport, egg, cook, bake, équipe, cello, dom, ' +
    'soda, football, greenland, tree height, chess, poker, novel by, song by, band, largest, smallest, ' +
    'fastest, capitale, wash, fold, knit, grill, spell, spelled, known for, famous for, oldest, ' +
    'synonym*, plural of, past tense of, recipe, wie lange, wie viele, combien de, wie alt, where do, ' +
    'where does, when is, how do you make, how big, how fast, how high, author of, tomato, composer, ' +
    'painter, vietnam, iceland, kiwis, bagel, handball, andorra, kilimanjaro, statue, bridge in',
  weak:
    'empire, eggs, boil, wine, guest, hotel, app, tower, novel, museum, goals, president, what, why, ' +
    'how, explain, which, does, wie, warum, cómo, comment, can i, is there, what is, what are, who, ' +
    'when, where, how many, how long, define, difference between, was ist, was sind, qué es, cuál, ' +
    'why do, why is, is it true, how do i, should i, why did, how did, is a, do i, history, meaning, ' +
    'animal, team, century, season, players, city, country, island, fruit, language, actor, album, war',
});
