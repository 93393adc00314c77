import { task } from '../task.ts';

export const classification = task('classification', 'language', {
  strong:
    'classif*, klassifizier*, clasifica*, categori*, kategori*, sentiment, positive or negative, ' +
    'positive negative, spam or, which category, which label, label each, label the, stimmung, intent, ' +
    'choose from, choose one of, pick one of, answer with one of, one of the labels, true or false, ' +
    'fact or opinion, un fait ou une opinion, détermine si, is this spam, 分类, 分類, 判断, is this review, ' +
    'review positive, label these, which department, should handle, formal or informal, dringlichkeit, ' +
    'sortiere diese, which language is, yes or no, ja oder nein, oui ou non, sí o no, break our rules, ' +
    'queja o elogio, queja, tag this, tag these, spam or ham, bug or feature, real or fake, ' +
    'is this comment, hate speech, offensive, nsfw, relevant or, irrelevant, high medium low, ' +
    'topics from, of the following categories, the following labels, into one of, group these, ' +
    'assign each, assign a, tone is, joy anger, duplicate of, in welche, zu welcher, gehört zu, ' +
    'quelle catégorie, quel sentiment, qué categoría, 哪一类, 属于, 类别, 情感, どのカテゴリ, どれに, ポジティブ, к какой, ' +
    'определи, тональност*, rate the urgency, urgency of, sarcastic, complaint praise, ' +
    'praise or question, gehört dieser satz, zu sport, type or open, is this mail, is this message, ' +
    'is this tweet, is this ad, satz zu, on a scale, from 1 to 5, scale of 1, rate the sentiment, ' +
    'which of the following, is this spam or, a complaint or, or question, legit or, safe or, ' +
    'ai generated or, is it spam, human or, label each message, which department should, ' +
    'should get this, classify the, content moderator, allow or block, detect the language, ' +
    'language of the text, urgent or not, one word, answer with one word, with the label, label only, ' +
    'one of, tag this article, these topics, ist diese nachricht, spam, bestimme die stimmung, ' +
    'welche kategorie, classe ce, positif, négatif, neutre, clasifica el, indica si, ' +
    'positivo o negativo, positivo, negativo, 正面还是负面, 正面, 负面, 分类为, 判断下面, ネガティブ, どちらですか, 分類して, ' +
    'определи тональность, тональность, contain hate speech, yes/no, toxicity, rate toxicity, from 0 to, ' +
    'assign a priority, p1-p4, is this a question, sentences are sarcastic, map the job, ' +
    'seniority level, opinion, or unverifiable, unverifiable, fraud or, fraud, categorize my, ' +
    'detect intent, intent and slots, slots, phishing, is the following email, scam or, legit, a or b, ' +
    'choose the best label, choose the category, multi-label, topic of, genre of, which genre, ' +
    'which emotion, what emotion, welche stimmung, ordne jede, ordne diese, einordnen, zuordnen, ' +
    'étiquette, étiquet*, catégorise, etiqueta, 属于哪, 是哪种, 哪个类别, 标签, 打标签, カテゴリ, классифицир*, категори*, ' +
    'отнеси, hot lead, cold lead, return one of, zu welchem thema, how angry, belong to, ' +
    'politics or sports, positiv oder negativ, message est-il urgent, label the emotion, as hardware, ' +
    'about politics',
  words:
    'label, labels, which of these, which topic, urgent or, neutral, negative, category, categories, ' +
    'escalate, route this, rate each, scale from, informal, handle this, complaint*, question or, ' +
    'either, praise, sentence belongs, 1 to 5, open question, is the following, is it a, sarcas*, ' +
    'emotion*, toxic, is this a, ordne, relevance, one of these, sort these, sentence, positive, ' +
    'department, priority, transactions, classify',
  weak:
    'tweet, ticket, detect, statement, level, headline, message, comment, bucket, which, each, or not, ' +
    'decide, high, rules, billing, sales, low, medium, reviews, urgent, options are, urgency, topic',
});
