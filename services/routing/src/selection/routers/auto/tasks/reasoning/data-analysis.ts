import { task } from '../task.ts';

export const dataAnalysis = task('data_analysis', 'reasoning', {
  strong:
    'a/b test, ab test, dataset, correlation, regression, outlier*, ausreißer, cohort*, churn, ' +
    'confidence interval, p-value, statistically significant, significant, stands out, which chart, ' +
    'standard deviation, histogram, time series, these figures, these numbers, the data, pivot, ' +
    'seasonal*, forecast*, conversion rate, analysiere die, analyze the data, analyse the data, ' +
    'analyze this data, analiza los, analyse ces, 数据, 數據, 异常, 異常, データ, данные, die daten, die zahlen, ' +
    'los datos, les données, last quarter, sales per, missing values, between these two groups, ' +
    'interpret this, interpret the, test statistique, statistical test, segment these, segment the, ' +
    'umsatzzahlen, diese zahlen, recency, which kpi, null hypothesis, t-test, anova, chi-square, ' +
    'linear model, clustering, k-means, month over month, year over year, yoy, bounce rate, bar chart, ' +
    'pie chart, scatter plot, box plot, boxplot, normal distribution, bias in, sampling, n 30, ' +
    'trois moyennes, estos datos, ces données, analyse de, auswertung, werte aus, 分析这, 趋势, 图表, 平均值, 傾向, ' +
    'グラフ, проанализируй, выборк*, anomal*, drop in, drop-off, dip, paired samples, regression output, ' +
    'r2, umfrage, freitexte, auswerten, werte ich, test result real, users each, dip in, sessions on, ' +
    'look at first, answers from a survey, survey, likert, respondent*, effect size, sample of, ' +
    'tell about, skew*, growth rate, weekly active, daily active, mau, dau, what do you see, ' +
    'what conclusions, qué conclusiones, is there a trend, trend, gibt es einen trend, auffälligkeiten, ' +
    'a/b-test, really better, conversions, conversion per, coef, response rate, nps, ' +
    'how should i interpret, interpret these, interpretier*, was kann ich daraus, daraus schließen, ' +
    'korrelation, corrélation, correlación, correlation or, causation, p value, multiple comparisons, ' +
    'significance, statistical power, how large must my sample, sample size for, which chart should, ' +
    'chart should i, which statistical test, prueba estadística, three groups, cluster these, ' +
    'cluster analysis, segments by, seasonality in, detect outliers, response times, forecast the next, ' +
    'predict the next, next three values, give me insights, insights from, explain the anomaly, anomaly, ' +
    'tracking bug, plausible, underperform*, our funnel, funnel, lose people, drop off, productivity, ' +
    'from the table, headcount, kpis, kpi should, dashboard shows, describe, umsätze pro monat, ' +
    'hier die umsätze, werte ich eine, en baisse, chiffres de vente, analyse ces chiffres, datos de, ' +
    'analiza, 分析用户, 分析一下, 问卷, 样本量, 流失, 数据分析, 満意度, 売上データ, 傾向を, 分析して, данные о продажах, выброс*, ' +
    'проанализир*, revenue by region, by region, wide format, missing data, impute, imputation, ' +
    'normaliz*, weighted average, moving average, year on year, quarter over quarter, heatmap, ' +
    'dashboards, a fluke, fluke, unterschied signifikant, signifikant, observations, make sense of this, ' +
    'is that causal, causal, erkenntnisse, two proportions, ces résultats, que montrent, ' +
    'handle seasonality, which metric',
  words:
    'spreadsheet, statistics, trend*, distribution, percentile*, variance, sample size, metric*, kpi, ' +
    'visualiz*, visualis*, variant, control group, column b, excel, analys*, analyz*, figures, ' +
    'retention, revenue by, what happened on, conclude, ratio of, users per, survey results, ' +
    'respondents, umsatz, ventes, ventas, chart, plot, correlated, metrics, sessions, antworten, ' +
    'interpret, sample, data set, beta, sd, subjects, salaries, dashboard, spike*, lever, biggest lever, ' +
    'visits, traffic share, sqm, spend and frequency, per month, drop, dropped, rose, average session, ' +
    'session time, compare three, responses, survey data, customers changed, group a, group b, lift of, ' +
    'base rate, numbers mean, csv',
  weak:
    'conversion, device, traffic, share, stores, quarter, spike, average, table, increase, compare, ' +
    'month, data, numbers, cause, percent, orders, north, region, sales, clicks, demand, groups, per user',
});
