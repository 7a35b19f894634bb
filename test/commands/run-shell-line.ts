import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Outcome, splitLine, type World } from '../world.ts';

/** Runs a line of weir. */
export type Run = (words: readonly string[], world: World) => Promise<Outcome>;

/** Runs a line as a shell would: pipes, `<`, `>`, and the few programs that examples use. Fails if a weir fails. */
export async function runShellLine(line: string, cwd: string, weir: Run): Promise<string> {
  let stdin = 'typed\n';
  for (const stage of line.split(' | ')) {
    const [, text = stage, , input] = /^(.*?)( < (\S+))?( > \S+)?$/s.exec(stage) ?? [];
    const words = splitLine(text);
    if (words[0] === 'less') return stdin;
    if (words[0] === 'echo' || words[0] === 'printf') {
      stdin = words[0] === 'echo' ? `${words.slice(1).join(' ')}\n` : (words[1] ?? '').replaceAll('\\n', '\n');
      continue;
    }
    if (words[0] !== 'weir') throw new Error(`an example starts ${words[0]}`);
    const world: World = { cwd, stdin: input === undefined ? stdin : readFileSync(join(cwd, input)) };
    const { stdout, stderr, exitCode } = await weir(words.slice(1), world);
    if (exitCode !== 0) throw new Error(`exit ${exitCode}: ${stderr}`);
    stdin = stdout;
  }
  return stdin;
}
