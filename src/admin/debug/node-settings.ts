import { byName } from '../../format/order.ts';
import { pathOf } from '../../net/json-api/call.ts';
import { isObject } from '../../shape/object.ts';
import { anything, at, listOf, Misfit, mapped, row, sorted, string } from '../../shape/shape.ts';
import { type Api, calls, type Target } from '../client/api.ts';
import { Logger, LoggerLevel } from './node-rows.ts';

const configuration = mapped(anything, (fields) => {
  if (!isObject(fields) || Object.keys(fields).length === 0) throw new Misfit();
  return fields;
});

const loggers = sorted(listOf(Logger), byName);

const newLevel = row({ ...LoggerLevel.fields, level: at('new_level', string) });

/** The calls about the configuration and the loggers of one node. */
export function createNodeCalls(api: Api) {
  return {
    /** The effective configuration of a node, as it shows it. */
    nodeConfig: (host: string) =>
      api.call(
        calls.get('read the configuration of the node', pathOf`/v1/config`, configuration, {
          to: { host },
          form: 'configuration',
        }),
      ),
    /** The loggers of a node, sorted by name. */
    loggers: (to: Target) =>
      api.call(
        calls.get('read the loggers of the node', pathOf`/v1/loggers`, loggers, {
          query: { 'include-levels': true },
          to,
          form: 'list of loggers',
        }),
      ),
    /** The level of one logger. */
    loggerLevel: (to: Target, name: string) =>
      api.call(
        calls.get(`read the level of the logger "${name}"`, pathOf`/v1/config/log_level/${name}`, LoggerLevel, {
          to,
        }),
      ),
    /**
     * Changes the level of a logger. The server may limit how long a verbose level lasts.
     * @param seconds until the level goes back to its default; 0 for never
     */
    setLoggerLevel: (
      to: Target,
      { name, level, seconds }: { readonly name: string; readonly level: string; readonly seconds: number },
    ) =>
      api.call(
        calls.put(`set the level of the logger "${name}"`, pathOf`/v1/config/log_level/${name}`, {
          query: { level, expires: seconds },
          to,
          // A repeated one only starts its time again.
          repeats: true,
          answer: newLevel,
        }),
      ),
  };
}
