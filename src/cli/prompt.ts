import { createInterface } from 'node:readline';
import { printable, printableMessage } from '../format/printable.ts';
import type { Host } from '../host.ts';
import { writeError } from './output/report.ts';

/** Reads one line from the person; undefined at the end of input or when `signal` aborts. */
export async function askLine(host: Host, question: string, signal: AbortSignal): Promise<string | undefined> {
  if (signal.aborted) return undefined;
  writeError(host, question);
  // Not `terminal: true`: the terminal stays in its own line mode, so that Ctrl-C is a signal as elsewhere.
  const reader = createInterface({ input: host.stdin.stream, terminal: false, signal });
  const answer = await new Promise<string | undefined>((resolve) => {
    reader.once('line', resolve);
    reader.once('close', () => resolve(undefined));
  });
  reader.close();
  host.stdin.stream.pause();
  if (answer === undefined) writeError(host, '\n');
  return answer;
}

/** Asks for yes or no; anything but `y` and `yes` is no. */
export async function askYesNo(host: Host, question: string, signal: AbortSignal): Promise<boolean> {
  const answer = await askLine(host, `${printableMessage(question)} (y/N) `, signal);
  return /^\s*(y|yes)\s*$/i.test(answer ?? '');
}

/** Asks for a name to be typed; anything else is no. */
export async function askName(host: Host, question: string, name: string, signal: AbortSignal): Promise<boolean> {
  const answer = await askLine(host, `${printableMessage(question)}\ntype ${printable(name)} to go on: `, signal);
  return answer?.trim() === name;
}
