import { task } from '../task.ts';

export const translation = task('translation', 'language', {
  strong:
    'translat*, übersetz*, traduci*, traduis*, traduce*, traduz*, tradu*, przetłumacz*, vertaal*, ' +
    'перевед*, how do you say, how would you say, wie sagt man, cómo se dice, comment dit-on, ' +
    'into french, into german, into spanish, into english, into italian, into japanese, into chinese, ' +
    'into polish, ins englische, ins deutsche, auf englisch, en anglais, al inglés, in english please, ' +
    'english to, german to, french to, spanish to, to german, to french, to spanish, 翻译, 翻譯, 翻訳, 英訳, 和訳, ' +
    '번역, in korean, in italian please, french word, german word, spanish word, ins französische, ' +
    'ins spanische, ins italienische, en español, en français, auf deutsch, auf französisch, ' +
    'auf spanisch, dutch version, french version, german version, english version, spanish version, 訳して, ' +
    '英語に, 日本語に, переведи, на английский, на русский, word for, how do i write, how do i say, say in, ' +
    'into portuguese, into dutch, into korean, into russian, into arabic, into turkish, into swedish, ' +
    'to japanese, to english, to chinese, to italian, to portuguese, to polish, to dutch, to russian, ' +
    'to turkish, in arabic, in russian, in turkish, in swedish, in greek, in hebrew, in latin, ' +
    'em português, in italiano, 成英文, 成中文, 英语怎么说, 用英语, native speaker, heißt auf, wie heißt, say thank, ' +
    'in formal japanese, traduzca, en de, de en, the spanish for, the french for, the german for, ' +
    'spanish for, french for, german for, italian for, japanese for, chinese for, translate this, ' +
    'en to de, from english, from german, from french, from spanish, translate to, feierabend, sagt man, ' +
    'native speaker say, into english please, a translation engine, translation engine, translate every, ' +
    'übersetzt alles, übersetz mir, ins französische übersetzen, traduis en, traduction en, en allemand, ' +
    'traduce al, 翻译成, 翻译成英文, 用英语怎么说, 翻译成日语, 日语, 英語に訳, 英語で, 訳してください, 英訳して, переведи на, по-немецки, ' +
    'по-английски, как будет, traduci in, traduz pra, para o inglês, latin, from latin, ' +
    'version of this sentence, hindi word, words for, swedish, danish, norwegian, hindi, czech, ' +
    'hungarian, finnish, romanian, ukrainian, vietnamese, thai, hebrew, greek, turn this english, ' +
    'in simple turkish, translate and, translation correct, is this translation, keep the time codes, ' +
    'ui strings, locale file, i18n, german legal, ins polnische, ins russische, ins türkische, ' +
    'en portugués, en italiano, en chino, al francés, al alemán, en japonais, en chinois, 译成中文, 中文怎么说, ' +
    '中文意思, 日本語に訳, 韩语, 法语, 德语, 西班牙语, 한국어로, 영어로, 翻成, mean in english, mean in german, mean in french, ' +
    'mean in spanish, interpreter between, would a spaniard, in portuguese, give me this in, traduire, ' +
    '英語にして, in hungarian',
  words:
    'in french, in german, in spanish, in japanese, in italian, in dutch, in polish, in chinese, ' +
    'subtitles, localiz*, localise, 译成, 英文, version of this, placeholders, strings for, korean, dutch, ' +
    'italian, portuguese, russian, arabic, turkish, polish, französisch, spanisch, italienisch, inglés, ' +
    'francés, alemán, anglais, allemand, espagnol, formal japanese, translator, native, phrase in, ' +
    'literal, idiomatic translation',
  weak: 'english, german, french, spanish, japanese, language, please',
});
