import { isFields } from '../../net/json.ts';
import { pathOf } from '../../net/json-api/call.ts';
import { anything, at, listOf, Misfit, mapped, row, sorted, string } from '../../shape/shape.ts';
import { type Api, calls } from '../client/api.ts';
import { logger, loggerLevel, type NodeCalls } from './node-rows.ts';

const configuration = mapped(anything, (fields) => {
  if (!isFields(fields) || Object.keys(fields).length === 0) throw new Misfit();
  return fields;
});

const loggers = sorted(listOf(logger), (a, b) => (a.name < b.name ? -1 : 1));

const newLevel = row({ ...loggerLevel.fields, level: at('new_level', string) });

/** The calls about the configuration and the loggers of one node. */
export function openNodeCalls(api: Api): NodeCalls {
  return {
    nodeConfig: (host) =>
      api.call(
        calls.get('read the configuration of the node', '/v1/config', configuration, {
          to: { host },
          form: 'configuration',
        }),
      ),
    loggers: (host) =>
      api.call(
        calls.get('read the loggers of the node', '/v1/loggers', loggers, {
          query: { 'include-levels': true },
          to: { host },
          form: 'list of loggers',
        }),
      ),
    loggerLevel: (host, name) =>
      api.call(
        calls.get(`read the level of the logger "${name}"`, pathOf`/v1/config/log_level/${name}`, loggerLevel, {
          to: { host },
        }),
      ),
    setLoggerLevel: (host, { name, level, seconds }) =>
      api.call(
        calls.put(`set the level of the logger "${name}"`, pathOf`/v1/config/log_level/${name}`, {
          query: { level, expires: seconds },
          to: { host },
          // A repeated one only starts its time again.
          repeats: true,
          answer: newLevel,
        }),
      ),
  };
}
