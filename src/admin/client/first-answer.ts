import type { Http } from '../../net/http.ts';
import { HttpError } from '../../net/http-error.ts';
import type { AdminOptions } from '../admin.ts';
import { checkAddress } from './answer-error.ts';

type Request = Http['request'];

/**
 * Until a server has answered, a refused connection is explained by `whenRefused`, and a connection that it closes during a read gets a hint about the address: brokers do that on
 * the ports of the Kafka API, which are easily taken for this one.
 */
export function untilFirstAnswer(request: Request, whenRefused: AdminOptions['whenRefused']): Request {
  let hasAnswered = false;
  return async (one) => {
    try {
      const answer = await request(one);
      hasAnswered = true;
      return answer;
    } catch (error) {
      if (!hasAnswered && error instanceof HttpError && error.code === 'CONNECTION_REFUSED')
        throw (await whenRefused?.(error)) ?? error;
      const isRead = one.method === 'GET';
      if (hasAnswered || !isRead || !(error instanceof HttpError) || !error.sent || error.code !== 'CONNECTION_LOST')
        throw error;
      const { message, sent, hints, target, retryable } = error;
      const details = { hints: [...hints, checkAddress], retryable, cause: error.cause };
      throw new HttpError(message, { sent, ...details, ...(target !== undefined && { target }) });
    }
  };
}
