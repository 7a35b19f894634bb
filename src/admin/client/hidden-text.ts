import type { HttpAnswer } from '../../net/http.ts';

/** Pieces of text that can be recognized as part of a secret: shorter ones occur in other text as well. */
const piece = /[\w+/=.-]{12,}/g;

/** An answer without the pieces of a secret of the request that the server repeats, also if it has cut them. */
export function withoutText(answer: HttpAnswer, secret: string): HttpAnswer {
  const hide = (word: string): string => (secret.includes(word.replace(/\.+$/, '')) ? '…' : word);
  return { ...answer, body: Buffer.from(answer.body.toString('utf8').replace(piece, hide)) };
}
