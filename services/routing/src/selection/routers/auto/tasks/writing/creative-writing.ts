import { task } from '../task.ts';

export const creativeWriting = task('creative_writing', 'writing', {
  strong:
    'poem*, gedicht*, poema, poème, haiku, sonnet, limerick, short story, bedtime story, a story, novel, ' +
    'lyrics, screenplay, fan fiction, fanfiction, opening paragraph, opening line, plot twist, ' +
    'fairy tale, kurzgeschichte, geschichte über, märchen, cuento, conte, ballad, fable, monologue, ' +
    'rhym*, reim*, 首诗, 写一首, 现代诗, 俳句, 小説, 物語, 故事, рассказ, стихотворение, сказк*, song about, a scene, ' +
    'ghost story, story set, kurze geschichte, eine geschichte, un poème, un cuento, a poem, a limerick, ' +
    'in verse, song lyrics, lyrics about, as the beginning of, beginning of a novel, once upon a time, ' +
    'sci-fi, science fiction, thriller, romance novel, horror story, flash fiction, drabble, epic poem, ' +
    'free verse, elegy, lullaby, rap about, a rap, nursery rhyme, script for a short, stage play, ' +
    'sketch comedy, comedy sketch, une histoire, historia corta, una historia, un relato, racconto, ' +
    'poesia, weihnachtsgeschichte, liebesbrief, love letter, a prologue, epilogue, in the style of, ' +
    'write a story, short film, character who, 诗, 编一个, 写一个故事, 小说, 童话, 短編, 詩を, 歌詞, стих*, рассказ*, ' +
    'сочини, придумай историю, a short tale, tale about, first chapter of, mystery on, lullaby for, ' +
    'légende, leyenda, legende, end this story, continue this story, finish this story, the letter and, ' +
    'fox who, haiku about, über den herbst, fanfic, a joke in the form, rewrite the ending, spooky, ' +
    'monolog, theaterstück, une chanson, una canción, ein lied, song text, invente, inventa, erfinde, ' +
    'erzähle, raconte, cuéntame un cuento, jabberwocky, tongue twister, acrostic, cinquain, tanka, ' +
    'a poem about, poem about the, short story about, story about, limerick about, continue the story, ' +
    'lyrics for, write a dialogue, bedtime story for, scene from a play, a sonnet, sonnet about, ' +
    'invent a legend, a legend that, first chapter, detective novel, gruselgeschichte, ' +
    'kurze gruselgeschichte, gedicht über, strophen, gereimt, erzähl mir ein, un poème sur, ' +
    'invente une histoire, cuento corto, poema de amor, 写一个关于, 童话故事, 七言绝句, 诗歌, 为题写, 俳句を, 物語を, 小説を, ' +
    'сочини сказку, сказку про, стихотворение о, scrivi una poesia, história de terror, ' +
    'crie uma história, um poema, monologue of, a rap about, six word stories, six-word, ' +
    'describe an alien, wedding toast, a fable, write a fable, alternative ending, ending for, ' +
    'co-author, write vividly, vividly, parody of, cooking show, make up a song, a song for, ' +
    'love letter from, love scene, tell me a joke, joke about, plot for, story idea, opening sentence, ' +
    'villanelle, ghost story for, a myth about, origin story, diary entry of, a scene in which, ' +
    'a scene where, world of, character sheet, story in which, story where, in iambic, blank verse, ' +
    'prose poem, spoken word, slam poetry, geschichte von, geschichte, ein märchen, liedtext, ballade, ' +
    'kurzgeschichte über, conte pour, nouvelle de, un sonnet, une fable, relato, microrrelato, versos, ' +
    'rima, racconta, filastrocca, favola, poema sobre, conto, 作文, 续写, 科幻, 散文, 歌词, 詩, 短歌, 川柳, ショートストーリー, ' +
    'басн*, поэм*, роман*, go on, reim mir, a tale, last words of, 短い物語, that begins with, poem for, ' +
    'une chanson sur, una fábula, spooky tale, 的诗',
  words:
    'story, dialogue, fiction, plot, protagonist, noir, dragon, villain, verse, stanza, narrator, song, ' +
    'worldbuilding, backstory, first person, rivals, songtext, canción, chanson, toast for, speech for, ' +
    'lighthouse, mars at dawn, spies, wizard, clown, narrative, twist, poetic, metaphor*, tale, ' +
    'moon and the, cruise ship, continue, fantasy, satire, adventure story, fairy, ode to, parody, ' +
    'letter and, dialogue between, vivid, hedgehog, elevator, archer, ghosts, lumberjack, verses, ' +
    'strangers, naples, dracula, shakespeare, 300 words',
  weak:
    'chapter, poem, alien, moral, siege, joke, funny, dramatic, write, words, paragraph, scene, ' +
    'character, schreibe, escribe, écris, letter, twins, share, ghost, robot, roboter, setting, opened, ' +
    'kingdom, describe a, detective',
});
