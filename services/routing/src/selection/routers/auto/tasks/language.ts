import { task, type TaskType } from './task.ts';

/** Lists the tasks about a text that is there, and talk. */
export const languageTasks: readonly TaskType[] = [
  task('translation', 'language', {
    strong:
      'translat*, übersetz*, traduci*, traduis*, traduce*, traduz*, tradu*, przetłumacz*, vertaal*, ' +
      'перевед*, how do you say, how would you say, wie sagt man, cómo se dice, comment dit-on, ' +
      'into french, into german, into spanish, into english, into italian, into japanese, ' +
      'into chinese, into polish, ins englische, ins deutsche, auf englisch, en anglais, al inglés, ' +
      'in english please, english to, german to, french to, spanish to, to german, to french, ' +
      'to spanish, 翻译, 翻譯, 翻訳, 英訳, 和訳, 번역, in korean, in italian please, french word, german word, ' +
      'spanish word, ins französische, ins spanische, ins italienische, en español, en français, ' +
      'auf deutsch, auf französisch, auf spanisch, dutch version, french version, german version, ' +
      'english version, spanish version, 訳して, 英語に, 日本語に, переведи, на английский, на русский, ' +
      'word for, how do i write, how do i say, say in, into portuguese, into dutch, into korean, ' +
      'into russian, into arabic, into turkish, into swedish, to japanese, to english, to chinese, ' +
      'to italian, to portuguese, to polish, to dutch, to russian, to turkish, in arabic, in russian, ' +
      'in turkish, in swedish, in greek, in hebrew, in latin, em português, in italiano, 成英文, 成中文, ' +
      "英语怎么说, 用英语, native speaker*, heißt auf, auf englisch?, wie heißt, say 'thank, " +
      'in formal japanese, traduzca, en ->, -> de, -> en, en->de, de->en, the spanish for, ' +
      'the french for, the german for, spanish for, french for, german for, italian for, japanese for, ' +
      'chinese for, translate this, en to de, from english, from german, from french, from spanish',
    words:
      'in french, in german, in spanish, in japanese, in italian, in portuguese, in dutch, in polish, ' +
      'in chinese, subtitles, localiz*, localise, 译成, 英文, version of this, placeholders, strings for, ' +
      'korean, dutch, italian, portuguese, russian, arabic, turkish, swedish, polish, französisch, ' +
      'spanisch, italienisch, inglés, francés, alemán, anglais, allemand, espagnol, formal japanese',
    weak: 'english, german, french, spanish, japanese, language, please',
  }),
  task('summarization', 'language', {
    strong:
      'summar*, tl;dr, tldr, key points, key takeaways, takeaways, the gist, main points, condense*, ' +
      'zusammenfass*, fasse, fass, kurzfassung, résum*, resum*, riassum*, samenvat*, кратко, резюм*, ' +
      'in one sentence, in three sentences, in 3 sentences, in two sentences, bullet points from, ' +
      'minutes of, executive summary, what happened in this thread, meeting notes, まとめて, 要約, 总结, 摘要, ' +
      '概括, 요약, shorten this, boil this, three bullets, short version, most important thing, ' +
      'in zwei sätzen, in drei sätzen, en tres líneas, en trois phrases, recap of, one-paragraph, ' +
      'abstract from, key findings, main takeaways, main message, what does this article say, ' +
      'what is this about, in a nutshell, long story short, in 5 bullets, in bullets, 3 bullets, ' +
      'five bullets, 100 words summary, 总结一下, 简要, 要点, 3行, 短くまとめ, сократи, кратк*, главн*, ' +
      'kernaussagen, wesentlichen, sintetiza, sintesi, what are they saying, action items, ' +
      'what did we agree, transcript of, 3-sentence summary, sentence summary, kurz gesagt, ' +
      'meeting minutes, main arguments, resúmeme, wrap up, agree on, arguments of, in 100 words, ' +
      'in 50 words, key arguments, the conclusion of, what was said, worum geht es, de quoi parle, ' +
      'de qué trata, worum geht, gist of, summary of',
    words:
      'gist, abstract, takeaway, transcript, recap, in short, overview of this, boil down, ' +
      'what was decided, transcripts, brief summary, catch me up, what did i miss, important points, ' +
      'bullets, report below, text below, this text, most important, the essentials, who said what, ' +
      'essay? , letter says, following article, digest, key facts, minutes from, outline of this, ' +
      'overview of the, main idea',
    weak:
      'short, shorten, brief, thread, document, meeting, notes, following, below, after a, points, ' +
      'article, paper, conversation, discussion, chapter, call, agreed, decisions',
  }),
  task('extraction', 'language', {
    strong:
      'extract*, extrae, extrahier*, extrais, extraire, estrai, pull out, pull the, list every, ' +
      'list all, liste alle, as json, to json, into json, named entities, entities, key-value, ' +
      'names and dates, return the fields, mentioned in, énumère, enumera, 提取, 抽出, 抜き出, get all the, ' +
      'find every, what dates appear, turn this receipt, receipt into, ingredients as, ' +
      'kommen in diesem text, le montant, skills in this, in this cv, from this text, aus dem text, ' +
      'en este texto, dans ce texte, from the text, from this email, from this article, ' +
      'from the following, into columns, all the email addresses, company name*, into street, ' +
      'comma separated, semicolon separated, as csv, as yaml, return json, output json, nur die, ' +
      'only the names, just the names, what is the order number, order number, tracking number, 列出所有, ' +
      '找出所有, 提取出, 一覧, 取り出し, извлеки, выпиши, dates appear, amounts and, who is mentioned, ' +
      'which people, which companies, key facts, give me name, return only the, return only, ' +
      'total amount of, medications are mentioned, are mentioned, alle termine, termine aus, ' +
      'convert this text to, to a json, json object, json array, name mail phone, out of the text, ' +
      'in this message, aus dieser mail, which dates, which amounts, which places, ' +
      'quels sont les noms, qué nombres, find names, get the names, total due, pick out, collect all, ' +
      'keywords from, schreib mir alle',
    words:
      'out of this, aus diesem text, del texto, du texte, invoice number, parse, amounts, ' +
      'phone numbers, addresses, email addresses, which products and, quantities, line items, entnimm, ' +
      'zip, receipt, structured, welche personen, facture, factura, rechnung, resume, entries, ' +
      'mentions, with title, raus, montant, find the, in here, as a table, as a list, into a table, ' +
      'in this note, mentioned, personen, find all, parse this',
    weak:
      'list, names, from this, dates and, which, json, csv, numbers, phone, number in, value, values, ' +
      'table, every, cv, appear, street, dates, fields, json with',
  }),
  task('classification', 'language', {
    strong:
      'classif*, klassifizier*, clasifica*, categori*, kategori*, sentiment, positive or negative, ' +
      'positive negative, spam or, which category, which label, label each, label the, stimmung, ' +
      'intent, choose from, choose one of, pick one of, answer with one of, one of the labels, ' +
      'true or false, fact or opinion, un fait ou une opinion, détermine si, is this spam, 分类, 分類, 判断, ' +
      'is this review, review positive, label these, which department, should handle, ' +
      'formal or informal, dringlichkeit, sortiere diese, which language is, yes or no, ja oder nein, ' +
      'oui ou non, sí o no, break our rules, queja o elogio, queja, tag this, tag these, spam or ham, ' +
      'bug or feature, real or fake, is this comment, hate speech, offensive, nsfw, relevant or, ' +
      'irrelevant, high medium low, topics from, of the following categories, the following labels, ' +
      'into one of, group these, assign each, assign a, tone is, joy anger, duplicate of, in welche, ' +
      'zu welcher, gehört zu, quelle catégorie, quel sentiment, qué categoría, 哪一类, 属于, 类别, 情感, ' +
      'どのカテゴリ, どれに, ポジティブ, к какой, определи, тональност*, rate the urgency, urgency of, sarcastic, ' +
      'complaint praise, praise or question, gehört dieser satz, zu sport, type or open, is this mail, ' +
      'is this message, is this tweet, is this ad, satz zu, on a scale, from 1 to 5, scale of 1, ' +
      'rate the sentiment, which of the following, is this spam or, a complaint or, or question, ' +
      'legit or, safe or, ai generated or, is it spam, human or',
    words:
      'label, labels, spam, which of these, which topic, urgent or, neutral, negative, category, ' +
      'categories, escalate, route this, rate each, scale from, informal, handle this, complaint*, ' +
      'question or, either, praise, sentence belongs, 1 to 5, open question, is the following, ' +
      'is it a, sarcas*, emotion*, toxic, is this a, ordne, relevance, one of these, sort these',
    weak:
      'which, each, or not, decide, high, rules, billing, sales, low, medium, positive, reviews, ' +
      'urgent, options are, urgency, topic, priority',
  }),
  task('rewriting', 'writing', {
    strong:
      'rewrite, rephrase*, paraphras*, proofread*, reword, more formal, less formal, more polite*, ' +
      'more concise, more professional, sound more, sound less, change the tone, the tone, ' +
      'in simple language, in plain english, in einfacher sprache, umformulier*, formuliere, ' +
      'formulier, korrigier*, reformul*, corrige*, réécris, correct the grammar, fix the grammar, ' +
      'make this sound, make it sound, polish this, edit this, turn these bullets, shorten to, ' +
      'make this shorter, улучши, перепиши, 改写, 润色, 言い換え, 書き直し, less wordy, fix grammar, ' +
      'please correct, correct my, in a nicer way, nicer, improve the flow, for a 10 year old, fautes, ' +
      'mejora la redacción, redacción, tidy up my, use active voice, active voice, höflicher, höflich, ' +
      'kürze, kürzen, kürzer, this sentence, this paragraph, my abstract, my essay, my text, ' +
      'my paragraph, smoother, sound natural, more natural, natural english, more confident, ' +
      'more persuasive, more engaging, simplify this text, simplify the text, simpler words, trim, ' +
      'elaborate this, remove the jargon, gender neutral, inclusive language, british english, ' +
      'american english, verbessere, verbessern, korrigiere, rechtschreibung, grammatik, orthographe, ' +
      'améliore, améliorer, plus formel, plus court, más formal, más corto, mejora este, corrige, ' +
      'ortografía, riformula, correggi, переформулир*, исправь, сделай текст, 修改, 更正式, 润色一下, 敬語, 丁寧に, ' +
      '直して, 自然な, reads better, read better, shorten, less boring, im passiv, ce texte, plus fluide, ' +
      'in simpler words, british spelling, in this style, diesen satz, diesen text, dieses absatz, ' +
      'ce paragraphe, cette phrase, este texto, esta frase, my linkedin summary, linkedin summary, ' +
      'more interesting, third person, first person plural, present tense, in fewer words, ' +
      'fewer words, more vivid, in my own words, plagiar*, humanize, remove repetition, ' +
      'without changing the meaning, rends, rendre, poner en, into passive, into active, more direct, ' +
      'less direct, soften, softer',
    words:
      'improve this, polish, typos, flowing, into a paragraph, friendlier, less aggressive, ' +
      'passive voice, avoid repetition, cut it to, besser klingen, wordy, grammar, caption shorter, ' +
      'this line, this text, my bio, the following sentence, style of, párrafo, párrafos, passiv, ' +
      'make my, too long, boring, correct this, expand this, cut this, past tense, as a paragraph, ' +
      'make it shorter',
    weak:
      'shorter, clearer, better, tone, formal, professional, friendly, phrase, stil, satz, sätze, ' +
      'texte, spelling, wording, essay, correct, simpler',
  }),
  task('conversation', 'language', {
    strong:
      'hello, hi, hey, thanks, thank you, how are you, good morning, good night, good evening, ' +
      "how's it going, what's up, guten morgen, hallo, danke, wie geht, hola, gracias, buenos días, " +
      'bonjour, salut, merci, ciao, grazie, olá, obrigad*, привет, спасибо, 你好, 谢谢, こんにちは, ありがとう, ' +
      'おはよう, 안녕, do you ever, are you real, are you human, do you like, do you have feelings, ' +
      "i'm bored, im bored, lol, haha, i feel, i'm so, what do you think, friendly companion, " +
      "chat with, that helped, do you dream, rough day, your favorite, your favourite, i'm back, " +
      "im back, ça va, you're funny, youre funny, who are you, what's your name, whats your name, " +
      "wie geht's, wie gehts, schönen tag, gute nacht, bis später, bis morgen, bye, goodbye, " +
      'nobody remembered, my birthday, guess what, tell me a joke, a joke, erzähl, witz, cheer me up, ' +
      'what are you doing, are you there, you ok, are you ok, how was your day, nice to meet, yay, ' +
      'omg, got it, cómo estás, qué tal, buenas noches, comment vas, bonne nuit, come stai, tudo bem, ' +
      'как дела, спокойной, доброе утро, 早上好, 晚安, 最近怎么样, 哈哈, 元気, おやすみ, 疲れた, 好累, 잘 지내, ' +
      'just wanted to talk, talk to you, can we talk, i miss, my girlfriend, my boyfriend, my mom, ' +
      "i hate mondays, i'm tired, so tired, i'm sad, i'm happy, haha good, are you a robot, raining, " +
      'langweile, tell me something, what do you do, i passed, merci beaucoup, passed my, guess who, ' +
      "i'm home, hi there, hey there, hello there, what are your hobbies, how old are you, " +
      'where are you from, do you know me, are you happy, can you hear me, you awake, i love you, ' +
      "i hate you, i can't sleep, cant sleep, so bored, mir ist langweilig, ich bin müde, " +
      "ich bin traurig, estoy triste, estoy aburrido, je m'ennuie, je suis triste, fatigué, me siento, " +
      'sono stanco, 我很, 无聊, 想你, ひま, 寂しい, скучно, грустно',
    words:
      'bored, my day, my cat, my dog, slept, tired today, weekend, miss you, love you, lonely, ' +
      'nice to, you there, my team, favourite, favorite, weather today, sunday, vacation was, good one',
    weak:
      'today, again, just, feel, really, day, no, yes, sure, great, perfect, nice, cool, ok, okay, ' +
      'sorry, feeling, dream, funny, friend, yesterday, coffee, lunch, movie, mood, finally, weird, ' +
      'remembered, alone, robot, exam, all day, hmm, wow, awesome, happy, sad, guess, see you, congrat*',
  }),
];
