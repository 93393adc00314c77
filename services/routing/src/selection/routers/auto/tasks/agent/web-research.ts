import { task } from '../task.ts';

export const agentWebResearch = task('agent:web_research', 'agent', {
  strong:
    'research, recherch*, investiga*, deep dive, cite sources, with sources, mit quellen, con fuentes, ' +
    'avec sources, latest news, look up, im internet, on the web, en internet, sur internet, busca en, ' +
    'find out, what are people saying, search the web, browse, search for, search reddit, fact check, ' +
    'current ceo, who is the current, with links, did the, decide today, opening hours, horaires, ' +
    'avis récents, right now, population of, as of today, stock price, score of, is it true that, ' +
    'what happened, headlines, price comparison, aktuelle, aktuell, actualmente, actuel, 検索, 搜索, 查一下, ' +
    'найди, studies on, open today, recent studies, limitations, who won, latest version, ' +
    'what changed in, current price, price of, why it dropped, peer-reviewed, studies about, ' +
    'studies since, published on, has been published, compare the, based on reviews, according to, ' +
    'recent reviews, what do experts, experts say, is the museum, open on, find the email, press office, ' +
    'look up the, specs of, background check, lawsuits, what happened at, keynote, statistics on, ' +
    'newest available, official source, recalls, any recalls, overview with links, good restaurants, ' +
    'near the, release notes, does the new, fact-check, how big is the market, market size, ' +
    'verify the claim, find articles, trouve des articles, finde heraus, such die aktuellen, ' +
    'aktuellen regeln, aktuelle regeln, verlinke, quellen angeben, quels sont les horaires, ' +
    'busca noticias, noticias de hoy, noticias, busca, las mejores, universidades, 最近有什么, 新进展, 给出来源, 新闻, ' +
    'ネットで, 探して, 比較して, ニュース, найди в интернете, отзывы, в интернете, новости, cite, citing, ' +
    'source for every, web access, tests this year, ecb, changed rates, qui a gagné, backed by trials, ' +
    "overview of grants, eligibility, was kostet aktuell, when does the new, what's the latest",
  words:
    'sources, latest, newest, this week, reviews, quellen, fuentes, compare prices, market for, ' +
    'competitors, studies, papers, release date, articles, 最新, 调查, 調べて, who is, prices, links, biggest, ' +
    'cheapest, best rated, avis, kurs, last night, wikipedia, official site, ceo of, ownership, ratings, ' +
    'since 2023, since 2024, as of, this year, this month, developments, changelog, strike, tariff, ' +
    'law changes, regulations, regulation, find three, find me three, find reviews',
  weak:
    'news, experts, reviewers, yesterday, announced, election, review, search, find, 2025, 2026, today, ' +
    'recent, current, who, when, what, how many, which',
});
