/**
 * A process with one client, for the rule that the process ends when the command timeout fires.
 * Arguments: host, port and command timeout in milliseconds. It prints the error's code when the work
 * ends, and the milliseconds from then to its own end, which it does not bring about itself.
 */
import { clientOf, failureOf } from './scripted-client.ts';

const [host = '', port = '', command = ''] = process.argv.slice(2);
const client = clientOf([{ host, port: Number(port) }], { command: Number(command) });
const error = await failureOf(client.metadata([]));
const endedAt = performance.now();
process.stdout.write(`${error.code}\n`);
process.on('exit', () => process.stdout.write(`${(performance.now() - endedAt).toFixed(1)}\n`));
