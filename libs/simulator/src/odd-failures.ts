/**
 * The ends of streams that fail in a form which is none of the dialect. Most are of servers that are nearly OpenAI's.
 */
const message = 'The simulated model broke';
const event = (body: object): string => `data: ${JSON.stringify(body)}\n\n`;

const forms = {
  object: event({ object: 'error', message, type: 'InternalServerError', code: 500 }),
  detail: event({ detail: message }),
  message: event({ message }),
  list: event({ errors: [{ message }] }),
  status: event({ base_resp: { status_code: 1000, status_msg: message } }),
  named: `event: error\ndata: ${JSON.stringify({ reason: message })}\n\n`,
  line: `${JSON.stringify({ error: { message } })}\n\n`,
  page: '<html><head><title>502 Bad Gateway</title></head></html>\n',
  done: '',
} as const;

export type OddForm = keyof typeof forms;

export const oddForms = Object.keys(forms) as readonly OddForm[];

/** Returns the end of a stream that fails in a form. Such servers say that they are done all the same. */
export function oddFailure(form: OddForm): string {
  return `${forms[form]}data: [DONE]\n\n`;
}

/** The events that say nothing, before an event of the answer. */
export const noise = 'data:\n\ndata: null\n\ndata: : keepalive\n\nkeepalive\n\n';
