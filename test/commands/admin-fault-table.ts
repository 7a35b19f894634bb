import type { Effect } from '../sandbox/admin/controlled.ts';

/** A fault of every node, and how a command that meets it at its first request ends. */
type NodeFault = readonly [name: string, effect: Effect, exitCode: number, words: RegExp];

const status = (code: number, message: string): Effect => ({ kind: 'status', status: code, message });

/** What every command of the Admin API meets alike. */
export const nodeFaults: readonly NodeFault[] = [
  ['401', status(401, 'who'), 4, /: who \(.*: 401\)\nhint: set the credentials/],
  ['403', status(403, 'no'), 4, /: no \(.*: 403\)\nhint: .*superuser/],
  ['409', status(409, 'busy'), 6, /: busy \(.*: 409\)/],
  ['429', status(429, 'slowly'), 5, /slowly/],
  ['500', status(500, 'broken'), 1, /: broken \(.*: 500\)/],
  ['503', status(503, 'starting'), 5, /starting/],
  ['504', status(504, 'late'), 5, /late/],
  ['a page', { kind: 'status', status: 200, text: '<html>hello</html>' }, 1, /not an answer of an Admin API/],
  ['a cut answer', { kind: 'truncate', bytes: 1 }, 5, /lost the connection|cut short/],
  ['no answer', { kind: 'drop', when: 'before' }, 5, /lost the connection/],
  ['noise', { kind: 'garbage' }, 1, /not an answer of an Admin API/],
];

/** 404 where the call is not there, unless the command says something better. */
export const missingCall: NodeFault = ['404', status(404, 'Not found'), 3, /: Not found \(.*: 404\)/];
