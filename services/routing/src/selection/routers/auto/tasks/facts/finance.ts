import { task } from '../task.ts';

export const finance = task('finance', 'facts', {
  strong:
    'stock*, invest*, portfolio, tax, taxes, mortgage, index fund, etf, interest rate, pension, ' +
    'retirement, 401k, roth, ira, accounting, balance sheet, cash flow, depreciat*, fifo, dividend*, ' +
    'inflation*, credit score, emergency fund, steuer*, kredit, aktie*, hypothek*, abschreib*, ' +
    'umsatzsteuer, impôt*, impuesto*, hipoteca, invertir, placement, capital gains, vat, net worth, ' +
    'valuation, ebitda, 股票, 基金, 税, 投資, 年金, налог*, ипотек*, crypto, bitcoin, savings account, ' +
    'break-even, venture capital, afford, debt to equity, covered calls, call option, gross and net, ' +
    'net margin, consolidate my, rentenversicherung, lebensversicherung, revenus locatifs, declarar, ' +
    'déclarer, amortizar, freelancer*, charge vat, ebit, roi, irr, npv, wacc, p/e, market cap, ' +
    'hedge fund, hedg*, options trading, short selling, liquidity, annuit*, treasury, estate tax, ' +
    'tax return, deduct*, write off, invoice payment terms, payroll, payslip, overdraft, apr, apy, ' +
    'down payment, foreclosure, steuererklärung, gewinn, bilanz, girokonto, tagesgeld, zins*, livret, ' +
    'épargne, assurance vie, intérêts, ahorrar, préstamo, hacienda, irpf, acciones, bolsa, 理财, 股市, 贷款, ' +
    '房贷, 复利, 所得税, 株, 住宅ローン, 確定申告, nisa, акци*, вклад, кредит*, budgeting, financial*, finanz*, finanzas, ' +
    'finances, refinance, dollar cost, save for retirement, homeoffice von der steuer, ' +
    'von der steuer absetzen, absetzen, rsu, rsus, taxed, cuenta remunerada, remunerada, ' +
    'financial advisor, passive income, side hustle income, stock exchange, ipo, spac, ticker, ' +
    'bull market, bear market, recession, exchange rate risk, sparplan, dispo, kreditkarte, ' +
    'carte bancaire, tarjeta, nómina, autónomo, micro-entrepreneur, tfsa, 529, hsa, roth ira, ' +
    'savings rate, pay off my, mortgage early, capital gains tax, compound interest, runway, burn rate, ' +
    'burn a year, cash flow statement, gross margin, leasing a car, leasing, cheaper than buying, ' +
    'p/e ratio, in savings, better yield, depreciation, bausparvertrag, lohnt sich ein, netto bleibt, ' +
    'von brutto, brutto, netto, steuerklasse, kryptogewinne, versteuern, pea, emprunter, ' +
    'puis-je emprunter, hipoteca fija, en la renta, declarar los, ingresos, contribution margin, ' +
    'fixed costs, break-even point, bond prices, interest rates rise, higher salary, monthly payment, ' +
    'loan of, budget template, after taxes, vorabpauschale, etf sparplan, vat for, tax for, tax on, ' +
    'valuation of, expenses can i deduct, home office, hedge my, how do options work, net income, ' +
    'accounts receivable, working capital, balance sheets, price its products, makes 15, rebalance, ' +
    'index funds, target date, tax bracket, lump sum, annuity, pensions, term deposit, fixed deposit, ' +
    'savings bonds, mutual fund, dividends, brokerage, kapitalertrag*, freibetrag, altersvorsorge, ' +
    'riester, baufinanzierung, tilgung, eigenkapital, aktienfonds, crédit immobilier, taux, impôts, ' +
    'livret a, placements, bolsa de, fondos, ahorros, plan de pensiones, tesouro direto, ' +
    'vale a pena investir, investimento, imposto, mutuo, tasse, risparmi, 月薪, 存款, 投资, 定投, 理财产品, 房贷利率, ' +
    '保险, 工资, 収入, 貯金, 資産運用, ideco, 年収, つみたて, копить, инвестиц*, облигаци*, вклад*, доход*, ' +
    "bank's assistant, personal loan, prêt, rembourser, high-yield, treasury bills, mieteinnahmen, " +
    'my raise, start investing, versicherung*, selbstständig*, entrada de un piso, rent or buy, ' +
    'cost averaging, freelance designer, per hour as, charge per hour',
  words:
    'revenue, loan, debt*, savings, earn, insurance, profit, margin, refinanc*, sparen, geld, ahorro, ' +
    'dinero, argent, euro, pay off, deductible, bookkeeping, house can i, mortgage is, how much money, ' +
    'good debt, paying off, buy or rent, buy or lease, retire, cost of living, isa, cash, depot, bonds, ' +
    'bond, rente, fonds, save for, spending, expense*, inventory, credit card debt, invest, startup, ' +
    'raise now, returns, return on, tax-free, price to, 401, premium, owe, owed, lender, rates, ' +
    'household, couple with, freelancing, self-employed, small business, sole trader, cost per, ' +
    'per year, a month for',
  weak:
    'yield, broker, salary, car, pay, cost, costs, price, fund, account, enough, months, market, rate, ' +
    'raise, wage, interest, fees, monthly, cards, equity, invoice, bank, income, money, budget, rent',
});
