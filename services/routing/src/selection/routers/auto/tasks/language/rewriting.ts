import { task } from '../task.ts';

export const rewriting = task('rewriting', 'writing', {
  strong:
    'rewrite, rephrase*, paraphras*, proofread*, reword, more formal, less formal, more polite, ' +
    'more concise, more professional, sound more, sound less, change the tone, the tone, ' +
    'in simple language, in plain english, in einfacher sprache, umformulier*, formuliere, formulier, ' +
    'korrigier*, reformul*, corrige*, réécris, correct the grammar, fix the grammar, make this sound, ' +
    'make it sound, polish this, edit this, turn these bullets, shorten to, make this shorter, улучши, ' +
    'перепиши, 改写, 润色, 言い換え, 書き直し, less wordy, fix grammar, please correct, correct my, in a nicer way, ' +
    'nicer, improve the flow, for a 10 year old, fautes, mejora la redacción, redacción, tidy up my, ' +
    'use active voice, active voice, höflicher, höflich, kürze, kürzen, kürzer, this sentence, ' +
    'this paragraph, my abstract, my essay, my text, my paragraph, smoother, sound natural, ' +
    'more natural, natural english, more confident, more persuasive, more engaging, simplify this text, ' +
    'simplify the text, simpler words, trim, elaborate this, remove the jargon, gender neutral, ' +
    'inclusive language, british english, american english, verbessere, verbessern, korrigiere, ' +
    'rechtschreibung, grammatik, orthographe, améliore, améliorer, plus formel, plus court, más formal, ' +
    'más corto, mejora este, corrige, ortografía, riformula, correggi, переформулир*, исправь, ' +
    'сделай текст, 修改, 更正式, 润色一下, 敬語, 丁寧に, 直して, 自然な, reads better, read better, shorten, less boring, ' +
    'im passiv, ce texte, plus fluide, in simpler words, british spelling, in this style, diesen satz, ' +
    'diesen text, dieses absatz, ce paragraphe, cette phrase, este texto, esta frase, ' +
    'my linkedin summary, linkedin summary, more interesting, third person, first person plural, ' +
    'present tense, in fewer words, fewer words, more vivid, in my own words, plagiar*, humanize, ' +
    'remove repetition, without changing the meaning, rends, rendre, poner en, into passive, ' +
    'into active, more direct, less direct, soften, softer, friendlier, fix grammar and, ' +
    'grammar and spelling, shorter please, paraphrase so, for a ten-year-old, for a child, proofread my, ' +
    'passive text, correct texts, corrected text, in plain language, plain language, ' +
    'rechtschreibung und, korrigiere bitte, schreib das, mach den text, kürzer und, knackiger, ' +
    'plus professionnel, reformule cette, corrige les, corrige la, reescribe este, tono más, 帮我润色, 润色这段, ' +
    '改得, 更通顺, 通顺, 敬語に, 丁寧な, 丁寧, 直してください, 添削, исправь ошибки, deixa esse, mais formal, second person, ' +
    'less robotic, without the word, rephrase without, into a full paragraph, expand this into, ' +
    'b1 level, to b1, a2 level, edit my, keep my voice, turn this rant, rant into, ' +
    'variants of this sentence, versions of this sentence, to british, the jargon, this bio, ' +
    'as a bulleted, bulleted list, sentence sound natural, is this grammatically, grammatically correct, ' +
    'better wording, word choice, nicer wording, more casual, more assertive, more empathetic, gendern, ' +
    'gendergerecht, in leichter sprache, leichte sprache, sprachlich, umschreiben, schreibe um, ' +
    'besser formulieren, tournure, mets au passé, au passé, en moins de, version plus courte, ' +
    'más profesional, más amable, más cortés, suena mejor, riscrivi, migliora, reescreva, melhore, ' +
    'say it in a nicer, rends ce, plus simple, cut this down, any typos, klingt das gut, ' +
    'in a more formal, correct my english, formuliere um, más breve, improve this sentence, punchier',
  words:
    'improve this, polish, typos, flowing, into a paragraph, less aggressive, passive voice, ' +
    'avoid repetition, cut it to, besser klingen, wordy, grammar, caption shorter, this line, this text, ' +
    'my bio, the following sentence, style of, párrafo, párrafos, passiv, make my, too long, boring, ' +
    'correct this, expand this, cut this, past tense, as a paragraph, make it shorter, rephrase, fix it, ' +
    'kindly, gray, cover letter keep, this email sound, too formal, natural, formal, jargon, flow of, ' +
    'rant',
  weak:
    'sound, robotic, wording, shorter, clearer, better, tone, professional, friendly, phrase, stil, ' +
    'satz, sätze, texte, spelling, essay, correct, simpler',
});
