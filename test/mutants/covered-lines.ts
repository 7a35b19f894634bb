import { type Profiler, Session } from 'node:inspector/promises';
import { SourceMap, type SourceMapPayload } from 'node:module';

/** By path: numbers in pairs, each the start and the end of something that ran. */
export type Ranges = Readonly<Record<string, readonly number[]>>;

/** The end of the wrapper in which vitest evaluates a module. */
const wrapperEnd = '=>{{';

/** Counts in this process which code of the files of a folder runs. */
export interface CodeCounter {
  /**
   * The positions in the code of modules, as vitest transforms it, that ran since the last call. Code that only runs when
   * its module is loaded is left out: a worker loads a module once, for the first test file that needs it.
   */
  take(): Promise<Ranges>;
}

/** Starts counting below a folder, given as a file URL with a slash at its end. */
export async function countCode(folder: string): Promise<CodeCounter> {
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
  const scripts = new Map<string, { readonly start: number; readonly length: number }>();
  return {
    async take() {
      const { result } = await session.post('Profiler.takePreciseCoverage');
      const own = result.filter(({ url }) => url.startsWith(folder));
      const unread = own.filter(({ scriptId }) => !scripts.has(scriptId));
      if (unread.length > 0) await session.post('Debugger.enable');
      for (const { scriptId } of unread) {
        const { scriptSource } = await session.post('Debugger.getScriptSource', { scriptId });
        const start = scriptSource.indexOf(wrapperEnd) + wrapperEnd.length;
        scripts.set(scriptId, { start, length: scriptSource.length });
      }
      if (unread.length > 0) await session.post('Debugger.disable');
      const ranges: Record<string, readonly number[]> = {};
      for (const { scriptId, url, functions } of own) {
        const { start, length } = scripts.get(scriptId) ?? { start: 0, length: 0 };
        const ran = rangesOf(paint(functions, start, length));
        if (ran.length > 0) ranges[url.slice(folder.length)] = ran.map((at) => at - start);
      }
      return ranges;
    },
  };
}

function paint(functions: readonly Profiler.FunctionCoverage[], start: number, length: number): Uint8Array {
  const hasRun = new Uint8Array(length);
  // Outer functions and blocks come before those inside them.
  for (const { ranges } of functions) {
    if ((ranges[0]?.startOffset ?? 0) < start) continue;
    for (const { startOffset, endOffset, count } of ranges) hasRun.fill(count > 0 ? 1 : 0, startOffset, endOffset);
  }
  return hasRun;
}

function rangesOf(hasRun: Uint8Array): readonly number[] {
  const ranges: number[] = [];
  for (let at = hasRun.indexOf(1); at >= 0; at = hasRun.indexOf(1, at)) {
    const end = hasRun.indexOf(0, at);
    ranges.push(at, end < 0 ? hasRun.length : end);
    if (end < 0) break;
    at = end;
  }
  return ranges;
}

/** Finds the lines of a source file for positions in the code that it was transformed to. */
export function openLines(code: string, payload: SourceMapPayload): (ranges: readonly number[]) => readonly number[] {
  const map = new SourceMap(payload);
  const words: { readonly at: number; readonly line: number }[] = [];
  let start = 0;
  for (const [row, text] of code.split('\n').entries()) {
    for (const { index } of text.matchAll(/[\w$]+|[^\s\w$]+/g)) {
      const entry = map.findEntry(row, index);
      if ('originalLine' in entry) words.push({ at: start + index, line: entry.originalLine + 1 });
    }
    start += text.length + 1;
  }
  return (ranges) => {
    const lines = new Set<number>();
    let range = 0;
    for (const { at, line } of words) {
      while (range < ranges.length && at >= (ranges[range + 1] ?? 0)) range += 2;
      if (at >= (ranges[range] ?? Number.POSITIVE_INFINITY)) lines.add(line);
    }
    return blocksOf(lines);
  };
}

/** First and last line of each block of lines, in turns. */
function blocksOf(lines: ReadonlySet<number>): readonly number[] {
  const blocks: number[] = [];
  for (const line of [...lines].sort((a, b) => a - b)) {
    if (blocks.at(-1) === line - 1) blocks[blocks.length - 1] = line;
    else blocks.push(line, line);
  }
  return blocks;
}
