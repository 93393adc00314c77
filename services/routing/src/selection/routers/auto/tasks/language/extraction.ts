import { task } from '../task.ts';

export const extraction = task('extraction', 'language', {
  strong:
    'extract*, extrae, extrahier*, extrais, extraire, estrai, pull out, pull the, list every, list all, ' +
    'liste alle, as json, to json, into json, named entities, entities, key-value, names and dates, ' +
    'return the fields, mentioned in, énumère, enumera, 提取, 抽出, 抜き出, get all the, find every, ' +
    'what dates appear, turn this receipt, receipt into, ingredients as, kommen in diesem text, ' +
    'le montant, skills in this, in this cv, from this text, aus dem text, en este texto, dans ce texte, ' +
    'from the text, from this email, from this article, from the following, into columns, ' +
    'all the email addresses, company name, into street, comma separated, semicolon separated, as csv, ' +
    'as yaml, return json, output json, nur die, only the names, just the names, ' +
    'what is the order number, order number, tracking number, 列出所有, 找出所有, 提取出, 一覧, 取り出し, извлеки, ' +
    'выпиши, dates appear, amounts and, who is mentioned, which people, which companies, key facts, ' +
    'give me name, return only the, return only, total amount of, medications are mentioned, ' +
    'are mentioned, alle termine, termine aus, convert this text to, to a json, json object, json array, ' +
    'name mail phone, out of the text, in this message, aus dieser mail, which dates, which amounts, ' +
    'which places, quels sont les noms, qué nombres, find names, get the names, total due, pick out, ' +
    'collect all, keywords from, schreib mir alle, extract all, get the name, list every person, ' +
    'every person, action items with, owner and deadline, parse this address, parsing, cv parsing, ' +
    'return json with, with fields, output only json, extract entities, into json with, ' +
    'ingredients and amounts, which ingredients, find all dates, all dates, dates in the text, ' +
    'rechnungsnummer, datum und betrag, welche orte, orte werden, alle telefonnummern, gib mir alle, ' +
    'als csv, als json, als tabelle, extrais les, liste les dates, extrae el, saca todas, ' +
    'todas las fechas, 从下面的文字, 提取姓名, 找出, 所有公司, 抜き出し, jsonにして, 抽出して, извлеки из, все суммы, all email, ' +
    'only the urls, give me only the, only the, urls, from the log, from the log lines, ' +
    'identify the parties, governing law of, quotes only, every direct quotation, fill this schema, ' +
    'fill in this schema, schema from the text, keywords of this, max 8, who what when, what when where, ' +
    'tracking number in, what symptoms and, medications are, extract the table, table from this text, ' +
    'as markdown, total from, key value pairs, metadata, named entity, ner, regex out, alle namen, ' +
    'alle daten, alle beträge, tous les noms, toutes les dates, todos los nombres, todos los precios, ' +
    'elenca, extraia, make a table, opening hours are in, genannten, diagnosis codes, json array of, ' +
    'hole alle, ingredientes, return name and, list all companies, out of the letter',
  words:
    'out of this, aus diesem text, del texto, du texte, invoice number, parse, amounts, phone numbers, ' +
    'addresses, email addresses, which products and, quantities, line items, entnimm, zip, receipt, ' +
    'structured, welche personen, facture, factura, rechnung, resume, entries, mentions, with title, ' +
    'raus, montant, find the, in here, as a table, as a list, into a table, in this note, mentioned, ' +
    'personen, find all, parse this, locations, ids, status codes, parties, keywords, quotations, ' +
    'invoice, extract, schema, iban, the amount, due date, sku',
  weak:
    'dates, places, people, city, company, list, names, from this, dates and, which, json, csv, numbers, ' +
    'phone, number in, value, values, table, every, cv, appear, street, fields, json with',
});
