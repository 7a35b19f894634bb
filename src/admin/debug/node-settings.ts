import { type Fields, fieldsOf } from '../../net/json.ts';
import { pathOf } from '../../net/json-api/call.ts';
import { badAnswer } from '../client/answer-error.ts';
import type { Api } from '../client/api.ts';
import { itemsOf, needText, numberOr, textOrNull } from '../client/read.ts';
import type { LoggerLevel, NodeCalls } from './node-rows.ts';

/** The calls about the configuration and the loggers of one node. */
export function openNodeCalls(api: Api): NodeCalls {
  return {
    nodeConfig: (host) =>
      api.call({
        doing: 'read the configuration of the node',
        method: 'GET',
        path: '/v1/config',
        to: { host },
        read(body, what) {
          const fields = fieldsOf(body);
          if (Object.keys(fields).length === 0) throw badAnswer(what, 'configuration');
          return fields;
        },
      }),
    loggers: (host) =>
      api.call({
        doing: 'read the loggers of the node',
        method: 'GET',
        path: '/v1/loggers',
        query: { 'include-levels': true },
        to: { host },
        read: (body, what) =>
          itemsOf(body, what, 'list of loggers')
            .map((one) => ({ name: needText(one, 'name', what), level: textOrNull(one.level) }))
            .sort((a, b) => (a.name < b.name ? -1 : 1)),
      }),
    loggerLevel: (host, name) =>
      api.call({
        doing: `read the level of the logger "${name}"`,
        method: 'GET',
        path: pathOf`/v1/config/log_level/${name}`,
        to: { host },
        read: (body, what) => levelIn(fieldsOf(body), 'level', what),
      }),
    setLoggerLevel: (host, { name, level, seconds }) =>
      api.call({
        doing: `set the level of the logger "${name}"`,
        method: 'PUT',
        path: pathOf`/v1/config/log_level/${name}`,
        query: { level, expires: seconds },
        to: { host },
        // A repeated one only starts its time again.
        repeats: true,
        read: (body, what) => levelIn(fieldsOf(body), 'new_level', what),
      }),
  };
}

function levelIn(fields: Fields, field: string, what: string): LoggerLevel {
  const expires = numberOr(fields.expiration, 0);
  return {
    name: needText(fields, 'name', what),
    level: needText(fields, field, what),
    expires_s: expires > 0 ? expires : null,
  };
}
