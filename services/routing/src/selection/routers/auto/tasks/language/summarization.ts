import { task } from '../task.ts';

export const summarization = task('summarization', 'language', {
  strong:
    'summar*, tl;dr, tldr, key points, key takeaways, takeaways, the gist, main points, condense*, ' +
    'zusammenfass*, fasse, fass, kurzfassung, résum*, resum*, riassum*, samenvat*, кратко, резюм*, ' +
    'in one sentence, in three sentences, in 3 sentences, in two sentences, bullet points from, ' +
    'minutes of, executive summary, what happened in this thread, meeting notes, まとめて, 要約, 总结, 摘要, 概括, ' +
    '요약, shorten this, boil this, three bullets, short version, most important thing, in zwei sätzen, ' +
    'in drei sätzen, en tres líneas, en trois phrases, recap of, one-paragraph, abstract from, ' +
    'key findings, main takeaways, main message, what does this article say, what is this about, ' +
    'in a nutshell, long story short, in 5 bullets, in bullets, 3 bullets, five bullets, ' +
    '100 words summary, 总结一下, 简要, 要点, 3行, 短くまとめ, сократи, кратк*, главн*, kernaussagen, wesentlichen, ' +
    'sintetiza, sintesi, what are they saying, action items, what did we agree, transcript of, ' +
    '3-sentence summary, sentence summary, kurz gesagt, meeting minutes, main arguments, resúmeme, ' +
    'wrap up, agree on, arguments of, in 100 words, in 50 words, key arguments, the conclusion of, ' +
    'what was said, worum geht es, de quoi parle, de qué trata, worum geht, gist of, summary of, ' +
    'in 3 points, executive summary of, into minutes, bullet points of, main points of, the main points, ' +
    'condense to, 50 words, 100 words, 150 words max, abstract for, for the crm, one-line summar, recap, ' +
    'essentials, just the essentials, need to know from, what do people like, decisions and open, ' +
    'open questions, so far, thread pls, this email thread, discussion so far, what is this paper, ' +
    'paper about, explain in 4 sentences, in 4 sentences, in sentences what, wichtigsten punkte, ' +
    'die wichtigsten, aus diesem protokoll, zusammen, zwei sätzen, en quelques lignes, résume ce, ' +
    'un résumé, résumé de, ideas principales, puntos principales, resume el, resume este, en 3 puntos, ' +
    '总结以下, 用一句话, 一句话概括, 文章的要点, 归纳, 三行で, 要約して, кратко перескажи, перескажи, краткое содержание, ' +
    'в двух словах, riassumi, resuma, resumo, tweet-length, tl dr, in plain words, ' +
    'shorter version of this text, three things users, sum up, sum this up, worum geht es hier, ' +
    "digest this, for a busy, de qué va, what's in here, points clés, compte rendu, 30 seconds, " +
    'chat log, short summary, tldr of',
  words:
    'gist, abstract, takeaway, transcript, in short, overview of this, boil down, what was decided, ' +
    'transcripts, brief summary, catch me up, what did i miss, important points, bullets, report below, ' +
    'text below, this text, most important, the essentials, who said what, essay, letter says, ' +
    'following article, digest, key facts, minutes from, outline of this, overview of the, main idea, ' +
    'meeting, feedback, customer feedback, the report, q3 report, the call, thread, this article, ' +
    'this email, the article, findings, decision',
  weak:
    'minutes, short, shorten, brief, document, notes, following, below, after a, points, article, paper, ' +
    'conversation, discussion, chapter, call, agreed, decisions',
});
