import { badRequest } from './http/admin-error.ts';
import { by, type Call, done, numberParam, numberQuery, type Reply, type Route, route, whole } from './http/call.ts';
import type { FaultSwitch } from './http/faults.ts';
import { anything, integer, isObject, object, optional, readJson } from './http/readers.ts';
import type { Settings } from './settings.ts';
import type { Switches } from './switches.ts';

/** The route that tells whether a node listens; always served. */
export const healthRoute: Route = route('sim.health', 'GET /sim/health', by.open, () => whole({ ready: true }));

const clockBody = object({ advance_ms: optional(integer), rate: optional(integer) });
const controllerBody = object({ to: optional(integer), election_ms: optional(integer) });

/** The control routes for tests that run in another process: the switches over HTTP. The journal leaves them out. */
export function controlRoutes(switchesOf: () => Switches): readonly Route[] {
  const sim = (name: string, line: Parameters<typeof route>[1], handle: (call: Call) => Reply | Promise<Reply>) =>
    route(`sim.${name}`, line, by.open, (_, call) => handle(call));
  const onNode = (act: (switches: Switches, id: number) => Promise<void>) => async (call: Call) => {
    await act(switchesOf(), numberParam(call, 'id'));
    return done;
  };
  return [
    sim('journal', 'GET /sim/journal', (call) => whole({ entries: switchesOf().journal(numberQuery(call, 'node')) })),
    sim('journal.clear', 'DELETE /sim/journal', () => {
      switchesOf().clearJournal();
      return done;
    }),
    sim('faults.add', 'POST /sim/faults', (call) => {
      switchesOf().addFault(readJson(call, anything) as FaultSwitch);
      return done;
    }),
    sim('faults.clear', 'DELETE /sim/faults', () => {
      switchesOf().clearFaults();
      return done;
    }),
    sim('clock', 'POST /sim/clock', async (call) => {
      const { advance_ms: ms, rate } = readJson(call, clockBody);
      if (rate !== undefined) switchesOf().setClockRate(rate);
      await switchesOf().advance(ms ?? 0);
      return whole({ now: switchesOf().now() });
    }),
    sim('settings', 'POST /sim/settings', (call) => {
      const change = readJson(call, anything);
      if (!isObject(change)) throw badRequest('the settings must be an object');
      switchesOf().changeSettings(change as Partial<Settings>);
      return done;
    }),
    sim('controller', 'POST /sim/controller', (call) => {
      const { to, election_ms: electionMs } = readJson(call, controllerBody);
      switchesOf().moveController({
        ...(to === undefined ? {} : { to }),
        ...(electionMs === undefined ? {} : { electionMs }),
      });
      return done;
    }),
    sim(
      'nodes.stop',
      'POST /sim/nodes/{id}/stop',
      onNode((switches, id) => switches.stopNode(id)),
    ),
    sim(
      'nodes.start',
      'POST /sim/nodes/{id}/start',
      onNode((switches, id) => switches.startNode(id)),
    ),
    sim(
      'nodes.restart',
      'POST /sim/nodes/{id}/restart',
      onNode((switches, id) => switches.restartNode(id)),
    ),
  ];
}
