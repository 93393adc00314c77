import { task } from '../task.ts';

export const email = task('email', 'writing', {
  strong:
    'e-mail*, mail to, a mail, mail an, reply to, draft a reply, cover letter, subject line, letter to, ' +
    'thank you note, out of office, motivationsschreiben, anschreiben, lettre de motivation, carta de, ' +
    'correo, courriel, write back, answer this customer, customer mails, follow up with, follow-up to, ' +
    'brief an, resignation letter, メール, 邮件, письмо, complaint letter, letter of, write an email, ' +
    'an email to, email to, email for, email that, email asking, reply to the, antworte, an email, ' +
    'a polite follow up, polite follow, resignation, two weeks notice, notice period letter, mail pour, ' +
    'mail an den, mail an die, un mail, eine mail, un correo, un email, invite the team, apology to, ' +
    'condolence*, ask my professor, ask my boss, ask for a raise, extension of the deadline, ' +
    'vacation request, recommendation letter, write to my, letter of recommendation, dear hiring, ' +
    'hiring manager, sick note, meeting request, respond to this, reply politely, kündigungsschreiben, ' +
    'bewerbung, absage, einladung an, beschwerde, réponds, réponse à, respuesta a, responde a, ' +
    'queja formal, 回信, 写一封, 写封, 返信, お礼, напиши письмо, ответь, message to my, note to the, ' +
    'write to airbnb, antwort auf, cold outreach, outreach, remind paul, remind him, remind her, ' +
    "remind them, une réponse, client mécontent, my son is sick, i'll be off, support that, " +
    'message to a, text to my, sms to, dm to, to my boss, to my landlord, an meinen, an meine, ' +
    'an den vermieter, an unseren, a mi jefe, al profesor, à mon, à ma, farewell message, ' +
    'goodbye message, out-of-office, ooo, introduce myself to, informing, let the customer know, ' +
    'wir laden ein, email to my, email to a, write a mail, a polite follow, follow up, ' +
    'decline a meeting, meeting invitation, reply to this, offer a 10, last day, message to parents, ' +
    'for a recommendation, announce to all, all staff, to all staff, an email assistant, draft replies, ' +
    'in the inbox, schreib eine mail, schreib mail, formuliere eine kündigung, kündigung für, ' +
    'antworte freundlich, auf diese anfrage, rédige un mail, un mail pour, lettre de, demander un, ' +
    'correo a, escribe un correo, carta formal, reclamación, 写一封邮件, 邮件给, 请假, 请假信, 请假条, 致歉, メールを書いて, ' +
    'お礼のメール, 取引先, письмо коллеге, перенести встречу, escreva um email, cold email, remind the team, ' +
    'introduce me, by mail, letter of complaint, subject lines +, subject line and, third reminder, ' +
    'pay invoice, answer the recruiter, invitation mail, ask hr, condolence note, thank the volunteers, ' +
    'need to tell a supplier, apology mail, apology email, urgent things to, thank you email, ' +
    'thank-you note, reference letter, motivation letter, letter to the, letter for, request a refund, ' +
    'ask for a refund, postpone our, reschedule our, reschedule the meeting, extension for, kondolenz*, ' +
    'absagen, zusagen, terminanfrage, krankmeldung, dankesschreiben, rückmeldung an, mail de, ' +
    'répondre à ce, relance, courrier, correo de, carta a, agradecimiento, e-mail a, scrivi una mail, ' +
    "scrivi un'email, 回复客户, 道歉信, 推荐信, 感谢信, 辞职信, 断り, お詫び, 返信を, メールの, отказ*, благодарственн*, " +
    'приглашени*, tell my customers, kurze nachricht an, cancel my gym, turn down the, job offer from, ' +
    'lettre de résiliation, résiliation, deadline extension, 求职邮件, an einen kunden, my colleague that',
  words:
    'mail, letter, replies, reminder, decline politely, recipient, invitation, apolog*, schreib eine, ' +
    'cancel my subscription, email, colleague, apology, sign off, client who, sorry for, friendly but, ' +
    'neighbours, sick today, write to, write to the, respond to, request for, firm, carta, absence, ' +
    'referral, antwort, message to the, inform the, tell my, a note to, response to this, invitation to, ' +
    'to my, school trip, announce, remind, volunteers, supplier, the recruiter, accept the offer, ' +
    'short mail, sincerely, politely, on behalf',
  weak:
    'reply, parents, staff, professor, decline, draft, polite*, team, customer, invoice, message, note, ' +
    'write, ask my, late, ask, client, teacher, support, investor, kunden, kollegen, cliente, invite, ' +
    'recruiter, hr, landlord, dear, regards',
});
