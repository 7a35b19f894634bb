/**
 * A process with one client, which must exit by itself when the command timeout fires.
 * Arguments: host, port and command timeout in milliseconds. It prints the error code when the work ends, and then the
 * milliseconds until its exit, which it does not trigger itself.
 */
import { clientOf, failureOf } from './scripted-client.ts';

const [host = '', port = '', command = ''] = process.argv.slice(2);
const hour = 3_600_000;
const limits = { dial: hour, overhead: hour, retry: hour, command: Number(command) };
const client = clientOf([{ host, port: Number(port) }], limits);
const error = await failureOf(client.metadata([]));
const endedAt = performance.now();
process.stdout.write(`${error.code}\n`);
process.on('exit', () => process.stdout.write(`${(performance.now() - endedAt).toFixed(1)}\n`));
